"""The supervised version of a grammar inducer: the same model, estimated from gold trees.

What Schwartz et al. (2011, section 7) ask: which of two annotations of the same sentences does
the model learn better?
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from treegauge.papers.ned.edge_types import Edges, EdgeType
from treegauge.rewrite.edge_flips import flip_edges
from treegauge.rewrite.projectivise import projectivise
from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.chart import (
    Grammar,
    TagCorpus,
    estimate,
    tree_counts,
)
from treegauge.systems.dependency_induction.grammar_inducer import GrammarInducer, GrammarSettings
from treegauge.systems.errors import SystemsError
from treegauge.systems.system import OnProgress, Supervision
from treegauge.treebank import Treebank, tree_flaws, without_punctuation


@dataclass(frozen=True)
class SupervisedSettings(GrammarSettings):
    """Of relative frequencies."""

    max_length: int = setting(20, "the longest sentence to learn from, in words", minimum=1)


class SupervisedGrammar(GrammarInducer):
    """The DMV by relative frequency; trees are made projective first.

    Sentences with several roots, as removing punctuation may leave them, are no events of the
    model, and are left out.
    """

    name = "supervised-dmv"
    settings_type: ClassVar[type[Settings]] = SupervisedSettings
    is_supervised = True

    trees: Treebank

    @property
    def supervision(self) -> Supervision:
        """It sees gold trees."""
        return "supervised"

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        words = without_punctuation(treebank)
        fits = (tree_flaws(words) == 0) & (words.lengths > 0)
        fits &= words.lengths <= self.settings.max_length
        if not fits.any():
            raise SystemsError(
                f"{self.name}: no tree of at most {self.settings.max_length} words to learn from"
            )
        self.trees = projectivise(words[fits])
        super()._fit(self.trees, on_progress)

    def _learn(
        self,
        corpus: TagCorpus,
        random: np.random.Generator,  # noqa: ARG002
        on_progress: OnProgress,
    ) -> Grammar:
        on_progress(1.0, f"{self.trees.summary}")
        counts = tree_counts(self.trees.head, corpus)
        return estimate(counts, smoothing=self.settings.smoothing)


def reannotated(
    words: Treebank, edges: Sequence[EdgeType], tags: str, *, longest: int | None = None
) -> Treebank:
    """Return trees in which edges of some types are turned around, made projective.

    Parameters
    ----------
    words : Treebank
        Trees, best without punctuation: lengths of edges count all words.
    edges : sequence of EdgeType
        As they are in `words`.
    tags : str
        The tag column that types are about.
    longest : int, optional
        Turn only edges of at most this length. What is longer keeps its head, and one and the
        same phrase may then be annotated in two ways.
    """
    words = projectivise(words)
    return projectivise(flip_edges(words, Edges(words, tags).of_type(*edges, longest=longest)))
