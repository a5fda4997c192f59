"""A derivation drawn from a chart, from the root downwards."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import inlined_kernel, kernel
from treegauge.systems.dependency_induction.tree_substitution._fragments_numba import CUT
from treegauge.systems.dependency_induction.tree_substitution._proposal_chart_numba import (
    attachment_item,
    decision_item,
    match_weight,
    rest_item,
    sentence_item,
)
from treegauge.systems.dependency_induction.tree_substitution._restaurants_numba import draw
from treegauge.systems.dependency_induction.tree_substitution.nonterminals import ATTACH, SIDE

_BY_RULES = -3
"""In place of a node: inside a fragment that is made of single rules."""


@inlined_kernel
def _begun(chart, local, customers, tables, item, word, kind, chance):
    """Draw the fragment that begins at an item: a known one, or by rules."""
    mass = draw(chance) * chart.inside[item]
    mass -= local.base[word, kind] * chart.base[item]
    if mass < 0:
        return _BY_RULES
    discount, scale = local.discount[word, kind], local.per_customer[word, kind]
    chosen = _BY_RULES
    for at in range(chart.begin[item], chart.end[item]):
        node = chart.node[at]
        if customers[node] > 0:
            chosen = node
            mass -= scale * (customers[node] - discount * tables[node]) * chart.weight[at]
            if mass < 0:
                break
    return chosen


@inlined_kernel
def _is_cut(chart, local, item, word, kind, chance):
    """Draw whether a fragment made of rules ends at an item."""
    return draw(chance) * chart.value[item] < local.cut[word, kind] * chart.inside[item]


@inlined_kernel
def _weight(chart, item, node):
    """Return the weight of an item for a parent that wants a node, or goes by rules."""
    if node == _BY_RULES:
        return chart.value[item]
    return match_weight(chart, chart.inside[item], chart.begin[item], chart.end[item], node)


@inlined_kernel
def _drawn_distance(chart, local, n, side, head, width, node, first, rest, chance):
    """Draw how far away the outermost dependent is."""
    total = 0.0
    chosen = 1
    u = draw(chance)
    for second_pass in (False, True):
        mass = u * total
        for distance in range(1, width + 1):
            word = head - distance if side == 0 else head + distance
            outer = decision_item(n, side, word, width - distance, 0)
            item = rest_item(n, side, head, distance)
            weight = _weight(chart, outer, first)
            if node == _BY_RULES:
                weight *= local.attach[head, word] * chart.base[item]
            else:
                weight *= local.bar[head, word]
                weight *= match_weight(chart, 0.0, chart.begin[item], chart.end[item], rest)
            if not second_pass:
                total += weight
            elif weight > 0:
                chosen = distance
                mass -= weight
                if mass < 0:
                    return chosen
    return chosen


@inlined_kernel
def _drawn_reach(chart, n, side, head, word, distance, inner, last, chance):
    """Draw how far the dependent reaches towards its head."""
    total = 0.0
    chosen = 0
    u = draw(chance)
    for second_pass in (False, True):
        mass = u * total
        for reach in range(distance):
            weight = _weight(chart, decision_item(n, 1 - side, word, reach, 0), inner)
            weight *= _weight(chart, decision_item(n, side, head, distance - 1 - reach, 1), last)
            if not second_pass:
                total += weight
            elif weight > 0:
                chosen = reach
                mass -= weight
                if mass < 0:
                    return chosen
    return chosen


@inlined_kernel
def _drawn_root(chart, local, tags, n, node, left, right, tag, chance):
    total = 0.0
    chosen = 0
    u = draw(chance)
    for second_pass in (False, True):
        mass = u * total
        for head in range(n):
            if node != _BY_RULES and tags[head] != tag:
                continue
            weight = local.root[head] if node == _BY_RULES else local.root_bar[head]
            weight *= _weight(chart, decision_item(n, 0, head, head, 0), left)
            weight *= _weight(chart, decision_item(n, 1, head, n - 1 - head, 0), right)
            if not second_pass:
                total += weight
            elif weight > 0:
                chosen = head
                mass -= weight
                if mass < 0:
                    return chosen
    return chosen


@inlined_kernel
def _push(chart, local, waiting, size, n, side, word, width, valence, node, chance):
    """Put a decision on the stack; return whether a fragment begins there."""
    kind = side * SIDE + valence
    if node == _BY_RULES:
        item = decision_item(n, side, word, width, valence)
        if _is_cut(chart, local, item, word, kind, chance):
            node = CUT
    if width > 0:  # below a stop there is nothing
        row = waiting[size[0]]
        row[0], row[1], row[2], row[3], row[4] = side, word, width, valence, node
        size[0] += 1
    return node == CUT


@kernel
def draw_derivation(chart, fragments, local, customers, tables, tags, n, heads, cuts, chance):
    """Draw heads and cuts, written as `list_fragments` reads them, in proportion to weight."""
    waiting = np.empty((3 * n + 3, 5), np.int64)
    size = np.zeros(1, np.int64)
    node = _begun(chart, local, customers, tables, sentence_item(n), len(local.cut) - 1, 0, chance)
    left, right, tag = node, node, 0
    if node >= 0:
        left, right, tag = fragments.left[node], fragments.right[node], fragments.choice[node]
    root = _drawn_root(chart, local, tags, n, node, left, right, tag, chance)
    heads[root] = -1
    cuts[root, 2] = 1
    cuts[root, 3] = 1
    cuts[root, 0] = _push(chart, local, waiting, size, n, 0, root, root, 0, left, chance)
    cuts[root, 1] = _push(chart, local, waiting, size, n, 1, root, n - 1 - root, 0, right, chance)
    while size[0] > 0:
        size[0] -= 1
        row = waiting[size[0]]
        side, head, width, valence, node = row[0], row[1], row[2], row[3], row[4]
        kind = side * SIDE + valence
        if node == CUT:
            item = decision_item(n, side, head, width, valence)
            node = _begun(chart, local, customers, tables, item, head, kind, chance)
        item = attachment_item(n, side, head, width)
        if node >= 0:
            node = fragments.left[node]
        elif _is_cut(chart, local, item, head, side * SIDE + ATTACH, chance):
            node = CUT
        attachment_is_cut = node == CUT
        if node == CUT:
            node = _begun(chart, local, customers, tables, item, head, side * SIDE + ATTACH, chance)
        outer, rest, inner, last = node, node, node, node
        if node >= 0:
            outer, rest = fragments.left[node], fragments.right[node]
            inner, last = fragments.left[rest], fragments.right[rest]
        distance = _drawn_distance(chart, local, n, side, head, width, node, outer, rest, chance)
        word = head - distance if side == 0 else head + distance
        reach = _drawn_reach(chart, n, side, head, word, distance, inner, last, chance)
        heads[word] = head
        cuts[word, 2] = attachment_is_cut
        cuts[word, side] = _push(
            chart, local, waiting, size, n, side, word, width - distance, 0, outer, chance
        )
        cuts[word, 1 - side] = _push(
            chart, local, waiting, size, n, 1 - side, word, reach, 0, inner, chance
        )
        cuts[word, 3] = _push(
            chart, local, waiting, size, n, side, head, distance - 1 - reach, 1, last, chance
        )
