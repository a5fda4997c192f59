"""Kernels that hang conjuncts on each other or on the conjunction, and back on the first one."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel, longest_sentence
from treegauge.rewrite.styles._families_numba import (
    list_children,
    list_parents_first,
)
from treegauge.rewrite.styles.marks import CHAIN, FIRST, KEPT, MARK_BASE, SHARED


@kernel
def chain_conjuncts(head, rel, mark, offsets, is_conjunct):
    """Return heads and marks with every conjunct from the third on on the one before it.

    Other dependents of the first conjunct that stand between two later ones go to the former of
    these, or arcs would cross.
    """
    new_head = head.copy()
    new_mark = mark.copy()
    size = longest_sentence(offsets) + 1
    latest = np.zeros(size, np.int64)  # conjunct so far, by the first one
    last = np.zeros(size, np.int64)  # conjunct of all, by the first one
    for s in range(len(offsets) - 1):
        a = offsets[s] - 1
        n = offsets[s + 1] - offsets[s]
        for w in range(n + 1):
            latest[w] = last[w] = 0
        for w in range(1, n + 1):
            if is_conjunct[rel[a + w]]:
                last[head[a + w]] = w
        for w in range(1, n + 1):
            h = head[a + w]
            if h == 0 or w < h or w > last[h]:
                continue
            if latest[h]:
                new_head[a + w] = latest[h]
                new_mark[a + w] = mark[a + w] * MARK_BASE + CHAIN
            if is_conjunct[rel[a + w]]:
                latest[h] = w
    return new_head, new_mark


@kernel
def unchain_conjuncts(head, rel, mark, offsets, is_conjunct):
    """Return heads and marks of before `chain_conjuncts`, and the first bad sentence or -1."""
    new_head = head.copy()
    new_mark = mark.copy()
    for s in range(len(offsets) - 1):
        a = offsets[s] - 1
        n = offsets[s + 1] - offsets[s]
        for w in range(1, n + 1):
            if mark[a + w] % MARK_BASE != CHAIN:
                continue
            new_mark[a + w] = mark[a + w] // MARK_BASE
            at = head[a + w]
            # Conjuncts before this one have their heads already.
            if not (0 < at < w and is_conjunct[rel[a + at]] and new_head[a + at] > 0):
                return new_head, new_mark, s
            new_head[a + w] = new_head[a + at]
    return new_head, new_mark, -1


@kernel
def _conjunction_of(
    coordinator, a, rel, turned, mark, new_head, top, first, next_sibling, is_conjunct, cc
):
    """Return the last conjunction that can head a coordination, and whose child it is; or 0, 0.

    It hangs on the conjunct to its right (UD version 2) or on the first one (version 1), and is
    a plain `cc` without conjuncts of its own.
    """
    best = 0
    best_host = 0
    host = coordinator
    member = first[coordinator]
    while host:
        k = first[host]
        while k:
            is_plain = rel[a + k] == cc and mark[a + k] == 0 and not turned[a + k]
            if is_plain and k > max(best, coordinator) and new_head[a + k] == host:
                has_conjuncts = False
                x = first[k]
                while x:
                    has_conjuncts = has_conjuncts or is_conjunct[rel[a + x]]
                    x = next_sibling[x]
                # The nearest conjunct on its right.
                nearest = 0
                x = first[coordinator]
                while x:
                    if (
                        is_conjunct[rel[a + x]]
                        and top[x] > k
                        and (nearest == 0 or top[x] < top[nearest])
                    ):
                        nearest = x
                    x = next_sibling[x]
                if nearest and not has_conjuncts and host in (coordinator, nearest):
                    best = k
                    best_host = host
            k = next_sibling[k]
        while member and not (is_conjunct[rel[a + member]] and top[member] > coordinator):
            member = next_sibling[member]
        host = member
        if member:
            member = next_sibling[member]
    return best, best_host


@kernel
def raise_conjunctions(head, rel, turned, mark, offsets, is_conjunct, stays, cc, conj):
    """Return heads, relations, turned labels and marks with conjunctions as heads.

    The first conjunct is marked, and says where the conjunction came from. Its dependents behind
    the next conjunct or the conjunction go up to it, or arcs would cross; so do those that the
    conjunct behind the conjunction has before it, such as a comma. The conjunction's own
    dependents in these places are marked.
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
    for s in range(len(offsets) - 1):
        a = offsets[s] - 1
        n = offsets[s + 1] - offsets[s]
        list_children(head[a + 1 : a + 1 + n], first, next_sibling)
        list_parents_first(first, next_sibling, order)
        for i in range(n - 1, -1, -1):
            w = order[i]
            top[w] = w
            has_conjuncts = False
            x = first[w]
            while x:
                t = top[x]
                new_head[a + t] = w
                new_rel[a + t] = rel[a + x]
                new_turned[a + t] = turned[a + x]
                new_mark[a + t] = mark[a + x]
                has_conjuncts = has_conjuncts or (is_conjunct[rel[a + x]] and t > w)
                x = next_sibling[x]
            if not has_conjuncts:
                continue
            k, host = _conjunction_of(
                w, a, rel, turned, mark, new_head, top, first, next_sibling, is_conjunct, cc
            )
            if k == 0:
                continue
            second = k
            x = first[w]
            while x:
                if is_conjunct[rel[a + x]] and top[x] > w:
                    new_head[a + top[x]] = k
                    second = min(second, top[x])
                x = next_sibling[x]
            x = first[w]
            while x:
                t = top[x]
                if t > second and x != k and not is_conjunct[rel[a + x]] and not stays[rel[a + x]]:
                    new_head[a + t] = k
                    if t < k and host != w:
                        new_mark[a + t] = mark[a + x] * MARK_BASE + SHARED
                x = next_sibling[x]
            x = first[host]
            while host != w and x:
                t = top[x]
                is_before = w < t < k and new_head[a + t] == host
                if is_before and not is_conjunct[rel[a + x]] and not stays[rel[a + x]]:
                    new_head[a + t] = k
                x = next_sibling[x]
            x = first[k]
            while x:
                t = top[x]
                if not stays[rel[a + x]]:
                    new_mark[a + t] = mark[a + x] * MARK_BASE + KEPT
                x = next_sibling[x]
            new_head[a + w] = k
            new_rel[a + w] = conj
            new_turned[a + w] = False
            new_mark[a + w] = SHARED if host == w else FIRST
            top[w] = k
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
def lower_conjunctions(head, rel, turned, mark, offsets, is_conjunct, stays, cc):
    """Return what was before `raise_conjunctions`, and the first bad sentence or -1."""
    new_head = head.copy()
    new_rel = rel.copy()
    new_turned = turned.copy()
    new_mark = mark.copy()
    size = longest_sentence(offsets) + 1
    first_conjunct = np.zeros(size, np.int64)  # of a conjunction
    host = np.zeros(size, np.int64)  # the conjunct that a conjunction came from
    for s in range(len(offsets) - 1):
        a = offsets[s] - 1
        n = offsets[s + 1] - offsets[s]
        for w in range(n + 1):
            first_conjunct[w] = host[w] = 0
        for w in range(1, n + 1):
            outermost = mark[a + w] % MARK_BASE
            if is_conjunct[rel[a + w]] and (outermost == FIRST or outermost == SHARED):
                k = head[a + w]
                if k == 0 or first_conjunct[k]:
                    return new_head, new_rel, new_turned, new_mark, s
                first_conjunct[k] = w
                if outermost == SHARED:
                    host[k] = w
        for w in range(1, n + 1):
            k = head[a + w]
            if first_conjunct[k] and first_conjunct[k] != w and is_conjunct[rel[a + w]]:
                new_head[a + w] = first_conjunct[k]
                if w > k and host[k] == 0:
                    host[k] = first_conjunct[w] or w
        for w in range(1, n + 1):
            k = head[a + w]
            if first_conjunct[k] == 0 or is_conjunct[rel[a + w]]:
                continue
            if host[k] == 0:
                return new_head, new_rel, new_turned, new_mark, s
            outermost = mark[a + w] % MARK_BASE
            if outermost == KEPT or outermost == SHARED:
                new_mark[a + w] = mark[a + w] // MARK_BASE
            if stays[rel[a + w]] or outermost == KEPT:
                continue
            new_head[a + w] = first_conjunct[k] if w > k or outermost == SHARED else host[k]
        # What stood in the place of a first conjunct hands its place back.
        for k in range(1, n + 1):
            w = first_conjunct[k]
            if w:
                new_head[a + w] = new_head[a + k]
                new_rel[a + w] = new_rel[a + k]
                new_turned[a + w] = new_turned[a + k]
                new_mark[a + w] = new_mark[a + k]
        for k in range(1, n + 1):
            if first_conjunct[k]:
                if host[k] == 0:
                    return new_head, new_rel, new_turned, new_mark, s
                new_head[a + k] = host[k]
                new_rel[a + k] = cc
                new_turned[a + k] = False
                new_mark[a + k] = 0
    return new_head, new_rel, new_turned, new_mark, -1
