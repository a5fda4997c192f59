"""Grammars and corpora that the tests of charts share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treegauge.systems.dependency_induction.chart import Counts, Grammar, TagCorpus

D, N, V = 0, 1, 2

MODELS = [
    (1, 1, "inside_out"),
    (2, 1, "inside_out"),
    (2, 2, "inside_out"),
    (3, 3, "inside_out"),
    (1, 3, "inside_out"),
    (4, 2, "inside_out"),
    (4, 4, "inside_out"),
    (2, 1, "outside_in"),
    (2, 2, "outside_in"),
    (3, 3, "outside_in"),
    (2, 3, "outside_in"),
    (4, 2, "outside_in"),
]
"""Decision valences, child valences, order of child valences."""


def golden_grammar() -> Grammar:
    """The grammar whose values were worked out by hand and by enumeration."""
    third = 1 / 3
    attach = [
        [[[third, third, third]], [[0.2, 0.6, 0.2]]],
        [[[0.7, 0.2, 0.1]], [[0.2, 0.3, 0.5]]],
        [[[0.1, 0.8, 0.1]], [[0.2, 0.7, 0.1]]],
    ]
    stop = np.array([[[0.9, 0.9], [0.7, 0.9]], [[0.4, 0.8], [0.8, 0.9]], [[0.3, 0.7], [0.5, 0.8]]])
    return Grammar(np.array([0.1, 0.3, 0.6]), stop, 1 - stop, np.array(attach))


def corpus_of(sentences: Sequence[Sequence[int]], n_tags: int = 3, **options) -> TagCorpus:
    offsets = np.concatenate([[0], np.cumsum([len(tags) for tags in sentences])])
    return TagCorpus([tag for tags in sentences for tag in tags], offsets, n_tags, **options)


def random_grammar(seed: int, n_tags: int = 3, model=(2, 1, "inside_out")) -> Grammar:
    return Grammar.random(np.random.default_rng(seed), n_tags, *model)


def any_weights(seed: int, n_tags: int = 3, model=(2, 1, "inside_out")) -> Grammar:
    """Weights that are no probabilities: some larger than 1, some arcs 0."""
    random = np.random.default_rng(seed)
    tables = Counts.zeros(n_tags, *model).arrays()
    drawn = {name: random.gamma(0.7, 3.0, table.shape) for name, table in tables.items()}
    drawn["attach"] *= random.random(drawn["attach"].shape) > 0.1
    return Grammar(**drawn, child_valence_order=model[2])


def random_corpus(seed: int, sentences: int, longest: int, n_tags: int = 3, **options) -> TagCorpus:
    random = np.random.default_rng(seed)
    lengths = random.integers(1, longest + 1, sentences)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return TagCorpus(random.integers(0, n_tags, offsets[-1]), offsets, n_tags, **options)


def assert_same_counts(found: Counts, expected: Counts, tolerance: float = 1e-12) -> None:
    for name, table in expected.arrays().items():
        np.testing.assert_allclose(
            found.arrays()[name], table, rtol=tolerance, atol=tolerance, err_msg=name
        )


def assert_equal_counts(found: Counts, expected: Counts) -> None:
    """To the last bit."""
    for name, table in expected.arrays().items():
        assert (found.arrays()[name] == table).all(), name
