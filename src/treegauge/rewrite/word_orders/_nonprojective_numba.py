"""Kernels that move subtrees out of the subtrees that they belong to."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.properties.subtrees import find_subtrees, subtree_room

TRIES = 4
"""Moves that are tried in a sentence before its turn is over."""


@kernel
def crossing_arcs(head, first, n, place, word_at, entered, size, reach):
    """Return how many arcs of a sentence are not projective, and the length of all arcs.

    `reach` is room for the last place up to which a word dominates all others on one side. It
    grows by whole reaches, so that long arcs take no longer than short ones.
    """
    crossing = 0
    length = 0
    for side in (1, -1):
        edge = n - 1 if side > 0 else 0
        for k in range(n):
            at = edge - side * k
            h = word_at[at]
            last = at
            while last != edge:
                w = word_at[last + side]
                if not (entered[h] <= entered[w] < entered[h] + size[h]):
                    break
                last = reach[last + side]
            reach[at] = last
        for d in range(1, n + 1):
            h = head[first + d - 1]
            distance = side * (place[d] - place[h])
            if h == 0 or distance < 0:
                continue
            length += distance
            if side * (place[d] - reach[place[h]]) > 0:
                crossing += 1
    return crossing, length


@kernel
def make_crossing(
    head, offsets, in_tree, words, sentences, random, wanted, tolerance, first_length
):
    """Move one subtree in each of some sentences, in place; return how many arcs cross more.

    In the sentence's turn, a word with a grandparent is picked at random, and its subtree put in
    one piece somewhere inside the subtree of its great-grandparent (of its grandparent if that is
    a root), but not where its head's subtree is. The move stays if more arcs cross than before,
    and, unless `tolerance` is below 0, if the length of the sentence's arcs differs from
    `first_length` by that share at the most. Stops when `wanted` arcs more cross.

    `random` has 2 * TRIES numbers in 0..1 for every turn; `words` is the present order.
    """
    gained = 0
    start, children, order, size = subtree_room(offsets)
    entered = np.empty_like(start)
    place = np.empty_like(start)
    word_at = np.empty_like(start)
    moved = np.empty_like(start)
    movable = np.empty_like(start)
    reach = np.empty_like(start)
    for turn in range(len(sentences)):
        if gained >= wanted:
            break
        s = sentences[turn]
        first = offsets[s]
        n = in_tree[s]
        find_subtrees(head, first, n, start, children, order, size)
        # The words below h are those entered from entered[h] on, size[h] of them.
        entered[0] = 0
        for k in range(n + 1):
            h = order[k]
            at = entered[h] + 1
            for c in range(start[h], start[h + 1]):
                entered[children[c]] = at
                at += size[children[c]]
        n_movable = 0
        for d in range(1, n + 1):
            h = head[first + d - 1]
            if h and head[first + h - 1]:
                movable[n_movable] = d
                n_movable += 1
        if n_movable == 0:
            continue
        for i in range(n):
            word_at[i] = words[first + i] - first + 1
            place[word_at[i]] = i
        before, _ = crossing_arcs(head, first, n, place, word_at, entered, size, reach)
        for attempt in range(TRIES):
            d = movable[int(random[turn, 2 * attempt] * n_movable)]
            h = head[first + d - 1]
            inside = head[first + h - 1]
            if head[first + inside - 1]:
                inside = head[first + inside - 1]
            # The words without those that move, and what the others span.
            kept = 0
            low, high, own_low, own_high = n, -1, n, -1
            for i in range(n):
                w = word_at[i]
                if entered[d] <= entered[w] < entered[d] + size[d]:
                    continue
                moved[kept] = w
                if entered[inside] <= entered[w] < entered[inside] + size[inside]:
                    low = min(low, kept)
                    high = kept
                if entered[h] <= entered[w] < entered[h] + size[h]:
                    own_low = min(own_low, kept)
                    own_high = kept
                kept += 1
            # Gaps before word `gap`, from `low` to `high + 1`, but none that touches the head's own
            # words: gaps are own_low .. own_high + 1 there.
            left = own_low - low
            right = high - own_high
            if left + right <= 0:
                continue
            pick = int(random[turn, 2 * attempt + 1] * (left + right))
            gap = low + pick if pick < left else own_high + 2 + pick - left
            at = 0
            for i in range(kept + 1):
                if i == gap:
                    for j in range(n):
                        w = word_at[j]
                        if entered[d] <= entered[w] < entered[d] + size[d]:
                            order[at] = w
                            at += 1
                if i < kept:
                    order[at] = moved[i]
                    at += 1
            for i in range(n):
                place[order[i]] = i
            crossing, length = crossing_arcs(head, first, n, place, order, entered, size, reach)
            fits = tolerance < 0 or abs(length - first_length[s]) <= tolerance * first_length[s]
            if crossing > before and fits:
                for i in range(n):
                    words[first + i] = first + order[i] - 1
                gained += crossing - before
                break
            for i in range(n):
                place[word_at[i]] = i
    return gained
