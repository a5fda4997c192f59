"""`treegauge evaluate`: every number the field reports, for any system's output."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from treegauge.cli import console
from treegauge.cli.completion import offer_bundles, offer_treebanks
from treegauge.cli.console import Results, prints_results
from treegauge.cli.help_pages import BESIDES, INPUT, OUTPUT
from treegauge.cli.learning import open_training
from treegauge.cli.perplexity_option import PerplexityOption, say_warnings, with_perplexity
from treegauge.cli.result_files import OutputFormat
from treegauge.cli.run_option import RunOptions
from treegauge.cli.scoring_options import GoldArgument, ScoringOptions, open_system
from treegauge.cli.streams import StreamOption, is_streamed
from treegauge.cli.table_options import RowsOf, TableOptions
from treegauge.cli.treebanks import open_treebank, report
from treegauge.wording import listed

if TYPE_CHECKING:
    from treegauge.evaluation import Evaluation
    from treegauge.formats import Findings
    from treegauge.reports.pages import Page, Provenance
    from treegauge.treebank import Treebank


def _known_confusion(text: str) -> str:
    if text not in ("", "relations", "tags"):
        raise typer.BadParameter(f"--confusion is relations or tags, not {text!r}")
    return text


@dataclass(frozen=True)
class BesidesScores:
    """What can be shown beside scores; a field is an option."""

    errors: Annotated[
        str,
        typer.Option(
            "--errors",
            metavar="CELL",
            rich_help_panel=BESIDES,
            help="List sentences with these errors: nsubj:obj (gold and system) or "
            "edge_length=10+.",
        ),
    ] = ""
    confusion: Annotated[
        str,
        typer.Option(
            "--confusion",
            callback=_known_confusion,
            rich_help_panel=BESIDES,
            help="Show the confusion matrix of relations or of tags.",
        ),
    ] = ""
    per_tag: Annotated[
        bool,
        typer.Option(
            "--per-tag", rich_help_panel=BESIDES, help="Show precision, recall and F1 of every tag."
        ),
    ] = False
    references: Annotated[
        list[str],
        typer.Option(
            "--reference",
            metavar="FILE",
            autocompletion=offer_treebanks,
            rich_help_panel=BESIDES,
            help="Another gold standard. May be repeated.",
        ),
    ] = field(default_factory=list)
    styles: Annotated[
        str,
        typer.Option(
            "--styles",
            metavar="LIST",
            autocompletion=offer_bundles,
            rich_help_panel=BESIDES,
            help="Also score against gold (UD) converted to other annotation styles: all, or "
            "functional,prague.",
        ),
    ] = ""
    agreement: Annotated[
        bool,
        typer.Option(
            "--agreement",
            rich_help_panel=BESIDES,
            help="Show how similarly the metrics rank the systems.",
        ),
    ] = False
    perplexity: PerplexityOption = ""
    perplexity_train: Annotated[
        str,
        typer.Option(
            "--perplexity-train",
            metavar="TREEBANK",
            autocompletion=offer_treebanks,
            rich_help_panel=BESIDES,
            help="Also show derivation perplexity, learnt from these trees. Gold then needs no "
            "trees.",
        ),
    ] = ""


FigureOption = Annotated[
    str,
    typer.Option(
        "--figure",
        metavar="FILE",
        rich_help_panel=OUTPUT,
        help="Draw accuracy by edge length: .svg, .pdf or .png.",
    ),
]
BareOption = Annotated[
    bool,
    typer.Option("--bare", "-b", rich_help_panel=OUTPUT, help="Print only the first score."),
]
RepairOption = Annotated[
    bool,
    typer.Option(
        "--repair",
        rich_help_panel=INPUT,
        help="Read damaged system output as far as possible. Repaired words count as wrong.",
    ),
]


@with_perplexity
@prints_results
def evaluate_cli(
    gold: GoldArgument,
    scoring: ScoringOptions,
    table: TableOptions,
    besides: BesidesScores,
    running: RunOptions,
    systems: Annotated[
        list[str],
        typer.Argument(metavar="[SYSTEM...]", help="Outputs of systems for the same text."),
    ] = [],  # noqa: B006
    figure: FigureOption = "",
    bare: BareOption = False,
    repair: RepairOption = False,
    stream: StreamOption = None,
) -> Results:
    """Score systems against gold: attachment, tags, induced tags, with intervals and tests.

    Every score has a confidence interval, and a signature that records the conventions. With
    -o report.html, write a page with figures and trees.

    Example: `treegauge evaluate gold.conllu ours.conllu baseline.conllu -m las,uas,ned@10`

    Example: `treegauge evaluate gold.conllu answers.txt --repair -m uas,las`

    Example: `treegauge evaluate text.conllu parsed.conllu --perplexity-train train.conllu`

    Example: `treegauge evaluate gold.conllu --run spacy:./my_model`
    """
    from treegauge.evaluation import evaluate

    begin = time.monotonic()
    _check_options(systems, scoring, besides, running, figure, repair)
    needs_whole = _what_needs_whole(scoring, besides, running, repair, figure)
    if is_streamed(stream, [gold, *systems], needs_whole):
        return _of_streams(gold, systems, scoring, table, bare, agreement=besides.agreement)
    derivations = None
    if besides.perplexity_train:
        derivations = open_training(besides.perplexity_train, data=scoring.data)
    gold_treebank = scoring.open_gold(gold)
    others = [open_treebank(path, data=scoring.data, format=None) for path in besides.references]
    repairs: list[Findings] = []
    if repair:
        read = [open_repaired(path, gold_treebank, repairs) for path in systems]
        findings = []
    else:
        opened = [open_system(path) for path in systems]
        read = [system for system, _ in opened]
        findings = list(chain.from_iterable(warnings for _, warnings in opened))
    read += running.annotations(gold_treebank)
    if running.is_from_text:
        scoring = replace(scoring, align=True)
    with console.progress("evaluating"), say_warnings():
        evaluation = evaluate(
            gold_treebank,
            *read,
            **scoring.arguments(),
            errors=besides.errors,
            confusion=besides.confusion,
            per_tag=besides.per_tag,
            references=others,
            styles=listed(besides.styles),
            agreement=besides.agreement,
            perplexity=besides.perplexity or None,
            perplexity_training=derivations,
        )

    def page(_output: str) -> Page:
        seconds = time.monotonic() - begin
        provenance = scoring.provenance(gold, systems, seconds)
        return evaluation_page(
            evaluation,
            gold_treebank,
            read,
            replace(provenance, warnings=findings, runs=running.options_of_each()),
            align=scoring.align,
        )

    document = evaluation.to_dict()
    document["warnings"] += findings
    for system, of_system in zip(document["systems"], repairs, strict=False):
        system["repairs"]["findings"] = [finding.to_dict() for finding in of_system]
    return Results(
        table.apply(evaluation.tables(table.rows or RowsOf.METRICS)),
        document,
        bare=evaluation.first_score.shown() if bare else "",
        page=page,
        # After the scores, which are there even if a package for PNG or PDF is missing.
        afterwards=(
            partial(draw_edge_lengths, evaluation, gold_treebank, read, scoring, figure)
            if figure
            else None
        ),
    )


def _what_needs_whole(
    scoring: ScoringOptions, besides: BesidesScores, running: RunOptions, repair: bool, figure: str
) -> dict[str, object]:
    """Return the options that need whole treebanks."""
    return {
        "--run": bool(running.run),
        "--repair": repair,
        "--align": scoring.align,
        "--average sentence": scoring.average == "sentence",
        "--errors": besides.errors,
        "--confusion": besides.confusion,
        "--per-tag": besides.per_tag,
        "--reference": bool(besides.references),
        "--styles": besides.styles,
        "--perplexity-train": besides.perplexity_train,
        "--figure": figure,
        "--format html": console.manners.format is OutputFormat.HTML,
    }


def _of_streams(
    gold: str,
    systems: list[str],
    scoring: ScoringOptions,
    table: TableOptions,
    bare: bool,
    *,
    agreement: bool,
) -> Results:
    """Score systems whose files are read part by part."""
    from treegauge.evaluation import evaluate_streams
    from treegauge.formats import Findings, TreebankStream

    findings = [Findings(strict=scoring.strict), *(Findings(role="prediction") for _ in systems)]
    with console.progress("evaluating") as advance, say_warnings():
        gold_parts = TreebankStream(gold, findings=findings[0], on_progress=advance)
        outputs = [
            TreebankStream(path, findings=own)
            for path, own in zip(systems, findings[1:], strict=True)
        ]
        evaluation = evaluate_streams(
            gold_parts,
            *outputs,
            metrics=listed(scoring.metrics),
            conventions=scoring.conventions(),
            resampling=scoring.resampling(),
            by=scoring.by,
            training=scoring.open_training(),
            agreement=agreement,
        )
    report(*findings)
    document = evaluation.to_dict()
    document["warnings"] += [own.summary() for own in findings[1:] if len(own)]
    return Results(
        table.apply(evaluation.tables(table.rows or RowsOf.METRICS)),
        document,
        bare=evaluation.first_score.shown() if bare else "",
    )


def _check_options(
    systems: Sequence[str],
    scoring: ScoringOptions,
    besides: BesidesScores,
    running: RunOptions,
    figure: str,
    repair: bool,
) -> None:
    """Complain of options that do not go together, before anything is computed."""
    if besides.perplexity and not besides.perplexity_train:
        raise typer.BadParameter("--perplexity learns from trees: give --perplexity-train too")
    if repair and (scoring.align or running.is_from_text):
        raise typer.BadParameter(
            "--repair matches words itself. Leave out --align. With --run, add --pretokenised."
        )
    if not systems and not running.run:
        raise typer.BadParameter("there is nothing to score: give SYSTEM, or --run SYSTEM")
    if figure:
        from treegauge.reports import figure_format

        figure_format(figure)  # complains of an extension


def open_repaired(path: str, gold: Treebank, repairs: list[Findings]) -> Treebank:
    """Read a system's output in whatever state it is; add what was repaired."""
    from treegauge.formats import Findings
    from treegauge.formats.repair import read_repaired

    repairs.append(Findings())
    with console.progress(f"reading {path}"):
        return read_repaired(path, gold, findings=repairs[-1])


