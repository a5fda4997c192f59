"""Posteriors of arcs under a frozen sample, by a chart and its derivatives.

The recursions are those of `_proposal_chart_numba.py`. Here fragments are few, each with many
customers, and sentences are long. So every node has a row for every word of its tag: its weight
by width, zero where it does not match. Sums over splits are then products of two rows.

Rows of `chart.weight` are [kind, word] of I first, so that a child that is cut is a row like any
other, then those of nodes, word by word. What a number adds to the logarithm of the sentence's
weight is its derivative; `slope` holds derivatives as `chart` holds numbers. An arc's posterior
is the sum of derivatives times weights over all ways to make it. `frozen.FrozenFragments` and
`frozen.FrozenChart` say what the arrays are.
"""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import inlined_kernel, kernel
from treegauge.systems.dependency_induction.tree_substitution._fragments_numba import CUT
from treegauge.systems.dependency_induction.tree_substitution.nonterminals import (
    ATTACH,
    GO,
    KINDS,
    REST,
    SIDE,
    STOP,
)

_ATTEMPTS = 12
_STEP = 100.0
"""Factor between scales that are tried when a sentence's weight is out of range."""
_SMALLEST, _LARGEST = 1e-250, 1e250


@inlined_kernel
def _row(fragments, chart, tags, n, child, kind, word):
    """Return where the row of a child begins: of a node, or of I where a fragment ends."""
    if child == CUT:
        return (kind * n + word) * n
    return (chart.first_row[word] + child - fragments.of_tag[tags[word]]) * n


@inlined_kernel
def _other_word(side, head, distance):
    return head - distance if side == 0 else head + distance


# ---------------------------------------------------------------------- forwards


@inlined_kernel
def _finish(fragments, chart, local, tags, n, kind, head, width):
    """Compute I and V of an item from B and from the nodes that match there."""
    at = (kind * n + head) * n + width
    nonterminal = 1 + KINDS * tags[head] + kind
    begin = fragments.bucket[nonterminal * fragments.width]
    end = fragments.bucket[(nonterminal + 1) * fragments.width]
    row = _row(fragments, chart, tags, n, begin, kind, head) + width
    own = 0.0
    for node in range(begin, end):
        own += fragments.mass[node] * chart.weight[row]
        row += n
    base = chart.base[at]
    inside = local.base[head, kind] * base + own
    chart.weight[at] = inside
    cut = local.cut[head, kind]
    chart.value[at] = cut * inside + (1.0 - cut) * base


@inlined_kernel
def _fill_rest(fragments, chart, tags, n, side, head, width):
    """Sum over how far the dependent `width` words away reaches towards its head."""
    word = _other_word(side, head, width)
    inner_kind, rest_kind = (1 - side) * SIDE, side * SIDE + 1
    inner, rest = (inner_kind * n + word) * n, (rest_kind * n + head) * n + width - 1
    total = 0.0
    for reach in range(width):
        total += chart.value[inner + reach] * chart.value[rest - reach]
    chart.rest[(side * n + head) * n + width] = total
    bucket = (1 + KINDS * tags[head] + REST + side) * fragments.width + tags[word]
    for node in range(fragments.bucket[bucket], fragments.bucket[bucket + 1]):
        inner = _row(fragments, chart, tags, n, fragments.left[node], inner_kind, word)
        rest = _row(fragments, chart, tags, n, fragments.right[node], rest_kind, head) + width - 1
        total = 0.0
        for reach in range(width):
            total += chart.weight[inner + reach] * chart.weight[rest - reach]
        chart.weight[_row(fragments, chart, tags, n, node, 0, head) + width] = total


