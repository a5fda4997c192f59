"""Which targets in the tables of the record were missed, in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

TITLE = "Targets missed"
_TABLE = re.compile(r"^(\|.+\|)\n\|[ :|-]+\|\n((?:\|.+\|(?:\n|\Z))+)", re.MULTILINE)
_LIMIT = re.compile(r"(<=|<|≤|≥|at least )?\s*([\d.,]*\d)\s*(.*)")
_AT_LEAST = ("≥", "at least ")
_MEASURED = ("measured", "CPU seconds", "seconds per million words", "s of CPU", "seconds", "ratio")
"""Columns that a target without a unit may be for; the first one that a table has counts."""


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
    """Yield what a row has to say about each of its targets, and whether it is met."""
    for place, (title, cell) in enumerate(zip(header, row, strict=True)):
        limit = _LIMIT.fullmatch(cell)
        if limit is None or not title.startswith(("target", "wanted")):
            continue
        columns = [place - 1] if title == "wanted" else _columns_for(header, title, limit[3])
        measured = sum(_number(row[column]) for column in columns)
        bound, unit = _number(limit[2]), limit[3]
        at_least = limit[1] in _AT_LEAST or unit.endswith("/s")
        is_met = measured >= bound if at_least else measured <= bound
        is_met = is_met and not (limit[1] == "<" and measured == bound)
        values = " + ".join(row[column] for column in columns)
        titles = " + ".join(header[column] for column in columns)
        yield f"{row[0]}: {values} ({titles}), the target is {cell}", is_met


def _columns_for(header: Sequence[str], title: str, unit: str) -> list[int]:
    """Return the columns that are held against a target."""
    if title == "target, s":  # learning and annotating together
        return [place for place, one in enumerate(header) if one.endswith(", s") and one != title]
    kinds = {"bytes": "bytes", "sentences/s": "sentences/s"}
    wanted = next((word for key, word in kinds.items() if key in unit), "")
    if wanted:
        return [next(place for place, one in enumerate(header) if wanted in one)]
    names = [one for one in ("times slower", "words parsed per second") if one in header]
    if not names or unit:
        names = [one for one in _MEASURED if one in header]
    return [list(header).index(names[0])]


def _number(cell: str) -> float:
    return float(re.sub(r"[^\d.]", "", cell))
