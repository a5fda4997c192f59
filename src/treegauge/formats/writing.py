"""Writes a treebank in any format, and says what the format has no place for."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np

from treegauge.formats.column_writer import column_lines
from treegauge.formats.detection import format_of_name
from treegauge.formats.file_formats import FileFormat, file_format
from treegauge.formats.findings import FormatError
from treegauge.formats.layouts import (
    CONLLU,
    TAGGED,
    ColumnLayout,
    layout_of_file,
)
from treegauge.formats.slashed import slashed_lines
from treegauge.formats.sources import Source, source_name, write_chunks
from treegauge.formats.tokens import TOKENS, token_lines
from treegauge.treebank import UD_TAGS, Treebank, tag_column


def write(
    treebank: Treebank,
    target: Source,
    *,
    format: str | None = None,
    tags: str | None = None,
) -> list[str]:
    """Write a treebank to a file.

    A treebank that is written in the format it was read from gives the same bytes. A file is
    written under a temporary name and renamed when it is complete.

    Parameters
    ----------
    treebank : Treebank
        The treebank to write.
    target : path, '-' or open file
        `.gz` and `.xz` files are compressed. `-` is standard output.
    format : str, optional
        One of `conllu`, `conllx`, `pascal`, `tagged`, `slashed`, `tokens`. Default: the format
        of the file extension, otherwise CoNLL-U.
    tags : str, optional
        The tag column of tagged text: `u`, `u12`, `c`, `p` or `p:2`. Default: universal tags if
        there are any, otherwise fine tags. Other formats have a place for every column; there
        `u12` maps universal tags to the 12 of Petrov et al. (2012).

    Returns
    -------
    list of str
        What the format cannot hold, one sentence each.

    Raises
    ------
    FormatError
        If the format is unknown, or the file cannot be written.
    TreebankError
        If there is no such tag column.

    Examples
    --------
    >>> import io, treegauge as tg
    >>> file = io.BytesIO()
    >>> write(tg.parse("birds/NOUN sing/VERB\\n"), file, format="tokens")
    ['tokens has no column for UPOS: left out']
    >>> file.getvalue()
    b'birds sing\\n'
    """
    return write_parts([treebank], target, format=format, tags=tags)


def write_parts(
    parts: Iterable[Treebank],
    target: Source,
    *,
    format: str | None = None,
    tags: str | None = None,
) -> list[str]:
    """Write the parts of a treebank one after the other: the same bytes as `write` for all.

    Parameters and result are those of `write`.

    Raises
    ------
    FormatError
        As for `write`. Also if tags begin in a later part, and the format would have used them
        in earlier parts too.
    """
    if format is None:
        format = format_of_name(source_name(target)) or "conllu"
    rendering = _Rendering(file_format(format), tags)
    write_chunks(target, chain.from_iterable(map(rendering.lines, parts)))
    return rendering.losses.sentences()


def to_text(treebank: Treebank, *, format: str = "conllu", tags: str | None = None) -> str:
    """Return a treebank as the text of a file.

    Parameters
    ----------
    treebank : Treebank
        The treebank to write.
    format, tags
        As for `write`.

    Returns
    -------
    str
        What `write` would write.

    Raises
    ------
    FormatError
        If the format is unknown.
    TreebankError
        If there is no such tag column.

    Examples
    --------
    >>> import treegauge as tg
    >>> to_text(tg.parse("birds/NOUN sing/VERB\\n"), format="tagged")
    'birds\\tNOUN\\nsing\\tVERB\\n\\n'
    """
    target = io.BytesIO()
    write(treebank, target, format=format, tags=tags)
    return target.getvalue().decode()


class _Rendering:
    """Turns the parts of a treebank into lines.

    Which columns are annotated decides what some columns of the format are filled with. The first
    part decides that for all; where a later one would have decided otherwise, it is refused.
    """

    def __init__(self, target: FileFormat, tags: str | None) -> None:
        if not target.is_written:
            raise FormatError(
                f"{target.name} can be read but not written\n"
                "  write conllu, which can hold all of it"
            )
        self.target = target
        self.tags = tags
        self.losses = _Losses()
        self._annotated: set[str] = set()
        self._coarse_are_universal = True
        self._sources: dict[str, str] | None = None

    def lines(self, part: Treebank) -> Iterator[bytes]:
        """Render a part; what is lost is added to the losses."""
        layout = self.target.layout
        is_first = self._sources is None
        self._annotated |= {name for name in _TAGS if part.columns[name].is_annotated}
        self._coarse_are_universal &= set(part.cpos.counts()) <= UD_TAGS
        if self.target.name == TOKENS.format:
            self.losses.add(part, part, TOKENS)
            yield from token_lines(part)
        elif layout is None or layout is TAGGED:
            tagged = self._with_tag(part)
            self.losses.add(part, tagged, ColumnLayout(self.target.name, TAGGED.columns))
            yield from slashed_lines(tagged) if layout is None else column_lines(tagged, layout)
        else:
            if self.tags:
                part = self._with_universal_tags(part, layout)
            own = layout_of_file(part.file_columns, part.file_header, self.target.name)
            converted = part if own is not None else self._with_filled_tags(part, layout)
            self.losses.add(part, converted, own or layout)
            if own is not None and part.file_header and is_first:
                yield f"{part.file_header}\n".encode()
            yield from column_lines(converted, own or layout)
        self._sources = self._sources or {}

    def _settled(self, **sources: str) -> dict[str, str]:
        """Return which columns others are filled with, as the first part had it."""
        for name, source in sources.items():
            settled = self._sources = {} if self._sources is None else self._sources
            if settled.setdefault(name, source) != source:
                raise FormatError(
                    f"{self.target.name}: the first part decides which tags are written, and "
                    f"{source.upper()} begins later in the stream\n"
                    "  convert it with --no-stream"
                )
        return sources

    def _with_tag(self, part: Treebank) -> Treebank:
        """Return a part with the column of tags that tagged text has."""
        annotated = self._annotated
        if not self.tags and part.file_columns == TAGGED.columns and "xpos" not in annotated:
            self._settled(tag="upos")
            return part.replace(columns={"tag": part.upos})  # also where all tags are _
        which = self.tags or ("u" if "upos" in annotated else "p")
        tag = tag_column(part, which, annotated=annotated)
        self._settled(tag=tag.source)
        return part.replace(columns={"tag": tag.column})

    def _with_universal_tags(self, part: Treebank, layout: ColumnLayout) -> Treebank:
        if self.tags not in ("u", "u12"):
            raise FormatError(
                f"{layout.format} has a column for every kind of tags; --tags is u or u12 there"
            )
        columns = {"upos": tag_column(part, self.tags, annotated=self._annotated).column}
        if layout is not CONLLU:
            # Coarse tags are what they were, also where the file has none of its own.
            source = self._settled(coarse="cpos" if "cpos" in self._annotated else "upos")
            columns["cpos"] = part.columns[source["coarse"]]
        return part.replace(columns=columns)

    def _with_filled_tags(self, part: Treebank, layout: ColumnLayout) -> Treebank:
        """Fill the tag columns that a format has and the treebank's file had not.

        CPOSTAG falls back to universal tags and POSTAG to CPOSTAG, as in the challenge; UPOS
        takes CPOSTAG only if those are universal tags.
        """
        annotated = self._annotated
        if layout is CONLLU:
            fills = "cpos" in annotated and self._coarse_are_universal and "upos" not in annotated
            sources = self._settled(upos="cpos" if fills else "upos")
        else:
            coarse = "cpos" if "cpos" in annotated or self.tags else "upos"
            sources = self._settled(cpos=coarse, xpos="xpos" if "xpos" in annotated else coarse)
        return part.replace(columns={name: part.columns[s] for name, s in sources.items()})


_TAGS = ("upos", "xpos", "cpos")


class _Losses:
    """What the format has no place for, in all parts together."""

    def __init__(self) -> None:
        self._layout: ColumnLayout | None = None
        self._annotated: dict[str, bool] = {}
        self._moved: dict[str, bool] = {}
        self._has_heads = False
        self._n_lines = 0
        self._n_vanishing = 0

    def add(self, part: Treebank, converted: Treebank, layout: ColumnLayout) -> None:
        """Add what a part loses."""
        self._layout = layout
        for name, column in part.columns.items():
            moved = name == "cpos" and layout is CONLLU and converted.upos is column
            moved = moved or (name == "upos" and converted.cpos is column)
            moved = moved or (name == "cpos" and column == part.xpos)
            moved = moved or converted.columns.get("tag") is column
            self._moved[name] = moved and self._moved.get(name, True)
            self._annotated[name] = column.is_annotated or self._annotated.get(name, False)
        self._has_heads |= part.has_heads
        self._n_lines += len(part.side_lines)
        vanishing = part.lengths == 0
        if layout.has_side_lines:  # comments alone are enough for a sentence
            vanishing &= np.diff(part.side_lines.bounds(part.n_sentences)) == 0
        self._n_vanishing += int(vanishing.sum())

    def sentences(self) -> list[str]:
        """Return the losses in words, a sentence each."""
        layout = self._layout
        if layout is None:
            return []
        losses = []
        for name, annotated in self._annotated.items():
            kept = self._moved[name] or name in layout.text_columns.values()
            if annotated and not kept:
                wants_map = name == "cpos" and not self._annotated["upos"]
                advice = "; --tag-map FILE turns tags into universal ones" if wants_map else ""
                losses.append(f"{layout.format} has no column for {name.upper()}: left out{advice}")
        if self._has_heads and layout.head_column < 0:
            losses.append(f"{layout.format} has no column for HEAD: left out")
        if self._n_lines and not layout.has_side_lines:
            losses.append(
                f"{layout.format} has no comments, multiword tokens or empty nodes: "
                f"{self._n_lines:,} line{'s' * (self._n_lines != 1)} left out"
            )
        if n := self._n_vanishing:
            losses.append(f"{n:,} sentence{'s' * (n != 1)} without words left out")
        return losses
