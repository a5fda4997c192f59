"""Unpacks wanted treebanks from the archive of a release, and nothing outside a folder.

An archive is somebody else's data: a member may be called `/etc/passwd` or `../../x`, or be a
link that leads there. Members are never handed to `tarfile` to be extracted; the bytes of
plain files are copied to names that were looked at part by part.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import lzma
import re
import shutil
import tarfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO

from treegauge.catalogue.downloading import Progress
from treegauge.catalogue.errors import CatalogueError
from treegauge.catalogue.names import name_key, split_long_name
from treegauge.errors import reason_of
from treegauge.formats.limits import MAX_BYTES, max_bytes, shown_size
from treegauge.formats.sources import decompressing
from treegauge.temporaries import temporary_folder
from treegauge.wording import counted, did_you_mean

_CHUNK = 1 << 20
_FILES_IN_ARCHIVE = 16
"""How many files of the largest size an archive may have."""
_FILE = re.compile(r"(?P<name>.+)-s?ud-(train|dev|test)")


def unpack(
    archive: str | Path,
    folder: str | Path,
    names: Sequence[str] | None = None,
    *,
    on_progress: Progress | None = None,
) -> list[Path]:
    """Unpack treebanks from an archive into a folder.

    The archive is read once, from beginning to end. A treebank is unpacked under a temporary
    name and renamed when the archive has come to its end, so that no half treebank is left;
    one that is already in the folder is not touched.

    Parameters
    ----------
    archive : path
        A release of Universal Dependencies: `tar`, compressed with gzip, xz or not at all.
    folder : path
        Where the treebanks' folders go; made if it is not there.
    names : sequence of str, optional
        Short (`en_ewt`) or long (`UD_English-EWT`); all treebanks when missing.
    on_progress : callable, optional
        Called with the bytes of the archive that have been read, and its size.

    Returns
    -------
    list of Path
        The folders of the treebanks, in the archive's order.

    Raises
    ------
    CatalogueError
        If the archive is damaged or tries to write outside the folder (nothing is
        unpacked), or a name is not in it (the others are).
    """
    archive, folder = Path(archive), Path(folder)
    wanted = None if names is None else {name_key(name): name for name in names}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with temporary_folder(folder) as temporary:
            unpacking = _Unpacking(archive, temporary, wanted)
            unpacking.run(on_progress)
            unpacked = [_moved(path, folder) for path in unpacking.complete()]
    except OSError as error:
        place = error.filename or folder
        raise CatalogueError(
            f"{place}: [unpack] cannot be read or written: {reason_of(error)}"
        ) from None
    missing = unpacking.missing()
    if missing:
        raise CatalogueError(_not_there(archive, missing, unpacking, unpacked))
    return unpacked


class _Unpacking:
    """One pass over an archive."""

    def __init__(self, archive: Path, temporary: Path, wanted: dict[str, str] | None) -> None:
        self.archive = archive
        self.temporary = temporary
        self.wanted = wanted
        self.short_names: dict[str, set[str]] = defaultdict(set)
        """By the folder in the archive: what its files are called."""

    def run(self, on_progress: Progress | None) -> None:
        """Go through the archive once, copying what may be wanted."""
        size = self.archive.stat().st_size
        try:
            with (
                self.archive.open("rb") as stream,
                decompressing(stream) as decompressed,
                contextlib.closing(_Bounded(decompressed, self.archive)) as content,
                tarfile.open(fileobj=content, mode="r|") as members,
            ):
                for member in members:
                    self._take(members, member)
                    if on_progress is not None:
                        on_progress(min(stream.tell(), size), size)
                # `tarfile` takes an archive that is cut between two members for a whole one;
                # the decompressor knows better, if it is asked to go on to the end.
                while content.read(_CHUNK):
                    pass
        except (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
            raise self._damaged(str(error)) from None

    def _damaged(self, reason: str) -> CatalogueError:
        return CatalogueError(
            f"{self.archive}: [archive] damaged, or not complete: {reason}\n"
            "  nothing was unpacked; remove the file and download it again"
        )

    def _take(self, members: tarfile.TarFile, member: tarfile.TarInfo) -> None:
        parts = _safe_parts(self.archive, member.name)
        at = next((i for i, name in enumerate(parts) if split_long_name(name)), None)
        if at is None:
            return
        folder, inside = parts[at], parts[at + 1 :]
        match = _FILE.match(inside[-1]) if inside else None
        if match:
            self.short_names[folder].add(name_key(match["name"]))
        else:
            self.short_names.setdefault(folder, set())
        if not self._may_be_wanted(folder) or member.isdir() or not inside:
            return
        source = members.extractfile(member) if member.isreg() else None
        if source is None:
            raise _hostile(self.archive, member.name, "is a link or a device")
        _copy(source, self.temporary.joinpath(folder, *inside))

    def _may_be_wanted(self, folder: str) -> bool:
        """Return whether a folder can be one of the wanted, as far as its name tells.

        Which language `en` is only the files in the folder say, so that every treebank
        called EWT is taken along at first.
        """
        if self.wanted is None or name_key(folder) in self.wanted:
            return True
        _, corpus = split_long_name(folder) or ("", "")
        end = f"_{name_key(corpus)}" if corpus else ""
        return any(key.endswith(end) if end else "_" not in key for key in self.wanted)

    def complete(self) -> list[Path]:
        """Return what was wanted, now that all names are known."""
        return [
            self.temporary / folder
            for folder in self.short_names
            if (self.temporary / folder).is_dir() and self._is_wanted(folder)
        ]

    def _is_wanted(self, folder: str) -> bool:
        return self.wanted is None or not self._keys(folder).isdisjoint(self.wanted)

    def _keys(self, folder: str) -> set[str]:
        return {name_key(folder), name_key(folder.partition("_")[2]), *self.short_names[folder]}

    def missing(self) -> list[str]:
        """Return the wanted names that no folder of the archive has."""
        there = {key for folder in self.short_names for key in self._keys(folder)}
        return [name for key, name in (self.wanted or {}).items() if key not in there]


class _Bounded(io.RawIOBase):
    """What an archive decompresses into, as long as it is no more than fits on a disk."""

    def __init__(self, content: IO[bytes], archive: Path) -> None:
        self._content = content
        self._archive = archive
        self._limit = self._left = _FILES_IN_ARCHIVE * max_bytes()

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes."""
        chunk = self._content.read(size)
        self._left -= len(chunk)
        if self._left < 0:
            raise CatalogueError(
                f"{self._archive}: [archive] expected at most {shown_size(self._limit)} after "
                "decompression, found more\n  nothing was unpacked; --max-bytes SIZE, or the "
                f"variable {MAX_BYTES}, allows more: an archive may have {_FILES_IN_ARCHIVE} "
                "times as much as a file"
            )
        return chunk


