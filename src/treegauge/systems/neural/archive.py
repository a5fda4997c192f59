"""Files of arrays and JSON for training without treegauge, as `systems/model_file.py` has them."""

# mypy: ignore-errors
from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

_ABOUT = "about"


class ArchiveError(Exception):
    """A file that cannot be read or written, in one sentence."""


def read_archive(path):
    """Return the arrays of a file and what is said of them."""
    try:
        with Path(path).open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        return arrays, json.loads(arrays.pop(_ABOUT).tobytes())
    except OSError as error:
        raise ArchiveError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (KeyError, ValueError, AttributeError, EOFError, zipfile.BadZipFile) as error:
        raise ArchiveError(f"{path}: this is no file that treegauge wrote") from error


def write_archive(path, arrays, about):
    """Write arrays and what is said of them; the file is there as a whole or not at all."""
    text = np.frombuffer(json.dumps({"schema": 1, **about}).encode(), np.uint8)
    temporary = Path(f"{path}.new")
    try:
        with temporary.open("wb") as file:
            np.savez(file, allow_pickle=False, about=text, **arrays)
        temporary.replace(path)
    except OSError as error:
        raise ArchiveError(f"{path}: cannot be written: {error.strerror or error}") from error


def fingerprint(arrays: dict[str, Any], facts: Any = None) -> str:
    """Return a hash of codes and of how they are to be learnt from."""
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
