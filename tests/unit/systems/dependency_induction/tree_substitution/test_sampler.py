"""The sampler against its definition: sums over all derivations, seats, and exact posteriors."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from tests.unit.systems.dependency_induction.tree_substitution.slow_derivations import (
    SlowModel,
    all_derivations,
    cuts_of,
    fragments_of,
    model_of,
    rules_of,
)
from treegauge.systems.dependency_induction.chart import (
    Grammar,
    TagCorpus,
    expectations,
    viterbi,
)
from treegauge.systems.dependency_induction.initialisers import smith
from treegauge.systems.dependency_induction.tree_substitution._draw_derivation_numba import (
    draw_derivation,
)
from treegauge.systems.dependency_induction.tree_substitution._proposal_chart_numba import (
    fill_chart,
)
from treegauge.systems.dependency_induction.tree_substitution._restaurants_numba import take_back
from treegauge.systems.dependency_induction.tree_substitution._sweep_numba import local_weights
from treegauge.systems.dependency_induction.tree_substitution.nonterminals import Layout
from treegauge.systems.dependency_induction.tree_substitution.sampler import (
    Sampler,
    SamplerSettings,
)

DRAWS = 8_000


def corpus_of(*sentences: list[int], n_tags: int = 2) -> TagCorpus:
    offsets = np.cumsum([0, *map(len, sentences)])
    return TagCorpus(np.concatenate(sentences), offsets, n_tags)


def sampler_of(corpus: TagCorpus, *, seed: int = 0, weights=None, **settings) -> Sampler:
    heads = viterbi(smith(corpus), corpus).heads
    return Sampler(
        corpus,
        heads,
        np.random.default_rng(seed),
        settings=SamplerSettings(**settings),
        arc_weights=weights,
    )


def random_corpus(sentences: int, *, n_tags: int = 2, longest: int = 5, seed: int = 0) -> TagCorpus:
    random = np.random.default_rng(seed)
    lengths = random.integers(1, longest + 1, sentences)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return TagCorpus(random.integers(0, n_tags, offsets[-1]), offsets, n_tags)


def swept(sweeps: int = 12, *, seed: int = 0, sentences: int = 40, **settings) -> Sampler:
    sampler = sampler_of(random_corpus(sentences, seed=seed), seed=seed, **settings)
    for _ in range(sweeps):
        sampler.sweep()
    return sampler


class Proposal:
    """The proposal grammar of a sampler's counts as they are, for one sentence."""

    def __init__(self, sampler: Sampler, tags: list[int]) -> None:
        self.sampler, self.n = sampler, len(tags)
        self.tags = np.array(tags)
        first = sampler.layout.first_fragment
        self.counts = sampler.seats.dish_customers[first:], sampler.seats.dish_tables[first:]
        with_fragments = sampler.settings.with_fragments
        self.n_tags = sampler.layout.n_tags
        local_weights(
            sampler.seats,
            self.n_tags,
            sampler._bars,
            self.tags,
            self.n,
            sampler._local,
            with_fragments,
        )
        self.total = fill_chart(
            sampler._chart,
            sampler.fragments,
            sampler._local,
            *self.counts,
            self.tags,
            self.n,
            with_fragments,
        )

    def draws(self, times: int, seed: int = 0) -> Counter:
        random, found = np.random.default_rng(seed), Counter()
        heads, cuts = np.zeros(self.n, np.int64), np.zeros((self.n, 4), np.int64)
        for _ in range(times):
            draw_derivation(
                self.sampler._chart,
                self.sampler.fragments,
                self.sampler._local,
                *self.counts,
                self.tags,
                self.n,
                heads,
                cuts,
                (random.random(64 * self.n), np.zeros(1, np.int64)),
            )
            found[tuple(heads.tolist()), tuple(map(tuple, cuts.tolist()))] += 1
        return found


def proposal_weights(sampler: Sampler, tags: list[int]) -> dict:
    """Return the weight of every derivation of a sentence under frozen counts."""
    model, bars = model_of(sampler), sampler._bars
    known: dict = {}
    found = {}
    for heads, cuts in all_derivations(len(tags)):
        if not sampler.settings.with_fragments and not all(map(all, cuts)):
            continue
        weight = 1.0
        for fragment in fragments_of(tags, list(heads), cuts):
            if fragment not in known:
                known[fragment] = model.fragment(fragment)
            weight *= known[fragment]
        for word, head in enumerate(heads):
            weight *= bars[0 if head < 0 else 1 + tags[head], tags[word]]
        found[heads, cuts] = weight
    return found


