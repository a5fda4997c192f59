"""From raw chunks to blocks of whole sentences, repaired and checked as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

import numpy as np

from treegauge.formats._text_numba import count_line_ends, is_utf8
from treegauge.formats.findings import Findings, FormatError, Severity
from treegauge.formats.limits import shown_size

_BOM = b"\xef\xbb\xbf"
_BLANK_BEGINNING = re.compile(rb"(?:[ \t\r]*\n|[ \t]*\xef\xbb\xbf)*")
# Twice converted, a line ends in CR CR LF; the look-behind keeps a run of CR linear.
_WINDOWS_LINE_END = re.compile(rb"(?<!\r)\r+\n")
_TO_LAST_SPACED_BLANK_LINE = re.compile(rb".*\n[ \t]+\n", re.DOTALL)
_LOOKED_AT = 1 << 20
_LONGEST_BEGINNING = 1 << 24
"""Bytes of blank lines, and of a first line, that are kept to tell the format."""
_MOST_LINES = (1 << 31) - 1
"""Numbers of lines are 32 bits."""
_LONGEST_SENTENCE = 1 << 28
"""Bytes of text; no sentence of words comes near, and positions in a block are 32 bits."""


class RepairedText:
    """Gives chunks whose lines end in LF.

    A byte-order mark and Windows line ends are taken away. The mark is noted where it is found,
    line ends when `note_line_ends` is called, once everything else was said of the text.
    """

    def __init__(self, chunks: Iterator[bytes], findings: Findings) -> None:
        self._chunks = chunks
        self._findings = findings
        self._windows_lines = 0
        self._is_read = False

    def __iter__(self) -> Iterator[bytes]:
        held = b""
        for raw in _without_marks(self._chunks, self._findings):
            chunk = held + raw
            # The line feed that belongs to a final carriage return may be in the next chunk.
            held = chunk[max(len(chunk.rstrip(b"\r")), len(chunk) - _LOOKED_AT) :]
            chunk = chunk[: len(chunk) - len(held)]
            if b"\r" in chunk:
                chunk, replaced = _WINDOWS_LINE_END.subn(b"\n", chunk)
                self._windows_lines += replaced
            yield chunk
        if held.startswith(b"\r"):  # the file ends between CR and LF
            self._windows_lines += 1
            held = b"\n"
        yield held
        self._is_read = True

    def note_line_ends(self) -> None:
        """Note how many lines ended otherwise, if the text was read to its end."""
        if self._windows_lines and self._is_read:
            self._findings.add(
                "line-ends",
                line=1,
                expected="lines that end in LF",
                found=f"{self._windows_lines:,} that end in CR LF",
                advice="they are read and written as LF",
            )


def look_ahead(text: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return the first sentences, which tell the format, and the text with them in it.

    Where there is no blank line, the first sentences are the first megabyte.
    """
    blank, content = bytearray(), bytearray()
    chunks = []
    for chunk in text:
        chunks.append(chunk)
        more = chunk if content else chunk.lstrip(b"\n")
        blank += chunk[: len(chunk) - len(more)]
        content += more
        # The rest of a blank line may be in this chunk, and nothing older.
        if b"\n\n" in content[-len(chunk) - 1 :] or (
            len(content) >= _LOOKED_AT and b"\n" in content
        ):
            break
        if len(blank) + len(content) >= _LONGEST_BEGINNING:
            break
    end = content.rfind(b"\n\n") + 2
    return bytes(blank + content[: end if end > 1 else None]), chain(chunks, text)


def in_pieces(text: Iterator[bytes], size: int) -> Iterator[bytes]:
    """Give a text in pieces of at most some bytes, cut anywhere."""
    for chunk in text:
        for first in range(0, len(chunk), size):
            yield chunk[first : first + size]


def sentence_blocks(
    text: Iterator[bytes],
    findings: Findings,
    *,
    line_is_sentence: bool = False,
    most_lines: int | None = None,
) -> Iterator[bytes]:
    """Give blocks that end with a sentence (the last one perhaps not); check their encoding."""
    line = 1
    most_lines = _MOST_LINES if most_lines is None else most_lines
    for block in _whole_sentences(text, findings, line_is_sentence=line_is_sentence):
        _check_encoding(block, line, findings)
        _check_nul_bytes(block, line, findings)
        line += count_lines(block)
        if line > most_lines:
            raise _too_much(findings, f"at most {most_lines:,} lines", "are they all needed?")
        yield block


