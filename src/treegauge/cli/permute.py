"""`treegauge permute`: the same trees in another word order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.completion import offer_orders
from treegauge.cli.console import prints_summary
from treegauge.cli.streams import StreamOption, each_part, is_streamed, rewrite_stream
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
    from treegauge.properties.sentence_selection import Selection, SelectionReport
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
    stream: StreamOption = None,
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
    about: dict[str, Any]
    if is_streamed(stream, [source], _what_needs_whole(order)):
        rewrite = partial(
            rewrite_stream, source, target, from_format=from_format, to_format=to_format
        )
        parts = StreamedOrder(source, order, seed, final_punctuation, keep_all) if order else None
        return {"source": source, "target": target, **_streamed(parts, rewrite)}
    treebank = open_treebank(source, data=data, format=from_format or None)
    about = {"order": "original"}
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


def _what_needs_whole(order: str) -> dict[str, object]:
    """Return the option that keeps a file from being permuted part by part, if it is one."""
    from treegauge.rewrite.word_orders import parse_order

    return {f"--order {order}": bool(order) and not parse_order(order).is_local}


def _streamed(
    parts: StreamedOrder | None, rewrite: Callable[..., tuple[dict[str, int], list[str]]]
) -> dict[str, Any]:
    """Write a stream in an order, or in its original one; return what is to be said of it."""
    from treegauge.rewrite.word_orders import restore_order

    if parts is None:
        size, losses = rewrite(partial(each_part, restore_order))
        return {"order": "original", **size, "losses": losses}
    size, losses = rewrite(parts.permuted, say_first=parts.say_selection)
    return {**parts.about(), **size, "losses": losses}


class StreamedOrder:
    """Puts the parts of a file in another order, one after the other.

    Random numbers are drawn in one sequence, as they are for a whole treebank.
    """

    def __init__(
        self,
        source: str,
        order: str,
        seed: int,
        final_punctuation: FinalPunctuation,
        keep_all: bool,
    ) -> None:
        from treegauge.rewrite.word_orders import parse_order

        self.source, self.order, self.seed = source, parse_order(order), seed
        self.final_punctuation, self.keep_all = final_punctuation, keep_all
        self.reports: list[SelectionReport] = []

    def permuted(self, parts: Iterator[Treebank]) -> Iterator[Treebank]:
        """Give the parts in the order, without the sentences that cannot be put in it."""
        import numpy as np

        from treegauge.properties import select_sentences
        from treegauge.properties.sentence_selection import sum_of_reports
        from treegauge.rewrite.word_orders import permute_selection
        from treegauge.treebank import PunctuationOfParts, TreebankError

        random, punctuation = np.random.default_rng(self.seed), PunctuationOfParts()

        def permute(part: Treebank) -> Treebank:
            selection = select_sentences(
                punctuation.marked(part),
                final_punctuation=self.final_punctuation.value,
                keep_all=self.keep_all,
            )
            self.reports = [sum_of_reports([*self.reports, selection.report])]
            return permute_selection(selection, self.order, random=random)

        yield from each_part(permute, parts)
        if self.reports and not self.reports[0].kept:
            raise TreebankError(
                f"{self.source}: no sentence has a tree that can be put in another order "
                f"({self.reports[0]})"
            )

    def say_selection(self) -> None:
        """Say what was left out."""
        console.say(str(self.reports[0]))

    def about(self) -> dict[str, Any]:
        """Return what is to be said of the order."""
        return {
            "order": self.order.text,
            "seed": self.seed if self.order.is_random else None,
            "selection": asdict(self.reports[0]),
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
