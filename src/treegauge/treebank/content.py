"""The content of a treebank as bytes: what fingerprints and equality depend on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treegauge.treebank.column import EMPTY, KNOWN_COLUMNS, Column

if TYPE_CHECKING:
    from treegauge.treebank.treebank import Treebank


def content(treebank: Treebank) -> Iterator[NDArray[np.uint8]]:
    """Yield everything that two equal treebanks share, as bytes."""
    yield _little_endian(treebank.offsets)
    yield _little_endian(treebank.head)
    for name in sorted(treebank.columns):
        column = treebank.columns[name].canonical()
        values = column.vocabulary
        is_blank = not len(values) or (len(values) == 1 and values[0] == EMPTY)
        if name not in KNOWN_COLUMNS or not is_blank:
            yield _bytes_of(name)
            yield from _column_content(column)
    table = treebank.side_lines
    for array in (table.sentence, table.after, table.kind):
        yield _little_endian(array)
    yield from _column_content(table.text.canonical())
    if treebank.origin is not None:
        yield _little_endian(treebank.origin.length)
        yield _little_endian(treebank.origin.position)
    if treebank.punctuation is not None:
        yield _bytes_of("punctuation")
        yield _little_endian(treebank.punctuation)
    if treebank.repairs is not None:
        yield _bytes_of("repairs")
        for mask in (treebank.repairs.word, treebank.repairs.head, treebank.repairs.surplus):
            yield _little_endian(mask)


def _little_endian(array: NDArray[Any]) -> NDArray[np.uint8]:
    ordered = array.astype(array.dtype.newbyteorder("<"), copy=False)
    return np.ascontiguousarray(ordered).view(np.uint8)


def _bytes_of(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), np.uint8)


def _column_content(column: Column) -> Iterator[NDArray[np.uint8]]:
    yield _little_endian(column.codes)
    yield _little_endian(column.vocabulary.starts)
    yield column.vocabulary.data
