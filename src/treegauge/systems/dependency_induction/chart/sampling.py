"""Trees drawn from the posterior."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from treegauge.systems.dependency_induction.chart._log_space_numba import samples
from treegauge.systems.dependency_induction.chart.corpus import (
    Codes,
    Floats,
    Ints,
    Shard,
    TagCorpus,
)
from treegauge.systems.dependency_induction.chart.decoding import chains
from treegauge.systems.dependency_induction.chart.events import Grammar
from treegauge.systems.dependency_induction.chart.expectations import NOTHING
from treegauge.systems.dependency_induction.chart.parallel import on_shards
from treegauge.systems.dependency_induction.chart.weights import ChartWeights, require_tags

NUMBERS_A_WORD = 4
"""Random numbers that a word may need: for the end of a side, dependent, valence, and split."""


def sample(
    grammar: Grammar,
    corpus: TagCorpus,
    random: np.random.Generator,
    *,
    arc_weights: ArrayLike | None = None,
    threads: int | None = None,
) -> Codes:
    """Return heads of one tree for every sentence, drawn in proportion to its weight.

    Identical sentences get trees of their own. The random numbers of a sentence depend on its
    place in the corpus alone: threads do not matter. A sentence that no tree can produce gets
    a chain, as in `decoding.py`.

    Examples
    --------
    >>> import numpy as np
    >>> corpus = TagCorpus([0] * 2000, range(0, 2001, 2), n_tags=1)
    >>> heads = sample(Grammar.uniform(1), corpus, np.random.default_rng(1))
    >>> bool(450 < (heads[::2] == 0).sum() < 550)  # the first word is the root of every other tree
    True
    """
    require_tags(grammar, corpus.n_tags)
    tables, automaton = ChartWeights(grammar).logs, grammar.automaton.kernel_arguments
    shards = corpus.shards
    given = [NOTHING] * len(shards) if arc_weights is None else corpus.arcs_to_shards(arc_weights)
    uniforms = random.random(NUMBERS_A_WORD * corpus.n_words)
    heads = chains(corpus.offsets)

    def work(shard: Shard, arcs: Floats, members: tuple[Ints, Ints]) -> None:
        # Each shard writes the words of its own members only.
        samples(
            shard.tags,
            shard.offsets,
            tables,
            automaton,
            arcs,
            shard.arc_offsets,
            arc_weights is not None,
            *members,
            corpus.offsets,
            uniforms,
            corpus.offsets * NUMBERS_A_WORD,
            np.zeros(shard.multiplicity.size),
            heads,
        )

    on_shards(work, shards, given, corpus.members, threads=threads)
    return heads
