"""Kernels that walk through a trie of n-grams, a text word by word.

A state is the longest n-gram below the highest order that the text up to here ends with. Where it
has no continuation by the next word, its weight is paid and the link leads to the next shorter one.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.properties.language_model._ngram_trie_numba import BEGIN, END, find_child


@kernel
def _score_word(word, link, first_child, log10, backoff, state, w):
    """Return the log10 probability of a word, and the state behind it."""
    paid = 0.0
    while state > 0:
        node = find_child(word, first_child, state, w)
        if node >= 0:
            return paid + log10[node], _state(link, backoff, node)
        paid += backoff[state]
        state = link[state]
    return paid + log10[1 + w], _state(link, backoff, 1 + w)


@kernel
def _state(link, backoff, node):
    return node if node < len(backoff) else link[node]


@kernel
def score_text(word, link, first_child, log10, backoff, words, offsets):
    """Return the log10 probability of every word, and of the end of every sentence."""
    of_words = np.empty(len(words), np.float64)
    of_ends = np.empty(len(offsets) - 1, np.float64)
    for s in range(len(offsets) - 1):
        state = _state(link, backoff, 1 + BEGIN)
        for i in range(offsets[s], offsets[s + 1]):
            of_words[i], state = _score_word(
                word, link, first_child, log10, backoff, state, words[i]
            )
        of_ends[s], state = _score_word(word, link, first_child, log10, backoff, state, END)
    return of_words, of_ends


@kernel
def distribution(word, link, first_child, log10, backoff, history, n_types):
    """Return the log10 probability of every word behind some words; never of a beginning."""
    state = 0
    for i in range(len(history)):
        _, state = _score_word(word, link, first_child, log10, backoff, state, history[i])
    found = np.full(n_types, -np.inf)
    for w in range(n_types):
        if w != BEGIN:
            found[w], _ = _score_word(word, link, first_child, log10, backoff, state, w)
    return found
