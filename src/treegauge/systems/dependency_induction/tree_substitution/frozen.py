"""A kept sample as a grammar: rules, known fragments, and the posteriors of arcs under it.

Counts are frozen: the grammar is that of the sampler's proposals, for a sentence more. Fragments
that one customer has are left out, and their share goes to the base: they are most of the
memory, and of the time, and next to nothing of the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction.chart import Grammar, TagCorpus, expectations
from treegauge.systems.dependency_induction.chart.corpus import Shard
from treegauge.systems.dependency_induction.chart.parallel import on_shards
from treegauge.systems.dependency_induction.tree_substitution._arc_posteriors_numba import (
    arc_posteriors,
)
from treegauge.systems.dependency_induction.tree_substitution._fragments_numba import (
    CUT,
    NONE,
    keep_used,
)
from treegauge.systems.dependency_induction.tree_substitution.fragments import (
    empty_fragments,
    empty_local_weights,
)
from treegauge.systems.dependency_induction.tree_substitution.nonterminals import (
    ATTACH,
    KINDS,
    REST,
    SIDE,
    Layout,
)
from treegauge.systems.dependency_induction.tree_substitution.restaurants import Seats
from treegauge.systems.dependency_induction.tree_substitution.sampler import Sampler
from treegauge.systems.saved_state import SavedState, damaged

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Arrays = dict[str, NDArray[Any]]

_FEWEST = 2
"""Customers of a fragment that is kept."""
_MOST_NODES = 2**24
_GRAMMAR = ("root", "stop", "go", "attach")


@dataclass(frozen=True, eq=False)
class FrozenSample:
    """What a sampler knew at one moment."""

    grammar: Grammar
    """Probabilities of rules."""
    shares: Floats
    """[4, non-terminals]: cuts; the base's share; share of a customer; discount."""
    nodes: Ints
    """[nodes, 6]: non-terminal, choice, left, right, customers, tables; children come first."""

    @classmethod
    def of(cls, sampler: Sampler) -> FrozenSample:
        """Return the sample of a chain as it is."""
        seats, layout = sampler.seats, sampler.layout
        grammar = rule_grammar(seats, layout)
        if not sampler.settings.with_fragments:
            return cls(grammar, np.zeros((4, 0)), np.zeros((0, 6), np.int64))
        n = layout.n_nonterminals
        own = seats.customers[:n] + seats.concentration[:n]
        base = (seats.discount[:n] * seats.tables[:n] + seats.concentration[:n]) / own
        cut = (seats.cuts + 1) / (seats.cuts + seats.stays + 2)
        used, first = int(sampler.fragments.n_used[0]), layout.first_fragment
        table = np.stack([array[:used] for array in sampler.fragments[:4]], axis=1)
        customers = seats.dish_customers[first : first + used]
        tables = seats.dish_tables[first : first + used]
        rare = (customers > 0) & (customers < _FEWEST)
        masses = customers[rare] - seats.discount[table[rare, 0]] * tables[rare]
        np.add.at(base, table[rare, 0], masses / own[table[rare, 0]])
        nodes = np.column_stack([table, np.where(rare, 0, customers), np.where(rare, 0, tables)])
        shares = np.stack([cut, base, 1 / own, seats.discount[:n]])
        return cls(grammar, shares, _used_nodes(nodes, layout.n_tags))

    @property
    def with_fragments(self) -> bool:
        """Whether there is more than rules."""
        return self.shares.size > 0

    @property
    def most_nodes(self) -> int:
        """The nodes of the tag that has the most of them."""
        tags = (self.nodes[:, 0] - 1) // KINDS
        return int(np.bincount(tags[tags >= 0]).max(initial=0))

    # ------------------------------------------------------------------ posteriors

    def arc_posteriors(
        self, corpus: TagCorpus, *, bars: Floats | None = None, threads: int | None = None
    ) -> Floats:
        """Return posteriors of arcs, packed as in `chart/corpus.py`.

        `bars` are weights of arcs by tags, [tags + 1, tags], row 0 for the root.
        """
        if not self.with_fragments:
            grammar = self.grammar if bars is None else self.grammar.weighted(bars)
            marginals = expectations(grammar, corpus, marginals=True, threads=threads).marginals
            assert marginals is not None
            return marginals
        weights = np.ones((corpus.n_tags + 1, corpus.n_tags)) if bars is None else bars
        prepared = self._prepared()

        def work(shard: Shard) -> Floats:
            return _shard_posteriors(prepared, shard, np.ascontiguousarray(weights))

        return corpus.arcs_from_shards(on_shards(work, corpus.shards, threads=threads))

    def _prepared(self) -> tuple[Any, ...]:
        """Return the sample as kernels want it."""
        grammar = self.grammar
        rules = tuple(
            np.ascontiguousarray(table)
            for table in (grammar.root, grammar.stop, grammar.go, grammar.attach)
        )
        # A word's rules: a tag, and about four decisions.
        scale = 4.0 * grammar.n_tags
        shares = np.ascontiguousarray(self.shares)
        return rules, shares, _frozen_fragments(self.nodes, shares, grammar.n_tags), scale

    def with_unknown(self, grammar: Grammar, tag_shares: Sequence[float]) -> FrozenSample:
        """Return the sample for one more tag, of which no fragment is known."""
        if not self.with_fragments:
            return FrozenSample(grammar, self.shares, self.nodes)
        by_tag = self.shares[:, 1:].reshape(4, -1, KINDS)
        average = np.tensordot(np.array(tag_shares), by_tag, ([0], [1]))
        average[1], average[2] = 1.0, 0.0  # all from the base
        return FrozenSample(grammar, np.concatenate([self.shares, average], axis=1), self.nodes)

    # ------------------------------------------------------------------ files

    def arrays(self, prefix: str) -> Arrays:
        """Return the sample as `save` writes it."""
        tables = self.grammar.arrays()
        return {
            **{f"{prefix}{name}": tables[name] for name in _GRAMMAR},
            f"{prefix}shares": self.shares,
            f"{prefix}nodes": self.nodes.astype(np.int32),
        }

    @classmethod
    def restored(cls, saved: SavedState, prefix: str, n_tags: int) -> FrozenSample:
        """Return the sample that `arrays` gave, checked."""
        shapes: dict[str, tuple[int, ...]] = {
            "root": (n_tags,),
            "stop": (n_tags, 2, 2),
            "go": (n_tags, 2, 2),
            "attach": (n_tags, 2, 1, n_tags),
        }
        tables = {
            name: saved.numbers(f"{prefix}{name}", shape, least=0, most=1)
            for name, shape in shapes.items()
        }
        shares = saved.numbers(f"{prefix}shares", (4, None), least=0, most=1e9)
        nodes = saved.integers(f"{prefix}nodes", shape=(None, 6), least=NONE)
        layout = Layout(n_tags)
        if shares.shape[1] not in (0, layout.n_nonterminals) or len(nodes) > _MOST_NODES:
            raise damaged("its fragments do not fit its tags")
        _check_nodes(nodes, layout)
        return cls(Grammar.from_arrays(tables), shares, nodes)


