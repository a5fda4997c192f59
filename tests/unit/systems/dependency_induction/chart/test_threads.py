from __future__ import annotations

import pytest

from treegauge.errors import TreegaugeError
from treegauge.kernels import threads


def test_number_of_threads(monkeypatch):
    monkeypatch.delenv("TREEGAUGE_THREADS", raising=False)
    assert threads() >= 1
    monkeypatch.setenv("TREEGAUGE_THREADS", "3")
    assert threads() == 3


@pytest.mark.parametrize("wrong", ["0", "-1", "many", "1.5"])
def test_a_number_that_is_none(monkeypatch, wrong):
    monkeypatch.setenv("TREEGAUGE_THREADS", wrong)
    with pytest.raises(TreegaugeError, match="at least 1"):
        threads()
