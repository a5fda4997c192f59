"""`treegauge predict-accuracy`: what a parser will reach on a treebank, before it is trained."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console, learning
from treegauge.cli.console import FormatOption, JsonOption, OutputFormat, OutputOption, QuietOption
from treegauge.cli.treebanks import DataOption, FromOption

if TYPE_CHECKING:
    from treegauge.evaluation.accuracy_prediction import AccuracyModel, Prediction
    from treegauge.reports import Cell, Table


def predict_accuracy_cli(
    treebank: Annotated[
        str,
        typer.Argument(
            metavar="TREEBANK",
            help="What would be learnt from: a file, -, or a name (its train part).",
        ),
    ],
    rows: Annotated[
        str,
        typer.Option(
            "--learn-from",
            metavar="FILE",
            help="Accuracies to learn from, as `treegauge reproduce word-order` writes them.",
        ),
    ] = "",
    parser: Annotated[
        str, typer.Option("--parser", help="A parser; all that were measured if missing.")
    ] = "",
    from_format: FromOption = "",
    data: DataOption = [],  # noqa: B006
    format: FormatOption = OutputFormat.TABLE,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Predict what a parser will reach, from size, length, word order and shape of trees.

    The model has learnt from parsers on other treebanks, natural and permuted. Its error on
    languages that it has not seen is shown with the prediction, beside that of simpler guesses.

    Example: `treegauge predict-accuracy toy:svo`
    """
    console.manners.quiet = quiet
    from treegauge.evaluation.accuracy_prediction import AccuracyModel, features_of, read_rows

    known = read_rows(rows or None)
    parsers = [parser] if parser else list(dict.fromkeys(row.parser for row in known))
    models = [AccuracyModel(known, name, metric) for name in parsers for metric in ("uas", "las")]
    training = learning.open_training(treebank, data=data, format=from_format or None)
    with console.progress(f"measuring {training.name or treebank}"):
        features = features_of(training)
    predictions = [model.predict(features) for model in models]
    console.emit(
        OutputFormat.JSON if json else format,
        output,
        table=lambda: tables(treebank, models, predictions),
        document=lambda: document(treebank, features, models, predictions),
    )


def tables(
    treebank: str, models: list[AccuracyModel], predictions: list[Prediction]
) -> list[Table]:
    """Return what is predicted, and how wrong predictions have been."""
    from treegauge.reports import Table

    found: list[list[Cell]] = [
        [
            one.parser,
            one.metric.upper(),
            f"{100 * one.value:.1f}",
            f"{100 * one.low:.1f} to {100 * one.high:.1f}",
        ]
        for one in predictions
    ]
    errors: list[list[Cell]] = [
        [
            model.parser,
            model.metric.upper(),
            judged.name,
            100 * judged.mean_error,
            judged.r_squared,
            judged.spearman,
        ]
        for model in models
        for judged in model.judgements()
    ]
    n = len(set(models[0].languages.tolist()))
    return [
        Table(
            ["parser", "metric", "expected", "90% interval"],
            found,
            title=f"{treebank}: what parsers can be expected to reach",
            notes=["with gold tags, punctuation not counted"],
            right=frozenset({2, 3}),
        ),
        Table(
            ["parser", "metric", "predicted by", "mean error", "R²", "Spearman"],
            errors,
            title=f"How wrong predictions are for a language left out, of {n}",
            notes=[_verdict(models)],
        ),
    ]


def _verdict(models: list[AccuracyModel]) -> str:
    """Say whether the model is worth more than the mean."""
    from treegauge.wording import counted

    better = sum(
        judged[0].mean_error < judged[-1].mean_error
        for judged in (model.judgements() for model in models)
    )
    return (
        f"all properties predict better than the mean of the others in {better} of "
        f"{counted(len(models), 'case')}"
    )


def document(
    treebank: str,
    features: tuple[Any, ...],
    models: list[AccuracyModel],
    predictions: list[Prediction],
) -> dict[str, Any]:
    """Return everything as JSON has it."""
    from treegauge.evaluation.accuracy_prediction import FEATURES

    return {
        "schema": 1,
        "treebank": treebank,
        "features": dict(zip(FEATURES, features, strict=True)),
        "predictions": [
            {
                **vars(prediction),
                "weights": model.weights,
                "leave_one_language_out": [vars(judged) for judged in model.judgements()],
            }
            for model, prediction in zip(models, predictions, strict=True)
        ],
    }
