"""The harmonic initialiser alone, without learning: the challenge's baseline H."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.chart import Grammar, TagCorpus
from treegauge.systems.dependency_induction.grammar_inducer import GrammarInducer, GrammarSettings
from treegauge.systems.system import OnProgress


@dataclass(frozen=True)
class HarmonicSettings(GrammarSettings):
    """H-smith, H-plain and H-em are the readings of Klein and Manning's text in use."""

    init: Literal["smith", "plain", "em"] = setting("smith", "the reading")
    iterations: int = setting(0, "not used: nothing is learnt", maximum=0)


class Harmonic(GrammarInducer):
    """Words take each other as arguments in inverse proportion to their distance."""

    name = "harmonic"
    settings_type: ClassVar[type[Settings]] = HarmonicSettings

    def _learn(
        self, corpus: TagCorpus, random: np.random.Generator, on_progress: OnProgress
    ) -> Grammar:
        on_progress(1.0, "counted")
        return self.initial(corpus.up_to(self.settings.max_length), random)
