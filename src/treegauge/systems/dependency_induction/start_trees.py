"""Trees of one inducer as the start of another, and what it knows of arcs as weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction.chart import TagCorpus
from treegauge.systems.dependency_induction.inducer_ensemble import GivesPosteriors
from treegauge.systems.errors import SystemsError
from treegauge.systems.registry import make_system
from treegauge.systems.system import Supervision, System
from treegauge.systems.system_names import parse_system
from treegauge.systems.voting import trees_of_most_votes, votes_for_arcs
from treegauge.treebank import Treebank

Floats = NDArray[np.float64]

_LEAST = 1e-3
"""The posterior of arcs that the start excludes: what it is sure of can still be wrong."""


def make_start(text: str, system: str, seed: int) -> System:
    """Return the inducer that a setting names, or say that it is none."""
    name, settings = parse_system(text)
    if name == system:
        raise SystemsError(f"{system}: setting start: it cannot start from itself")
    start = make_system(name, settings, seed=seed)
    if start.task != "dependencies" or start.is_supervised:
        raise SystemsError(
            f"{system}: setting start: {name} is no inducer of dependencies\n"
            "  `treegauge list systems` shows what there is"
        )
    return start


def most_supervised(*levels: Supervision) -> Supervision:
    """Return whichever is told most about the language."""
    order: tuple[Supervision, ...] = get_args(Supervision)
    return max(levels, key=order.index)


def projective(heads: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return projective trees with as many of the arcs as possible.

    >>> projective(np.array([3, 4, 0, 3], np.int32), np.array([0, 4])).tolist()  # arcs cross
    [3, 1, 0, 3]
    """
    return trees_of_most_votes(votes_for_arcs(heads, offsets), offsets, projective=True)


def weights_of_arcs(start: System, words: Treebank, trust: float) -> Floats:
    """Return weights of all arcs, packed as `TagCorpus` packs them: posteriors to a power.

    Where a start knows no posteriors, the arcs of its trees have all of them.
    """
    if isinstance(start, GivesPosteriors):
        posteriors = start.arc_posteriors(words)
    else:
        posteriors = votes_for_arcs(start.annotate(words).head, words.offsets)
    weights: Floats = np.maximum(posteriors, _LEAST) ** trust
    return weights


@dataclass(frozen=True, eq=False)
class LearningText:
    """Sentences as sequences of symbols, and how much their arcs weigh, if anybody says so."""

    corpus: TagCorpus
    arc_weights: Floats | None = None

    @classmethod
    def of(cls, corpus: TagCorpus, arc_weights: Floats | None = None) -> LearningText:
        """Return a text; with weights, sentences of the same symbols are not the same."""
        if arc_weights is None:
            return cls(corpus)
        own = TagCorpus(corpus.tags, corpus.offsets, corpus.n_tags, deduplicate=False)
        return cls(own, arc_weights)

    def select(self, sentences: NDArray[np.int64]) -> LearningText:
        """Return the text of some sentences."""
        if self.arc_weights is None:
            return LearningText(self.corpus.select(sentences))
        bounds = self.corpus.arc_offsets
        arcs = [self.arc_weights[bounds[s] : bounds[s + 1]] for s in sentences.tolist()]
        return LearningText(self.corpus.select(sentences), np.concatenate([np.zeros(0), *arcs]))

    def split(self, share: float) -> tuple[LearningText, LearningText | None]:
        """Return a text without a share of its sentences, taken evenly, and that share."""
        n = self.corpus.n_sentences
        out = np.linspace(0, n, round(share * n), endpoint=False).astype(np.int64)
        if not out.size or out.size == n:
            return self, None
        return self.select(np.setdiff1d(np.arange(n), out)), self.select(out)