@inlined_kernel
def _fill_attachment(fragments, chart, local, tags, n, side, head, width):
    """Sum over the outermost dependents of a side that reaches `width` words outwards."""
    kind = side * SIDE + ATTACH
    buckets = (1 + KINDS * tags[head] + kind) * fragments.width
    first, last = fragments.bucket[buckets], fragments.bucket[buckets + fragments.width]
    for node in range(first, last):
        chart.weight[_row(fragments, chart, tags, n, node, 0, head) + width] = 0.0
    total = 0.0
    for distance in range(1, width + 1):
        word = _other_word(side, head, distance)
        outer = (side * SIDE * n + word) * n + width - distance
        rest = chart.rest[(side * n + head) * n + distance]
        total += local.attach[head, word] * chart.value[outer] * rest
        bucket = buckets + tags[word]
        for node in range(fragments.bucket[bucket], fragments.bucket[bucket + 1]):
            rest = _row(fragments, chart, tags, n, fragments.right[node], 0, head) + distance
            outer = _row(fragments, chart, tags, n, fragments.left[node], side * SIDE, word)
            weight = chart.weight[outer + width - distance] * chart.weight[rest]
            at = _row(fragments, chart, tags, n, node, 0, head) + width
            chart.weight[at] += local.bar[head, word] * weight
    chart.base[(kind * n + head) * n + width] = total


@inlined_kernel
def _fill_decision(fragments, chart, local, tags, n, side, head, width, valence):
    kind = side * SIDE + valence
    at = (kind * n + head) * n + width
    attachment = side * SIDE + ATTACH
    bucket = (1 + KINDS * tags[head] + kind) * fragments.width
    if width == 0:
        chart.base[at] = local.stop[head, side, valence]
    else:
        below = chart.value[(attachment * n + head) * n + width]
        chart.base[at] = local.go[head, side, valence] * below
    for node in range(fragments.bucket[bucket + STOP], fragments.bucket[bucket + STOP + 1]):
        stop = 0.0 if width > 0 else (local.scale[0] if side == 0 else 1.0)
        chart.weight[_row(fragments, chart, tags, n, node, 0, head) + width] = stop
    for node in range(fragments.bucket[bucket + GO], fragments.bucket[bucket + GO + 1]):
        below = _row(fragments, chart, tags, n, fragments.left[node], attachment, head) + width
        weight = chart.weight[below] if width > 0 else 0.0
        chart.weight[_row(fragments, chart, tags, n, node, 0, head) + width] = weight


@kernel
def _fill_item(fragments, chart, local, tags, n, side, head, width):
    """Fill everything of a head and a side that reaches `width` words outwards."""
    if width > 0:
        _fill_rest(fragments, chart, tags, n, side, head, width)
        _fill_attachment(fragments, chart, local, tags, n, side, head, width)
        _finish(fragments, chart, local, tags, n, side * SIDE + ATTACH, head, width)
    for valence in range(2):
        _fill_decision(fragments, chart, local, tags, n, side, head, width, valence)
        _finish(fragments, chart, local, tags, n, side * SIDE + valence, head, width)


@kernel
def _fill(fragments, chart, local, tags, n):
    """Fill the chart of a sentence; return the weight of all its derivations."""
    row = len(local.cut[0, :REST]) * n
    for word in range(n):
        chart.first_row[word] = row
        row += fragments.of_tag[tags[word] + 1] - fragments.of_tag[tags[word]]
    # By the last word that is covered: what is inside is then there.
    for last in range(n):
        for width in range(last + 1):
            _fill_item(fragments, chart, local, tags, n, 0, last, width)
        for head in range(last, -1, -1):
            _fill_item(fragments, chart, local, tags, n, 1, head, last - head)
    base, own = 0.0, 0.0
    for head in range(n):
        left, right = head * n + head, (SIDE * n + head) * n + n - 1 - head
        base += local.root[head] * chart.value[left] * chart.value[right]
        for node in range(fragments.bucket[tags[head]], fragments.bucket[tags[head] + 1]):
            left = _row(fragments, chart, tags, n, fragments.left[node], 0, head) + head
            right = _row(fragments, chart, tags, n, fragments.right[node], SIDE, head)
            weight = chart.weight[left] * chart.weight[right + n - 1 - head]
            own += fragments.mass[node] * local.root_bar[head] * weight
    return local.base[len(local.cut) - 1, 0] * base + own


# ---------------------------------------------------------------------- backwards


