"""Which targets in the tables of the record were missed, in words."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence

TITLE = "Targets missed"
_TABLE = re.compile(r"^(\|.+\|)\n\|[ :|-]+\|\n((?:\|.+\|(?:\n|\Z))+)", re.MULTILINE)
_LIMIT = re.compile(r"(?P<sign><=|>=|≤|≥|<|>)\s*(?P<bound>[\d.,]*\d)\s*(?P<unit>.*)")
_IS_MET: dict[str, Callable[[float, float], bool]] = {
    "≤": operator.le,
    "<=": operator.le,
    "<": operator.lt,
    "≥": operator.ge,
    ">=": operator.ge,
    ">": operator.gt,
}
_RATIOS = ("times slower", "times faster", "ratio", "words parsed per second", "measured")
_COSTS = ("measured", "CPU seconds", "seconds per million words", "s of CPU", "seconds")
"""Columns for least and for most; the first one that a table has is held against a target."""
_UNITS = ("bytes", "sentences/s")
"""Units that are in the title of the column that they are for."""


def report(sections: dict[str, str]) -> str:
    """Return a sentence for every target in a table that was missed.

    >>> table = "| what | seconds | target |\\n| :-- | --: | --: |\\n| reading | 3.0 | < 2 |\\n"
    >>> print(report({"Speed": table}))
    One of 1 target in the tables below was missed:
    <BLANKLINE>
    - Speed, reading: 3.0 (seconds), the target is < 2.
    """
    lines = [
        (one, title)
        for title, text in sections.items()
        for header, rows in _tables(text)
        for row in rows
        for one in _targets_of(header, row)
    ]
    missed = [f"- {title}, {text}." for (text, is_met), title in lines if not is_met]
    targets = f"{len(lines)} target{'s' * (len(lines) != 1)} in the tables below"
    if not missed:
        return f"None of {targets} was missed."
    begin = "One" if len(missed) == 1 else str(len(missed))
    return f"{begin} of {targets} {'was' if len(missed) == 1 else 'were'} missed:\n\n" + "\n".join(
        missed
    )


def _tables(text: str) -> Iterator[tuple[list[str], list[list[str]]]]:
    for header, rows in _TABLE.findall(text):
        yield _cells(header), [_cells(row) for row in rows.strip().split("\n")]


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _targets_of(header: Sequence[str], row: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield what a row has to say about each of its targets, and whether it is met.

    The column before is held against a target headed `wanted`, and whichever fits against one
    headed `target`.

    Raises
    ------
    ValueError
        If nobody can tell what a target means, or whether it is met.
    """
    for place, (title, cell) in enumerate(zip(header, row, strict=True)):
        if not (cell and title.startswith(("target", "wanted"))):
            continue
        limit = _LIMIT.fullmatch(cell)
        if limit is None:
            raise ValueError(f"the target {cell!r} of {row[0]!r} must be a sign and a number")
        columns = [place - 1] if title == "wanted" else _columns_for(header, title, limit)
        if not columns:
            raise ValueError(f"no column for the target {cell!r} of {row[0]!r} in {header}")
        measured = sum(_number(row[column]) for column in columns)
        is_met = _IS_MET[limit["sign"]](measured, _number(limit["bound"]))
        values = " + ".join(row[column] for column in columns)
        titles = " + ".join(header[column] for column in columns)
        yield f"{row[0]}: {values} ({titles}), the target is {cell}", is_met


def _columns_for(header: Sequence[str], title: str, limit: re.Match[str]) -> list[int]:
    """Return the columns that are held against a target; none if none fits."""
    if title == "target, s":  # learning and annotating together
        return [place for place, one in enumerate(header) if one.endswith(", s") and one != title]
    unit = next((one for one in _UNITS if one in limit["unit"]), None)
    if unit is not None:
        return [place for place, one in enumerate(header) if unit in one and one != title][:1]
    names = _RATIOS if limit["sign"] in ("≥", ">=", ">") else _COSTS
    return [list(header).index(name) for name in names if name in header][:1]


def _number(cell: str) -> float:
    found = re.findall(r"[-−]?\d[\d,]*(?:\.\d+)?", cell)
    if len(found) != 1:
        raise ValueError(f"{cell!r} is held against a target, and is not one number")
    return float(found[0].replace(",", "").replace("−", "-"))
