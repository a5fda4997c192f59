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
    words: Annotated[
        int | None,
        typer.Option(
            "--words",
            metavar="N",
            min=1,
            help="The size of the training data, if TREEBANK is only a part of them. "
            "Default: the words of TREEBANK.",
        ),
    ] = None,
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
    """Predict the accuracy of a parser from a fast parser that is trained on a small sample.

    Pilot parsers are trained on 2,000 words of TREEBANK, in seconds. The model has learnt how much
    parsers gain from more words on other treebanks. The prediction is shown with its error on
    unseen languages, next to the errors of simpler guesses. With --words it says what a larger
    treebank of the same kind would give.

    Example: `treegauge predict-accuracy toy:svo --words 50000`
    """
    from treegauge.evaluation.accuracy_forecast import models_of, predict_accuracy

    models = models_of(rows, parser)
    training = learning.open_training(treebank, data=data, format=from_format or None)
    with console.progress(f"training pilot parsers on {training.name or treebank}"):
        forecast = predict_accuracy(training, models, words=words, name=treebank)
    return Results(forecast.tables(), forecast.to_dict())
