"""Everything about the order of words in a treebank, with intervals, and its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treegauge.evaluation.word_order_intervals import word_order_intervals
from treegauge.properties import DirectionCounts, WordOrder, head_finality
from treegauge.significance import Interval
from treegauge.tables import PERCENT, Cell, Column, NumberFormat, Table, Value

_THREE = NumberFormat(decimals=3)

ROWS: Mapping[str, str] = {
    "sentences": "sentences",
    "words": "words",
    "mean_dependency_length": "mean dependency length",
    "dlm_ratio": "DLM ratio",
    "branching_dlm_ratio": "DLM ratio, left or right",
    "random_dlm_ratio": "DLM ratio, random",
    "omega": "omega",
    "arc_direction_entropy": "direction entropy",
    "entropy_miller_madow": "  Miller-Madow",
    "entropy_bootstrap": "  bootstrap",
    "size_matched_entropy": "  size-matched",
    "sibling_order_entropy": "sibling order entropy",
    "same_side_sibling_entropy": "  same side",
    "head_final_share": "head-final arcs %",
    "nonprojective_arcs": "non-projective arcs %",
    "nonprojective_sentences": "non-projective trees %",
    "gap_degree": "gap degree",
    "largest_gap_degree": "  largest",
    "edge_degree": "edge degree",
    "largest_edge_degree": "  largest",
    "branching_factor": "branching factor",
    "most_children": "most children",
    "height": "tree height",
}
"""By their names in data: what tables call the numbers; with a per cent sign, shares."""

MOST_RELATIONS = 15
"""How many relations a table for people has at the most."""


@dataclass
class WordOrderDescription:
    """Everything about the word order of one part of a treebank."""

    heading: str
    """What tables call the part."""
    treebank: str
    part: str
    numbers: dict[str, Any]
    intervals: dict[str, Interval | None]
    directions: DirectionCounts
    selection: str
    """What was selected, in a line."""
    wording: str
    """The settings, in a line."""

    def __post_init__(self) -> None:
        self.finality = {one.relation: one for one in head_finality(self.directions)}

    def cell(self, name: str) -> Cell:
        """Return a number as a cell of a table."""
        value, ends = self.numbers.get(name), self.intervals.get(name)
        format = PERCENT if ROWS[name].endswith("%") else _THREE
        if value is not None and ends is not None:
            return Cell(value, ends.low, ends.high, format=format)
        if value is not None and name == "size_matched_entropy":
            return Cell(value, deviation=self.numbers["size_matched_deviation"], format=format)
        return Cell(value, format=format)

    def records(self) -> list[list[Value]]:
        """Return property, value and interval of every number, every reason and relation."""
        rows: list[list[Value]] = []
        for name, value in self.numbers.items():
            if isinstance(value, dict):
                rows += [[f"{name}: {why}", count, None, None] for why, count in value.items()]
                continue
            ends = self.intervals.get(name) or (None, None)
            rows.append([name, str(value).lower() if isinstance(value, bool) else value, *ends])
        shares = [(f"head_final_share: {r}", one.share) for r, one in self.finality.items()]
        return [[self.treebank, self.part, *row] for row in rows] + [
            [self.treebank, self.part, name, share, None, None] for name, share in shares
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            **self.numbers,
            "intervals": {
                name: None if ends is None else {"low": ends.low, "high": ends.high}
                for name, ends in self.intervals.items()
            },
            "head_finality": [
                {"relation": one.relation, "arcs": one.arcs, "share": one.share}
                for one in self.finality.values()
            ],
        }


def describe_word_order(
    order: WordOrder, heading: str, treebank: str, part: str, resamples: int, seed: int
) -> WordOrderDescription:
    """Compute everything; intervals too, unless there are to be no resamples."""
    intervals: dict[str, Interval | None] = {}
    if resamples:
        intervals = word_order_intervals(order, resamples=resamples, seed=seed)
    return WordOrderDescription(
        heading,
        treebank,
        part,
        order.to_dict(),
        intervals,
        order.directions,
        str(order.selection.report),
        order.settings.wording,
    )


def match_sizes(parts: Sequence[WordOrderDescription], *, base: Any, seed: int) -> None:
    """Give all parts the entropy that they have at the size of the smallest, in place."""
    sizes = [part.directions.arcs for part in parts if part.directions.arcs]
    for part in parts:
        mean = deviation = None
        if part.directions.arcs:
            mean, deviation = part.directions.size_matched_entropy(min(sizes), base=base, seed=seed)
        part.numbers["size_matched_arcs"] = min(sizes, default=None)
        part.numbers["size_matched_entropy"] = mean
        part.numbers["size_matched_deviation"] = deviation


def word_order_tables(parts: Sequence[WordOrderDescription]) -> list[Table]:
    """Return the numbers, a column for every part, and the share of head-final arcs."""
    heads = [part.heading for part in parts]
    columns = ("treebank", "part", "property", "value", "low", "high")
    data = Table(columns, [record for part in parts for record in part.records()])
    numbers: list[list[Cell | Value]] = [
        [title, *(part.cell(name) for part in parts)] for name, title in ROWS.items()
    ]
    arcs: dict[str, int] = {}
    for part in parts:
        for relation, one in part.finality.items():
            arcs[relation] = arcs.get(relation, 0) + one.arcs
    frequent = sorted(arcs, key=lambda relation: (-arcs[relation], relation))[:MOST_RELATIONS]
    shares: list[list[Value]] = [
        [name, *(part.finality[name].share if name in part.finality else None for part in parts)]
        for name in frequent
    ]
    left_over = len(arcs) - len(frequent)
    more = [f"{left_over} more relations in --format tsv and --json."] if left_over > 0 else []
    by_relation = [Column(head, format=PERCENT) for head in heads]
    return [
        Table(["", *heads], numbers, notes=_notes(parts), data=data),
        Table(["head-final arcs %", *by_relation], shares, notes=more, data=data),
    ]


def _notes(parts: Sequence[WordOrderDescription]) -> list[str]:
    notes = [f"{wording[0].upper()}{wording[1:]}." for wording in {part.wording for part in parts}]
    notes += [f"{part.heading}: {part.selection}." for part in parts]
    notes += [
        f"{part.heading}: fewer sentences than the preset asks for."
        for part in parts
        if part.numbers["is_small"]
    ]
    return notes
