"""Kernels that find the n-grams of a text, without hashing.

A window is a place in the text and the words from there to the end of the sentence, at most as
many as the order. Windows with the same beginning are neighbours once they are sorted
(`shards/windows.py`), so that one more pass finds the n-grams of all orders.

Neighbours in sorted order are anywhere in the text, which no cache holds if it is long. So windows
are copied, some thousands at once, by a loop without branches: the processor then waits for many of
them at the same time.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel

BEGIN = 1
END = 2

_AT_ONCE = 4096
"""How many windows are copied at once."""


@kernel
def lay_out(words, offsets, padding):
    """Return the text with a word at the beginning and the end of every sentence.

    Behind the text are `padding` more words, so that no window looks beyond the array.
    """
    n_sentences = len(offsets) - 1
    text = np.full(len(words) + 2 * n_sentences + padding, BEGIN, np.int32)
    at = 0
    for s in range(n_sentences):
        at += 1
        for i in range(offsets[s], offsets[s + 1]):
            text[at] = words[i]
            at += 1
        text[at] = END
        at += 1
    return text


@kernel
def _copy_windows(text, places, first, windows):
    """Copy the windows from `places[first]` on behind the first row; return how many there are."""
    n = min(len(windows) - 1, len(places) - first)
    for i in range(n):
        for k in range(windows.shape[1]):
            windows[1 + i, k] = text[places[first + i] + k]
    return n


@kernel
def compare_windows(text, places, order):
    """Compare every window with the one before it in sorted order.

    Returns how many words the two share at the beginning, how many words the window has, and
    how many n-grams of every order there are; those of order 1 are not counted.
    """
    shared = np.zeros(len(places), np.int8)
    lengths = np.empty(len(places), np.int8)
    sizes = np.zeros(order + 1, np.int64)
    windows = np.full((1 + _AT_ONCE, order), np.int32(-1))  # the first has nothing before it
    for first in range(0, len(places), _AT_ONCE):
        n_windows = _copy_windows(text, places, first, windows)
        for i in range(1, n_windows + 1):
            n = 1
            while n < order and windows[i, n - 1] != END:
                n += 1
            common = 0
            while common < n and windows[i, common] == windows[i - 1, common]:
                common += 1
            shared[first + i - 1] = common
            lengths[first + i - 1] = n
            for k in range(max(common, 1) + 1, n + 1):
                sizes[k] += 1
        for k in range(order):
            windows[0, k] = windows[n_windows, k]
    return shared, lengths, sizes


@kernel
def fill_trie(text, places, shared, lengths, level_starts, n_types):
    """Return the words, links, children and counts of the n-grams of a text."""
    order = len(level_starts) - 2
    n_nodes, n_contexts = level_starts[order + 1], level_starts[order]
    word = np.empty(n_nodes, np.int32)
    link = np.zeros(n_nodes, np.int32)  # a place where the n-gram occurs, until the end
    first_child = np.empty(n_contexts + 1, np.int32)
    count = np.zeros(n_nodes, np.int32)
    # The nodes of orders 2 to `order` - 1 that begin at every place.
    node_at = np.empty((max(order - 2, 0), len(places)), np.int32)
    free = level_starts.copy()
    current = np.zeros(order + 1, np.int64)

    word[0] = -1
    first_child[0] = 1
    for w in range(n_types):
        word[1 + w] = w
    seen = 0  # types below have their children, if there are any
    windows = np.empty((1 + _AT_ONCE, order), np.int32)
    for r in range(len(places)):
        i = 1 + r % _AT_ONCE
        if i == 1:
            _copy_windows(text, places, r, windows)
        p = places[r]
        if shared[r] == 0:
            current[1] = 1 + windows[i, 0]
            if order > 1:
                while seen <= windows[i, 0]:
                    first_child[1 + seen] = free[2]
                    seen += 1
        for k in range(max(shared[r], 1) + 1, lengths[r] + 1):
            node = free[k]
            free[k] += 1
            current[k] = node
            word[node] = windows[i, k - 1]
            link[node] = p
            if k < order:
                first_child[node] = free[k + 1]
        for k in range(1, lengths[r] + 1):
            count[current[k]] += 1
        for k in range(2, min(lengths[r], order - 1) + 1):
            node_at[k - 2, p] = current[k]
    if order > 1:
        while seen < n_types:
            first_child[1 + seen] = free[2]
            seen += 1
    first_child[n_contexts] = n_nodes

    # An n-gram without its first word begins one place further on.
    for k in range(2, order + 1):
        for node in range(level_starts[k], level_starts[k + 1]):
            p = link[node] + 1
            link[node] = 1 + text[p] if k == 2 else node_at[k - 3, p]
    return word, link, first_child, count


@kernel
def find_child(word, first_child, node, wanted):
    """Return the node of an n-gram with one more word, -1 if there is none."""
    low, high = first_child[node], first_child[node + 1]
    while low < high:
        middle = (low + high) >> 1
        if word[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    if low < first_child[node + 1] and word[low] == wanted:
        return low
    return -1
