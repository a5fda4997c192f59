"""S2 of Søgaard (2012): universal rules used directly, with no model at all.

The root is the leftmost verb; each other word hangs on the nearest word that a rule allows as
its head. Gelling et al. (2012) say no more than that the rules of Naseem et al. (2010) are
used directly and a heuristic chooses among the heads they allow. The heuristic here is ours:
which of two equally near heads is chosen, what happens to words that no rule speaks of (in
these rules, adpositions among them), and that auxiliaries are no verbs were chosen on
development parts of ten treebanks of Universal Dependencies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.systems.dependency_induction import _soegaard_numba as kernels
from treegauge.systems.dependency_induction.soegaard_pagerank import (
    GraphSettings,
    tags_of,
    word_orders,
)
from treegauge.systems.dependency_induction.universal_rules import find_rules, rule_matrix
from treegauge.systems.system import DependencyInducer, OnProgress, Supervision
from treegauge.treebank import Column, Treebank


@dataclass(frozen=True)
class SoegaardRulesSettings(GraphSettings):
    """Settings of S2; those of the graph matter if it is ranked."""

    rules: Literal["naseem", "noji", "udp"] = setting("naseem", "which rules")
    roots: tuple[str, ...] = setting(
        ("VERB", "NOUN/PROPN"),
        "tags of the root: the leftmost word of the first tag in the sentence, otherwise the "
        "first word",
    )
    otherwise: Literal["root", "nearest"] = setting(
        "nearest",
        "head of a word without a rule: the root word, or the nearest word",
    )
    ties: Literal["left", "right"] = setting("right", "which of two equally near heads is chosen")
    ranked: bool = setting(False, "require that heads have a higher PageRank than their dependents")


class SoegaardRules(DependencyInducer):
    """Hangs every word on the nearest one that a universal rule allows."""

    name = "soegaard-rules"
    settings_type = SoegaardRulesSettings
    learns = False
    seconds_per_word = 1e-6

    @property
    def supervision(self) -> Supervision:
        """The rules are all it has."""
        return "universal rules"

    def memory_for(self, words: int) -> int:
        """Return the bytes for the links between the words of a sentence."""
        return 8 * words**2 if self.settings.ranked else 0

    def _heads(self, words: Treebank, _on_progress: OnProgress) -> NDArray[np.int32]:
        if not words.n_words:
            return np.zeros(0, np.int32)
        settings = self.settings
        tag = tags_of(words, settings)
        orders = (
            word_orders(words, settings) if settings.ranked else np.zeros(words.n_words, np.int64)
        )
        heads: NDArray[np.int32] = kernels.trees_by_rules(
            words.offsets,
            kernels.root_words(words.offsets, _preference(tag, settings.roots)),
            tag.codes,
            rule_matrix(find_rules(settings.rules), tag.vocabulary),
            orders,
            settings.ranked,
            settings.otherwise == "nearest",
            settings.ties == "left",
        )
        return heads


def _preference(tag: Column, roots: tuple[str, ...]) -> NDArray[np.int64]:
    """Return how readily every word becomes the root: the lowest first."""
    groups = [frozenset(group.split("/")) for group in roots]
    by_code = [
        next((i for i, group in enumerate(groups) if value in group), len(groups))
        for value in tag.vocabulary
    ]
    preference: NDArray[np.int64] = np.array(by_code, np.int64)[tag.codes]
    return preference
