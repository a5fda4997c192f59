"""`treegauge compare`: two systems, test by test and tree by tree."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import Results, prints_results
from treegauge.cli.scoring_options import GoldArgument, ScoringOptions, open_system
from treegauge.cli.table_options import RowsOf, TableOptions
from treegauge.cli.verb import Verb

if TYPE_CHECKING:
    from treegauge.reports.pages import Page

_MISUSE: Any = typer.BadParameter.__base__  # Typer gives it no name that all versions know
_TWO = """\
compare takes two systems; evaluate tests all pairs of several
  treegauge evaluate GOLD SYSTEM..., or treegauge run and report for many treebanks"""


class _OfTwo(Verb):
    """A verb that says where to go with more than two systems."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read arguments, and explain why one is too many."""
        try:
            return super().parse_args(ctx, args)
        except _MISUSE as error:
            if "unexpected extra argument" in error.message:
                error.message = f"{error.message}: {_TWO}"
            raise


@prints_results
def compare_cli(
    gold: GoldArgument,
    first: Annotated[str, typer.Argument(metavar="A", help="A system's output.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another system's output.")],
    scoring: ScoringOptions,
    table: TableOptions,
    trees: Annotated[
        int,
        typer.Option(
            "--trees", min=0, help="The number of differing sentences to draw, short ones first."
        ),
    ] = 3,
) -> Results:
    """Compare two systems: which is better, is it significant, and where they differ.

    Differences are B minus A. With -o report.html, write a page with figures and all trees.

    Example: `treegauge compare gold.conllu baseline.conllu ours.conllu -m las --by relation`
    """
    from treegauge.evaluation import compare
    from treegauge.reports.trees import contrast_tables

    begin = time.monotonic()
    arguments = scoring.arguments()
    gold_treebank = scoring.open_gold(gold)
    (a, warnings_of_a), (b, warnings_of_b) = open_system(first), open_system(second)
    findings = [*warnings_of_a, *warnings_of_b]
    with console.progress("comparing"):
        comparison = compare(gold_treebank, a, b, **arguments, sentences=trees)

    def page(_output: str) -> Page:
        from treegauge.reports.pages import Annotations, make_comparison_page

        seconds = time.monotonic() - begin
        provenance = scoring.provenance(gold, [first, second], seconds)
        annotations = Annotations(
            comparison.evaluation.gold,
            gold_treebank,
            dict(zip(comparison.names, (a, b), strict=True)),
            comparison.evaluation.conventions,
            scoring.align,
        )
        return make_comparison_page(comparison, annotations, replace(provenance, warnings=findings))

    document = comparison.to_dict()
    document["warnings"] += findings
    tables = table.apply(comparison.tables(table.rows or RowsOf.METRICS))
    # Examples follow the answer; who is right about what is for those who read on.
    answers = len(tables) - len(comparison.contrasts)
    tables[answers:answers] = contrast_tables(comparison)
    return Results(tables, document, page=page)


compare_cli.command_class = _OfTwo  # type: ignore[attr-defined]