def rule_grammar(seats: Seats, layout: Layout) -> Grammar:
    """Return the probabilities of all rules, level 2 over level 3."""
    n, width, n_tags = layout.n_nonterminals, layout.width, layout.n_tags

    def predictive(restaurants: slice, dishes: slice, base: Floats) -> Floats:
        b, a = seats.concentration[restaurants, None], seats.discount[restaurants, None]
        shape = (b.shape[0], -1)
        customers = seats.dish_customers[dishes].reshape(shape)
        own = customers - a * seats.dish_tables[dishes].reshape(shape)
        opened = a * seats.tables[restaurants, None] + b
        found: Floats = (own + opened * base) / (seats.customers[restaurants, None] + b)
        return found

    dependents = predictive(
        slice(2 * n, 2 * n + 2),
        slice(layout.first_dependent, layout.first_fragment),
        np.full((1, n_tags), 1 / n_tags),
    )
    base = np.full((n, width), 0.5)
    base[0] = 1 / n_tags
    for side in range(2):
        attachments = 1 + KINDS * np.arange(n_tags) + side * SIDE + ATTACH
        base[attachments, :n_tags] = dependents[side]
    rules = predictive(slice(n, 2 * n), slice(0, n * width), base)
    by_tag = rules[1:].reshape(n_tags, KINDS, width)[:, :REST].reshape(n_tags, 2, SIDE, width)
    return Grammar(
        rules[0, :n_tags],
        by_tag[:, :, :ATTACH, 0],
        by_tag[:, :, :ATTACH, 1],
        by_tag[:, :, ATTACH:, :n_tags],
    )


