"""The arc model: a weight for every feature of an arc, learnt by parsing the training data.

References
----------
McDonald, Crammer and Pereira (2005), Online large-margin training of dependency parsers. ACL
(MIRA; one-best as in their section 2.3). Crammer et al. (2006), Online passive-aggressive
algorithms. JMLR (the size of a step). Collins (2002), Discriminative training methods for hidden
Markov models. EMNLP (the averaged perceptron). Kiperwasser and Goldberg (2016), Simple and accurate
dependency parsing using bidirectional LSTM feature representations. TACL (which words are made
unknown in training).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.parsers.graph import _arc_model_numba as kernels
from treegauge.systems.parsers.graph.arc_features import BETWEEN, TEMPLATES
from treegauge.systems.parsers.graph.sibling_features import SIBLING_PAIRS, SIBLING_TRIPLES
from treegauge.systems.parsers.graph.templates import encoded, usable
from treegauge.systems.parsers.graph.word_atoms import ATOMS, LEXICAL, UNKNOWN, AtomTable
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress

Learner = Literal["mira", "perceptron"]
Decoder = Literal["eisner", "cle"]

_PORTION = 1000
"""Sentences between two lines of progress."""


@dataclass(frozen=True)
class ArcTraining:
    """How an arc model is learnt."""

    learner: Learner
    decoder: Decoder
    siblings: bool
    """Whether neighbouring dependents of a head have scores; for projective trees only."""
    single_root: bool
    epochs: int
    aggressiveness: float
    """The largest step of MIRA."""
    unknown_share: float
    """How often a word that is seen once counts as unknown; see `drawn_to_hide`."""


class ArcModel:
    """Scores of arcs.

    Parameters
    ----------
    atoms : tuple of str
        The atoms that there are; templates with others are left out.
    weights : float32 array, a power of two long
    siblings : bool
        Whether neighbouring dependents of a head have scores too; for projective trees only.
    root_tags : bool
        Whether arcs from the root read the tags before and after the dependent. All models do
        that were not saved before there was such a thing.
    """

    def __init__(
        self,
        atoms: tuple[str, ...],
        weights: NDArray[np.float32],
        *,
        siblings: bool,
        root_tags: bool = True,
    ) -> None:
        self.weights = weights
        self.siblings = siblings
        self.root_tags = root_tags
        self.templates = usable(TEMPLATES, atoms)
        self._templates = encoded([*self.templates, BETWEEN], ATOMS)
        pairs, triples = (
            usable(templates, atoms) if siblings else ()
            for templates in (SIBLING_PAIRS, SIBLING_TRIPLES)
        )
        self._n_pairs = len(pairs)
        self._sibling_templates = encoded([*pairs, *triples], ATOMS, sides=3)
        self._shift = np.uint64(64 - (len(weights).bit_length() - 1 - 4))

    @classmethod
    def learn(
        cls,
        table: AtomTable,
        heads: NDArray[np.int32],
        atoms: tuple[str, ...],
        occurrences: NDArray[np.int64],
        how: ArcTraining,
        *,
        table_bits: int,
        seed: int,
        on_progress: OnProgress,
    ) -> ArcModel:
        """Learn from the heads of all words of a treebank, given as an array over them."""
        model = cls(atoms, np.zeros(1 << table_bits, np.float32), siblings=how.siblings)
        generator = np.random.default_rng(seed)
        gold = np.zeros(len(table.codes), np.int32)
        gold[table.rows] = heads
        weighted_updates = np.zeros(len(model.weights))
        difference = np.zeros(len(model.weights), np.int16)
        n_sentences = len(table.offsets) - 1
        step = 1
        for epoch in range(how.epochs):
            order = generator.permutation(n_sentences)
            hidden = drawn_to_hide(occurrences, how.unknown_share, generator)
            codes = hide_words(table, hidden)
            right = 0
            for begin in range(0, n_sentences, _PORTION):
                more, step = kernels.learn(
                    codes,
                    table.starts,
                    order[begin : begin + _PORTION],
                    gold,
                    model._templates,
                    model._sibling_templates,
                    model._n_pairs,
                    model.root_tags,
                    table.features,
                    table.feature_starts,
                    table.feature_value,
                    model.weights,
                    weighted_updates,
                    difference,
                    model._shift,
                    how.decoder == "eisner",
                    how.single_root,
                    kernels.MIRA if how.learner == "mira" else kernels.PERCEPTRON,
                    how.aggressiveness,
                    step,
                )
                right += more
                done = (epoch + min(1.0, (begin + _PORTION) / n_sentences)) / how.epochs
                on_progress(done, f"arcs, epoch {epoch + 1} of {how.epochs}")
            share = right / max(1, len(heads))
            on_progress(
                (epoch + 1) / how.epochs,
                f"arcs, epoch {epoch + 1} of {how.epochs}: {share:.1%} of heads right",
            )
        model.weights -= weighted_updates / step
        return model

    def parse(
        self, table: AtomTable, *, decoder: Decoder, single_root: bool, on_progress: OnProgress
    ) -> NDArray[np.int32]:
        """Return the heads of the best trees, one for every word of the treebank."""
        heads = np.zeros(len(table.codes), np.int32)
        n_sentences = len(table.offsets) - 1
        for begin in range(0, n_sentences, _PORTION):
            end = min(begin + _PORTION, n_sentences)
            kernels.parse(
                table.codes,
                table.starts,
                begin,
                end,
                self._templates,
                self._sibling_templates,
                self._n_pairs,
                self.root_tags,
                table.features,
                table.feature_starts,
                table.feature_value,
                self.weights,
                self._shift,
                decoder == "eisner",
                single_root,
                heads,
            )
            on_progress(end / n_sentences, f"{end:,} sentences parsed")
        return heads[table.rows]

    def sibling_scores(self, table: AtomTable) -> Iterator[NDArray[np.float32]]:
        """Yield scores of siblings [head, dependent, inner sibling] of every sentence."""
        for first, after in zip(table.starts[:-1], table.starts[1:], strict=True):
            yield kernels.sibling_scores(
                table.codes,
                first,
                after - first - 1,
                self._sibling_templates,
                self._n_pairs,
                self.weights,
                self._shift,
            )

    def scores(self, table: AtomTable) -> Iterator[NDArray[np.float64]]:
        """Yield the matrix of scores [head, dependent] of every sentence."""
        for first, after in zip(table.starts[:-1], table.starts[1:], strict=True):
            yield kernels.sentence_scores(
                table.codes,
                first,
                after - first - 1,
                self._templates,
                self.root_tags,
                table.features,
                table.feature_starts,
                table.feature_value,
                self.weights,
                self._shift,
            )

    # ------------------------------------------------------------------ save and load

    def to_arrays(self) -> Arrays:
        """Return the weights that are not zero, and where they are."""
        places = np.flatnonzero(self.weights)
        return {
            "arc_places": places.astype(np.int32),
            "arc_weights": self.weights[places],
        }

    @classmethod
    def restored(
        cls,
        saved: SavedState,
        atoms: tuple[str, ...],
        *,
        siblings: bool,
        root_tags: bool,
        table_bits: int,
    ) -> ArcModel:
        """Return the model that `to_arrays` gave."""
        weights = saved.weights("arc_places", "arc_weights", 1 << table_bits)
        return cls(atoms, weights, siblings=siblings, root_tags=root_tags)


def drawn_to_hide(
    occurrences: NDArray[np.int64], unknown_share: float, generator: np.random.Generator
) -> NDArray[np.bool_]:
    """Draw words that are to be made unknown, rare ones more often.

    Of words seen c times it is s / (s + c (1 - s)), where s is the share of words seen once
    (Kiperwasser and Goldberg 2016, with s = alpha / (alpha + 1)).

    >>> seen = np.repeat([1, 3], 10_000)
    >>> drawn = drawn_to_hide(seen, 0.5, np.random.default_rng(0))
    >>> [round(float(drawn[seen == count].mean()), 1) for count in (1, 3)]
    [0.5, 0.2]
    """
    share = unknown_share / (unknown_share + occurrences * (1 - unknown_share))
    return np.asarray(generator.random(len(occurrences)) < share)


def hide_words(table: AtomTable, hidden: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return the atoms with some words made unknown, so that unknown words have weights too."""
    codes = table.codes.copy()
    rows = table.rows[hidden]
    for atom in LEXICAL:
        codes[rows, ATOMS.index(atom)] = UNKNOWN
    return codes
