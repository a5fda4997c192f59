"""Which systems of a challenge are significantly better than which.

Tests are paired over sentences within treebanks, the score is the average over treebanks, and
p-values are corrected over all pairs (Holm). Two kinds of evidence are known:

- Sentences that two systems can exchange (attachment, tagging): a permutation test, with
  the same exchanges for all pairs (`treegauge.significance.all_pairs`).
- Scores of whole treebanks that no sentence adds to (clusters and gold tags): a paired bootstrap.
  A system keeps the averages of resamples, which are the same sentences for all systems.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from treegauge.challenges.errors import ChallengeError
from treegauge.significance import holm
from treegauge.significance.all_pairs import all_pairs
from treegauge.significance.paired_tests import SAME

Floats = NDArray[np.float64]
PairTests = dict[tuple[str, str], tuple[float, float]]
"""Difference (second minus first) and p of two systems."""

ALPHA = 0.05

TRIALS = 50_000
"""Fixed, so that one more system never changes a p-value. With 50,000 the smallest p survives
Holm's correction over the 2,485 pairs of 70 systems."""


@dataclass(frozen=True)
class SentenceCounts:
    """What is right in every sentence and what there is, by treebank: a score is their ratio."""

    right: Mapping[str, Floats]
    whole: Mapping[str, Floats]


@dataclass(frozen=True)
class ResampledAverages:
    """The average over treebanks of every resample, and that of the data."""

    observed: float
    averages: Floats


Evidence = SentenceCounts | ResampledAverages


def significantly_better(
    evidence: Mapping[str, Evidence],
    *,
    higher_is_better: bool = True,
    alpha: float = ALPHA,
    trials: int = TRIALS,
    seed: int = 0,
) -> set[tuple[str, str]]:
    """Return pairs of systems of which the first is significantly better than the second.

    Parameters
    ----------
    evidence : mapping
        Of every system of one ranking, all of one kind and about the same sentences.
    higher_is_better : bool
        False for distances.
    alpha : float
        The largest chance of any false pair.
    trials, seed : int
        Of the permutation test; the bootstrap has been drawn already.

    Examples
    --------
    >>> words = {"x": np.full(30, 8.0)}
    >>> right = {"good": 6.0, "same": 6.0, "bad": 3.0}
    >>> systems = {k: SentenceCounts({"x": np.full(30, v)}, words) for k, v in right.items()}
    >>> sorted(significantly_better(systems, trials=1000))
    [('good', 'bad'), ('same', 'bad')]
    """
    pairs = len(evidence) * (len(evidence) - 1) // 2
    is_permuted = all(isinstance(one, SentenceCounts) for one in evidence.values())
    if is_permuted and pairs >= alpha * (trials + 1):
        # No p is below 1 / (trials + 1), and Holm multiplies the smallest one by all pairs.
        return set()
    tests = paired_tests(evidence, trials=trials, seed=seed)
    corrected = holm([p for _, p in tests.values()]) if tests else np.empty(0)
    better = set()
    for ((one, other), (difference, _)), p in zip(tests.items(), corrected.tolist(), strict=True):
        if p < alpha and difference:
            other_is_better = (difference > 0) == higher_is_better
            better.add((other, one) if other_is_better else (one, other))
    return better


def paired_tests(
    evidence: Mapping[str, Evidence], *, trials: int = TRIALS, seed: int = 0
) -> PairTests:
    """Return difference (second minus first) and p of every two systems."""
    names = sorted(evidence)
    counts = [one for name in names if isinstance(one := evidence[name], SentenceCounts)]
    averages = [one for name in names if isinstance(one := evidence[name], ResampledAverages)]
    if counts and averages:
        raise ChallengeError("systems of one ranking need the same kind of test")
    if averages:
        return _bootstrap(names, averages)
    if not counts:
        return {}
    _require_same_sentences(names, counts)
    weighted = _weighted_shares(counts)
    if weighted is not None:
        tests = all_pairs(weighted, lambda sums: sums[..., 0], trials=trials, seed=seed)
    else:
        treebanks = len(counts[0].right)
        tests = all_pairs(
            [_side_by_side(one) for one in counts],
            lambda sums: np.mean(sums[..., :treebanks] / sums[..., treebanks:], axis=-1),
            trials=trials,
            seed=seed,
        )
    return {(names[i], names[j]): test for (i, j), test in tests.items()}


def _require_same_sentences(names: Sequence[str], systems: Sequence[SentenceCounts]) -> None:
    shapes = [{name: len(own) for name, own in sorted(one.whole.items())} for one in systems]
    for name, shape in zip(names, shapes, strict=True):
        if shape != shapes[0]:
            raise ChallengeError(
                f"{name} was not scored on the same sentences as {names[0]}; score both again"
            )


def _weighted_shares(systems: Sequence[SentenceCounts]) -> list[Floats] | None:
    """Return one column per system whose sum is its average, if there is such a column.

    Where systems are scored on the same words, no exchange changes what there is. What a sentence
    adds to the average is then what is right in it, over the size of its treebank.
    """
    first = systems[0].whole
    if any(not np.array_equal(one.whole[name], first[name]) for one in systems for name in first):
        return None
    size = {name: own.sum() * len(first) for name, own in first.items()}
    if not all(size.values()):
        return None
    return [
        np.concatenate([one.right[name] / size[name] for name in sorted(first)])[:, None]
        for one in systems
    ]


def _side_by_side(system: SentenceCounts) -> Floats:
    """Return a column of each count a treebank; a sentence has nothing in those of others."""
    names = sorted(system.right)
    lengths = [len(system.right[name]) for name in names]
    table = np.zeros((sum(lengths), 2 * len(names)))
    ends = np.cumsum(lengths).tolist()
    for column, (name, end, length) in enumerate(zip(names, ends, lengths, strict=True)):
        table[end - length : end, column] = system.right[name]
        table[end - length : end, len(names) + column] = system.whole[name]
    return table


def _bootstrap(names: Sequence[str], systems: Sequence[ResampledAverages]) -> PairTests:
    if len({len(one.averages) for one in systems}) > 1:
        raise ChallengeError("systems of one ranking need the same number of resamples")
    tests = {}
    for (one, a), (other, b) in combinations(zip(names, systems, strict=True), 2):
        observed = b.observed - a.observed
        tie = SAME * max(abs(a.observed), abs(b.observed))
        # Centred at what was observed; "not smaller", so that NaN counts against significance.
        moved = np.abs((b.averages - a.averages) - observed)
        count = int(np.count_nonzero(~(moved < abs(observed) - tie)))
        tests[one, other] = observed, (count + 1) / (len(moved) + 1)
    return tests