# ---------------------------------------------------------------------- for kernels


class FrozenFragments(NamedTuple):
    """Nodes in the order of non-terminal and choice, so that those of a tag are neighbours."""

    left: Ints
    right: Ints
    mass: Floats
    """What a fragment's own customers give it; 0 for nodes that are inside others only."""
    bucket: Ints
    """[non-terminal * width + choice]: where its nodes begin."""
    of_tag: Ints
    """Where the nodes of a tag begin."""
    width: int
    """Choices of a non-terminal."""


class FrozenChart(NamedTuple):
    """The chart of a sentence, or derivatives by what is in it; see `_arc_posteriors_numba.py`."""

    weight: Floats
    """[kind, word, width] of I, then [word, node, width]."""
    base: Floats
    """[kind, word, width]: B, the weight of all fragments made of rules."""
    value: Floats
    """V: cut or not."""
    rest: Floats
    """[side, head, distance]: a dependent and all between it and its head, by rules."""
    first_row: Ints
    """The first row of a word's nodes."""


def _empty_chart(entries: int, words: int) -> FrozenChart:
    """Return a chart for sentences of at most so many words, with so many weights."""
    return FrozenChart(
        weight=np.zeros(entries),
        base=np.zeros(REST * words**2),
        value=np.zeros(REST * words**2),
        rest=np.zeros(2 * words**2),
        first_row=np.zeros(words, np.int64),
    )


def _frozen_fragments(nodes: Ints, shares: Floats, n_tags: int) -> FrozenFragments:
    layout = Layout(n_tags)
    nonterminal, choice, left, right, customers, tables = nodes.T
    buckets = nonterminal * layout.width + choice
    order = np.argsort(buckets, kind="stable")
    number = np.empty(len(nodes) + 2, np.int64)
    number[order] = np.arange(len(nodes))
    number[-2:] = NONE, CUT  # which negative numbers lead to
    own = np.maximum(customers - shares[3, nonterminal] * tables, 0.0)
    mass = np.where(customers > 0, own * shares[2, nonterminal], 0.0)
    bucket = np.searchsorted(buckets[order], np.arange(layout.n_nonterminals * layout.width + 1))
    return FrozenFragments(
        number[left[order]],
        number[right[order]],
        mass[order],
        bucket,
        bucket[(1 + KINDS * np.arange(n_tags + 1)) * layout.width],
        layout.width,
    )


def _used_nodes(nodes: Ints, n_tags: int) -> Ints:
    """Return the nodes of fragments that have customers, numbered anew."""
    fragments = empty_fragments(max(1, len(nodes)), n_tags)
    for array, column in zip(fragments[:4], nodes.T[:4], strict=True):
        array[: len(nodes)] = column
    fragments.n_used[0] = len(nodes)
    customers, tables = (np.ascontiguousarray(nodes[:, k]) for k in (4, 5))
    keep_used(fragments, customers, tables, np.full(customers.size, -1, np.int64))
    count = int(fragments.n_used[0])
    columns = [*(array[:count] for array in fragments[:4]), customers[:count], tables[:count]]
    return np.stack(columns, axis=1)


