"""From raw chunks to blocks of whole sentences, repaired and checked as text."""

from __future__ import annotations

import gzip
import lzma
import re
import zlib
from collections.abc import Iterator
from itertools import chain

import numpy as np

from treegauge.formats._text_numba import count_line_ends, is_utf8
from treegauge.formats.findings import Findings
from treegauge.formats.sources import ARCHIVE, archived

_BOM = b"\xef\xbb\xbf"
_BLANK_BEGINNING = re.compile(rb"(?:[ \t\r]*\n|[ \t]*\xef\xbb\xbf)*")
# Twice converted, a line ends in CR CR LF; the look-behind keeps a run of CR linear.
_WINDOWS_LINE_END = re.compile(rb"(?<!\r)\r+\n")
_TO_LAST_SPACED_BLANK_LINE = re.compile(rb".*\n[ \t]+\n", re.DOTALL)
_LOOKED_AT = 1 << 20


def repaired_text(chunks: Iterator[bytes], findings: Findings) -> Iterator[bytes]:
    """Give chunks whose lines end in LF.

    A byte-order mark and Windows line ends are taken away with a note; broken compression
    is a finding.
    """
    return _repaired(_decompressed(chunks, findings), findings)


def look_ahead(text: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return the first sentences, which tell the format, and the text with them in it.

    Where there is no blank line, the first sentences are the first megabyte.
    """
    beginning = content = b""
    for chunk in text:
        beginning += chunk
        content = beginning.lstrip(b"\n")
        if b"\n\n" in content or (len(content) >= _LOOKED_AT and b"\n" in content):
            break
    cut_off = len(content) - content.rfind(b"\n\n") - 2 if b"\n\n" in content else 0
    return beginning[: len(beginning) - cut_off], chain([beginning], text)


def sentence_blocks(
    text: Iterator[bytes], findings: Findings, *, line_is_sentence: bool = False
) -> Iterator[bytes]:
    """Give blocks that end with a sentence (the last one perhaps not); check their encoding."""
    line = 1
    for block in _whole_sentences(text, line_is_sentence=line_is_sentence):
        _check_encoding(block, line, findings)
        line += count_lines(block)
        yield block


def count_lines(text: bytes) -> int:
    """Return the number of line ends; many times faster than `bytes.count` on short lines."""
    return int(count_line_ends(np.frombuffer(text, np.uint8)))


def _decompressed(chunks: Iterator[bytes], findings: Findings) -> Iterator[bytes]:
    try:
        yield from chunks
    except EOFError:
        findings.add(
            "truncated-file",
            line=0,
            expected="the end of the compressed data",
            found="the end of the file",
            advice="the file was cut off; fetch or write it again",
        )
    except (gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
        findings.add(
            "compression",
            line=0,
            expected=f"compressed data ({'xz' if isinstance(error, lzma.LZMAError) else 'gzip'})",
            found=str(error).lower(),
            advice="the file is damaged, or its name ends in .gz or .xz although it is plain",
        )


def _without_marks(chunks: Iterator[bytes], findings: Findings) -> Iterator[bytes]:
    """Take byte-order marks away from the beginning, also from behind blank lines and spaces.

    Neither is written again at the beginning, and a mark must not become the first
    character of the file then.
    """
    beginning = b""
    for chunk in chunks:
        beginning += chunk
        if beginning.strip(b" \t\r\n" + _BOM):
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
    # Blanks before it would not be written again.
    if beginning.lstrip().startswith(ARCHIVE):
        raise archived(findings)
    yield beginning
    yield from chunks


def _repaired(chunks: Iterator[bytes], findings: Findings) -> Iterator[bytes]:
    held = b""
    windows_lines = 0
    for raw in _without_marks(chunks, findings):
        chunk = held + raw
        # The line feed that belongs to a final carriage return may be in the next chunk.
        held = chunk[len(chunk.rstrip(b"\r")) :]
        chunk = chunk[: len(chunk) - len(held)]
        if b"\r" in chunk:
            chunk, replaced = _WINDOWS_LINE_END.subn(b"\n", chunk)
            windows_lines += replaced
        yield chunk
    if held.startswith(b"\r"):  # the file ends between CR and LF
        windows_lines += 1
        held = b"\n"
    yield held
    if windows_lines:
        findings.add(
            "line-ends",
            line=1,
            expected="lines that end in LF",
            found=f"{windows_lines:,} that end in CR LF",
            advice="they are read as LF, and written so",
        )


def _whole_sentences(chunks: Iterator[bytes], *, line_is_sentence: bool) -> Iterator[bytes]:
    pending: list[bytes] = []
    for chunk in chunks:
        cut = _end_of_last_sentence(chunk, line_is_sentence=line_is_sentence)
        if not cut:
            pending.append(chunk)
            continue
        yield b"".join([*pending, memoryview(chunk)[:cut]])
        pending = [chunk[cut:]]
    rest = b"".join(pending)
    if rest:
        yield rest


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
            advice="the file was cut off; fetch or write it again",
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
