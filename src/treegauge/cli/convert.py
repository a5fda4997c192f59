"""`treegauge convert`: from one format, or one annotation style, to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.completion import offer_head_rules, offer_styles
from treegauge.cli.console import prints_summary
from treegauge.cli.help_pages import INPUT
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
    from treegauge.treebank import Treebank


def _known_style(text: str | None) -> str | None:
    if text is not None:
        from treegauge.rewrite import RewriteError, Style

        try:
            Style.parse(text)
        except RewriteError as error:
            raise typer.BadParameter(str(error)) from None
    return text


def _known_heads(text: str) -> str:
    if text:
        from treegauge.rewrite import RewriteError
        from treegauge.rewrite.head_rules import scheme_of

        try:
            scheme_of(text)
        except RewriteError as error:
            raise typer.BadParameter(str(error)) from None
    return text


HeadsOption = Annotated[
    str,
    typer.Option(
        "--heads",
        metavar="RULES",
        callback=_known_heads,
        autocompletion=offer_head_rules,
        help="From Penn brackets, a file or a folder: collins, yamada-matsumoto or lth.",
    ),
]
HeadsOptionsOption = Annotated[
    str,
    typer.Option(
        "--heads-options",
        metavar="SET|SWITCHES",
        help="For lth: standard, oldLTH, conll2007, functional, lexical or conll2008, and "
        "switches such as coordination=first, between commas.",
    ),
]
SectionsOption = Annotated[
    str,
    typer.Option(
        "--sections",
        metavar="2-21",
        rich_help_panel=INPUT,
        help="Sections to read from a folder of brackets.",
    ),
]


@prints_summary
def convert_cli(
    source: SourceArgument,
    target: TargetArgument,
    to_format: ToOption = "",
    from_format: FromOption = "",
    tag_map: Annotated[
        str,
        typer.Option(
            "--tag-map",
            metavar="FILE",
            help="Fill universal tags by a map: a tag, a tab, a universal tag on every line.",
        ),
    ] = "",
    tags: Annotated[
        str,
        typer.Option(
            "--tags",
            metavar="u|u12|c|p|p:2",
            help="The tags that tagged text gets; u12 fills UPOSTAG with the 12 universal tags.",
        ),
    ] = "",
    style: Annotated[
        str | None,
        typer.Option(
            "--style",
            metavar="BUNDLE|SWITCHES",
            callback=_known_style,
            autocompletion=offer_styles,
            help="From UD, or back to it: ud, functional, lexical, prague or conll, and "
            "switches such as coordination=first, between commas.",
        ),
    ] = None,
    heads: HeadsOption = "",
    heads_options: HeadsOptionsOption = "",
    sections: SectionsOption = "",
    strict: Annotated[
        bool,
        typer.Option("--strict", rich_help_panel=INPUT, help="Refuse sentences that are no trees."),
    ] = False,
    data: DataOption = [],  # noqa: B006
) -> dict[str, Any]:
    """Convert a treebank to another format or annotation style.

    What the new format has no place for is said on standard error; the file is complete or
    not there at all. Files may end in .gz or .xz.

    Example: `treegauge convert train.conllx train.pascal --tag-map sv-talbanken.map`

    Example: `treegauge convert en.conllu en.sud.conllu --style functional,coordination=first`

    Example: `treegauge convert wsj/ train.conllu --heads lth --sections 2-21`
    """
    from treegauge.formats import fill_universal_tags, read_tag_map

    require_format(target, to_format)
    mapping = read_tag_map(tag_map) if tag_map else None
    if heads:
        treebank = from_brackets(source, heads, heads_options, sections)
    elif heads_options or sections:
        raise typer.BadParameter("--heads-options and --sections need --heads")
    else:
        treebank = open_treebank(source, data=data, format=from_format or None, strict=strict)
    if mapping is not None:
        treebank = fill_universal_tags(treebank, mapping)
    style_name = ""
    losses: list[str] = []
    if style:
        treebank, style_name, losses = in_style(treebank, style)
    losses = write_and_say(
        treebank, target, format=to_format or None, tags=tags or None, losses=losses
    )
    return {
        "source": source,
        "target": target,
        "sentences": treebank.n_sentences,
        "words": treebank.n_words,
        **({"style": style_name} if style else {}),
        **({"heads": heads, "heads_options": heads_options} if heads else {}),
        "losses": losses,
    }


def from_brackets(source: str, heads: str, options: str, sections: str) -> Treebank:
    """Read phrase structure and choose heads in it."""
    from treegauge.formats import bare_name
    from treegauge.formats.brackets import read_brackets
    from treegauge.rewrite.head_rules import choose_heads, scheme_of

    scheme = scheme_of(heads, options)  # complain before a long file is read
    with console.progress(f"reading {source}"):
        trees = read_brackets(source, sections=sections)
    with console.progress(f"heads {heads}"):
        return choose_heads(trees, scheme, name=bare_name(source))


def in_style(treebank: Treebank, text: str) -> tuple[Treebank, str, list[str]]:
    """Return a treebank in another style, the style's name, and what got lost on the way."""
    from treegauge.rewrite import Style, to_style
    from treegauge.rewrite.styles import ud_version

    style = Style.parse(text)
    if ud_version(treebank) == 1:
        console.say("relations of UD version 1: taken for what version 2 made of them")
    with console.progress(f"style {style.name}"):
        turned = to_style(treebank, style)
    changed = int((turned.head != treebank.head).sum())
    console.say(f"style {style.name}: {changed:,} of {treebank.n_words:,} words have another head")
    lost = []
    if treebank.columns["deps"].is_annotated and not turned.columns["deps"].is_annotated:
        lost.append("enhanced dependencies do not fit the new trees: DEPS left out")
    return turned, style.name, lost
