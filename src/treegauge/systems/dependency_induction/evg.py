"""The extended valence grammar, with smoothed children.

References
----------
Headden, Johnson and McClosky (2009), Improving unsupervised dependency parsing with richer
contexts and smoothing. NAACL.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from treegauge.systems.dependency_induction.chart import Grammar, TagCorpus
from treegauge.systems.dependency_induction.valences import ValenceInducer, ValenceSettings
from treegauge.systems.settings import Settings
from treegauge.systems.system import OnProgress


class Evg(ValenceInducer):
    """Children, too, depend on how many their head has already."""

    name = "evg"
    settings_type: ClassVar[type[Settings]] = ValenceSettings

    def _learn(
        self, corpus: TagCorpus, random: np.random.Generator, on_progress: OnProgress
    ) -> Grammar:
        short = corpus.up_to(self.settings.max_length)
        return self.expectation_maximisation(self.initial(short, random), short, on_progress)
