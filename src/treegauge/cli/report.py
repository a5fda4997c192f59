"""`treegauge report`: what came out of a run, in tables."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import JsonOption, OutputFormat, OutputOption, QuietOption
from treegauge.cli.html_reports import (
    FiguresOption,
    ReportFormat,
    ReportFormatOption,
    chosen_format,
    emit_document,
)
from treegauge.cli.treebanks import DataOption

if TYPE_CHECKING:
    import polars as pl

    from treegauge.reports import RunFacts, RunTable, StratumTable, Table
    from treegauge.reports.pages import Document
    from treegauge.runs import RunFolder


def report_cli(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The folder of a run.")],
    metrics: Annotated[
        str,
        typer.Option(
            "--metrics", "-m", metavar="LIST", help="Only these: uas,ned@10,… or families."
        ),
    ] = "",
    track: Annotated[
        list[str],
        typer.Option(
            "--track", metavar="TRACK", help="Only tags, dependencies or joint; may be repeated."
        ),
    ] = [],  # noqa: B006
    by: Annotated[
        list[str],
        typer.Option(
            "--by", metavar="STRATUM", help="Also by a stratum that the run was scored by."
        ),
    ] = [],  # noqa: B006
    intervals: Annotated[
        bool, typer.Option("--intervals", help="Show intervals for several treebanks too.")
    ] = False,
    published: Annotated[
        bool, typer.Option("--published/--no-published", help="Put published figures beside ours.")
    ] = True,
    trials: Annotated[
        int, typer.Option("--trials", min=0, help="With html: of the tests between systems.")
    ] = 10_000,
    data: DataOption = [],  # noqa: B006
    figures: FiguresOption = "",
    format: ReportFormatOption = ReportFormat.TABLE,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Show what came of a run: what it cost, then a table for every track and metric.

    Kinds of supervision stand apart, the best of each in bold; published figures stand under
    the systems they belong to. TSV is one long table with a row for every number. HTML is a
    page with figures, tests between systems and all trees, as far as gold can be found.

    Example: `treegauge report my-run --metrics uas,uas@10 --format latex -o tables.tex`
    """
    console.manners.quiet = quiet
    request = Request(
        metrics=[text for text in metrics.split(",") if text.strip()],
        tracks=track,
        by=by,
        intervals=intervals,
        published=published,
    )
    chosen = chosen_format(format, output, json=json, figures=figures)
    made = report(run, request)
    if chosen is ReportFormat.HTML:
        emit_document(document(run, made, request, data, output, trials), output, figures)
        return
    console.emit(
        chosen.plain,
        output,
        table=lambda: made.tables(chosen.plain),
        document=made.to_dict,
    )


_LATEX_WIDTH = 150
"""Characters that fit beside each other on a landscape page, at 4.5 points each."""


@dataclass(frozen=True)
class Request:
    """What was asked for, besides the run."""

    metrics: list[str] = field(default_factory=list)
    tracks: list[str] = field(default_factory=list)
    by: list[str] = field(default_factory=list)
    intervals: bool = False
    published: bool = True


@dataclass(frozen=True)
class Report:
    """What came of a run."""

    facts: RunFacts
    scores: list[RunTable]
    strata: list[StratumTable]
    without_values: list[str]
    """What was asked for and has no value at all."""
    intervals: bool

    def tables(self, format: OutputFormat) -> list[Table]:
        """Return everything as tables, cut where the terminal or the page is too narrow."""
        from treegauge.reports import LONG_COLUMNS, Table, sources_table

        if format is OutputFormat.TSV:
            rows = [row for one in self.scores for row in one.long_rows()]
            rows += [row for one in self.strata for row in one.long_rows()]
            return [Table(LONG_COLUMNS, rows)]
        facts = self.facts.to_table()
        tables = [replace(facts, notes=[*facts.notes, *self.without_values])]
        tables += [one.to_table(intervals=self.intervals) for one in self.scores]
        tables += [one.to_table() for one in self.strata]
        sources = sources_table(self.scores)
        tables += [sources] if sources is not None else []
        widths = {OutputFormat.TABLE: console.width(), OutputFormat.LATEX: _LATEX_WIDTH}
        if format not in widths:
            return tables
        return [piece for table in tables for piece in table.in_pieces(widths[format])]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            "schema": 1,
            "run": self.facts.to_dict(),
            "tables": [one.to_dict() for one in self.scores],
            "strata": [one.to_dict() for one in self.strata],
            "without_values": self.without_values,
        }


