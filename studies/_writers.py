"""Which script writes which numbers on the pages, and what is not in docs/data yet.

A test compares this with the pages and with the Makefile, so that no table goes missing unseen.
"""

from __future__ import annotations

from pathlib import Path

from studies import (
    challenge,
    generalised_gold,
    german_word_order,
    head_rules,
    interval_coverage,
    pages,
    reproduced,
    results_page,
    small_taggers,
    word_order_texts,
)
from studies._markers import Markers
from studies.measured import FOLDER, STUDIES, whole_results_of

OWN_PAGES = (
    generalised_gold,
    german_word_order,
    head_rules,
    interval_coverage,
    results_page,
    small_taggers,
    word_order_texts,
)
"""Scripts that write numbers, beside `studies.pages`."""

_HOURS = "a reproduction of hours; its page has older numbers"
NOT_YET_KEPT = {
    "tag-induction": "measured by `make results`; its page has older numbers",
    **dict.fromkeys(("word-order", "pascal-scaling", "pascal-scaling-treebanks"), _HOURS),
    "pascal": "a reproduction of hours; its pages name the systems that are not finished",
    "head-styles": "scores were not kept, only the table on the page",
}
"""Tables that markers need and docs/data lacks, and why. What is measured leaves this list."""


def by_script() -> dict[str, Markers]:
    """Return the markers that every script writes."""
    return {pages.__name__: pages.markers()} | {
        script.__name__: script.MARKERS for script in OWN_PAGES
    }


def needed_tables() -> dict[str, set[tuple[Path, str]]]:
    """Return the tables in docs/data that markers need, and these markers."""
    needed: dict[str, set[tuple[Path, str]]] = {}
    for markers in by_script().values():
        for page, own in markers.items():
            for marker, tables in own.items():
                for table in tables:
                    needed.setdefault(table, set()).add((page, marker))
    return needed


def is_kept(table: str) -> bool:
    """Return whether docs/data has a table, that of a study as a whole."""
    if table == challenge.NAME:
        kept = challenge.kept()
        return kept is not None and challenge.is_whole(kept)
    if table in reproduced.REPRODUCTIONS:
        return reproduced.commit_of(table) is not None
    if (STUDIES / f"{table}.toml").exists():
        return whole_results_of(table) is not None
    return (FOLDER / f"{table}.tsv").exists()
