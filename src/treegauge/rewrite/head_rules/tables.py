"""Tables of head rules, and the one search that reads them.

A rule is a sequence of steps. A step looks at the children of a phrase from one side and takes the
first that has one of some labels; where it finds none, the next step looks. Punctuation is passed
over as long as there is anything else. The last step of every rule takes whatever comes first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Side = Literal["left", "right"]
"""The side that a search begins at."""

PUNCTUATION = frozenset(
    {",", ".", ":", "``", "''", "-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-", "HYPH", "NFP"}
)
"""Tags of the Penn Treebank (the last two of its successors) that are punctuation."""


@dataclass(frozen=True)
class Step:
    """Take the first child from one side that has one of the labels, or any if there are none."""

    side: Side
    labels: frozenset[str] | None


Rule = tuple[Step, ...]


def in_turn(side: Side, labels: str) -> Rule:
    """Return the steps that look for one label after the other, and take anything at the end.

    >>> [sorted(step.labels or "") for step in in_turn("left", "IN TO")]
    [['IN'], ['TO'], []]
    """
    return (*(Step(side, frozenset({label})) for label in labels.split()), Step(side, None))


def any_of(side: Side, labels: str) -> Rule:
    """Return the one step that takes the first child with any of the labels."""
    return (Step(side, frozenset(labels.split())),)


@dataclass(frozen=True)
class HeadTable:
    """Rules by the label of the phrase.

    Attributes
    ----------
    rules : mapping from label to rule
        Every rule ends in a step that takes anything.
    default : Rule
        The rule of labels that are not in the table.
    """

    rules: Mapping[str, Rule]
    default: Rule

    @cached_property
    def _heads(self) -> dict[tuple[str, tuple[str, ...]], int]:
        """The heads of phrases that were looked at before, by label and children."""
        return {}

    def find(self, label: str, children: tuple[str, ...]) -> int:
        """Return which child heads a phrase, by the labels of phrase and children.

        >>> table = HeadTable({"PP": in_turn("left", "IN TO")}, default=in_turn("right", ""))
        >>> table.find("PP", ("ADVP", "IN", "NP")), table.find("X", ("NN", "."))
        (1, 0)
        """
        key = label, children
        if key not in self._heads:
            self._heads[key] = search(self.rules.get(label, self.default), children)
        return self._heads[key]


def search(rule: Rule, children: Sequence[str]) -> int:
    """Return the child that a rule takes."""
    places = [place for place, label in enumerate(children) if label not in PUNCTUATION]
    if not places:
        places = list(range(len(children)))
    for step in rule:
        for place in places if step.side == "left" else reversed(places):
            if step.labels is None or category(children[place]) in step.labels:
                return place
    return places[0]


def category(label: str) -> str:
    """Return a label, or of a doubtful tag such as `JJ|NN` the first choice."""
    return label.partition("|")[0] or label
