"""The events of given trees: counts for supervised models, and the probability of a tree."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from treegauge.systems.dependency_induction.chart._tree_events_numba import (
    first_flawed,
    read_trees,
)
from treegauge.systems.dependency_induction.chart.automaton import ChildValenceOrder
from treegauge.systems.dependency_induction.chart.corpus import Codes, Floats, TagCorpus
from treegauge.systems.dependency_induction.chart.errors import ChartError
from treegauge.systems.dependency_induction.chart.events import Counts, Grammar
from treegauge.systems.dependency_induction.chart.weights import require_tags

FLAWS = {
    1: "a head outside the sentence, or a word that is its own head",
    2: "no root or several",
    3: "a cycle",
    4: "crossing arcs, or an arc above the root",
}


def tree_counts(
    heads: ArrayLike,
    corpus: TagCorpus,
    *,
    decision_valences: int = 2,
    child_valences: int = 1,
    child_valence_order: ChildValenceOrder = "inside_out",
    sentence_weights: ArrayLike | None = None,
) -> Counts:
    """Return how often each event occurs in trees.

    Parameters
    ----------
    heads : int array, [words]
        Heads of all words of the corpus: projective trees with one root.
    corpus : TagCorpus
        Their tags.
    decision_valences, child_valences, child_valence_order
        Of the model.
    sentence_weights : float array, [sentences], optional
        How often each sentence counts; once if not given.

    Examples
    --------
    >>> corpus = TagCorpus([0, 1, 2], [0, 3], n_tags=3)  # D N V
    >>> counts = tree_counts([2, 3, 0], corpus)
    >>> counts.attach[2, 0, 0].tolist(), counts.stop[2, 0].tolist()
    ([0.0, 1.0, 0.0], [0.0, 1.0])
    """
    counts = Counts.zeros(corpus.n_tags, decision_valences, child_valences, child_valence_order)
    times = np.ones(corpus.n_sentences)
    if sentence_weights is not None:
        times = np.array(sentence_weights, np.float64)
        if times.shape != (corpus.n_sentences,):
            raise ChartError(f"{corpus.n_sentences} sentences, weights of shape {times.shape}")
    add_tree_events(_checked(heads, corpus), corpus, times, counts)
    return counts


def tree_log_probability(grammar: Grammar, heads: ArrayLike, corpus: TagCorpus) -> Floats:
    """Return the logarithm of the weight of every sentence's tree."""
    require_tags(grammar, corpus.n_tags)
    ignored = Counts.zeros_like(grammar)
    times = np.zeros(corpus.n_sentences)
    return add_tree_events(_checked(heads, corpus), corpus, times, ignored, grammar)


def add_tree_events(
    heads: Codes,
    corpus: TagCorpus,
    times: ArrayLike,
    counts: Counts,
    grammar: Grammar | None = None,
) -> Floats:
    """Add the events of trees that need no check to counts; return scores by a grammar, or 0."""
    scores = np.zeros(corpus.n_sentences)
    logs = Counts.zeros_like(counts).arrays() if grammar is None else grammar.logs
    read_trees(
        corpus.tags,
        corpus.offsets,
        heads,
        np.asarray(times, np.float64),
        counts.child_valence_order == "outside_in",
        tuple(logs.values()),
        tuple(counts.arrays().values()),
        scores,
    )
    return scores


def _checked(heads: ArrayLike, corpus: TagCorpus) -> Codes:
    checked = np.array(heads, np.int32)
    if checked.shape != corpus.tags.shape:
        raise ChartError(f"the corpus has {corpus.n_words} words; found heads of {checked.shape}")
    sentence, flaw = first_flawed(checked, corpus.offsets)
    if flaw:
        raise ChartError(
            f"sentence number {sentence + 1} is no projective tree with one root: {FLAWS[flaw]}; "
            "projectivise the trees first, or leave it out"
        )
    return checked
