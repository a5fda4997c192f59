"""Kernels of weights: two tables, one for moves and one for labels, found by hashed keys.

A key leads through an open-addressing table of slots to a row of the first table: a weight for
each move, and two pointers, for left and for right arcs, to rows of the second: a weight for each
label. Rows are made when a feature is first learnt from, so that the tables stay small, and a
feature that nothing was learnt from costs one look at a slot. Row 0 of both tables is no row.
"""

# mypy: ignore-errors
from __future__ import annotations

from collections import namedtuple

import numpy as np

from treegauge.kernels import kernel
from treegauge.transitions.stepping import LEFT_ARC, N_MOVES, RIGHT_ARC

Tables = namedtuple("Tables", "slots keys moves pointers labels")
"""What is needed to score.

slots : int32, slots x 2; the high half of a key, and its row, 0 if the slot is free
keys : int64, one a row
moves : float32, rows x N_MOVES
pointers : int32, rows x 2; rows of labels, by arc: left, right
labels : float32, rows x labels
"""

Sums = namedtuple("Sums", "moves labels used")
"""What is needed to average (see `average`): sums of changes times their time, and how many rows
are used in either table. The sums of labels, the largest of all arrays, are in single precision."""


@kernel
def new_tables(n_labels):
    """Return empty tables."""
    return Tables(
        np.zeros((1 << 12, 2), np.int32),
        np.zeros(1 << 11, np.int64),
        np.zeros((1 << 11, N_MOVES), np.float32),
        np.zeros((1 << 11, 2), np.int32),
        np.zeros((1 << 10, n_labels), np.float32),
    )


@kernel
def new_sums(tables):
    """Return sums for empty tables."""
    return Sums(
        np.zeros(tables.moves.shape, np.float64),
        np.zeros(tables.labels.shape, np.float32),
        np.ones(2, np.int64),
    )


@kernel
def find_row(slots, key):
    """Return the row of a key, 0 if it has none."""
    mask = len(slots) - 1
    at = key & mask
    check = np.int32(key >> 32)
    while slots[at, 1] != 0:
        if slots[at, 0] == check:
            return slots[at, 1]
        at = (at + 1) & mask
    return np.int32(0)


@kernel
def put_row(slots, key, row):
    """Note the row of a key that has none."""
    mask = len(slots) - 1
    at = key & mask
    while slots[at, 1] != 0:
        at = (at + 1) & mask
    slots[at, 0] = np.int32(key >> 32)
    slots[at, 1] = row


@kernel
def slots_for(keys, n_rows):
    """Return slots for the keys of all rows but 0, at most half of them used."""
    size = 1 << 12
    while size < 2 * n_rows:
        size *= 2
    slots = np.zeros((size, 2), np.int32)
    for row in range(1, n_rows):
        put_row(slots, keys[row], row)
    return slots


@kernel
def _longer(array, n_rows):
    longer = np.zeros((n_rows, array.shape[1]), array.dtype)
    longer[: len(array)] = array
    return longer


@kernel
def make_room(tables, sums, n_moves, n_labels):
    """Return tables and sums with room for so many more rows."""
    slots, keys, moves, pointers, labels = tables
    move_sums, label_sums, used = sums
    if used[0] + n_moves > len(keys):
        size = len(keys)
        while used[0] + n_moves > size:
            size *= 2
        longer = np.zeros(size, np.int64)
        longer[: len(keys)] = keys
        keys = longer
        moves = _longer(moves, size)
        pointers = _longer(pointers, size)
        move_sums = _longer(move_sums, size)
    if 2 * (used[0] + n_moves) > len(slots):
        slots = slots_for(keys, used[0])
        if 2 * (used[0] + n_moves) > len(slots):
            larger = np.zeros((2 * len(slots), 2), np.int32)
            for row in range(1, used[0]):
                put_row(larger, keys[row], row)
            slots = larger
    if used[1] + n_labels > len(labels):
        # Half as many again: these rows are long.
        size = max(used[1] + n_labels, len(labels) * 3 // 2)
        labels = _longer(labels, size)
        label_sums = _longer(label_sums, size)
    return Tables(slots, keys, moves, pointers, labels), Sums(move_sums, label_sums, used)


@kernel
def score_moves(tables, keys, n_keys, rows, scores):
    """Write the rows of keys, and the scores of moves."""
    slots = tables.slots
    moves = tables.moves
    s0 = s1 = s2 = s3 = np.float32(0)
    for k in range(n_keys):
        rows[k] = find_row(slots, keys[k])
    for k in range(n_keys):
        row = rows[k]
        s0 += moves[row, 0]
        s1 += moves[row, 1]
        s2 += moves[row, 2]
        s3 += moves[row, 3]
    scores[0], scores[1], scores[2], scores[3] = s0, s1, s2, s3


@kernel
def score_labels(tables, rows, n_rows, side, scores):
    """Add to the scores of the labels of left arcs (side 0) or right arcs (side 1)."""
    pointers = tables.pointers
    labels = tables.labels
    n_labels = labels.shape[1]
    for k in range(n_rows):
        row = pointers[rows[k], side]
        if row != 0:
            for label in range(n_labels):
                scores[label] += labels[row, label]


@kernel
def best_label(scores):
    """Return the label of the highest score, of equal ones the first."""
    best = 0
    for label in range(1, len(scores)):
        if scores[label] > scores[best]:
            best = label
    return best


@kernel
def side_of(move):
    """Return 0 for left arcs, 1 for right arcs, -1 for moves that add none."""
    if move == LEFT_ARC:
        return 0
    return 1 if move == RIGHT_ARC else -1


@kernel
def make_rows(tables, sums, keys, rows, n_keys):
    """Give a row to every key that has none; there must be room."""
    used = sums.used
    for k in range(n_keys):
        if rows[k] == 0:
            # A key may have been given one a moment ago.
            row = find_row(tables.slots, keys[k])
            if row == 0:
                row = np.int32(used[0])
                used[0] += 1
                tables.keys[row] = keys[k]
                put_row(tables.slots, keys[k], row)
            rows[k] = row


@kernel
def change_move(tables, sums, rows, n_rows, move, change, time):
    """Add to the weights of a move."""
    for k in range(n_rows):
        tables.moves[rows[k], move] += change
        sums.moves[rows[k], move] += change * time


@kernel
def change_label(tables, sums, rows, n_rows, side, label, change, time):
    """Add to the weights of a label; there must be room for rows of labels."""
    used = sums.used
    for k in range(n_rows):
        row = tables.pointers[rows[k], side]
        if row == 0:
            row = np.int32(used[1])
            used[1] += 1
            tables.pointers[rows[k], side] = row
        tables.labels[row, label] += change
        sums.labels[row, label] += change * time


@kernel
def average(weights, sums, time):
    """Turn weights into their mean over all times 1 to `time`.

    A change at time t counts in all means from t on: the mean of w is w - sum(change * t) / time
    if the weights before the first decision, zero, count and those after the last do not.
    """
    for row in range(len(weights)):
        for column in range(weights.shape[1]):
            weights[row, column] -= sums[row, column] / time
