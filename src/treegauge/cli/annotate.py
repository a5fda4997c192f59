"""`treegauge annotate`: let a trained system annotate a treebank."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from treegauge.cli import learning
from treegauge.cli.console import prints_summary
from treegauge.cli.learning import AllowCommandsOption, AnnotatedOption, TextArgument
from treegauge.cli.treebanks import (
    DataOption,
    FromOption,
    ToOption,
    open_treebank,
    write_and_say,
)


@prints_summary
def annotate_cli(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="What `treegauge train` wrote.")],
    treebank: TextArgument,
    target: AnnotatedOption = "-",
    to_format: ToOption = "",
    from_format: FromOption = "",
    allow_commands: AllowCommandsOption = False,
    data: DataOption = [],  # noqa: B006
) -> dict[str, Any]:
    """Annotate a treebank with a trained system, in place of what annotation it had.

    The system sees a copy without the annotation that it is to give. Without -o the result
    goes to standard output, as CoNLL-U.

    Example: `treegauge annotate tagger.model toy:svo -o tagged.conllu`
    """
    system = learning.load(model, allow_commands=allow_commands)
    text = open_treebank(treebank, data=data, format=from_format or None, plain_text=True)
    answer = learning.annotate(system, text)
    write_and_say(answer.treebank, target, format=to_format or None)
    learning.say_how_to_evaluate(answer, text, treebank, target, data, from_format)
    return {
        "system": system.name,
        "settings": system.settings.to_dict(),
        "seed": system.seed,
        "model": model,
        "treebank": treebank,
        "sentences": answer.treebank.n_sentences,
        "words": answer.treebank.n_words,
        "annotate_seconds": round(answer.annotate_seconds, 3),
        "output": target,
    }
