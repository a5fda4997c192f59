"""The files of a text in shards: folders and patterns, in an order that everybody gets."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from pathlib import Path

from treegauge.shards.errors import ShardError


def shard_files(names: Iterable[str | os.PathLike[str]]) -> tuple[Path, ...]:
    """Return the files that names stand for: files, folders of files, or patterns with `*`.

    Names keep their order; the files of a folder or a pattern are sorted by name. Files whose
    name begins with a dot are left out. The order counts: types are numbered by it.

    Raises
    ------
    ShardError
        If there is no such file, or one comes twice.
    """
    files: list[Path] = []
    for name in [os.fspath(name) for name in names]:
        path = Path(name)
        if path.is_dir():
            inside = [entry for entry in path.iterdir() if entry.is_file()]
        elif path.exists():
            inside = [path]
        else:
            inside = [Path(match) for match in glob.glob(name)]  # noqa: PTH207  of any folder
        visible = sorted(file for file in inside if not file.name.startswith("."))
        if not visible:
            raise ShardError(
                f"{name}: there is no such file, or no file in it\n"
                "  name files, folders, or a pattern such as 'text/part-*.gz'"
            )
        files += visible
    if not files:
        raise ShardError("there are no shards to count on: name at least one file")
    seen: set[Path] = set()
    for file in files:
        if file.resolve() in seen:
            raise ShardError(f"{file}: this shard comes twice, and would be counted twice")
        seen.add(file.resolve())
    return tuple(files)
