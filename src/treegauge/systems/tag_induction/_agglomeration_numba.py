"""Kernels for windowed agglomeration; see `agglomeration.py` for what the tables hold.

T(x, y) = h(x) + h(y) - h(x + y) is what joining two cells costs. It is 0 where either is empty,
so that a type with few neighbours changes few losses: adding it costs O(d C) and merging it away
O(d C) for d neighbouring clusters, where the textbook's tables cost O(C^2) whatever the type.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.tag_induction._scaled_entropy_numba import scaled


@kernel
def loss(t, a, b):
    """Return what merging two slots costs, times the number of bigrams (in bits)."""
    joint = t.log_sum[a, b]
    return t.cells[a, b] / t.scale + (
        t.margin[a] * (joint - t.log_sum[a, a]) + t.margin[b] * (joint - t.log_sum[b, b])
    )


@kernel
def find_root(parent, w):
    while parent[w] != w:
        parent[w] = parent[parent[w]]
        w = parent[w]
    return w


@kernel
def _log2(count, logs):
    return logs[count] if count < len(logs) else np.log2(float(count))


@kernel
def _four_cells(t, a, b):
    """Return what joining the cells among two slots costs."""
    aa, ab, ba, bb = t.follows[a, a], t.follows[a, b], t.follows[b, a], t.follows[b, b]
    if (aa == 0) + (ab == 0) + (ba == 0) + (bb == 0) >= 3:
        return np.int64(0)
    return (
        scaled(aa, t.table, t.scale)
        + scaled(ab, t.table, t.scale)
        + scaled(ba, t.table, t.scale)
        + scaled(bb, t.table, t.scale)
        - scaled(aa + ab + ba + bb, t.table, t.scale)
    )


@kernel
def add(t, word, bigrams):
    """Place a type into the next slot: a cluster of its own."""
    s = t.facts[0]
    t.facts[0] += 1
    self_count = np.int64(0)
    total = np.int64(0)
    for i in range(bigrams.right_starts[word], bigrams.right_starts[word + 1]):
        other, count = bigrams.right[i], bigrams.right_count[i]
        if other == word:
            self_count = count
        elif other < word:
            x = t.slot_of[find_root(t.parent, other)]
            t.follows[s, x] += count
            t.precedes[x, s] += count
            t.margin[x] += count
            total += count
    for i in range(bigrams.left_starts[word], bigrams.left_starts[word + 1]):
        other, count = bigrams.left[i], bigrams.left_count[i]
        if other < word:
            x = t.slot_of[find_root(t.parent, other)]
            t.follows[x, s] += count
            t.precedes[s, x] += count
            t.margin[x] += count
            total += count
    t.follows[s, s] = t.precedes[s, s] = self_count
    t.margin[s] = total + 2 * self_count
    t.parent[word] = word
    t.slot_of[word] = s
    t.root_of[s] = word
    t.id_of[s] = word
    t.n_words[s] = t.type_counts[word]
    for v in range(s + 1):
        t.cells[s, v] = 0
        t.log_sum[s, v] = t.log_sum[v, s] = _log2(t.n_words[s] + t.n_words[v], t.logs)
    t.log_sum[s, s] = _log2(t.n_words[s], t.logs)
    _add_side(t, s, t.follows, t.precedes)
    _add_side(t, s, t.precedes, t.follows)
    for v in range(s):
        if self_count or t.follows[s, v] or t.follows[v, s]:
            t.cells[s, v] += _four_cells(t, s, v)
        t.cells[v, s] = t.cells[s, v]
    t.cells[s, s] = 0


@kernel
def _add_side(t, s, counts, other_way):
    """Count the cells of one side of a new slot into the losses of all pairs of slots.

    `counts[s]` are those cells; the cells of other slots at x are `other_way[x]`.
    """
    n = 0
    near = t.scratch
    for x in range(s):
        if counts[s, x]:
            near[n] = x
            n += 1
    for i in range(n):
        x = near[i]
        here = counts[s, x]
        h_here = scaled(here, t.table, t.scale)
        # The pair (s, x) itself is a matter of `_four_cells`.
        before = t.cells[s, x]
        for v in range(s):
            there = other_way[x, v]
            if there:
                t.cells[s, v] += (
                    h_here
                    + scaled(there, t.table, t.scale)
                    - scaled(here + there, t.table, t.scale)
                )
        t.cells[s, x] = before
        for j in range(i):
            y = near[j]
            there = counts[s, y]
            change = (
                h_here + scaled(there, t.table, t.scale) - scaled(here + there, t.table, t.scale)
            )
            t.cells[x, y] += change
            t.cells[y, x] += change
        t.is_stale[x] = True


@kernel
def merge(t, keep, drop):
    """Merge two slots into the lower one, `keep`; the last slot moves to where `drop` was."""
    m = t.facts[0]
    last = m - 1
    for v in range(m):
        if v != keep and v != drop:
            t.cells[keep, v] -= _four_cells(t, keep, v)
    _merge_side(t, keep, drop, m, t.follows, t.precedes)
    _merge_side(t, keep, drop, m, t.precedes, t.follows)
    _join_counts(t, keep, drop, m)
    for v in range(m):
        if v != keep and v != drop:
            t.cells[keep, v] += _four_cells(t, keep, v)
            t.cells[v, keep] = t.cells[keep, v]
    t.is_stale[keep] = True
    if drop != last:
        _move(t, last, drop, m)
    for v in range(m):
        t.follows[last, v] = t.follows[v, last] = 0
        t.precedes[last, v] = t.precedes[v, last] = 0
    t.facts[0] = last
    t.is_stale[last] = False


@kernel
def _merge_side(t, keep, drop, m, counts, other_way):
    """Change losses by what one side of a merge does; nothing of the counts has changed yet."""
    n = 0
    near = t.scratch
    for x in range(m):
        if counts[drop, x] and x != keep and x != drop:
            near[n] = x
            n += 1
    # Slot `drop` is no place any more at which others are compared with `keep`.
    kept = counts[keep, drop]
    if kept:
        for v in range(m):
            there = other_way[drop, v]
            if there and v != keep and v != drop:
                t.cells[keep, v] -= (
                    scaled(kept, t.table, t.scale)
                    + scaled(there, t.table, t.scale)
                    - scaled(kept + there, t.table, t.scale)
                )
    row_keep, row_drop = counts[keep], counts[drop]
    for i in range(n):
        x = near[i]
        old = row_keep[x]
        gone = row_drop[x]
        new = old + gone
        h_old = scaled(old, t.table, t.scale)
        h_gone = scaled(gone, t.table, t.scale)
        h_new = scaled(new, t.table, t.scale)
        # What `keep` has at x grows from old to new, beside what others have there.
        before = t.cells[keep, x]
        for v in range(m):
            there = other_way[x, v]
            if there:
                t.cells[keep, v] += (
                    h_new
                    - h_old
                    + scaled(old + there, t.table, t.scale)
                    - scaled(new + there, t.table, t.scale)
                )
        t.cells[keep, x] = before
        # What x has at `keep` and at `drop`, beside what others have there, is joined.
        for v in range(m):
            gone_v = row_drop[v]
            if v == keep or v == drop or (gone_v and v <= x):
                continue
            old_v = row_keep[v]
            change = np.int64(0)
            if gone_v:
                change = (
                    scaled(old_v + gone_v, t.table, t.scale)
                    - scaled(old_v, t.table, t.scale)
                    - scaled(gone_v, t.table, t.scale)
                    - h_gone
                    + scaled(gone + gone_v, t.table, t.scale)
                )
            elif not old_v:
                continue
            change += (
                h_new
                - h_old
                + scaled(old + old_v, t.table, t.scale)
                - scaled(new + old_v + gone_v, t.table, t.scale)
            )
            t.cells[x, v] += change
            t.cells[v, x] += change
        t.is_stale[x] = True


@kernel
def _join_counts(t, keep, drop, m):
    diagonal = (
        t.follows[keep, keep]
        + t.follows[keep, drop]
        + t.follows[drop, keep]
        + t.follows[drop, drop]
    )
    for v in range(m):
        if v != keep and v != drop:
            t.follows[keep, v] += t.follows[drop, v]
            t.precedes[v, keep] = t.follows[keep, v]
            t.follows[v, keep] += t.follows[v, drop]
            t.precedes[keep, v] = t.follows[v, keep]
    t.follows[keep, keep] = t.precedes[keep, keep] = diagonal
    t.margin[keep] += t.margin[drop]
    t.n_words[keep] += t.n_words[drop]
    for v in range(m):
        if v != keep:
            joint = _log2(t.n_words[keep] + t.n_words[v], t.logs)
            t.log_sum[keep, v] = t.log_sum[v, keep] = joint
    t.log_sum[keep, keep] = _log2(t.n_words[keep], t.logs)
    t.parent[t.root_of[drop]] = t.root_of[keep]
    t.id_of[keep] = t.facts[1]
    t.facts[1] += 1


@kernel
def _move(t, old, new, m):
    """Put what is in one slot into another, whose content is not needed any more."""
    for v in range(m):
        if v != old and v != new:
            t.follows[new, v] = t.precedes[v, new] = t.follows[old, v]
            t.follows[v, new] = t.precedes[new, v] = t.follows[v, old]
            t.cells[new, v] = t.cells[v, new] = t.cells[old, v]
            t.log_sum[new, v] = t.log_sum[v, new] = t.log_sum[old, v]
            if t.best[v] == old:
                t.best[v] = new
    t.follows[new, new] = t.precedes[new, new] = t.follows[old, old]
    t.log_sum[new, new] = t.log_sum[old, old]
    t.margin[new] = t.margin[old]
    t.n_words[new] = t.n_words[old]
    t.root_of[new] = t.root_of[old]
    t.slot_of[t.root_of[new]] = new
    t.id_of[new] = t.id_of[old]
    t.is_stale[new] = True


@kernel
def refresh(t, m):
    """Bring the cheapest partner of each of the first m slots, among these, up to date.

    A loss changes only if one of its slots is stale. So a row is looked through if its slot is
    stale, or its cheapest partner was; for all others the losses of stale rows are enough.
    """
    look = t.scratch
    for v in range(m):
        look[v] = t.is_stale[v] or t.best[v] >= m or t.is_stale[t.best[v]]
    for v in range(m):
        if not look[v]:
            continue
        least, best = np.inf, m
        for w in range(m):
            if w == v:
                continue
            here = loss(t, v, w)
            if here < least:
                least, best = here, w
            if not look[w] and (here < t.least[w] or (here == t.least[w] and v < t.best[w])):
                t.least[w], t.best[w] = here, v
        t.least[v], t.best[v] = least, best
    for v in range(m):
        t.is_stale[v] = False


@kernel
def cheapest(t, m):
    """Return the pair of the first m slots whose merge costs least; of equals the first pair."""
    first = 0
    for v in range(1, m):
        if t.least[v] < t.least[first]:
            first = v
    return first, t.best[first]


@kernel
def add_and_merge(t, first, last, window, bigrams):
    """Place types in order; whenever there are more clusters than the window, merge two.

    Of the newest type the losses are looked through apart: it is the cheapest partner of most
    clusters, and gone in the next step.
    """
    for word in range(first, last):
        add(t, word, bigrams)
        if t.facts[0] <= window:
            continue
        refresh(t, window)
        keep, drop = cheapest(t, window)
        least = t.least[keep]
        for v in range(window):
            here = loss(t, v, window)
            # Of equals the first pair in the order of slots.
            if here < least or (here == least and v < keep):
                least, keep, drop = here, v, window
        merge(t, keep, drop)


@kernel
def merge_all(t, merged):
    """Merge down to one cluster; write the two ids of every merge."""
    i = 0
    while t.facts[0] > 1:
        refresh(t, t.facts[0])
        keep, drop = cheapest(t, t.facts[0])
        merged[i, 0] = t.id_of[keep]
        merged[i, 1] = t.id_of[drop]
        merge(t, keep, drop)
        i += 1
