"""The slow twin of the sequence lattices: all sequences of tags, one after the other."""

from __future__ import annotations

from itertools import product

import numpy as np


def gram_row(gram: tuple[int, ...], n_tags: int, table_starts) -> int:
    """Return where the weight of an n-gram is; tags before the sentence are `n_tags`."""
    number = 0
    for tag in gram:
        number = number * (n_tags + 1) + tag
    begin, end = table_starts[len(gram) - 2], table_starts[len(gram) - 1]
    return int(begin + number % (end - begin))


def score(tags, scores, order, table, table_starts) -> float:
    """Return the score of one sequence, from the definition of the model."""
    n_tags = scores.shape[1]
    padded = (n_tags,) * order + tuple(tags)
    total = sum(scores[word, tag] for word, tag in enumerate(tags))
    for word in range(len(tags)):
        for shorter in range(1, order + 1):
            gram = padded[word + order - shorter : word + order + 1]
            total += table[gram_row(gram, n_tags, table_starts)]
    return float(total)


def all_scores(scores, order, table, table_starts) -> dict[tuple[int, ...], float]:
    """Return the score of every sequence."""
    n_words, n_tags = scores.shape
    return {
        tags: score(tags, scores, order, table, table_starts)
        for tags in product(range(n_tags), repeat=n_words)
    }


def log_sum(values) -> float:
    return float(np.logaddexp.reduce(list(values)))
