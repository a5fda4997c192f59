"""The second pass: how often every window of neighbouring words occurs, in sorted order.

A chunk of a shard is laid out as a text of types, its windows are sorted and counted, and written
as a run. Runs are then merged, a range of first words at a time, so that nothing needs more memory
than some chunks. Sums of whole numbers in a fixed order: who counted what does not show.
"""

from __future__ import annotations

import contextlib
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treegauge.shards import _windows_numba as kernels
from treegauge.shards.numbering import NumberedShard, NumberedText
from treegauge.shards.passes import GivenUp, in_order, stop_if
from treegauge.temporaries import replacing, temporary_folder

CHUNK = 1 << 22
"""Words of a chunk, and windows of a range, about."""

_ROWS, _COUNTS = ".rows", ".counts"

Layout = Callable[[NDArray[np.int32], NDArray[np.int64], int], NDArray[np.int32]]
"""From types and offsets of whole sentences, and the type before them (-1 at the beginning), to a
text in which every window counts. It can be sent to another process."""
Rows = tuple[NDArray[np.int32], NDArray[np.int64]]


@dataclass(frozen=True)
class WindowPlan:
    """What a window is."""

    order: int
    """Words of a window."""
    n_types: int
    """Words of a laid out text are below; its types, and what the layout adds."""
    layout: Layout
    end: int = -1
    """A window ends behind this word, and is filled up with 0."""


@dataclass(frozen=True)
class Chunk:
    """Whole sentences of a shard."""

    shard: NumberedShard
    types: Path
    """A file: the type of every code of the shard, -1 for none."""
    words: tuple[int, int]
    sentences: tuple[int, int]
    before: int
    """The type of the word before, -1 for none."""


@dataclass(frozen=True)
class CountedWindows:
    """Windows and their counts, in files, each with a range of first words."""

    order: int
    parts: tuple[tuple[Path, int], ...]
    """Files, and how many windows they have."""

    def __len__(self) -> int:
        return sum(size for _, size in self.parts)

    def __iter__(self) -> Iterator[Rows]:
        """Give windows in sorted order, a row each, and their counts, a part at a time.

        All windows with the same first word are in one part.
        """
        for path, _ in self.parts:
            yield _load(path, self.order)


@contextlib.contextmanager
def counted_windows(
    text: NumberedText,
    type_of_code: NDArray[np.int32],
    plan: WindowPlan,
    *,
    chunk: int = CHUNK,
    on_progress: Callable[[float], None] = lambda _share: None,
) -> Iterator[CountedWindows]:
    """Count the windows of a text; what they are kept in is removed in the end.

    Parameters
    ----------
    text : NumberedText
        What the first pass gave.
    type_of_code : array of int
        A type for every code of the text, or -1.
    plan : WindowPlan
        What a window is.
    chunk : int
        How many words to take at once.
    """
    with temporary_folder(text.folder) as folder:
        chunks = list(_chunks(text, type_of_code, folder, chunk))
        tasks = [(piece, plan, folder / f"run-{i:06d}") for i, piece in enumerate(chunks)]
        names = [piece.shard.name for piece in chunks]
        runs, weight = [], np.zeros(plan.n_types, np.int64)
        for run, words, counts in in_order(count_chunk, tasks, text.executor, names):
            runs.append(run)
            weight[words] += counts
            on_progress(0.7 * len(runs) / len(tasks))
        bounds = _ranges(weight, chunk)
        merging = [
            (runs, plan.order, low, high, folder / f"part-{i:06d}")
            for i, (low, high) in enumerate(pairwise(bounds))
        ]
        parts = []
        for part in in_order(merge_range, merging, text.executor):
            parts.append(part)
            on_progress(0.7 + 0.3 * len(parts) / len(merging))
        for run in runs:
            _remove(run)
        yield CountedWindows(plan.order, tuple(parts))


def _chunks(
    text: NumberedText, type_of_code: NDArray[np.int32], folder: Path, size: int
) -> Iterator[Chunk]:
    """Cut shards into whole sentences; write down the types of every shard's codes."""
    before = -1
    for number, shard in enumerate(text.shards):
        own = type_of_code[shard.codes()].astype(np.int32)
        types = folder / f"types-{number:05d}.i32"
        own.tofile(types)
        offsets = np.concatenate([[0], np.cumsum(shard.lengths(), dtype=np.int64)])
        first = 0
        while first < shard.n_sentences:
            # At least one sentence, and no more words than wanted, if that can be.
            last = int(np.searchsorted(offsets, offsets[first] + size, side="right")) - 1
            last = max(last, first + 1)
            words = int(offsets[first]), int(offsets[last])
            yield Chunk(shard, types, words, (first, last), before)
            before = int(own[shard.words(words[1] - 1, words[1])[0]])
            first = last


