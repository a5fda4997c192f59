"""The laws again, with as many examples as they deserve."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples import VARIABLE, examples

HERE = Path(__file__).parent
LAWS = sorted(path.name for path in HERE.glob("test_*.py") if path.name != Path(__file__).name)


def test_a_share_of_the_examples_is_tried_unless_all_are_asked_for(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert [examples(n).max_examples for n in (200, 100, 15)] == [80, 40, 10]
    monkeypatch.setenv(VARIABLE, "all")
    assert [examples(n).max_examples for n in (200, 100, 15)] == [200, 100, 15]


@pytest.mark.slow
@pytest.mark.parametrize("file", LAWS)
def test_laws_hold_for_all_examples(file):
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(HERE / file)],
        env={**os.environ, VARIABLE: "all"},
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout
