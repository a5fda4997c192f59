"""Scans blocks of columns on all cores, and gives them in the order of the file.

Threads cut different blocks into lines and fields at the same time. Then they look the strings up.
A column has one table of strings, and a block comes to it when the block before has been there: so
the codes are those that one thread would give, and nothing has to be put together in the end.
Nobody waits for long, since other threads are at another column by then, or still cutting.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.formats import _columns_numba as kernels
from treegauge.formats.layouts import ColumnLayout
from treegauge.formats.scanned_block import ScannedBlock
from treegauge.kernels import threads
from treegauge.treebank import Column, Interner

SIDE_TEXT = -1
"""The column of whole lines that are no words; the others have the numbers of their fields."""
_WAITING = 1
"""How many blocks wait for every thread, beside the one that it has under way."""


@dataclass(frozen=True)
class CutBlock:
    """A block that was cut into lines and fields."""

    block: ScannedBlock
    side: NDArray[np.intp]
    """Which lines are comments, multiword tokens or empty nodes."""


class BlockScanner:
    """Scans the blocks of a file, and keeps the strings of all columns."""

    def __init__(self, layout: ColumnLayout) -> None:
        self.layout = layout
        self._columns = {key: _GrowingColumn() for key in (*layout.text_columns, SIDE_TEXT)}

    def column(self, key: int) -> Column:
        """Return a column, when all blocks are scanned."""
        return self._columns[key].column()

    def scan(self, texts: Iterable[bytes]) -> Iterator[CutBlock]:
        """Give all blocks in their order, scanned by as many threads as there may be.

        Who gathers them says at which line each begins.
        """
        turn = _Turn(self._columns, None)
        texts = iter(texts)
        for text in texts:
            # Here, and not in a thread: it loads the kernels, and most files have no other.
            yield self._scan(text, turn)
            break
        n_threads = threads()
        if n_threads == 1:
            for text in texts:
                turn = turn.next()
                yield self._scan(text, turn)
            return
        with ThreadPoolExecutor(n_threads) as pool:
            under_way: deque[Future[CutBlock]] = deque()
            for text in texts:
                turn = turn.next()
                under_way.append(pool.submit(self._scan, text, turn))
                if len(under_way) == (1 + _WAITING) * n_threads:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()

    def _scan(self, text: bytes, turn: _Turn) -> CutBlock:
        with turn:
            block = ScannedBlock(text, self.layout, 0)
            side = np.flatnonzero(block.kind <= kernels.EMPTY_NODE)
            ends = block.bounds[1:] - 1
            for key in self.layout.text_columns:
                with turn.at(key):
                    self._columns[key].add(block.bytes, block.bounds[key], ends[key])
            first, last = block.line_start[side], block.line_start[side + 1] - 1
            with turn.at(SIDE_TEXT):
                self._columns[SIDE_TEXT].add(block.bytes, first, last)
            return CutBlock(block, side)


class _GrowingColumn:
    """The strings of one column, block after block."""

    def __init__(self) -> None:
        self._interner = Interner()
        self._codes = np.empty(0, np.int32)
        self._size = 0

    def add(
        self,
        block: NDArray[np.uint8],
        first: NDArray[np.integer[Any]],
        last: NDArray[np.integer[Any]],
    ) -> None:
        """Add slices of a block."""
        size = self._size + len(first)
        if size > len(self._codes):
            # Many files have one block. What is behind the last code takes no memory: nobody
            # touches it, and it is given back in the end.
            larger = np.empty(2 * size if self._size else size, np.int32)
            larger[: self._size] = self._codes[: self._size]
            self._codes = larger
        self._interner.add(block, first, last, self._codes[self._size : size])
        self._size = size

    def column(self) -> Column:
        """Return everything; no more can be added."""
        self._codes.resize(self._size, refcheck=False)
        return Column(self._codes, self._interner.vocabulary())


class _Turn:
    """A block's turn at every column: once, and not before the block before has had its own."""

    def __init__(self, columns: Iterable[int], before: Mapping[int, Lock] | None) -> None:
        self._before = before
        self._is_over = {column: Lock() for column in columns}
        for lock in self._is_over.values():
            lock.acquire()
        self._left = set(self._is_over)

    def next(self) -> _Turn:
        """Return the turn of the next block."""
        return _Turn(self._is_over, self._is_over)

    @contextmanager
    def at(self, column: int) -> Iterator[None]:
        """Wait until the block before has been at a column; the next block waits for this one."""
        if self._before is not None:
            self._before[column].acquire()
        self._left.remove(column)
        try:
            yield
        finally:
            self._is_over[column].release()

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        # Where a block could not be scanned, others must not wait forever.
        while self._left:
            with self.at(next(iter(self._left))):
                pass
