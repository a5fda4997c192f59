"""Strata by the place of a word in its tree.

Conventions
-----------
Several roots are allowed. A word from which no way leads up to a root, because of a cycle, a
missing head or one outside the sentence, has no depth and no distance to the root; the arcs
of a sentence with such a word are neither projective nor not, as in `properties`.
"""

from __future__ import annotations

import numpy as np

from treegauge.properties import nonprojective_words
from treegauge.strata import _tree_shapes_numba as kernels
from treegauge.strata.bins import bin_names, binned
from treegauge.strata.edges import ROOT
from treegauge.strata.strata import NO_STRATUM, Strata
from treegauge.treebank import NOT_ANNOTATED, Treebank

_DEPTHS = range(1, 11)
_ROOT_DISTANCES = range(11)
_DEPENDENTS = range(5)


def depth(gold: Treebank) -> Strata:
    """Divide by the number of arcs up to the artificial root: 1 is a root, then 2 to 9, 10+."""
    depths, _ = kernels.depths_and_roots(gold.head, gold.offsets)
    return Strata(binned(depths, _DEPTHS), bin_names(_DEPTHS))


def root_distance(gold: Treebank) -> Strata:
    """Divide by distance in words to the root above the word: 0 is the root itself.

    Where a sentence has several roots, it is the one from which the word descends.
    """
    _, roots = kernels.depths_and_roots(gold.head, gold.offsets)
    position = np.arange(1, gold.n_words + 1) - np.repeat(gold.offsets[:-1], gold.lengths)
    distances = np.where(roots > 0, np.abs(roots - position), NO_STRATUM)
    return Strata(binned(distances, _ROOT_DISTANCES), bin_names(_ROOT_DISTANCES))


def branching(gold: Treebank) -> Strata:
    """Divide by number of dependents: 0 to 3, 4 and more.

    In a sentence with a head that is missing nobody can count them.
    """
    head = gold.head.astype(np.int64)
    lengths = np.repeat(gold.lengths, gold.lengths)
    inside = (head >= 1) & (head <= lengths)
    head_word = np.repeat(gold.offsets[:-1], gold.lengths) + head - 1
    dependents = np.bincount(head_word[inside], minlength=gold.n_words)
    unknown = np.zeros(gold.n_sentences, np.bool_)
    unknown[gold.sentence_of_word[head == NOT_ANNOTATED]] = True
    dependents[np.repeat(unknown, gold.lengths)] = NO_STRATUM
    return Strata(binned(dependents, _DEPENDENTS), bin_names(_DEPENDENTS))


def projectivity(gold: Treebank) -> Strata:
    """Divide by whether the head dominates all words between the two; root."""
    codes = nonprojective_words(gold).astype(np.int32)
    codes[gold.head == 0] = 2
    return Strata(codes, ("projective", "not projective", ROOT))
