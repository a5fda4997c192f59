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
            end = first + chunk.shape[0]
            sums += weights[:, first:end].astype(np.float64, copy=False) @ chunk
            first = end
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
        self._arrays = SpilledArrays(spill)
        self._pending: list[Whole] = []
        self._n_pending = 0

    def append(self, rows: Floats) -> None:
        """Add rows of whole numbers."""
        whole = rows.astype(np.uint32)
        if not np.array_equal(whole, rows):
            raise SignificanceError("a table in a file holds whole numbers from 0 alone")
        self.shape = (self.shape[0] + len(rows), self.shape[1])
        self._pending.append(whole)
        self._n_pending += len(rows)
        if self._n_pending >= ROWS:
            self._arrays.append(self._n_pending, np.concatenate(self._pending).ravel())
            self._pending, self._n_pending = [], 0

    def chunks(self) -> Iterator[Floats]:
        """Give all rows, some at a time."""
        for rows, (chunk,) in self._arrays.chunks():
            yield _floats(chunk.reshape(rows, self.shape[1]))
        for pending in self._pending:
            yield _floats(pending)


class SpilledArrays:
    """Chunks of arrays of whole numbers, in memory at first and then in a file."""

    def __init__(self, spill: Spill) -> None:
        self._spill = spill
        self._kept: list[tuple[int, list[Whole]]] = []
        self._spilled: list[tuple[int, list[_Place]]] = []
        """The chunks in the file; they come before those in memory."""

    def append(self, rows: int, *arrays: NDArray[np.integer[Any]]) -> None:
        """Add a chunk about so many rows."""
        # Most numbers are below 256: one byte each.
        small = [array.astype(np.min_scalar_type(array.max(initial=0))) for array in arrays]
        if not self._spilled and self._spill.take(_size(small)):
            self._kept.append((rows, small))
            return
        for n, chunk in (*self._kept, (rows, small)):
            places = [_Place(self._spill.write(a.tobytes()), a.dtype, len(a)) for a in chunk]
            self._spilled.append((n, places))
        self._spill.give_back(sum(_size(chunk) for _, chunk in self._kept))
        self._kept = []

    def chunks(self) -> Iterator[tuple[int, list[Whole]]]:
        """Give all chunks, with how many rows each is about."""
        for rows, places in self._spilled:
            yield rows, [place.read(self._spill) for place in places]
        yield from self._kept


@dataclass(frozen=True)
class _Place:
    """Where an array is in a file."""

    begin: int
    dtype: np.dtype[Any]
    length: int

    def read(self, spill: Spill) -> Whole:
        """Return the array."""
        content = spill.read(self.begin, self.dtype.itemsize * self.length)
        return np.frombuffer(content, self.dtype)


def _size(arrays: Sequence[Whole]) -> int:
    return sum(array.nbytes for array in arrays)


class TablesBesides(ChunkedTable):
    """Tables of the same sentences side by side; rows were added to all of them alike."""

    def __init__(self, tables: Sequence[ChunkedTable]) -> None:
        self._tables = tables
        self.shape = (tables[0].shape[0], sum(table.shape[1] for table in tables))

    def chunks(self) -> Iterator[Floats]:
        """Give all rows, some at a time."""
        for chunks in zip(*(table.chunks() for table in self._tables), strict=True):
            yield _hstack(chunks)


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


def _hstack(chunks: Sequence[Any]) -> Any:
    if isinstance(chunks[0], np.ndarray):
        return np.hstack(chunks)
    from scipy import sparse

    return sparse.hstack(chunks, format="csr")


def _floats(rows: Whole) -> Floats:
    return rows.astype(np.float64)
