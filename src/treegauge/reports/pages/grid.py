"""A grid: the scores of many treebanks, which a reader filters by language, family and script.

A table of hundreds of treebanks and twenty systems is too large to be read, and too large for a
browser to open at once. So the page has its numbers as data, and a script (`grid.js`) that shows
one page of rows at a time: treebanks, or the means of languages, families, genera or scripts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treegauge.catalogue.languages import language_of
from treegauge.tables import Cell, NumberFormat
from treegauge.treebank.parts import WHOLE

MOST_COLUMNS = 30
"""More treebanks than these are rows of a grid, and no columns of a table."""

UNKNOWN = "unknown"
"""The family and script of a language that nobody has written down."""

_KINDS = ("language", "family", "genus", "script")


@dataclass(frozen=True)
class GridSystem:
    """A column of a grid."""

    name: str
    supervision: str
    letter: str = ""


@dataclass(frozen=True)
class GridTable:
    """The scores of all treebanks under one metric."""

    title: str
    format: NumberFormat
    higher_is_better: bool
    systems: Sequence[GridSystem]
    cells: Mapping[tuple[str, str], Cell]
    """By system and treebank; what is not there is empty."""
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Grid:
    """Tables of the same treebanks, one of which is seen, a page of its rows at a time."""

    treebanks: Mapping[str, Mapping[str, str]]
    """Language, family, genus and script by name; see `described`."""
    tables: Sequence[GridTable]
    kind: str = "grid"


def described(treebank: str, part: str = "test") -> dict[str, str]:
    """Return what readers look for a treebank by: language, family, genus and script.

    >>> described("got_proiel")["family"], described("it_works", "whole")["family"]
    ('Indo-European', 'unknown')
    """
    # A loose file may be called anything: `it_works.conllu` is not Italian.
    language = None if part == WHOLE else language_of(treebank)
    if language is None:
        return dict.fromkeys(_KINDS, UNKNOWN)
    facts = (language.name, language.family, language.genus, language.script)
    return dict(zip(_KINDS, facts, strict=True))


def grid_document(
    grid: Grid, signature: Callable[[str], int], command: Callable[[str], str]
) -> dict[str, Any]:
    """Return a grid as its script reads it, columns of numbers without their names.

    Parameters
    ----------
    signature, command : callable
        From a text to what stands for it: the page has each text once.
    """
    names = list(grid.treebanks)
    return {
        "treebanks": [[name, *(grid.treebanks[name][kind] for kind in _KINDS)] for name in names],
        "tables": [
            {
                "title": table.title,
                "scale": table.format.scale,
                "decimals": table.format.decimals,
                "higher": table.higher_is_better,
                "notes": list(table.notes),
                "systems": [
                    {
                        "name": system.name,
                        "supervision": system.supervision,
                        "letter": system.letter,
                        **_columns(
                            [table.cells.get((system.name, name), Cell()) for name in names],
                            signature,
                            command,
                        ),
                    }
                    for system in table.systems
                ],
            }
            for table in grid.tables
        ],
    }


def _columns(
    cells: Sequence[Cell], signature: Callable[[str], int], command: Callable[[str], str]
) -> dict[str, list[Any]]:
    """Return the cells of a system, treebank by treebank; a column that is empty is left out."""
    columns: dict[str, list[Any]] = {
        "value": [cell.number for cell in cells],
        "low": [_rounded(cell.low) for cell in cells],
        "high": [_rounded(cell.high) for cell in cells],
        "deviation": [_rounded(cell.deviation) for cell in cells],
        "n": [cell.n for cell in cells],
        "letters": [cell.letters or None for cell in cells],
        "note": [cell.note or None for cell in cells],
        "signature": [signature(cell.signature) if cell.signature else None for cell in cells],
        "command": [command(cell.command) if cell.command else None for cell in cells],
    }
    return {
        name: column
        for name, column in columns.items()
        if name == "value" or any(one is not None for one in column)
    }


def _rounded(value: float | None) -> float | None:
    """Return the end of an interval, with more digits than anybody is shown."""
    return None if value is None else round(value, 6)