def _shard_posteriors(prepared: tuple[Any, ...], shard: Shard, bars: Floats) -> Floats:
    rules, shares, fragments, scale = prepared
    packed = np.zeros(int(shard.arc_offsets[-1]))
    lengths = np.diff(shard.offsets)
    if not lengths.any():
        return packed
    tags = shard.tags.astype(np.int64)
    rows = np.append(0, np.cumsum(REST + np.diff(fragments.of_tag)[tags]))[shard.offsets]
    longest = int(lengths.max())
    entries = int((np.diff(rows) * lengths).max())
    chart, slope = _empty_chart(entries, longest), _empty_chart(entries, longest)
    arc_posteriors(
        *(tags, shard.offsets, shard.arc_offsets, rules, shares, bars, fragments, scale),
        *(chart, slope, empty_local_weights(longest), packed),
    )
    return packed


def _check_nodes(nodes: Ints, layout: Layout) -> None:
    """Refuse nodes that no fragment has: kernels read wherever these lead."""
    nonterminal, choice, left, right, customers, tables = nodes.T
    number = np.arange(len(nodes))
    kind = np.where(nonterminal > 0, (nonterminal - 1) % KINDS, -1)
    fits = (nonterminal >= 0) & (nonterminal < layout.n_nonterminals)
    fits &= (choice >= 0) & (choice < layout.width)
    fits &= (left < number) & (right < number)  # also: no circles
    fits &= (tables >= 0) & (tables <= customers)
    if not fits.all() or len(np.unique(nodes[:, :4], axis=0)) < len(nodes):
        raise damaged("its fragments are no trees")
    _check_children(nodes, kind)


def _check_children(nodes: Ints, kind: Ints) -> None:
    """Refuse children that are not of the non-terminal that their parents say."""
    nonterminal, choice, left, right = nodes.T[:4]
    head = np.maximum(nonterminal - 1, 0) // KINDS
    side = np.where(kind >= REST, kind - REST, np.maximum(kind, 0) // SIDE)
    is_rest, is_attachment = kind >= REST, (kind < REST) & (kind % SIDE == ATTACH) & (kind >= 0)
    is_decision = (kind >= 0) & ~is_rest & ~is_attachment
    of_choice = 1 + KINDS * choice
    wanted_left = np.where(is_rest, of_choice + (1 - side) * SIDE, of_choice + side * SIDE)
    wanted_left = np.where(kind < 0, of_choice, wanted_left)
    wanted_left = np.where(is_decision, 1 + KINDS * head + side * SIDE + ATTACH, wanted_left)
    wanted_right = np.where(is_rest, 1 + KINDS * head + side * SIDE + 1, of_choice + SIDE)
    wanted_right = np.where(is_attachment, 1 + KINDS * head + REST + side, wanted_right)
    for child, wanted in ((left, wanted_left), (right, wanted_right)):
        inner = child >= 0
        if (nonterminal[child[inner]] != wanted[inner]).any():
            raise damaged("its fragments are no trees")
    no_child = is_decision & (choice == 0)
    wrong = no_child & ((left != NONE) | (right != NONE))
    wrong |= is_decision & (choice > 1)
    wrong |= is_decision & (choice == 1) & ((left == NONE) | (right != NONE))
    wrong |= ~is_decision & ((left == NONE) | (right == NONE))
    wrong |= is_attachment & ((right == CUT) | (choice != _choice_of(nodes, right)))
    if wrong.any():
        raise damaged("its fragments are no trees")


def _choice_of(nodes: Ints, child: Ints) -> Ints:
    """Return the choice of children that there are; -1 for others."""
    found: Ints = np.append(nodes[:, 1], -1)[np.where(child >= 0, child, -1)]
    return found
