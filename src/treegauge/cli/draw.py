"""`treegauge draw`: the tree of a sentence, alone or with what systems make of it."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from enum import StrEnum
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated

import typer

from treegauge.cli import console
from treegauge.cli.console import OutputFormat, OutputOption, QuietOption
from treegauge.cli.scoring_options import open_system
from treegauge.cli.treebanks import DataOption, open_treebank

if TYPE_CHECKING:
    from treegauge.reports import Drawing
    from treegauge.treebank import Sentence, Treebank


class Kind(StrEnum):
    """What a tree is drawn as."""

    TEXT = "text"
    SVG = "svg"
    TIKZ = "tikz"
    HTML = "html"


_EXTENSIONS = {".svg": Kind.SVG, ".tex": Kind.TIKZ, ".tikz": Kind.TIKZ, ".html": Kind.HTML}
_PICTURES = frozenset({".pdf", ".png", ".jpg", ".jpeg", ".gif", ".eps", ".ps", ".webp"})
"""What a reader would expect no text in."""


def draw_cli(
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="A file, - for standard input, or a name.")
    ],
    sentence: Annotated[
        str, typer.Option("--sentence", "-s", metavar="ID", help="A sent_id, or a number from 1.")
    ] = "1",
    systems: Annotated[
        list[str],
        typer.Option(
            "--system",
            metavar="FILE",
            help="A system's output: its arcs are judged. As text, may be repeated.",
        ),
    ] = [],  # noqa: B006
    to: Annotated[
        Kind | None, typer.Option("--to", help="By the extension of the output if missing.")
    ] = None,
    data: DataOption = [],  # noqa: B006
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Draw the tree of a sentence, in the terminal or as SVG, TikZ or HTML.

    With a system, its arcs are right, flipped (forgiven by NED) or wrong.

    Example: `treegauge draw gold.conllu --sentence 12 --system ours.conllu -o tree.svg`
    """
    from treegauge.reports import tree_table

    console.manners.quiet = quiet
    ending = PurePath(output).suffix.lower()
    if to is None and ending in _PICTURES:
        raise typer.BadParameter(
            f"a tree is drawn as .txt, .svg, .tex or .html, not {ending}; --to says what regardless"
        )
    kind = to or _EXTENSIONS.get(ending, Kind.TEXT)
    gold = open_treebank(source, data=data, format=None)
    drawing = draw(gold, sentence, [open_system(path)[0] for path in systems])
    render = _renderers().get(kind)
    console.emit(
        OutputFormat.TABLE,
        output,
        table=lambda: tree_table(drawing),
        document=dict,
        text=None if render is None else lambda: render(drawing),
        by_name=False,
    )


def draw(gold: Treebank, which: str, systems: list[Treebank]) -> Drawing:
    """Return the drawing of a sentence, by id or number, and of systems' outputs for it."""
    from treegauge.reports import drawing_of

    chosen = find_sentence(gold, which)
    return drawing_of(chosen, *(_same_sentence(chosen, system) for system in systems))


def find_sentence(treebank: Treebank, which: str) -> Sentence:
    """Return a sentence by its `sent_id`, or by its number from 1."""
    from treegauge.treebank import TreebankError

    if which and which in treebank.sentence_ids:
        return treebank[treebank.sentence_ids.index(which)]
    if which.isdecimal() and 1 <= int(which) <= len(treebank):
        return treebank[int(which) - 1]
    if not len(treebank):
        raise TreebankError(f"{treebank.name or 'the treebank'}: there are no sentences to draw")
    near = difflib.get_close_matches(which, filter(None, treebank.sentence_ids), n=3)
    hint = f"did you mean {', '.join(near)}?" if near else f"numbers go to {len(treebank):,}"
    name = f"{treebank.name}: " if treebank.name else ""
    raise TreebankError(f"{name}there is no sentence {which!r}; {hint}")


def _same_sentence(gold: Sentence, system: Treebank) -> Sentence:
    """Return a system's sentence with the id of gold's, or in its place if there is none."""
    from treegauge.treebank import TreebankError

    if gold.id and gold.id in system.sentence_ids:
        return system[system.sentence_ids.index(gold.id)]
    if gold.index >= len(system):
        raise TreebankError(
            f"{system.name}: there is no sentence {gold.index + 1}; numbers go to {len(system):,}"
        )
    return system[gold.index]


def _renderers() -> dict[Kind, Callable[[Drawing], str]]:
    from treegauge.reports import tree_page, tree_svg, tree_tikz

    return {Kind.SVG: tree_svg, Kind.TIKZ: tree_tikz, Kind.HTML: tree_page}