def draw_edge_lengths(
    evaluation: Evaluation,
    gold: Treebank,
    systems: Sequence[Treebank],
    scoring: ScoringOptions,
    path: str,
) -> None:
    """Draw accuracy by the length of edges into a file."""
    from treegauge.evaluation import WordsOfSystems, metric_head
    from treegauge.reports import edge_length_figure, save_figure

    words = WordsOfSystems(gold, systems, evaluation, scoring.align)
    strata = words.break_down("edge_length", scoring.resampling())
    title, confidence = metric_head(words.spec).title, scoring.confidence
    save_figure(edge_length_figure(strata.systems, metric=title, confidence=confidence), path)
    console.say(f"wrote {path}")


def evaluation_page(
    evaluation: Evaluation,
    gold: Treebank,
    systems: Sequence[Treebank],
    provenance: Provenance,
    *,
    align: bool,
) -> Page:
    """Return the page of an evaluation, further tables below the scores."""
    from treegauge.metrics import MetricError
    from treegauge.reports.pages import Annotations, make_evaluation_page

    if not evaluation.specs:
        raise MetricError(
            f"{provenance.gold} is a bare text: a page needs something to compare with"
        )
    outputs = {one.name: system for one, system in zip(evaluation.systems, systems, strict=True)}
    annotations = Annotations(evaluation.gold, gold, outputs, evaluation.conventions, align)
    return make_evaluation_page(evaluation, annotations, provenance, tables=evaluation.tables()[1:])
