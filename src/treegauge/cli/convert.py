"""`treegauge convert`: from one format, or one annotation style, to another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.completion import offer_head_rules, offer_styles
from treegauge.cli.console import prints_summary
from treegauge.cli.help_pages import INPUT
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
from treegauge.treebank.errors import TreebankError
from treegauge.treebank.parts import PARTS
from treegauge.wording import counted, is_number, listed, unknown_name

if TYPE_CHECKING:
    from treegauge.rewrite import Style
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


def _known_structures(text: str) -> str:
    if text:
        _structures(text)
    return text


def _structures(text: str) -> list[str]:
    """Return debatable structures by their names with hyphens; `all` is all of them."""
    from treegauge.rewrite.debatable import STRUCTURES

    by_name = {name.replace(" ", "-"): name for name in STRUCTURES}
    if text == "all":
        return list(STRUCTURES)
    for name in listed(text):
        if name not in by_name:
            raise typer.BadParameter(unknown_name("structure", name, [*by_name, "all"]))
    return [by_name[name] for name in listed(text)]


HeadsOption = Annotated[
    str,
    typer.Option(
        "--heads",
        metavar="RULES",
        callback=_known_heads,
        autocompletion=offer_head_rules,
        help="Convert Penn brackets (a file or a folder) with these head rules: collins, "
        "yamada-matsumoto or lth.",
    ),
]
HeadsOptionsOption = Annotated[
    str,
    typer.Option(
        "--heads-options",
        metavar="SET|SWITCHES",
        help="For lth: standard, oldLTH, conll2007, functional, lexical or conll2008, and "
        "switches such as coordination=first, separated by commas.",
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


class Blinding(StrEnum):
    """What a blind copy lacks."""

    HEADS = "heads"
    TAGS = "tags"
    BOTH = "both"


def _known_split(text: str) -> str:
    if text:
        _shares(text)
    return text


def _shares(text: str) -> list[float]:
    """Return the shares of parts from numbers such as 8:1:1."""
    numbers = [float(part) if is_number(part) else -1.0 for part in text.split(":")]
    if len(numbers) not in NAMES_OF_PARTS or not all(0 < number < inf for number in numbers):
        raise typer.BadParameter("--split is 9:1 for train and test, or 8:1:1 with dev between")
    return [number / sum(numbers) for number in numbers]


NAMES_OF_PARTS = {2: ("train", "test"), 3: PARTS}
"""What parts are called, by how many there are."""

TagMapOption = Annotated[
    str,
    typer.Option(
        "--tag-map",
        metavar="FILE",
        help="Fill universal tags from a map. Every line has a tag, a tab and a universal tag.",
    ),
]
TagsOption = Annotated[
    str,
    typer.Option(
        "--tags",
        metavar="u|u12|c|p|p:2",
        help="The tags in tagged text. In other formats, u12 writes the 12 universal tags to "
        "UPOSTAG.",
    ),
]
StyleOption = Annotated[
    str | None,
    typer.Option(
        "--style",
        metavar="BUNDLE|SWITCHES",
        callback=_known_style,
        autocompletion=offer_styles,
        help="Convert from UD or back to it: ud, functional, lexical, prague or conll, and "
        "switches such as coordination=first, separated by commas.",
    ),
]
MarkDebatableOption = Annotated[
    str,
    typer.Option(
        "--mark-debatable",
        metavar="all|STRUCTURES",
        callback=_known_structures,
        help="Mark structures without an agreed head with Debatable=ID in MISC: coordination, "
        "prepositional-phrase, modal-and-verb, infinitive, proper-noun-sequence; or all.",
    ),
]
BlindOption = Annotated[
    Blinding | None,
    typer.Option(
        "--blind",
        metavar="heads|tags|both",
        help="Remove gold heads, tags, or both; also all comments, ids, MISC and DEPS.",
    ),
]
SplitOption = Annotated[
    str,
    typer.Option(
        "--split",
        metavar="9:1",
        callback=_known_split,
        help="Split by these shares into OUT-train and OUT-test; with three shares, also OUT-dev.",
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        min=0,
        help="Shuffle the sentences before --split. Default: keep their order.",
    ),
]
StrictOption = Annotated[
    bool,
    typer.Option(
        "--strict", rich_help_panel=INPUT, help="Treat sentences that are not trees as errors."
    ),
]


@prints_summary
def convert_cli(
    source: SourceArgument,
    target: TargetArgument,
    to_format: ToOption = "",
    from_format: FromOption = "",
    tag_map: TagMapOption = "",
    tags: TagsOption = "",
    style: StyleOption = None,
    mark_debatable: MarkDebatableOption = "",
    blind: BlindOption = None,
    split: SplitOption = "",
    seed: SeedOption = None,
    heads: HeadsOption = "",
    heads_options: HeadsOptionsOption = "",
    sections: SectionsOption = "",
    strict: StrictOption = False,
    stream: StreamOption = None,
    data: DataOption = [],  # noqa: B006
) -> dict[str, Any]:
    """Convert a treebank to another format or annotation style.

    What the new format cannot hold is reported on standard error. The output file is complete, or
    it is not written at all. Files may end in .gz or .xz.

    Example: `treegauge convert train.conllx train.pascal --tag-map sv-talbanken.map`

    Example: `treegauge convert en.conllu en.sud.conllu --style functional,coordination=first`

    Example: `treegauge convert wsj/ train.conllu --heads lth --sections 2-21`

    Example: `treegauge convert gold.conllu marked.conllu --mark-debatable all`

    Example: `treegauge convert en.conllu en.conllu --split 8:1:1 --seed 1`
    """
    from treegauge.formats import read_tag_map

    require_format(target, to_format)
    if split and target == "-":
        raise typer.BadParameter("--split writes several files; OUT cannot be standard output")
    if seed is not None and not split:
        raise typer.BadParameter("--seed shuffles for --split; add --split 9:1")
    needs_whole = {
        "--tag-map": tag_map,
        "--mark-debatable": mark_debatable,  # the relations of all sentences decide how it marks
        "--split": split,
        "--heads": heads,
    }
    if is_streamed(stream, [source], needs_whole):
        conversion = StreamedConversion(style, blind)
        about = conversion.rewrite(
            source, target, from_format=from_format, to_format=to_format, tags=tags, strict=strict
        )
        return {"source": source, "target": target, **about}
    mapping = read_tag_map(tag_map) if tag_map else None
    if heads:
        treebank = from_brackets(source, heads, heads_options, sections)
    elif heads_options or sections:
        raise typer.BadParameter("--heads-options and --sections need --heads")
    else:
        treebank = open_treebank(source, data=data, format=from_format or None, strict=strict)
    if mapping is not None:
        treebank = _with_mapped_tags(treebank, mapping)
    style_name = ""
    losses: list[str] = []
    if style:
        treebank, style_name, losses = in_style(treebank, style)
    if mark_debatable:
        treebank = with_debatable_marks(treebank, mark_debatable)
    treebank = blinded(treebank, blind=blind)
    written = in_parts(treebank, target, split, seed) if split else {target: treebank}
    said_before, losses = losses, []
    for path, part in written.items():
        losses += write_and_say(
            part, path, format=to_format or None, tags=tags or None, losses=said_before
        )
        said_before = []
    return {
        "source": source,
        "target": target,
        "sentences": treebank.n_sentences,
        "words": treebank.n_words,
        **({"style": style_name} if style else {}),
        **({"debatable": _structures(mark_debatable)} if mark_debatable else {}),
        **({"blind": blind.value} if blind else {}),
        **({"parts": list(written)} if split else {}),
        **({"heads": heads, "heads_options": heads_options} if heads else {}),
        "losses": list(dict.fromkeys(losses)),
    }


def _with_mapped_tags(treebank: Treebank, mapping: Mapping[str, str]) -> Treebank:
    """Return the treebank with universal tags, and say how many tags the map lacks."""
    from treegauge.formats import fill_universal_tags, named_tags, unmapped_tags

    filled = fill_universal_tags(treebank, mapping)
    if missing := unmapped_tags(treebank, mapping):
        words = counted(sum(missing.values()), "word")
        console.say(f"the map lacks the tags of {words}, which become X: {named_tags(missing)}")
    return filled


def blinded(treebank: Treebank, *, blind: Blinding | None) -> Treebank:
    """Return a copy without gold heads or tags; the treebank itself if nothing is hidden."""
    if blind is None:
        return treebank
    return treebank.blind(heads=blind is not Blinding.TAGS, tags=blind is not Blinding.HEADS)


def in_parts(treebank: Treebank, target: str, split: str, seed: int | None) -> dict[str, Treebank]:
    """Return the parts of a treebank by the files that they go to."""
    shares = _shares(split)
    parts = treebank.split(*shares, seed=seed)
    names = NAMES_OF_PARTS[len(shares)]
    for name, part in zip(names, parts, strict=True):
        if not part.n_sentences:
            sentences = counted(treebank.n_sentences, "sentence")
            raise TreebankError(f"--split {split}: nothing of {sentences} is left for {name}")
    path = Path(target)
    ending = re.search(r"(\.[^.]+)?(\.gz|\.xz)?$", path.name)
    behind = ending[0] if ending else ""
    bare = path.name.removesuffix(behind)
    return {
        str(path.with_name(f"{bare}-{name}{behind}")): part
        for name, part in zip(names, parts, strict=True)
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


def with_debatable_marks(treebank: Treebank, text: str) -> Treebank:
    """Return a treebank with marks for debatable structures, and say how many words have one."""
    from treegauge.rewrite.debatable import debatable_words, mark_debatable

    marked = mark_debatable(treebank, _structures(text))
    n = int(debatable_words(marked).sum())
    console.say(f"marked {n:,} of {treebank.n_words:,} words as parts of debatable structures")
    return marked


class StreamedConversion:
    """What happens to each part of a file: another style, and a blind copy."""

    def __init__(self, style: str | None, blind: Blinding | None) -> None:
        from treegauge.rewrite.styles import Style, StyleOfParts

        self._blind = blind
        self._style = StyleOfParts(Style.parse(style)) if style else None
        self._words = 0
        self.about = {
            **({"style": self._style.style.name} if self._style else {}),
            **({"blind": blind.value} if blind else {}),
        }

    def rewrite(self, source: str, target: str, **options: Any) -> dict[str, Any]:
        """Convert a file; return what is to be said of it."""
        size, losses = rewrite_stream(
            source,
            target,
            self.parts,
            say_first=self.say_style,
            lost_before=self.losses,
            **options,
        )
        return {**size, **self.about, "losses": losses}

    def parts(self, parts: Iterator[Treebank]) -> Iterator[Treebank]:
        """Give the parts as they are written."""
        for part in each_part(self._styled, parts):
            self._words += part.n_words
            yield blinded(part, blind=self._blind)

    def _styled(self, part: Treebank) -> Treebank:
        return self._style.part(part) if self._style else part

    def losses(self) -> list[str]:
        """Return what got lost on the way."""
        return [LOST_GRAPHS] if self._style and self._style.lost_graphs else []

    def say_style(self) -> None:
        """Say what the style did."""
        if self._style:
            if self._style.is_version_1:
                console.say(READ_AS_VERSION_2)
            say_changed(self._style.style, self._style.changed_heads, self._words)


READ_AS_VERSION_2 = "relations of UD version 1 are read as those of version 2"
LOST_GRAPHS = "enhanced dependencies do not fit the new trees: DEPS left out"


def say_changed(style: Style, changed: int, words: int) -> None:
    """Say how many heads a style changed."""
    console.say(f"style {style.name}: {changed:,} of {words:,} words have another head")


def in_style(treebank: Treebank, text: str) -> tuple[Treebank, str, list[str]]:
    """Return a treebank in another style, the style's name, and what got lost on the way."""
    from treegauge.rewrite import Style, to_style
    from treegauge.rewrite.styles import ud_version

    style = Style.parse(text)
    if ud_version(treebank) == 1:
        console.say(READ_AS_VERSION_2)
    with console.progress(f"style {style.name}"):
        turned = to_style(treebank, style)
    changed = int((turned.head != treebank.head).sum())
    say_changed(style, changed, treebank.n_words)
    lost = []
    if treebank.columns["deps"].is_annotated and not turned.columns["deps"].is_annotated:
        lost.append(LOST_GRAPHS)
    return turned, style.name, lost