def report(folder: str, request: Request) -> Report:
    """Read a run and make its tables."""
    from treegauge.reports import run_facts, run_tables, stratum_tables, tables_without_values
    from treegauge.runs import RunFolder

    place = RunFolder(folder)
    results = _results(place)
    metrics = _known_metrics(request.metrics, results)
    _check_tracks(request.tracks, results)
    _check_strata(request.by)
    return Report(
        run_facts(results, place.record, place.planned),
        run_tables(results, metrics=metrics, tracks=request.tracks, published=request.published),
        [
            table
            for by in request.by
            for table in stratum_tables(results, by, metrics=metrics, tracks=request.tracks)
        ],
        tables_without_values(results, metrics=metrics, tracks=request.tracks),
        request.intervals,
    )


def document(
    folder: str, made: Report, request: Request, data: list[str], output: str, trials: int
) -> Document:
    """Make a page of a report: with what systems said, beside gold."""
    import shlex

    from treegauge.catalogue import Catalogue
    from treegauge.reports.pages import RunRequest, run_annotations, run_document
    from treegauge.runs import RunFolder

    place = RunFolder(folder)
    results = _results(place)
    words = ["treegauge", "report", folder, "-o", output or "-", "--format", "html"]
    words += ["--metrics", ",".join(request.metrics)] if request.metrics else []
    words += [word for track in request.tracks for word in ("--track", track)]
    words += [word for by in request.by for word in ("--by", by)]
    words += [] if request.published else ["--no-published"]
    words += ["--trials", str(trials)]
    with console.progress("reading annotations"):
        annotations = run_annotations(results, place, Catalogue.from_environment(data))
    for problem in annotations.problems:
        console.say(f"without trees and tests of significance: {problem}")
    with console.progress("testing systems against each other") as advance:
        return run_document(
            results,
            place,
            made.scores,
            made.facts,
            annotations,
            RunRequest(shlex.join(words), trials, request.by),
            without_values=made.without_values,
            on_progress=advance,
        )


def _results(place: RunFolder) -> pl.DataFrame:
    from treegauge.results.long_table import ResultsError, read_long_table

    path = place.path
    if not path.exists():
        raise ResultsError(f"{path}: there is no such folder")
    if not path.is_dir():
        if path.suffix == ".toml":
            advice = f"a run of it is in a folder such as runs/{path.stem}"
        elif path.parent.joinpath("results.parquet").exists():
            advice = f"name the folder of the run: {path.parent}"
        else:
            advice = "name the folder of a run, as `treegauge run` says it at its end"
        raise ResultsError(f"{path}: this is a file, and a run is a folder\n  {advice}")
    if not place.results.exists():
        if place.is_there:
            raise ResultsError(
                f"{path}: this run has no results yet: it has not come to its end\n"
                "  `treegauge run` goes on where it was left"
            )
        raise ResultsError(
            f"{path}: this is not the folder of a run: it has no results.parquet\n"
            "  `treegauge run EXPERIMENT.toml` makes one"
        )
    results = read_long_table(place.results)
    if results.is_empty():
        raise ResultsError(f"{path}: the table of results is empty")
    return results


def _known_metrics(texts: list[str], results: pl.DataFrame) -> list[str]:
    """Return metrics that the run has; families are those of their metrics that it has."""
    from treegauge.metrics import FAMILIES, parse_specs
    from treegauge.results.long_table import ResultsError

    known = results["metric"].unique().sort().to_list()
    chosen = []
    for text in texts:
        specs = [str(spec) for spec in parse_specs([text])]
        there = [name for name in specs if name in known]
        if not there:
            what = "no metric of" if text.strip().partition("@")[0] in FAMILIES else "no"
            raise ResultsError(
                f"the run has {what} {text.strip()}; it has {', '.join(known)}\n"
                "  write further metrics into the experiment and run it again: no cell is redone"
            )
        chosen += there
    return chosen


def _check_tracks(tracks: list[str], results: pl.DataFrame) -> None:
    from treegauge.results.long_table import ResultsError
    from treegauge.wording import did_you_mean

    known = results["track"].unique().sort().to_list()
    for track in tracks:
        if track not in known:
            raise ResultsError(
                f"the run has no track {track!r}{did_you_mean(track, known)}\n"
                f"  it has {', '.join(known)}"
            )


def _check_strata(by: list[str]) -> None:
    """Say that there is no such stratum at all, before saying that the run lacks it."""
    from treegauge.strata import find_stratum

    for name in (name for one in by for name in one.split("*")):
        find_stratum(name)
