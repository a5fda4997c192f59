"""Whether two metrics rank systems alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from treegauge.significance.errors import SignificanceError


def kendall_tau_b(x: Sequence[float | None], y: Sequence[float | None]) -> float | None:
    """Return Kendall's rank correlation with its correction for ties.

    Of all pairs of positions, C are ordered alike by x and y, D differently, and T_x and
    T_y are the pairs that x and y tie, out of N:

        `tau_b = (C - D) / sqrt((N - T_x) * (N - T_y))`

    Parameters
    ----------
    x, y : sequence of float, equally long
        A position where either is None or NaN is left out.

    Returns
    -------
    float or None
        Between -1 and 1; None where it is undefined: fewer than two positions, or all
        values of x or of y tied.

    References
    ----------
    Kendall (1945), The treatment of ties in ranking problems. doi:10.1093/biomet/33.3.239

    Examples
    --------
    >>> kendall_tau_b([1, 2, 3], [10, 20, 30]), kendall_tau_b([1, 2, 3], [3, 2, 1])
    (1.0, -1.0)
    >>> round(kendall_tau_b([1, 2, 2], [1, 2, 3]), 3)
    0.816
    """
    if len(x) != len(y):
        raise SignificanceError(f"two rankings must be equally long; found {len(x)} and {len(y)}")
    first, second = np.array(x, np.float64), np.array(y, np.float64)
    known = ~(np.isnan(first) | np.isnan(second))
    first, second = first[known], second[known]
    if len(np.unique(first)) < 2 or len(np.unique(second)) < 2:
        return None
    from scipy.stats import kendalltau  # slow to import: half a second

    tau = float(kendalltau(first, second, variant="b").statistic)
    return min(1.0, max(-1.0, tau))


def agreement(
    scores: Mapping[str, Sequence[float | None]], higher_is_better: Mapping[str, bool]
) -> list[tuple[str, str, float | None]]:
    """Return Kendall's tau-b for every two metrics, over several systems' scores.

    1 says that both rank the systems alike, from best to worst: distances are turned
    around first.

    Parameters
    ----------
    scores : mapping from metric to scores
        One score per system, the systems in the same order for every metric.
    higher_is_better : mapping from metric to bool
        False for distances.

    Returns
    -------
    list of (metric, metric, tau)
        Metrics in the order given; tau as in `kendall_tau_b`.

    Examples
    --------
    >>> agreement({"uas": [0.5, 0.7], "vi": [3.1, 2.0]}, {"uas": True, "vi": False})
    [('uas', 'vi', 1.0)]
    """
    missing = [metric for metric in scores if metric not in higher_is_better]
    if missing:
        raise SignificanceError(
            f"agreement needs to know whether higher is better; unknown for {', '.join(missing)}"
        )
    oriented = {
        metric: (np.array(values, np.float64) * (1 if higher_is_better[metric] else -1)).tolist()
        for metric, values in scores.items()
    }
    return [
        (one, other, kendall_tau_b(oriented[one], oriented[other]))
        for one, other in combinations(scores, 2)
    ]
