"""How verbs give HTML: as a format of its own, or because the file to write is called so."""

from __future__ import annotations

import shlex
import sys
import time
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from treegauge.cli import console
from treegauge.cli.console import OutputFormat

if TYPE_CHECKING:
    from treegauge.metrics import Conventions
    from treegauge.reports import RunReport
    from treegauge.reports.pages import Document, HowMade


class ReportFormat(StrEnum):
    """The forms of results that can be a page."""

    TABLE = "table"
    JSON = "json"
    MARKDOWN = "markdown"
    LATEX = "latex"
    TSV = "tsv"
    CSV = "csv"
    HTML = "html"

    @property
    def plain(self) -> OutputFormat:
        """The form of results that are no page."""
        return OutputFormat(self.value)


ReportFormatOption = Annotated[
    ReportFormat,
    typer.Option(
        "--format",
        "-f",
        callback=console.note_format,
        help="The form of the results; also by -o FILE.html, .md, .tex, .tsv or .json.",
    ),
]
FiguresOption = Annotated[
    str,
    typer.Option(
        "--figures", metavar="DIR", help="With html: write all figures as SVG and PDF too."
    ),
]


def chosen_format(format: ReportFormat, output: str, *, json: bool, figures: str) -> ReportFormat:
    """Return what is to be written: what was asked for, or what the file is called."""
    if json:
        chosen = ReportFormat.JSON
    elif format is ReportFormat.TABLE and output.lower().endswith((".html", ".htm")):
        chosen = ReportFormat.HTML
    elif format is ReportFormat.TABLE:
        chosen = ReportFormat(console.format_for(format.plain, output).value)
    else:
        chosen = format
    if figures and chosen is not ReportFormat.HTML:
        raise typer.BadParameter("--figures goes with a report: add -o report.html")
    return chosen


def emit_document(document: Document, output: str, figures: str) -> None:
    """Write a report to a file, trees beside it, or to standard output without those."""
    from treegauge.reports.pages import write_document, write_figures

    if output in ("", "-"):
        sys.stdout.write(document.to_html())
    else:
        first, *others = write_document(document, output)
        size = first.stat().st_size / 1e6
        console.say(f"wrote {first} ({size:.1f} MB)")
        if others:
            console.say(f"wrote {len(others)} files of trees to {others[0].parent}")
    if figures:
        written, missing = write_figures(document.figures(), figures)
        console.say(f"wrote {len(written)} files of figures to {figures}")
        if missing:
            console.say(missing)


def run_page(made: RunReport, data: list[str], *, command: str, trials: int) -> Document:
    """Return the page of a run: with what systems said, beside gold."""
    from treegauge.catalogue import Catalogue
    from treegauge.reports.pages import run_annotations

    with console.progress("reading annotations"):
        catalogue = Catalogue.from_environment(data)
        annotations = run_annotations(made.results, made.folder, catalogue)
    for problem in annotations.problems:
        console.say(f"without trees and tests of significance: {problem}")
    with console.progress("testing systems against each other") as advance:
        return made.page(annotations, command=command, trials=trials, on_progress=advance)


class Asked(Protocol):
    """What a verb was asked that has a part in its numbers."""

    @property
    def conventions(self) -> Conventions: ...  # noqa: D102
    @property
    def align(self) -> bool: ...  # noqa: D102
    @property
    def by(self) -> list[str]: ...  # noqa: D102
    @property
    def test(self) -> str: ...  # noqa: D102
    @property
    def trials(self) -> int: ...  # noqa: D102
    @property
    def resamples(self) -> int: ...  # noqa: D102
    @property
    def confidence(self) -> float: ...  # noqa: D102
    @property
    def seed(self) -> int: ...  # noqa: D102


@dataclass(frozen=True)
class Resampling:
    """What a verb without a request of its own was asked."""

    conventions: Conventions
    align: bool
    by: list[str]
    test: str
    trials: int
    resamples: int
    confidence: float
    seed: int


def how_made(
    verb: str,
    gold: str,
    systems: list[str],
    asked: Asked,
    output: str,
    *,
    begin: float,
    warnings: list[str],
    metrics: str,
) -> HowMade:
    """Return how numbers were made, with the command that makes them again."""
    from treegauge.reports.pages import HowMade, options_of

    words = ["treegauge", verb, gold, *systems]
    words += ["-m", metrics] if metrics else []
    words += options_of(asked.conventions).split()
    words += ["--align"] if asked.align else []
    words += [word for by in asked.by for word in ("--by", by)]
    words += ["--test", asked.test, "--trials", str(asked.trials)]
    words += ["--resamples", str(asked.resamples), "--confidence", f"{asked.confidence:g}"]
    words += ["--seed", str(asked.seed), "--format", "html", "-o", output or "-"]
    return HowMade(
        gold,
        systems,
        shlex.join(words),
        asked.resamples,
        asked.confidence,
        asked.trials,
        asked.test,
        asked.seed,
        time.monotonic() - begin,
        warnings,
    )
