"""Whether one system is better than another on the same sentences.

Conventions
-----------
Statistics are `[sentences, k]`, one array per system, the same sentences in the same order.
A score turns sums `[..., k]` into numbers `[...]`. Differences are b minus a; whether a
positive one is good depends on the metric. Tests are two-sided and symmetric: exchanging a
and b keeps p and turns the difference and its interval around.

The tests
---------
`paired_permutation` asks what would happen if the two systems were one: then it does not
matter which of them wrote which sentence. It assumes nothing else, and is what Dror et al.
(2018) recommend, with the bootstrap, for metrics whose distribution nobody knows.
`paired_bootstrap` asks how the difference would vary over other test sets, and so gives an
interval as well.

p is `(count + 1) / (trials + 1)`: the observed data are one of the equally likely outcomes
under the null hypothesis, so p is never 0 and falls below alpha in at most a share alpha of
the tests where there is no difference (Noreen 1989). `count` includes ties, for
the same reason. Here we knowingly differ from multeval and sacrebleu, which count only
larger differences: with them a system differs from itself with p = 1 / (trials + 1); here
with p = 1.

References
----------
Noreen (1989), Computer-intensive methods for testing hypotheses. Wiley.
Koehn (2004), Statistical significance tests for machine translation evaluation. EMNLP.
https://aclanthology.org/W04-3250
Berg-Kirkpatrick, Burkett and Klein (2012), An empirical investigation of statistical
significance in NLP. EMNLP. https://aclanthology.org/D12-1091
Dror, Baumer, Shlomov and Reichart (2018), The hitchhiker's guide to testing statistical
significance in natural language processing. ACL. doi:10.18653/v1/P18-1128
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from treegauge.significance.errors import SignificanceError
from treegauge.significance.intervals import interval
from treegauge.significance.resampling import Resampler
from treegauge.significance.sentence_statistics import (
    BLOCK,
    Floats,
    Score,
    Table,
    changes,
    checked_pair,
    scored,
    side_by_side,
    total,
)

SAME = 1e-12
"""Differences closer than this share of the scores are ties that division has rounded apart."""


@dataclass(frozen=True)
class PairedTest:
    """What a paired test found.

    Where the score of one of the systems is undefined on the whole test set, `difference`
    and `p` are None.
    """

    difference: float | None
    """Score of b minus score of a."""
    low: float | None
    """Lower end of the interval of the difference; None for permutations."""
    high: float | None
    p: float | None
    """Two-sided, in (0, 1]."""
    trials: int
    """Resamples or shufflings, the observed data not counted."""
    method: str


def paired_bootstrap(
    a: Any,
    b: Any,
    score: Score,
    *,
    resamples: int = 10_000,
    confidence: float = 0.95,
    seed: int = 0,
) -> PairedTest:
    """Compare two systems over bootstrap resamples of the sentences.

    Resampled differences scatter around the observed one, not around the zero of the null
    hypothesis. So they are centred at the observed difference before they are compared
    with it: `count` is the number of resamples in which

        `|difference in the resample - observed difference| >= |observed difference|`,

    the two-sided form of Berg-Kirkpatrick et al. (2012, figure 1), who count how often the
    better system wins by more than twice its observed margin. Koehn (2004) counts the
    resamples that b loses, without centring, which is a one-sided test; the two agree where
    the differences are distributed symmetrically.

    Parameters
    ----------
    a, b : array or scipy.sparse array, [sentences, k]
        Statistics of the two systems.
    score : callable
        Sums `[..., k]` to scores `[...]`.
    resamples, seed : int
        As in `Resampler`.
    confidence : float
        Of the interval of the difference; see `interval`.

    Returns
    -------
    PairedTest
        A resample in which the score is undefined counts against significance, and is left
        out of the interval.

    Examples
    --------
    >>> import numpy as np
    >>> words = np.full(50, 10)
    >>> a = np.stack([np.full(50, 6), words], axis=1)
    >>> b = np.stack([6 + np.arange(50) % 3, words], axis=1)
    >>> test = paired_bootstrap(a, b, lambda sums: sums[..., 0] / sums[..., 1])
    >>> round(test.difference, 3), test.p < 0.001, test.low > 0
    (0.098, True, True)
    """
    a, b = checked_pair(a, b)
    resampler = Resampler(a.shape[0], resamples=resamples, seed=seed)
    differences = resampler.scores(side_by_side(a, b), _difference(score))
    observed, tie = _observed(a, b, score)
    ends = interval(differences, confidence=confidence)
    return PairedTest(
        difference=observed,
        low=ends.low if ends else None,
        high=ends.high if ends else None,
        p=None if observed is None else _p(differences - observed, observed, tie),
        trials=resamples,
        method="paired bootstrap",
    )


def paired_permutation(
    a: Any, b: Any, score: Score, *, trials: int = 10_000, seed: int = 0
) -> PairedTest:
    """Compare two systems by approximate randomisation (Noreen 1989).

    Each trial decides for every sentence, with a fair coin, whether the two systems
    exchange their statistics; `count` is the number of trials whose difference is at least
    as large as the observed one, in either direction. Sentences in which the two have the
    same statistics need no coin. If the others can be exchanged in no more than `trials`
    ways, all ways are enumerated: p is then exact, and the seed does not matter.

    Parameters
    ----------
    a, b : array or scipy.sparse array, [sentences, k]
        Statistics of the two systems.
    score : callable
        Sums `[..., k]` to scores `[...]`.
    trials, seed : int
        Of the shufflings.

    Returns
    -------
    PairedTest
        Without an interval. A trial in which the score is undefined counts against
        significance. Where all ways were enumerated, `method` says so and `trials` is their
        number without the observed one.

    Examples
    --------
    Three sentences, all better in b: of the 8 ways to exchange them, 2 are as extreme.

    >>> import numpy as np
    >>> a, b = np.array([[1, 4], [2, 4], [0, 4]]), np.array([[3, 4], [3, 4], [1, 4]])
    >>> test = paired_permutation(a, b, lambda sums: sums[..., 0] / sums[..., 1])
    >>> test.p, test.trials, test.method
    (0.25, 7, 'exact paired permutation')
    """
    if trials < 1:
        raise SignificanceError(f"a permutation test needs at least one trial; found {trials}")
    a, b = checked_pair(a, b)
    observed, tie = _observed(a, b, score)
    total_a, total_b = total(a), total(b)
    change = changes(a, b)
    sentences, k = change.shape
    exact = sentences < int(trials).bit_length()  # 2 ** sentences <= trials
    rows = max(1, BLOCK // max(1, sentences, k))
    exchanges = (
        _all_exchanges(sentences, rows) if exact else _exchanges(sentences, trials, rows, seed)
    )
    blocks = [np.empty(0)]
    for exchange in exchanges:
        # What a gains by an exchange, b loses: one product serves both.
        moved = exchange @ change
        sums = np.hstack([total_a + moved, total_b - moved])
        blocks.append(scored(_difference(score), sums))
    differences = np.concatenate(blocks)
    return PairedTest(
        difference=observed,
        low=None,
        high=None,
        p=None if observed is None else _p(differences, observed, tie),
        trials=len(differences),
        method="exact paired permutation" if exact else "paired permutation",
    )


def _difference(score: Score) -> Score:
    """Return the score of b minus that of a, as a score of the two systems side by side."""

    def difference(sums: Floats) -> Floats:
        of_a, of_b = np.split(sums, 2, axis=-1)
        return scored(score, of_b) - scored(score, of_a)

    return difference


def _observed(a: Table, b: Table, score: Score) -> tuple[float | None, float]:
    """Return the difference of the two systems, and what still counts as no difference."""
    score_a, score_b = (float(scored(score, total(system))) for system in (a, b))
    if not (np.isfinite(score_a) and np.isfinite(score_b)):
        return None, 0.0
    return score_b - score_a, SAME * max(abs(score_a), abs(score_b))


def _p(differences: Floats, observed: float, tie: float) -> float:
    # "Not smaller" instead of "at least as large": NaN counts against significance.
    count = int(np.count_nonzero(~(np.abs(differences) < abs(observed) - tie)))
    return (count + 1) / (len(differences) + 1)


def _all_exchanges(sentences: int, rows: int) -> Iterator[Floats]:
    """Give every way to exchange some of the sentences, the empty one left out."""
    for first in range(1, 2**sentences, rows):
        ways = np.arange(first, min(first + rows, 2**sentences))
        yield (ways[:, None] >> np.arange(sentences) & 1).astype(np.float64)


def _exchanges(sentences: int, trials: int, rows: int, seed: int) -> Iterator[Floats]:
    random = np.random.default_rng(seed)
    for first in range(0, trials, rows):
        shape = min(rows, trials - first), -(-sentences // 8)
        coins = random.integers(256, size=shape, dtype=np.uint8)
        yield np.unpackbits(coins, axis=1, count=sentences).astype(np.float64)
