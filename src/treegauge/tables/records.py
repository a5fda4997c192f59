"""Tables as data: one record a row, every number with what belongs to it, at full precision.

A column `uas` becomes `uas`, and beside it `uas_low`, `uas_high`, `uas_deviation`, `uas_n`,
`uas_p` and `uas_published` where its cells have them. Shares are in 0..1, as everywhere but in
front of people.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from treegauge.tables.table import Cell, Column, Table, Value

if TYPE_CHECKING:
    import polars as pl

_BESIDE = ("low", "high", "deviation", "n", "p", "published", "difference")


def from_records(
    columns: Iterable[Column | str], rows: Iterable[Mapping[str, Any]], **about: Any
) -> Table:
    """Return a table of records, as frames have them: the way back from `records`.

    A column's key says what stands in it, and `KEY_low`, `KEY_n` and so on what belongs to it.

    Parameters
    ----------
    **about
        Title and notes.

    Examples
    --------
    >>> table = from_records(["uas"], [{"uas": 0.5, "uas_low": 0.4, "uas_high": 0.6}])
    >>> table.rows[0].cells[0].low
    0.4
    """
    heads = [column if isinstance(column, Column) else Column(column) for column in columns]
    return Table(heads, ([_cell(row, head.key) for head in heads] for row in rows), **about)


def _cell(row: Mapping[str, Any], key: str) -> Cell:
    beside = {
        part: row[f"{key}_{part}"]
        for part in (*_BESIDE, "best", "remark")
        if f"{key}_{part}" in row
    }
    return Cell(row[key], **beside)


def records(table: Table) -> list[dict[str, Value]]:
    """Return a record for every row, all with the same keys.

    >>> from treegauge.tables import Cell
    >>> records(Table(["", "uas"], [["a", Cell(0.5, 0.4, 0.6, n=10)]]))
    [{'name': 'a', 'uas': 0.5, 'uas_low': 0.4, 'uas_high': 0.6, 'uas_n': 10}]
    """
    table = table.data or table
    group = [("group", None)] if any(row.group for row in table.rows) else []
    keys = _keys(table)
    beside = [
        [
            part
            for part in _BESIDE
            if any(getattr(row.cells[j], part) is not None for row in table.rows)
        ]
        for j in range(len(keys))
    ]
    rows = []
    for row in table.rows:
        record: dict[str, Value] = {key: row.group for key, _ in group}
        for cell, key, parts in zip(row.cells, keys, beside, strict=True):
            record[key] = cell.value if isinstance(cell.value, str) else cell.number
            for part in parts:
                record[f"{key}_{part}"] = getattr(cell, part)
        rows.append(record)
    return rows


def _keys(table: Table) -> list[str]:
    """Return the names of columns, made different where two are the same."""
    seen: dict[str, int] = {}
    keys = []
    for column in table.columns:
        seen[column.key] = seen.get(column.key, 0) + 1
        again = seen[column.key]
        keys.append(column.key if again == 1 else f"{column.key}_{again}")
    return keys


def record_keys(table: Table) -> list[str]:
    """Return the keys of all records, also of a table without rows."""
    rows = records(table)
    return list(rows[0]) if rows else _keys(table.data or table)


def to_polars(table: Table) -> pl.DataFrame:
    """Return a frame of the records."""
    import polars as pl

    rows = records(table)
    return pl.DataFrame(
        {key: [record[key] for record in rows] for key in record_keys(table)}, strict=False
    )


def to_dict(table: Table) -> dict[str, Any]:
    """Return a table as JSON has it: its title, its notes, and a record for every row."""
    return {"title": table.title, "rows": records(table), "notes": table.all_notes()}
