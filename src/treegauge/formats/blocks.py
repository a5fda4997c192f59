"""From raw chunks to blocks of whole sentences, repaired and checked as text."""

from __future__ import annotations

import gzip
import lzma
import re
import zlib
from collections.abc import Iterator

import numpy as np

from treegauge.formats.findings import Findings

_BOM = b"\xef\xbb\xbf"
# Twice converted, a line ends in CR CR LF; the look-behind keeps a run of CR linear.
_WINDOWS_LINE_END = re.compile(rb"(?<!\r)\r+\n")


def sentence_blocks(chunks: Iterator[bytes], findings: Findings) -> Iterator[bytes]:
    """Give blocks that end with a blank line (the last one perhaps not), lines ending in LF.

    A byte-order mark and Windows line ends are taken away with a note; broken UTF-8 and
    broken compression are findings.
    """
    line = 1
    for block in _whole_sentences(_repaired(_decompressed(chunks, findings), findings)):
        _check_encoding(block, line, findings)
        line += count_lines(block)
        yield block


def count_lines(text: bytes) -> int:
    """Return the number of line ends; many times faster than `bytes.count` on short lines."""
    return int(np.count_nonzero(np.frombuffer(text, np.uint8) == ord("\n")))


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
            expected=f"compressed data ({'gzip' if findings.file.endswith('.gz') else 'xz'})",
            found=str(error).lower(),
            advice="the file is damaged, or its name ends in .gz or .xz although it is plain",
        )


def _repaired(chunks: Iterator[bytes], findings: Findings) -> Iterator[bytes]:
    held = b""
    at_start = True
    windows_lines = 0
    for raw in chunks:
        chunk = held + raw
        if at_start and len(chunk) < len(_BOM) and _BOM.startswith(chunk):
            held = chunk
            continue
        # The line feed that belongs to a final carriage return may be in the next chunk.
        held = chunk[len(chunk.rstrip(b"\r")) :]
        chunk = chunk[: len(chunk) - len(held)]
        if at_start and chunk.startswith(_BOM):
            chunk = chunk[len(_BOM) :]
            findings.add(
                "byte-order-mark",
                line=1,
                expected="the first line of the text",
                found="a byte-order mark",
                advice="it is left out",
            )
        at_start = False
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


def _whole_sentences(chunks: Iterator[bytes]) -> Iterator[bytes]:
    pending: list[bytes] = []
    for chunk in chunks:
        cut = chunk.rfind(b"\n\n")
        if cut < 0:
            pending.append(chunk)
            continue
        yield b"".join([*pending, chunk[: cut + 2]])
        pending = [chunk[cut + 2 :]]
    rest = b"".join(pending)
    if rest:
        yield rest


def _check_encoding(block: bytes, first_line: int, findings: Findings) -> None:
    try:
        block.decode()
        return
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
