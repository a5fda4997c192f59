"""Posteriors of arcs: the chart of `_proposal_chart_numba.py` gone through backwards.

What an entry adds to the logarithm of the sentence's weight is its derivative; an arc's
posterior is the sum of derivatives times weights over all ways to make it. `outside` holds the
derivatives, in the order of `Chart`: by item of base, inside and value, by entry of weights.
"""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import kernel
from treegauge.systems.dependency_induction.tree_substitution._fragments_numba import (
    CUT,
    NONE,
    find_node,
)
from treegauge.systems.dependency_induction.tree_substitution._proposal_chart_numba import (
    attachment_item,
    decision_item,
    fill_chart,
    rest_item,
    sentence_item,
)
from treegauge.systems.dependency_induction.tree_substitution.nonterminals import (
    ATTACH,
    GO,
    KINDS,
    REST,
    SIDE,
)

_ATTEMPTS = 12
_STEP = 100.0
"""Factor between scales that are tried when a sentence's weight is out of range."""
_SMALLEST, _LARGEST = 1e-250, 1e250


@kernel
def _finish_backwards(chart, outside, local, customers, tables, item, word, kind):
    cut = local.cut[word, kind]
    value = outside.value[item]
    outside.inside[item] += cut * value
    outside.base[item] += (1.0 - cut) * value
    inside = outside.inside[item]
    outside.base[item] += local.base[word, kind] * inside
    discount, scale = local.discount[word, kind], local.per_customer[word, kind]
    for at in range(chart.begin[item], chart.end[item]):
        node = chart.node[at]
        if customers[node] > 0:
            own = customers[node] - discount * tables[node]
            outside.weight[at] += scale * own * inside


@kernel
def _open_list(chart, item):
    """Say where the nodes of an item's list stand."""
    for at in range(chart.begin[item], chart.end[item]):
        chart.place[chart.node[at]] = at


@kernel
def _join_backwards(
    chart, outside, fragments, nonterminal, choice, first, second, second_can_be_cut, factor, item
):
    """Hand derivatives of a list down to the two that it was joined from; return their share."""
    begin, end = chart.begin[item], chart.end[item]
    if begin == end:
        return 0.0
    total = 0.0
    last = chart.begin[second] - (1 if second_can_be_cut else 0)
    for p in range(chart.begin[first] - 1, chart.end[first]):
        left, weight = CUT, chart.inside[first]
        if p >= chart.begin[first]:
            left, weight = chart.node[p], chart.weight[p]
        down = 0.0
        for q in range(last, chart.end[second]):
            right, other = CUT, chart.inside[second]
            if q >= chart.begin[second]:
                right, other = chart.node[q], chart.weight[q]
            node = find_node(fragments, nonterminal, choice, left, right)
            if node < 0:
                continue
            at = chart.place[node]
            if not (begin <= at < end) or chart.node[at] != node:
                continue
            slope = outside.weight[at] * factor
            down += slope * other
            if right == CUT:
                outside.inside[second] += slope * weight
            else:
                outside.weight[q] += slope * weight
        total += down * weight
        if left == CUT:
            outside.inside[first] += down
        else:
            outside.weight[p] += down
    return total


@kernel
def _rest_backwards(chart, outside, fragments, tags, n, side, head, width):
    item = rest_item(n, side, head, width)
    word = head - width if side == 0 else head + width
    nonterminal = 1 + KINDS * tags[head] + REST + side
    slope = outside.base[item]
    _open_list(chart, item)
    for reach in range(width):
        inner = decision_item(n, 1 - side, word, reach, 0)
        rest = decision_item(n, side, head, width - 1 - reach, 1)
        outside.value[inner] += slope * chart.value[rest]
        outside.value[rest] += slope * chart.value[inner]
        _join_backwards(
            chart, outside, fragments, nonterminal, tags[word], inner, rest, True, 1.0, item
        )


@kernel
def _attachment_backwards(chart, outside, fragments, local, tags, n, side, head, width, arcs):
    item = attachment_item(n, side, head, width)
    nonterminal = 1 + KINDS * tags[head] + side * SIDE + ATTACH
    slope = outside.base[item]
    _open_list(chart, item)
    for distance in range(1, width + 1):
        word = head - distance if side == 0 else head + distance
        outer = decision_item(n, side, word, width - distance, 0)
        rest = rest_item(n, side, head, distance)
        share = slope * local.attach[head, word]
        outside.value[outer] += share * chart.base[rest]
        outside.base[rest] += share * chart.value[outer]
        arcs[1 + head, word] += share * chart.value[outer] * chart.base[rest]
        arcs[1 + head, word] += _join_backwards(
            chart,
            outside,
            fragments,
            nonterminal,
            tags[word],
            outer,
            rest,
            False,
            local.bar[head, word],
            item,
        )


