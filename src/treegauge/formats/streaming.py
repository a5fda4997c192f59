"""Reads a text of any size piece by piece, for those who need no more than a look at each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from treegauge.formats.blocks import count_lines, look_ahead, repaired_text, sentence_blocks
from treegauge.formats.detection import detect_format
from treegauge.formats.file_formats import file_format
from treegauge.formats.findings import Findings, FormatError, Severity
from treegauge.formats.layouts import plus_columns
from treegauge.formats.reading import read_block
from treegauge.formats.sources import Source, byte_chunks, source_name
from treegauge.treebank import Treebank


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
        beginning, text = look_ahead(repaired_text(chunks, findings))
        format = format or detect_format(findings.file, beginning, findings)
        layout = file_format(format).layout
        first_line = beginning.lstrip(b"\n").partition(b"\n")[0]
        # Only the first block of a CoNLL-U Plus file names its columns.
        is_plus = plus_columns(first_line.decode(errors="replace")) is not None
        header = first_line + b"\n" if is_plus and format == "conllu" else b""
        line, tag_column = 0, None
        for block in sentence_blocks(text, findings, line_is_sentence=layout is None):
            added = header if line else b""
            own = Findings(findings.file)
            piece = read_block(added + block, format, own, tag_column=tag_column)
            for one in own.listed:
                findings.add(
                    one.kind,
                    line=one.line + line - count_lines(added),
                    expected=one.expected,
                    found=one.found,
                    advice=one.advice,
                    sentence=one.sentence,
                )
            if findings.total(Severity.ERROR):
                raise FormatError(str(findings.only(Severity.ERROR)), findings)
            line += count_lines(block)
            if tag_column is None:
                tag_column = "upos" if piece.upos.is_annotated else "xpos"
            if piece.n_words:
                yield piece
    if findings.total(Severity.ERROR):
        raise FormatError(str(findings.only(Severity.ERROR)), findings)
