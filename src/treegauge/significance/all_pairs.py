"""Paired tests between every two of many systems, at the price of a few.

Approximate randomisation as in `treegauge.significance.paired_permutation` (Noreen 1989), but
with the same exchanges for all pairs: in a trial, a coin says of every sentence whether two
systems exchange their statistics, whichever two. What a pair gains is then the difference of what
each of the two moves, so that one product serves all pairs. Every single test is as valid as
one with coins of its own; holding them against each other is what Holm's correction is for, which
does not mind that tests depend on each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from treegauge.significance.paired_tests import SAME, paired_permutation
from treegauge.significance.sentence_statistics import BLOCK, Floats, Score, checked, scored, total


def all_pairs(
    systems: Sequence[Any], score: Score, *, trials: int = 10_000, seed: int = 0
) -> dict[tuple[int, int], tuple[float, float]]:
    """Return difference (second minus first) and p of every two systems.

    Parameters
    ----------
    systems : sequence of arrays, [sentences, k]
        Statistics, the same sentences in the same order.
    score : callable
        Sums `[..., k]` to scores `[...]`.
    trials, seed : int
        Of the exchanges.

    Returns
    -------
    dict
        Without pairs of which one has no score.

    Examples
    --------
    >>> words = np.full(40, 10)
    >>> tables = [np.stack([np.full(40, right), words], axis=1) for right in (5, 5, 8)]
    >>> tests = all_pairs(tables, lambda sums: sums[..., 0] / sums[..., 1], trials=1000)
    >>> tests[0, 1], round(tests[0, 2][0], 2), tests[0, 2][1] < 0.01
    ((0.0, 1.0), 0.3, True)
    """
    tables = [checked(system) for system in systems]
    sums = [total(table) for table in tables]
    values = [float(scored(score, own)) for own in sums]
    pairs = [
        (i, j)
        for i, j in combinations(range(len(tables)), 2)
        if np.isfinite(values[i]) and np.isfinite(values[j])
    ]
    if not pairs:
        return {}
    sentences, k = tables[0].shape
    if sentences < int(trials).bit_length():
        # So few sentences can be exchanged in all ways there are.
        return {pair: _one_by_one(tables, pair, score, trials, seed) for pair in pairs}
    counts = dict.fromkeys(pairs, 0)
    for moved in _moved(np.hstack(tables), trials, seed):
        by_system = moved.reshape(len(moved), len(tables), k)
        for i, j in pairs:
            change = by_system[:, j] - by_system[:, i]
            counts[i, j] += _as_extreme(change, sums, values, (i, j), score)
    return {
        (i, j): (values[j] - values[i], (count + 1) / (trials + 1))
        for (i, j), count in counts.items()
    }


def _moved(side_by_side: Floats, trials: int, seed: int) -> Iterator[Floats]:
    """Give what exchanges move, a row a trial, many trials at once.

    Coins of many sentences come in blocks of few trials. Pairs are looked at when enough trials
    are there: a call for every pair and block would take longer than the arithmetic.
    """
    sentences, width = side_by_side.shape
    random = np.random.default_rng(seed)
    rows = max(1, BLOCK // sentences)
    most = max(rows, BLOCK // width)
    gathered: list[Floats] = []
    for first in range(0, trials, rows):
        shape = min(rows, trials - first), -(-sentences // 8)
        coins = random.integers(256, size=shape, dtype=np.uint8)
        exchanges = np.unpackbits(coins, axis=1, count=sentences).astype(np.float64)
        gathered.append(exchanges @ side_by_side)
        if sum(map(len, gathered)) >= most:
            yield np.concatenate(gathered)
            gathered = []
    if gathered:
        yield np.concatenate(gathered)


def _as_extreme(
    change: Floats,
    sums: Sequence[Floats],
    values: Sequence[float],
    pair: tuple[int, int],
    score: Score,
) -> int:
    """Count the trials in which two systems differ at least as much as they do."""
    i, j = pair
    differences = scored(score, sums[j] - change) - scored(score, sums[i] + change)
    tie = SAME * max(abs(values[i]), abs(values[j]))
    # "Not smaller", so that a trial without a score counts against significance.
    return int(np.count_nonzero(~(np.abs(differences) < abs(values[j] - values[i]) - tie)))


def _one_by_one(
    tables: Sequence[Any], pair: tuple[int, int], score: Score, trials: int, seed: int
) -> tuple[float, float]:
    i, j = pair
    test = paired_permutation(tables[i], tables[j], score, trials=trials, seed=seed)
    assert test.difference is not None and test.p is not None  # noqa: PT018
    return test.difference, test.p
