"""Reads a text of any length part by part, in memory that does not depend on the length.

A part is a treebank of whole sentences, with the lines of the file. All parts together say of the
file what `read` says: the same findings, the same errors, and in the end an error for a file that
cannot be used, so that whatever was made of earlier parts is thrown away.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from treegauge.formats.blocks import count_lines
from treegauge.formats.chat import FORMAT as CHAT
from treegauge.formats.detection import tag_column_name
from treegauge.formats.file_formats import bare_name, file_format
from treegauge.formats.findings import Findings, FormatError, Severity
from treegauge.formats.limits import max_stream_bytes
from treegauge.formats.reading import (
    RecognisedText,
    add_empty_file,
    tags_of_words,
    with_named_tags,
)
from treegauge.formats.sources import Source, byte_chunks, source_name
from treegauge.formats.tree_findings import TREE_KINDS, find_tree_flaws
from treegauge.treebank import Treebank

PART_BYTES = 4 << 20
"""How much text makes a part: about 100,000 words."""

MOST_FINDINGS = 10_000
"""How many findings of a kind are kept where all of them were asked for."""


class TreebankStream:
    """A treebank of any length, as parts of whole sentences; it is read once.

    Parameters
    ----------
    source, format, on_progress
        As for `read`.
    findings : Findings, optional
        Collects all findings, as in `read`, for its role; at most 10,000 of a kind are kept.
    max_bytes : int, optional
        The largest size after decompression. Default: any, unless `TREEGAUGE_MAX_BYTES` is set.
    tag_column : str, optional
        The column of the tags of tagged text. Default: the first part decides.
    part_bytes : int, optional
        How much text makes a part.

    Examples
    --------
    >>> import io
    >>> parts = TreebankStream(io.StringIO("birds/NOUN sing/VERB\\n" * 3), part_bytes=30)
    >>> [part.n_sentences for part in parts]
    [2, 1]
    """

    def __init__(
        self,
        source: Source,
        *,
        findings: Findings | None = None,
        format: str | None = None,
        on_progress: Callable[[float], None] | None = None,
        max_bytes: int | None = None,
        tag_column: str | None = None,
        part_bytes: int | None = None,
    ) -> None:
        if format is not None:
            file_format(format)
        self.source = source
        self.format = format
        self.findings = Findings() if findings is None else findings
        self.findings.file = source_name(source)
        self.findings.most = min(self.findings.most, MOST_FINDINGS)
        self.name = bare_name(self.findings.file)
        self.n_sentences = 0
        """How many were given so far."""
        self.n_words = 0
        self._on_progress = on_progress
        self._max_bytes = max_stream_bytes() if max_bytes is None else max_bytes
        self._tag_column = tag_column
        self._tags: set[str] = set()
        self._part_bytes = part_bytes or PART_BYTES
        self._of_trees = Findings(
            self.findings.file, role=self.findings.role, strict=self.findings.strict
        )
        self._of_trees.most = self.findings.most

    def __iter__(self) -> Iterator[Treebank]:
        """Give the parts; none is given after the first error.

        Raises
        ------
        FormatError
            At the end, if the file cannot be used; all of it was looked at, as `read` does.
        """
        findings = self.findings
        limit = self._max_bytes
        with byte_chunks(self.source, findings, self._on_progress, limit=limit) as chunks:
            text = RecognisedText(
                chunks,
                self.format,
                findings,
                block_bytes=self._part_bytes,
                most_lines=sys.maxsize,
            )
            size = sys.maxsize if text.format == CHAT else self._part_bytes
            line = text.first_line
            for block in text.blocks:
                blocks = _Portion(block, text.blocks, size)
                part = text.read(blocks, line)
                line += blocks.n_lines
                if findings.total(Severity.ERROR):
                    continue
                find_tree_flaws(part, self._of_trees)
                if part.n_sentences and not self._of_trees.total(Severity.ERROR):
                    yield self._counted(part, text)
            text.note_line_ends()
        self._end()

    def _counted(self, part: Treebank, text: RecognisedText) -> Treebank:
        self.n_sentences += part.n_sentences
        self.n_words += part.n_words
        if text.has_tagged_words:
            part = with_named_tags(part, self._name_of_tags(part))
        return part.replace(name=self.name)

    def _name_of_tags(self, part: Treebank) -> str:
        """Return what the tags of tagged text are, which the first part decides for all."""
        if self._tag_column is not None:
            return self._tag_column
        is_first = self.n_sentences == part.n_sentences
        before = tag_column_name(self._tags)
        self._tags |= tags_of_words(part)
        now = tag_column_name(self._tags)
        if now != before and not is_first:
            raise FormatError(
                f"{self.findings.file}: the first tags are universal and later ones are not, "
                "so that a stream cannot tell which column they are\n  read it with --no-stream"
            )
        return now

    def _end(self) -> None:
        findings = self.findings
        # Sentences that are no trees, and were not given, have words as well.
        is_flawed = findings.total(Severity.ERROR) or self._of_trees.total(Severity.ERROR)
        if not self.n_words and not is_flawed:
            add_empty_file(findings)
        if not findings.total(Severity.ERROR):
            findings.add_all(self._of_trees, TREE_KINDS)
        if findings.total(Severity.ERROR):
            raise FormatError(str(findings.only(Severity.ERROR)), findings)


class _Portion:
    """Blocks of one part, which are asked for one by one."""

    def __init__(self, first: bytes, others: Iterator[bytes], size: int) -> None:
        self._first, self._others, self._size = first, others, size
        self.n_lines = 0

    def __iter__(self) -> Iterator[bytes]:
        block: bytes | None = self._first
        missing = self._size
        while block is not None:
            self.n_lines += count_lines(block)
            missing -= len(block)
            yield block
            block = next(self._others, None) if missing > 0 else None


def read_pieces(
    source: Source,
    *,
    format: str | None = None,
    on_progress: Callable[[float], None] | None = None,
    max_bytes: int | None = None,
) -> Iterator[Treebank]:
    """Read a treebank in pieces of about a megabyte, each a treebank of whole sentences.

    Memory is that of one piece, however long the text is. Heads are not looked at. Parameters
    are those of `read`. Whether the tags of tagged text are universal is decided by the first
    piece, for all of them.

    Raises
    ------
    FormatError
        At the first piece that cannot be read.

    Examples
    --------
    >>> import io
    >>> [piece.n_words for piece in read_pieces(io.StringIO("birds/NOUN sing/VERB\\n"))]
    [2]
    """
    findings = Findings(source_name(source))
    with byte_chunks(source, findings, on_progress, limit=max_bytes) as chunks:
        text = RecognisedText(chunks, format, findings)
        line, tag_column = text.first_line, None
        for block in text.blocks:
            piece = text.read([block], line)
            line += count_lines(block)
            if findings.total(Severity.ERROR):
                raise FormatError(str(findings.only(Severity.ERROR)), findings)
            if text.has_tagged_words:
                tag_column = tag_column or tag_column_name(tags_of_words(piece))
                piece = with_named_tags(piece, tag_column)
            if piece.n_words:
                yield piece
    if findings.total(Severity.ERROR):
        raise FormatError(str(findings.only(Severity.ERROR)), findings)
