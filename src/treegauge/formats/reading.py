"""Reads a treebank from anywhere, in any format."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from treegauge.formats.blocks import RepairedText, in_pieces, look_ahead, sentence_blocks
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
from treegauge.treebank import EMPTY, Treebank

_MEGABYTES = 2
"""The size of blocks: threads that scan them meet less often than with one megabyte."""


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
    source : path, '-' or open file
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
    with byte_chunks(
        source, collected, on_progress, limit=max_bytes, megabytes=_MEGABYTES
    ) as chunks:
        treebank = _read_text(chunks, format, collected)
    if not (treebank.n_words or allow_empty or collected.total(Severity.ERROR)):
        add_empty_file(collected)
    if not collected.total(Severity.ERROR):
        find_tree_flaws(treebank, collected)
    if collected.total(Severity.ERROR):
        raise FormatError(str(collected.only(Severity.ERROR)), collected)
    if findings is None and collected.total(Severity.WARNING):
        warnings.warn(collected.only(Severity.WARNING).summary(), FormatWarning, stacklevel=2)
    return treebank.replace(name=bare_name(file) if name is None else name)


def add_empty_file(findings: Findings) -> None:
    """Say that a file has no words."""
    findings.add(
        "empty-file",
        line=0,
        expected="at least one sentence",
        found="none",
        advice="check that this is the right file, and that it is complete",
    )


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


class RecognisedText:
    """A text whose format is known: its blocks, and how some of them become a treebank.

    Parameters
    ----------
    chunks : iterator of bytes
        The text as it is in a file.
    format : str, optional
        The format. Default: detected.
    findings : Findings
        Collects what is wrong.
    block_bytes : int, optional
        How large blocks are at most, unless a sentence is larger; as large as chunks if missing.
    most_lines : int, optional
        How many lines a text may have.
    """

    def __init__(
        self,
        chunks: Iterator[bytes],
        format: str | None,
        findings: Findings,
        *,
        block_bytes: int | None = None,
        most_lines: int | None = None,
    ) -> None:
        self.findings = findings
        repaired = RepairedText(chunks, findings)
        self.note_line_ends = repaired.note_line_ends
        beginning, text = look_ahead(iter(repaired))
        self.format = format or detect_format(findings.file, beginning, findings)
        self.layout = file_format(self.format).layout
        self.header = ""
        self.first_line = 1
        """The line of the file at which the first block begins."""
        if block_bytes is not None:
            text = in_pieces(text, block_bytes)
        self.blocks = sentence_blocks(
            text, findings, line_is_sentence=self.layout is None, most_lines=most_lines
        )
        if self.layout is not None:
            self._look_at_columns(beginning)

    def _look_at_columns(self, beginning: bytes) -> None:
        blank = re.match(rb"(?:[ \t]*\n)*", beginning)
        blank_lines, text_start = (blank[0].count(b"\n"), blank.end()) if blank else (0, 0)
        first_line = beginning[text_start:].partition(b"\n")[0].decode(errors="replace")
        if self.layout is CONLLU and plus_columns(first_line) is not None:
            self._take_header(first_line, blank_lines)
        elif self.layout is CONLLX and _columns_of_first_word(beginning) == len(
            CONLLX_SHORT.columns
        ):
            self.layout = CONLLX_SHORT

    def _take_header(self, header: str, blank_lines: int) -> None:
        """Take the columns of CoNLL-U Plus from the first line, which is no part of a sentence."""
        columns = plus_columns(header) or ()
        names = list(plus_layout(columns).text_columns.values())
        is_complete = "FORM" in columns and len({*columns}) == len(columns)
        if blank_lines or not is_complete or len({*names}) < len(names):
            self.findings.add(
                "plus-header",
                line=blank_lines + 1,
                expected="every column once, FORM among them, in the first line",
                found=" ".join(columns) or "no columns",
                advice="name the columns of the file in its first line",
            )
            self.blocks = iter(())
            return
        rest = next(self.blocks).partition(b"\n")[2]
        self.blocks = chain([rest] if rest else [], self.blocks)
        self.layout, self.header, self.first_line = plus_layout(columns), header, 2

    @property
    def has_tagged_words(self) -> bool:
        """Whether it is tagged text, of which the format does not say what the tags are."""
        return self.layout is TAGGED or self.format == "slashed"

    def read(self, blocks: Iterable[bytes], first_line: int) -> Treebank:
        """Read some blocks, of which the first begins at a line of the file.

        The tags of tagged text are a column `tag`. The treebank is of use only if no finding is an
        error.
        """
        if self.format == TOKENS.format:
            return read_tokens(blocks, self.findings, first_line=first_line)
        if self.format == CHAT:
            return read_chat(blocks, self.findings)
        if self.layout is None:
            return read_slashed(blocks, self.findings, first_line=first_line)
        treebank = read_columns(blocks, self.layout, self.findings, first_line=first_line)
        return treebank.replace(file_header=self.header) if self.header else treebank


def _read_text(chunks: Iterator[bytes], format: str | None, findings: Findings) -> Treebank:
    recognised = RecognisedText(chunks, format, findings)
    treebank = recognised.read(recognised.blocks, recognised.first_line)
    recognised.note_line_ends()
    # With errors it is of no use; its tags need not even be UTF-8.
    if not recognised.has_tagged_words or findings.total(Severity.ERROR):
        return treebank
    return with_named_tags(treebank, tag_column_name(tags_of_words(treebank)))


def tags_of_words(treebank: Treebank) -> set[str]:
    """Return the tags of tagged text."""
    return set(treebank.columns["tag"].vocabulary) - {EMPTY, ""}


def with_named_tags(treebank: Treebank, name: str) -> Treebank:
    """Call the one tag column of tagged text what its tags are."""
    columns = dict(treebank.columns)
    columns[name] = columns.pop("tag")
    return Treebank(
        columns,
        offsets=treebank.offsets,
        first_lines=treebank.first_lines,
        file_columns=treebank.file_columns,
    )


def _columns_of_first_word(beginning: bytes) -> int:
    first = next((line for line in beginning.split(b"\n") if line.strip()), b"")
    return first.count(b"\t") + 1
