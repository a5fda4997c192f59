"""`treegauge permute`: the same trees in another word order."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import (
    JsonOption,
    OutputFormat,
    OutputOption,
    QuietOption,
    SummaryOption,
)
from treegauge.cli.treebanks import (
    DataOption,
    FromOption,
    ToOption,
    open_treebank,
    write_and_say,
)


class FinalPunctuation(StrEnum):
    """What becomes of punctuation at the end of a sentence."""

    PIN = "pin"
    STRIP = "strip"
    INCLUDE = "include"


def _known_order(text: str) -> str:
    if text:
        from treegauge.rewrite import RewriteError
        from treegauge.rewrite.word_orders import parse_order

        try:
            parse_order(text)
        except RewriteError as error:
            raise typer.BadParameter(str(error)) from None
    return text


def permute_cli(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="A file, - for standard input, or a name.")
    ],
    target: Annotated[str, typer.Argument(metavar="OUT", help="A file; - is standard output.")],
    order: Annotated[
        str,
        typer.Option(
            "--order",
            metavar="ORDER",
            callback=_known_order,
            help="optdl, left, right, random-projective, random, mirror, projectivise, "
            "consistent, nonprojective:SHARE or mix:P.",
        ),
    ] = "",
    undo: Annotated[
        bool, typer.Option("--undo", help="Put a permuted file back in its original order.")
    ] = False,
    keep_all: Annotated[
        bool,
        typer.Option(
            "--keep-all", help="Every sentence, also with punctuation inside or several roots."
        ),
    ] = False,
    final_punctuation: Annotated[
        FinalPunctuation,
        typer.Option(
            "--final-punctuation",
            help="Punctuation at the end: pin it there, strip it, or take it for a word.",
        ),
    ] = FinalPunctuation.PIN,
    hold_length: Annotated[
        float | None,
        typer.Option(
            "--hold-length",
            metavar="SHARE",
            min=0,
            help="With nonprojective: let a sentence's dependency length move by this share.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of random orders.")] = 0,
    to_format: ToOption = "",
    from_format: FromOption = "",
    data: DataOption = [],  # noqa: B006
    format: SummaryOption = None,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Put the words of a treebank in another order; trees and annotation stay.

    Sentences with punctuation inside or without a single root are left out, as by Gulordava and
    Merlo (2016), unless all are to be kept. Comments record the original order: `--undo`
    restores the sentences exactly.

    Example: `treegauge permute toy:svo:train svo.optdl.conllu --order optdl`

    Example: `treegauge permute svo.optdl.conllu back.conllu --undo`
    """
    console.manners.quiet = quiet
    if bool(order) == undo:
        raise typer.BadParameter("give an --order, or --undo")
    if hold_length is not None and not order.startswith("nonprojective"):
        raise typer.BadParameter("--hold-length goes with --order nonprojective:SHARE")
    summary_format = OutputFormat.JSON if json else format
    if target == "-" and summary_format and not output:
        raise typer.BadParameter("OUT and the summary are both standard output; give -o FILE")
    summary = permute(
        source,
        target,
        order=order,
        keep_all=keep_all,
        final_punctuation=final_punctuation.value,
        length_tolerance=hold_length,
        seed=seed,
        to_format=to_format or None,
        from_format=from_format or None,
        data=data,
    )
    console.emit_summary(summary_format, output, document=summary)


def permute(
    source: str,
    target: str,
    *,
    order: str = "",
    keep_all: bool = False,
    final_punctuation: Any = "pin",
    length_tolerance: float | None = None,
    seed: int = 0,
    to_format: str | None = None,
    from_format: str | None = None,
    data: list[str],
) -> dict[str, Any]:
    """Read, permute (or, without an order, restore), write, and sum it all up."""
    from treegauge.formats import FormatError, format_of_name
    from treegauge.properties import select_sentences
    from treegauge.rewrite.word_orders import parse_order, permute_selection, restore_order
    from treegauge.treebank import TreebankError

    # Complain before a long file is read.
    if not to_format and target != "-" and not format_of_name(target):
        raise FormatError(f"{target}: which format? name it with --to, or by the extension")
    treebank = open_treebank(source, data=data, format=from_format)
    done: dict[str, Any]
    with console.progress(f"order {order}" if order else "restoring the order"):
        if order:
            name = parse_order(order)
            selection = select_sentences(
                treebank, final_punctuation=final_punctuation, keep_all=keep_all
            )
            if treebank.n_sentences and not selection.report.kept:
                raise TreebankError(
                    f"{source}: no sentence has a tree that can be put in another order "
                    f"({selection.report})"
                )
            treebank = permute_selection(
                selection, name, seed=seed, length_tolerance=length_tolerance
            )
            done = {
                "order": name.text,
                "seed": seed if name.is_random else None,
                "selection": asdict(selection.report),
            }
            console.say(str(selection.report))
        else:
            treebank = restore_order(treebank)
            done = {"order": "original"}
    losses = write_and_say(treebank, target, format=to_format)
    return {
        "source": source,
        "target": target,
        **done,
        "sentences": treebank.n_sentences,
        "words": treebank.n_words,
        "losses": losses,
    }
