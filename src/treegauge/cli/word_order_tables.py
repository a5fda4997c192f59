"""How `treegauge describe --word-order` shows what the order of words is like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treegauge.properties import DirectionCounts, WordOrder
    from treegauge.reports import Cell, Table
    from treegauge.significance import Interval

# Label, number, and whether it is a share shown in per cent.
_ROWS = [
    ("sentences", "sentences", False),
    ("words", "words", False),
    ("mean dependency length", "mean_dependency_length", False),
    ("DLM ratio", "dlm_ratio", False),
    ("DLM ratio, left or right", "branching_dlm_ratio", False),
    ("DLM ratio, random", "random_dlm_ratio", False),
    ("omega", "omega", False),
    ("direction entropy", "arc_direction_entropy", False),
    ("  Miller-Madow", "entropy_miller_madow", False),
    ("  bootstrap", "entropy_bootstrap", False),
    ("  size-matched", "size_matched_entropy", False),
    ("sibling order entropy", "sibling_order_entropy", False),
    ("  same side", "same_side_sibling_entropy", False),
    ("head-final arcs %", "head_final_share", True),
    ("non-projective arcs %", "nonprojective_arcs", True),
    ("non-projective trees %", "nonprojective_sentences", True),
    ("gap degree", "gap_degree", False),
    ("  largest", "largest_gap_degree", False),
    ("edge degree", "edge_degree", False),
    ("  largest", "largest_edge_degree", False),
    ("branching factor", "branching_factor", False),
    ("most children", "most_children", False),
    ("tree height", "height", False),
]

_RELATIONS = 15
"""How many relations a table for people has at the most."""


@dataclass
class WordOrderDetails:
    """Everything about the word order of one part of a treebank."""

    label: str
    """What tables call the part."""
    keys: tuple[str, str]
    """The treebank and the part."""
    numbers: dict[str, Any]
    intervals: dict[str, Interval | None]
    directions: DirectionCounts
    report: str
    """What was selected, in a line."""
    wording: str
    """The settings, in a line."""

    def to_dict(self) -> dict[str, Any]:
        """Return the details as JSON has them."""
        return {
            **self.numbers,
            "intervals": {
                name: None if found is None else {"low": found.low, "high": found.high}
                for name, found in self.intervals.items()
            },
            "head_finality": [
                {"relation": one.relation, "arcs": one.arcs, "share": one.share}
                for one in self._finality
            ],
        }

    @property
    def _finality(self) -> Sequence[Any]:
        from treegauge.properties import head_finality

        return head_finality(self.directions)


def details(
    order: WordOrder, *, label: str, keys: tuple[str, str], resamples: int, seed: int
) -> WordOrderDetails:
    """Compute everything; intervals too, unless there are to be no resamples."""
    intervals: dict[str, Interval | None] = {}
    if resamples:
        from treegauge.evaluation.word_order_intervals import word_order_intervals

        intervals = word_order_intervals(order, resamples=resamples, seed=seed)
    return WordOrderDetails(
        label=label,
        keys=keys,
        numbers=order.to_dict(),
        intervals=intervals,
        directions=order.directions,
        report=str(order.selection.report),
        wording=order.settings.wording,
    )


def match_sizes(parts: Sequence[WordOrderDetails], *, base: Any, seed: int) -> None:
    """Give all parts the entropy that they have at the size of the smallest, in place."""
    sizes = [part.directions.arcs for part in parts if part.directions.arcs]
    for part in parts:
        part.numbers["size_matched_arcs"] = min(sizes, default=None)
        part.numbers["size_matched_entropy"] = part.numbers["size_matched_deviation"] = None
        if part.directions.arcs:
            mean, deviation = part.directions.size_matched_entropy(min(sizes), base=base, seed=seed)
            part.numbers["size_matched_entropy"] = mean
            part.numbers["size_matched_deviation"] = deviation


def tables(parts: Sequence[WordOrderDetails]) -> list[Table]:
    """Return the numbers, a column for every part, and the share of head-final arcs."""
    from treegauge.reports import Table

    heads = ["", *[part.label for part in parts]]
    rows = [
        [label, *[_shown(part, name, is_share) for part in parts]]
        for label, name, is_share in _ROWS
    ]
    shares = [{one.relation: one for one in part._finality} for part in parts]
    arcs: dict[str, int] = {}
    for found in shares:
        for relation, one in found.items():
            arcs[relation] = arcs.get(relation, 0) + one.arcs
    frequent = sorted(arcs, key=lambda relation: (-arcs[relation], relation))[:_RELATIONS]
    by_relation: list[list[Cell]] = [
        [
            relation,
            *[100 * found[relation].share if relation in found else None for found in shares],
        ]
        for relation in frequent
    ]
    left_over = len(arcs) - len(frequent)
    more = [f"{left_over} more relations in --format tsv and --json."] if left_over > 0 else []
    return [
        Table(heads, rows, notes=_notes(parts), right=frozenset(range(1, len(heads)))),
        Table(["head-final arcs %", *heads[1:]], by_relation, notes=more),
    ]


def _shown(part: WordOrderDetails, name: str, is_share: bool) -> Cell:
    value: Cell = part.numbers.get(name)
    found = part.intervals.get(name)
    if isinstance(value, float) and found is not None:
        return f"{value:.3f} [{found.low:.3f}, {found.high:.3f}]"
    if name == "size_matched_entropy" and isinstance(value, float):
        return f"{value:.3f} ± {part.numbers['size_matched_deviation']:.3f}"
    if isinstance(value, float):
        return f"{100 * value:.2f}" if is_share else f"{value:.3f}"
    return value


def _notes(parts: Sequence[WordOrderDetails]) -> list[str]:
    notes = [f"{wording[0].upper()}{wording[1:]}." for wording in {part.wording for part in parts}]
    notes += [f"{part.label}: {part.report}." for part in parts]
    notes += [
        f"{part.label}: fewer sentences than the preset asks for."
        for part in parts
        if part.numbers["is_small"]
    ]
    return notes


def long_table(parts: Sequence[WordOrderDetails]) -> Table:
    """Return a row for every number of every part, and for every reason and relation."""
    from treegauge.reports import Table

    rows: list[list[Cell]] = []
    for part in parts:
        for name, value in part.numbers.items():
            if isinstance(value, dict):
                rows += [
                    [*part.keys, f"{name}: {reason}", count, None, None]
                    for reason, count in value.items()
                ]
                continue
            found = part.intervals.get(name)
            ends = (None, None) if found is None else tuple(found)
            rows.append([*part.keys, name, _cell(value), *ends])
        rows += [
            [*part.keys, f"head_final_share: {one.relation}", one.share, None, None]
            for one in part._finality
        ]
    return Table(["treebank", "part", "property", "value", "low", "high"], rows)


def _cell(value: Any) -> Cell:
    return str(value).lower() if isinstance(value, bool) else value
