"""Statistics of more sentences than memory should hold: tables in a temporary file.

A table takes rows as they come. Over a limit that tables share they go to a file. Whatever is
summed is summed chunk by chunk. All numbers are whole, so that sums are exact in any order and
equal those of one table in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.significance.errors import SignificanceError
from treegauge.spilling import Spill

Floats = NDArray[np.float64]
Whole = NDArray[np.unsignedinteger[Any]]

ROWS = 1 << 15
"""Rows of a chunk."""


class ChunkedTable:
    """A table `[sentences, k]` of whole numbers that is looked at chunk by chunk."""

    __array_ufunc__ = None  # so that `counts @ table` asks the table
    shape: tuple[int, int]

    def chunks(self) -> Iterator[Floats]:
        """Give all rows, some at a time."""
        raise NotImplementedError

    def __rmatmul__(self, weights: NDArray[Any]) -> Floats:
        """Return weighted sums of rows, `weights @ table`."""
        sums = np.zeros((len(weights), self.shape[1]))
        first = 0
        for chunk in self.chunks():
            sums += weights[:, first : first + len(chunk)].astype(np.float64, copy=False) @ chunk
            first += len(chunk)
        return sums

    def sum(self, axis: int = 0) -> Floats:
        """Return the sums of columns."""
        if axis != 0:
            raise SignificanceError("a table in chunks is summed over its sentences")
        sums = np.zeros(self.shape[1])
        for chunk in self.chunks():
            sums += chunk.sum(axis=0)
        return sums


class SpilledTable(ChunkedTable):
    """A table that grows, in memory at first and then in a file.

    Parameters
    ----------
    columns : int
        Numbers of a row.
    spill : Spill
        Memory and a file, which tables may share.

    Examples
    --------
    >>> table = SpilledTable(2, Spill(memory=0))
    >>> table.append(np.array([[3.0, 4.0], [5.0, 9.0]]))
    >>> (np.array([[2.0, 1.0]]) @ table).tolist()
    [[11.0, 17.0]]
    """

    def __init__(self, columns: int, spill: Spill) -> None:
        self.shape = (0, columns)
        self._spill = spill
        self._pending: list[Whole] = []
        self._n_pending = 0
        self._kept: list[Whole] = []
        self._spilled: list[_Place] = []
        """The chunks in the file; they come before those in memory."""

    def append(self, rows: Floats) -> None:
        """Add rows of whole numbers."""
        whole = rows.astype(np.uint32)
        if not np.array_equal(whole, rows):
            raise SignificanceError("a table in a file holds whole numbers from 0 alone")
        self.shape = (self.shape[0] + len(rows), self.shape[1])
        self._pending.append(whole)
        self._n_pending += len(rows)
        if self._n_pending >= ROWS:
            self._close_chunk()

    def _close_chunk(self) -> None:
        chunk = np.concatenate(self._pending)
        # Most sentences have fewer than 256 words: one byte a number.
        chunk = chunk.astype(np.min_scalar_type(chunk.max(initial=0)))
        self._pending, self._n_pending = [], 0
        if not self._spilled and self._spill.take(chunk.nbytes):
            self._kept.append(chunk)
            return
        for kept in (*self._kept, chunk):
            place = self._spill.write(kept.tobytes())
            self._spilled.append(_Place(place, kept.dtype, len(kept)))
        self._spill.give_back(sum(kept.nbytes for kept in self._kept))
        self._kept = []

    def chunks(self) -> Iterator[Floats]:
        """Give all rows, some at a time."""
        width = self.shape[1]
        for place in self._spilled:
            content = self._spill.read(place.begin, place.dtype.itemsize * place.rows * width)
            yield _floats(np.frombuffer(content, place.dtype).reshape(place.rows, width))
        for kept in (*self._kept, *self._pending):
            yield _floats(kept)


@dataclass(frozen=True)
class _Place:
    """Where a chunk is in a file."""

    begin: int
    dtype: np.dtype[Any]
    rows: int


class TablesBesides(ChunkedTable):
    """Tables of the same sentences side by side; rows were added to all of them alike."""

    def __init__(self, tables: Sequence[ChunkedTable]) -> None:
        self._tables = tables
        self.shape = (tables[0].shape[0], sum(table.shape[1] for table in tables))

    def chunks(self) -> Iterator[Floats]:
        """Give all rows, some at a time."""
        for chunks in zip(*(table.chunks() for table in self._tables), strict=True):
            yield np.hstack(chunks)


class ChangedRows(ChunkedTable):
    """The second table minus the first, without the sentences in which nothing changes."""

    def __init__(self, first: ChunkedTable, second: ChunkedTable) -> None:
        self._tables = first, second
        self.shape = (sum(map(len, self.chunks())), first.shape[1])

    def chunks(self) -> Iterator[Floats]:
        """Give all rows, some at a time."""
        for a, b in zip(*(table.chunks() for table in self._tables), strict=True):
            change = b - a
            yield change[change.any(axis=1)]


def beside(tables: Sequence[Any]) -> Any:
    """Return tables side by side, in memory or in chunks, as they are."""
    if isinstance(tables[0], ChunkedTable):
        return TablesBesides(tables)
    return np.hstack(tables)


def _floats(rows: Whole) -> Floats:
    return rows.astype(np.float64)
