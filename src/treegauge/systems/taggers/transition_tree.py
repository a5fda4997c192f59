"""A decision tree that asks about the two tags before, and gives the odds of the next one.

Schmid (1994), "Probabilistic part-of-speech tagging using decision trees". A test is "is the
tag at position -1 (or -2) this one?"; the best test leaves least entropy.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.taggers.trigram_counts import TrigramCounts
from treegauge.systems.taggers.trigram_decoder import Transitions

_NO_GAIN = 1e-9
"""Bits a sample; what is below is rounding."""


@dataclass
class TreeNode:
    """A place of the tree; a leaf if it has no test."""

    samples: NDArray[np.int64]
    """Which trigrams arrive here."""
    counts: NDArray[np.float64]
    """How often every tag follows."""
    gain: float = 0.0
    """Bits that the test saves, over all samples together."""
    position: int = 0
    """-1 or -2, 0 for a leaf."""
    tag: int = -1
    yes: TreeNode | None = None
    no: TreeNode | None = None


def grow(trigrams: TrigramCounts, *, fewest: int = 2) -> TreeNode:
    """Grow the tree until no test helps, or a side would have fewer samples than `fewest`."""
    root = _node(trigrams, np.arange(len(trigrams.counts)))
    waiting = [root]
    # A stack, not recursion: a tree that peels off one tag after the other is deep.
    while waiting:
        node = waiting.pop()
        gain, position, tag = _best_test(trigrams, node, fewest)
        if not position:
            continue
        context = trigrams.second if position == -1 else trigrams.first
        is_yes = context[node.samples] == tag
        node.gain, node.position, node.tag = gain, position, tag
        node.yes = _node(trigrams, node.samples[is_yes])
        node.no = _node(trigrams, node.samples[~is_yes])
        waiting += [node.yes, node.no]
    return root


def prune(root: TreeNode, threshold: float) -> None:
    """Cut tests between leaves that save fewer bits than the threshold, from the bottom up."""
    for node in reversed(_from_the_root(root)):
        if node.yes is None or node.no is None:
            continue
        if not node.yes.position and not node.no.position and node.gain < threshold:
            node.position, node.tag, node.gain = 0, -1, 0.0
            node.yes = node.no = None


def leaves(root: TreeNode) -> list[TreeNode]:
    """Return the places without a test."""
    return [node for node in _from_the_root(root) if not node.position]


def questions(root: TreeNode) -> list[tuple[int, int]]:
    """Return position and tag of all tests."""
    return [(node.position, node.tag) for node in _from_the_root(root) if node.position]


def transitions(root: TreeNode, n_states: int, *, smoothing: float) -> Transitions:
    """Read the distribution of every context off the tree: a row for every leaf.

    A place's relative frequencies are mixed with the distribution of the place above it, which
    counts `smoothing` times as much; the root's with a uniform one.
    """
    size = n_states + 1
    row_of = np.zeros((size, size), np.int32)
    rows: list[NDArray[np.float64]] = []
    everything = np.ones(size, np.bool_)
    uniform = np.full(size, 1 / size)
    # What comes down a branch: the tags that the two positions can still have.
    waiting = [(root, uniform, everything, everything)]
    while waiting:
        node, above, first, second = waiting.pop()
        share = node.counts / node.counts.sum()
        own = (share + smoothing * above) / (1 + smoothing)
        if node.yes is None or node.no is None:
            row_of[np.ix_(first, second)] = len(rows)
            rows.append(own)
            continue
        is_tag = np.arange(size) == node.tag
        if node.position == -1:
            waiting.append((node.yes, own, first, second & is_tag))
            waiting.append((node.no, own, first, second & ~is_tag))
        else:
            waiting.append((node.yes, own, first & is_tag, second))
            waiting.append((node.no, own, first & ~is_tag, second))
    return Transitions(row_of, np.array(rows))


def _node(trigrams: TrigramCounts, samples: NDArray[np.int64]) -> TreeNode:
    counts = np.bincount(
        trigrams.third[samples],
        weights=trigrams.counts[samples],
        minlength=trigrams.n_states + 1,
    )
    return TreeNode(samples, counts.astype(np.float64))


def _best_test(trigrams: TrigramCounts, node: TreeNode, fewest: int) -> tuple[float, int, int]:
    """Return gain, position and tag of the best test, position 0 if there is none.

    Of equally good tests the nearer position and the first tag are taken. Only tags that occur
    are looked at: what "no" leaves is the whole without what "yes" takes.
    """
    total = node.counts.sum()
    whole = _bits(node.counts).sum()
    entropy = whole - _bits(total)  # -n H
    weights = trigrams.counts[node.samples].astype(np.float64)
    third = trigrams.third[node.samples]
    size = trigrams.n_states + 1
    best = (_NO_GAIN * total, 0, -1)
    for position, context in ((-1, trigrams.second), (-2, trigrams.first)):
        pairs, place = np.unique(context[node.samples] * size + third, return_inverse=True)
        taken = np.bincount(place, weights=weights).astype(np.float64)
        tags, of_tag = np.unique(pairs // size, return_inverse=True)
        here = node.counts[pairs % size]
        n_yes = np.bincount(of_tag, weights=taken).astype(np.float64)
        yes = np.bincount(of_tag, weights=_bits(taken))
        no = whole + np.bincount(of_tag, weights=_bits(here - taken) - _bits(here))
        gains = yes - _bits(n_yes) + no - _bits(total - n_yes) - entropy
        gains[(n_yes < fewest) | (total - n_yes < fewest)] = -np.inf
        at = int(gains.argmax())
        if gains[at] > best[0] + _NO_GAIN * total:
            best = (float(gains[at]), position, int(tags[at]))
    return best


def _bits(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return n log2 n, which is 0 for 0."""
    return counts * np.log2(np.maximum(counts, 1))


def _from_the_root(root: TreeNode) -> list[TreeNode]:
    """Return all nodes, parents before children."""
    nodes = [root]
    for node in nodes:
        nodes += [child for child in (node.yes, node.no) if child is not None]
    return nodes
