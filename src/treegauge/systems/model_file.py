"""The file of a model: arrays and JSON in one archive, read as if a stranger had written it.

Nothing is believed before it is checked: how large an archive says its parts are, what the parts
say of the arrays in them, and that the two agree. Only then is memory taken.
"""

from __future__ import annotations

import json
import math
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.errors import reason_of
from treegauge.formats import limits
from treegauge.systems.errors import SystemsError
from treegauge.temporaries import replacing
from treegauge.wording import counted

_MAX_BYTES = "2GiB"
"""What a model may take when unpacked, unless somebody allows more."""
_ABOUT = "about"
_SUFFIX = ".npy"
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ABOUT_TYPES = {"system": str, "settings": dict, "seed": int, "facts": dict}


def write_model(
    path: str | os.PathLike[str], arrays: Mapping[str, NDArray[Any]], about: Mapping[str, Any]
) -> None:
    """Write arrays and what is said of them: system, settings, seed, facts.

    Raises
    ------
    SystemsError
        If the file cannot be written.
    """
    document = json.dumps({"schema": 1, **about}, ensure_ascii=False)
    text = np.frombuffer(document.encode(), np.uint8)
    path = Path(path)
    try:
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, about=text, **arrays)
    except OSError as error:
        raise SystemsError(f"{path}: cannot be written: {reason_of(error)}") from None


def read_model(
    path: str | os.PathLike[str], *, max_bytes: int | None = None
) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return the arrays of a model, and what its file says of it: system, settings, seed, facts.

    Raises
    ------
    SystemsError
        If the file cannot be read, is no model, or is larger than `max_bytes` when unpacked.
    """
    path = Path(path)
    if max_bytes is None:
        max_bytes = limits.max_bytes(_MAX_BYTES)
    try:
        with path.open("rb") as opened, zipfile.ZipFile(opened) as archive:
            _check_size(path, archive, max_bytes)
            arrays = {
                part.filename.removesuffix(_SUFFIX): _array(archive, part)
                for part in archive.infolist()
            }
        about = json.loads(arrays.pop(_ABOUT).tobytes())
        schema = about["schema"]
    except SystemsError:
        raise
    except OSError as error:
        raise SystemsError(f"{path}: cannot be read: {reason_of(error)}") from None
    except Exception as error:  # damaged bytes make zipfile, zlib, NumPy and JSON raise all kinds
        raise SystemsError(
            f"{path}: this is no model that treegauge saved, or it is damaged\n"
            "  `treegauge train` and `treegauge induce --save` write models"
        ) from error
    if schema != 1:
        raise SystemsError(f"{path}: a model of schema {schema!r}; this reads schema 1")
    _check_about(path, about)
    return arrays, about


def _check_size(path: Path, archive: zipfile.ZipFile, max_bytes: int) -> None:
    """Refuse an archive that would unpack to more; no part gives more bytes than it declares."""
    size = sum(part.file_size for part in archive.infolist())
    if size > max_bytes:
        raise SystemsError(
            f"{path}: this model takes {counted(size, 'byte')} when unpacked; "
            f"at most {max_bytes:,} are read\n"
            "  if you trust it: --max-bytes SIZE, in Python load_system(path, max_bytes=...)"
        )


def _array(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> NDArray[Any]:
    if not part.filename.endswith(_SUFFIX) or part.compress_type not in _COMPRESSIONS:
        raise ValueError(part.filename)
    with archive.open(part) as file:
        if np.lib.format.read_magic(file) != (1, 0):
            raise ValueError("a version of the format that is never written")
        shape, _, dtype = np.lib.format.read_array_header_1_0(file)
        size = file.tell() + math.prod(shape) * dtype.itemsize
        if dtype.hasobject or size != part.file_size:
            raise ValueError("other bytes than the array needs")
    with archive.open(part) as file:
        array: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
        # Only at its end does the archive compare what was read with the checksum.
        file.read()
    return array


def _check_about(path: Path, about: Mapping[str, Any]) -> None:
    for name, kind in _ABOUT_TYPES.items():
        if name not in about:
            raise SystemsError(f"{path}: this model has no {name!r}; save it anew")
        if type(about[name]) is not kind:
            raise SystemsError(f"{path}: this model is damaged: its {name} is no {_KINDS[kind]}")
    if about["seed"] < 0:
        raise SystemsError(f"{path}: this model is damaged: its seed is negative")


_KINDS = {str: "text", dict: "table", int: "whole number"}
