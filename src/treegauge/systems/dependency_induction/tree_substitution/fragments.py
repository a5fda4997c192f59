"""Flat arrays for elementary trees, charts and the weights of a sentence."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction.tree_substitution.nonterminals import KINDS, Layout

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Fragments(NamedTuple):
    """Nodes of elementary trees, each written once; see `_fragments_numba.py`."""

    nonterminal: Ints
    choice: Ints
    left: Ints
    right: Ints
    rules: Ints
    """How many rules the tree has whose root the node is."""
    slots: Ints
    """Open addressing: numbers of nodes, -1 where there is none."""
    n_used: Ints
    """One number: how many nodes there are."""
    known: Ints
    """[non-terminal, choice]: how many nodes there are, so that none is looked for in vain."""


def empty_fragments(nodes: int, n_tags: int) -> Fragments:
    """Return room for so many nodes."""
    slots = 1 << int(2 * nodes).bit_length()
    layout = Layout(n_tags)
    nonterminal, choice, left, right, rules = np.zeros((5, nodes), np.int64)
    return Fragments(
        *(nonterminal, choice, left, right, rules),
        slots=np.full(slots, -1, np.int64),
        n_used=np.zeros(1, np.int64),
        known=np.zeros((layout.n_nonterminals, layout.width), np.int64),
    )


class Chart(NamedTuple):
    """Items of a chart, and the lists of nodes that match there."""

    base: Floats
    """B: the weight of all fragments made of rules; by item, as all to `end`."""
    inside: Floats
    """I: the weight of all fragments."""
    value: Floats
    """V: cut or not."""
    begin: Ints
    """Where the list of an item begins."""
    end: Ints
    node: Ints
    """Of all lists, one behind the other."""
    weight: Floats
    place: Ints
    """Where a node stands in the list that is being written."""
    used: Ints
    """How much of the lists is used; whether there was no room."""


def empty_chart(words: int, *, entries: int, nodes: int) -> Chart:
    """Return a chart for sentences of at most so many words."""
    items = 8 * words * words + 1
    base, inside, value = np.zeros((3, items))
    begin, end = np.zeros((2, items), np.int64)
    return Chart(
        *(base, inside, value, begin, end),
        node=np.zeros(entries, np.int64),
        weight=np.zeros(entries),
        place=np.zeros(nodes, np.int64),
        used=np.zeros(2, np.int64),
    )


class LocalWeights(NamedTuple):
    """The grammar for the words of one sentence; the last row is that of the sentence."""

    stop: Floats
    """[word, side, valence]."""
    go: Floats
    attach: Floats
    """[head, dependent], with the weight of the arc."""
    bar: Floats
    """The weight of the arc alone, which known fragments have too."""
    root: Floats
    root_bar: Floats
    cut: Floats
    """[word, kind]: s."""
    base: Floats
    """The share of fragments that the base makes."""
    per_customer: Floats
    discount: Floats
    scale: Floats
    """Under a frozen sample: what every word's left stop is multiplied with, so that long
    sentences stay in range."""


def empty_local_weights(words: int) -> LocalWeights:
    """Return weights for sentences of at most so many words."""
    cut, base, per_customer, discount = np.zeros((4, words + 1, KINDS))
    return LocalWeights(
        stop=np.zeros((words, 2, 2)),
        go=np.zeros((words, 2, 2)),
        attach=np.zeros((words, words)),
        bar=np.zeros((words, words)),
        root=np.zeros(words),
        root_bar=np.zeros(words),
        cut=cut,
        base=base,
        per_customer=per_customer,
        discount=discount,
        scale=np.ones(1),
    )
