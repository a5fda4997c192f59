"""Kernel for the greedy one-to-one mapping."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def greedy_one_to_one(order, counts, cluster, tag, n_clusters, n_tags):
    """Accept cells in the given order if neither their cluster nor their tag is taken."""
    cluster_taken = np.zeros(n_clusters, np.bool_)
    tag_taken = np.zeros(n_tags, np.bool_)
    accepted = 0.0
    for cell in order:
        if counts[cell] <= 0:
            break
        if not cluster_taken[cluster[cell]] and not tag_taken[tag[cell]]:
            cluster_taken[cluster[cell]] = True
            tag_taken[tag[cell]] = True
            accepted += counts[cell]
    return accepted
