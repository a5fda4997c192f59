"""The dependency model with valence, learnt by EM.

References
----------
Klein and Manning (2004), Corpus-based induction of syntactic structure. ACL.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.chart import Grammar, TagCorpus
from treegauge.systems.dependency_induction.grammar_inducer import GrammarInducer, GrammarSettings
from treegauge.systems.system import OnProgress


@dataclass(frozen=True)
class DmvSettings(GrammarSettings):
    """What is better than the paper's settings on dev parts of 36 treebanks."""

    max_length: int = setting(20, "the longest sentence to learn from, in words", minimum=1)
    decode: Literal["viterbi", "minimum-risk"] = setting(
        "minimum-risk", "the most probable tree, or the tree with the most probable arcs"
    )


class Dmv(GrammarInducer):
    """Heads generate dependents outwards on each side until they stop; soft EM."""

    name = "dmv"
    settings_type: ClassVar[type[Settings]] = DmvSettings

    def _learn(
        self, corpus: TagCorpus, random: np.random.Generator, on_progress: OnProgress
    ) -> Grammar:
        short = corpus.up_to(self.settings.max_length)
        return self.expectation_maximisation(self.initial(short, random), short, on_progress)


class KleinManningDmv(Dmv):
    """The same model with the paper's settings: sentences of ten words, most probable trees."""

    name = "klein-manning-dmv"
    settings_type: ClassVar[type[Settings]] = GrammarSettings
