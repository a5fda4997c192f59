"""One tree for every sentence: the most probable one, or the one with the safest arcs.

Ties (scores closer than 1e-11) go to the smallest split, then to the smallest root. A sentence
that no tree can produce gets a chain: each word depends on the word before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import ArrayLike

from treegauge.kernel_variants import with_choices
from treegauge.kernels import kernel
from treegauge.systems.dependency_induction.chart import _best_trees_numba as kernels
from treegauge.systems.dependency_induction.chart._inside_outside_numba import LANES
from treegauge.systems.dependency_induction.chart.automaton import side_automaton
from treegauge.systems.dependency_induction.chart.corpus import Codes, Floats, Shard, TagCorpus
from treegauge.systems.dependency_induction.chart.errors import ChartError
from treegauge.systems.dependency_induction.chart.events import Counts, Grammar
from treegauge.systems.dependency_induction.chart.expectations import NOTHING, expectations
from treegauge.systems.dependency_induction.chart.parallel import on_shards
from treegauge.systems.dependency_induction.chart.trees import add_tree_events
from treegauge.systems.dependency_induction.chart.weights import ChartWeights, require_tags


@dataclass(frozen=True, eq=False)
class BestTrees:
    """The best tree of every sentence."""

    heads: Codes
    """Heads of all words, 0 for the root."""
    scores: Floats
    """What was made as large as possible, by sentence; -inf if no tree is possible."""
    count_events: Callable[[], Counts] | None = None
    """Counts the events of the trees (Viterbi only)."""

    @cached_property
    def counts(self) -> Counts | None:
        """Events of the trees (Viterbi only), those of sentences without a possible tree left out.

        They are counted when they are first asked for; who wants trees alone never does.
        """
        return None if self.count_events is None else self.count_events()


def viterbi(
    grammar: Grammar,
    corpus: TagCorpus,
    *,
    arc_weights: ArrayLike | None = None,
    threads: int | None = None,
) -> BestTrees:
    """Return the trees of largest weight; scores are logarithms.

    Parameters are those of `expectations`.

    Examples
    --------
    >>> corpus = TagCorpus([0, 1, 0], [0, 3], n_tags=2)
    >>> likes_ones = Grammar.uniform(2).weighted([[0.1, 0.9], [1, 1], [1, 1]])
    >>> viterbi(likes_ones, corpus).heads.tolist()
    [2, 0, 2]
    """
    require_tags(grammar, corpus.n_tags)
    tables, automaton = ChartWeights(grammar).logs, grammar.automaton.kernel_arguments
    trees = _decoded(corpus, tables, automaton, arc_weights, threads)

    def count_events() -> Counts:
        counts = Counts.zeros_like(grammar)
        add_tree_events(trees.heads, corpus, trees.scores > -np.inf, counts)
        return counts

    return BestTrees(trees.heads, trees.scores, count_events)


def minimum_risk(
    grammar: Grammar,
    corpus: TagCorpus,
    *,
    arc_weights: ArrayLike | None = None,
    threads: int | None = None,
) -> BestTrees:
    """Return the trees whose arcs have the largest sum of posteriors; scores are these sums.

    That sum is the expected number of words with the right head.
    """
    e_step = expectations(grammar, corpus, arc_weights=arc_weights, marginals=True, threads=threads)
    return decode_arcs(e_step.marginals, corpus, threads=threads)


def decode_arcs(
    arc_scores: ArrayLike | None, corpus: TagCorpus, *, threads: int | None = None
) -> BestTrees:
    """Return the projective trees with one root whose arcs have the largest sum of scores.

    Parameters
    ----------
    arc_scores : float array
        Packed as in `corpus.py`: posteriors, votes of several systems, log weights; -inf for
        arcs that are not allowed. In a deduplicated corpus, identical sentences share those of the
        first.
    corpus : TagCorpus
        Where sentences begin; tags do not matter.

    Examples
    --------
    >>> corpus = TagCorpus([0, 0], [0, 2], n_tags=1)
    >>> decode_arcs([1, 5, 0, 2, 3, 0], corpus).heads.tolist()  # root: 1 or 5, arcs: 2 or 3
    [2, 0]
    """
    arcs = np.asarray(arc_scores, np.float64)
    if not (arcs < np.inf).all():
        raise ChartError("scores of arcs must be numbers or -inf")
    # A grammar that has no opinion: all logarithms are 0.
    tags = corpus.n_tags
    tables = (np.zeros(tags), np.zeros((1, 2, tags, tags)), np.zeros((tags, 2, 1)))
    automaton = side_automaton(1, 1, "inside_out").kernel_arguments
    return _decoded(corpus, tables, automaton, arcs, threads, are_weights=False)


def chart_bytes(grammar: Grammar, words: int, *, marginals: bool = False) -> int:
    """Return the memory that the chart of a sentence takes; posteriors of arcs double it."""
    automaton = grammar.automaton
    cells = 3 * automaton.final.size + automaton.label_decision.size + 2
    return 8 * LANES * cells * words**2 * (2 if marginals else 1)


def chains(offsets: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Codes:
    """Return heads in which each word depends on the word before it."""
    lengths = np.diff(offsets)
    heads: Codes = (np.arange(offsets[-1]) - np.repeat(offsets[:-1], lengths)).astype(np.int32)
    return heads


def _decoded(
    corpus: TagCorpus,
    tables: tuple[Floats, Floats, Floats],
    automaton: tuple[np.ndarray[tuple[int], np.dtype[np.int64]], ...],
    arc_weights: ArrayLike | None,
    threads: int | None,
    *,
    are_weights: bool = True,
) -> BestTrees:
    shards = corpus.shards
    given = [NOTHING] * len(shards) if arc_weights is None else corpus.arcs_to_shards(arc_weights)

    def work(shard: Shard, arcs: Floats) -> tuple[Codes, Floats]:
        heads, scores = chains(shard.offsets), np.zeros(shard.multiplicity.size)
        if not scores.size:
            return heads, scores
        longest = int(shard.offsets[-1] - shard.offsets[-2])
        labels, valences = tables[1].shape[0], tables[2].shape[2]
        room = kernels.room_for_trees(longest, automaton[3].size, labels, valences)
        (_best_by_tags() if arc_weights is None else kernels.best_trees)(
            shard.tags,
            shard.offsets,
            tables,
            automaton,
            arcs,
            shard.arc_offsets,
            arc_weights is not None,
            are_weights,
            room,
            np.zeros((4 * longest + 4, 3), np.int64),
            scores,
            heads,
        )
        return heads, scores

    parts = on_shards(work, shards, given, threads=threads)
    heads = corpus.words_from_shards([heads for heads, _ in parts])
    return BestTrees(heads, corpus.sentences_from_shards([scores for _, scores in parts]))


@cache
def _best_by_tags() -> kernel:
    """Return the kernel for where sentences have no scores of their own."""
    choices = {kernels.add_scores: kernels.same_scores}
    return with_choices(kernels.best_trees, choices, "by_tags")
