"""Kernel for the shapes of trees in their sentences."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.properties._subtrees_numba import find_subtrees, subtree_room


@kernel
def geometry(head, offsets):
    """Return gap degree, edge degree, heads, largest number of children and height.

    Blocks of a subtree: its words, less its pairs of neighbouring words. A pair belongs to all
    subtrees that its lowest common ancestor is in, so pairs are counted there and summed upwards.
    The ancestor is found along heavy paths (each head goes on to its largest child), in a
    logarithmic number of steps.
    """
    sentences = len(offsets) - 1
    gap_degree = np.zeros(sentences, np.int32)
    edge_degree = np.zeros(sentences, np.int32)
    heads = np.zeros(sentences, np.int32)
    most_children = np.zeros(sentences, np.int32)
    height = np.zeros(sentences, np.int32)
    start, children, order, size = subtree_room(offsets)
    depth = np.empty_like(start)
    top = np.empty_like(start)
    pairs = np.empty_like(start)
    entered = np.empty_like(start)
    for s in range(sentences):
        first = offsets[s]
        n = offsets[s + 1] - first
        find_subtrees(head, first, n, start, children, order, size)
        depth[0] = 0
        top[0] = 0
        entered[0] = 0
        for k in range(n + 1):
            h = order[k]
            pairs[h] = 0
            count = start[h + 1] - start[h]
            if h and count:
                heads[s] += 1
                most_children[s] = max(most_children[s], count)
            largest = 0
            next_entry = entered[h] + 1
            for c in range(start[h], start[h + 1]):
                d = children[c]
                depth[d] = depth[h] + 1
                height[s] = max(height[s], depth[d])
                top[d] = d
                entered[d] = next_entry
                next_entry += size[d]
                if largest == 0 or size[d] > size[largest]:
                    largest = d
            if largest:
                top[largest] = top[h]
        for i in range(1, n):
            a, b = i, i + 1
            while top[a] != top[b]:
                if depth[top[a]] >= depth[top[b]]:
                    a = head[first + top[a] - 1]
                else:
                    b = head[first + top[b] - 1]
            pairs[a if depth[a] <= depth[b] else b] += 1
        for k in range(n, 0, -1):
            v = order[k]
            gap_degree[s] = max(gap_degree[s], size[v] - pairs[v] - 1)
            pairs[head[first + v - 1]] += pairs[v]
        for d in range(1, n + 1):
            h = head[first + d - 1]
            if h == 0:
                continue
            low, high = min(h, d), max(h, d)
            components = 0
            for w in range(low + 1, high):
                above = head[first + w - 1]
                is_component = above < low or above > high
                if is_component and not (entered[h] <= entered[w] < entered[h] + size[h]):
                    components += 1
            edge_degree[s] = max(edge_degree[s], components)
    return gap_degree, edge_degree, heads, most_children, height
