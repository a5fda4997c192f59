"""Several inducers as one: the tree that has most of their votes.

A system votes for the arcs of its tree, or for every arc with its posterior; then the tree has the
fewest errors that the systems expect together (minimum risk). Systems that agree more with the
others can count for more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol, get_args, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.committee import Committee
from treegauge.systems.dependency_induction.chart import portions
from treegauge.systems.errors import SystemsError
from treegauge.systems.long_sentences import CUBIC, warn_of_long, whole_up_to
from treegauge.systems.system import DependencyInducer, OnProgress, Supervision, System
from treegauge.systems.voting import agreement_weights, trees_of_most_votes, votes_for_arcs
from treegauge.treebank import Treebank, without_punctuation


@dataclass(frozen=True)
class InducerEnsembleSettings(Settings):
    """Who votes, and how."""

    systems: tuple[str, ...] = setting(
        ("universal-dmv", "udp", "openclass-dmv"),
        "two or more inducers that vote; with settings: dmv?max_length=15",
    )
    of: Literal["trees", "posteriors"] = setting(
        "posteriors", "the votes: arcs of trees, or posteriors of arcs where a system has them"
    )
    weights: Literal["equal", "agreement"] = setting(
        "equal", "give more weight to systems that agree more with the others"
    )
    longest_whole: int = whole_up_to(CUBIC, "left to the first system")


@runtime_checkable
class GivesPosteriors(Protocol):
    """A system that knows how probable arcs are."""

    def arc_posteriors(self, words: Treebank) -> NDArray[np.float64]:
        """Return how probable arcs are, packed; of a treebank without punctuation."""


class InducerEnsemble(Committee, DependencyInducer):
    """Inducers that learn from the same text and vote; trees are projective.

    Of equally good trees, the decoder takes the one with the smallest split. What the row is told
    about the language is what the system is told that is told most.
    """

    name = "inducer-ensemble"
    settings_type = InducerEnsembleSettings

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        if len(self.settings.systems) < 2:
            raise SystemsError(
                f"{self.name}: setting systems: expected at least two, "
                f"found {len(self.settings.systems)}"
            )
        self._appoint(self.settings.systems)

    def _require(self, member: System) -> None:
        if member.task != "dependencies" or member.is_supervised:
            raise SystemsError(
                f"{self.name}: {member.name} is no inducer of dependencies\n"
                "  `treegauge list systems` shows what there is"
            )

    @property
    def supervision(self) -> Supervision:
        """What the members are told, whichever is told most."""
        order: tuple[Supervision, ...] = get_args(Supervision)
        return max((member.supervision for member in self.members), key=order.index)

    def memory_for(self, words: int) -> int:
        """Return the bytes of the votes for the arcs of a sentence, and of what decodes them."""
        return 64 * words**2

    def _heads_in_text(
        self, treebank: Treebank, words: Treebank, on_progress: OnProgress
    ) -> NDArray[np.int32]:
        answers = self._answers(treebank, on_progress)
        trees = np.array([without_punctuation(answer).head for answer in answers])
        importance = np.ones(len(trees))
        if self.settings.weights == "agreement":
            importance = agreement_weights(trees)
        long, limit = self.long_sentences(words), self.settings.longest_whole
        warn_of_long(self.name, long, limit, "left to the first system")
        is_short = np.ones(words.n_sentences, np.bool_)
        is_short[long] = False
        short = words[np.flatnonzero(is_short)]
        self._require_memory(short.lengths)
        of_short = np.repeat(is_short, words.lengths)
        heads: NDArray[np.int32] = trees[0].copy()
        heads[of_short] = self._elected(short, trees[:, of_short], importance)
        return heads

    def _heads(self, words: Treebank, on_progress: OnProgress) -> NDArray[np.int32]:
        return self._heads_in_text(words, words, on_progress)

    def _elected(
        self, words: Treebank, trees: NDArray[np.int32], importance: NDArray[np.float64]
    ) -> NDArray[np.int32]:
        """Return the trees with most votes."""
        heads = [np.zeros(0, np.int32)]
        for begin, end in portions(words.offsets):
            part = words[begin:end]
            own = trees[:, words.offsets[begin] : words.offsets[end]]
            if not part.n_words:
                continue
            arcs = sum(
                weight * self._votes(member, part, tree)
                for weight, member, tree in zip(importance, self.members, own, strict=True)
            )
            heads.append(trees_of_most_votes(arcs, part.offsets, projective=True))
        return np.concatenate(heads)

    def _votes(
        self, member: System, words: Treebank, heads: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        if self.settings.of == "posteriors" and isinstance(member, GivesPosteriors):
            return member.arc_posteriors(words)
        return votes_for_arcs(heads, words.offsets)
