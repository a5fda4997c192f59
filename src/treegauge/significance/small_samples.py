"""Intervals for few sentences, where percentile intervals are too narrow.

A percentile interval takes resampled scores as they are. With few sentences they vary too little,
and the score may be biased. A BCa interval corrects the bias and the skewness of the resampled
scores. A studentised interval resamples the score divided by its standard error; it needs a
standard error of every resample, which ratios of sums have at no cost.

References
----------
Efron (1987), Better bootstrap confidence intervals. doi:10.1080/01621459.1987.10478410
Efron and Tibshirani (1993), An introduction to the bootstrap, chapters 12 and 14.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.significance.intervals import Interval, interval, tail_of

Floats = NDArray[np.float64]


def bca_interval(
    values: ArrayLike, estimate: float, left_out: ArrayLike, *, confidence: float = 0.95
) -> Interval | None:
    """Return the bias-corrected and accelerated interval of resampled scores.

    Parameters
    ----------
    values : array, [resamples]
        Resampled scores. NaN is ignored.
    estimate : float
        The score of the sample.
    left_out : array, [sentences]
        The score without each sentence. NaN is ignored.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    Interval or None
        The percentile interval where all resamples are on one side of the score, or where no
        sentence makes a difference; None if there are no values.

    Examples
    --------
    >>> values = [1, 2, 2, 3, 3, 3, 4, 4, 5, 9]
    >>> bca_interval(values, 3, [2.8, 3.1, 3.0, 2.1], confidence=0.8)
    Interval(low=1.0, high=5.0)
    """
    from scipy.special import ndtr, ndtri

    plain = interval(values, confidence=confidence)
    known = np.asarray(values, np.float64).ravel()
    known = known[~np.isnan(known)]
    others = np.asarray(left_out, np.float64).ravel()
    others = others[~np.isnan(others)]
    if plain is None or not len(others) or not (known < estimate).any() | (known > estimate).any():
        return plain
    # Half of the ties count as below, as in the median of a discrete distribution.
    below = ((known < estimate).sum() + (known <= estimate).sum()) / (2 * len(known))
    influence = others.mean() - others
    spread = (influence**2).sum()
    if not 0 < below < 1 or spread == 0:
        return plain
    bias = ndtri(below)
    acceleration = (influence**3).sum() / (6 * spread**1.5)
    tail = tail_of(confidence)
    shifted = bias + ndtri(np.array([tail, 1 - tail]))
    # As in `tail_of`: rounding errors must not move an end by one rank.
    ranks = ndtr(bias + shifted / (1 - acceleration * shifted)).round(12)
    low = np.quantile(known, ranks[0], method="lower")
    high = np.quantile(known, ranks[1], method="higher")
    return Interval(float(low), float(high))


def moments(numerator: ArrayLike, denominator: ArrayLike) -> Floats:
    """Return what sums of a ratio's standard error are made of: five columns per sentence."""
    a, b = np.asarray(numerator, np.float64), np.asarray(denominator, np.float64)
    return np.column_stack([a, b, a * a, a * b, b * b])


def studentised_interval(
    resampled: Floats, whole: Floats, *, confidence: float = 0.95
) -> Interval | None:
    """Return the studentised interval of a share, a ratio of sums between 0 and 1.

    The standard error is that of the linearised ratio (the infinitesimal jackknife).

    Parameters
    ----------
    resampled : array, [resamples, 5]
        Summed `moments` of every resample.
    whole : array, [5]
        Summed `moments` of the sample.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    Interval or None
        None if the ratio is undefined, or if too many resamples have no standard error: more
        than an interval leaves out on one side. A resample of equal sentences has none.

    Examples
    --------
    >>> from treegauge.significance import Resampler
    >>> table = moments([3, 5, 2, 6, 1], [4, 9, 2, 8, 5])
    >>> sums = Resampler(5, resamples=1000, seed=1).sums(table)
    >>> found = studentised_interval(sums, table.sum(axis=0))
    >>> round(found.low, 2), round(found.high, 2)
    (0.02, 0.82)
    """
    share, error = _ratio_and_error(whole)
    if np.isnan(share):
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        shares, errors = _ratio_and_error(resampled)
        steps = (shares - share) / errors
    known = np.isfinite(steps)
    if (~known).mean() > tail_of(confidence):
        return None
    ends = interval(steps[known], confidence=confidence)
    assert ends is not None
    low, high = share - ends.high * error, share - ends.low * error
    return Interval(max(0.0, float(low)), min(1.0, float(high)))


def _ratio_and_error(sums: Floats) -> tuple[Floats, Floats]:
    """Return the ratio of summed moments and its standard error."""
    a, b, aa, ab, bb = np.moveaxis(np.asarray(sums, np.float64), -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = a / b
        squares = aa - 2 * share * ab + share * share * bb
        # What is 0 may be a little less after rounding.
        noise = 1e-12 * (aa + bb)
        return share, np.sqrt(np.where(squares > noise, squares, 0.0)) / b
