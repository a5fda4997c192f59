"""`treegauge predict-accuracy`: what a parser will reach, before it is trained."""

from __future__ import annotations

from typing import Annotated

import typer

from treegauge.cli import console, learning
from treegauge.cli.completion import offer_treebanks
from treegauge.cli.console import Results, prints_results
from treegauge.cli.treebanks import DataOption, FromOption


@prints_results
def predict_accuracy_cli(
    treebank: Annotated[
        str,
        typer.Argument(
            metavar="TREEBANK",
            autocompletion=offer_treebanks,
            help="The training data: a file, -, or a name (its train part).",
        ),
    ],
    rows: Annotated[
        str,
        typer.Option(
            "--learn-from",
            metavar="FILE",
            help="A file of accuracies to learn from, written by `treegauge reproduce word-order`.",
        ),
    ] = "",
    parser: Annotated[
        str, typer.Option("--parser", help="The parser. Default: all that were measured.")
    ] = "",
    from_format: FromOption = "",
    data: DataOption = [],  # noqa: B006
) -> Results:
    """Predict the accuracy of a parser from size, sentence length, word order and tree shape.

    The model has learnt from parsers on other treebanks, natural and permuted. The prediction is
    shown with its error on unseen languages, next to the errors of simpler guesses.

    Example: `treegauge predict-accuracy toy:svo`
    """
    from treegauge.evaluation.accuracy_forecast import models_of, predict_accuracy

    models = models_of(rows, parser)
    training = learning.open_training(treebank, data=data, format=from_format or None)
    with console.progress(f"measuring {training.name or treebank}"):
        forecast = predict_accuracy(training, models, name=treebank)
    return Results(forecast.tables(), forecast.to_dict())
