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
    count: Ints
    known: Ints
    """[non-terminal, choice]: how many nodes there are, so that none is looked for in vain."""


def empty_fragments(nodes: int, n_tags: int) -> Fragments:
    """Return room for so many nodes."""
    slots = 1 << int(2 * nodes).bit_length()
    layout = Layout(n_tags)
    return Fragments(
        *(np.zeros(nodes, np.int64) for _ in range(5)),
        np.full(slots, -1, np.int64),
        np.zeros(1, np.int64),
        np.zeros((layout.n_nonterminals, layout.width), np.int64),
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
    return Chart(
        *(np.zeros(items) for _ in range(3)),
        *(np.zeros(items, np.int64) for _ in range(2)),
        np.zeros(entries, np.int64),
        np.zeros(entries),
        np.zeros(nodes, np.int64),
        np.zeros(2, np.int64),
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
    """What every word's left stop is multiplied with, so that long sentences stay in range."""


def empty_local_weights(words: int) -> LocalWeights:
    """Return weights for sentences of at most so many words."""
    return LocalWeights(
        np.zeros((words, 2, 2)),
        np.zeros((words, 2, 2)),
        np.zeros((words, words)),
        np.zeros((words, words)),
        np.zeros(words),
        np.zeros(words),
        *(np.zeros((words + 1, KINDS)) for _ in range(4)),
        np.ones(1),
    )
