"""Scores of a stream by stratum: right words and all words, counted part by part."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np

from treegauge.evaluation.breakdown import StratumScore, scores_of_strata
from treegauge.evaluation.resampling import Resampling
from treegauge.metrics import Comparison, MetricError, MetricSpec
from treegauge.significance import LabelledTable
from treegauge.spilling import Spill
from treegauge.strata import CROSS, StrataError, Stratum, cross, find_stratum, stratify
from treegauge.treebank import Treebank


class StreamedStrata:
    """The words of one system by stratum, from comparisons of parts of it.

    Parameters
    ----------
    by : str
        A stratum, or two with a `*` between them.
    spec : MetricSpec
        The metric that says which words are right.
    training : Treebank, optional
        For `known` and `frequency`.
    """

    def __init__(self, by: str, spec: MetricSpec, training: Treebank | None, spill: Spill) -> None:
        self.by, self.spec, self.training = by, spec, training
        self._divisions = [find_stratum(name) for name in by.split("*")]
        for division in self._divisions:
            if not division.is_local:
                raise MetricError(
                    f"--by {division.name} is decided by the whole treebank\n"
                    "  read with --no-stream"
                )
        if len(self._divisions) > 2:
            raise MetricError(f"{by!r}: at most two strata can be crossed")
        self._words: list[Counter[str]] = [Counter() for _ in self._divisions]
        """Of every stratum, names in the order of the last part, with the words of all parts."""
        self._table = LabelledTable(spill)

    def add(self, comparison: Comparison) -> None:
        """Count the words of a part."""
        gold = comparison.gold
        try:
            parts = [stratify(one.name, gold, training=self.training) for one in self._divisions]
        except StrataError as error:
            raise MetricError(f"{error}\n  --no-stream looks at the whole treebank") from None
        for words, own in zip(self._words, parts, strict=True):
            words.update(dict(zip(own.names, own.counts.tolist(), strict=True)))
        strata = parts[0] if len(parts) == 1 else cross(*parts)
        outcome = self.spec.metric.outcome(comparison)  # type: ignore[misc]
        is_right = np.zeros(gold.n_words, np.bool_)
        is_right[comparison.gold_word[outcome.correct]] = True
        counted = np.flatnonzero(outcome.in_gold & (strata.codes >= 0))
        right = counted[is_right[counted]]
        n = len(strata.names)
        codes = np.concatenate([strata.codes[counted], strata.codes[right] + n])
        sentences = comparison.sentence_of_gold[np.concatenate([counted, right])]
        labels = [(is_right, name) for is_right in (False, True) for name in strata.names]
        self._table.append(gold.n_sentences, sentences, codes, labels)

    def scores(self, resampling: Resampling) -> list[StratumScore]:
        """Return the share of right words of every stratum."""
        ordered = [
            _ordered(one, words) for one, words in zip(self._divisions, self._words, strict=True)
        ]
        names = [CROSS.join(parts) for parts in product(*ordered)]
        occurring = {name for _, name in self._table.labels}
        names = [name for name in names if name in occurring]
        labels = [(is_right, name) for is_right in (True, False) for name in names]
        return scores_of_strata(names, self._table.columns(labels), resampling)


def _ordered(division: Stratum, words: Counter[str]) -> list[str]:
    """Return the names of strata as those of the whole treebank stand."""
    if division.by_frequency:
        return sorted(words, key=lambda name: (-words[name], name))
    return list(words)
