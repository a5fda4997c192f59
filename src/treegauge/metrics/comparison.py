"""A gold treebank and a system's, word by word: what all metrics start from."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from treegauge.metrics._heads_numba import absolute_heads
from treegauge.metrics.conventions import Conventions
from treegauge.metrics.errors import MetricError
from treegauge.treebank import (
    Alignment,
    Interner,
    Treebank,
    Vocabulary,
    align_by_characters,
    align_by_position,
    cut_off_mask,
    keep_words,
    words_on_cycles,
)

Result = TypeVar("Result")
Scalar = TypeVar("Scalar", bound=np.generic)

ROOT, MISSING, UNALIGNED = -1, -2, -3
"""Heads that are no words: the root, none (or one outside the sentence), one gold lacks."""


class Comparison:
    """Two treebanks of one text, aligned, under conventions.

    Parameters
    ----------
    gold, system : Treebank
        Gold first, always.
    conventions : Conventions
        What is compared.
    cut_off : str
        `@10` or `@10w`, or nothing.
    by_characters : bool
        Align different tokenisations; otherwise the words must be the same.
    references : sequence of Treebank
        More gold standards of the same words, for metrics that use several.
    """

    def __init__(
        self,
        gold: Treebank,
        system: Treebank,
        conventions: Conventions | None = None,
        *,
        cut_off: str = "",
        by_characters: bool = False,
        references: Sequence[Treebank] = (),
    ) -> None:
        self.conventions = conventions or Conventions()
        self.cut_off = cut_off
        self._worked_out: dict[Hashable, Any] = {}
        is_reduced = bool(cut_off) or self.conventions.punctuation == "removed"
        self.has_same_words = not by_characters or _have_same_words(gold, system)
        if not self.has_same_words:
            if is_reduced or self.conventions.punctuation != "counted":
                raise MetricError(
                    "with other words than gold's, neither length cut-offs nor punctuation rules "
                    "are defined\n  use the preset conll2018, without a cut-off"
                )
            alignment = align_by_characters(gold, system)
        else:
            alignment = align_by_position(gold, system)
        is_on_cycle = words_on_cycles(system)
        self._given_gold, self.given_references = gold, tuple(references)
        if cut_off:
            chosen = cut_off_mask(gold, cut_off)
            is_on_cycle = is_on_cycle[np.repeat(chosen, system.lengths)]
            gold, system = gold[chosen], system[chosen]
        is_counted = np.ones(gold.n_words, np.bool_)
        if self.conventions.punctuation != "counted":
            is_counted = ~self.conventions.punctuation_in(gold)
        if self.conventions.punctuation == "removed":
            # A system's cycle among punctuation leaves words without a head: wrong, not fatal.
            self._is_kept = is_counted
            is_on_cycle = is_on_cycle[is_counted]
            system = keep_words(system, is_counted, allow_cycles=True)
            gold = keep_words(gold, is_counted)
            is_counted = np.ones(gold.n_words, np.bool_)
        self.gold = gold
        self.system = system
        self.is_on_cycle: NDArray[np.bool_] = is_on_cycle
        self.alignment: Alignment = align_by_position(gold, system) if is_reduced else alignment
        self.is_counted: NDArray[np.bool_] = is_counted
        self.is_skipped = np.zeros(gold.n_sentences, np.bool_)
        if self.conventions.skip_length_one:
            scored = self.sentence_of_gold[self.is_counted]
            self.is_skipped = np.bincount(scored, minlength=gold.n_sentences) == 1
            self.is_counted &= ~self.is_skipped[self.sentence_of_gold]

    @cached_property
    def references(self) -> tuple[Treebank, ...]:
        """The other gold standards, with gold's sentences and words.

        Raises
        ------
        AlignmentError
            If one of them does not have gold's words.
        """
        gold, reduced = self._given_gold, []
        for reference in self.given_references:
            align_by_position(gold, reference)
            own = reference[cut_off_mask(gold, self.cut_off)] if self.cut_off else reference
            if self.conventions.punctuation == "removed":
                own = keep_words(own, self._is_kept, allow_cycles=True)
            reduced.append(own)
        return tuple(reduced)

    # ------------------------------------------------------------------ pairs of words

    @property
    def gold_word(self) -> NDArray[np.intp]:
        """The gold word of every pair."""
        return self.alignment.first

    @property
    def system_word(self) -> NDArray[np.intp]:
        """The system's word of every pair."""
        return self.alignment.second

    def at_gold(self, values: NDArray[Scalar]) -> NDArray[Scalar]:
        """Return from values of gold words those of every pair."""
        # Words that are the same are numbered alike.
        return values if self.has_same_words else values[self.gold_word]

    def at_system(self, values: NDArray[Scalar]) -> NDArray[Scalar]:
        """Return from values of the system's words those of every pair."""
        return values if self.has_same_words else values[self.system_word]

    def in_system(
        self, of_pairs: NDArray[np.bool_], *, unaligned: bool | NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Return a mask over the system's words from one over pairs."""
        if self.has_same_words:
            return of_pairs
        mask = np.full(self.system.n_words, unaligned, np.bool_)
        mask[self.system_word] = of_pairs
        return mask

    @cached_property
    def sentence_of_gold(self) -> NDArray[np.intp]:
        """The gold sentence of every gold word."""
        return self.gold.sentence_of_word

    @property
    def sentence_of_system(self) -> NDArray[np.intp]:
        """The gold sentence of every word of the system."""
        return self.alignment.sentence_of_second

    @cached_property
    def is_counted_in_system(self) -> NDArray[np.bool_]:
        """Which words of the system are scored; all but those aligned with what is not."""
        counted = self.in_system(self.at_gold(self.is_counted), unaligned=True)
        if self.is_skipped.any() and not self.has_same_words:
            # Also the words that gold lacks: a sentence is left out in both treebanks.
            counted &= ~self.is_skipped[self.sentence_of_system]
        return counted

    @cached_property
    def gold_head(self) -> NDArray[np.int64]:
        """The head of every gold word, as an index of a word, `ROOT` or `MISSING`."""
        return heads_as_words(self.gold)

    @cached_property
    def system_head(self) -> NDArray[np.int64]:
        """The system's head of every pair, as an index of a gold word or a special value."""
        if self.has_same_words:
            return self.own_system_head
        gold_word_of = np.full(self.system.n_words, UNALIGNED, np.int64)
        gold_word_of[self.system_word] = self.gold_word
        heads = self.own_system_head[self.system_word]
        return np.where(heads >= 0, gold_word_of[np.maximum(heads, 0)], heads)

    @cached_property
    def own_system_head(self) -> NDArray[np.int64]:
        """The head of every word of the system, as an index of a word of the system.

        A word on a cycle has none, like one whose head is outside the sentence: of two words that
        are each other's head, both would be right under `undirected` otherwise.
        """
        return np.where(self.is_on_cycle, MISSING, heads_as_words(self.system))

    def doubtful(self, *, uses_heads: bool) -> NDArray[np.bool_]:
        """Return for every pair whether it is wrong because the system's word was repaired."""
        repairs = self.system.repairs
        if repairs is None:
            return np.zeros(len(self.system_word), np.bool_)
        mask = repairs.word | repairs.head if uses_heads else repairs.word
        return np.asarray(self.at_system(mask))

    def values(
        self, column: str, change: Callable[[str], str] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], Vocabulary]:
        """Return a column of both treebanks as codes in one vocabulary, and the vocabulary."""

        def shared() -> tuple[NDArray[np.int32], NDArray[np.int32], Vocabulary]:
            gold, system = self.gold.columns[column], self.system.columns[column]
            if change is not None:
                gold, system = gold.map(change), system.map(change)
            # What gold has keeps its codes.
            interner = Interner()
            interner.add_vocabulary(gold.vocabulary)
            new_code = interner.add_vocabulary(system.vocabulary)
            return gold.codes, new_code[system.codes], interner.vocabulary()

        return self.once((column, change), shared)

    def once(self, key: Hashable, work_out: Callable[[], Result]) -> Result:
        """Return what several metrics need, worked out for the first one that asks."""
        if key not in self._worked_out:
            self._worked_out[key] = work_out()
        result: Result = self._worked_out[key]
        return result

    @cached_property
    def relations(self) -> tuple[NDArray[np.int32], NDArray[np.int32], Vocabulary]:
        """The relations of both treebanks, subtypes cut unless they are asked for."""
        return self.values("deprel", None if self.conventions.subtypes else without_subtype)


def without_subtype(relation: str) -> str:
    """Return a relation without its subtype.

    >>> without_subtype("nsubj:pass")
    'nsubj'
    """
    return relation.partition(":")[0]


def _have_same_words(gold: Treebank, system: Treebank) -> bool:
    return np.array_equal(gold.offsets, system.offsets) and gold.form == system.form


def heads_as_words(treebank: Treebank) -> NDArray[np.int64]:
    """Return the head of every word, as an index of a word, `ROOT` or `MISSING`."""
    heads = np.empty(treebank.n_words, np.int64)
    absolute_heads(treebank.head, treebank.offsets, ROOT, MISSING, heads)
    return heads
