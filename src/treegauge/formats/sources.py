"""Bytes in and bytes out: paths, open files, standard streams, compression.

This is the door through which all files of users come in: treebanks, dictionaries, settings,
tables. What is damaged, endless, or no text at all is said here, in one way for all of them.
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import lzma
import os
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO

from treegauge.errors import reason_of
from treegauge.formats.findings import Findings, FormatError, Severity
from treegauge.formats.limits import max_bytes, shown_size
from treegauge.formats.reading_ahead import made_ahead
from treegauge.formats.signatures import LOOKED_AT, recognise
from treegauge.kernels import threads
from treegauge.temporaries import replacing
from treegauge.wording import text_of_name

Source = str | os.PathLike[str] | IO[Any]
"""Where treebanks are read from and written to: a path, `-`, or an open file."""

_CHUNK = 1 << 20
_MAGIC = {".gz": b"\x1f\x8b", ".xz": b"\xfd7zXZ\x00"}
"""How compressed data begins."""
_BLANK = b" \t\r\n\xef\xbb\xbf"
"""White space, and the bytes of a byte-order mark."""


def source_name(source: Source) -> str:
    """Return what messages call a source."""
    if isinstance(source, (str, os.PathLike)):
        return "<stdin>" if str(source) == "-" else text_of_name(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "<stream>"


@contextlib.contextmanager
def byte_chunks(
    source: Source,
    findings: Findings,
    on_progress: Callable[[float], None] | None = None,
    *,
    expected: str = "a treebank",
    limit: int | None = None,
    megabytes: int = 1,
) -> Iterator[Iterator[bytes]]:
    """Open a source and give its bytes, decompressed, in chunks of some megabytes.

    Damaged compression is a finding behind which the chunks end, so that what comes before
    is checked as well; readers look whether there are errors among the findings.

    Parameters
    ----------
    expected : str
        What the source should be, for messages.
    limit : int, optional
        How many bytes to give at most; `TREEGAUGE_MAX_BYTES` when missing.
    megabytes : int
        The size of a chunk.

    Raises
    ------
    FormatError
        If the source cannot be opened or read, is larger than the limit, or is no text (a PDF
        file, UTF-16); the finding is added.
    """
    limit = max_bytes() if limit is None else limit

    def checked(stream: IO[Any], ending: str = "") -> Iterator[bytes]:
        chunks = _chunks(stream, findings, ending=ending, size=megabytes * _CHUNK)
        if ending in _MAGIC and threads() > 1:
            chunks = made_ahead(chunks)
        content = _undamaged(chunks, findings)
        return _bounded(_text_only(content, findings, expected), findings, limit)

    if not isinstance(source, (str, os.PathLike)):
        yield checked(source)
    elif str(source) == "-":
        if sys.stdin is None:
            raise _unreadable(OSError(errno.EBADF, "standard input is closed"), findings)
        yield checked(sys.stdin)
    else:
        path = Path(source)
        try:
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, "is a folder, not a file")
            raw = path.open("rb")
        except OSError as error:
            raise _unreadable(error, findings) from None
        with raw:
            yield _watched(checked(raw, path.suffix.lower()), raw, on_progress)


def _chunks(stream: IO[Any], findings: Findings, *, ending: str, size: int) -> Iterator[bytes]:
    try:
        with decompressing(stream, ending) as plain:
            while chunk := plain.read(size):
                yield chunk
    except gzip.BadGzipFile:  # an OSError, but one about the content
        raise
    except OSError as error:
        raise _unreadable(error, findings) from None


def _undamaged(chunks: Iterator[bytes], findings: Findings) -> Iterator[bytes]:
    try:
        yield from chunks
    except EOFError:
        findings.add(
            "truncated-file",
            line=0,
            expected="the end of the compressed data",
            found="the end of the file",
            advice="the file was cut off; download or write it again",
        )
    except (gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
        findings.add(
            "compression",
            line=0,
            expected=f"compressed data ({'xz' if isinstance(error, lzma.LZMAError) else 'gzip'})",
            found=str(error).lower(),
            advice="the file is damaged, or its name ends in .gz or .xz although it is plain",
        )


def _text_only(chunks: Iterator[bytes], findings: Findings, expected: str) -> Iterator[bytes]:
    """Refuse what is no text by its first bytes; blanks before them are not written again."""
    beginning = b""
    for chunk in chunks:
        if not beginning and not chunk.lstrip(_BLANK):
            yield chunk
            continue
        beginning += chunk
        if len(beginning) >= LOOKED_AT:
            break
    _refuse_binary(beginning.lstrip(_BLANK), findings, expected)
    yield beginning
    yield from chunks


def _refuse_binary(content: bytes, findings: Findings, expected: str) -> None:
    seen = recognise(content)
    if seen is None:
        return
    is_encoding = seen.kind == "encoding"
    wanted = "UTF-8" if is_encoding else expected
    findings.add(seen.kind, line=0, expected=wanted, found=seen.found, advice=seen.advice)
    message = f"{findings.file}: this is {seen.found}, not {expected}\n  {seen.advice}"
    raise FormatError(str(findings.only(Severity.ERROR)) if is_encoding else message, findings)


def _bounded(chunks: Iterator[bytes], findings: Findings, limit: int) -> Iterator[bytes]:
    total = 0
    for chunk in chunks:
        total += len(chunk)
        if total > limit:
            findings.add(
                "size",
                line=0,
                expected=f"at most {shown_size(limit)} after decompression",
                found="more",
                advice="does the file end at all? if it does, --max-bytes SIZE, or the variable "
                "TREEGAUGE_MAX_BYTES, allows more",
            )
            raise FormatError(str(findings.only(Severity.ERROR)), findings)
        yield chunk


class _Peeked:
    """The bytes of a stream, of which the first ones are known before they are read."""

    def __init__(self, stream: IO[Any]) -> None:
        self._stream = getattr(stream, "buffer", stream)
        self.first = b""
        missing = max(map(len, _MAGIC.values()))
        while missing > 0 and (more := self._next(missing)):
            self.first += more
            missing -= len(more)

    def read(self, size: int) -> bytes:
        known, self.first = self.first[:size], self.first[size:]
        return known + self._next(size - len(known)) if len(known) < size else known

    def _next(self, size: int) -> bytes:
        chunk = self._stream.read(size)
        return chunk.encode(errors="surrogatepass") if isinstance(chunk, str) else chunk or b""


def decompressing(stream: IO[Any], ending: str = "") -> contextlib.AbstractContextManager[Any]:
    """Decompress what a name promises, and otherwise what begins like compressed data.

    Standard input and open files have no name to go by; no UTF-8 text begins like this.
    """
    peeked = _Peeked(stream)
    if ending not in _MAGIC:
        ending = next((e for e, magic in _MAGIC.items() if peeked.first.startswith(magic)), "")
    readable: Any = peeked
    if ending == ".gz":
        return gzip.GzipFile(fileobj=readable, mode="rb")
    if ending == ".xz":
        return lzma.LZMAFile(readable)
    return contextlib.nullcontext(readable)


def _watched(
    chunks: Iterator[bytes], raw: BinaryIO, on_progress: Callable[[float], None] | None
) -> Iterator[bytes]:
    if on_progress is None or not raw.seekable():
        yield from chunks
        return
    size = max(os.fstat(raw.fileno()).st_size, 1)
    for chunk in chunks:
        on_progress(min(raw.tell() / size, 1.0))
        yield chunk


def _unreadable(error: OSError, findings: Findings) -> FormatError:
    reason = reason_of(error)
    findings.add(
        "unreadable",
        line=0,
        expected="a file that can be opened and read",
        found=f'"{reason}"',
        advice="is the name right, and may you read the file?",
    )
    return FormatError(f"{findings.file}: cannot be read: {reason}", findings)


def write_chunks(target: Source, chunks: Iterable[bytes]) -> None:
    """Write bytes; to a path under a temporary name first, so that no half file is left."""
    if not isinstance(target, (str, os.PathLike)):
        _write_to_stream(target, chunks)
        return
    if str(target) == "-":
        _write_to_stream(sys.stdout, chunks)
        sys.stdout.flush()
        return
    path = Path(target)
    if path.exists() and not path.is_file():
        # A device or a pipe (/dev/null, a process substitution) cannot be renamed over.
        with _explained(path), path.open("wb") as stream:
            stream.writelines(chunks)
        return
    with (
        _explained(path),
        replacing(path) as temporary,
        temporary.open("wb") as raw,
        _compressing(raw, path) as stream,
    ):
        for chunk in chunks:
            stream.write(chunk)


def write_text(target: Source, text: str) -> None:
    """Write a text; what no UTF-8 can hold, such as half a name of a file, is written `\\udcff`."""
    write_chunks(target, [text.encode(errors="backslashreplace")])


def _write_to_stream(stream: IO[Any], chunks: Iterable[bytes]) -> None:
    binary = getattr(stream, "buffer", None)
    for chunk in chunks:
        if binary is not None:
            binary.write(chunk)
        elif isinstance(stream, io.TextIOBase):
            stream.write(chunk.decode())
        else:
            stream.write(chunk)


def _compressing(raw: BinaryIO, path: Path) -> contextlib.AbstractContextManager[Any]:
    if path.suffix.lower() == ".gz":
        # No time and no name inside: the same treebank gives the same bytes.
        return gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)
    if path.suffix.lower() == ".xz":
        return lzma.open(raw, "wb")
    return contextlib.nullcontext(raw)


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FormatError(f"{path}: cannot be written: {reason_of(error)}") from None
