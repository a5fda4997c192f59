"""Bytes in and bytes out: paths, open files, standard streams, compression."""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import lzma
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO

from treegauge.errors import reason_of
from treegauge.formats.findings import Findings, FormatError, Severity
from treegauge.temporaries import replacing

Source = str | os.PathLike[str] | IO[Any]
"""Where treebanks are read from and written to: a path, `-`, or an open file."""

_CHUNK = 1 << 20
_MAGIC = {".gz": b"\x1f\x8b", ".xz": b"\xfd7zXZ\x00"}
"""How compressed data begins."""
ARCHIVE = b"PK\x03\x04"
"""How zip archives begin, and so models."""


def source_name(source: Source) -> str:
    """Return what messages call a source."""
    if isinstance(source, (str, os.PathLike)):
        return "<stdin>" if str(source) == "-" else str(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "<stream>"


@contextlib.contextmanager
def byte_chunks(
    source: Source, findings: Findings, on_progress: Callable[[float], None] | None = None
) -> Iterator[Iterator[bytes]]:
    """Open a source and give its bytes, decompressed, in chunks of about a megabyte.

    Raises
    ------
    FormatError
        If the source cannot be opened, or not be read to its end; the finding is added.
    """
    if not isinstance(source, (str, os.PathLike)):
        yield _chunks(source, findings)
    elif str(source) == "-":
        if sys.stdin is None:
            raise _unreadable(OSError(errno.EBADF, "standard input is closed"), findings)
        yield _chunks(sys.stdin, findings)
    else:
        path = Path(source)
        try:
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, "is a folder, not a file")
            raw = path.open("rb")
        except OSError as error:
            raise _unreadable(error, findings) from None
        with raw:
            chunks = _chunks(raw, findings, ending=path.suffix.lower())
            yield _watched(chunks, raw, on_progress)


def _chunks(stream: IO[Any], findings: Findings, *, ending: str = "") -> Iterator[bytes]:
    try:
        peeked = _Peeked(stream)
        if peeked.first.startswith(ARCHIVE):
            raise archived(findings)
        with _decompressing(peeked, ending) as plain:
            while chunk := plain.read(_CHUNK):
                yield chunk
    except gzip.BadGzipFile:  # an OSError, but one about the content
        raise
    except OSError as error:
        raise _unreadable(error, findings) from None


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


def _decompressing(stream: _Peeked, ending: str) -> contextlib.AbstractContextManager[Any]:
    """Decompress what a name promises, and otherwise what begins like compressed data.

    Standard input and open files have no name to go by; no UTF-8 text begins like this.
    """
    if ending not in _MAGIC:
        ending = next((e for e, magic in _MAGIC.items() if stream.first.startswith(magic)), "")
    readable: Any = stream
    if ending == ".gz":
        return gzip.GzipFile(fileobj=readable, mode="rb")
    if ending == ".xz":
        return lzma.LZMAFile(readable)
    return contextlib.nullcontext(stream)


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


def archived(findings: Findings) -> FormatError:
    """Return what to raise where an archive is found in place of text."""
    findings.add(
        "unreadable",
        line=0,
        expected="text",
        found="a zip archive, or a model",
        advice="unpack an archive first; a model is for `treegauge annotate MODEL TREEBANK`",
    )
    return FormatError(str(findings.only(Severity.ERROR)), findings)


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