def merged(observed: Counter, expected: dict, total: int) -> tuple[list[float], list[float]]:
    """Return both as lists, rare outcomes joined."""
    scale = total / sum(expected.values())
    often = [key for key, value in expected.items() if value * scale >= 8]
    seen, wanted = [observed[key] for key in often], [expected[key] * scale for key in often]
    if total - sum(wanted) > 1e-6:
        seen.append(total - sum(seen))
        wanted.append(total - sum(wanted))
    return seen, wanted


# ---------------------------------------------------------------------- the chart


@pytest.mark.parametrize("with_fragments", [True, False])
@pytest.mark.parametrize("tags", [[1], [1, 1], [0, 1, 0]])
def test_the_chart_sums_all_derivations(with_fragments, tags) -> None:
    sampler = swept(with_fragments=with_fragments)
    weights = proposal_weights(sampler, tags)
    assert Proposal(sampler, tags).total == pytest.approx(sum(weights.values()), rel=1e-12)


@pytest.mark.slow
def test_the_chart_sums_all_derivations_of_four_words() -> None:
    sampler = swept(20, sentences=100)
    tags = [0, 1, 1, 0]
    weights = proposal_weights(sampler, tags)
    assert len(weights) == 30 * 2**14
    assert Proposal(sampler, tags).total == pytest.approx(sum(weights.values()), rel=1e-12)


def test_weights_of_arcs_are_multiplied() -> None:
    bars = np.array([[0.3, 1.0], [0.5, 2.0], [0.1, 1.5]])
    sampler = sampler_of(random_corpus(40), weights=bars)
    for _ in range(8):
        sampler.sweep()
    weights = proposal_weights(sampler, [0, 1, 0])
    assert Proposal(sampler, [0, 1, 0]).total == pytest.approx(sum(weights.values()), rel=1e-12)


def test_without_fragments_it_is_the_chart_of_the_dmv() -> None:
    sampler = swept(with_fragments=False)
    model, n_tags = model_of(sampler), 2
    stop = np.zeros((n_tags, 2, 2))
    attach = np.zeros((n_tags, 2, 1, n_tags))
    for tag in range(n_tags):
        for s, side in enumerate("LR"):
            for v, kind in enumerate(("first", "later")):
                stop[tag, s, v] = model.rule((side, kind, tag), "stop")
            attach[tag, s, 0] = [model.rule((side, "attach", tag), c) for c in range(n_tags)]
    root = np.array([model.rule(("S",), tag) for tag in range(n_tags)])
    tags = [0, 1, 1, 0, 1]
    e_step = expectations(Grammar(root, stop, 1 - stop, attach), corpus_of(tags))
    assert math.log(Proposal(sampler, tags).total) == pytest.approx(e_step.log_likelihood)


@pytest.mark.parametrize("with_fragments", [True, False])
def test_derivations_are_drawn_in_proportion_to_their_weight(with_fragments) -> None:
    sampler = swept(with_fragments=with_fragments)
    tags = [0, 1, 0]
    observed = Proposal(sampler, tags).draws(DRAWS)
    seen, wanted = merged(observed, proposal_weights(sampler, tags), DRAWS)
    assert len(wanted) > 5
    assert chisquare(seen, wanted).pvalue > 1e-4


def test_with_strong_bases_trees_are_those_of_the_dmv() -> None:
    sampler = swept()
    n = sampler.layout.n_nonterminals
    sampler.seats.discount[:n] = 0
    sampler.seats.concentration[:n] = 1e9
    sampler.seats.cuts[:] = 10**12
    sampler.seats.stays[:] = 0
    tags = [0, 1, 1, 0]
    observed: Counter = Counter()
    for (heads, _), times in Proposal(sampler, tags).draws(DRAWS).items():
        observed[heads] += times
    model = model_of(sampler)
    model.a, model.b, model.with_fragments = 0.5, 1.0, False  # of levels 2 and 3
    expected = {}
    for heads, cuts in all_derivations(len(tags)):
        if all(map(all, cuts)):
            fragments = fragments_of(tags, list(heads), cuts)
            expected[heads] = math.prod(model.rule(*fragment[:2]) for fragment in fragments)
    assert chisquare(*merged(observed, expected, DRAWS)).pvalue > 1e-4


