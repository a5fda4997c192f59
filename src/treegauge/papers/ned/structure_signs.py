"""Which structures an algorithm builds against gold, as Table 1 of the paper has them.

The paper writes + where an algorithm disagreed with gold about the direction of an edge and its
parameters were changed, and - where it agreed. Here the sign says whether a flip was accepted, and
the numbers beside it how often the algorithm disagrees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treegauge.papers.ned.edge_types import Edges, EdgeType
from treegauge.rewrite.debatable import STRUCTURES

OTHERS = "others"
"""Edges that belong to none of the paper's structures."""


@dataclass(frozen=True)
class DirectionCounts:
    """Edges of a structure between neighbours that an algorithm finds, by their direction."""

    structure: str
    token_share: float
    """The share of words with an edge of this structure in gold."""
    as_gold: int
    turned: int

    def to_row(self, accepted: Sequence[EdgeType]) -> dict[str, Any]:
        """Return the counts, and how many of the accepted flips concern the structure."""
        return {
            "structure": self.structure,
            "token_share": self.token_share,
            "as_gold": self.as_gold,
            "turned": self.turned,
            "flips": sum(structure_or_others(edge) == self.structure for edge in accepted),
        }


def structure_or_others(edge: EdgeType) -> str:
    """Return the problematic structure of an edge, or `others`."""
    return edge.structure if edge.is_problematic else OTHERS


def direction_counts(gold: Edges, induced: Edges) -> list[DirectionCounts]:
    """Return the counts of every structure that gold has, the other edges last."""
    counts = {"as_gold": Counter[str](), "turned": Counter[str]()}
    for edge, n in gold.shared_with(induced):
        counts["as_gold"][structure_or_others(edge)] += n
    for edge, n in gold.turned_in(induced):
        counts["turned"][structure_or_others(edge)] += n
    types: dict[str, list[EdgeType]] = {name: [] for name in (*STRUCTURES, OTHERS)}
    for edge in gold.types():
        types[structure_or_others(edge)].append(edge)
    return [
        DirectionCounts(name, gold.share(*own), counts["as_gold"][name], counts["turned"][name])
        for name, own in types.items()
        if own
    ]
