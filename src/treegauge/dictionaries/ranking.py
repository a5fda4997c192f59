"""Whether a dictionary ranks taggers as gold does.

P@1 asks whether the tagger that the dictionary finds best is best; regret, how much accuracy is
lost by believing it; Kendall's tau-b, how well the whole order agrees. With few taggers tau has
few values: of the 120 orders of five, only the same one and its reverse are two in 120, so that no
other tau is significant at 0.05. Languages are pooled for that reason (`pooled_test`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.dictionaries.errors import DictionaryError
from treegauge.dictionaries.soft_accuracy import ratio_of_sums
from treegauge.dictionaries.texts import Tagged, Text
from treegauge.significance import holm, kendall_tau_b
from treegauge.significance.all_pairs import all_pairs
from treegauge.significance.tau_test import tau_of_rows, tau_p_value

Floats = NDArray[np.float64]

TIE = 1e-12
"""Scores that differ by less are tied."""


@dataclass(frozen=True)
class Ranking:
    """How two sets of scores of the same taggers agree.

    Attributes
    ----------
    precision_at_1 : float
        The share of the predicted best (several if they tie) that are truly best.
    regret : float
        A_true of the best, less the mean A_true of the predicted best.
    tau : float or None
        Kendall's tau-b, None if a side is constant.
    p : float or None
        Two-sided, over the orders of the predicted scores.
    """

    precision_at_1: float
    regret: float
    tau: float | None
    p: float | None


def rank(true: Sequence[float], predicted: Sequence[float], *, seed: int = 0) -> Ranking:
    """Compare two sets of scores of the same taggers.

    >>> ranking = rank([0.95, 0.94, 0.94, 0.90, 0.85], [0.90, 0.91, 0.89, 0.89, 0.80])
    >>> ranking.precision_at_1, round(ranking.regret, 3), round(ranking.tau, 4)
    (0.0, 0.01, 0.6667)
    """
    _check(true, predicted)
    return Ranking(
        precision_at_1(true, predicted),
        regret(true, predicted),
        kendall_tau_b(true, predicted),
        tau_p_value(true, predicted, seed=seed),
    )


def precision_at_1(true: Sequence[float], predicted: Sequence[float]) -> float:
    """Return whether the predicted best is truly best; a share where several tie.

    >>> precision_at_1([0.9, 0.8], [0.5, 0.5])
    0.5
    """
    _check(true, predicted)
    best, winners = top(true), top(predicted)
    return float((best & winners).sum() / winners.sum())


def regret(true: Sequence[float], predicted: Sequence[float]) -> float:
    """Return the accuracy that is lost by taking the predicted best."""
    _check(true, predicted)
    values = np.asarray(true, np.float64)
    return float(values.max() - values[top(predicted)].mean())


def top(scores: Sequence[float] | Floats) -> NDArray[np.bool_]:
    """Return which scores are the highest, along the last axis."""
    values = np.asarray(scores, np.float64)
    best: NDArray[np.bool_] = values >= values.max(axis=-1, keepdims=True) - TIE
    return best


def least_significant_tau(taggers: int, alpha: float = 0.05) -> float | None:
    """Return the smallest |tau| that is significant with so many taggers, untied; None if none is.

    >>> least_significant_tau(5), least_significant_tau(3)
    (1.0, None)
    >>> round(least_significant_tau(6), 3)
    0.867
    """
    # The number of permutations by inversions: the product of 1 + q + ... + q^(k-1).
    orders = [1]
    for k in range(2, taggers + 1):
        width = len(orders) + k - 1
        orders = [sum(orders[max(0, i - k + 1) : i + 1]) for i in range(width)]
    pairs, total = len(orders) - 1, math.factorial(taggers)
    tail = 0
    least = None
    for inversions in range((pairs + 1) // 2):
        tail += orders[inversions]
        if 2 * tail / total >= alpha:
            break
        least = 1 - 2 * inversions / pairs
    return least


def few_taggers_note(taggers: int, alpha: float = 0.05) -> str:
    """Return what a reader of tau and p should know about so many taggers; nothing for many.

    >>> few_taggers_note(5)
    'with 5 taggers, tau reaches p < 0.05 only if all are ranked as gold ranks them'
    """
    least = least_significant_tau(taggers, alpha)
    if least is None:
        return f"with {taggers} taggers, no tau can reach p < {alpha:g}"
    if least == 1:
        return (
            f"with {taggers} taggers, tau reaches p < {alpha:g} only if all are ranked as gold "
            "ranks them"
        )
    return f"with {taggers} taggers, tau reaches p < {alpha:g} from {least:.2f} on"


@dataclass(frozen=True)
class PooledTest:
    """Whether rankings of several languages agree, taken together."""

    mean_tau: float
    p: float
    languages: int
    trials: int


def pooled_test(
    languages: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    trials: int = 10_000,
    seed: int = 0,
) -> PooledTest:
    """Test the mean tau-b over languages by permuting predicted scores within each.

    Two-sided; p is `(count + 1) / (trials + 1)`. Languages without a tau are left out.

    Parameters
    ----------
    languages : mapping from name to (true, predicted)
        Scores of the same taggers, taggers may differ between languages.
    """
    random = np.random.default_rng(seed)
    observed, null = [], []
    for true, predicted in languages.values():
        tau = kendall_tau_b(true, predicted)
        if tau is None:
            continue
        orders = random.permuted(np.tile(np.asarray(predicted), (trials, 1)), axis=1)
        observed.append(tau)
        null.append(tau_of_rows(true, orders))
    if not observed:
        raise DictionaryError("no language has a tau: there are no two different scores anywhere")
    mean = float(np.mean(observed))
    count = np.count_nonzero(np.abs(np.mean(null, axis=0)) >= abs(mean) - TIE)
    return PooledTest(mean, (int(count) + 1) / (trials + 1), len(observed), trials)


def mcnemar(first_only: int, second_only: int) -> float:
    """Return the exact two-sided p of McNemar's test over words.

    Parameters
    ----------
    first_only, second_only : int
        Words that only the first tagger has right, and only the second.

    References
    ----------
    McNemar (1947), doi:10.1007/BF02295996

    Examples
    --------
    >>> mcnemar(0, 5), mcnemar(3, 3)
    (0.0625, 1.0)
    """
    if first_only + second_only == 0:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(first_only, first_only + second_only, 0.5).pvalue)


@dataclass(frozen=True)
class Pair:
    """Two taggers on the same words: difference and tests."""

    first: str
    second: str
    difference: float
    """Score of the first less that of the second."""
    p: float
    """Of a permutation test over sentences, adjusted for the number of pairs (Holm)."""
    mcnemar_p: float
    """Of McNemar's exact test over words, not adjusted."""