def _safe_parts(archive: Path, name: str) -> tuple[str, ...]:
    # Both kinds of path, whatever system this is: `C:\\x` and `..\\x` must not pass either.
    posix, windows = PurePosixPath(name), PureWindowsPath(name)
    if posix.is_absolute() or windows.drive or windows.root:
        raise _hostile(archive, name, "is an absolute path")
    if ".." in posix.parts or ".." in windows.parts:
        raise _hostile(archive, name, "leads out of the folder")
    return posix.parts


def _hostile(archive: Path, name: str, reason: str) -> CatalogueError:
    return CatalogueError(
        f"{archive}: [archive] member {name!r} {reason}\n"
        "  nothing was unpacked; this is not an archive as it was published"
    )


def _copy(source: IO[bytes], target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with source, target.open("xb") as stream:
        shutil.copyfileobj(source, stream)


def _moved(path: Path, folder: Path) -> Path:
    target = folder / path.name
    if not target.exists():
        path.rename(target)
    return target


def _not_there(
    archive: Path, missing: Iterable[str], unpacking: _Unpacking, unpacked: Sequence[Path]
) -> str:
    known = [
        name for folder, short in unpacking.short_names.items() for name in (folder, *sorted(short))
    ]
    lines = [f"  {name}{did_you_mean(name, known)}" for name in missing]
    if unpacked:
        lines.append(f"  unpacked: {', '.join(path.name for path in unpacked)}")
    listed = "\n".join(lines)
    there = counted(len(unpacking.short_names), "treebank")
    return f"{archive}: [archive] not among its {there}:\n{listed}"
