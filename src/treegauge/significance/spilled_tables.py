"""Statistics of more sentences than memory should hold: tables in a temporary file.

A table takes rows as they come. Over a limit they go to a file without a name, which is gone when
the program ends, however it ends. Whatever is summed is summed chunk by chunk. All numbers are
whole, so that sums are exact in any order and equal those of one table in memory.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from treegauge.significance.errors import SignificanceError

Floats = NDArray[np.float64]

MEMORY = 100 << 20
"""Bytes that a table keeps in memory before it uses a file."""
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
    memory : int, optional
        Bytes that stay in memory; `MEMORY` when missing.

    Examples
    --------
    >>> table = SpilledTable(2, memory=0)
    >>> table.append(np.array([[3.0, 4.0], [5.0, 9.0]]))
    >>> (np.array([[2.0, 1.0]]) @ table).tolist()
    [[11.0, 17.0]]
    """

    def __init__(self, columns: int, *, memory: int | None = None) -> None:
        self.shape = (0, columns)
        self._memory = MEMORY if memory is None else memory
        self._pending: list[NDArray[np.uint32]] = []
        self._n_pending = 0
        self._kept: list[NDArray[np.uint32]] = []
        self._file: IO[bytes] | None = None
        self._spilled: list[int] = []
        """Rows of every chunk in the file."""

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

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
        self._pending, self._n_pending = [], 0
        self._kept.append(chunk)
        if self._file is None and sum(kept.nbytes for kept in self._kept) <= self._memory:
            return
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="treegauge-")  # noqa: SIM115
        for kept in self._kept:
            self._file.write(kept.tobytes())
            self._spilled.append(len(kept))
        self._kept = []

    def chunks(self) -> Iterator[Floats]:
        """Give all rows, some at a time."""
        if self._file is not None:
            self._file.flush()
            at = 0
            for rows in self._spilled:
                self._file.seek(at)
                content = self._file.read(4 * rows * self.shape[1])
                at = self._file.tell()
                # The file is written at its end.
                self._file.seek(0, 2)
                yield _floats(np.frombuffer(content, np.uint32).reshape(rows, self.shape[1]))
        for kept in (*self._kept, *self._pending):
            yield _floats(kept)


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


def _floats(rows: NDArray[np.uint32]) -> Floats:
    return rows.astype(np.float64)
