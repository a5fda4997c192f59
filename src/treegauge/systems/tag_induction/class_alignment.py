"""Classes of one inducer under the numbers of another, so that both can vote."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]


def aligned_classes(
    reference: Floats, other: Floats, counts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return, for every class of a reference, the class of another inducer that it goes with.

    Classes go together one to one, so that as many words as can be are expected to have the
    class of the one and of the other.

    Parameters
    ----------
    reference, other : array
        [type, class]: probabilities of the same types' classes; equally many classes.
    counts : array of int
        How often types occur.

    Examples
    --------
    >>> one = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    >>> aligned_classes(one, one[:, ::-1], np.array([3, 1, 1])).tolist()
    [1, 0]
    """
    from scipy.optimize import linear_sum_assignment

    together = (reference * counts[:, None]).T @ other
    _, columns = linear_sum_assignment(together, maximize=True)
    return np.asarray(columns, np.int64)
