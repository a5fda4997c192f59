"""Phrases: trees of several annotation schemes, compared on what the schemes agree about.

Conventions
-----------
A dependency tree becomes a tree of phrases. Every word has a phrase: the word itself and all words
below it. Two phrases are the same if they have the same words. The generalised gold standard is
the set of phrases that all gold standards have: gold's own and every reference's.

A system's tree is edited into the generalised gold standard by inserting and deleting phrases.
An edit that gold's own tree needs as well belongs to the annotation scheme, and is free. So a
system pays for a phrase that gold does not have, and for a missing phrase that all gold standards
have. The score is 1 less the price, divided by the phrases of both trees. With one gold standard
this is the tree edit distance of Tsarfaty et al.

Without relations, a single word is always a phrase and the whole sentence never counts. With
relations, a phrase also needs the same relation, and every word has exactly one phrase.

A phrase may have gaps, so crossing edges need no special care. Words on a cycle, or with a head
outside the sentence, have no head. With other words than gold's there is no score.

Metrics
-------
tedeval           1 - price / phrases
tedeval_labelled  the same; phrases have relations

References
----------
Tsarfaty, Nivre and Andersson (2011), Evaluating Dependency Parsing: Robust and Heuristics-Free
Cross-Annotation Evaluation; the free edits as in their Cross-Framework Evaluation for Statistical
Parsing (2012).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.metrics import _phrases_numba as kernels
from treegauge.metrics.comparison import MISSING, Comparison, heads_as_words, without_subtype
from treegauge.metrics.metric import Floats, Metric, Statistics, ratio
from treegauge.treebank import Treebank, words_on_cycles

Heads = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class PhraseStatistics:
    """Phrases of both trees that cost nothing, all phrases of both trees, and words."""

    per_sentence: Floats

    def score(self, sums: Floats) -> Floats:
        """Return the share of phrases that cost nothing."""
        return ratio(*self.ratio_of(sums))

    def ratio_of(self, sums: Floats) -> tuple[Floats, Floats]:
        """Return phrases that cost nothing, and all phrases."""
        return sums[..., 0], sums[..., 1]

    def size(self, sums: Floats) -> int:
        """Return the number of words."""
        return int(sums[2])


def _tedeval(comparison: Comparison) -> Statistics:
    if not comparison.has_same_words:
        return _nothing(comparison)
    words = _words_per_sentence(comparison)
    counted, length = comparison.is_counted, words[comparison.sentence_of_gold]
    gold, system = _gold_heads(comparison), _system_heads(comparison)
    in_system, in_gold = (
        # Every word by itself is a phrase of all trees, and so is the sentence.
        counted & (size > 1) & (size < length)
        for size in (_sizes(system, counted), _sizes(gold, counted))
    )
    own = _same_phrases(system, gold, counted)
    in_all = in_gold.copy()
    for reference in comparison.references:
        heads = _contracted(_heads(reference), counted)
        in_all &= _same_phrases(gold, heads, counted) >= 0
    found = _same_phrases(gold, system, counted) >= 0
    return _statistics(comparison, in_system, in_system & (own >= 0), in_all, found, words)


def _tedeval_labelled(comparison: Comparison) -> Statistics:
    if not comparison.has_same_words:
        return _nothing(comparison)
    counted = comparison.is_counted
    gold, system = _gold_heads(comparison), _system_heads(comparison)
    gold_relation, system_relation, names = comparison.relations
    own = _same_phrases(system, gold, counted)
    is_right = counted & (own >= 0) & (gold_relation[own] == system_relation)
    in_all = counted.copy()
    for reference in comparison.references:
        change = None if comparison.conventions.subtypes else without_subtype
        column = reference.deprel if change is None else reference.deprel.map(change)
        relation = np.array([names.code(name) for name in column.vocabulary])[column.codes]
        place = _same_phrases(gold, _contracted(_heads(reference), counted), counted)
        in_all &= (place >= 0) & (relation[place] == gold_relation)
    place = _same_phrases(gold, system, counted)
    found = (place >= 0) & (system_relation[place] == gold_relation)
    alone = np.zeros(comparison.gold.n_sentences, np.int64)
    return _statistics(comparison, counted, is_right, in_all, found, alone)


def _statistics(
    comparison: Comparison,
    in_system: Mask,
    is_right: Mask,
    in_all: Mask,
    found: Mask,
    shared: NDArray[np.int64],
) -> PhraseStatistics:
    """Return what sums are made of; `shared` phrases are in both trees, whatever the trees."""

    def per_sentence(chosen: Mask) -> NDArray[np.int64]:
        sentences = comparison.sentence_of_gold[chosen]
        return np.bincount(sentences, minlength=comparison.gold.n_sentences)

    free = per_sentence(is_right) + per_sentence(in_all & found) + 2 * shared
    phrases = per_sentence(in_system) + per_sentence(in_all) + 2 * shared
    words = _words_per_sentence(comparison)
    return PhraseStatistics(np.column_stack([free, phrases, words]).astype(np.float64))


def _nothing(comparison: Comparison) -> PhraseStatistics:
    return PhraseStatistics(np.zeros((comparison.gold.n_sentences, 3)))


def _words_per_sentence(comparison: Comparison) -> NDArray[np.int64]:
    sentences = comparison.sentence_of_gold[comparison.is_counted]
    return np.bincount(sentences, minlength=comparison.gold.n_sentences)


# ---------------------------------------------------------------------- trees as heads


def _gold_heads(comparison: Comparison) -> Heads:
    counted = comparison.is_counted
    return comparison.once("gold phrases", lambda: _contracted(_heads(comparison.gold), counted))


def _system_heads(comparison: Comparison) -> Heads:
    return _contracted(comparison.own_system_head, comparison.is_counted)


def _heads(treebank: Treebank) -> Heads:
    """Return heads as indices of words; a word on a cycle has none."""
    return np.where(words_on_cycles(treebank), MISSING, heads_as_words(treebank))


def _contracted(heads: Heads, counted: Mask) -> Heads:
    """Return the nearest counted ancestor of every word."""
    heads = heads.copy()
    while (passed := (heads >= 0) & ~counted[heads]).any():
        heads[passed] = heads[heads[passed]]
    return heads


def _sizes(heads: Heads, counted: Mask) -> NDArray[np.int64]:
    size = np.zeros(len(heads), np.int64)
    kernels.phrase_sizes(heads, counted, size)
    return size


def _same_phrases(heads: Heads, other: Heads, counted: Mask) -> NDArray[np.int64]:
    """Return for every word the word whose phrase in another tree has the same words, or -1.

    If the other tree attaches only one word of a phrase outside of it, the phrase of this word
    has all words of the phrase. The phrases are the same if they are of one size.
    """
    tops = np.zeros(len(heads), np.int64)
    top = np.zeros(len(heads), np.int64)
    kernels.phrase_tops(heads, other, counted, tops, top, np.full(len(heads), -1))
    is_same = (tops == 1) & (_sizes(heads, counted) == _sizes(other, counted)[top])
    return np.where(is_same & counted, top, -1)


METRICS = (
    Metric(
        "tedeval", "TedEval", "phrases that agree with what gold standards share",
        "phrases", ("head",), _tedeval, uses_references=True, cites=("tsarfaty-et-al-2011",),
    ),
    Metric(
        "tedeval_labelled", "TedEval labelled",
        "tedeval of phrases with their relations",
        "phrases", ("head", "deprel"), _tedeval_labelled, uses_references=True,
        cites=("tsarfaty-et-al-2011",),
    ),
)  # fmt: skip
"""The metrics of this chapter."""
