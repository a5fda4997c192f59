"""Baby Steps: the DMV from sentences of one word, then of two, and so on; no initialiser.

References
----------
Spitkovsky, Alshawi and Jurafsky (2010), From baby steps to leapfrog: how "less is more" in
unsupervised dependency parsing. NAACL.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.chart import (
    Grammar,
    TagCorpus,
    estimate,
    expectations,
)
from treegauge.systems.dependency_induction.grammar_inducer import GrammarInducer, GrammarSettings
from treegauge.systems.system import OnProgress


@dataclass(frozen=True)
class BabyStepsSettings(GrammarSettings):
    """Up to 15 words, where the paper's curve flattens; the paper goes on to 45."""

    max_length: int = setting(15, "the longest sentence of the last step, in words", minimum=1)
    smoothing: float = setting(1.0, "added to every count", minimum=0)


class BabySteps(GrammarInducer):
    """Every step begins where the one before, on shorter sentences, has ended."""

    name = "baby-steps"
    settings_type: ClassVar[type[Settings]] = BabyStepsSettings
    seconds_per_word = 5e-5

    def _learn(
        self, corpus: TagCorpus, random: np.random.Generator, on_progress: OnProgress
    ) -> Grammar:
        del random  # there is no start to be drawn: one word has one tree
        return baby_steps(self, corpus, on_progress)


def baby_steps(
    inducer: GrammarInducer,
    corpus: TagCorpus,
    on_progress: OnProgress,
    max_length: int | None = None,
) -> Grammar:
    """Learn from sentences of 1, 2, … words.

    Sentences of one word say which tags are roots; everything else is left to add-one
    smoothing, which every later step takes as its start.
    """
    last = max_length or inducer.settings.max_length
    shortest = int(corpus.lengths[corpus.lengths > 0].min())
    first = corpus.up_to(shortest)
    counts = expectations(Grammar.uniform(corpus.n_tags), first).counts
    grammar = estimate(counts, smoothing=1.0)
    for k in range(max(2, shortest), last + 1):
        chosen = corpus.up_to(k)

        def on_step(share: float, line: str, k: int = k) -> None:
            on_progress((k - 2 + share) / (last - 1), line)

        grammar = inducer.expectation_maximisation(
            grammar, chosen, on_step, protocol=f"baby steps, up to {k} words"
        )
    return grammar
