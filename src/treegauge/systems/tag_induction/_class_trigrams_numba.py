"""Kernels that keep counts of trigrams of classes, of which most never occur.

Counts are kept three times: by the last two classes, by the first and the last, and by the first
two. What is kept of two classes is a *fibre*: the third classes that occur with them, side by side
in no order, with their counts. So all classes that occur beside two others are found in one piece
of memory, and a trigram is found by a search in its fibre, which is short.

All fibres are in one array. A fibre that is full moves to the end of what is used, with twice the
room; when the array is full, all of them move together.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import inlined_kernel, kernel

_LEAST_ROOM = 4


@inlined_kernel
def find(begin, filled, third, fibre, c):
    """Return where a class is in its fibre; the fibre's end if it is not."""
    at = begin[fibre]
    end = at + filled[fibre]
    while at < end and third[at] != c:
        at += 1
    return at


@inlined_kernel
def fibres_of(i, j, k, size):
    """Return the numbers of the three fibres that a trigram is in."""
    return j * size + k, (size + i) * size + k, (2 * size + i) * size + j


@kernel
def _move_together(begin, filled, room, third, count, used, size):
    """Move all fibres to the beginning of the array, each with some room to grow."""
    old_third, old_count = third[: used[0]].copy(), count[: used[0]].copy()
    used[0] = 0
    for fibre in range(len(begin)):
        n, old = filled[fibre], begin[fibre]
        begin[fibre] = used[0]
        room[fibre] = min(n + n // 2 + 2, size) if n else 0
        for at in range(n):
            third[used[0] + at] = old_third[old + at]
            count[used[0] + at] = old_count[old + at]
        used[0] += room[fibre]


@kernel
def _make_room(begin, filled, room, third, count, used, size, fibre):
    """Double the room of a fibre."""
    wanted = min(max(2 * room[fibre], _LEAST_ROOM), size)
    if used[0] + wanted > len(third):
        _move_together(begin, filled, room, third, count, used, size)
        if room[fibre] > filled[fibre]:
            return
    old = begin[fibre]
    for at in range(filled[fibre]):
        third[used[0] + at] = third[old + at]
        count[used[0] + at] = count[old + at]
    begin[fibre] = used[0]
    room[fibre] = wanted
    used[0] += wanted


@kernel
def change_trigram(begin, filled, room, third, count, used, i, j, k, change, size):
    """Add to the count of a trigram; return what it was before."""
    first, second, last = fibres_of(i, j, k, size)
    before = 0
    for turn in range(3):
        fibre = first if turn == 0 else second if turn == 1 else last
        c = i if turn == 0 else j if turn == 1 else k
        at = find(begin, filled, third, fibre, c)
        if at == begin[fibre] + filled[fibre]:
            if filled[fibre] == room[fibre]:
                _make_room(begin, filled, room, third, count, used, size, fibre)
                at = begin[fibre] + filled[fibre]
            third[at] = c
            count[at] = 0
            filled[fibre] += 1
        before = count[at]
        count[at] += change
        if count[at] == 0:
            filled[fibre] -= 1
            end = begin[fibre] + filled[fibre]
            third[at], count[at] = third[end], count[end]
    return before


@kernel
def list_trigrams(begin, filled, third, count, size):
    """Return all trigrams that occur, with their counts."""
    fibres = range(2 * size * size, 3 * size * size)
    total = 0
    for fibre in fibres:
        total += filled[fibre]
    found = np.empty((total, 4), np.int32)
    row = 0
    for fibre in fibres:
        for at in range(begin[fibre], begin[fibre] + filled[fibre]):
            found[row, 0] = fibre // size - 2 * size
            found[row, 1] = fibre % size
            found[row, 2] = third[at]
            found[row, 3] = count[at]
            row += 1
    return found
