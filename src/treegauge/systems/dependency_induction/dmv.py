"""The dependency model with valence, learnt by EM.

References
----------
Klein and Manning (2004), Corpus-based induction of syntactic structure. ACL.
"""

from __future__ import annotations

import numpy as np

from treegauge.systems.dependency_induction.chart import Grammar, TagCorpus
from treegauge.systems.dependency_induction.grammar_inducer import GrammarInducer
from treegauge.systems.system import OnProgress


class Dmv(GrammarInducer):
    """Heads generate dependents outwards on each side until they stop; soft EM."""

    name = "dmv"

    def _learn(
        self, corpus: TagCorpus, random: np.random.Generator, on_progress: OnProgress
    ) -> Grammar:
        short = corpus.up_to(self.settings.max_length)
        return self.expectation_maximisation(self.initial(short, random), short, on_progress)
