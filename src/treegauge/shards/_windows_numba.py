"""Kernels that count windows of words: sorted by counting, merged from sorted runs."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def sort_windows(text, order, n_types):
    """Return all places where `order` words begin, sorted by these words, all below `n_types`.

    Windows are sorted by counting, last word first, once for every word: these passes read and
    write little out of turn, whatever the size of the vocabulary.
    """
    length = max(len(text) - order + 1, 0)
    places = np.arange(length).astype(np.int32)
    room = np.empty(length, np.int32)
    for k in range(order - 1, -1, -1):
        following = np.zeros(n_types + 1, np.int64)
        for i in range(length):
            following[text[i + k] + 1] += 1
        for w in range(n_types):
            following[w + 1] += following[w]
        for r in range(length):
            w = text[places[r] + k]
            room[following[w]] = places[r]
            following[w] += 1
        places, room = room, places
    return places


@kernel
def distinct_windows(text, places, order, end, left_out):
    """Return the different windows in sorted order, and how often each occurs.

    A window ends behind the word `end`; what would come then is 0. Windows with the word
    `left_out` are not counted.
    """
    n = len(places)
    rows = np.empty((n, order), np.int32)
    counts = np.empty(n, np.int64)
    size = 0
    for r in range(n):
        p = places[r]
        length = 0
        is_counted = True
        for k in range(order):
            if length == k and (k == 0 or text[p + k - 1] != end):
                length = k + 1
                if text[p + k] == left_out:
                    is_counted = False
        if not is_counted:
            continue
        is_same = size > 0
        for k in range(order):
            word = text[p + k] if k < length else 0
            rows[size, k] = word
            if is_same and rows[size - 1, k] != word:
                is_same = False
        if is_same:
            counts[size - 1] += 1
        else:
            counts[size] = 1
            size += 1
    return rows[:size].copy(), counts[:size].copy()


@kernel
def _is_before(rows, a, b):
    """Return whether one row comes before another one; of equal rows, the earlier in the array."""
    for k in range(rows.shape[1]):
        if rows[a, k] != rows[b, k]:
            return rows[a, k] < rows[b, k]
    return a < b


@kernel
def _sift_down(heap, size, rows):
    """Move the first row of a heap to where it belongs."""
    here = 0
    while True:
        child = 2 * here + 1
        if child >= size:
            return
        if child + 1 < size and _is_before(rows, heap[child + 1], heap[child]):
            child += 1
        if _is_before(rows, heap[here], heap[child]):
            return
        heap[here], heap[child] = heap[child], heap[here]
        here = child


@kernel
def merge_runs(rows, counts, starts):
    """Merge sorted runs, one behind the other in an array, into one; sum counts of equal rows.

    Run i is `rows[starts[i]:starts[i + 1]]`.
    """
    order = rows.shape[1]
    n_runs = len(starts) - 1
    merged = np.empty_like(rows)
    sums = np.empty_like(counts)
    # The next row of every run, and behind which row its run ends.
    heap = np.empty(n_runs, np.int64)
    is_last = np.zeros(len(rows), np.bool_)
    n_open = 0
    for i in range(n_runs):
        if starts[i] < starts[i + 1]:
            heap[n_open] = starts[i]
            is_last[starts[i + 1] - 1] = True
            n_open += 1
    for i in range(n_open - 1, 0, -1):  # few runs: sorted, they are a heap
        for j in range(i):
            if _is_before(rows, heap[j + 1], heap[j]):
                heap[j], heap[j + 1] = heap[j + 1], heap[j]
    size = 0
    while n_open:
        r = heap[0]
        is_same = size > 0
        if is_same:
            for k in range(order):
                if merged[size - 1, k] != rows[r, k]:
                    is_same = False
                    break
        if is_same:
            sums[size - 1] += counts[r]
        else:
            for k in range(order):
                merged[size, k] = rows[r, k]
            sums[size] = counts[r]
            size += 1
        if is_last[r]:
            n_open -= 1
            heap[0] = heap[n_open]
        else:
            heap[0] = r + 1
        _sift_down(heap, n_open, rows)
    return merged[:size].copy(), sums[:size].copy()
