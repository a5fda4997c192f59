"""The second stage: what relation each arc of a tree is (McDonald, Lerman and Pereira 2006).

A multiclass averaged perceptron, trained on gold trees. The weights of a feature lie beside each
other, one per relation; where they begin is the feature's hash.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.parsers.graph import _relation_labeller_numba as kernels
from treegauge.systems.parsers.graph.arc_model import drawn_to_hide, hide_words
from treegauge.systems.parsers.graph.relation_features import (
    ALL_ATOMS,
    RELATION_TEMPLATES,
    TREE_ATOMS,
)
from treegauge.systems.parsers.graph.templates import encoded, usable
from treegauge.systems.parsers.graph.word_atoms import (
    ATOMS,
    AtomTable,
)
from treegauge.systems.saved_state import SavedState, damaged, vocabulary_arrays
from treegauge.systems.system import Arrays, OnProgress
from treegauge.treebank import Column, Vocabulary

_NEEDS = {
    "up": "p",
    "<sib": "p",
    "sib>": "p",
    "<sibw": "w",
    "sib>w": "w",
    "kid<": "p",
    ">kid": "p",
    "kid<w": "w",
    ">kidw": "w",
}


class RelationLabeller:
    """Relations of arcs, given all heads.

    Parameters
    ----------
    relations : Vocabulary
        In the order of their numbers.
    atoms : tuple of str
        The atoms of words that there are; templates with others are left out.
    weights : float32 array
        A power of two long, and as many more as there are relations.
    single_features : bool
        Whether every morphological feature of both words is read by itself too.
    """

    def __init__(
        self,
        relations: Vocabulary,
        atoms: tuple[str, ...],
        weights: NDArray[np.float32],
        *,
        single_features: bool,
    ) -> None:
        self.relations = relations
        self.single_features = single_features
        self.weights = weights
        of_tree = [atom for atom in TREE_ATOMS if atom not in _NEEDS or _NEEDS[atom] in atoms]
        self.templates = usable(RELATION_TEMPLATES, [*atoms, *of_tree])
        self._templates = encoded(self.templates, ALL_ATOMS)
        self._shift = np.uint64(64 - ((len(weights) - len(relations)).bit_length() - 1))

    @classmethod
    def learn(
        cls,
        table: AtomTable,
        heads: NDArray[np.int32],
        relations: Column,
        atoms: tuple[str, ...],
        occurrences: NDArray[np.int64],
        *,
        unknown_share: float,
        single_features: bool,
        margin: float,
        epochs: int,
        table_bits: int,
        seed: int,
        on_progress: OnProgress,
    ) -> RelationLabeller:
        """Learn from heads and relations of all words of a treebank.

        A right relation has to win by the margin times the number of an arc's features.
        """
        relations = relations.compact()
        n_relations = len(relations.vocabulary)
        weights = np.zeros((1 << table_bits) + n_relations, np.float32)
        model = cls(relations.vocabulary, atoms, weights, single_features=single_features)
        gold = np.zeros(len(table.codes), np.int32)
        gold[table.rows] = relations.codes
        weighted_updates = np.zeros(len(weights))
        generator = np.random.default_rng(seed)
        feature_starts = model._feature_starts(table)
        step = 1
        for epoch in range(epochs):
            hidden = drawn_to_hide(occurrences, unknown_share, generator)
            codes, head_of_row = _with_tree_atoms(table, heads, hidden)
            right, step = kernels.learn(
                codes,
                table.starts,
                generator.permutation(len(table.offsets) - 1),
                head_of_row,
                gold,
                model._templates,
                table.features,
                feature_starts,
                table.feature_value,
                weights,
                weighted_updates,
                model._shift,
                n_relations,
                np.float32(margin),
                step,
            )
            share = right / max(1, len(heads))
            on_progress(
                (epoch + 1) / epochs,
                f"relations, epoch {epoch + 1} of {epochs}: {share:.1%} right",
            )
        weights -= weighted_updates / step
        return model

    def label(self, table: AtomTable, heads: NDArray[np.int32]) -> Column:
        """Return the relation of every word of a treebank to its head."""
        nothing = np.zeros(len(heads), np.bool_)
        codes, head_of_row = _with_tree_atoms(table, heads, nothing)
        relations = np.zeros(len(codes), np.int32)
        kernels.label(
            codes,
            table.starts,
            head_of_row,
            self._templates,
            table.features,
            self._feature_starts(table),
            table.feature_value,
            self.weights,
            self._shift,
            len(self.relations),
            relations,
        )
        return Column(relations[table.rows], self.relations).compact()

    def _feature_starts(self, table: AtomTable) -> NDArray[np.int64]:
        """Return where the single features of each value begin, if any are read."""
        starts = table.feature_starts
        return starts if self.single_features else np.zeros_like(starts)

    # ------------------------------------------------------------------ save and load

    def to_arrays(self) -> Arrays:
        """Return relations, and the weights that are not zero with their places."""
        places = np.flatnonzero(self.weights)
        return {
            **vocabulary_arrays(self.relations, "relations"),
            "relation_places": places.astype(np.int32),
            "relation_weights": self.weights[places],
        }

    @classmethod
    def restored(
        cls, saved: SavedState, atoms: tuple[str, ...], *, single_features: bool, table_bits: int
    ) -> RelationLabeller:
        """Return the labeller that `to_arrays` gave."""
        relations = saved.vocabulary("relations")
        if not len(relations):
            raise damaged("it has no relations")
        size = (1 << table_bits) + len(relations)
        weights = saved.weights("relation_places", "relation_weights", size)
        return cls(relations, atoms, weights, single_features=single_features)


def _with_tree_atoms(
    table: AtomTable, heads: NDArray[np.int32], hidden: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return all atoms of all rows, those of trees included, and the heads by row."""
    codes = np.zeros((len(table.codes), len(ALL_ATOMS)), np.int32)
    codes[:, : len(ATOMS)] = hide_words(table, hidden)
    head_of_row = np.zeros(len(codes), np.int32)
    head_of_row[table.rows] = heads
    kernels.fill_tree_atoms(codes, table.starts, head_of_row, len(ATOMS))
    return codes, head_of_row
