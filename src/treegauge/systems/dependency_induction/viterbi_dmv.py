"""The dependency model with valence, learnt by hard EM: only the best trees count.

References
----------
Spitkovsky, Alshawi, Jurafsky and Manning (2010), Viterbi training improves unsupervised
dependency parsing. CoNLL.
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
class ViterbiDmvSettings(GrammarSettings):
    """The paper's add-one smoothing."""

    smoothing: float = setting(1.0, "added to every count", minimum=0)
    tolerance: float = setting(
        0.0, "stop when the relative change of the objective is at most this", minimum=0
    )


class ViterbiDmv(GrammarInducer):
    """The dependency model with valence, with the counts of best trees alone."""

    name = "viterbi-dmv"
    settings_type: ClassVar[type[Settings]] = ViterbiDmvSettings

    def _learn(
        self, corpus: TagCorpus, random: np.random.Generator, on_progress: OnProgress
    ) -> Grammar:
        short = corpus.up_to(self.settings.max_length)
        return self.hard_expectation_maximisation(self.initial(short, random), short, on_progress)
