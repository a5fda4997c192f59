"""What the paper says of its figures, as predicates of any figures of the same kind.

References
----------
Schwartz, Abend, Reichart and Rappoport (2011), Neutralizing linguistically problematic
annotations in unsupervised dependency parsing evaluation. ACL.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from treegauge.papers.ned.annotation_schemes import METRICS
from treegauge.papers.ned.settings import MOST_SCALARS
from treegauge.papers.paper import Checked, Frames, Remark
from treegauge.tables.numbers import PERCENT_1, NumberFormat

TITLES = {"uas": "UAS", "undirected": "undirected", "ned": "NED"}
POINTS = NumberFormat(decimals=1, scale=100, signed=True)
"""Differences as the paper prints them."""
LEAST_GAIN = 0.093
"""What "considerable" is in section 3: the differences "exceed 9.3%, and go up to 15.1%"."""


class Change(NamedTuple):
    """What flips do to a score; of the paper's attachment a range is known, not whose it is."""

    least: float
    largest: float

    def __str__(self) -> str:
        return " to ".join(POINTS.show(end) for end in dict.fromkeys(self))

    @property
    def size(self) -> float:
        """Its least distance from no change."""
        return min(map(abs, self))


Changes = dict[str, Change]
"""The changes of an algorithm by metric, all lengths."""


def _rows(frames: Frames, name: str) -> list[dict[str, Any]]:
    """Return the rows of a frame, none if it is missing; `of` is the treebank if there are more."""
    if name not in frames:
        return []
    several = frames[name]["treebank"].n_unique() > 1
    rows = frames[name].to_dicts()
    return [{**row, "of": f"{row['treebank']} " if several else ""} for row in rows]


def _changes(frames: Frames) -> dict[tuple[str, str], Changes]:
    """Return what flips change, by treebank and algorithm."""
    changes: dict[tuple[str, str], Changes] = {}
    for row in _rows(frames, "changes"):
        if row["length"] == "all":
            change, ends = row["change"], (row["change_low"], row["change_high"])
            own = changes.setdefault((row["of"], row["algorithm"]), {})
            own[row["metric"]] = Change(*ends) if change is None else Change(change, change)
    return changes


def _of_every_algorithm(
    holds: Callable[[str, Changes], bool | None], *metrics: str
) -> Callable[[Frames], Checked | None]:
    """Return a check of every algorithm that it says something of; evidence are its changes."""

    def check(frames: Frames) -> Checked | None:
        cases = {}
        for (treebank, algorithm), changes in _changes(frames).items():
            case = holds(algorithm, changes)
            if case is not None:
                numbers = ", ".join(f"{TITLES[metric]} {changes[metric]}" for metric in metrics)
                cases[f"{treebank}{algorithm}: {numbers}"] = case
        return Checked.of_cases(cases)

    return check


def _gains(frames: Frames) -> Checked | None:
    most = max((row["parameters"] for row in _rows(frames, "algorithms")), default=0)
    return Checked.of_cases(
        {
            f"{treebank}{algorithm}: {changes['uas']} with at most {most}": (
                most <= MOST_SCALARS and changes["uas"].least >= LEAST_GAIN
            )
            for (treebank, algorithm), changes in _changes(frames).items()
        }
    )


def _spread(frames: Frames) -> Checked | None:
    changes = _changes(frames).values()
    if not changes:
        return None
    spread = {m: max(max(map(abs, one[m])) for one in changes) for m in METRICS}
    texts = {m: f"{TITLES[m]} {PERCENT_1.show(spread[m])}" for m in METRICS}
    others = ("uas", "undirected")
    return Checked.of_cases(
        {f"{texts['ned']}, {texts[m]}": spread["ned"] < spread[m] for m in others}
    )


_PREFERS_MODIFIED = {"km04": False, "saj10a": False, "cs09": True}
"""Whether NED prefers the modified model (section 6)."""


def _preference(algorithm: str, changes: Changes) -> bool | None:
    if algorithm not in _PREFERS_MODIFIED:
        return None
    return (changes["ned"].least > 0) == _PREFERS_MODIFIED[algorithm]


def _orderings(frames: Frames) -> Checked | None:
    return Checked.of_cases(
        {
            f"{row['of']}tau-b with {TITLES[row['metric']]} {row['tau_b']:.2f}": row["tau_b"] < 1
            for row in _rows(frames, "agreement")
            if row["other"] == "ned" and row["metric"] in METRICS and row["tau_b"] is not None
        }
    )


def _learnability(frames: Frames) -> Checked | None:
    """Compare signs; a run has several readings of what is re-annotated, the paper one."""
    cases = {}
    for row in _rows(frames, "learnability"):
        reading = f" ({row['scope']}, edges: {row['edges']})" if "scope" in row else ""
        if row["same_sign"] is not None:
            cases[f"{row['of']}{row['algorithm']}{reading}"] = row["same_sign"]
    return Checked.of_cases(cases)


def _schemes(frames: Frames) -> Checked | None:
    cases = {}
    for row in _rows(frames, "schemes"):
        numbers = ", ".join(f"{TITLES[m]} {PERCENT_1.show(row[m])}" for m in METRICS)
        in_order = row["uas"] < row["undirected"] < row["ned"]
        cases[f"{row['of']}{row['annotation']}: {numbers}"] = in_order
    return Checked.of_cases(cases)


REMARKS = (
    Remark(
        "1",
        "Undirected accuracy rises too, by less than attachment.",
        _of_every_algorithm(
            lambda _, c: 0 < c["undirected"].least < c["uas"].least, "uas", "undirected"
        ),
    ),
    Remark(
        "3",
        "At most 18 parameters, set to extreme values, raise attachment by 9.3 to 15.1 points.",
        _gains,
    ),
    Remark(
        "5",
        "Of two annotations of one text, attachment differs most and NED least.",
        _schemes,
    ),
    Remark(
        "6",
        "NED changes less than attachment when parameters are flipped.",
        _of_every_algorithm(lambda _, c: c["ned"].size < c["uas"].size, "uas", "ned"),
    ),
    Remark(
        "6",
        "NED changes less than undirected accuracy.",
        _of_every_algorithm(lambda _, c: c["ned"].size < c["undirected"].size, "undirected", "ned"),
    ),
    Remark("6", "Over original and modified models, scores spread least under NED.", _spread),
    Remark(
        "6",
        "NED prefers the original models of km04 and saj10a, and the modified one of cs09.",
        _of_every_algorithm(_preference, "ned"),
    ),
    Remark(
        "6", "The order of algorithms under NED differs from that under the others.", _orderings
    ),
    Remark(
        "7",
        "NED prefers the structures that the supervised model learns better.",
        _learnability,
    ),
)