# ---------------------------------------------------------------------- seats


def check_seats(sampler: Sampler) -> None:
    """Assert that customers below are tables above, and that all counts agree."""
    seats, layout, nodes = sampler.seats, sampler.layout, sampler.fragments
    n = layout.n_nonterminals
    assert (seats.dish_tables <= seats.dish_customers).all()
    assert ((seats.dish_tables > 0) == (seats.dish_customers > 0)).all()
    model = model_of(sampler)
    rules: Counter = Counter()
    cuts: Counter = Counter()
    for place, tables in model.tables.items():
        if place[0] != "fragments":
            continue
        for fragment, _ in tables:
            for symbol, choice in rules_of(fragment):
                rules[symbol, choice] += 1
            for cut in cuts_of(fragment):
                cuts[cut] += 1
    if sampler.settings.with_fragments:
        customers = Counter()
        for place, tables in model.tables.items():
            if place[0] == "rules":
                for choice, size in tables:
                    customers[place[1], choice] += size
        assert customers == rules
        assert +model.cuts == cuts
    for side in range(2):
        attach = [layout.nonterminal(t, 3 * side + 2) for t in range(layout.n_tags)]
        assert seats.customers[2 * n + side] == seats.tables[n + np.array(attach)].sum()
    used = int(nodes.n_used[0])
    assert seats.dish_customers[layout.first_fragment + used :].sum() == 0


@pytest.mark.parametrize("with_fragments", [True, False])
def test_customers_of_a_base_are_tables_above(with_fragments) -> None:
    sampler = swept(5, with_fragments=with_fragments)
    check_seats(sampler)
    sampler.resample_strengths()
    sampler.sweep()
    check_seats(sampler)
    total = sum(
        len(
            fragments_of(sampler.tags[b:e].tolist(), sampler.heads[b:e].tolist(), sampler.cuts[b:e])
        )
        for b, e in zip(sampler.offsets[:-1], sampler.offsets[1:], strict=True)
    )
    first = 0 if with_fragments else sampler.layout.n_nonterminals
    n = sampler.layout.n_nonterminals
    assert sampler.seats.customers[first : first + n].sum() == total


@pytest.mark.parametrize("with_fragments", [True, False])
def test_nothing_is_left_when_all_are_gone(with_fragments) -> None:
    sampler = swept(5, with_fragments=with_fragments)
    sampler.remove(np.random.default_rng(1).permutation(40))
    seats = sampler.seats
    for counts in (seats.customers, seats.tables, seats.dish_customers, seats.dish_tables):
        assert not counts.any()
    assert not seats.cuts.any()
    assert not seats.stays.any()
    assert (seats.dish_sizes == -1).all()
    assert seats.spare[1] == seats.size_value.size


def test_the_probability_of_all_seats_does_not_depend_on_the_order() -> None:
    """Sequential probabilities of tables, in two orders, are the closed form of the counts."""
    for seed in (0, 1):
        sampler = swept(6)
        order = np.random.default_rng(seed).permutation(40)
        sampler.remove(order)
        total = 0.0
        for sentence in order:
            before = sampler.seating().log_joint()
            sampler.add(np.array([sentence]))
            total += _sequential(sampler)
            assert total == pytest.approx(sampler.seating().log_joint(), abs=1e-9)
            assert sampler.seating().log_joint() < before


def _sequential(sampler: Sampler) -> float:
    """Return the log probability of what the journal says happened last, by the definition."""
    rows, length = sampler._journal
    lines = rows[: length[0]].copy()
    after = sampler.seats
    seats = after._replace(**{name: array.copy() for name, array in after._asdict().items()})
    take_back(seats, (lines, np.array([len(lines)])))
    n, layout = sampler.layout.n_nonterminals, sampler.layout
    total = 0.0
    for dish, place, before, now in lines.tolist():
        if dish < 0:
            counts = (seats.stays, seats.cuts)
            yes, no = counts[before], counts[1 - before]
            total += math.log((yes[place] + 1) / (yes[place] + no[place] + 2))
            yes[place] += now
            continue
        a, b = seats.discount[place], seats.concentration[place]
        share = before - a if before else a * seats.tables[place] + b
        total += math.log(share / (seats.customers[place] + b))
        # Of several tables of one size any may be meant: the journal names none of them.
        if not before:
            seats.tables[place] += 1
            is_attachment = n < place < 2 * n and (place - n - 1) % 8 in (2, 5)
            if place >= n and not is_attachment:
                total -= math.log(layout.n_tags if place in (n, 2 * n, 2 * n + 1) else 2)
        seats.customers[place] += 1
    return total