def sorted_places(text: NDArray[np.int32], order: int, n_types: int) -> NDArray[np.int32]:
    """Return all places of a text where so many words begin, sorted by these words.

    >>> sorted_places(np.array([1, 0, 1, 1, 0], np.int32), 2, 2).tolist()  # 0 1, 1 0, 1 0, 1 1
    [1, 0, 3, 2]
    """
    places: NDArray[np.int32] = kernels.sort_windows(text, order, n_types)
    return places


def count_chunk(
    chunk: Chunk, plan: WindowPlan, target: Path, given_up: GivenUp | None = None
) -> tuple[Path, NDArray[np.int32], NDArray[np.int64]]:
    """Write the windows of a chunk as a run; return it, its first words and their windows."""
    stop_if(given_up)
    types = np.fromfile(chunk.types, np.int32)
    words = types[chunk.shard.words(*chunk.words)]
    lengths = chunk.shard.lengths()[slice(*chunk.sentences)]
    offsets = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    text = plan.layout(words, offsets, chunk.before)
    # Sorted by counting, words are below a number: those without a type get the last one.
    left_out = plan.n_types
    text = np.where(text < 0, np.int32(left_out), text)
    if plan.end >= 0:  # windows at the end of the text look beyond it, and what is there is 0
        text = np.append(text, np.zeros(plan.order - 1, np.int32))
    places = sorted_places(text, plan.order, plan.n_types + 1)
    rows, counts = kernels.distinct_windows(text, places, plan.order, plan.end, left_out)
    _save(target, rows, counts)
    begins = np.flatnonzero(np.diff(rows[:, 0], prepend=-1))
    sums = np.add.reduceat(counts, begins) if len(begins) else counts
    return target, rows[begins, 0], sums


def merge_range(
    runs: list[Path],
    order: int,
    low: int,
    high: int,
    target: Path,
    given_up: GivenUp | None = None,
) -> tuple[Path, int]:
    """Merge the windows of all runs whose first word is in a range; return where, how many."""
    stop_if(given_up)
    parts = [_between(run, order, low, high) for run in runs]
    starts = np.concatenate([[0], np.cumsum([len(counts) for _, counts in parts])])
    rows = np.concatenate([rows for rows, _ in parts])
    counts = np.concatenate([counts for _, counts in parts])
    del parts
    merged, sums = kernels.merge_runs(rows, counts, starts.astype(np.int64))
    _save(target, merged, sums)
    return target, len(sums)


def _ranges(weight: NDArray[np.int64], size: int) -> list[int]:
    """Return bounds of ranges of first words with about so many windows each."""
    portion = np.cumsum(weight) // size
    inner = np.flatnonzero(np.diff(portion)) + 1
    return [0, *inner.tolist(), len(weight)]


def _save(path: Path, rows: NDArray[np.int32], counts: NDArray[np.int64]) -> None:
    for ending, array in ((_ROWS, rows), (_COUNTS, counts)):
        with replacing(path.with_suffix(ending)) as file:
            array.tofile(file)


def _load(path: Path, order: int, first: int = 0, last: int | None = None) -> Rows:
    """Return some of the windows of a file, and their counts."""
    size = path.with_suffix(_COUNTS).stat().st_size // 8 - first if last is None else last - first
    rows = np.fromfile(path.with_suffix(_ROWS), np.int32, size * order, offset=4 * order * first)
    counts = np.fromfile(path.with_suffix(_COUNTS), np.int64, size, offset=8 * first)
    return rows.reshape(-1, order), counts


def _between(path: Path, order: int, low: int, high: int) -> Rows:
    """Return the windows of a run whose first word is in a range."""
    with path.with_suffix(_ROWS).open("rb") as stream:
        n_rows = stream.seek(0, 2) // (4 * order)

        def first_at_least(word: int) -> int:
            def first_word(row: int) -> int:
                stream.seek(4 * order * row)
                return int.from_bytes(stream.read(4), sys.byteorder)

            return bisect_left(range(n_rows), word, key=first_word)

        return _load(path, order, first_at_least(low), first_at_least(high))


def _remove(path: Path) -> None:
    for ending in (_ROWS, _COUNTS):
        path.with_suffix(ending).unlink(missing_ok=True)
