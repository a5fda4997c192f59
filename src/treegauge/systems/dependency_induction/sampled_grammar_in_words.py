"""Sampled counts as people read them: edges, roots, leaves, and what can be left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treegauge.systems.dependency_induction.bracket_sampler import EventCounts
from treegauge.systems.dependency_induction.reducible_text import ReducibilityWeights
from treegauge.systems.dependency_induction.tag_inventory import TagInventory


def counts_in_words(
    chains: Sequence[EventCounts],
    weights: ReducibilityWeights,
    inventory: TagInventory,
    top: int = 20,
) -> str:
    """Return the most frequent of everything, averaged over chains."""
    n = len(inventory.tags)
    edges = np.mean([counts.edges for counts in chains], axis=0)
    directed = edges.shape[1] > n
    names = [
        f"{tag}{side}"
        for side in ((" on its left", " on its right") if directed else ("",))
        for tag in inventory.tags
    ]
    roots = edges[n, :n] / max(1e-9, edges[n].sum())
    lines = ["root"]
    lines += [
        f"  {inventory.tags[k]:<12} {roots[k]:.3f}"
        for k in np.argsort(-roots, kind="stable")[:top].tolist()
    ]
    lines += ["", "most frequent edges, and their share of the head's"]
    shares = edges[:n] / np.maximum(edges[:n].sum(axis=1, keepdims=True), 1e-9)
    for cell in np.argsort(-edges[:n], axis=None, kind="stable")[:top].tolist():
        head, column = divmod(cell, edges.shape[1])
        lines.append(
            f"  {inventory.tags[head]:<12} takes {names[column]:<12} {shares[head, column]:.3f}"
        )
    fertilities = np.mean([counts.fertilities for counts in chains], axis=0)
    totals = np.maximum(fertilities.sum(axis=(1, 2)), 1e-9)
    sides = np.arange(fertilities.shape[1])
    on_left = fertilities.sum(axis=2) @ sides / totals
    on_right = fertilities.sum(axis=1) @ sides / totals
    leaves = fertilities[:, 0, 0] / totals
    reducible = weights.of_tags()
    lines += ["", f"reducibility {weights.summary}", ""]
    lines += ["tag            a leaf   on its left   on its right   can be left out (1: average)"]
    for tag in range(min(n, top)):
        lines.append(
            f"  {inventory.tags[tag]:<12} {leaves[tag]:>6.2f} {on_left[tag]:>13.2f} "
            f"{on_right[tag]:>14.2f} {reducible[tag]:>17.2f}"
        )
    return "\n".join(lines) + "\n"
