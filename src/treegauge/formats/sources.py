"""Bytes in and bytes out: paths, open files, standard streams, compression."""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import lzma
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO

from treegauge.formats.findings import FormatError

Source = str | os.PathLike[str] | IO[Any]
"""Where treebanks are read from and written to: a path, `-`, or an open file."""

_CHUNK = 1 << 20


def source_name(source: Source) -> str:
    """Return what messages call a source."""
    if isinstance(source, (str, os.PathLike)):
        return "<stdin>" if str(source) == "-" else str(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "<stream>"


@contextlib.contextmanager
def byte_chunks(
    source: Source, on_progress: Callable[[float], None] | None = None
) -> Iterator[Iterator[bytes]]:
    """Open a source and give its bytes, decompressed, in chunks of about a megabyte."""
    if not isinstance(source, (str, os.PathLike)):
        yield _chunks(source)
    elif str(source) == "-":
        yield _chunks(sys.stdin)
    else:
        path = Path(source)
        try:
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, "is a folder, not a file")
            raw = path.open("rb")
        except OSError as error:
            raise FormatError(f"{path}: cannot be read: {_reason(error)}") from None
        with raw, _decompressing(raw, path) as stream:
            yield _watched(_chunks(stream), raw, on_progress)


def _chunks(stream: IO[Any]) -> Iterator[bytes]:
    stream = getattr(stream, "buffer", stream)
    while chunk := stream.read(_CHUNK):
        yield chunk if isinstance(chunk, bytes) else chunk.encode(errors="surrogatepass")


def _watched(
    chunks: Iterator[bytes], raw: BinaryIO, on_progress: Callable[[float], None] | None
) -> Iterator[bytes]:
    if on_progress is None:
        yield from chunks
        return
    size = max(os.fstat(raw.fileno()).st_size, 1)
    for chunk in chunks:
        on_progress(min(raw.tell() / size, 1.0))
        yield chunk


def _decompressing(raw: BinaryIO, path: Path) -> contextlib.AbstractContextManager[Any]:
    if path.suffix.lower() == ".gz":
        return gzip.GzipFile(fileobj=raw)
    if path.suffix.lower() == ".xz":
        return lzma.LZMAFile(raw)
    return contextlib.nullcontext(raw)


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
    with _explained(path):
        handle, temporary = tempfile.mkstemp(
            dir=path.parent, prefix=f".{path.name}.", suffix=".part"
        )
    try:
        with _explained(path), os.fdopen(handle, "wb") as raw, _compressing(raw, path) as stream:
            for chunk in chunks:
                stream.write(chunk)
        with _explained(path):
            Path(temporary).chmod(_default_mode())
            Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise


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
        raise FormatError(f"{path}: cannot be written: {_reason(error)}") from None


def _default_mode() -> int:
    # mkstemp makes files that only their owner may read; give what open() would have given.
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
