"""Reads a treebank from anywhere, in any format."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator
from itertools import chain

from treegauge.formats.blocks import look_ahead, repaired_text, sentence_blocks
from treegauge.formats.chat import FORMAT as CHAT, read_chat
from treegauge.formats.column_reader import read_columns
from treegauge.formats.detection import detect_format, tag_column_name
from treegauge.formats.file_formats import bare_name, file_format
from treegauge.formats.findings import Findings, FormatError, FormatWarning, Role, Severity
from treegauge.formats.layouts import (
    CONLLU,
    CONLLX,
    CONLLX_SHORT,
    TAGGED,
    plus_columns,
    plus_layout,
)
from treegauge.formats.slashed import read_slashed
from treegauge.formats.sources import Source, byte_chunks, source_name
from treegauge.formats.tokens import TOKENS, read_tokens
from treegauge.formats.tree_findings import find_tree_flaws
from treegauge.treebank import EMPTY, Column, Treebank


def read(
    source: Source,
    *,
    format: str | None = None,
    name: str | None = None,
    role: Role = "gold",
    strict: bool = False,
    findings: Findings | None = None,
    on_progress: Callable[[float], None] | None = None,
    max_bytes: int | None = None,
    allow_empty: bool = False,
) -> Treebank:
    """Read a treebank from a file.

    Parameters
    ----------
    source : path, `-` or open file
        `.gz` and `.xz` files are decompressed. `-` is standard input.
    format : str, optional
        One of `conllu`, `conllx`, `pascal`, `tagged`, `slashed`, `tokens`, `chat`. Default:
        detected from the name and the content of the file.
    name : str, optional
        The name of the treebank in tables. Default: the name of the file without its extension.
    role : "gold", "prediction" or "check"
        What the file is used for. The severity of a flaw depends on it.
    strict : bool
        Treat a sentence that is not a tree as an error.
    findings : Findings, optional
        Collects all findings. Without it, warnings are issued with `warnings.warn`.
    on_progress : function, optional
        Called from time to time with the share of the file that has been read.
    max_bytes : int, optional
        The largest size after decompression. Default: `TREEGAUGE_MAX_BYTES`, or 4 GiB.
    allow_empty : bool
        Return an empty treebank for a file without words, instead of raising an error.

    Returns
    -------
    Treebank
        With at least one word, unless `allow_empty` is set.

    Raises
    ------
    FormatError
        If the file cannot be used. The message and the attribute `findings` say why.

    Examples
    --------
    >>> import io
    >>> read(io.StringIO("birds\\tNOUN\\nsing\\tVERB\\n\\n"))
    <Treebank <stream>: 1 sentence, 2 words; upos>
    """
    if format is not None:
        file_format(format)  # a misspelt name is a mistake, whatever the file is like
    file = source_name(source)
    collected = findings if findings is not None else Findings()
    collected.file, collected.role, collected.strict = file, role, strict
    with byte_chunks(source, collected, on_progress, limit=max_bytes) as chunks:
        treebank = _read_text(repaired_text(chunks, collected), format, collected)
    if not (treebank.n_words or allow_empty or collected.total(Severity.ERROR)):
        collected.add(
            "empty-file",
            line=0,
            expected="at least one sentence",
            found="none",
            advice="check that this is the right file, and that it is complete",
        )
    if not collected.total(Severity.ERROR):
        find_tree_flaws(treebank, collected)
    if collected.total(Severity.ERROR):
        raise FormatError(str(collected.only(Severity.ERROR)), collected)
    if findings is None and collected.total(Severity.WARNING):
        warnings.warn(collected.only(Severity.WARNING).summary(), FormatWarning, stacklevel=2)
    return treebank.replace(name=bare_name(file) if name is None else name)


def parse(
    text: str, *, format: str | None = None, name: str = "", strict: bool = False
) -> Treebank:
    """Read a treebank from a string.

    Parameters
    ----------
    text : str
        The content of a file.
    format, name, strict
        As for `read`.

    Returns
    -------
    Treebank
        With at least one word.

    Raises
    ------
    FormatError
        If the text is not a treebank. The message says where and why.

    Examples
    --------
    >>> parse("birds/NOUN sing/VERB\\n")
    <Treebank: 1 sentence, 2 words; upos>
    """
    return read(io.StringIO(text), format=format, name=name, strict=strict)


def read_block(
    block: bytes, format: str, findings: Findings, *, tag_column: str | None = None
) -> Treebank:
    """Read whole sentences of a known format; the tags of tagged text are a column by name.

    The treebank is of use only if no finding is an error.
    """
    return _read_text(iter([block]), format, findings, tag_column)


def _read_text(
    text: Iterator[bytes], format: str | None, findings: Findings, tag_column: str | None = None
) -> Treebank:
    beginning, text = look_ahead(text)
    if format is None:
        format = detect_format(findings.file, beginning, findings)
    layout = file_format(format).layout
    blocks = sentence_blocks(text, findings, line_is_sentence=layout is None)
    if format == TOKENS.format:
        return read_tokens(blocks, findings)
    if format == CHAT:
        return read_chat(blocks, findings)
    if layout is None:
        return _with_named_tags(read_slashed(blocks, findings), findings, tag_column)
    blank = re.match(rb"(?:[ \t]*\n)*", beginning)
    blank_lines, text_start = (blank[0].count(b"\n"), blank.end()) if blank else (0, 0)
    first_line = beginning[text_start:].partition(b"\n")[0].decode(errors="replace")
    if layout is CONLLU and plus_columns(first_line) is not None:
        return _read_plus(blocks, first_line, blank_lines, findings)
    if layout is CONLLX and _columns_of_first_word(beginning) == len(CONLLX_SHORT.columns):
        layout = CONLLX_SHORT
    treebank = read_columns(blocks, layout, findings)
    return _with_named_tags(treebank, findings, tag_column) if layout is TAGGED else treebank


def _read_plus(
    blocks: Iterator[bytes], header: str, blank_lines: int, findings: Findings
) -> Treebank:
    columns = plus_columns(header) or ()
    names = list(plus_layout(columns).text_columns.values())
    is_complete = "FORM" in columns and len({*columns}) == len(columns)
    if blank_lines or not is_complete or len({*names}) < len(names):
        findings.add(
            "plus-header",
            line=blank_lines + 1,
            expected="every column once, FORM among them, in the first line",
            found=" ".join(columns) or "no columns",
            advice="name the columns of the file in its first line",
        )
        return read_columns([], CONLLU, findings)
    rest = next(blocks).partition(b"\n")[2]
    sentences = chain([rest] if rest else [], blocks)
    treebank = read_columns(sentences, plus_layout(columns), findings, first_line=2)
    return treebank.replace(file_header=header)


def _with_named_tags(treebank: Treebank, findings: Findings, name: str | None) -> Treebank:
    """Call the one tag column of tagged text what its tags are."""
    if findings.total(Severity.ERROR):  # of no use; its tags need not even be UTF-8
        return treebank
    tags: Column = treebank.columns["tag"]
    columns = dict(treebank.columns)
    del columns["tag"]
    columns[name or tag_column_name(set(tags.vocabulary) - {EMPTY, ""})] = tags
    return Treebank(
        columns,
        offsets=treebank.offsets,
        first_lines=treebank.first_lines,
        file_columns=treebank.file_columns,
    )


def _columns_of_first_word(beginning: bytes) -> int:
    first = next((line for line in beginning.split(b"\n") if line.strip()), b"")
    return first.count(b"\t") + 1
