"""One chain: derivations of all sentences, and the sweeps that draw them anew."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction.chart import TagCorpus
from treegauge.systems.dependency_induction.tree_substitution._fragments_numba import keep_used
from treegauge.systems.dependency_induction.tree_substitution._sweep_numba import (
    NODES_A_WORD,
    NUMBERS_A_SENTENCE,
    NUMBERS_A_WORD,
    SIZES_A_WORD,
    add_sentences,
    remove_sentences,
    sweep,
)
from treegauge.systems.dependency_induction.tree_substitution.fragments import (
    empty_chart,
    empty_fragments,
    empty_local_weights,
)
from treegauge.systems.dependency_induction.tree_substitution.nonterminals import Layout
from treegauge.systems.dependency_induction.tree_substitution.restaurants import (
    Seating,
    empty_seats,
    with_room,
)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_FIRST_ENTRIES = 4096
_SPARE_NODES = 8192
_EVENTS_A_RULE = 4


@dataclass(frozen=True)
class SamplerSettings:
    """What a chain is told."""

    with_fragments: bool = True
    """Without, every rule is a fragment of its own: a hierarchical Pitman-Yor DMV."""
    max_rules: int = 12
    """The largest number of rules per fragment."""
    first_cuts: float = 1.0
    """The share of nodes at which fragments begin at first; the rest is up to chance."""
    always_accepts: bool = False
    """For tests: take every proposal, as if counts did not change inside a sentence."""


class Sampler:
    """The state of a chain.

    Parameters
    ----------
    corpus : TagCorpus
        What is to be explained; every sentence has words.
    heads : int array
        Trees to begin with, 0 for the root.
    generator : Generator
        Where chance comes from.
    arc_weights : float array, [tags + 1, tags], optional
        What arcs are multiplied with, row 0 for the root; in proposal and model alike.
    """

    def __init__(
        self,
        corpus: TagCorpus,
        heads: NDArray[np.int32],
        generator: np.random.Generator,
        *,
        settings: SamplerSettings | None = None,
        arc_weights: Floats | None = None,
    ) -> None:
        self.settings = settings or SamplerSettings()
        self.generator = generator
        self.layout = Layout(corpus.n_tags)
        self.tags = corpus.tags.astype(np.int64)
        self.offsets = corpus.offsets
        self.heads: Ints = heads.astype(np.int64) - 1
        """Places inside the sentence, counted from 0; -1 for the root."""
        self.cuts = np.ones((corpus.n_words, 4), np.int64)
        """Where fragments begin; see `_fragments_numba.list_fragments`."""
        if self.settings.with_fragments and self.settings.first_cuts < 1:
            self.cuts[:] = generator.random(self.cuts.shape) < self.settings.first_cuts
        within = corpus.n_words - np.repeat(self.offsets[:-1], corpus.lengths)
        assert (self.heads < within).all()
        bars = np.ones((corpus.n_tags + 1, corpus.n_tags)) if arc_weights is None else arc_weights
        self._bars = np.array(bars, np.float64)
        self._longest = int(corpus.lengths.max(initial=1))
        nodes = _SPARE_NODES + NODES_A_WORD * (self._longest + 1)
        self.fragments = empty_fragments(nodes, corpus.n_tags)
        self.seats = empty_seats(
            self.layout, nodes=nodes, sizes=max(16, SIZES_A_WORD * (self._longest + 1))
        )
        self._chart = empty_chart(self._longest, entries=_FIRST_ENTRIES, nodes=nodes)
        self._local = empty_local_weights(self._longest)
        lines = 2 * SIZES_A_WORD * (self._longest + 1)
        self._journal = np.zeros((lines, 4), np.int64), np.zeros(1, np.int64)
        most_rules = 4 * self._longest
        self._events = np.zeros((_EVENTS_A_RULE * most_rules + 4, 2), np.int64)
        self.acceptance = 1.0
        """The share of proposals that the last sweep accepted."""
        self.add(np.arange(corpus.n_sentences))

    # ------------------------------------------------------------------ for kernels

    @property
    def model(self) -> tuple[int, int, bool, int]:
        """What kernels must know of the model."""
        settings = self.settings
        return (
            self.layout.n_tags,
            self.layout.first_fragment,
            settings.with_fragments,
            settings.max_rules,
        )

    @property
    def _work(self) -> tuple[object, ...]:
        return self.fragments, self._events, self._journal

    def _numbers(self) -> Floats:
        n_sentences, n_words = self.offsets.size - 1, self.tags.size
        return self.generator.random(NUMBERS_A_WORD * n_words + NUMBERS_A_SENTENCE * n_sentences)

    def add(self, sentences: Ints) -> float:
        """Seat the fragments of sentences; return the sum of their weights."""
        total = 0.0
        for chunk in np.array_split(sentences, max(1, sentences.size // 200)):
            self._make_room(int(np.diff(self.offsets)[chunk].sum()) + chunk.size)
            total += float(self._change(add_sentences, chunk))
        return total

    def remove(self, sentences: Ints) -> None:
        """Take the fragments of sentences away."""
        for chunk in np.array_split(sentences, max(1, sentences.size // 200)):
            self._make_room(int(np.diff(self.offsets)[chunk].sum()) + chunk.size)
            self._change(remove_sentences, chunk)

    def _change(self, kernel: object, sentences: Ints) -> float:
        assert callable(kernel)
        words = int(np.diff(self.offsets)[sentences].sum())
        numbers = self.generator.random(NUMBERS_A_WORD * words + 1)
        found: float = kernel(
            self.seats,
            self.model,
            self.tags,
            self.offsets,
            self.heads,
            self.cuts,
            self._work,
            (numbers, np.zeros(1, np.int64)),
            sentences,
        )
        return found

    def _make_room(self, words: int) -> None:
        """Forget nodes that nobody uses, and have room for what words may need."""
        first = self.layout.first_fragment
        keep_used(
            self.fragments,
            self.seats.dish_customers[first:],
            self.seats.dish_tables[first:],
            self.seats.dish_sizes[first:],
        )
        used, capacity = int(self.fragments.n_used[0]), self.fragments.left.size
        nodes = capacity
        if used + NODES_A_WORD * words > capacity:
            nodes = 2 * used + NODES_A_WORD * words + _SPARE_NODES
        sizes = self.seats.size_value.size
        if self.seats.spare[1] < SIZES_A_WORD * words:
            sizes = 2 * sizes + SIZES_A_WORD * words
        if nodes == capacity and sizes == self.seats.size_value.size:
            return
        larger = empty_fragments(nodes, self.layout.n_tags)
        for new, old in zip(larger[:5], self.fragments[:5], strict=True):
            new[: old.size] = old
        larger.n_used[0] = used
        self.fragments = larger
        self.seats = with_room(self.seats, self.layout, nodes=nodes, sizes=sizes)
        first = self.layout.first_fragment
        keep_used(
            self.fragments,
            self.seats.dish_customers[first:],
            self.seats.dish_tables[first:],
            self.seats.dish_sizes[first:],
        )
        self._chart = self._chart._replace(place=np.zeros(nodes, np.int64))

    # ------------------------------------------------------------------ sampling

    def sweep(self) -> None:
        """Draw all derivations anew, in random order."""
        order = self.generator.permutation(self.offsets.size - 1)
        numbers = self._numbers()
        progress = np.zeros(3, np.int64)
        while progress[0] < order.size:
            self._make_room(256 * (self._longest + 1))
            sweep(
                self.seats,
                self.model,
                self._bars,
                self.tags,
                self.offsets,
                self.heads,
                self.cuts,
                self._work,
                self._chart,
                self._local,
                numbers,
                order,
                progress,
                self.settings.always_accepts,
            )
            if progress[2]:
                entries = 2 * self._chart.node.size
                self._chart = self._chart._replace(
                    node=np.zeros(entries, np.int64), weight=np.zeros(entries)
                )
                progress[2] = 0
        self.acceptance = float(progress[1]) / max(1, order.size)

    def seating(self) -> Seating:
        """Return the seats as counts."""
        count = int(self.fragments.n_used[0])
        return Seating(self.seats, self.layout, self.fragments.nonterminal[:count])

    def resample_strengths(self) -> None:
        """Draw discounts and concentrations anew."""
        self.seating().resample(self.generator)
