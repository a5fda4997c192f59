"""Texts of a class bigram model whose classes are known."""

from __future__ import annotations

import numpy as np

from treegauge.treebank import Column, Treebank


def planted(
    n_classes: int, n_types: int, n_words: int, *, seed: int = 0, length: int = 20
) -> tuple[Treebank, np.ndarray]:
    """A text, and the class of every word; each class has words of its own.

    A class is followed by one of three others almost always.
    """
    generator = np.random.default_rng(seed)
    follows = np.full((n_classes, n_classes), 0.02 / n_classes)
    for a in range(n_classes):
        follows[a, generator.choice(n_classes, 3, replace=False)] += [0.5, 0.3, 0.2]
    follows /= follows.sum(axis=1, keepdims=True)
    cumulative = follows.cumsum(axis=1)
    classes = np.empty(n_words, np.int64)
    classes[0] = 0
    uniform = generator.random(n_words)
    for i in range(1, n_words):
        classes[i] = min(np.searchsorted(cumulative[classes[i - 1]], uniform[i]), n_classes - 1)
    per_class = n_types // n_classes
    weights = 1 / (np.arange(per_class) + 1.0)
    word = generator.choice(per_class, n_words, p=weights / weights.sum())
    forms = Column.from_strings(
        [f"w{c}-{w}" for c, w in zip(classes.tolist(), word.tolist(), strict=True)]
    )
    offsets = np.append(np.arange(0, n_words, length), n_words)
    return Treebank({"form": forms}, None, offsets=offsets), classes


def v_measure(gold: np.ndarray, found: np.ndarray) -> float:
    """V-measure in per cent, by its definition."""
    table = np.zeros((gold.max() + 1, found.max() + 1))
    np.add.at(table, (gold, found), 1)
    p = table / table.sum()

    def entropy(q: np.ndarray) -> float:
        q = q[q > 0]
        return float(-(q * np.log2(q)).sum())

    mutual = entropy(p.sum(0)) + entropy(p.sum(1)) - entropy(p.ravel())
    return 200 * mutual / (entropy(p.sum(0)) + entropy(p.sum(1)))
