"""Packed forests: everything that sentences can be derived as, and sums over it.

Cells of a sentence of n words are numbered begin * (n + 1) + end. A forest has the nodes (cell,
item) that take part in a complete derivation, the sentence itself first, parents before their
daughters; its edges are grouped by parent. An edge has two daughters, one (the other is -1) or
none, where a word is written. Weights are logarithms.
"""

# mypy: ignore-errors
from __future__ import annotations

import math

import numpy as np

from treegauge.kernels import kernel

PARENT, LEFT, RIGHT, EVENT = 0, 1, 2, 3
ABSENT, WAITING = -1, -2
"""Instead of the number of a node: it is no part of the forest, or has no number yet."""


@kernel
def with_edge(edges, size, parent, left, right, event):
    """Write an edge behind others; return them, in a longer array if there was no room."""
    if size == len(edges):
        larger = np.empty((2 * size, 4), np.int32)
        for i in range(size):
            for j in range(4):
                larger[i, j] = edges[i, j]
        edges = larger
    edges[size, PARENT], edges[size, LEFT] = parent, left
    edges[size, RIGHT], edges[size, EVENT] = right, event
    return edges


@kernel
def with_member(is_there, members, cell, size, item):
    """Put an item into a cell, unless it is there; return how many are."""
    if is_there[cell, item]:
        return size
    is_there[cell, item] = True
    members[cell, size] = item
    return size + 1


@kernel
def fill_cells(tags, rules, is_there, members, n_members):
    """Find which items every cell can hold."""
    n = len(tags)
    for width in range(1, n + 1):
        for begin in range(n - width + 1):
            end = begin + width
            cell = begin * (n + 1) + end
            for item in range(is_there.shape[1]):
                is_there[cell, item] = False
            size = 0
            if width == 1:
                tag = tags[begin]
                for word in range(rules.word_starts[tag], rules.word_starts[tag + 1]):
                    size = with_member(is_there, members, cell, size, rules.word_item[word])
            for middle in range(begin + 1, end):
                left_cell = begin * (n + 1) + middle
                right_cell = middle * (n + 1) + end
                for m in range(n_members[left_cell] if n_members[right_cell] else 0):
                    left = members[left_cell, m]
                    for rule in range(rules.rule_starts[left], rules.rule_starts[left + 1]):
                        if is_there[right_cell, rules.rule_right[rule]]:
                            result = rules.rule_result[rule]
                            size = with_member(is_there, members, cell, size, result)
            # What nouns are raised to is no noun, so that one look at each is enough.
            m = 0
            while m < size:
                item = members[cell, m]
                for unary in range(rules.unary_starts[item], rules.unary_starts[item + 1]):
                    result = rules.unary_result[unary]
                    size = with_member(is_there, members, cell, size, result)
                m += 1
            n_members[cell] = size


@kernel
def roots_of(tags, rules, members, n_members, node_of, nodes, edges, size):
    """Begin the forest of a sentence with what it can be; return nodes, edges, how many."""
    n = len(tags)
    has_verb = False
    for i in range(n):
        has_verb = has_verb or rules.is_verb[tags[i]]
        for j in range(i + 1, n + 1):
            for item in range(node_of.shape[1]):
                node_of[i * (n + 1) + j, item] = ABSENT
    top = nodes
    for m in range(n_members[n]):
        item = members[n, m]
        if rules.root_event[item] >= 0 and (rules.is_clause[item] or not has_verb):
            nodes = top + 1
            node_of[n, item] = WAITING
            below = n * node_of.shape[1] + item
            edges = with_edge(edges, size, top, below, -1, rules.root_event[item])
            size += 1
    return nodes, edges, size


@kernel
def number_nodes(rules, cell, members, n_members, node_of, nodes, edges, size):
    """Number the nodes of a cell, raised ones before what they are raised from.

    Adds the edges between them; returns nodes, edges, how many.
    """
    for m in range(n_members[cell]):
        item = members[cell, m]
        is_raisable = rules.unary_starts[item] < rules.unary_starts[item + 1]
        if node_of[cell, item] == WAITING and not is_raisable:
            node_of[cell, item] = nodes
            nodes += 1
    for m in range(n_members[cell]):
        item = members[cell, m]
        for unary in range(rules.unary_starts[item], rules.unary_starts[item + 1]):
            parent = node_of[cell, rules.unary_result[unary]]
            if parent >= 0:
                node_of[cell, item] = WAITING
                below = cell * node_of.shape[1] + item
                edges = with_edge(edges, size, parent, below, -1, rules.unary_event[unary])
                size += 1
        if node_of[cell, item] == WAITING:
            node_of[cell, item] = nodes
            nodes += 1
    return nodes, edges, size


@kernel
def edges_of_cell(tags, rules, begin, end, members, n_members, is_there, node_of, edges, size):
    """Add the edges from all nodes of a cell to smaller cells; return edges, how many."""
    n, n_items = len(tags), node_of.shape[1]
    cell = begin * (n + 1) + end
    if end == begin + 1:
        for word in range(rules.word_starts[tags[begin]], rules.word_starts[tags[begin] + 1]):
            parent = node_of[cell, rules.word_item[word]]
            if parent >= 0:
                edges = with_edge(edges, size, parent, -1, -1, rules.word_event[word])
                size += 1
    for middle in range(begin + 1, end):
        left_cell = begin * (n + 1) + middle
        right_cell = middle * (n + 1) + end
        for m in range(n_members[left_cell]):
            left = members[left_cell, m]
            for rule in range(rules.rule_starts[left], rules.rule_starts[left + 1]):
                right = rules.rule_right[rule]
                parent = node_of[cell, rules.rule_result[rule]]
                if parent < 0 or not is_there[right_cell, right]:
                    continue
                node_of[left_cell, left] = WAITING
                node_of[right_cell, right] = WAITING
                one, other = left_cell * n_items + left, right_cell * n_items + right
                edges = with_edge(edges, size, parent, one, other, rules.rule_event[rule])
                size += 1
    return edges, size


