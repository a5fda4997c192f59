"""Arrays of a saved model, checked before a kernel trusts them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.errors import SystemsError
from treegauge.systems.system import Arrays
from treegauge.treebank import Vocabulary


def damaged(what: str) -> SystemsError:
    """Return the error for a model whose parts do not fit together."""
    return SystemsError(f"this model is damaged: {what}\n  train and save it anew")


def check_names(names: tuple[Any, ...]) -> None:
    """Raise an error unless these are distinct strings."""
    if not all(isinstance(name, str) for name in names) or len({*names}) < len(names):
        raise damaged("its tags are no distinct names")


def saved_integers(
    arrays: Arrays, name: str, *, size: int | None = None, minimum: int = 0, maximum: int
) -> NDArray[Any]:
    """Return a row of whole numbers within bounds."""
    array = arrays[name]
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise damaged(f"{name} is no list of whole numbers")
    if size is not None and len(array) != size:
        raise damaged(f"{name} has {len(array)} entries, {size} are needed")
    if len(array) and not (minimum <= int(array.min()) and int(array.max()) <= maximum):
        raise damaged(f"{name} has numbers outside {minimum} to {maximum}")
    return array


def saved_bounds(arrays: Arrays, name: str, *, size: int | None, total: int) -> NDArray[np.int64]:
    """Return where slices of `total` entries begin and end; there are `size` of them."""
    wanted = None if size is None else size + 1
    bounds = saved_integers(arrays, name, size=wanted, maximum=total).astype(np.int64)
    if not len(bounds) or bounds[0] != 0 or bounds[-1] != total or (np.diff(bounds) < 0).any():
        raise damaged(f"{name} does not divide {total} entries")
    return bounds


def saved_vocabulary(arrays: Arrays, name: str) -> Vocabulary:
    """Return distinct strings that `vocabulary_arrays` gave."""
    data = saved_integers(arrays, name, maximum=255).astype(np.uint8)
    starts = saved_bounds(arrays, f"{name}_starts", size=None, total=len(data))
    vocabulary = Vocabulary(data, starts)
    try:
        strings = vocabulary.strings
    except UnicodeDecodeError:
        raise damaged(f"{name} is not UTF-8") from None
    if len(set(strings)) < len(strings):
        raise damaged(f"{name} has a string twice")
    return vocabulary


def vocabulary_arrays(vocabulary: Vocabulary, name: str) -> Arrays:
    """Return a vocabulary as `save` writes it."""
    return {name: vocabulary.data, f"{name}_starts": vocabulary.starts}