@dataclass(frozen=True)
class Groups:
    """Taggers by score, and which of them cannot be told apart.

    Attributes
    ----------
    order : tuple of str
        Best first; ties by name.
    groups : tuple of tuples of str
        The largest stretches of the order in which no two differ significantly.
    pairs : tuple of Pair
        All comparisons.
    """

    order: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    pairs: tuple[Pair, ...]

    @property
    def best(self) -> tuple[str, ...]:
        """The taggers that cannot be told from the one with the highest score."""
        return self.groups[0] if self.groups else ()


def indistinguishable(
    text: Text,
    tagged: Sequence[Tagged],
    correct: Sequence[NDArray[np.bool_]],
    counted: NDArray[np.bool_],
    *,
    trials: int = 10_000,
    alpha: float = 0.05,
    seed: int = 0,
) -> Groups:
    """Find the taggers whose scores do not differ significantly.

    Parameters
    ----------
    correct : sequence of bool arrays, one per tagger
        Words that it has right, by gold or by the dictionary.
    counted : bool array
        Words that can be right.
    """
    tables = [text.by_sentence(right & counted, counted) for right in correct]
    names = [one.name for one in tagged]
    scores = [float(ratio_of_sums(table.sum(axis=0))) for table in tables]
    tests = all_pairs(tables, ratio_of_sums, trials=trials, seed=seed)
    adjusted = dict(zip(tests, holm([p for _, p in tests.values()]).tolist(), strict=True))
    pairs = tuple(
        Pair(
            names[i],
            names[j],
            -tests[i, j][0],
            adjusted[i, j],
            mcnemar(
                int((correct[i] & ~correct[j] & counted).sum()),
                int((correct[j] & ~correct[i] & counted).sum()),
            ),
        )
        for i, j in tests
    )
    order = sorted(
        (i for i in range(len(names)) if not np.isnan(scores[i])),
        key=lambda i: (-scores[i], names[i]),
    )
    return Groups(
        tuple(names[i] for i in order),
        tuple(
            tuple(names[i] for i in order[first:last])
            for first, last in _stretches(
                len(order),
                lambda a, b: adjusted[min(order[a], order[b]), max(order[a], order[b])] >= alpha,
            )
        ),
        pairs,
    )


def _stretches(length: int, alike: Callable[[int, int], bool]) -> list[tuple[int, int]]:
    """Return the largest stretches of an order in which every two are alike."""
    stretches: list[tuple[int, int]] = []
    for first in range(length):
        last = first + 1
        while last < length and all(alike(i, last) for i in range(first, last)):
            last += 1
        if not stretches or last > stretches[-1][1]:
            stretches.append((first, last))
    return stretches


def _check(true: Sequence[float], predicted: Sequence[float]) -> None:
    if len(true) != len(predicted) or not len(true):
        raise DictionaryError(
            f"a ranking needs two scores of each tagger; found {len(true)} and {len(predicted)}"
        )
    if not (np.isfinite(true).all() and np.isfinite(predicted).all()):
        raise DictionaryError("a tagger without a score cannot be ranked")
