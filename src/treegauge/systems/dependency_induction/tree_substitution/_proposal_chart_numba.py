"""The chart of the proposal grammar: fragments that are known, and all others by the base.

For a non-terminal c over a stretch of words (Cohn and Blunsom 2010; spec section 5):

    I[c] = base_c B[c]  +  sum over known fragments e of c: own_e match(e)
    B[c] = sum over rules: P(rule) prod over children x: V[x],   V[x] = s_x I[x] + (1 - s_x) B[x]

An item is a side of a head that reaches `width` words outwards: a decision (with or without
dependents so far), an attachment, or the rest of one: the head with its `width`-th neighbour as
dependent and what is between them. Every item has a list of the nodes of known fragments that
match there, with weights: products of I where fragments end. Nodes are joined through the table
of all nodes, so that what no known fragment has is not looked at twice.

`chart` is a `fragments.Chart`, `local` a `fragments.LocalWeights`.
"""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import inlined_kernel, kernel
from treegauge.systems.dependency_induction.tree_substitution._fragments_numba import (
    CUT,
    NONE,
    find_node,
)
from treegauge.systems.dependency_induction.tree_substitution.nonterminals import (
    ATTACH,
    GO,
    KINDS,
    REST,
    SIDE,
    STOP,
)


@inlined_kernel
def add_match(chart, begin, node, weight):
    """Add a node to the list that begins at a place, or its weight to what is there."""
    used = chart.used[0]
    at = chart.place[node]
    if begin <= at < used and chart.node[at] == node:
        chart.weight[at] += weight
        return
    if used >= len(chart.node):
        chart.used[1] = 1  # the caller makes room and begins again
        return
    chart.node[used] = node
    chart.weight[used] = weight
    chart.place[node] = used
    chart.used[0] = used + 1


@inlined_kernel
def match_weight(chart, inside, begin, end, node):
    """Return the weight of a node in a list; of a cut, all that can begin there."""
    if node == CUT:
        return inside
    for at in range(begin, end):
        if chart.node[at] == node:
            return chart.weight[at]
    return 0.0


@inlined_kernel
def finish_item(chart, local, customers, tables, item, word, kind, with_fragments):
    """Compute I and V of an item from B and from its list, which ends here."""
    chart.end[item] = chart.used[0]
    own = 0.0
    if with_fragments:
        discount = local.discount[word, kind]
        for at in range(chart.begin[item], chart.end[item]):
            node = chart.node[at]
            if customers[node] > 0:
                own += (customers[node] - discount * tables[node]) * chart.weight[at]
    base = chart.base[item]
    inside = local.base[word, kind] * base + local.per_customer[word, kind] * own
    chart.inside[item] = inside
    cut = local.cut[word, kind]
    chart.value[item] = cut * inside + (1.0 - cut) * base


@inlined_kernel
def decision_item(n, side, head, width, valence):
    """Return the number of the item of a decision."""
    return 4 * ((side * n + head) * n + width) + valence


@inlined_kernel
def attachment_item(n, side, head, width):
    """Return the number of the item of an attachment."""
    return 4 * ((side * n + head) * n + width) + 2


@inlined_kernel
def rest_item(n, side, head, width):
    """Return the number of the item of the rest of an attachment."""
    return 4 * ((side * n + head) * n + width) + 3


@inlined_kernel
def _join(chart, fragments, nonterminal, choice, first, second, second_can_be_cut, factor, begin):
    """Add the nodes that two lists make together, cuts of both included."""
    last = chart.begin[second] - (1 if second_can_be_cut else 0)
    for p in range(chart.begin[first] - 1, chart.end[first]):
        left, weight = CUT, chart.inside[first] * factor
        if p >= chart.begin[first]:
            left, weight = chart.node[p], chart.weight[p] * factor
        if weight == 0.0:
            continue
        for q in range(last, chart.end[second]):
            right, other = CUT, chart.inside[second]
            if q >= chart.begin[second]:
                right, other = chart.node[q], chart.weight[q]
            node = find_node(fragments, nonterminal, choice, left, right)
            if node >= 0:
                add_match(chart, begin, node, weight * other)


@inlined_kernel
def _fill_rest(chart, fragments, tags, n, side, head, width, with_fragments):
    """Fill the item of a dependent `width` words away and of all between it and its head."""
    item = rest_item(n, side, head, width)
    word = head - width if side == 0 else head + width
    chart.begin[item] = chart.used[0]
    total = 0.0
    nonterminal = 1 + KINDS * tags[head] + REST + side
    is_known = with_fragments and fragments.known[nonterminal, tags[word]] > 0
    for reach in range(width):
        inner = decision_item(n, 1 - side, word, reach, 0)
        rest = decision_item(n, side, head, width - 1 - reach, 1)
        total += chart.value[inner] * chart.value[rest]
        if is_known:
            _join(
                chart,
                fragments,
                nonterminal,
                tags[word],
                inner,
                rest,
                True,
                1.0,
                chart.begin[item],
            )
    chart.base[item] = total
    chart.end[item] = chart.used[0]


