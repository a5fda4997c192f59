"""What a transition parser has learnt: tables of weights, how they are averaged, kept and saved."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.parsers.transition import _weights_numba as kernels
from treegauge.systems.saved_state import SavedState, damaged
from treegauge.systems.system import Arrays
from treegauge.transitions.stepping import N_MOVES

Tables = Any
"""`_weights_numba.Tables`; types end where kernels begin."""


_AT_ONCE = 1 << 16
"""Rows that are averaged at once, so that little memory is needed besides theirs."""


def new_tables(n_labels: int) -> tuple[Tables, Any]:
    """Return empty tables, and their sums."""
    n_rows, n_label_rows = 1 << 11, 1 << 10
    tables = kernels.Tables(
        np.zeros((2 * n_rows, 2), np.int32),
        np.zeros(n_rows, np.int64),
        np.zeros((n_rows, N_MOVES), np.float32),
        np.zeros((n_rows, 2), np.int32),
        np.zeros((n_label_rows, n_labels), np.float32),
    )
    sums = kernels.Sums(
        np.zeros((n_rows, N_MOVES)),
        np.zeros((n_label_rows, n_labels), np.float32),
        np.ones(2, np.int64),
    )
    return tables, sums


def with_room(tables: Tables, sums: Any, n_more: int) -> tuple[Tables, Any]:
    """Return tables and sums with room for so many more keys, and their rows of labels."""
    slots, keys, moves, pointers, labels = tables
    move_sums, label_sums, used = sums
    n_rows, n_label_rows = used[0] + n_more, used[1] + 2 * n_more
    if n_rows > len(keys):
        size = len(keys)
        while n_rows > size:
            size *= 2
        keys, moves, pointers, move_sums = (
            _longer(array, size) for array in (keys, moves, pointers, move_sums)
        )
    if 2 * n_rows > len(slots):
        slots = _slots(keys, used[0], n_more)
    if n_label_rows > len(labels):
        # Half as many again: these rows are long.
        size = max(n_label_rows, len(labels) * 3 // 2)
        labels, label_sums = _longer(labels, size), _longer(label_sums, size)
    return (
        kernels.Tables(slots, keys, moves, pointers, labels),
        kernels.Sums(move_sums, label_sums, used),
    )


def _longer(array: NDArray[Any], n_rows: int) -> NDArray[Any]:
    longer = np.zeros((n_rows, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


def _slots(keys: NDArray[np.int64], n_rows: int, n_more: int = 0) -> NDArray[np.int32]:
    """Return slots for the keys of all rows but 0, at most half of them used by these and more."""
    size = 1 << 12
    while size < 2 * (n_rows + n_more):
        size *= 2
    slots = np.zeros((size, 2), np.int32)
    kernels.put_rows(slots, keys, n_rows)
    return slots


def average(weights: NDArray[np.float32], sums: NDArray[Any], time: int) -> None:
    """Turn weights into their mean over all times 1 to `time`.

    A change at time t counts in all means from t on: the mean of w is w - sum(change * t) / time
    if the weights before the first decision, zero, count and those after the last do not.
    """
    for begin in range(0, len(weights), _AT_ONCE):
        rows = slice(begin, begin + _AT_ONCE)
        weights[rows] -= sums[rows] / np.float64(time)


def averaged(tables: Tables, sums: Any, time: int) -> Tables:
    """Return tables of the mean weights, without the rows that say nothing.

    Weights are rounded to half precision: nobody can tell the parses apart, and files and tables
    are half as large.
    """
    n_rows, n_label_rows = (int(n) for n in sums.used)
    moves, labels = tables.moves[:n_rows], tables.labels[:n_label_rows]
    average(moves, sums.moves[:n_rows], time)
    average(labels, sums.labels[:n_label_rows], time)
    return _built(
        tables.keys[:n_rows],
        moves.astype(np.float16).astype(np.float32),
        tables.pointers[:n_rows],
        labels.astype(np.float16).astype(np.float32),
    )


def _built(
    keys: NDArray[np.int64],
    moves: NDArray[np.float32],
    pointers: NDArray[np.int32],
    labels: NDArray[np.float32],
) -> Tables:
    """Return tables with slots, leaving out rows of zeros; row 0 stays, it means no row."""
    kept_labels = (labels != 0).any(axis=1)
    kept_labels[0] = True
    number = np.where(kept_labels, np.cumsum(kept_labels) - 1, 0).astype(np.int32)
    pointers = number[pointers]
    kept = (moves != 0).any(axis=1) | (pointers != 0).any(axis=1)
    kept[0] = True
    keys = keys[kept]
    return kernels.Tables(
        _slots(keys, len(keys)),
        keys,
        np.ascontiguousarray(moves[kept]),
        np.ascontiguousarray(pointers[kept]),
        np.ascontiguousarray(labels[kept_labels]),
    )


def to_arrays(tables: Tables) -> Arrays:
    """Return what has to be saved: of labels only the weights that are not zero."""
    rows, columns = np.nonzero(tables.labels)
    return {
        "keys": tables.keys,
        "moves": tables.moves.astype(np.float16),
        "pointers": tables.pointers,
        "label_counts": np.bincount(rows, minlength=len(tables.labels)).astype(np.int32),
        "label_columns": columns.astype(np.int32),
        "label_weights": tables.labels[rows, columns].astype(np.float16),
    }


def restored(saved: SavedState, n_labels: int) -> Tables:
    """Return the tables that were saved."""
    keys = saved.integers("keys", least=-(2**63), below=2**63)
    n_rows = len(keys)
    moves = saved.numbers("moves", (n_rows, N_MOVES), dtype=np.float32)
    counts = saved.integers("label_counts", below=n_labels + 1)
    n_weights = int(counts.sum())
    columns = saved.integers("label_columns", shape=(n_weights,), below=n_labels)
    values = saved.numbers("label_weights", (n_weights,), dtype=np.float32)
    pointers = saved.integers("pointers", shape=(n_rows, 2), below=len(counts), dtype=np.int32)
    if not n_rows or not len(counts) or moves[0].any() or pointers[0].any():
        raise damaged("row 0 of its weights is not empty")
    labels = np.zeros((len(counts), n_labels), np.float32)
    labels[np.repeat(np.arange(len(counts)), counts), columns] = values
    return kernels.Tables(_slots(keys, n_rows), keys, moves, pointers, labels)
