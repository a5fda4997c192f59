"""Posteriors of tiny models by enumeration of all assignments, to compare samplers with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import product

import numpy as np


def posterior(
    log_joint: Callable[[tuple[int, ...]], float], n_types: int, n_classes: int
) -> dict[tuple[int, ...], float]:
    """The probability of every assignment of types to classes."""
    assignments = list(product(range(n_classes), repeat=n_types))
    logs = np.array([log_joint(assignment) for assignment in assignments])
    weights = np.exp(logs - logs.max())
    return dict(zip(assignments, (weights / weights.sum()).tolist(), strict=True))


def largest_deviation(
    expected: dict[tuple[int, ...], float], drawn: Iterable[tuple[int, ...]]
) -> float:
    """The largest difference between a probability and the share of draws."""
    counts = Counter(drawn)
    total = sum(counts.values())
    return max(abs(p - counts[key] / total) for key, p in expected.items())
