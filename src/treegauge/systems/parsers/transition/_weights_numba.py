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
from treegauge.transitions.stepping import LEFT_ARC

Tables = namedtuple("Tables", "slots keys moves pointers labels")
"""What is needed to score.

slots : int32, slots x 2; the high half of a key, and its row, 0 if the slot is free
keys : int64, one per row
moves : float32, rows x N_MOVES
pointers : int32, rows x 2; rows of labels, by arc: left, right
labels : float32, rows x labels
"""

Sums = namedtuple("Sums", "moves labels used")
"""What is needed to average (see `weights.average`): sums of changes times their time, and how
many rows are used in either table. The sums of labels, the largest of all arrays, are in single
precision."""


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
def put_rows(slots, keys, n_rows):
    """Note the rows of all keys but that of row 0."""
    for row in range(1, n_rows):
        put_row(slots, keys[row], row)


@kernel
def score_moves(slots, moves, keys, n_keys, rows, scores):
    """Write the rows of keys, and the scores of moves."""
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
def score_labels(pointers, labels, rows, n_rows, side, scores):
    """Add to the scores of the labels of left arcs (side 0) or right arcs (side 1)."""
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
def make_rows(slots, keys_of_rows, used, keys, rows, n_keys):
    """Give a row to every key that has none; there must be room."""
    for k in range(n_keys):
        if rows[k] == 0:
            # A key may have been given one a moment ago.
            row = find_row(slots, keys[k])
            if row == 0:
                row = np.int32(used[0])
                used[0] += 1
                keys_of_rows[row] = keys[k]
                put_row(slots, keys[k], row)
            rows[k] = row


@kernel
def change(tables, sums, rows, n_rows, n_label_rows, move, label, by, time):
    """Add to the weights of a move and, if it adds an arc, of its label; there must be room."""
    _, _, moves, pointers, labels = tables
    move_sums, label_sums, used = sums
    for k in range(n_rows):
        moves[rows[k], move] += by
        move_sums[rows[k], move] += by * time
    side = move - LEFT_ARC
    if side == 0 or side == 1:
        for k in range(n_label_rows):
            row = pointers[rows[k], side]
            if row == 0:
                row = np.int32(used[1])
                used[1] += 1
                pointers[rows[k], side] = row
            labels[row, label] += by
            label_sums[row, label] += by * time
