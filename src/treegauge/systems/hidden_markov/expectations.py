"""What hidden Markov models expect of a text, a shard of it on each thread.

Shards depend on the text alone and are added up in their order, so that no result depends on the
number of threads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treegauge.kernels import one_blas_thread
from treegauge.systems.dependency_induction.chart.parallel import on_shards
from treegauge.systems.hidden_markov._hmm_numba import expect, posterior_tags
from treegauge.systems.hidden_markov.parameters import Floats

_WORDS_OF_SHARD = 16_384
_MOST_SHARDS = 8


class HmmExpectations(NamedTuple):
    """What a model expects of a text."""

    log_likelihood: float
    emitted: Floats
    """[type or word, state]."""
    passed: Floats
    """[state, state]; the last one is the boundary."""


def expectations(
    words: NDArray[np.int32],
    offsets: NDArray[np.int64],
    emissions: Floats,
    scales: Floats,
    transitions: Floats,
) -> HmmExpectations:
    """Return expected counts of types in states and of transitions; see `_hmm_numba.py`."""

    def of_shard(begin: int, end: int) -> HmmExpectations:
        emitted, passed = np.zeros(emissions.shape), np.zeros(transitions.shape)
        log_likelihood = expect(
            words, offsets[begin : end + 1], emissions, scales, transitions, emitted, passed
        )
        return HmmExpectations(float(log_likelihood), emitted, passed)

    with one_blas_thread():
        shards = on_shards(of_shard, *shard_bounds(offsets), threads=None)
    return HmmExpectations(
        sum(shard.log_likelihood for shard in shards),
        added_up([shard.emitted for shard in shards]),
        added_up([shard.passed for shard in shards]),
    )


def likeliest_tags(
    words: NDArray[np.int32],
    offsets: NDArray[np.int64],
    emissions: Floats,
    scales: Floats,
    transitions: Floats,
) -> NDArray[np.int32]:
    """Return the tag of the largest posterior for every word; of equals the first."""
    tags = np.zeros(len(words), np.int32)
    with one_blas_thread():
        posterior_tags(words, offsets, emissions, scales, transitions, tags)
    return tags


def added_up(tables: list[Floats]) -> Floats:
    """Return the sum of tables, in their order; it takes the place of the first."""
    total = tables[0]
    for table in tables[1:]:
        total += table
    return total


def shard_bounds(offsets: NDArray[np.int64]) -> tuple[list[int], list[int]]:
    """Return the first sentences of shards of about equally many words, and where they end."""
    n_words = int(offsets[-1])
    n_shards = min(max(n_words // _WORDS_OF_SHARD, 1), _MOST_SHARDS)
    cuts = np.searchsorted(offsets, n_words * np.arange(1, n_shards) // n_shards)
    limits = np.unique([0, *cuts.tolist(), len(offsets) - 1]).tolist()
    return limits[:-1], limits[1:]
