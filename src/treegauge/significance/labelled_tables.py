"""Counts of sentences under labels that nobody knows in advance, most of which are 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treegauge.significance.spilled_tables import ROWS, ChunkedTable, Floats, SpilledArrays
from treegauge.spilling import Spill

if TYPE_CHECKING:
    from scipy import sparse

Label = Any
"""Anything that can be the key of a dictionary."""
Integers = NDArray[np.integer[Any]]


class LabelledTable:
    """How often every sentence has every label, in memory at first and then in a file.

    A label gets its number when it occurs first. `columns` gives a table of labels in an order.

    Examples
    --------
    >>> table = LabelledTable(Spill(memory=0))
    >>> table.append(2, [0, 1, 1], [1, 0, 1], ["NOUN", "VERB"])
    >>> table.append(1, [0], [0], ["ADJ"])
    >>> table.labels
    ['NOUN', 'VERB', 'ADJ']
    >>> (np.ones((1, 3)) @ table.columns(["ADJ", "VERB"])).tolist()
    [[1.0, 2.0]]
    """

    def __init__(self, spill: Spill) -> None:
        self.n_sentences = 0
        self._numbers: dict[Label, int] = {}
        self._arrays = SpilledArrays(spill)
        self._rows: list[NDArray[np.int64]] = []
        self._codes: list[NDArray[np.int64]] = []
        self._n_pending = 0

    @property
    def labels(self) -> list[Label]:
        """All labels, by first occurrence."""
        return list(self._numbers)

    def append(
        self,
        sentences: int,
        sentence: Integers | Sequence[int],
        code: Integers | Sequence[int],
        labels: Sequence[Label],
    ) -> None:
        """Add sentences: a pair of a sentence and a label for everything that is counted.

        Parameters
        ----------
        sentences : int
            How many there are.
        sentence, code : array of int
            For everything that is counted, its sentence from 0, and its place in `labels`.
        labels : sequence
            Those that occur in these sentences, or might.
        """
        codes = np.asarray(code, np.int64)
        number_of = np.zeros(len(labels), np.int64)
        for place in np.unique(codes).tolist():
            number_of[place] = self._numbers.setdefault(labels[place], len(self._numbers))
        self._rows.append(np.asarray(sentence, np.int64) + self._n_pending)
        self._codes.append(number_of[codes])
        self._n_pending += sentences
        self.n_sentences += sentences
        if self._n_pending >= ROWS:
            self._close_chunk()

    def _close_chunk(self) -> None:
        rows, codes = np.concatenate(self._rows), np.concatenate(self._codes)
        width = max(len(self._numbers), 1)
        used, counts = np.unique(rows * width + codes, return_counts=True)
        self._arrays.append(self._n_pending, used // width, used % width, counts)
        self._rows, self._codes, self._n_pending = [], [], 0

    def columns(self, labels: Sequence[Label]) -> ChunkedTable:
        """Return the counts of some labels, in this order."""
        if self._n_pending:
            self._close_chunk()
        place = np.full(len(self._numbers), -1, np.int64)
        for column, label in enumerate(labels):
            if label in self._numbers:
                place[self._numbers[label]] = column
        return _Columns(self._arrays, (self.n_sentences, len(labels)), place)


class _Columns(ChunkedTable):
    """Some labels of a table, as a table whose chunks are sparse."""

    def __init__(
        self, arrays: SpilledArrays, shape: tuple[int, int], place: NDArray[np.int64]
    ) -> None:
        self.shape = shape
        self._arrays, self._place = arrays, place

    def chunks(self) -> Iterator[sparse.csr_array]:  # type: ignore[override]
        """Give all rows, some at a time."""
        from scipy import sparse

        for rows, (row, number, count) in self._arrays.chunks():
            column = self._place[number]
            chosen = column >= 0
            entries = (count[chosen].astype(np.float64), (row[chosen], column[chosen]))
            yield sparse.csr_array(entries, shape=(rows, self.shape[1]))


class BesideNothing(ChunkedTable):
    """A table with columns of zeros before it or behind it."""

    def __init__(self, table: ChunkedTable, *, before: int = 0, behind: int = 0) -> None:
        self.shape = (table.shape[0], before + table.shape[1] + behind)
        self._table, self._before, self._behind = table, before, behind

    def chunks(self) -> Iterator[Floats]:
        """Give all rows, some at a time."""
        from scipy import sparse

        for chunk in self._table.chunks():
            rows = chunk.shape[0]
            zeros = (sparse.csr_array((rows, n)) for n in (self._before, self._behind))
            parts: list[Any] = [next(zeros), chunk, next(zeros)]
            yield sparse.hstack(parts, format="csr")
