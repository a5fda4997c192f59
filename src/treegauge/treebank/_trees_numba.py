"""Kernels over heads: what is wrong with a tree, and the nearest kept ancestor."""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import kernel

OUTSIDE, NO_ROOT, SEVERAL_ROOTS, CYCLE, PARTLY_ANNOTATED = 1, 2, 4, 8, 16


@kernel
def tree_flaws(head, offsets, seen, flaws):
    """Fill in a bit set of flaws for every sentence; leave 0 for a tree or for no heads at all.

    `seen` is room for a number for each word of a sentence, and one more.
    """
    for s in range(len(flaws)):
        first = offsets[s]
        n = offsets[s + 1] - first
        roots = 0
        bare = 0
        flaw = 0
        for i in range(n):
            h = head[first + i]
            if h == 0:
                roots += 1
            elif h == -1:
                bare += 1
            elif h < 0 or h > n:
                flaw |= OUTSIDE
        if bare == n:
            continue
        if bare:
            flaw |= PARTLY_ANNOTATED
        if roots == 0:
            flaw |= NO_ROOT
        elif roots > 1:
            flaw |= SEVERAL_ROOTS
        # Walk up from every word, marking the walk with its number; meeting one's own
        # mark closes a cycle, meeting another's or leaving the sentence ends the walk.
        for i in range(1, n + 1):
            seen[i] = 0
        for i in range(1, n + 1):
            at = i
            while 1 <= at <= n and seen[at] == 0:
                seen[at] = i
                at = head[first + at - 1]
            if 1 <= at <= n and seen[at] == i:
                flaw |= CYCLE
                break
        flaws[s] = flaw


@kernel
def heads_among_kept(head, offsets, keep, new_position, kept_ancestor, new_head):
    """Give every kept word its nearest kept ancestor, in the new numbering.

    `new_position` is the position of every kept word among the kept ones of its sentence.
    Heads outside the sentence, missing heads and cycles of removed words give -1. Returns the
    first sentence with such a cycle, or -1. `kept_ancestor` is room for what is found of removed
    words, so that a chain of them is walked once, not once a kept word below.
    """
    unknown, on_the_way = -2, -3
    out = 0
    circular = -1
    for s in range(len(offsets) - 1):
        first = offsets[s]
        n = offsets[s + 1] - first
        for i in range(1, n + 1):
            kept_ancestor[i] = unknown
        for i in range(n):
            if not keep[first + i]:
                continue
            at = head[first + i]
            while 1 <= at <= n and not keep[first + at - 1] and kept_ancestor[at] == unknown:
                kept_ancestor[at] = on_the_way
                at = head[first + at - 1]
            if at < 0 or at > n:
                found = -1
            elif at == 0 or keep[first + at - 1]:
                found = at
            elif kept_ancestor[at] == on_the_way:
                found = -1
                if circular < 0:
                    circular = s
            else:
                found = kept_ancestor[at]
            at = head[first + i]
            while 1 <= at <= n and not keep[first + at - 1] and kept_ancestor[at] == on_the_way:
                kept_ancestor[at] = found
                at = head[first + at - 1]
            new_head[out] = new_position[first + found - 1] if found > 0 else found
            out += 1
    return circular