def count_lines(text: bytes) -> int:
    """Return the number of line ends; many times faster than `bytes.count` on short lines."""
    return int(count_line_ends(np.frombuffer(text, np.uint8)))


def _without_marks(chunks: Iterator[bytes], findings: Findings) -> Iterator[bytes]:
    """Take byte-order marks away from the beginning, also from behind blank lines and spaces.

    Neither is written again at the beginning, and a mark must not become the first
    character of the file then.
    """
    beginning = b""
    for chunk in chunks:
        if not beginning and not chunk.strip(b" \t\r\n"):
            yield chunk  # never kept: there may be gigabytes of it
            continue
        beginning += chunk
        if len(beginning) >= _LOOKED_AT or beginning.strip(b" \t\r\n" + _BOM):
            break
    match = _BLANK_BEGINNING.match(beginning)
    end = match.end() if match else 0
    if _BOM in beginning[:end]:
        beginning = beginning[:end].replace(_BOM, b"") + beginning[end:]
        findings.add(
            "byte-order-mark",
            line=1,
            expected="the first line of the text",
            found="a byte-order mark",
            advice="it is left out",
        )
    yield beginning
    yield from chunks


def _whole_sentences(
    chunks: Iterator[bytes], findings: Findings, *, line_is_sentence: bool
) -> Iterator[bytes]:
    pending: list[bytes] = []
    for chunk in chunks:
        cut = _end_of_last_sentence(chunk, line_is_sentence=line_is_sentence)
        if not cut:
            pending.append(chunk)
            if sum(map(len, pending)) > _LONGEST_SENTENCE:
                longest = f"sentences of at most {shown_size(_LONGEST_SENTENCE)}"
                end = "line end" if line_is_sentence else "blank line"
                raise _too_much(findings, longest, f"is there a {end} after every sentence?")
            continue
        yield b"".join([*pending, memoryview(chunk)[:cut]])
        pending = [chunk[cut:]]
    rest = b"".join(pending)
    if rest:
        yield rest


def _too_much(findings: Findings, expected: str, advice: str) -> FormatError:
    findings.add("size", line=0, expected=expected, found="more", advice=advice)
    return FormatError(str(findings.only(Severity.ERROR)), findings)


def _end_of_last_sentence(chunk: bytes, *, line_is_sentence: bool) -> int:
    """Return where a chunk can be cut, 0 if nowhere."""
    if line_is_sentence:
        return chunk.rfind(b"\n") + 1
    blank = chunk.rfind(b"\n\n")
    if blank >= 0:
        return blank + 2
    # Looked for only here: a file has blank lines with spaces throughout or hardly any.
    spaced = _TO_LAST_SPACED_BLANK_LINE.match(chunk)
    return spaced.end() if spaced else 0


def _check_nul_bytes(block: bytes, first_line: int, findings: Findings) -> None:
    if b"\0" not in block:
        return
    for number, line in enumerate(block.split(b"\n"), start=first_line):
        if b"\0" in line:
            findings.add(
                "nul-byte",
                line=number,
                expected="text",
                found="a NUL byte",
                advice="the file is damaged or not text; `tr -d '\\000'` removes NUL bytes",
            )


def _check_encoding(block: bytes, first_line: int, findings: Findings) -> None:
    if is_utf8(np.frombuffer(block, np.uint8)):
        return
    cut_off = False
    try:
        block.decode()
    except UnicodeDecodeError as error:
        cut_off = error.reason == "unexpected end of data" and error.end == len(block)
    if cut_off:
        findings.add(
            "truncated-file",
            line=first_line + count_lines(block),
            expected="a whole character",
            found="the end of the file",
            advice="the file was cut off; download or write it again",
        )
        return
    for number, line in enumerate(block.split(b"\n"), start=first_line):
        try:
            line.decode()
        except UnicodeDecodeError as error:
            findings.add(
                "encoding",
                line=number,
                expected="UTF-8",
                found=f"byte 0x{line[error.start]:02x}",
                advice="convert the file, for example with `iconv -f LATIN1 -t UTF-8`",
            )
