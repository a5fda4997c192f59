"""A sweep of Metropolis-Hastings: derivations drawn anew, a sentence at a time.

A sentence's fragments are taken away, last first; a derivation is drawn from the chart of the
counts that are left; its fragments are added one by one. The ratio of acceptance has the
sequential probabilities of both (spec section 5), so that the chain is exact though the proposal
freezes counts. A rejected proposal is taken back line by line of the journal, seats and all.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import inlined_kernel, kernel
from treegauge.systems.dependency_induction.tree_substitution._draw_derivation_numba import (
    draw_derivation,
)
from treegauge.systems.dependency_induction.tree_substitution._fragments_numba import (
    add_fragment,
    fragment_probability,
    list_fragments,
    remove_fragment,
)
from treegauge.systems.dependency_induction.tree_substitution._proposal_chart_numba import (
    fill_chart,
)
from treegauge.systems.dependency_induction.tree_substitution._restaurants_numba import (
    base_share,
    cut_probability,
    draw,
    rule_probability,
    take_back,
)
from treegauge.systems.dependency_induction.tree_substitution.nonterminals import (
    ATTACH,
    KINDS,
    REST,
    SIDE,
)

NUMBERS_A_WORD = 44
"""Random numbers that a word may need: to go, to be drawn and to come again."""
NUMBERS_A_SENTENCE = 8
NODES_A_WORD = 8
"""New nodes that a word may need: two sides, an attachment of two nodes, a rest; once more."""
SIZES_A_WORD = 24


@inlined_kernel
def _restaurant_weights(seats, nonterminal, local, word, kind, with_fragments):
    if with_fragments:
        total = seats.customers[nonterminal] + seats.concentration[nonterminal]
        local.base[word, kind] = base_share(seats, nonterminal)
        local.per_customer[word, kind] = 1.0 / total
        local.discount[word, kind] = seats.discount[nonterminal]
        local.cut[word, kind] = cut_probability(seats, nonterminal)
    else:
        local.base[word, kind] = 1.0
        local.per_customer[word, kind] = 0.0
        local.discount[word, kind] = 0.0
        local.cut[word, kind] = 1.0


@kernel
def local_weights(seats, n_tags, bars, tags, n, local, with_fragments):
    """Compute the proposal grammar of the counts as they are, for the words of a sentence."""
    _restaurant_weights(seats, 0, local, len(local.cut) - 1, 0, with_fragments)
    for head in range(n):
        first = 1 + KINDS * tags[head]
        local.root_bar[head] = bars[0, tags[head]]
        local.root[head] = bars[0, tags[head]] * rule_probability(seats, n_tags, 0, tags[head])
        for kind in range(REST):
            _restaurant_weights(seats, first + kind, local, head, kind, with_fragments)
        for side in range(2):
            for valence in range(2):
                decision = first + side * SIDE + valence
                local.stop[head, side, valence] = rule_probability(seats, n_tags, decision, 0)
                local.go[head, side, valence] = rule_probability(seats, n_tags, decision, 1)
        for word in range(n):
            if word != head:
                attachment = first + (0 if word < head else SIDE) + ATTACH
                bar = bars[1 + tags[head], tags[word]]
                local.bar[head, word] = bar
                local.attach[head, word] = bar * rule_probability(
                    seats, n_tags, attachment, tags[word]
                )


@inlined_kernel
def _change(seats, model, roots, n_roots, is_added, work, chance):
    """Add all fragments of a derivation, or remove them, last first; return the weight."""
    n_tags, first_fragment, with_fragments, _ = model
    fragments, events, journal = work
    weight = 0.0
    for k in range(n_roots):
        if is_added:
            weight += add_fragment(
                seats,
                fragments,
                n_tags,
                first_fragment,
                roots[k],
                events,
                with_fragments,
                chance,
                journal,
            )
        else:
            weight += remove_fragment(
                seats,
                fragments,
                n_tags,
                first_fragment,
                roots[n_roots - 1 - k],
                events,
                with_fragments,
                chance,
                journal,
            )
    return weight


@inlined_kernel
def _frozen_weight(seats, model, roots, n_roots, work):
    """Return the logarithm of the proposal's weight of a derivation; the sentence's Z is left out.

    -inf where a fragment has too many rules: the model has no such fragments.
    """
    n_tags, first_fragment, with_fragments, max_rules = model
    fragments, events, _ = work
    weight = 0.0
    for k in range(n_roots):
        if fragments.rules[roots[k]] > max_rules:
            return -np.inf
        probability, _ = fragment_probability(
            seats, fragments, n_tags, first_fragment, roots[k], events, with_fragments
        )
        weight += np.log(probability)
    return weight


@kernel
def add_sentences(seats, model, tags, offsets, heads, cuts, work, chance, sentences):
    """Seat the fragments of sentences; return the sum of their weights.

    A sentence with a fragment of too many rules is cut everywhere first.
    """
    fragments, _, journal = work
    max_rules = model[3]
    total = 0.0
    longest = 0
    for s in sentences:
        longest = max(longest, offsets[s + 1] - offsets[s])
    roots = np.empty(4 * longest + 4, np.int64)
    for s in sentences:
        begin, end = offsets[s], offsets[s + 1]
        journal[1][0] = 0
        n_roots = list_fragments(
            fragments, tags[begin:end], heads[begin:end], cuts[begin:end], end - begin, roots
        )
        most = 0
        for k in range(n_roots):
            most = max(most, fragments.rules[roots[k]])
        if most > max_rules:
            for word in range(begin, end):
                for k in range(4):
                    cuts[word, k] = 1
            n_roots = list_fragments(
                fragments, tags[begin:end], heads[begin:end], cuts[begin:end], end - begin, roots
            )
        total += _change(seats, model, roots, n_roots, True, work, chance)
    return total


@kernel
def remove_sentences(seats, model, tags, offsets, heads, cuts, work, chance, sentences):
    """Take the fragments of sentences away."""
    fragments, _, journal = work
    longest = 0
    for s in sentences:
        longest = max(longest, offsets[s + 1] - offsets[s])
    roots = np.empty(4 * longest + 4, np.int64)
    for s in sentences:
        begin, end = offsets[s], offsets[s + 1]
        journal[1][0] = 0
        n_roots = list_fragments(
            fragments, tags[begin:end], heads[begin:end], cuts[begin:end], end - begin, roots
        )
        _change(seats, model, roots, n_roots, False, work, chance)


@kernel
def sweep(
    seats,
    model,
    bars,
    tags,
    offsets,
    heads,
    cuts,
    work,
    chart,
    local,
    numbers,
    order,
    progress,
    always_accepts,
):
    """Draw the derivations of sentences anew, in an order, from `progress[0]` on.

    Ends early, with `progress[0]` at the sentence to go on with, where there is no room left for
    nodes or table sizes, or (`progress[2]`) for lists of the chart. `progress[1]` counts accepted
    proposals.
    """
    n_tags, first_fragment, with_fragments, _ = model
    fragments, _, journal = work
    longest = len(local.cut) - 1
    roots = np.empty(4 * longest + 4, np.int64)
    new_roots = np.empty(4 * longest + 4, np.int64)
    new_heads = np.empty(longest, np.int64)
    new_cuts = np.empty((longest, 4), np.int64)
    customers = seats.dish_customers[first_fragment:]
    tables = seats.dish_tables[first_fragment:]
    place = np.zeros(1, np.int64)
    chance = (numbers, place)
    while progress[0] < len(order):
        s = order[progress[0]]
        begin, end = offsets[s], offsets[s + 1]
        n = end - begin
        if fragments.n_used[0] + NODES_A_WORD * (n + 1) > len(fragments.left):
            return
        if seats.spare[1] < SIZES_A_WORD * (n + 1):
            return
        own_tags = tags[begin:end]
        place[0] = NUMBERS_A_WORD * begin + NUMBERS_A_SENTENCE * s
        journal[1][0] = 0
        n_roots = list_fragments(fragments, own_tags, heads[begin:end], cuts[begin:end], n, roots)
        old = _change(seats, model, roots, n_roots, False, work, chance)
        old_frozen = _frozen_weight(seats, model, roots, n_roots, work)
        local_weights(seats, n_tags, bars, own_tags, n, local, with_fragments)
        fill_chart(chart, fragments, local, customers, tables, own_tags, n, with_fragments)
        if chart.used[1]:
            take_back(seats, journal)
            progress[2] = 1
            return
        draw_derivation(
            chart, fragments, local, customers, tables, own_tags, n, new_heads, new_cuts, chance
        )
        n_new = list_fragments(fragments, own_tags, new_heads, new_cuts, n, new_roots)
        new_frozen = _frozen_weight(seats, model, new_roots, n_new, work)
        accepted = False
        if new_frozen > -np.inf:
            new = _change(seats, model, new_roots, n_new, True, work, chance)
            ratio = new - new_frozen - old + old_frozen
            accepted = always_accepts or np.log(draw(chance)) < ratio
        if accepted:
            progress[1] += 1
            for word in range(n):
                heads[begin + word] = new_heads[word]
                for k in range(4):
                    cuts[begin + word, k] = new_cuts[word, k]
        else:
            take_back(seats, journal)
        progress[0] += 1
