"""`treegauge annotate`: let a trained system annotate a treebank."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from treegauge.cli import learning
from treegauge.cli.console import prints_summary
from treegauge.cli.learning import AllowCommandsOption, AnnotatedOption, TextArgument
from treegauge.cli.run_option import PretokenisedOption, is_tool, open_annotator, read_paragraphs
from treegauge.cli.treebanks import (
    DataOption,
    FromOption,
    ToOption,
    is_plain_text,
    open_treebank,
    write_and_say,
)


@prints_summary
def annotate_cli(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="A model from `treegauge train`, or spacy:PIPELINE, stanza:LANG, udpipe:MODEL.",
        ),
    ],
    treebank: TextArgument,
    target: AnnotatedOption = "-",
    to_format: ToOption = "",
    from_format: FromOption = "",
    pretokenised: PretokenisedOption = False,
    allow_commands: AllowCommandsOption = False,
    data: DataOption = [],  # noqa: B006
) -> dict[str, Any]:
    """Annotate a treebank with a trained system. Its old annotation is replaced.

    The system sees a copy without the annotation that it has to produce. Without -o, the result
    goes to standard output as CoNLL-U. External tools (spaCy, Stanza, UDPipe) also accept raw text
    (.txt).

    Example: `treegauge annotate tagger.model toy:svo -o tagged.conllu`

    Example: `treegauge annotate spacy:./my_model text.txt -o out.conllu`
    """
    system = open_annotator(model, allow_commands=allow_commands)
    begin = time.perf_counter()
    if not (pretokenised or from_format) and is_tool(system) and is_plain_text(treebank):
        answer = learning.annotate_text(system, read_paragraphs(treebank))
        write_and_say(answer, target, format=to_format or None)
    else:
        text = open_treebank(treebank, data=data, format=from_format or None, plain_text=True)
        induction = learning.annotate(system, text)
        answer = induction.treebank
        write_and_say(answer, target, format=to_format or None)
        learning.say_how_to_evaluate(induction, text, treebank, target, data, from_format)
    return {
        "system": system.name,
        "settings": system.settings.to_dict(),
        "seed": system.seed,
        "model": model,
        "treebank": treebank,
        "sentences": answer.n_sentences,
        "words": answer.n_words,
        "annotate_seconds": round(time.perf_counter() - begin, 3),
        "output": target,
    }