@kernel
def name_daughters(edges, begin, end, node_of):
    """Replace the places of daughters by their numbers, which come when their cell does."""
    n_items = node_of.shape[1]
    for edge in range(begin, end):
        for side in range(LEFT, RIGHT + 1):
            place = edges[edge, side]
            if place >= 0:
                edges[edge, side] = node_of[place // n_items, place % n_items]


@kernel
def build(tags, offsets, rules):
    """Return where the nodes of every sentence begin, and all edges.

    A sentence with a verb is a clause. A sentence without a derivation has no nodes.
    """
    n_items = len(rules.root_event)
    longest = 0
    for s in range(len(offsets) - 1):
        longest = max(longest, offsets[s + 1] - offsets[s])
    n_cells = (longest + 1) * (longest + 1)
    is_there = np.zeros((n_cells, n_items), np.bool_)
    members = np.zeros((n_cells, n_items), np.int32)
    n_members = np.zeros(n_cells, np.int64)
    node_of = np.zeros((n_cells, n_items), np.int32)
    node_starts = np.zeros(len(offsets), np.int64)
    edges = np.empty((1024, 4), np.int32)
    nodes, size = 0, 0
    for s in range(len(offsets) - 1):
        words = tags[offsets[s] : offsets[s + 1]]
        n = len(words)
        first = size
        if n > 0:
            fill_cells(words, rules, is_there, members, n_members)
            nodes, edges, size = roots_of(
                words, rules, members, n_members, node_of, nodes, edges, size
            )
        # Without a root there is nothing below it.
        for width in range(n if size > first else 0, 0, -1):
            for begin in range(n - width + 1):
                end = begin + width
                cell = begin * (n + 1) + end
                nodes, edges, size = number_nodes(
                    rules, cell, members, n_members, node_of, nodes, edges, size
                )
                edges, size = edges_of_cell(
                    words, rules, begin, end, members, n_members, is_there, node_of, edges, size
                )
        name_daughters(edges, first, size, node_of)
        node_starts[s + 1] = nodes
    return node_starts, edges[:size]


@kernel
def grouped(n_nodes, edges):
    """Return where the edges of every node begin, and edges in the order of their parents."""
    starts = np.zeros(n_nodes + 1, np.int64)
    for edge in range(len(edges)):
        starts[edges[edge, PARENT] + 1] += 1
    for node in range(n_nodes):
        starts[node + 1] += starts[node]
    place = starts.copy()
    ordered = np.empty((len(edges), 4), np.int32)
    for edge in range(len(edges)):
        at = place[edges[edge, PARENT]]
        place[edges[edge, PARENT]] += 1
        for j in range(4):
            ordered[at, j] = edges[edge, j]
    return starts, ordered


@kernel
def expect(node_starts, edge_starts, edges, weight, multiplicity, is_hard):
    """Return the expected count of every event and the log-likelihood of every sentence.

    With `is_hard`, the counts and the weight of the best derivation instead.
    """
    counts = np.zeros(len(weight))
    found = np.zeros(len(node_starts) - 1)
    n_nodes = node_starts[len(node_starts) - 1]
    inside = np.full(n_nodes, -np.inf)
    # How likely a node is part of the derivation: what the edges above it hand down.
    chance = np.zeros(n_nodes)
    best_edge = np.full(n_nodes, -1, np.int64)
    score = np.empty(len(edges))
    for s in range(len(node_starts) - 1):
        top, end = node_starts[s], node_starts[s + 1]
        if top == end:
            continue
        for node in range(end - 1, top - 1, -1):
            most = -np.inf
            for edge in range(edge_starts[node], edge_starts[node + 1]):
                value = weight[edges[edge, EVENT]]
                if edges[edge, LEFT] >= 0:
                    value += inside[edges[edge, LEFT]]
                if edges[edge, RIGHT] >= 0:
                    value += inside[edges[edge, RIGHT]]
                score[edge] = value
                if value > most:
                    most = value
                    best_edge[node] = edge
            if not is_hard and most > -np.inf:
                total = 0.0
                for edge in range(edge_starts[node], edge_starts[node + 1]):
                    total += math.exp(score[edge] - most)
                most += math.log(total)
            inside[node] = most
        found[s] = inside[top]
        if inside[top] == -np.inf:
            continue
        chance[top] = 1.0
        for node in range(top, end):
            if chance[node] == 0.0:
                continue
            for edge in range(edge_starts[node], edge_starts[node + 1]):
                if is_hard:
                    part = 1.0 if edge == best_edge[node] else 0.0
                else:
                    part = chance[node] * math.exp(score[edge] - inside[node])
                counts[edges[edge, EVENT]] += part * multiplicity[s]
                if edges[edge, LEFT] >= 0:
                    chance[edges[edge, LEFT]] += part
                if edges[edge, RIGHT] >= 0:
                    chance[edges[edge, RIGHT]] += part
    return counts, found