@inlined_kernel
def _finish_backwards(fragments, slope, local, tags, n, kind, head, width):
    at = (kind * n + head) * n + width
    nonterminal = 1 + KINDS * tags[head] + kind
    begin = fragments.bucket[nonterminal * fragments.width]
    end = fragments.bucket[(nonterminal + 1) * fragments.width]
    cut = local.cut[head, kind]
    inside = slope.weight[at] + cut * slope.value[at]
    slope.base[at] += (1.0 - cut) * slope.value[at] + local.base[head, kind] * inside
    row = _row(fragments, slope, tags, n, begin, kind, head) + width
    for node in range(begin, end):
        slope.weight[row] += fragments.mass[node] * inside
        row += n


@inlined_kernel
def _multiply_backwards(numbers, slopes, one, other, width, share):
    """Hand a derivative down to the two rows of a sum over splits."""
    for reach in range(width):
        slopes[one + reach] += share * numbers[other - reach]
        slopes[other - reach] += share * numbers[one + reach]


@inlined_kernel
def _rest_backwards(fragments, chart, slope, tags, n, side, head, width):
    word = _other_word(side, head, width)
    inner_kind, rest_kind = (1 - side) * SIDE, side * SIDE + 1
    inner, rest = (inner_kind * n + word) * n, (rest_kind * n + head) * n + width - 1
    share = slope.rest[(side * n + head) * n + width]
    _multiply_backwards(chart.value, slope.value, inner, rest, width, share)
    bucket = (1 + KINDS * tags[head] + REST + side) * fragments.width + tags[word]
    for node in range(fragments.bucket[bucket], fragments.bucket[bucket + 1]):
        share = slope.weight[_row(fragments, chart, tags, n, node, 0, head) + width]
        if share > 0.0:
            inner = _row(fragments, chart, tags, n, fragments.left[node], inner_kind, word)
            rest = _row(fragments, chart, tags, n, fragments.right[node], rest_kind, head)
            _multiply_backwards(chart.weight, slope.weight, inner, rest + width - 1, width, share)


@inlined_kernel
def _attachment_backwards(fragments, chart, slope, local, tags, n, side, head, width, arcs):
    kind = side * SIDE + ATTACH
    buckets = (1 + KINDS * tags[head] + kind) * fragments.width
    base = slope.base[(kind * n + head) * n + width]
    for distance in range(1, width + 1):
        word = _other_word(side, head, distance)
        outer = (side * SIDE * n + word) * n + width - distance
        rest = (side * n + head) * n + distance
        share = base * local.attach[head, word]
        slope.value[outer] += share * chart.rest[rest]
        slope.rest[rest] += share * chart.value[outer]
        posterior = share * chart.value[outer] * chart.rest[rest]
        bucket = buckets + tags[word]
        for node in range(fragments.bucket[bucket], fragments.bucket[bucket + 1]):
            at = _row(fragments, chart, tags, n, node, 0, head) + width
            share = slope.weight[at] * local.bar[head, word]
            rest = _row(fragments, chart, tags, n, fragments.right[node], 0, head) + distance
            outer = _row(fragments, chart, tags, n, fragments.left[node], side * SIDE, word)
            outer += width - distance
            slope.weight[outer] += share * chart.weight[rest]
            slope.weight[rest] += share * chart.weight[outer]
            posterior += share * chart.weight[outer] * chart.weight[rest]
        arcs[1 + head, word] += posterior


@inlined_kernel
def _decision_backwards(fragments, chart, slope, local, tags, n, side, head, width, valence):
    kind, attachment = side * SIDE + valence, side * SIDE + ATTACH
    base = slope.base[(kind * n + head) * n + width]
    slope.value[(attachment * n + head) * n + width] += local.go[head, side, valence] * base
    bucket = (1 + KINDS * tags[head] + kind) * fragments.width + GO
    for node in range(fragments.bucket[bucket], fragments.bucket[bucket + 1]):
        below = _row(fragments, chart, tags, n, fragments.left[node], attachment, head) + width
        slope.weight[below] += slope.weight[_row(fragments, chart, tags, n, node, 0, head) + width]


