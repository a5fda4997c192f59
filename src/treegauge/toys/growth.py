"""Sentences while they grow: all trees of a batch at once, as arrays over nodes.

A node is a word to be. Rules (`clauses`, `nominals`) give nodes their lexemes and features
and add dependents; nodes added in one round are looked at in the next one. Every rule works
on all nodes that it applies to, which is what makes the generator fast.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.toys.language import Displacement, ToyLanguage
from treegauge.toys.lexicon import Lexicon
from treegauge.toys.morphology import FEATURES, feature_index, value_index
from treegauge.toys.word_order import (
    RELATION,
    SLOT,
    SLOTS,
    WordOrder,
    positions,
    predicate_order,
)

Nodes = NDArray[np.int64]
"""Numbers of nodes."""
Mask = NDArray[np.bool_]
"""True or false for every node of a list."""

CLAUSE, NOMINAL, PRONOUN, MODIFIER, NOUN_PREDICATE, ADJECTIVE_PREDICATE, LEAF = range(7)
"""What a node is the head of; a predicate is a nominal or adjective with a clause around it."""

STATEMENT, EXCLAMATION, QUESTION, WHO, WHERE, COMMAND, FRAGMENT, CRY = range(8)
"""What a sentence is: `QUESTION` is a yes-no question, `CRY` an interjection alone."""

NOWHERE = -1
"""The head of a root."""

_NODES_A_SENTENCE = 24

# About how many words a node of every kind cannot do without.
_EXPECTED = np.array([2.0, 0.5, 0.0, 0.0, 0.5, 0.0, 0.0])


class Growth:
    """A batch of sentences in the making.

    Attributes
    ----------
    sentence, head, relation, lexeme : int array over nodes
        What becomes of a node in the end.
    features : int8 array (nodes, features)
        Values in the order of `FEATURES`.
    kind : int array
        `CLAUSE` and so on; rules are chosen by it, and so is the order of dependents.
    place, slot, before : array
        Where the node stands: in whose phrase, in which slot, on which side of the head.
    displacement : int array over nodes
        Number (from 1) of the displacement that a main clause is to have, 0 for none.
    mover : int array over nodes
        The same, for the argument of that clause whose dependent is to move.
    has_subject, object_gap : bool array over nodes
        Whether a clause says its subject itself, and whether its object is left out because
        a relative clause is about it.
    conjuncts : int array over nodes
        How many more nominals are to be coordinated with this one.
    embedding : int array over nodes
        How many clauses are around the node.
    silent : bool array over nodes
        Whether the word is understood and not said; such a node has no dependents.
    mood, root : int array over sentences
        `STATEMENT` and so on, and the node at the top.
    """

    def __init__(
        self, language: ToyLanguage, lexicon: Lexicon, generator: np.random.Generator
    ) -> None:
        self.language = language
        self.lexicon = lexicon
        self._generator = generator
        self._displacements: Sequence[Displacement | None] = (None, *language.displacements)
        orders = phrase_orders(language)
        self._rank = np.array([order.rank for order in orders])
        self._is_free = np.array([order.is_free for order in orders])
        self._share_before = np.array([order.share_before for order in orders])
        self._head_rank = np.array([order.head_rank for order in orders])
        self.size = 0
        self._reserve(1 << 10)
        self.root: Nodes = np.zeros(0, np.int64)
        self.mood: NDArray[np.int64] = np.zeros(0, np.int64)
        self._budget = np.zeros(0)
        self._room: Mask = np.zeros(0, np.bool_)

    def _reserve(self, capacity: int) -> None:
        def grown(name: str, dtype: Any, *shape: int) -> NDArray[Any]:
            array = np.zeros((capacity, *shape), dtype)
            array[: self.size] = getattr(self, name, array)[: self.size]
            return array

        self.sentence = grown("sentence", np.int64)
        self.head = grown("head", np.int64)
        self.relation = grown("relation", np.int64)
        self.lexeme = grown("lexeme", np.int64)
        self.features = grown("features", np.int8, len(FEATURES))
        self.kind = grown("kind", np.int64)
        self.place = grown("place", np.int64)
        self.slot = grown("slot", np.int64)
        self.before = grown("before", np.int64)
        self.depth = grown("depth", np.int64)
        self.displacement = grown("displacement", np.int64)
        self.mover = grown("mover", np.int64)
        self.has_subject = grown("has_subject", np.bool_)
        self.object_gap = grown("object_gap", np.bool_)
        self.conjuncts = grown("conjuncts", np.int64)
        self.embedding = grown("embedding", np.int64)
        self.silent = grown("silent", np.bool_)

    # ------------------------------------------------------------------ chance

    def chances(self, number: int) -> NDArray[np.float64]:
        """Return numbers in [0, 1)."""
        return self._generator.random(number)

    def chosen(self, nodes: Nodes, weights: ArrayLike) -> NDArray[np.int64]:
        """Return for every node one of the numbers 0, 1, … that are weighted so."""
        bounds = np.cumsum(weights)
        return np.searchsorted(bounds[:-1] / bounds[-1], self.chances(len(nodes)), side="right")

    def some(self, nodes: Nodes, share: float, *, slot: str = "", room: bool = True) -> Nodes:
        """Return some of the nodes: those that get a dependent.

        Nodes whose sentence is long enough are left out (unless `room` is false); those
        from which something of this slot is to move are always among them.
        """
        chance = self.chances(len(nodes)) < share
        if room:
            chance &= self.has_room(nodes)
        return nodes[chance | self.moves(nodes, slot)]

    def has_room(self, nodes: Nodes) -> Mask:
        """Return whether the sentence of a node may still grow."""
        room: Mask = self._room[self.sentence[nodes]]
        return room

    def moves(self, nodes: Nodes, slot: str) -> Mask:
        """Return whether a node is one from which the dependent in this slot is to move."""
        whats = [item is not None and item.what == slot for item in self._displacements]
        mask: Mask = np.array(whats)[self.mover[nodes]]
        return mask

    # ------------------------------------------------------------------ nodes

    def plant(self, mood: NDArray[np.int64], budget: NDArray[np.float64]) -> Nodes:
        """Add the roots of new sentences, which grow until they have so many words."""
        self._reserve(_NODES_A_SENTENCE * len(mood))
        self.size = len(mood)
        self.root = roots = np.arange(len(mood))
        self.mood, self._budget = mood, budget
        self._room = budget > 1
        self.sentence[roots] = roots
        self.head[roots] = self.place[roots] = NOWHERE
        self.relation[roots] = RELATION["root"]
        return roots

    def add(
        self,
        heads: Nodes,
        slot: str,
        lexeme: ArrayLike = 0,
        *,
        relation: str = "",
        kind: int = LEAF,
        like: Nodes | None = None,
    ) -> Nodes:
        """Give every head a new dependent.

        Parameters
        ----------
        heads : Nodes
            One dependent is added for each.
        slot : str
            Where it stands in the phrase of its head, and what relation it has (unless
            `relation` says another).
        lexeme : int array
            Which word; may be decided later.
        kind : int
            What the new node is the head of.
        like : Nodes, optional
            Whose features it has: its head's where it agrees with it.
        """
        if not len(heads):
            return np.zeros(0, np.int64)
        first, last = self.size, self.size + len(heads)
        if last > len(self.head):
            self._reserve(2 * last)
        self.size = last
        new = slice(first, last)
        self.sentence[new] = self.sentence[heads]
        self.head[new] = self.place[new] = heads
        self.relation[new] = RELATION[relation or SLOTS[slot]]
        self.lexeme[new] = lexeme
        self.kind[new] = kind
        self.slot[new] = SLOT[slot]
        self.embedding[new] = self.embedding[heads] + (kind == CLAUSE and slot != "conj")
        if like is not None:
            self.features[new] = self.features[like]
        nodes = np.arange(first, last)
        self._move(nodes, heads, slot)
        self._choose_sides(nodes)
        self.depth[new] = self.depth[self.place[new]] + 1
        return nodes

    def _move(self, nodes: Nodes, heads: Nodes, slot: str) -> None:
        """Put what is to move to an edge of the main clause, and mark whose turn is next."""
        for number, item in enumerate(self._displacements):
            if item is None:
                continue
            if item.of == slot:
                marked = nodes[self.displacement[heads] == number]
                self.mover[marked] = number
            if item.what == slot:
                moving = nodes[self.mover[heads] == number]
                self.place[moving] = self.root[self.sentence[moving]]
                self.slot[moving] = SLOT[item.to]

    def _choose_sides(self, nodes: Nodes) -> None:
        kinds, slots = self.kind[self.place[nodes]], self.slot[nodes]
        share = self._share_before[kinds, slots]
        if share.min() < 0:
            missing = list(SLOTS)[slots[np.argmin(share)]]
            raise LookupError(f"{self.language.name}: no place for {missing} in a phrase")
        self.before[nodes] = self.chances(len(nodes)) < share
        # What something moves away from stands beyond the verb, seen from where it moves to.
        for number, item in enumerate(self._displacements):
            if item is not None:
                origin = (self.mover[nodes] == number) & (share > 0) & (share < 1)
                self.before[nodes[origin]] = item.to == "back"

    def set_feature(self, nodes: Nodes, feature: str, value: str | ArrayLike) -> None:
        """Give nodes a value of a feature, by name or by number."""
        number = value_index(feature, value) if isinstance(value, str) else value
        self.features[nodes, feature_index(feature)] = number

    def feature(self, nodes: Nodes, feature: str) -> NDArray[np.int8]:
        """Return the value of a feature, as a number."""
        values: NDArray[np.int8] = self.features[nodes, feature_index(feature)]
        return values

    def word(self, upos: str, name: str) -> int:
        """Return the lexeme of a function word."""
        return self.lexicon.number[upos, name]

    def draw(self, label: str, number: int) -> NDArray[np.int64]:
        """Return lexemes of an open class."""
        return self.lexicon.draw(label, self.chances(number))

    def draw_words(self, upos: str, weights: Mapping[str, float], nodes: Nodes) -> Nodes:
        """Return a function word for every node."""
        numbers = np.array([self.word(upos, name) for name in weights])
        return numbers[self.chosen(nodes, list(weights.values()))]

    def at_root(self, clauses: Nodes, *moods: int) -> Mask:
        """Return whether clauses are main clauses of sentences in one of the moods."""
        mask: Mask = self.head[clauses] == NOWHERE
        return mask & np.isin(self.mood[self.sentence[clauses]], moods)

    def start_round(self, nodes: Nodes) -> None:
        """Measure the sentences: those within their budget may grow in this round.

        `nodes` are those that this round will look at; heads among them need room for what
        they cannot do without.
        """
        expected = _EXPECTED[self.kind[nodes]]
        known = np.bincount(self.sentence[: self.size], minlength=len(self._budget))
        more = np.bincount(self.sentence[nodes], weights=expected, minlength=len(self._budget))
        self._room = known + more < self._budget

    # ------------------------------------------------------------------ the end

    def positions(self) -> NDArray[np.int64]:
        """Return the position of every node, counted through all sentences."""
        n = self.size
        place, slot, before = self.place[:n], self.slot[:n], self.before[:n]
        stands_in = (self.kind[place], before, slot)
        # Roots stand in no phrase, and in their own order.
        is_root = place == NOWHERE
        rank = np.where(is_root, 0, self._rank[stands_in])
        shuffled = (self.chances(n) * (1 << 30)).astype(np.int64)
        tie_break = np.where(self._is_free[stands_in] & ~is_root, shuffled, np.arange(n))
        return positions(place, rank, self._head_rank[self.kind[:n]], tie_break, self.depth[:n])


def phrase_orders(language: ToyLanguage) -> list[WordOrder]:
    """Return the orders of a language by kind of node."""
    lines = {
        CLAUSE: language.clause,
        NOMINAL: language.nominal,
        PRONOUN: language.nominal,
        MODIFIER: language.modifier,
        NOUN_PREDICATE: predicate_order(language.clause, language.nominal),
        ADJECTIVE_PREDICATE: predicate_order(language.clause, language.modifier),
        # A word with a comma is all that a leaf can be.
        LEAF: language.modifier,
    }
    return [WordOrder(lines[kind], language.before) for kind in sorted(lines)]