@kernel
def _decision_backwards(chart, outside, fragments, local, tags, n, side, head, width, valence):
    if width == 0:
        return
    item = decision_item(n, side, head, width, valence)
    attachment = attachment_item(n, side, head, width)
    nonterminal = 1 + KINDS * tags[head] + side * SIDE + valence
    outside.value[attachment] += local.go[head, side, valence] * outside.base[item]
    _open_list(chart, item)
    for p in range(chart.begin[attachment] - 1, chart.end[attachment]):
        below = CUT if p < chart.begin[attachment] else chart.node[p]
        node = find_node(fragments, nonterminal, GO, below, NONE)
        if node < 0:
            continue
        at = chart.place[node]
        if not (chart.begin[item] <= at < chart.end[item]) or chart.node[at] != node:
            continue
        if below == CUT:
            outside.inside[attachment] += outside.weight[at]
        else:
            outside.weight[p] += outside.weight[at]


@kernel
def _go_back(chart, outside, fragments, local, customers, tables, tags, n, arcs):
    """Compute all derivatives of the logarithm of the sentence's weight, and arcs' posteriors."""
    for item in range(sentence_item(n) + 1):
        outside.base[item] = 0.0
        outside.inside[item] = 0.0
        outside.value[item] = 0.0
    for at in range(chart.used[0]):
        outside.weight[at] = 0.0
    item = sentence_item(n)
    outside.inside[item] = 1.0 / chart.inside[item]
    last = len(local.cut) - 1
    _finish_backwards(chart, outside, local, customers, tables, item, last, 0)
    _open_list(chart, item)
    for head in range(n):
        left = decision_item(n, 0, head, head, 0)
        right = decision_item(n, 1, head, n - 1 - head, 0)
        share = outside.base[item] * local.root[head]
        outside.value[left] += share * chart.value[right]
        outside.value[right] += share * chart.value[left]
        arcs[0, head] += share * chart.value[left] * chart.value[right]
        arcs[0, head] += _join_backwards(
            chart, outside, fragments, 0, tags[head], left, right, True, local.root_bar[head], item
        )
    for width in range(n - 1, -1, -1):
        for side in range(2):
            for head in range(n):
                if (head - width if side == 0 else n - 1 - head - width) < 0:
                    continue
                for valence in range(2):
                    item = decision_item(n, side, head, width, valence)
                    kind = side * SIDE + valence
                    _finish_backwards(chart, outside, local, customers, tables, item, head, kind)
                    _decision_backwards(
                        chart, outside, fragments, local, tags, n, side, head, width, valence
                    )
                if width > 0:
                    item = attachment_item(n, side, head, width)
                    kind = side * SIDE + ATTACH
                    _finish_backwards(chart, outside, local, customers, tables, item, head, kind)
                    _attachment_backwards(
                        chart, outside, fragments, local, tags, n, side, head, width, arcs
                    )
                    _rest_backwards(chart, outside, fragments, tags, n, side, head, width)


@kernel
def _frozen_weights(grammar, shares, bars, tags, n, local, scale):
    """Take the weights of a frozen sample for the words of a sentence."""
    root, stop, go, attach = grammar
    last = len(local.cut) - 1
    local.scale[0] = scale
    local.cut[last, 0] = shares[0, 0]
    local.base[last, 0] = shares[1, 0]
    local.per_customer[last, 0] = shares[2, 0]
    local.discount[last, 0] = shares[3, 0]
    for head in range(n):
        tag = tags[head]
        local.root_bar[head] = bars[0, tag]
        local.root[head] = bars[0, tag] * root[tag]
        for kind in range(REST):
            nonterminal = 1 + KINDS * tag + kind
            local.cut[head, kind] = shares[0, nonterminal]
            local.base[head, kind] = shares[1, nonterminal]
            local.per_customer[head, kind] = shares[2, nonterminal]
            local.discount[head, kind] = shares[3, nonterminal]
        for side in range(2):
            for valence in range(2):
                factor = scale if side == 0 else 1.0
                local.stop[head, side, valence] = factor * stop[tag, side, valence]
                local.go[head, side, valence] = go[tag, side, valence]
        for word in range(n):
            if word != head:
                bar = bars[1 + tag, tags[word]]
                local.bar[head, word] = bar
                local.attach[head, word] = bar * attach[tag, 0 if word < head else 1, 0, tags[word]]


@kernel
def arc_posteriors(
    tags,
    offsets,
    arc_offsets,
    grammar,
    shares,
    bars,
    fragments,
    customers,
    tables,
    scale,
    chart,
    outside,
    local,
    found,
    progress,
):
    """Write posteriors of arcs of sentences, packed; ends early where lists have no room.

    `progress[0]` is the sentence to go on with. A sentence whose weight stays out of range
    whatever the scale has posteriors of 0.
    """
    while progress[0] < len(offsets) - 1:
        s = progress[0]
        n = offsets[s + 1] - offsets[s]
        own = tags[offsets[s] : offsets[s + 1]]
        arcs = found[arc_offsets[s] : arc_offsets[s + 1]].reshape(n + 1, n)
        here = scale
        total = 0.0
        for _ in range(_ATTEMPTS):
            _frozen_weights(grammar, shares, bars, own, n, local, here)
            total = fill_chart(chart, fragments, local, customers, tables, own, n, True)
            if chart.used[1]:
                return
            if _SMALLEST < total < _LARGEST:
                break
            # The whole is out of range by so much a word.
            here *= _STEP if total <= _SMALLEST else 1.0 / _STEP
        if _SMALLEST < total < _LARGEST:
            _go_back(chart, outside, fragments, local, customers, tables, own, n, arcs)
        progress[0] = s + 1
    return