@kernel
def _item_backwards(fragments, chart, slope, local, tags, n, side, head, width, arcs):
    if width == 0:
        return  # nothing is below a stop
    for valence in range(2):
        kind = side * SIDE + valence
        _finish_backwards(fragments, slope, local, tags, n, kind, head, width)
        _decision_backwards(fragments, chart, slope, local, tags, n, side, head, width, valence)
    _finish_backwards(fragments, slope, local, tags, n, side * SIDE + ATTACH, head, width)
    _attachment_backwards(fragments, chart, slope, local, tags, n, side, head, width, arcs)
    _rest_backwards(fragments, chart, slope, tags, n, side, head, width)


@kernel
def _go_back(fragments, chart, slope, local, tags, n, total, arcs):
    """Compute all derivatives of the logarithm of the sentence's weight, and arcs' posteriors."""
    last_row = chart.first_row[n - 1] + fragments.of_tag[tags[n - 1] + 1]
    slope.weight[: (last_row - fragments.of_tag[tags[n - 1]]) * n] = 0.0
    slope.base[: REST * n * n] = 0.0
    slope.value[: REST * n * n] = 0.0
    slope.rest[: 2 * n * n] = 0.0
    base = local.base[len(local.cut) - 1, 0] / total
    for head in range(n):
        slope.first_row[head] = chart.first_row[head]
        left, right = head * n + head, (SIDE * n + head) * n + n - 1 - head
        share = base * local.root[head]
        slope.value[left] += share * chart.value[right]
        slope.value[right] += share * chart.value[left]
        posterior = share * chart.value[left] * chart.value[right]
        for node in range(fragments.bucket[tags[head]], fragments.bucket[tags[head] + 1]):
            left = _row(fragments, chart, tags, n, fragments.left[node], 0, head) + head
            right = _row(fragments, chart, tags, n, fragments.right[node], SIDE, head)
            right += n - 1 - head
            share = fragments.mass[node] * local.root_bar[head] / total
            slope.weight[left] += share * chart.weight[right]
            slope.weight[right] += share * chart.weight[left]
            posterior += share * chart.weight[left] * chart.weight[right]
        arcs[0, head] += posterior
    for last in range(n - 1, -1, -1):
        for head in range(last + 1):
            _item_backwards(fragments, chart, slope, local, tags, n, 1, head, last - head, arcs)
        for width in range(last, -1, -1):
            _item_backwards(fragments, chart, slope, local, tags, n, 0, last, width, arcs)


# ---------------------------------------------------------------------- sentences


@kernel
def _frozen_weights(grammar, shares, bars, tags, n, local, scale):
    """Take the weights of a frozen sample for the words of a sentence."""
    root, stop, go, attach = grammar
    local.scale[0] = scale
    local.base[len(local.cut) - 1, 0] = shares[1, 0]
    for head in range(n):
        tag = tags[head]
        local.root_bar[head] = bars[0, tag]
        local.root[head] = bars[0, tag] * root[tag]
        for kind in range(REST):
            nonterminal = 1 + KINDS * tag + kind
            local.cut[head, kind] = shares[0, nonterminal]
            local.base[head, kind] = shares[1, nonterminal]
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
    tags, offsets, arc_offsets, grammar, shares, bars, fragments, scale, chart, slope, local, packed
):
    """Write posteriors of arcs of sentences, packed.

    A sentence whose weight stays out of range whatever the scale has posteriors of 0.
    """
    for s in range(len(offsets) - 1):
        n = offsets[s + 1] - offsets[s]
        if n == 0:
            continue
        own = tags[offsets[s] : offsets[s + 1]]
        arcs = packed[arc_offsets[s] : arc_offsets[s + 1]].reshape(n + 1, n)
        here = scale
        total = 0.0
        for _ in range(_ATTEMPTS):
            _frozen_weights(grammar, shares, bars, own, n, local, here)
            total = _fill(fragments, chart, local, own, n)
            if _SMALLEST < total < _LARGEST:
                break
            # The whole is out of range by so much a word.
            here *= _STEP if total <= _SMALLEST else 1.0 / _STEP
        if _SMALLEST < total < _LARGEST:
            _go_back(fragments, chart, slope, local, own, n, total, arcs)
