"""Kernels of the two parsers of Søgaard (2012): the graph of a sentence, and its trees."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.dependency_induction._pagerank_numba import (
    by_rank,
    nearest_head,
    rank_words,
)


@kernel
def sentence_links(form, prefix, suffix, is_function_word, is_verb, reach):
    """Return how many links go from each word of a sentence to each other one.

    `prefix` and `suffix` are codes, and `reach` the distance up to which words are linked for
    standing close.
    """
    n = len(form)
    links = np.zeros((n, n))
    for u in range(n):
        for v in range(n):
            if u == v:
                continue
            distance = abs(u - v)
            if distance <= reach and form[u] != form[v]:
                links[u, v] += 1.0
            if distance == 1 and is_function_word[v]:
                links[u, v] += 1.0
            if suffix[u] != suffix[v]:
                links[u, v] += 1.0
            if prefix[u] != prefix[v]:
                links[u, v] += 1.0
            if is_verb[v]:
                links[u, v] += 1.0
    return links


@kernel
def word_orders(
    offsets,
    form,
    prefix,
    suffix,
    is_function_word,
    is_verb,
    reach,
    damping,
    tolerance,
    max_iterations,
):
    """Return the words of every sentence by descending rank, as positions from 0."""
    orders = np.empty(len(form), np.int64)
    for s in range(len(offsets) - 1):
        a = offsets[s]
        b = offsets[s + 1]
        if a == b:
            continue
        links = sentence_links(
            form[a:b], prefix[a:b], suffix[a:b], is_function_word[a:b], is_verb[a:b], reach
        )
        restart = np.full(b - a, 1.0 / (b - a))
        order = by_rank(rank_words(links, restart, damping, tolerance, max_iterations))
        for i in range(b - a):
            orders[a + i] = order[i]
    return orders


@kernel
def trees_by_rank(offsets, orders, tag, allowed):
    """Return heads: each word, by rank, hangs on the nearest word that was placed before it.

    Words that a rule allows come first; a matrix `allowed` of falsehoods has no rules.
    """
    head = np.zeros(len(tag), np.int32)
    for s in range(len(offsets) - 1):
        a = offsets[s]
        n = offsets[s + 1] - a
        order = orders[a : a + n]
        is_placed = np.zeros(n, np.bool_)
        place = np.zeros(n, np.int64)
        may_govern = np.zeros(n, np.bool_)
        for i in range(n):
            word = order[i]
            for h in range(n):
                may_govern[h] = is_placed[h] and allowed[tag[a + h], tag[a + word]]
            found = nearest_head(word, may_govern, place)
            if found < 0:
                found = nearest_head(word, is_placed, place)
            head[a + word] = found + 1
            is_placed[word] = True
            place[word] = i
    return head


@kernel
def root_words(offsets, preference):
    """Return the leftmost word of every sentence among those of the lowest preference."""
    root = np.zeros(len(offsets) - 1, np.int64)
    for s in range(len(offsets) - 1):
        for i in range(offsets[s], offsets[s + 1]):
            if preference[i] < preference[offsets[s] + root[s]]:
                root[s] = i - offsets[s]
    return root


@kernel
def _hangs_on(head, word, ancestor):
    """Tell whether a word is the ancestor or hangs below it; heads of -1 are not known yet."""
    while word >= 0:
        if word == ancestor:
            return True
        word = head[word]
    return False


@kernel
def _nearest_without_circle(word, may_govern, place, head):
    """Return the nearest word of a mask that does not hang on this one; -1: none.

    Words that do are taken out of the mask.
    """
    found = nearest_head(word, may_govern, place)
    while found >= 0 and _hangs_on(head, found, word):
        may_govern[found] = False
        found = nearest_head(word, may_govern, place)
    return found


@kernel
def trees_by_rules(offsets, root, tag, allowed, orders, is_ranked, to_nearest, ties_left):
    """Return heads: each word hangs on the nearest one that a rule allows.

    From left to right; or, if ranked, in the given order, with heads that come before their
    dependents. Where no rule allows a head, on the nearest word or else on the root.
    """
    heads = np.zeros(len(tag), np.int32)
    for s in range(len(offsets) - 1):
        a = offsets[s]
        n = offsets[s + 1] - a
        if n == 0:
            continue
        head = np.full(n, -1, np.int64)
        place = np.arange(n) if ties_left else np.arange(n, 0, -1)
        is_candidate = np.full(n, not is_ranked)
        is_candidate[root[s]] = True
        may_govern = np.empty(n, np.bool_)
        for i in range(n):
            word = orders[a + i] if is_ranked else i
            if word == root[s]:
                continue
            for h in range(n):
                may_govern[h] = is_candidate[h] and allowed[tag[a + h], tag[a + word]]
            found = _nearest_without_circle(word, may_govern, place, head)
            if found < 0 and to_nearest:
                for h in range(n):
                    may_govern[h] = is_candidate[h]
                found = _nearest_without_circle(word, may_govern, place, head)
            head[word] = found if found >= 0 else root[s]
            is_candidate[word] = True
        for i in range(n):
            heads[a + i] = head[i] + 1
    return heads
