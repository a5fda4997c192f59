"""The E-step: expected counts of events under the posterior of trees.

`shard_expectations` is a map from a grammar and a shard to counts that add up; nothing else is
shared, so that threads, processes or machines can do shards in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, reduce
from operator import add

import numpy as np
from numpy.typing import ArrayLike

from treegauge.kernel_variants import with_choices
from treegauge.kernels import kernel
from treegauge.systems.dependency_induction.chart import _inside_outside_numba as kernels
from treegauge.systems.dependency_induction.chart._log_space_numba import log_posteriors
from treegauge.systems.dependency_induction.chart.corpus import Floats, Shard, TagCorpus
from treegauge.systems.dependency_induction.chart.elsewhere import workers_elsewhere
from treegauge.systems.dependency_induction.chart.errors import ChartError
from treegauge.systems.dependency_induction.chart.events import Counts, Grammar
from treegauge.systems.dependency_induction.chart.parallel import on_shards
from treegauge.systems.dependency_induction.chart.weights import (
    LEAST_Z,
    ChartWeights,
    require_tags,
)

NOTHING = np.zeros(0)


@dataclass(frozen=True, eq=False)
class Expectations:
    """What a grammar expects of sentences.

    A sentence that no tree can produce has log-likelihood -inf and contributes no counts.
    """

    counts: Counts
    """Expected events of all sentences."""
    sentence_log_likelihoods: Floats
    """log Z of every sentence."""
    log_likelihood: float
    """Their sum, identical sentences counted as often as they occur."""
    entropies: Floats | None = None
    """Entropy (in nats) of each sentence's trees, log Z - E[log weight], if asked for."""
    marginals: Floats | None = None
    """Posteriors of arcs, packed (see `corpus.py`), if asked for."""


def expectations(
    grammar: Grammar,
    corpus: TagCorpus,
    *,
    arc_weights: ArrayLike | None = None,
    entropies: bool = False,
    marginals: bool = False,
    threads: int | None = None,
) -> Expectations:
    """Return expected counts, log-likelihood and what else is asked for.

    Parameters
    ----------
    grammar : Grammar
        Any weights; with `power`, posteriors proportional to powers of probabilities.
    corpus : TagCorpus
        Sentences.
    arc_weights : float array, optional
        Packed weights that multiply the sentences' own arcs (see `corpus.py`). In a deduplicated
        corpus, identical sentences share those of the first. For weights that depend on
        tags alone, `Grammar.weighted` does the same for nothing.
    entropies, marginals : bool
        Whether to compute these.
    threads : int, optional
        All cores if not given; results are the same for any number, to the last bit.

    Examples
    --------
    >>> corpus = TagCorpus([0, 1, 0, 1, 1], [0, 2, 5], n_tags=2)
    >>> e_step = expectations(Grammar.uniform(2), corpus, marginals=True)
    >>> e_step.counts.root.sum().round(9).item(), e_step.counts.attach.sum().round(9).item()
    (2.0, 3.0)
    >>> corpus.arc_matrix(e_step.marginals, 0).tolist()  # two trees, equally likely
    [[0.5, 0.5], [0.0, 0.5], [0.5, 0.0]]
    """
    require_tags(grammar, corpus.n_tags)
    shards = corpus.shards
    given: Sequence[Floats | None]
    given = [None] * len(shards) if arc_weights is None else corpus.arcs_to_shards(arc_weights)

    elsewhere = workers_elsewhere()
    if elsewhere is None:
        weights = ChartWeights(grammar)

        def work(shard: Shard, arcs: Floats | None) -> Expectations:
            return _shard_expectations(weights, shard, arcs, entropies, marginals)

        parts = on_shards(work, shards, given, threads=threads)
    else:
        parts = elsewhere.expectations(
            grammar, shards, given, entropies=entropies, marginals=marginals
        )
    log_z = corpus.sentences_from_shards([part.sentence_log_likelihoods for part in parts])
    return Expectations(
        reduce(add, (part.counts for part in parts)),
        log_z,
        float(sum(part.log_likelihood for part in parts)),
        corpus.sentences_from_shards([p.entropies for p in parts if p.entropies is not None])
        if entropies
        else None,
        corpus.arcs_from_shards([p.marginals for p in parts if p.marginals is not None])
        if marginals
        else None,
    )


def shard_expectations(
    grammar: Grammar,
    shard: Shard,
    *,
    arc_weights: Floats | None = None,
    entropies: bool = False,
    marginals: bool = False,
) -> Expectations:
    """Return the same for a shard; values of sentences and arcs in the order of the shard.

    Counts of all shards of a corpus add up to those of the corpus.
    """
    return _shard_expectations(ChartWeights(grammar), shard, arc_weights, entropies, marginals)


def _shard_expectations(
    weights: ChartWeights,
    shard: Shard,
    arc_weights: Floats | None,
    with_entropies: bool,
    with_marginals: bool,
) -> Expectations:
    if arc_weights is not None and not ((arc_weights >= 0) & (arc_weights < np.inf)).all():
        raise ChartError("weights of arcs must be finite numbers, not negative")
    sentences = shard.multiplicity.size
    log_z = np.zeros(sentences)
    entropies = np.zeros(sentences if with_entropies else 0)
    marginals = np.zeros(int(shard.arc_offsets[-1]) if with_marginals else 0)
    counts = weights.empty_counts()
    own = NOTHING if arc_weights is None else arc_weights
    wanted = (arc_weights is not None, with_marginals, with_entropies)
    results = (log_z, entropies, marginals, counts)
    automaton = weights.grammar.automaton.kernel_arguments
    if sentences:
        longest = min(int(shard.offsets[-1] - shard.offsets[-2]), LEAST_Z.size - 1)
        labels, valences = counts[1].shape[0], counts[2].shape[2]
        room = kernels.room_for_posteriors(longest, automaton[3].size, labels, valences)
        (kernels.posteriors if any(wanted) else _counts_alone())(
            shard.tags,
            shard.offsets,
            shard.multiplicity,
            weights.scaled,
            automaton,
            LEAST_Z,
            own,
            shard.arc_offsets,
            wanted,
            room,
            *results,
        )
    if np.isnan(log_z).any():
        log_posteriors(
            shard.tags,
            shard.offsets,
            shard.multiplicity,
            weights.logs,
            automaton,
            own,
            shard.arc_offsets,
            wanted,
            *results,
        )
    return Expectations(
        weights.counts(*counts),
        log_z,
        float(shard.multiplicity @ log_z),
        entropies if with_entropies else None,
        marginals if with_marginals else None,
    )


@cache
def _counts_alone() -> kernel:
    """Return the kernel for where nothing else is given and asked for, as in EM."""
    choices = {
        kernels.multiply_arcs: kernels.same_arcs,
        kernels.expected_log_weight: kernels.no_log_weight,
        kernels.write_marginals: kernels.no_marginals,
    }
    return with_choices(kernels.posteriors, choices, "alone")
