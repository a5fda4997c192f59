"""The page of environment variables names every one that is read."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
OURS = re.compile(r"\b_?TREEGAUGE_[A-Z_]*[A-Z]\b")
READ = re.compile(r"environ(?:\.get\(|\[)\s*\"([A-Z_]+)\"|\"([A-Z_]+)\" (?:not )?in os\.environ")


def sources(*folders: str) -> str:
    files = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def test_every_variable_of_ours_is_on_the_page():
    used = set(OURS.findall(sources("src", "tests", "benchmarks")))
    assert {"TREEGAUGE_DATA", "TREEGAUGE_THREADS"} <= used  # or this test tests nothing
    assert used - set(re.findall(r"\w+", PAGE)) == set()


def test_every_variable_that_the_program_reads_is_on_the_page():
    read = {name for pair in READ.findall(sources("src")) for name in pair if name}
    assert {"NO_COLOR", "XDG_DATA_HOME"} <= read
    assert {name for name in read if f"`{name}`" not in PAGE} == set()


def test_the_page_names_no_variable_of_ours_that_nothing_reads():
    used = set(OURS.findall(sources("src", "tests", "benchmarks")))
    assert set(OURS.findall(PAGE)) - used == set()
