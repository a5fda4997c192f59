"""Entropy of a choice between two, for many kinds of choices at once.

Everything here takes two counts for every kind t: how often the one was chosen, and the other.
The entropy is the mean over kinds, weighted by how often they occur:

    H = sum over t of  n(t) / N * H(choice | t).

Estimators
----------
`plugin`        with relative frequencies for probabilities; too low for rare kinds
`miller-madow`  plus (m - 1) / (2 n) nats, with the m choices of the kind that occurred
`chao-shen`     for the coverage of the sample, with Horvitz-Thompson weights
`jackknife`     from all samples with one occurrence left out
`bootstrap`     twice the plug-in estimate less the mean one of resamples of the same size
The answers for every kind are cut to what a choice between two can have, 0 to log 2.

References
----------
Miller (1955), Note on the bias of information estimates.
Chao and Shen (2003), Nonparametric estimation of Shannon's index of diversity when there are unseen
species in sample. Environmental and Ecological Statistics 10.
DeDeo, Hawkins, Klingenstein and Hitchcock (2013), Bootstrap methods for the empirical study of
decision-making and information flows in social systems. Entropy 15. doi:10.3390/e15062246
Futrell, Mahowald and Gibson (2015), Quantifying word order freedom in dependency corpora. Depling.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.properties.errors import PropertyError
from treegauge.wording import unknown_name

Estimator = Literal["plugin", "miller-madow", "chao-shen", "jackknife", "bootstrap"]
LogBase = Literal["2", "e"]
Floats = NDArray[np.float64]

_RESAMPLES = 100
"""Of the bootstrap estimator; Futrell et al. (2015)."""


def two_way_entropy(
    one: ArrayLike,
    other: ArrayLike,
    *,
    base: LogBase = "2",
    estimator: Estimator = "plugin",
    seed: int = 0,
) -> float | None:
    """Return the entropy of a choice given its kind; None if nothing was chosen.

    Parameters
    ----------
    one, other : int arrays, [kinds]
        How often either was chosen.
    base : {'2', 'e'}
        Bits or nats.
    estimator : str
        One of the estimators above.
    seed : int
        For the resamples of `bootstrap`.

    Examples
    --------
    >>> two_way_entropy([2, 3], [2, 0])  # a fair coin in 4 of 7 cases, no choice in 3
    0.5714285714285714
    """
    first, second = np.asarray(one, np.int64), np.asarray(other, np.int64)
    total = int((first + second).sum())
    if not total:
        return None
    happened = first + second > 0
    first, second = first[happened], second[happened]
    nats = _estimate(first, second, estimator, seed)
    weights = (first + second) / total
    # Summed exactly, so that the order of kinds does not show.
    entropy = math.fsum((weights * np.clip(nats, 0.0, math.log(2))).tolist())
    return entropy if base == "e" else entropy / math.log(2)


def entropies_of_sums(sums: Floats, *, base: LogBase = "2") -> Floats:
    """Return the plug-in entropy of every row of counts; NaN where there is nothing to count.

    Parameters
    ----------
    sums : array, [..., 2 * kinds]
        How often the one was chosen, for every kind, and then the other.
    """
    half = sums.shape[-1] // 2
    one, other = sums[..., :half], sums[..., half:]
    total = sums.sum(axis=-1)
    nats = ((one + other) * _plugin(one, other)).sum(axis=-1)
    entropies: Floats = np.divide(
        nats, total, out=np.full(total.shape, np.nan), where=total > 0
    ) / (1.0 if base == "e" else math.log(2))
    return entropies


def size_matched_entropy(
    one: ArrayLike,
    other: ArrayLike,
    size: int,
    *,
    base: LogBase = "2",
    samples: int = 100,
    seed: int = 0,
) -> tuple[float, float]:
    """Return mean and standard deviation of the entropy in samples of a size.

    Samples are drawn without replacement: at the full size the mean is the entropy itself.
    Entropies of treebanks of different sizes can be compared at the size of the smallest.
    """
    counts = np.concatenate([np.asarray(one, np.int64), np.asarray(other, np.int64)])
    if not 0 < size <= counts.sum():
        raise PropertyError(
            f"a sample of {size:,} cannot be drawn from {int(counts.sum()):,} occurrences"
        )
    random = np.random.default_rng(seed)
    tables = random.multivariate_hypergeometric(counts, size, samples, method="marginals")
    half = len(counts) // 2
    entropies = [two_way_entropy(row[:half], row[half:], base=base) or 0.0 for row in tables]
    return float(np.mean(entropies)), float(np.std(entropies))


def _estimate(
    one: NDArray[np.int64], other: NDArray[np.int64], estimator: Estimator, seed: int
) -> Floats:
    """Return the entropy of every kind, in nats."""
    total = one + other
    if estimator == "plugin":
        return _plugin(one, other)
    if estimator == "miller-madow":
        seen = (one > 0).astype(np.int64) + (other > 0)
        return _plugin(one, other) + (seen - 1) / (2 * total)
    if estimator == "chao-shen":
        return _chao_shen(one, other)
    if estimator == "jackknife":
        return _jackknife(one, other)
    if estimator == "bootstrap":
        random = np.random.default_rng(seed)
        resampled = random.binomial(total, one / total, size=(_RESAMPLES, len(total)))
        corrected: Floats = 2 * _plugin(one, other) - _plugin(resampled, total - resampled).mean(
            axis=0
        )
        return corrected
    raise PropertyError(unknown_name("estimator", estimator, get_args(Estimator)))


def _plugin(one: Floats | NDArray[np.int64], other: Floats | NDArray[np.int64]) -> Floats:
    """Return -p log p - q log q for the shares of both: exactly 0 if either is all there is."""
    total = np.maximum(one + other, 1)
    return _surprisal(one / total) + _surprisal(other / total)


def _surprisal(share: Floats) -> Floats:
    """Return -p log p; 0 for 0."""
    return -share * np.log(share, where=share > 0, out=np.zeros_like(share))


def _chao_shen(one: NDArray[np.int64], other: NDArray[np.int64]) -> Floats:
    total = one + other
    # Where everything was seen once only, the coverage would be 0, and nothing left to weigh.
    singletons = np.minimum((one == 1).astype(np.int64) + (other == 1), total - 1)
    coverage = 1 - singletons / total
    entropy = np.zeros(len(total))
    for count in (one, other):
        share = coverage * count / total
        seen = 1 - (1 - share) ** total
        entropy += np.divide(_surprisal(share), seen, out=np.zeros_like(share), where=seen > 0)
    return entropy


def _jackknife(one: NDArray[np.int64], other: NDArray[np.int64]) -> Floats:
    total = one + other
    fewer = one * _plugin(np.maximum(one - 1, 0), other)
    fewer += other * _plugin(one, np.maximum(other - 1, 0))
    return np.where(total > 1, total * _plugin(one, other) - (total - 1) / total * fewer, 0.0)
