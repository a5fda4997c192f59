"""Scans blocks of columns on all cores, and gives them in the order of the file.

Every thread has interners of its own, which grow from block to block. With a block comes what its
thread had not seen before; whoever gathers blocks gives these strings codes of their own, in the
order of the file, so that the codes are those that one thread would give.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from treegauge.formats import _columns_numba as kernels
from treegauge.formats.layouts import ColumnLayout
from treegauge.formats.scanned_block import ScannedBlock
from treegauge.kernels import threads
from treegauge.treebank import Interner, Vocabulary

SIDE_TEXT = "side_text"
_WAITING = 2
"""How many blocks of every thread are under way or wait."""


@dataclass(frozen=True)
class CodedBlock:
    """A block, and a code for every string in it."""

    block: ScannedBlock
    scanner: BlockScanner
    side: NDArray[np.intp]
    """Which lines are comments, multiword tokens or empty nodes."""
    codes: dict[str, NDArray[np.int32]] = field(default_factory=dict)
    """By column; the scanner's own codes."""
    new: dict[str, Vocabulary] = field(default_factory=dict)
    """By column, the strings that the scanner had not seen before, in its order."""


class BlockScanner:
    """Scans some of the blocks, one after the other."""

    def __init__(self, layout: ColumnLayout) -> None:
        self.layout = layout
        self.interners: dict[str, Interner] = defaultdict(Interner)

    def scan(self, text: bytes) -> CodedBlock:
        """Scan a block; who gathers it says at which line it begins."""
        block = ScannedBlock(text, self.layout, 0)
        coded = CodedBlock(block, self, np.flatnonzero(block.kind <= kernels.EMPTY_NODE))
        for index, name in self.layout.text_columns.items():
            # A CoNLL-U Plus file may call a column LENGTHS.
            self._add(coded, f"column {name}", block.bounds[index], block.bounds[index + 1] - 1)
        starts, ends = block.line_start[coded.side], block.line_start[coded.side + 1] - 1
        self._add(coded, SIDE_TEXT, starts, ends)
        return coded

    def _add(
        self,
        coded: CodedBlock,
        key: str,
        first: NDArray[np.integer],
        last: NDArray[np.integer],
    ) -> None:
        interner = self.interners[key]
        before = len(interner)
        coded.codes[key] = interner.add(coded.block.bytes, first, last)
        coded.new[key] = interner.since(before)


def coded_blocks(blocks: Iterable[bytes], layout: ColumnLayout) -> Iterator[CodedBlock]:
    """Give all blocks in their order, scanned by as many threads as there may be."""
    scanners = [BlockScanner(layout) for _ in range(threads())]
    blocks = iter(blocks)
    for block in blocks:
        # Here, and not in a thread: it loads the kernels, and most files have no other.
        yield scanners[0].scan(block)
        break
    if len(scanners) == 1:
        yield from map(scanners[0].scan, blocks)
        return
    with ExitStack() as stack:
        # One thread each, so that a scanner never has two blocks at once.
        pools = [stack.enter_context(ThreadPoolExecutor(1)) for _ in scanners]
        under_way: deque[Future[CodedBlock]] = deque()
        for number, block in enumerate(blocks, start=1):
            turn = number % len(scanners)
            under_way.append(pools[turn].submit(scanners[turn].scan, block))
            if len(under_way) > _WAITING * len(scanners):
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
