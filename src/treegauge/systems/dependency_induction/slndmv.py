"""The dependency model with valence under shared logistic normal priors: soft ties.

Heads of one coarse group (all kinds of verbs, say) draw half of what they do from a
Gaussian that they have in common, and learn from each other's sentences.

References
----------
Cohen and Smith (2009), Shared logistic normal distributions for soft parameter tying in
unsupervised grammar induction. NAACL.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.chart import Grammar
from treegauge.systems.dependency_induction.coarse_groups import coarse_groups
from treegauge.systems.dependency_induction.lndmv import Lndmv, LndmvSettings
from treegauge.systems.dependency_induction.logistic_normal import LogisticNormal

_TIED = {
    "none": frozenset[str](),
    "verbs": frozenset({"verb"}),
    "nouns": frozenset({"noun"}),
    "verbs+nouns": frozenset({"verb", "noun"}),
}


@dataclass(frozen=True)
class SlndmvSettings(LndmvSettings):
    """Of the shared prior."""

    covariance: Literal["identity", "families"] = setting(
        "families", "initial covariance: none, or 0.5 between tags of one coarse group"
    )
    ties: Literal["none", "verbs", "nouns", "verbs+nouns", "all"] = setting(
        "verbs+nouns", "heads that share experts: TieV, TieN, TieV&N, or TieA (every coarse group)"
    )
    tie_stops: bool = setting(True, "also tie stop decisions, not only attachments")


class Slndmv(Lndmv):
    """As lndmv, with Gaussians that heads of one coarse group share."""

    name = "slndmv"
    settings_type: ClassVar[type[Settings]] = SlndmvSettings

    def _prior(self, grammar: Grammar) -> LogisticNormal:
        if self.settings.ties == "none":
            return super()._prior(grammar)
        groups = coarse_groups(self.inventory, purpose=f"{self.name}: ties")
        every = frozenset(group for group in groups if group)
        return LogisticNormal.around(
            grammar,
            groups=groups,
            has_families=self.settings.covariance == "families",
            tied=_TIED.get(self.settings.ties, every),
            tie_stops=self.settings.tie_stops,
        )
