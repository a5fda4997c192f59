"""`treegauge draw`: the tree of a sentence, alone or with what systems make of it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from treegauge.cli import console
from treegauge.cli.completion import offer_treebanks
from treegauge.cli.console import OutputOption, QuietOption
from treegauge.cli.help_pages import LIMITS, OUTPUT
from treegauge.cli.learning import load
from treegauge.cli.limits import MaxBytesOption
from treegauge.cli.result_files import OutputFormat
from treegauge.cli.scoring_options import open_system
from treegauge.cli.treebanks import DataOption, open_treebank

if TYPE_CHECKING:
    from treegauge.reports.trees import Form
    from treegauge.treebank import Treebank


class Kind(StrEnum):
    """What a tree is drawn as."""

    TEXT = "text"
    SVG = "svg"
    TIKZ = "tikz"
    HTML = "html"


def draw_cli(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            autocompletion=offer_treebanks,
            help="A file, - for standard input, or a name.",
        ),
    ],
    sentence: Annotated[
        str,
        typer.Option("--sentence", "-s", metavar="ID", help="Its sent_id, or its number from 1."),
    ] = "1",
    systems: Annotated[
        list[str],
        typer.Option(
            "--system",
            metavar="FILE",
            help="A system's output, whose arcs are judged. May be repeated for text.",
        ),
    ] = [],  # noqa: B006
    derivation: Annotated[
        str,
        typer.Option(
            "--derivation",
            metavar="MODEL",
            help="A saved model (ccg). Draw its derivation of the sentence instead of the tree.",
        ),
    ] = "",
    to: Annotated[
        Kind | None,
        typer.Option(
            "--to",
            rich_help_panel=OUTPUT,
            help="text, svg, tikz or html. Default: the extension of the output, or text.",
        ),
    ] = None,
    max_words: Annotated[
        int,
        typer.Option(
            "--max-words", min=1, rich_help_panel=LIMITS, help="The longest sentence to draw."
        ),
    ] = 1_000,
    data: DataOption = [],  # noqa: B006
    output: OutputOption = "",
    quiet: QuietOption = False,
    _max_bytes: MaxBytesOption = "",
) -> None:
    """Draw the tree of a sentence, in the terminal or as SVG, TikZ or HTML.

    With a system, its arcs are marked as right, flipped (accepted by NED) or wrong. With
    --derivation, the categories of words and phrases and the rules between them are drawn, without
    punctuation.

    Example: `treegauge draw gold.conllu --sentence 12 --system ours.conllu -o tree.svg`
    """
    from treegauge.reports import FigureError, draw
    from treegauge.reports.trees import Form, form_of
    from treegauge.reports.trees.tree_table import tree_table

    console.manners.quiet = quiet
    try:
        form = form_of(output) if to is None else Form(to.value)
    except FigureError as error:
        raise typer.BadParameter(f"{error}; --to sets the format") from None
    if derivation and systems:
        raise typer.BadParameter("--derivation draws one sentence by one model, without --system")
    if derivation and form is Form.TIKZ:
        raise typer.BadParameter("a derivation is drawn as text, SVG or HTML, not as TikZ")
    gold = open_treebank(source, data=data, format=None, plain_text=bool(derivation))
    if derivation:
        _draw_derivation(gold, derivation, sentence, form, max_words, output)
        return
    outputs = [open_system(path)[0] for path in systems]
    try:
        drawing = draw(gold, *outputs, sentence=sentence, max_words=max_words)
    except FigureError as error:
        raise FigureError(f"{error}\n  --max-words N draws more") from None
    console.emit(
        OutputFormat.TABLE,
        output,
        table=lambda: tree_table(drawing),
        document=dict,
        text=None if form is Form.TEXT else lambda: drawing.in_form(form),
        by_name=False,
    )


def _draw_derivation(
    treebank: Treebank, model: str, sentence: str, form: Form, max_words: int, output: str
) -> None:
    from treegauge.reports.trees import draw_derivation
    from treegauge.tables import Table

    system = load(model, allow_commands=False)
    drawing = draw_derivation(treebank, system, sentence=sentence, max_words=max_words)
    width = console.width() if output in ("", "-") else 0
    console.emit(
        OutputFormat.TABLE,
        output,
        table=lambda: Table([], []),
        document=dict,
        text=lambda: drawing.in_form(form, width=width),
        by_name=False,
    )
