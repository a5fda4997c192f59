"""Kernel that projects dual variables on what the penalty allows, type by type."""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import kernel


@kernel
def project_types(values, times, limits, budget, projected):
    """Write the nearest point of {x >= 0, sum of times * x <= budget} for every type.

    Nearest where instance i counts `times[i]` times in distances too. The answer is
    max(0, x - theta), where theta only rises as instances that it leaves nothing of are put
    aside (Michelot 1986): a few passes, and no sorting.
    """
    for k in range(limits.size - 1):
        begin, end = limits[k], limits[k + 1]
        total = 0.0
        for i in range(begin, end):
            projected[i] = max(0.0, values[i])
            total += times[i] * projected[i]
        if total <= budget:
            continue
        theta = 0.0
        while True:
            total = 0.0
            instances = 0.0
            for i in range(begin, end):
                if projected[i] > theta:
                    total += times[i] * projected[i]
                    instances += times[i]
            if instances == 0.0 or (total - budget) / instances <= theta:
                break
            theta = (total - budget) / instances
        for i in range(begin, end):
            projected[i] = max(0.0, projected[i] - theta)
