"""The laws again, wherever they are written, with as many examples as they deserve."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples import VARIABLE, examples

TESTS = Path(__file__).parents[1]
LAWS = sorted(
    path.relative_to(TESTS).as_posix()
    for path in TESTS.rglob("test_*.py")
    if path != Path(__file__) and "from tests.examples import" in path.read_text(encoding="utf-8")
)
# Hypothesis marks its tests; those that are slow anyway are run as they are.
WHICH = "hypothesis and not slow"


def test_a_share_of_the_examples_is_tried_unless_all_are_asked_for(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert [examples(n).max_examples for n in (200, 100, 15)] == [30, 15, 5]
    monkeypatch.setenv(VARIABLE, "all")
    assert [examples(n).max_examples for n in (200, 100, 15)] == [200, 100, 15]


@pytest.mark.slow
@pytest.mark.parametrize("file", LAWS)
def test_laws_hold_for_all_examples(file):
    program = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", WHICH]
    result = subprocess.run(
        [*program, str(TESTS / file)],
        env={**os.environ, VARIABLE: "all"},
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout
