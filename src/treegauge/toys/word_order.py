"""Word order: from lines such as `nsubj aux * obj` to the places of words.

An order lists the slots around a head, which is `*`. Slots are named after relations where
that is enough, and `SLOTS` says which relation the others have. A slot that stands on both
sides of the head is filled on either; slots in braces come in any order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

SLOTS = {
    # of clauses
    "nsubj": "nsubj",
    "obj": "obj",
    "iobj": "iobj",
    "obl": "obl",
    "advmod": "advmod",
    "neg": "advmod",
    "aux": "aux",
    "cop": "cop",
    "mark": "mark",
    "relative": "",  # whatever the relative pronoun is in its clause
    "question": "discourse",
    "xcomp": "xcomp",
    "ccomp": "ccomp",
    "advcl": "advcl",
    "discourse": "discourse",
    "vocative": "vocative",
    "front": "",  # where something moved to, with the relation it had
    "back": "",
    "stop": "punct",
    # of nominals
    "case": "case",
    "det": "det",
    "nummod": "nummod",
    "amod": "amod",
    "flat": "flat",
    "nmod": "nmod",
    "appos": "appos",
    "acl:relcl": "acl:relcl",
    # of any phrase
    "degree": "advmod",
    "conj": "conj",
    "cc": "cc",
    "comma<": "punct",
    "comma>": "punct",
}
"""Every slot, and the relation of what stands in it."""

SLOT = {slot: number for number, slot in enumerate(SLOTS)}
"""Numbers of the slots."""

RELATIONS = ("root", *dict.fromkeys(relation for relation in SLOTS.values() if relation))
"""Every relation of the toy languages."""

RELATION = {relation: number for number, relation in enumerate(RELATIONS)}
"""Numbers of the relations."""

HEAD = "*"

SHARED = ("comma<", "cc", "conj", "comma>")
"""Slots that every phrase has; a nominal that is a predicate has them of its clause."""


class WordOrder:
    """The order of one kind of phrase.

    Parameters
    ----------
    line : str
        The slots around the head.
    before : mapping from slot to share
        How often a slot that stands on both sides of the head is filled before it.

    Attributes
    ----------
    head_rank : int
        The place of the head among the slots.
    rank : int array (2, slots)
        The place of every slot behind the head (row 0) and before it (row 1).
    share_before : array of float
        How often each slot stands before the head; -1 if the phrase has no such slot.
    is_free : array of bool (2, slots)
        Whether the slot stands in braces.

    Examples
    --------
    >>> order = WordOrder("det {amod} * {nmod amod}", {"amod": 0.75})
    >>> order.head_rank, order.rank[:, SLOT["amod"]].tolist(), order.share_before[SLOT["amod"]]
    (2, [3, 1], np.float64(0.75))
    """

    def __init__(self, line: str, before: Mapping[str, float]) -> None:
        self.rank = np.full((2, len(SLOTS)), -1, np.int64)
        self.is_free = np.zeros((2, len(SLOTS)), np.bool_)
        self.share_before = np.full(len(SLOTS), -1.0)
        self.head_rank = -1
        for rank, group in enumerate(re.findall(r"\{[^}]*\}|\S+", line)):
            if group == HEAD:
                self.head_rank = rank
                continue
            side = int(self.head_rank < 0)
            for name in group.strip("{}").split():
                self.rank[side, SLOT[name]] = rank
                self.is_free[side, SLOT[name]] = group.startswith("{")
        for name, slot in SLOT.items():
            behind, ahead = self.rank[:, slot] >= 0
            if behind or ahead:
                self.share_before[slot] = before[name] if behind and ahead else float(ahead)


def predicate_order(clause: str, nominal: str) -> str:
    """Return the order of a clause whose predicate is a nominal.

    >>> predicate_order("comma< nsubj cop * obl", "comma< det * amod comma>")
    'comma< nsubj cop det * amod obl'
    """
    inner = " ".join(slot for slot in nominal.split() if slot not in SHARED)
    return clause.replace(HEAD, inner)


def positions(
    place: NDArray[np.int64],
    rank: NDArray[np.int64],
    head_rank: NDArray[np.int64],
    tie_break: NDArray[np.int64],
    depth: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Put the nodes of a forest into a line, tree after tree.

    Parameters
    ----------
    place : int array
        The node in whose phrase every node stands, -1 for the top of a tree.
    rank, head_rank : int array
        The rank of every node in that phrase, and of the head of its own.
    tie_break : int array
        Orders nodes of one phrase with the same rank; below 2 ** 31.
    depth : int array
        0 for the tops, and one more than its `place` for every other node.

    Returns
    -------
    int array
        The position of every node, counted from 0 through the whole forest. A phrase is
        never interrupted by words from outside, so that trees that hang together as
        `place` does are projective.
    """
    levels = np.split(np.argsort(depth, kind="stable"), np.cumsum(np.bincount(depth))[:-1])
    size = np.ones(len(place), np.int64)
    for level in reversed(levels[1:]):
        np.add.at(size, place[level], size[level])

    # Every node is sorted into the phrase where it stands, and once more, as a single word,
    # into its own.
    nodes = np.arange(len(place))
    phrase = np.concatenate([place, nodes])
    width = np.concatenate([size, np.ones(len(place), np.int64)])
    ranks = np.concatenate([rank, head_rank])
    ties = np.concatenate([tie_break, np.zeros(len(place), np.int64)])
    order = np.argsort(((phrase + 1) << 38) | (ranks << 31) | ties, kind="stable")
    ends = np.cumsum(width[order])
    start = np.empty(len(order), np.int64)
    start[order] = ends - width[order]
    # Sums ran through all phrases; count from the beginning of each.
    first_of_phrase = np.full(len(place) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first_of_phrase, phrase + 1, start)
    offset = start - first_of_phrase[phrase + 1]
    in_phrase, of_head = offset[: len(place)], offset[len(place) :]

    begin = in_phrase.copy()
    for level in levels[1:]:
        begin[level] += begin[place[level]]
    position: NDArray[np.int64] = begin + of_head
    return position
