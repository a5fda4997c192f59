"""Several parsers as one: every parser votes for its arcs, and the tree with most votes wins.

References
----------
Sagae and Lavie (2006), Parser combination by reparsing. NAACL (votes of equal weight, maximum
spanning tree).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.committee import Committee
from treegauge.systems.dependency_induction.chart import portions
from treegauge.systems.errors import SystemsError
from treegauge.systems.long_sentences import CUBIC, warn_of_long, whole_up_to
from treegauge.systems.system import OnProgress, System
from treegauge.systems.voting import trees_of_most_votes, votes_for_arcs
from treegauge.treebank import Column, Treebank

_TIE = 2.0**-20
"""What an arc of the first parser is worth besides its vote; sums of halves have no rounding."""


@dataclass(frozen=True)
class EnsembleSettings(Settings):
    """Who votes."""

    parsers: tuple[str, ...] = setting(
        ("transition", "graph", "transition?system=swap-lazy"),
        "three or more parsers that vote; with settings: graph?decoder=cle&epochs=5",
    )
    single_root: bool = setting(True, "force exactly one root per sentence")
    longest_whole: int = whole_up_to(CUBIC, "left to the first parser")


class Ensemble(Committee):
    """Parsers that learn from the same trees and vote.

    The tree with most votes wins; of several, the one that has most arcs of the first parser. An
    arc's relation is what most of the parsers with that arc say (of all parsers where none has
    it), and what the first of them says if equally many say something else. Every parser has a
    seed of its own, so that one can be named several times. Two parsers are no vote: where they
    differ no tree has more votes than that of the first, which is what comes out.
    """

    name = "ensemble"
    task = "dependencies"
    settings_type = EnsembleSettings
    is_supervised = True

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        if not self.settings.parsers:
            raise SystemsError(f"{self.name}: setting parsers: expected at least one, found none")
        self._appoint(self.settings.parsers)

    def _require(self, member: System) -> None:
        if member.task != "dependencies" or not member.is_supervised:
            raise SystemsError(
                f"{self.name}: {member.name} is no parser that learns from trees\n"
                "  `treegauge list systems` shows what there is"
            )

    def _annotate(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        answers = self._answers(treebank, on_progress)
        votes = np.array([answer.head for answer in answers])
        heads = self._elected(votes, treebank)
        relations = most_voted_relations(
            [answer.deprel for answer in answers], chose=votes == heads
        )
        return treebank.replace(head=heads, columns={"deprel": relations})

    def _elected(self, votes: NDArray[np.int32], treebank: Treebank) -> NDArray[np.int32]:
        """Return the trees with most votes; of long sentences, those of the first parser."""
        long, limit = self.long_sentences(treebank), self.settings.longest_whole
        warn_of_long(self.name, long, limit, "left to the first parser")
        lengths = treebank.lengths.copy()
        lengths[long] = 0
        self._require_memory(lengths)
        is_short = np.repeat(lengths > 0, treebank.lengths)
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        heads: NDArray[np.int32] = votes[0].copy()
        heads[is_short] = most_voted_trees(votes[:, is_short], offsets, self.settings.single_root)
        return heads

    def memory_for(self, words: int) -> int:
        """Return the bytes of the tables that a spanning tree is found with."""
        return 48 * words**2


def most_voted_trees(
    votes: NDArray[np.int32], offsets: NDArray[np.int64], single_root: bool = True
) -> NDArray[np.int32]:
    """Return the trees that have the most arcs in common with all voters.

    Parameters
    ----------
    votes : int32 array of voters x words
        The heads that every voter chose, counted inside sentences from 1.
    offsets : int64 array
        Where sentences begin.
    single_root : bool
        Whether a tree has exactly one root word.

    Examples
    --------
    >>> votes = np.array([[2, 0, 2], [2, 0, 1], [0, 1, 2]], np.int32)
    >>> most_voted_trees(votes, np.array([0, 3])).tolist()
    [2, 0, 2]
    """
    trees = [np.zeros(0, np.int32)]
    for begin, end in portions(offsets):
        own = offsets[begin : end + 1] - offsets[begin]
        voters = votes[:, offsets[begin] : offsets[end]]
        # A vote is worth more than what all arcs of a tree can get here.
        arcs = _TIE * votes_for_arcs(voters[0], own)
        for voter in voters:
            arcs += votes_for_arcs(voter, own)
        trees.append(trees_of_most_votes(arcs, own, projective=False, single_root=single_root))
    return np.concatenate(trees)


def most_voted_relations(relations: Sequence[Column], *, chose: NDArray[np.bool_]) -> Column:
    """Return the relation that most of those voters name that chose a word's head.

    Parameters
    ----------
    relations : sequence of Column
        What every voter says.
    chose : bool array of voters x words
        Who may be asked; where nobody may, everybody is.

    Examples
    --------
    >>> votes = [Column.from_strings([name]) for name in ("obj", "iobj", "iobj")]
    >>> list(most_voted_relations(votes, chose=np.array([[True], [True], [True]])))
    ['iobj']
    >>> list(most_voted_relations(votes, chose=np.array([[True], [True], [False]])))
    ['obj']
    """
    together = Column.concatenate(relations)
    codes = together.codes.reshape(chose.shape)
    is_voter = chose | ~chose.any(axis=0)
    agreeing = np.array([((codes == own) & is_voter).sum(axis=0) for own in codes])
    # argmax takes the first of equals.
    winner = np.where(is_voter, agreeing, -1).argmax(axis=0)
    chosen = np.take_along_axis(codes, winner[None], axis=0)[0]
    return Column(chosen, together.vocabulary).compact()
