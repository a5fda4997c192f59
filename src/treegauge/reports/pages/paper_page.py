"""The page of a reproduced paper: its tables, figures and remarks, and how it was made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from treegauge.reports.charts import Figure
from treegauge.reports.pages.page import (
    Block,
    Command,
    Facts,
    Fold,
    Listing,
    Page,
    Part,
    Prose,
    Side,
    Source,
)
from treegauge.tables import Table


@dataclass(frozen=True)
class PaperResults:
    """What the page of a paper shows.

    Attributes
    ----------
    title, citation : str
        What was reproduced, and who did it first.
    summary : str
        What it is about: paragraphs with an empty line between them.
    tables, figures : sequences
        As the paper has them, published numbers beside ours.
    remarks : Table or None
        What the paper says of its figures, checked.
    facts : sequence of pairs
        Large numbers to begin with, and what each counts.
    settings : mapping
        What was chosen.
    command : str
        What makes the page again.
    readme : str
        What is reproduced and what differs: the paper's own README.
    notes, failures : sequences of str
        What else is to be said, and cells that gave nothing.
    """

    title: str
    citation: str
    summary: str
    tables: Sequence[Table]
    figures: Sequence[Figure] = ()
    remarks: Table | None = None
    facts: Sequence[tuple[str, str]] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    command: str = ""
    readme: str = ""
    notes: Sequence[str] = ()
    failures: Sequence[str] = ()


def make_paper_page(results: PaperResults) -> Page:
    """Return the page of a paper."""
    paragraphs = [text.strip() for text in results.summary.split("\n\n") if text.strip()]
    summary: list[Block] = [Facts(results.facts)] if results.facts else []
    summary += map(Prose, paragraphs)
    figures: list[Block] = [Side(results.figures)] if results.figures else []
    parts = [
        Part("summary", "Summary", summary),
        Part("figures", "Figures", figures),
        Part("tables", "Tables", list(results.tables)),
        *remarks_part(results.remarks),
        _reproduction(results),
    ]
    filled = [part for part in parts if part.blocks]
    return Page(results.title, results.citation, filled)


def remarks_part(remarks: Table | None) -> list[Part]:
    """Return the part of a page with the remarks of a paper; none if it has no remarks."""
    if remarks is None:
        return []
    about = "Claims of the paper, checked on its published figures and on those of this run."
    return [Part("remarks", "Claims of the paper", [remarks], about)]


def _reproduction(results: PaperResults) -> Part:
    """Return commands, settings, and what went wrong."""
    blocks: list[Block] = []
    if results.command:
        blocks.append(Command("This page; finished cells are not run again", results.command))
    if results.settings:
        entries = {
            name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for name, value in results.settings.items()
        }
        blocks.append(Listing(entries, "Settings"))
    blocks += map(Prose, results.notes)
    if results.failures:
        failures = dict(enumerate(results.failures, start=1))
        blocks.append(Listing({str(n): text for n, text in failures.items()}, "Without result"))
    if results.readme:
        readme = [Source(results.readme)]
        blocks.append(Fold("What is reproduced and what differs", "README.md", readme))
    return Part("reproduce", "How to reproduce this page", blocks)
