"""`treegauge compare`: two systems, test by test and tree by tree."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import JsonOption, OutputOption, QuietOption
from treegauge.cli.html_reports import (
    FiguresOption,
    ReportFormat,
    ReportFormatOption,
    Resampling,
    chosen_format,
    emit_document,
    how_made,
)
from treegauge.cli.scoring_options import (
    AlignOption,
    AverageOption,
    ByOption,
    ConfidenceOption,
    CountRootOption,
    GoldArgument,
    MetricsOption,
    PresetOption,
    PunctuationOption,
    ResamplesOption,
    SeedOption,
    SkipLengthOneOption,
    StrictOption,
    SubtypesOption,
    TagsOption,
    TestOption,
    TrainOption,
    TrialsOption,
    chosen_conventions,
    chosen_metrics,
    open_system,
)
from treegauge.cli.treebanks import DataOption, open_treebank

if TYPE_CHECKING:
    from treegauge.evaluation.comparison import ComparisonOfTwo, SentenceContrast
    from treegauge.treebank import Sentence


def compare_cli(
    gold: GoldArgument,
    first: Annotated[str, typer.Argument(metavar="A", help="A system's output.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another system's output.")],
    metrics: MetricsOption = "",
    preset: PresetOption = "conll2018",
    punctuation: PunctuationOption = "",
    subtypes: SubtypesOption = None,
    average: AverageOption = "micro",
    tags: TagsOption = "u",
    skip_length_one: SkipLengthOneOption = False,
    count_root: CountRootOption = True,
    align: AlignOption = False,
    by: ByOption = [],  # noqa: B006
    train: TrainOption = "",
    trees: Annotated[
        int,
        typer.Option("--trees", min=0, help="Sentences to draw, the largest differences first."),
    ] = 3,
    test: TestOption = "permutation",
    trials: TrialsOption = 10_000,
    resamples: ResamplesOption = 1000,
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 0,
    strict: StrictOption = False,
    data: DataOption = [],  # noqa: B006
    figures: FiguresOption = "",
    format: ReportFormatOption = ReportFormat.TABLE,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Compare two systems: tests by metric and stratum, who is right about what, trees.

    Differences are B minus A. With -o report.html, a page with figures and all trees.

    Example: `treegauge compare gold.conllu baseline.conllu ours.conllu -m las --by relation`
    """
    from treegauge.evaluation.comparison import compare_two

    console.manners.quiet = quiet
    begin = time.monotonic()
    chosen = chosen_format(format, output, json=json, figures=figures)
    conventions = chosen_conventions(
        preset,
        punctuation,
        subtypes,
        average,
        tags,
        skip_length_one=skip_length_one,
        count_root=count_root,
    )
    gold_treebank = open_treebank(gold, data=data, format=None, strict=strict)
    (a, warnings_of_a), (b, warnings_of_b) = open_system(first), open_system(second)
    training = open_treebank(train, data=data, format=None) if train else None
    with console.progress("comparing"):
        found = compare_two(
            gold_treebank,
            a,
            b,
            metrics=chosen_metrics(metrics),
            conventions=conventions,
            by=by,
            training=training,
            sentences=trees,
            align=align,
            resamples=resamples,
            confidence=confidence,
            test=test,
            trials=trials,
            seed=seed,
        )
    warnings = [*warnings_of_a, *warnings_of_b]
    if chosen is ReportFormat.HTML:
        from treegauge.reports.pages import Annotations, comparison_document

        outputs = dict(zip(found.names, (a, b), strict=True))
        annotations = Annotations(found.evaluation.gold, gold_treebank, outputs, conventions, align)
        made = how_made(
            *("compare", gold, [first, second]),
            Resampling(conventions, align, by, test, trials, resamples, confidence, seed),
            output,
            begin=begin,
            warnings=warnings,
            metrics=metrics,
        )
        emit_document(comparison_document(found, annotations, made), output, figures)
        return
    from treegauge.reports import comparison_tables

    console.emit(
        chosen.plain,
        output,
        table=lambda: comparison_tables(found),
        document=lambda: to_dict(found, warnings=warnings),
    )


def to_dict(found: ComparisonOfTwo, *, warnings: list[str]) -> dict[str, Any]:
    """Return a comparison as JSON has it: that of `evaluate`, and members of its own."""
    document = found.evaluation.to_dict()
    document["warnings"] += warnings
    document["metric"] = found.metric
    document["strata"] = [
        {
            "by": by,
            "metric": found.metric,
            "cells": [
                {
                    "stratum": cell.stratum,
                    "values": [cell.first, cell.second],
                    "difference": cell.difference,
                    "p": cell.p,
                    "adjusted_p": cell.adjusted_p,
                    "n": cell.n,
                }
                for cell in cells
            ],
        }
        for by, cells in found.strata.items()
    ]
    document["contrasts"] = {
        by: [
            {
                by: row.value,
                "only": [row.only_first, row.only_second],
                "both": row.both,
                "neither": row.neither,
                "n": row.n,
            }
            for row in rows
        ]
        for by, rows in found.contrasts.items()
    }
    document["sentences"] = [_sentence(sentence) for sentence in found.sentences]
    return document


def _sentence(found: SentenceContrast) -> dict[str, Any]:
    document: dict[str, Any] = {
        "id": found.gold.id,
        "number": found.number,
        "right": list(found.right),
        "n": found.n,
        "forms": [word.form for word in found.gold],
        "gold": _tree(found.gold),
    }
    if found.outputs is not None:
        document["systems"] = [_tree(output) for output in found.outputs]
    return document


def _tree(sentence: Sentence) -> dict[str, Any]:
    return {"heads": sentence.heads, "relations": [word.deprel for word in sentence]}