# ---------------------------------------------------------------------- exact posteriors


@pytest.mark.parametrize("with_fragments", [True, False])
def test_the_chain_has_the_exact_posterior(with_fragments) -> None:
    """Two sentences, one tag: the joint posterior, summed over all seats, against the chain."""
    sentences = ([0], [0, 0])
    model = SlowModel(1, fragments=with_fragments)
    expected: dict = {}
    for one in all_derivations(1):
        for two in all_derivations(2):
            if not with_fragments and not all(map(all, (*one[1], *two[1]))):
                continue
            fragments = fragments_of([0], list(one[0]), one[1])
            fragments += fragments_of([0, 0], list(two[0]), two[1])
            expected[one, two] = model.probability(fragments)
    sampler = sampler_of(corpus_of(*sentences, n_tags=1), with_fragments=with_fragments)
    observed: Counter = Counter()
    draws = 4_000
    for _ in range(draws):
        sampler.sweep()
        heads, cuts = sampler.heads.tolist(), list(map(tuple, sampler.cuts.tolist()))
        one = (tuple(heads[:1]), tuple(cuts[:1]))
        observed[one, (tuple(heads[1:]), tuple(cuts[1:]))] += 1
    seen, wanted = merged(observed, expected, draws)
    # Draws hang together a little, hence the low bar.
    assert chisquare(seen, wanted).pvalue > 1e-5
    assert set(observed) <= set(expected)


@pytest.mark.parametrize(("sweeps", "first_cuts"), [(10, 1.0), (0, 0.0), (5, 0.5)])
def test_large_fragments_are_not_made(sweeps, first_cuts) -> None:
    sampler = swept(sweeps, max_rules=2, first_cuts=first_cuts)
    used = int(sampler.fragments.n_used[0])
    first = sampler.layout.first_fragment
    customers = sampler.seats.dish_customers[first : first + used]
    assert (sampler.fragments.rules[:used][customers > 0] <= 2).all()


def test_most_proposals_are_accepted() -> None:
    exact = swept(20, sentences=100)
    always = swept(20, sentences=100, always_accepts=True)
    assert exact.acceptance > 0.9
    assert always.acceptance == 1
    assert (exact.heads != always.heads).any()
    stops = [s.seats.customers[: Layout(2).n_nonterminals].sum() for s in (exact, always)]
    assert stops[0] == pytest.approx(stops[1], rel=0.2)


def test_a_seed_gives_one_chain() -> None:
    one, same, other = swept(4, seed=1), swept(4, seed=1), swept(4, seed=2)
    assert (one.heads == same.heads).all()
    assert (one.cuts == same.cuts).all()
    assert one.heads.shape != other.heads.shape or (one.heads != other.heads).any()


def test_a_planted_idiom_becomes_a_fragment() -> None:
    """Where D A N always stand together, a fragment with two attachments is used again."""
    random = np.random.default_rng(0)
    d, a, noun, verb = range(4)
    sentences = []
    for _ in range(150):
        words = [[d, a, noun], [verb]]
        if random.random() < 0.5:
            words.append([d, a, noun])
        sentences.append([tag for group in words for tag in group])
    sampler = sampler_of(corpus_of(*sentences, n_tags=4), first_cuts=0.5)
    for _ in range(30):
        sampler.sweep()
        sampler.resample_strengths()
    model = model_of(sampler)
    found: Counter = Counter()
    for place, tables in model.tables.items():
        if place[0] == "fragments":
            for fragment, size in tables:
                attached = [c for symbol, c in rules_of(fragment) if symbol[1:2] == ("attach",)]
                if len(attached) >= 2:
                    found[fragment] += size
    assert found.most_common(1)[0][1] > 25
