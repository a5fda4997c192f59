"""`treegauge report`: what came out of a run, in tables."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treegauge.cli import console
from treegauge.cli.completion import offer_metrics, offer_strata
from treegauge.cli.console import Results, prints_results
from treegauge.cli.help_pages import SCORED, SHOWN, TESTS
from treegauge.cli.in_force import program
from treegauge.cli.result_files import OutputFormat
from treegauge.cli.running import run_page
from treegauge.cli.scoring_options import FiguresOption
from treegauge.cli.table_options import RowsOf, TableOptions
from treegauge.cli.treebanks import DataOption
from treegauge.wording import listed

if TYPE_CHECKING:
    from treegauge.reports.pages import Page
    from treegauge.tables import Table


@prints_results
def report_cli(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The folder of a run.")],
    table: TableOptions,
    metrics: Annotated[
        str,
        typer.Option(
            "--metrics",
            "-m",
            metavar="LIST",
            autocompletion=offer_metrics,
            rich_help_panel=SCORED,
            help="Show only these metrics or families, such as uas,ned@10.",
        ),
    ] = "",
    track: Annotated[
        list[str],
        typer.Option(
            "--track",
            metavar="TRACK",
            rich_help_panel=SCORED,
            help="Show only this track: tags, dependencies or joint. May be repeated.",
        ),
    ] = [],  # noqa: B006
    by: Annotated[
        list[str],
        typer.Option(
            "--by",
            metavar="STRATUM",
            autocompletion=offer_strata,
            rich_help_panel=SCORED,
            help="Also show tables by a stratum that the run was scored by.",
        ),
    ] = [],  # noqa: B006
    published: Annotated[
        bool,
        typer.Option(
            "--published/--no-published",
            rich_help_panel=SHOWN,
            help="Show published figures next to ours.",
        ),
    ] = True,
    trials: Annotated[
        int,
        typer.Option(
            "--trials",
            min=0,
            rich_help_panel=TESTS,
            help="With HTML output: number of trials of the tests between systems.",
        ),
    ] = 10_000,
    data: DataOption = [],  # noqa: B006
    figures: FiguresOption = "",  # noqa: ARG001 - whoever prints the page reads it
) -> Results:
    """Show the results of a run: its costs, then one table per track and metric.

    Systems are grouped by supervision, and the best of each group is bold. Published figures stand
    below the systems they belong to. TSV and CSV have one row per system and treebank. HTML is a
    page with figures, tests between systems, and all trees if gold is available.

    Example: `treegauge report my-run --metrics uas,uas@10 --format latex -o tables.tex`
    """
    from treegauge.reports import report

    run_report = report(run, metrics=listed(metrics), tracks=track, by=by, published=published)

    def page(_output: str) -> Page:
        # The same from every folder, and into whatever file.
        words = [*program(), "report", str(Path(run).resolve()), "-o", "report.html"]
        words += ["--metrics", ",".join(listed(metrics))] if listed(metrics) else []
        words += [word for name in track for word in ("--track", name)]
        words += [word for name in by for word in ("--by", name)]
        words += [] if published else ["--no-published"]
        words += ["--trials", str(trials)]
        words += [word for place in data for word in ("--data", str(Path(place).resolve()))]
        return run_page(run_report, data, command=shlex.join(words), trials=trials)

    if console.manners.format.is_data:
        tables = table.apply([run_report.data])
    else:
        rows = table.rows or RowsOf.SYSTEMS
        turned = run_report.tables(rows, listed(table.columns), intervals=table.intervals)
        tables = _cut(turned, console.manners.format)
    return Results(tables, run_report.to_dict(), page=page)


_LATEX_WIDTH = 150
"""Characters that fit beside each other on a landscape page, at 4.5 points each."""


def _cut(tables: list[Table], format: OutputFormat) -> list[Table]:
    """Return tables in pieces where the terminal or the page is too narrow."""
    widths = {OutputFormat.TABLE: console.width(), OutputFormat.LATEX: _LATEX_WIDTH}
    if format not in widths:
        return tables
    return [piece for table in tables for piece in table.in_pieces(widths[format])]
