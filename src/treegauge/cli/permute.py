"""`treegauge permute`: the same trees in another word order."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.completion import offer_orders
from treegauge.cli.console import prints_summary
from treegauge.cli.treebanks import (
    DataOption,
    FromOption,
    SourceArgument,
    TargetArgument,
    ToOption,
    open_treebank,
    require_format,
    write_and_say,
)

if TYPE_CHECKING:
    from treegauge.properties.sentence_selection import Selection
    from treegauge.treebank import Treebank


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


@prints_summary
def permute_cli(
    source: SourceArgument,
    target: TargetArgument,
    order: Annotated[
        str,
        typer.Option(
            "--order",
            metavar="ORDER",
            callback=_known_order,
            autocompletion=offer_orders,
            help="The new order: optdl (shortest dependencies), left, right, random-projective, "
            "random, mirror, projectivise, consistent, nonprojective:SHARE or mix:P.",
        ),
    ] = "",
    undo: Annotated[
        bool, typer.Option("--undo", help="Restore the original order of a permuted file.")
    ] = False,
    keep_all: Annotated[
        bool,
        typer.Option(
            "--keep-all",
            help="Keep every sentence, including those with punctuation inside or several roots.",
        ),
    ] = False,
    final_punctuation: Annotated[
        FinalPunctuation,
        typer.Option(
            "--final-punctuation",
            help="Punctuation at the end of a sentence: pin keeps it there, strip removes it, "
            "include treats it as a word.",
        ),
    ] = FinalPunctuation.PIN,
    hold_length: Annotated[
        float | None,
        typer.Option(
            "--hold-length",
            metavar="SHARE",
            min=0,
            help="With nonprojective: how much the dependency length of a sentence may change, "
            "as a share.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of random orders.")] = 0,
    to_format: ToOption = "",
    from_format: FromOption = "",
    data: DataOption = [],  # noqa: B006
) -> dict[str, Any]:
    """Put the words of a treebank in another order. Trees and annotation stay the same.

    Sentences with punctuation inside or without a single root are left out, as in Gulordava and
    Merlo (2016), unless --keep-all is given. Comments record the original order, and `--undo`
    restores it exactly.

    Example: `treegauge permute toy:svo:train svo.optdl.conllu --order optdl`

    Example: `treegauge permute svo.optdl.conllu back.conllu --undo`
    """
    from treegauge.rewrite.word_orders import restore_order

    if bool(order) == undo:
        raise typer.BadParameter("give an --order, or --undo")
    if hold_length is not None and not order.startswith("nonprojective"):
        raise typer.BadParameter("--hold-length goes with --order nonprojective:SHARE")
    require_format(target, to_format)
    treebank = open_treebank(source, data=data, format=from_format or None)
    about: dict[str, Any] = {"order": "original"}
    with console.progress(f"order {order}" if order else "restoring the order"):
        if order:
            selection = _selected(treebank, source, final_punctuation, keep_all)
            treebank, about = _permuted(selection, order, seed, hold_length)
        else:
            treebank = restore_order(treebank)
    losses = write_and_say(treebank, target, format=to_format or None)
    return {
        "source": source,
        "target": target,
        **about,
        "sentences": treebank.n_sentences,
        "words": treebank.n_words,
        "losses": losses,
    }


def _selected(
    treebank: Treebank, source: str, final_punctuation: FinalPunctuation, keep_all: bool
) -> Selection:
    """Return the sentences whose words can be put in another order."""
    from treegauge.properties import select_sentences
    from treegauge.treebank import TreebankError

    selection = select_sentences(
        treebank, final_punctuation=final_punctuation.value, keep_all=keep_all
    )
    if treebank.n_sentences and not selection.report.kept:
        raise TreebankError(
            f"{source}: no sentence has a tree that can be put in another order "
            f"({selection.report})"
        )
    return selection


def _permuted(
    selection: Selection, order: str, seed: int, hold_length: float | None
) -> tuple[Treebank, dict[str, Any]]:
    """Return the sentences in another order, and what is to be said of it."""
    from treegauge.rewrite.word_orders import parse_order, permute_selection

    name = parse_order(order)
    treebank = permute_selection(selection, name, seed=seed, length_tolerance=hold_length)
    console.say(str(selection.report))
    return treebank, {
        "order": name.text,
        "seed": seed if name.is_random else None,
        "selection": asdict(selection.report),
    }