@inlined_kernel
def _fill_attachment(chart, fragments, local, tags, n, side, head, width, with_fragments):
    """Fill the item of all attachments whose dependents reach `width` words outwards."""
    item = attachment_item(n, side, head, width)
    chart.begin[item] = chart.used[0]
    total = 0.0
    nonterminal = 1 + KINDS * tags[head] + side * SIDE + ATTACH
    for distance in range(1, width + 1):
        word = head - distance if side == 0 else head + distance
        outer = decision_item(n, side, word, width - distance, 0)
        rest = rest_item(n, side, head, distance)
        total += local.attach[head, word] * chart.value[outer] * chart.base[rest]
        if with_fragments and chart.end[rest] > chart.begin[rest]:
            _join(
                chart,
                fragments,
                nonterminal,
                tags[word],
                outer,
                rest,
                False,
                local.bar[head, word],
                chart.begin[item],
            )
    chart.base[item] = total


@inlined_kernel
def _fill_decision(chart, fragments, local, tags, n, side, head, width, valence, with_fragments):
    item = decision_item(n, side, head, width, valence)
    chart.begin[item] = chart.used[0]
    nonterminal = 1 + KINDS * tags[head] + side * SIDE + valence
    if width == 0:
        chart.base[item] = local.stop[head, side, valence]
        if with_fragments:
            node = find_node(fragments, nonterminal, STOP, NONE, NONE)
            if node >= 0:
                add_match(chart, chart.begin[item], node, 1.0)
        return
    attachment = attachment_item(n, side, head, width)
    chart.base[item] = local.go[head, side, valence] * chart.value[attachment]
    if not with_fragments:
        return
    for p in range(chart.begin[attachment] - 1, chart.end[attachment]):
        below, weight = CUT, chart.inside[attachment]
        if p >= chart.begin[attachment]:
            below, weight = chart.node[p], chart.weight[p]
        node = find_node(fragments, nonterminal, GO, below, NONE)
        if node >= 0:
            add_match(chart, chart.begin[item], node, weight)


@kernel
def fill_chart(chart, fragments, local, customers, tables, tags, n, with_fragments):
    """Fill the chart of a sentence; return the weight of all its derivations.

    `chart.used[1]` is 1 if there was not enough room for lists.
    """
    chart.used[0] = 0
    chart.used[1] = 0
    for width in range(n):
        for side in range(2):
            for head in range(n):
                if (head - width if side == 0 else n - 1 - head - width) < 0:
                    continue
                if width > 0:
                    _fill_rest(chart, fragments, tags, n, side, head, width, with_fragments)
                    _fill_attachment(
                        chart, fragments, local, tags, n, side, head, width, with_fragments
                    )
                    finish_item(
                        chart,
                        local,
                        customers,
                        tables,
                        attachment_item(n, side, head, width),
                        head,
                        side * SIDE + ATTACH,
                        with_fragments,
                    )
                for valence in range(2):
                    _fill_decision(
                        chart,
                        fragments,
                        local,
                        tags,
                        n,
                        side,
                        head,
                        width,
                        valence,
                        with_fragments,
                    )
                    finish_item(
                        chart,
                        local,
                        customers,
                        tables,
                        decision_item(n, side, head, width, valence),
                        head,
                        side * SIDE + valence,
                        with_fragments,
                    )
                if chart.used[1]:
                    return 0.0
    return _fill_sentence(chart, fragments, local, customers, tables, tags, n, with_fragments)


@inlined_kernel
def sentence_item(n):
    """Return the number of the item of the whole sentence."""
    return 8 * n * n


@inlined_kernel
def _fill_sentence(chart, fragments, local, customers, tables, tags, n, with_fragments):
    item = sentence_item(n)
    chart.begin[item] = chart.used[0]
    total = 0.0
    for head in range(n):
        left = decision_item(n, 0, head, head, 0)
        right = decision_item(n, 1, head, n - 1 - head, 0)
        total += local.root[head] * chart.value[left] * chart.value[right]
        if with_fragments:
            _join(
                chart,
                fragments,
                0,
                tags[head],
                left,
                right,
                True,
                local.root_bar[head],
                chart.begin[item],
            )
    chart.base[item] = total
    # The sentence's restaurant is in the last row of the local weights.
    finish_item(chart, local, customers, tables, item, len(local.cut) - 1, 0, with_fragments)
    return chart.inside[item]
