"""`treegauge train`: let a system learn, and keep what it learnt."""

from __future__ import annotations

import shlex
from typing import Annotated, Any

import typer

from treegauge.cli import console, learning
from treegauge.cli.completion import offer_treebanks
from treegauge.cli.console import prints_summary
from treegauge.cli.help_pages import OUTPUT
from treegauge.cli.learning import SeedOption, SetOption, SystemArgument, TagsFromOption
from treegauge.cli.treebanks import DataOption, FromOption


@prints_summary
def train_cli(
    system: SystemArgument,
    treebank: Annotated[
        str,
        typer.Argument(
            metavar="TREEBANK",
            autocompletion=offer_treebanks,
            help="The training data: a file, -, or a name (its train part).",
        ),
    ],
    target: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="MODEL",
            rich_help_panel=OUTPUT,
            help="The file for the trained model.",
        ),
    ],
    assignments: SetOption = [],  # noqa: B006
    tags_from: TagsFromOption = "",
    optimise: Annotated[
        bool,
        typer.Option(
            "--optimise", help="Choose algorithm and features on the training data (transition)."
        ),
    ] = False,
    codes: Annotated[
        bool,
        typer.Option(
            "--codes",
            help="Write the training data as numbers, for training on another machine (biaffine).",
        ),
    ] = False,
    weights: Annotated[
        str,
        typer.Option(
            "--weights",
            metavar="FILE",
            help="Use the weights that were trained on another machine.",
        ),
    ] = "",
    seed: SeedOption = None,
    from_format: FromOption = "",
    data: DataOption = [],  # noqa: B006
) -> dict[str, Any]:
    """Train a system. Supervised systems learn from the annotation, others from the text.

    The model is one file of numbers and JSON, without code. A model of `external` contains its
    command.

    Example: `treegauge train most-frequent-tag toy:svo -o tagger.model`
    """
    from treegauge.systems import how_learning_ended
    from treegauge.systems.commands import noted_commands

    chosen = [*assignments, *(["optimise=true"] if optimise else [])]
    with noted_commands() as commands:
        learner = learning.make(system, chosen, tags_from, seed)
    training = learning.open_training(
        treebank, data=data, format=from_format or None, plain_text=not learner.is_supervised
    )
    if codes:
        return learning.write_codes(learner, training, target)
    if weights:
        seconds = learning.take_weights(learner, training, weights)
    else:
        seconds = learning.fit(learner, training, target)
    learning.say_how_it_went(learner)
    learning.save(learner, target)
    learning.forget_pieces(learner)
    leave = " --allow-commands" if commands else ""
    console.say(f"annotate with: treegauge annotate{leave} {shlex.quote(target)} FILE")
    return {
        "system": learner.name,
        "settings": learner.settings.to_dict(),
        "seed": learner.seed,
        "treebank": treebank,
        "sentences": training.n_sentences,
        "words": training.n_words,
        **how_learning_ended(learner),
        "fit_seconds": round(seconds, 3),
        "model": target,
    }
