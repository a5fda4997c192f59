"""Predicted tags: precision, recall and F1 of every tag, and their mean.

Accuracy itself is `upos` and `xpos`; known and unknown words are strata.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treegauge.metrics.comparison import Comparison
from treegauge.metrics.metric import Floats, Metric, ratio

if TYPE_CHECKING:
    from scipy import sparse

TagRow = tuple[str | int | float | None, ...]


@dataclass(frozen=True)
class TagCounts:
    """For every tag: right, in gold, in the system."""

    per_sentence: sparse.csr_array
    tags: tuple[str, ...]

    def score(self, sums: Floats) -> Floats:
        """Return the mean F1 of the tags that occur in gold or in the system."""
        per_tag = self.f1(sums)
        occurs = ~np.isnan(per_tag)
        return ratio(np.where(occurs, per_tag, 0.0).sum(axis=-1), occurs.sum(axis=-1) * 1.0)

    def size(self, sums: Floats) -> int:
        """Return the number of gold words."""
        _, gold, _ = self._by_tag(sums)
        return int(gold.sum())

    def f1(self, sums: Floats) -> Floats:
        """Return the F1 of every tag, NaN for one that does not occur."""
        correct, gold, system = self._by_tag(sums)
        return ratio(2 * correct, gold + system)

    def table(self, sums: Floats) -> list[TagRow]:
        """Return tag, gold words, precision, recall and F1, most frequent tag first."""
        correct, gold, system = self._by_tag(sums)
        columns = (ratio(correct, system), ratio(correct, gold), ratio(2 * correct, gold + system))
        rows: list[TagRow] = []
        for tag in np.argsort(-gold, kind="stable"):
            numbers = [None if np.isnan(column[tag]) else float(column[tag]) for column in columns]
            rows.append((self.tags[tag], int(gold[tag]), *numbers))
        return rows

    def _by_tag(self, sums: Floats) -> tuple[Floats, Floats, Floats]:
        shaped = sums.reshape(*sums.shape[:-1], 3, len(self.tags))
        return shaped[..., 0, :], shaped[..., 1, :], shaped[..., 2, :]


def tag_counts(comparison: Comparison, column: str) -> TagCounts:
    """Count right and wrong tags of every kind, by sentence."""
    from scipy import sparse

    gold, system, names = comparison.values(column)
    words, others = comparison.gold_word, comparison.system_word
    right = words[(gold[words] == system[others]) & comparison.is_counted[words]]
    in_gold = np.flatnonzero(comparison.is_counted)
    in_system = np.flatnonzero(comparison.is_counted_in_system)
    rows = [
        comparison.sentence_of_gold[right],
        comparison.sentence_of_gold[in_gold],
        comparison.sentence_of_system[in_system],
    ]
    # Right, gold and system side by side; sparse, because fine tags can be a thousand.
    columns = [
        gold[right],
        gold[in_gold] + len(names),
        system[in_system] + 2 * len(names),
    ]
    places = (np.concatenate(rows), np.concatenate(columns))
    shape = (comparison.gold.n_sentences, 3 * len(names))
    table = sparse.csr_array((np.ones(len(places[0])), places), shape=shape)
    return TagCounts(table, names.strings)


METRICS = (
    Metric(
        "upos_macro_f1", "UPOS macro F1", "mean F1 of the universal tags",
        "tags", ("upos",), lambda comparison: tag_counts(comparison, "upos"),
    ),
    Metric(
        "xpos_macro_f1", "XPOS macro F1", "mean F1 of the fine tags",
        "tags", ("xpos",), lambda comparison: tag_counts(comparison, "xpos"),
    ),
)  # fmt: skip
"""The metrics of this chapter."""
