"""Kernels that give a group of words of equal rank, such as a name, another head of its own.

A group is a word and its children of certain relations. `towards` is 1 where the last word is to
be the head and -1 where the first is.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel, longest_sentence
from treegauge.rewrite.styles._families_numba import (
    list_children,
    list_parents_first,
)
from treegauge.rewrite.styles.marks import DEPTHS, HEAD, INNER, MARK_BASE


@kernel
def move_heads(head, rel, turned, mark, offsets, is_member, towards, moves_all, from_group):
    """Return heads, relations, turned labels and marks with the outermost member as head.

    The former head takes the new one's relation and a mark. Members between the two go to the
    new head; so do other dependents, all of them (`moves_all`) or those beyond another member,
    with a mark that counts the groups which the new head stands for. Where inner and outer
    groups are not one around the other, the outer one stays as it is.
    """
    new_head = head.copy()
    new_rel = rel.copy()
    new_turned = turned.copy()
    new_mark = mark.copy()
    size = longest_sentence(offsets) + 1
    first = np.zeros(size, np.int64)
    next_sibling = np.zeros(size, np.int64)
    order = np.zeros(size, np.int64)
    top = np.zeros(size, np.int64)
    depth = np.zeros(size, np.int64)  # groups that a word is the new head of
    reach = np.zeros(size, np.int64)  # the farthest of their former heads
    for s in range(len(offsets) - 1):
        a = offsets[s] - 1
        n = offsets[s + 1] - offsets[s]
        list_children(head[a + 1 : a + 1 + n], first, next_sibling)
        list_parents_first(first, next_sibling, order)
        for i in range(n - 1, -1, -1):
            w = order[i]
            top[w] = w
            depth[w] = 0
            chosen = 0  # the member that becomes the head
            x = first[w]
            while x:
                t = top[x]
                new_head[a + t] = w
                new_rel[a + t] = rel[a + x]
                new_turned[a + t] = turned[a + x]
                new_mark[a + t] = mark[a + x]
                if is_member[rel[a + x]] and (t - w) * towards > 0:
                    if chosen == 0 or (t - top[chosen]) * towards > 0:
                        chosen = x
                x = next_sibling[x]
            if chosen == 0:
                continue
            new = top[chosen]
            if depth[new] and (depth[new] == DEPTHS or (reach[new] - w) * towards <= 0):
                continue
            limit = reach[new] if depth[new] else new
            if depth[new] == 0:
                # Members that the new head has on this side, and keeps.
                x = first[new]
                while x:
                    t = top[x]
                    if is_member[rel[a + x]] and new_head[a + t] == new and (new - t) * towards > 0:
                        new_mark[a + t] = mark[a + x] * MARK_BASE + INNER
                    x = next_sibling[x]
            nearest = new  # member to the former head
            x = first[w]
            while x:
                t = top[x]
                is_between = (t - w) * towards > 0 and (limit - t) * towards > 0
                if is_member[rel[a + x]] and is_between and x != chosen:
                    new_head[a + t] = new
                    if (nearest - t) * towards > 0:
                        nearest = t
                x = next_sibling[x]
            x = first[w]
            while x:
                t = top[x]
                if not is_member[rel[a + x]] and (moves_all or (t - nearest) * towards > 0):
                    new_head[a + t] = new
                    new_mark[a + t] = mark[a + x] * MARK_BASE + from_group + depth[new]
                x = next_sibling[x]
            new_head[a + w] = new
            new_rel[a + w] = rel[a + chosen]
            new_turned[a + w] = False
            new_mark[a + w] = mark[a + chosen] * MARK_BASE + HEAD
            depth[new] += 1
            reach[new] = w
            top[w] = new
        x = first[0]
        while x:
            t = top[x]
            new_head[a + t] = 0
            new_rel[a + t] = rel[a + x]
            new_turned[a + t] = turned[a + x]
            new_mark[a + t] = mark[a + x]
            x = next_sibling[x]
    return new_head, new_rel, new_turned, new_mark


@kernel
def restore_heads(head, rel, turned, mark, offsets, is_member, from_group):
    """Return what was before `move_heads`, whichever way, and the first bad sentence or -1."""
    new_head = head.copy()
    new_rel = rel.copy()
    new_turned = turned.copy()
    new_mark = mark.copy()
    size = longest_sentence(offsets) + 1
    first = np.zeros(size, np.int64)
    next_sibling = np.zeros(size, np.int64)
    members = np.zeros(size, np.int64)
    waiting = np.zeros(size, np.int64)  # members whose former head is still to come
    former = np.zeros(DEPTHS, np.int64)
    innermost = np.zeros(size, np.int64)  # former head, by the new one
    outermost = np.zeros(size, np.int64)
    for s in range(len(offsets) - 1):
        a = offsets[s] - 1
        n = offsets[s + 1] - offsets[s]
        list_children(head[a + 1 : a + 1 + n], first, next_sibling)
        for new in range(1, n + 1):
            outermost[new] = 0
            k = 0
            towards = 0
            x = first[new]
            while x:
                if is_member[rel[a + x]]:
                    members[k] = x
                    k += 1
                    if mark[a + x] % MARK_BASE == HEAD:
                        side = 1 if x < new else -1
                        if towards == -side:
                            return new_head, new_rel, new_turned, new_mark, s
                        towards = side
                x = next_sibling[x]
            if towards == 0:
                continue
            # From the new head outwards: members of the innermost group, its former head,
            # members of the next group, its former head.
            groups = 0
            n_waiting = 0
            for i in range(k):
                x = members[k - 1 - i] if towards > 0 else members[i]
                if (new - x) * towards <= 0:
                    continue
                if mark[a + x] % MARK_BASE == INNER:
                    new_mark[a + x] = mark[a + x] // MARK_BASE
                elif mark[a + x] % MARK_BASE == HEAD:
                    if groups == DEPTHS:
                        return new_head, new_rel, new_turned, new_mark, s
                    former[groups] = x
                    groups += 1
                    for j in range(n_waiting):
                        new_head[a + waiting[j]] = x
                    n_waiting = 0
                else:
                    waiting[n_waiting] = x
                    n_waiting += 1
            if n_waiting:
                return new_head, new_rel, new_turned, new_mark, s
            x = first[new]
            while x:
                depth = mark[a + x] % MARK_BASE - from_group
                if 0 <= depth < DEPTHS:
                    if depth >= groups:
                        return new_head, new_rel, new_turned, new_mark, s
                    new_head[a + x] = former[depth]
                    new_mark[a + x] = mark[a + x] // MARK_BASE
                x = next_sibling[x]
            # Each former head hangs on the next one out; the outermost comes below.
            for g in range(groups - 1):
                x = former[g]
                new_head[a + x] = former[g + 1]
                new_rel[a + x] = rel[a + former[g + 1]]
                new_mark[a + x] = mark[a + former[g + 1]] // MARK_BASE
            innermost[new] = former[0]
            outermost[new] = former[groups - 1]
        for new in range(1, n + 1):
            x = outermost[new]
            if x:
                new_head[a + x] = new_head[a + new]
                new_rel[a + x] = new_rel[a + new]
                new_turned[a + x] = new_turned[a + new]
                new_mark[a + x] = new_mark[a + new]
        for new in range(1, n + 1):
            if outermost[new]:
                x = innermost[new]
                new_head[a + new] = x
                new_rel[a + new] = rel[a + x]
                new_turned[a + new] = False
                new_mark[a + new] = mark[a + x] // MARK_BASE
    return new_head, new_rel, new_turned, new_mark, -1
