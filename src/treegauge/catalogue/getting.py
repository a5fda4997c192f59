"""Gets treebanks of a Universal Dependencies release: downloads the archive, unpacks a part."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from treegauge.catalogue.checksums import Checksum, record_checksum, recorded_checksum
from treegauge.catalogue.downloading import download
from treegauge.catalogue.errors import CatalogueError, CatalogueWarning
from treegauge.catalogue.names import name_key
from treegauge.catalogue.releases import Release, find_release
from treegauge.catalogue.scanning import scan
from treegauge.catalogue.unpacking import unpack

StageProgress = Callable[[str, int, int | None], None]
"""Told what is being done (`download`, `unpack`), how many bytes are done, and of how many."""


def get_treebanks(
    release: str,
    names: Sequence[str],
    folder: str | Path,
    *,
    address: str | None = None,
    checksum: str | None = None,
    on_progress: StageProgress | None = None,
) -> list[Path]:
    """Get treebanks of a release into a data folder.

    Nothing is downloaded if all of them are there already. The archive stays in the folder,
    for the next treebank of the release; it may be removed at any time.

    Parameters
    ----------
    release : str
        A version, `2.16`.
    names : sequence of str
        Short (`en_ewt`) or long (`UD_English-EWT`) names.
    folder : path
        A data folder; the treebanks come to lie in `ud-treebanks-v2.16` below it.
    address : str, optional
        Where to download the archive from, if not from its publisher.
    checksum : str, optional
        What the archive must add up to, instead of what is known of the release. Without
        one, the built-in checksum of the release holds, whatever the address is, and then
        the one that was recorded when the archive was downloaded.
    on_progress : callable, optional
        Called with the stage, the bytes so far and the bytes in all.

    Returns
    -------
    list of Path
        The folders of the treebanks, in the order of the names.

    Raises
    ------
    CatalogueError
        If the release or a treebank is not known, or the archive are not available whole.

    Warns
    -----
    CatalogueWarning
        If the archive is downloaded and no checksum is known that it could be held against.
    """
    known = _known_release(release, address)
    unpacked = Path(folder) / known.folder
    there = _already_there(unpacked, names)
    if any(name not in there for name in names):
        archive = _archive(known, Path(folder), address, checksum, on_progress)
        progress = None if on_progress is None else partial(on_progress, "unpack")
        unpack(archive, unpacked, names, on_progress=progress)
        there = _already_there(unpacked, names)
    useless = [name for name in names if name not in there]
    if useless:
        raise CatalogueError(
            f"{unpacked}: [unpack] {', '.join(useless)}: unpacked, but there is no file to read"
        )
    return list(dict.fromkeys(there[name] for name in names))


def _known_release(version: str, address: str | None) -> Release:
    try:
        return find_release(version)
    except CatalogueError:
        if address is None:
            raise
        # A release that is younger than our table, or somebody's own.
        return Release(version, "", None)


def _already_there(unpacked: Path, names: Sequence[str]) -> dict[str, Path]:
    if not unpacked.is_dir():
        return {}
    folders = {
        name_key(name): entry.folder
        for entry in scan(unpacked).entries
        for name in (entry.name, *entry.aliases, *(a.removeprefix("UD_") for a in entry.aliases))
    }
    return {name: folders[name_key(name)] for name in names if name_key(name) in folders}


def _archive(
    release: Release,
    folder: Path,
    address: str | None,
    checksum: str | None,
    on_progress: StageProgress | None,
) -> Path:
    """Return the archive of a release, downloaded if it is not there."""
    target = folder / release.archive
    # A record says only what was downloaded once; it never outranks what is known.
    known = checksum or release.sha256
    expected = Checksum.parse(known) if known else recorded_checksum(target)
    if target.is_file():
        if expected is not None and Checksum.of_file(target, expected.algorithm) != expected:
            raise CatalogueError(
                f"{target}: [checksum] the archive is not {expected}\n"
                "  delete it to download it again, or give the publisher's checksum with --checksum"
            )
        return target
    progress = None if on_progress is None else partial(on_progress, "download")
    download(address or release.address, target, checksum=expected, on_progress=progress)
    # The next time somebody downloads it, it must be the same.
    recorded = record_checksum(target)
    if expected is None:
        warnings.warn(
            f"{target}: no checksum is known for it; its SHA-256 is recorded, compare it with "
            f"the publisher's: {recorded.digest}",
            CatalogueWarning,
            stacklevel=3,
        )
    return target
