"""Kernels of interpolated modified Kneser-Ney smoothing (Chen and Goodman 1998)."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.properties.language_model._ngram_trie_numba import BEGIN

UNKNOWN = 0
MASS_OF_ALL = 0
MASS_OF_KNOWN = 1
MASS_OF_UNKNOWN = 2


@kernel
def adjust_counts(count, link, first_child, level_starts):
    """Replace counts below the highest order by the number of different words before the n-gram.

    N-grams that begin a sentence have no word before them and keep their counts; the beginning
    of a sentence is never predicted and has none.
    """
    order = len(level_starts) - 2
    low, high = 1 + BEGIN, 1 + BEGIN  # n-grams that begin a sentence; of order 1, none here
    for k in range(1, order):
        for node in range(level_starts[k], low):
            count[node] = 0
        for node in range(high, level_starts[k + 1]):
            count[node] = 0
        if k == 1:
            high += 1
            count[low] = 0
        low, high = first_child[low], first_child[high]
    count[1 + BEGIN] = 0
    for node in range(level_starts[min(2, order + 1)], len(count)):
        count[link[node]] += 1


@kernel
def counts_of_counts(count, level_starts):
    """Return how many n-grams of every order (rows) have a count of 1, 2, 3 and 4 (columns)."""
    order = len(level_starts) - 2
    numbers = np.zeros((order + 1, 5), np.int64)
    for k in range(1, order + 1):
        for node in range(level_starts[k], level_starts[k + 1]):
            if count[node] < 5:
                numbers[k, count[node]] += 1
    return numbers


@kernel
def estimate(count, link, first_child, level_starts, discounts, minimum_counts, mass):
    """Return the probability of every n-gram's last word, and the weight of shorter contexts.

    `discounts[k, c]` is taken from a count c of order k, `discounts[k, 3]` from larger ones.
    N-grams rarer than `minimum_counts[k]` count as events, but get what the shorter context gives
    them, and their context's weight is such that everything sums to one.
    """
    probability = np.zeros(len(count), np.float64)
    weight = np.ones(len(first_child) - 1, np.float64)
    k = 0
    for context in range(len(weight)):
        while context >= level_starts[k + 1]:
            k += 1
        first, last = first_child[context], first_child[context + 1]
        if first == last:
            continue
        total = 0
        discounted = 0.0
        for node in range(first, last):
            total += count[node]
            discounted += discounts[k + 1, min(count[node], 3)]
        gamma = discounted / total
        if context == 0:
            _estimate_words(count, discounts[1], total, gamma, mass, probability, last)
            continue
        kept, kept_shorter = 0.0, 0.0
        complete = True
        for node in range(first, last):
            if count[node] < minimum_counts[k + 1]:
                complete = False
                continue
            shorter = probability[link[node]]
            discount = discounts[k + 1, min(count[node], 3)]
            probability[node] = max(count[node] - discount, 0.0) / total + gamma * shorter
            kept += probability[node]
            kept_shorter += shorter
        if not complete:
            gamma = 0.0
            if kept < 1 and kept_shorter < 1:
                gamma = (1 - kept) / (1 - kept_shorter)
            for node in range(first, last):
                if count[node] < minimum_counts[k + 1]:
                    probability[node] = gamma * probability[link[node]]
        weight[context] = gamma
    return probability, weight


@kernel
def _estimate_words(count, discounts, total, gamma, mass, probability, n):
    """Fill in the probabilities of nodes 1 to `n` - 1, which are words without a context."""
    unknown = 1 + UNKNOWN
    receivers = n - 2  # all words but the beginning of sentences
    receives = mass != MASS_OF_KNOWN or count[unknown] > 0
    if not receives:
        receivers -= 1
    for node in range(1, n):
        if node == 1 + BEGIN:
            continue
        probability[node] = max(count[node] - discounts[min(count[node], 3)], 0.0) / total
        if mass == MASS_OF_UNKNOWN:
            if node == unknown:
                probability[node] += gamma
        elif node != unknown or receives:
            probability[node] += gamma / receivers
