"""`treegauge export-prompt`: blind sentences to ask any model about."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.completion import offer_treebanks
from treegauge.cli.console import prints_summary
from treegauge.cli.help_pages import OUTPUT
from treegauge.cli.treebanks import DataOption, open_treebank


class PromptFormat(StrEnum):
    """How prompts are written."""

    JSONL = "jsonl"


@prints_summary
def export_prompt_cli(
    treebank: Annotated[
        str,
        typer.Argument(
            metavar="TREEBANK", autocompletion=offer_treebanks, help="The treebank to annotate."
        ),
    ],
    train: Annotated[
        str,
        typer.Option(
            "--train",
            metavar="TREEBANK",
            autocompletion=offer_treebanks,
            help="Training data to take examples from. Default: no examples.",
        ),
    ] = "",
    examples: Annotated[
        int, typer.Option("--examples", min=0, help="Examples in every prompt, always the same.")
    ] = 3,
    columns: Annotated[
        str,
        typer.Option(
            "--columns",
            metavar="LIST",
            help="What to ask for: lemma, upos, xpos, feats, head, deprel, separated by commas.",
        ),
    ] = "upos,head,deprel",
    instruction: Annotated[
        str,
        typer.Option(
            "--instruction", metavar="FILE", help="Your own instruction. Default: a built-in one."
        ),
    ] = "",
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the choice of examples.")] = 0,
    _prompt_format: Annotated[
        PromptFormat,
        typer.Option(
            "--format",
            rich_help_panel=OUTPUT,
            help="The format of the prompts: one JSON object per line.",
        ),
    ] = PromptFormat.JSONL,
    target: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE", rich_help_panel=OUTPUT, help="The prompts to write."
        ),
    ] = "-",
    data: DataOption = [],  # noqa: B006
) -> dict[str, Any]:
    """Write blind sentences with an instruction and examples, for any language model.

    Every line has the members id, prompt, words and columns. Send the prompts to any model:
    treegauge has no client for any service. `treegauge import-answers` reads the answers.

    Example: `treegauge export-prompt test.conllu --train train.conllu -o prompts.jsonl`
    """
    from treegauge.formats import read_text
    from treegauge.formats.prompts import make_prompts, parse_columns, write_prompts

    asked = parse_columns(columns)
    text = read_text(instruction, what="an instruction") if instruction else ""
    questions = open_treebank(treebank, data=data, format=None)
    training = open_treebank(train, data=data, format=None) if train else None
    prompts = make_prompts(
        questions,
        training=training,
        examples=examples,
        columns=asked,
        instruction=text,
        seed=seed,
    )
    write_prompts(prompts, target)
    if target != "-":
        console.say(f"wrote {target}: {questions.summary}")
    return {
        "treebank": treebank,
        "train": train,
        "examples": examples if train else 0,
        "columns": list(asked),
        "prompts": len(prompts),
        "words": questions.n_words,
        "seed": seed,
        "output": target,
    }
