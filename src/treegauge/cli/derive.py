"""`treegauge derive`: words in the order in which they get attached."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.completion import offer_transition_systems
from treegauge.cli.console import prints_summary
from treegauge.cli.help_pages import OUTPUT
from treegauge.cli.perplexity_option import say_warnings
from treegauge.cli.treebanks import (
    DataOption,
    FromOption,
    SourceArgument,
    TargetArgument,
    open_treebank,
    write_and_say,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from treegauge.treebank import Treebank


class DerivedFormat(StrEnum):
    """What is written."""

    TEXT = "text"
    CONLLU = "conllu"


class WordField(StrEnum):
    """What stands for a word in a text."""

    FORM = "form"
    LEMMA = "lemma"
    UPOS = "upos"
    XPOS = "xpos"
    FORM_AND_UPOS = "form/upos"


class Mode(StrEnum):
    """Whose order it is."""

    CANONICAL = "canonical"
    OWN = "own"


def _known_system(text: str) -> str:
    from treegauge.transitions import TransitionError, TransitionSystem

    try:
        TransitionSystem.named(text)
    except TransitionError as error:
        raise typer.BadParameter(str(error)) from None
    return text


@prints_summary
def derive_cli(
    source: SourceArgument,
    target: TargetArgument,
    system: Annotated[
        str,
        typer.Option(
            "--system",
            metavar="SYSTEM",
            callback=_known_system,
            autocompletion=offer_transition_systems,
            help="The transition system: swap-lazy, swap-eager, arc-standard, arc-eager, "
            "arc-hybrid, covington or covington-projective.",
        ),
    ] = "swap-lazy",
    field: Annotated[
        WordField, typer.Option("--field", help="The column that is written for a word.")
    ] = WordField.FORM,
    mode: Annotated[
        Mode,
        typer.Option(
            "--mode",
            help="canonical: the order of the system's oracle. own: the order that a parser "
            "recorded as AttachedAs in MISC.",
        ),
    ] = Mode.CANONICAL,
    projectivise: Annotated[
        bool,
        typer.Option(
            "--projectivise", help="Make trees projective first, for systems without crossing arcs."
        ),
    ] = False,
    to_format: Annotated[
        DerivedFormat | None,
        typer.Option(
            "--to",
            rich_help_panel=OUTPUT,
            help="text, or conllu with AttachedAs in MISC. Default: the extension of OUT (.txt, "
            ".conllu); text on standard output.",
        ),
    ] = None,
    from_format: FromOption = "",
    data: DataOption = [],  # noqa: B006
) -> dict[str, Any]:
    """Put the words of a treebank in the order in which a transition system attaches them.

    As text, the output has one sentence per line, and no-break spaces replace spaces inside words.
    Derivation perplexity is the perplexity of this text. As CoNLL-U, the words keep their order,
    and MISC records when each word is attached.

    Example: `treegauge derive toy:svo:train train.txt`

    Example: `treegauge derive parsed.conllu orders.conllu --system arc-eager --projectivise`
    """
    from treegauge.properties.attachment_order import recorded_order

    if mode is Mode.OWN and projectivise:
        raise typer.BadParameter("--projectivise goes with --mode canonical")
    # Complain before a long file is read.
    kind = to_format.value if to_format else _format_of(target)
    treebank = open_treebank(source, data=data, format=from_format or None)
    lifted = 0
    with console.progress(f"deriving with {system}"), say_warnings():
        if mode is Mode.OWN:
            order = recorded_order(treebank)
        else:
            treebank, order, lifted = _canonical(treebank, system, projectivise)
    losses = _write(treebank, order, target, kind, field.value)
    return {
        "source": source,
        "target": target,
        "mode": mode.value,
        "system": system if mode is Mode.CANONICAL else None,
        "field": field.value if kind == DerivedFormat.TEXT else None,
        "sentences": treebank.n_sentences,
        "words": treebank.n_words,
        "lifted": lifted,
        "losses": losses,
    }


def _write(
    treebank: Treebank, order: NDArray[np.int32], target: str, kind: str, field: str
) -> list[str]:
    """Write a treebank with the order in MISC, or a text in that order; return what was lost."""
    from treegauge.formats import write_chunks
    from treegauge.properties.attachment_order import (
        in_order,
        text_lines,
        with_recorded_order,
        words_as,
    )

    if kind == DerivedFormat.CONLLU:
        return write_and_say(with_recorded_order(treebank, order), target, format="conllu")
    words = in_order(words_as(treebank, field), treebank, order)
    write_chunks(target, text_lines(words, treebank.offsets))
    if target != "-":
        console.say(f"wrote {target}: {treebank.summary}")
    return []


def _format_of(target: str) -> str:
    from treegauge.formats import FormatError, format_of_name

    if target == "-" or re.search(r"\.txt(\.gz|\.xz)?$", target.lower()):
        return DerivedFormat.TEXT.value
    if format_of_name(target) == "conllu":
        return DerivedFormat.CONLLU.value
    raise FormatError(
        f"{target}: text or conllu? name it with --to, or by the extension (.txt, .conllu)"
    )


def _canonical(
    treebank: Treebank, system: str, projectivise: bool
) -> tuple[Treebank, NDArray[np.int32], int]:
    """Return the treebank, maybe with lifted arcs, its order, and how many arcs were lifted."""
    from treegauge.properties.attachment_order import attachment_order
    from treegauge.rewrite.projectivise import projectivise as projectivised
    from treegauge.transitions import TransitionError

    lifted = 0
    if projectivise:
        before = treebank.head
        treebank = projectivised(treebank)
        lifted = int((treebank.head != before).sum())
        console.say(f"projectivised: {lifted:,} of {treebank.n_words:,} words have another head")
    try:
        return treebank, attachment_order(treebank, system), lifted
    except TransitionError as error:
        raise TransitionError(f"{error}\n  --projectivise lifts crossing arcs") from None
