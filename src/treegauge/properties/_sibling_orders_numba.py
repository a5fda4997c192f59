"""Kernel that counts which of two sisters comes first."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel, longest_sentence
from treegauge.properties._subtrees_numba import sort_children_by_key

ANY, SAME, GIVEN = 0, 1, 2


@kernel
def sister_pairs(head, offsets, kind, n_kinds, tag, sides, key, first_count, second_count):
    """Write a row for every pair of kinds below a head; return the number of rows.

    A row has the pair as a number, and how often the smaller kind came first, and second. Sisters
    of one kind are no pair. Sides: ANY of the head; only pairs on the SAME side; GIVEN the sides
    of both, which then are part of the kinds. With arrays of length 0 rows are only counted.

    The children of a head are sorted by kind, so that many sisters of few kinds make few rows, and
    a pair of kinds is counted by merging two lists.
    """
    rows = 0
    counts_only = len(key) == 0
    room = longest_sentence(offsets) + 2
    start = np.empty(room, np.int64)
    place = np.empty(room, np.int64)
    children = np.empty(room, np.int64)
    kinds = np.empty(room, np.int64)
    kind_of = np.empty(room, np.int64)
    sorting_room = np.empty(room, np.int64)
    sides_of = 1 if sides == ANY else 2
    total_kinds = n_kinds * sides_of
    for s in range(len(offsets) - 1):
        begin = offsets[s]
        n = offsets[s + 1] - begin
        for h in range(n + 2):
            start[h] = 0
        for i in range(n):
            h = head[begin + i]
            if 0 < h <= n:
                start[h + 1] += 1
        for h in range(n + 1):
            start[h + 1] += start[h]
        for h in range(n + 1):
            place[h] = start[h]
        for i in range(1, n + 1):
            h = head[begin + i - 1]
            if 0 < h <= n:
                children[place[h]] = i
                place[h] += 1
        for h in range(1, n + 1):
            low, high = start[h], start[h + 1]
            if high - low < 2:
                continue
            for c in range(low, high):
                d = children[c]
                k = kind[begin + d - 1]
                if sides != ANY:
                    k = 2 * k + (d > h)
                kind_of[d] = k
            sort_children_by_key(children, low, high, kind_of, 1, sorting_room)
            for c in range(low, high):
                kinds[c] = kind_of[children[c]]
            a = low
            while a < high:
                a_end = a
                while a_end < high and kinds[a_end] == kinds[a]:
                    a_end += 1
                b = a_end
                while b < high:
                    b_end = b
                    while b_end < high and kinds[b_end] == kinds[b]:
                        b_end += 1
                    is_pair = True
                    if sides != ANY and kinds[a] // 2 == kinds[b] // 2:
                        is_pair = False
                    if sides == SAME and kinds[a] % 2 != kinds[b] % 2:
                        is_pair = False
                    if is_pair:
                        if not counts_only:
                            before = 0
                            seen = 0
                            for y in range(b, b_end):
                                while a + seen < a_end and children[a + seen] < children[y]:
                                    seen += 1
                                before += seen
                            ka, kb = kinds[a], kinds[b]
                            if sides == SAME:
                                ka, kb = ka // 2, kb // 2
                            key[rows] = (tag[begin + h - 1] * total_kinds + ka) * total_kinds + kb
                            first_count[rows] = before
                            second_count[rows] = (a_end - a) * (b_end - b) - before
                        rows += 1
                    b = b_end
                a = a_end
    return rows
