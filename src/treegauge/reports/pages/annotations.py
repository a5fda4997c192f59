"""What a report finds out from annotations: strata, confusions and trees of one treebank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from treegauge.evaluation import Confusion, StratumScore, break_down, confusion
from treegauge.metrics import Comparison, Conventions, MetricSpec, induced_column
from treegauge.metrics.comparison import ROOT
from treegauge.treebank import EMPTY, Treebank

LENGTHS = {"edge_length": "Length of the gold edge in words", "sentence_length": "Words"}
"""The strata that every report has figures of, and what their axes are called."""

HEADS = "tag of the head"
"""What is confused where there are heads and no relations."""


@dataclass(frozen=True)
class Annotations:
    """Gold, and what systems say of the same text."""

    name: str
    gold: Treebank
    systems: Mapping[str, Treebank]
    conventions: Conventions = field(default_factory=Conventions)
    align: bool = False

    def comparison(self, system: str, cut_off: str = "") -> Comparison:
        """Return a system beside gold."""
        return Comparison(
            self.gold,
            self.systems[system],
            self.conventions,
            cut_off=cut_off,
            by_characters=self.align,
        )

    @cached_property
    def comparisons(self) -> dict[str, Comparison]:
        """All systems beside gold, whole."""
        return {name: self.comparison(name) for name in self.systems}

    def strata(
        self, by: str, spec: MetricSpec, *, resamples: int, seed: int = 0, confidence: float = 0.95
    ) -> dict[str, list[StratumScore]]:
        """Return the cells of every system."""
        return {
            name: break_down(
                self.comparison(name, spec.cut_off) if spec.cut_off else self.comparisons[name],
                spec.metric,
                by,
                resamples=resamples,
                confidence=confidence,
                seed=seed,
            )
            for name in self.systems
        }

    def confusion(self, system: str) -> Confusion | None:
        """Return what a system takes for what; see `confusion_of`."""
        return confusion_of(self.comparisons[system])


def confusion_of(comparison: Comparison) -> Confusion | None:
    """Return the confusions, by what the system has annotated.

    Relations where it has relations; the tags of heads where it has heads only; tags, or
    classes, where it has no heads.
    """
    gold, system = comparison.gold, comparison.system
    if gold.has_heads and system.has_heads:
        if gold.deprel.is_annotated and len(set(system.deprel.counts()) - {EMPTY, "dep"}) > 1:
            return confusion(comparison, "deprel")
        return _confusion_of_heads(comparison)
    column = induced_column(system)
    if gold.columns[column].is_annotated and system.columns[column].is_annotated:
        return confusion(comparison, column)
    if gold.upos.is_annotated and system.columns[column].is_annotated:
        return _confusion_of_classes(comparison, column)
    return None


def _confusion_of_heads(comparison: Comparison) -> Confusion | None:
    """Count the tags of the gold head and of the system's."""
    column = next((c for c in ("upos", "xpos") if comparison.gold.columns[c].is_annotated), None)
    if column is None or not comparison.has_same_words:
        return None
    tags = comparison.gold.columns[column]
    names = [*(str(tags.vocabulary[i]) for i in range(len(tags.vocabulary))), "root", "none"]
    root, none = len(names) - 2, len(names) - 1

    def tags_of(
        heads: np.ndarray[tuple[int], np.dtype[np.int64]],
    ) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        chosen = np.where(heads == ROOT, root, none)
        is_word = heads >= 0
        chosen[is_word] = tags.codes[heads[is_word]]
        return chosen

    counted = comparison.is_counted
    a, b = tags_of(comparison.gold_head)[counted], tags_of(comparison.system_head)[counted]
    cells, totals = np.unique(a * len(names) + b, return_counts=True)
    order = np.argsort(-totals, kind="stable")
    return Confusion(
        HEADS,
        {
            (names[int(cells[i]) // len(names)], names[int(cells[i]) % len(names)]): int(totals[i])
            for i in order
        },
    )


def _confusion_of_classes(comparison: Comparison, column: str) -> Confusion:
    """Count the gold tags of every class; classes are no tags of gold."""
    gold, system = comparison.gold.upos, comparison.system.columns[column]
    counts: dict[tuple[str, str], int] = {}
    counted = comparison.is_counted[comparison.gold_word]
    pairs = zip(
        gold.codes[comparison.gold_word[counted]].tolist(),
        system.codes[comparison.system_word[counted]].tolist(),
        strict=True,
    )
    for a, b in pairs:
        cell = gold.vocabulary[a], system.vocabulary[b]
        counts[cell] = counts.get(cell, 0) + 1
    return Confusion(column, dict(sorted(counts.items(), key=lambda item: -item[1])))


class ConfusionSum:
    """Confusions of several treebanks, summed as they come.

    >>> both = ConfusionSum()
    >>> both.add(Confusion("upos", {("A", "B"): 1, ("A", "C"): 2}))
    >>> both.add(Confusion("upos", {("A", "B"): 2}))
    >>> both.total.counts
    {('A', 'B'): 3, ('A', 'C'): 2}
    """

    def __init__(self) -> None:
        self._columns: set[str] = set()
        self._counts: dict[tuple[str, str], int] = {}

    def add(self, confusion: Confusion) -> None:
        """Add those of a treebank."""
        self._columns.add(confusion.column)
        for cell, number in confusion.counts.items():
            self._counts[cell] = self._counts.get(cell, 0) + number

    @property
    def total(self) -> Confusion | None:
        """The sum, the most frequent first; nothing if they are not all of one column."""
        if len(self._columns) != 1:
            return None
        order = sorted(self._counts, key=lambda cell: -self._counts[cell])
        return Confusion(next(iter(self._columns)), {cell: self._counts[cell] for cell in order})
