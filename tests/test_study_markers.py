"""Every number on a page has one script that writes it, and tables that it comes from."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from studies import _writers, reproduced
from studies._markers import UnknownMarkerError, filled, markers_of
from studies.measured import STUDIES

MAKEFILE = Path("Makefile").read_text("utf-8")
ALSO_OUTSIDE_THE_MAKEFILE = {
    *("scale-costs", "scale-e-steps", "scale-parts", "scale-runs", "scale-shards")
}
"""What benchmarks of clusters measure."""


def test_every_marker_has_exactly_one_writer() -> None:
    on_pages = Counter(
        (path, marker)
        for path in (Path("README.md"), *sorted(Path("docs").rglob("*.md")))
        for marker in markers_of(path.read_text("utf-8"))
    )
    assert set(on_pages.values()) == {1}
    written = Counter(
        (page, marker)
        for markers in _writers.by_script().values()
        for page, own in markers.items()
        for marker in own
    )
    assert written == on_pages


def test_a_marker_that_a_page_does_not_have_is_an_error() -> None:
    with pytest.raises(UnknownMarkerError, match="'nothing'"):
        filled("<!-- numbers: something -->\n<!-- end -->\n", "nothing", "1\n")


def test_what_is_measured_is_shown_and_what_is_shown_is_measured_by_make() -> None:
    studies = {
        name
        for names in re.findall(r"for name in ([a-z0-9 -]+); do .*\n\s*treegauge run", MAKEFILE)
        for name in names.split()
    }
    reproductions = {
        name
        for names in re.findall(r"python -m studies.reproduced (.+)", MAKEFILE)
        for name in names.split()
    }
    if "python -m studies.challenge --measure" in MAKEFILE:
        reproductions.add(reproduced.CHALLENGE)
    assert studies == {path.stem for path in STUDIES.glob("*.toml")}
    assert reproductions == set(reproduced.REPRODUCTIONS)
    shown = set(_writers.needed_tables())
    assert studies | reproductions <= shown
    scripts = {name.replace("-", "_") for name in shown - studies - reproductions}
    others = scripts - {name.replace("-", "_") for name in ALSO_OUTSIDE_THE_MAKEFILE}
    called = set(re.findall(r"python -m studies\.(\w+)", MAKEFILE))
    known = {"german_text": "german_word_order", "projection": "parallel_texts"}
    assert {known.get(name, name) for name in others} <= called


def test_make_says_what_is_stale_when_the_treebanks_are_there() -> None:
    made = [MAKEFILE.index(f"studies.{name}") for name in ("penn_sample", "cause_treebanks")]
    assert max(made) < MAKEFILE.index("studies.stale") < MAKEFILE.index("treegauge run studies/")


def test_tables_that_are_missing_are_listed_and_no_others() -> None:
    missing = {table for table in _writers.needed_tables() if not _writers.is_kept(table)}
    assert missing == set(_writers.NOT_YET_KEPT), "studies/_writers.py: NOT_YET_KEPT"
    assert all(_writers.NOT_YET_KEPT.values())


def _typed_rows(page: str) -> list[str]:
    """Return the rows of tables that have decimals, stand in no marker and in no block of code."""
    made = r"<!-- numbers: .*?<!-- end -->|^```.*?^```|^    .*?$"
    text = re.sub(made, "", page, flags=re.DOTALL | re.MULTILINE)
    return [line for line in text.splitlines() if re.match(r"\|.*\|[^|`]*\d\.\d[^|`]*\|", line)]


def test_a_row_that_was_typed_is_found() -> None:
    made = "<!-- numbers: a -->\n| dmv | 1.5 |\n<!-- end -->\n```\n| dmv | 1.5 |\n```\n"
    assert _typed_rows(made) == []
    assert _typed_rows(f"{made}| dmv | 50.1 / 2.5 |\n| `a=0.5` | UD |\n") == [
        "| dmv | 50.1 / 2.5 |"
    ]


def test_no_page_with_measured_numbers_has_others_typed_by_hand() -> None:
    pages = {page for markers in _writers.by_script().values() for page in markers}
    typed = {str(page): rows for page in pages if (rows := _typed_rows(page.read_text("utf-8")))}
    assert typed == {}
