"""Kernels over the phrases of trees: a word with everything below it.

Heads are indices of words, negative where there is none, and have no cycles.
"""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import kernel


@kernel
def phrase_sizes(head, counted, size):
    """Add to `size[word]` the number of counted words of its phrase."""
    for word in range(len(head)):
        phrase = word if counted[word] else -1
        while phrase >= 0:
            size[phrase] += 1
            phrase = head[phrase]


@kernel
def phrase_tops(head, other, counted, tops, top, last_walk):
    """Count for every phrase the words that another tree attaches outside of it.

    `tops[word]` becomes their number for the phrase of a word, `top[word]` the last of them.
    `last_walk` is room for a number per word, filled with -1; `tops` is filled with 0.
    """
    for word in range(len(head)):
        if not counted[word]:
            continue
        above = other[word]
        while above >= 0:
            last_walk[above] = word
            above = head[above]
        phrase = word
        while phrase >= 0:
            # Otherwise the other head is in this phrase too.
            if last_walk[phrase] != word:
                tops[phrase] += 1
                top[phrase] = word
            phrase = head[phrase]
