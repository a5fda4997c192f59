"""Less is More: the DMV from sentences of at most 15 words, where longer ones do harm.

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
from treegauge.systems.dependency_induction.chart import Grammar, TagCorpus
from treegauge.systems.dependency_induction.grammar_inducer import GrammarInducer, GrammarSettings
from treegauge.systems.system import OnProgress


@dataclass(frozen=True)
class LessIsMoreSettings(GrammarSettings):
    """The paper's length, add-one smoothing, and a test of per-token change near 2^-20 bits."""

    max_length: int = setting(15, "the longest sentence to learn from, in words", minimum=1)
    smoothing: float = setting(1.0, "added to every count", minimum=0)


class LessIsMore(GrammarInducer):
    """The DMV by EM from the harmonic initialiser, on sentences of moderate length."""

    name = "less-is-more"
    settings_type: ClassVar[type[Settings]] = LessIsMoreSettings

    def _learn(
        self, corpus: TagCorpus, random: np.random.Generator, on_progress: OnProgress
    ) -> Grammar:
        return less_is_more(self, corpus, random, on_progress)


def less_is_more(
    inducer: GrammarInducer,
    corpus: TagCorpus,
    random: np.random.Generator,
    on_progress: OnProgress,
    max_length: int | None = None,
) -> Grammar:
    """Learn from the sentences of moderate length, all at once."""
    chosen = corpus.up_to(max_length or inducer.settings.max_length)
    start = inducer.initial(chosen, random)
    return inducer.expectation_maximisation(start, chosen, on_progress, protocol="less is more")
