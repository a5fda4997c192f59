"""Leapfrog: what Less is More and Baby Steps have learnt, joined, then long strides.

References
----------
Spitkovsky, Alshawi and Jurafsky (2010), From baby steps to leapfrog: how "less is more" in
unsupervised dependency parsing. NAACL. (saj10a in the paper on neutral edge direction.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.baby_steps import baby_steps
from treegauge.systems.dependency_induction.chart import (
    Counts,
    Grammar,
    TagCorpus,
    estimate,
    viterbi,
)
from treegauge.systems.dependency_induction.grammar_inducer import GrammarInducer, GrammarSettings
from treegauge.systems.dependency_induction.less_is_more import less_is_more
from treegauge.systems.system import OnProgress


@dataclass(frozen=True)
class LeapfrogSettings(GrammarSettings):
    """How the two are joined, and the strides, are not in the paper; both can be chosen."""

    max_length: int = setting(
        15, "the sentence length at which the two are joined, in words", minimum=1
    )
    smoothing: float = setting(1.0, "added to every count", minimum=0)
    strides: tuple[int, ...] = setting((15, 30, 45), "the longest sentence afterwards, in words")
    join: Literal["trees", "parameters"] = setting(
        "trees", "count the best trees of both models, or average their probabilities"
    )


class Leapfrog(GrammarInducer):
    """Joins the models of two protocols, and learns on from longer sentences."""

    name = "leapfrog"
    settings_type: ClassVar[type[Settings]] = LeapfrogSettings
    seconds_per_word = 2e-4

    def _learn(
        self, corpus: TagCorpus, random: np.random.Generator, on_progress: OnProgress
    ) -> Grammar:
        chosen = corpus.up_to(self.settings.max_length)
        first = less_is_more(
            self, corpus, random, lambda share, line: on_progress(0.2 * share, line)
        )
        second = baby_steps(self, corpus, lambda share, line: on_progress(0.2 + 0.3 * share, line))
        grammar = self._joined(first, second, chosen)
        strides = self.settings.strides
        for i, longest in enumerate(strides):

            def on_step(share: float, line: str, i: int = i) -> None:
                on_progress(0.5 + 0.5 * (i + share) / len(strides), line)

            grammar = self.expectation_maximisation(
                grammar, corpus.up_to(longest), on_step, protocol=f"leapfrog, up to {longest} words"
            )
        return grammar

    def _joined(self, first: Grammar, second: Grammar, corpus: TagCorpus) -> Grammar:
        if self.settings.join == "parameters":
            tables = {
                name: (table + second.arrays()[name]) / 2 for name, table in first.arrays().items()
            }
            return Grammar.from_arrays(tables)
        return estimate(self._of_best(first, corpus) + self._of_best(second, corpus), smoothing=1.0)

    def _of_best(self, grammar: Grammar, corpus: TagCorpus) -> Counts:
        counts = viterbi(self.constraints.barred(grammar), corpus).counts
        assert counts is not None
        return counts
