"""Writes a treebank in any format, and says what the format has no place for."""

from __future__ import annotations

import io
from collections.abc import Iterator

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
from treegauge.treebank import UD_TAGS, Column, Treebank, tag_column


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
    target : path, `-` or open file
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
    if format is None:
        format = format_of_name(source_name(target)) or "conllu"
    chunks, losses = _rendered(treebank, file_format(format), tags)
    write_chunks(target, chunks)
    return losses


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


def _rendered(
    treebank: Treebank, target: FileFormat, tags: str | None
) -> tuple[Iterator[bytes], list[str]]:
    layout = target.layout
    if not target.is_written:
        raise FormatError(
            f"{target.name} can be read but not written\n  write conllu, which can hold all of it"
        )
    if target.name == TOKENS.format:
        return token_lines(treebank), _losses(treebank, treebank, TOKENS)
    if layout is None or layout is TAGGED:
        tagged = _with_tag(treebank, tags)
        lines = slashed_lines(tagged) if layout is None else column_lines(tagged, layout)
        return lines, _losses(treebank, tagged, ColumnLayout(target.name, TAGGED.columns))
    if tags:
        # Coarse tags are what they were, also where the file has none of its own.
        coarse = treebank.cpos if treebank.cpos.is_annotated else treebank.upos
        treebank = _with_universal_tags(treebank, target.name, tags)
        treebank = treebank.replace(columns={"cpos": coarse}) if layout is not CONLLU else treebank
    own_layout = layout_of_file(treebank.file_columns, treebank.file_header, target.name)
    if own_layout is not None:
        lines = _with_plus_header(treebank, own_layout)
        return lines, _losses(treebank, treebank, own_layout)
    converted = _converted(treebank, layout)
    return column_lines(converted, layout), _losses(treebank, converted, layout)


def _with_plus_header(treebank: Treebank, layout: ColumnLayout) -> Iterator[bytes]:
    if treebank.file_header:
        yield f"{treebank.file_header}\n".encode()
    yield from column_lines(treebank, layout)


def _with_tag(treebank: Treebank, tags: str | None) -> Treebank:
    if not tags and treebank.file_columns == TAGGED.columns and not treebank.xpos.is_annotated:
        return treebank.replace(columns={"tag": treebank.upos})  # also where all tags are _
    which = tags or ("u" if treebank.upos.is_annotated else "p")
    return treebank.replace(columns={"tag": tag_column(treebank, which).column})


def _with_universal_tags(treebank: Treebank, format: str, tags: str) -> Treebank:
    if tags not in ("u", "u12"):
        raise FormatError(f"{format} has a column for every kind of tags; --tags is u or u12 there")
    return treebank.replace(columns={"upos": tag_column(treebank, tags).column})


def _converted(treebank: Treebank, layout: ColumnLayout) -> Treebank:
    """Fill the tag columns that a format has and the treebank's file had not.

    CPOSTAG falls back to universal tags and POSTAG to CPOSTAG, as in the challenge; UPOS
    takes CPOSTAG only if those are universal tags.
    """
    columns: dict[str, Column] = {}
    upos, xpos, cpos = treebank.upos, treebank.xpos, treebank.cpos
    if layout is CONLLU:
        if not upos.is_annotated and _is_universal(cpos):
            columns["upos"] = cpos
    else:
        columns["cpos"] = cpos if cpos.is_annotated else upos
        columns["xpos"] = xpos if xpos.is_annotated else columns["cpos"]
    return treebank.replace(columns=columns)


def _is_universal(tags: Column) -> bool:
    return tags.is_annotated and set(tags.counts()) <= UD_TAGS


def _losses(treebank: Treebank, converted: Treebank, layout: ColumnLayout) -> list[str]:
    kept = set(layout.text_columns.values())
    losses = []
    for name, column in treebank.columns.items():
        moved = name == "cpos" and layout is CONLLU and converted.upos is column
        moved = moved or (name == "upos" and converted.cpos is column)
        moved = moved or (name == "cpos" and column == treebank.xpos)
        moved = moved or converted.columns.get("tag") is column
        if name not in kept and not moved and column.is_annotated:
            wants_map = name == "cpos" and not treebank.upos.is_annotated
            advice = "; --tag-map FILE turns tags into universal ones" if wants_map else ""
            losses.append(f"{layout.format} has no column for {name.upper()}: left out{advice}")
    if treebank.has_heads and layout.head_column < 0:
        losses.append(f"{layout.format} has no column for HEAD: left out")
    n_lines = len(treebank.side_lines)
    if n_lines and not layout.has_side_lines:
        losses.append(
            f"{layout.format} has no comments, multiword tokens or empty nodes: "
            f"{n_lines:,} line{'s' * (n_lines != 1)} left out"
        )
    vanishing = treebank.lengths == 0
    if layout.has_side_lines:  # comments alone are enough for a sentence
        vanishing &= np.diff(treebank.side_lines.bounds(treebank.n_sentences)) == 0
    if n := int(vanishing.sum()):
        losses.append(f"{n:,} sentence{'s' * (n != 1)} without words left out")
    return losses
