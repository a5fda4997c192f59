"""Tables of a report: numbers with all that belongs to them, to be sorted and filtered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from treegauge import tables
from treegauge.reports.old_tables import NOTHING, Cell, Table, shown


@dataclass(frozen=True)
class Number:
    """A number as readers meet it, and as sorting needs it."""

    text: str
    value: float | None = None
    """What rows are sorted by."""
    interval: str = ""
    """`40.10, 42.30`."""
    n: int | None = None
    letters: str = ""
    """Of the systems that it is significantly better than."""
    is_best: bool = False
    remark: str = ""
    """Why there is no number, or what else is to be said of it."""
    signature: int | None = None
    """Which of the signatures of the document."""
    source: int | None = None
    """Which of the sources of the document: how to make it again."""


Content = str | Number


@dataclass(frozen=True)
class Column:
    """The head of a column."""

    label: str
    is_number: bool = True
    below: str = ""
    """A second line: how many words there are."""
    arguments: str = ""
    """What the command needs beside a number's source, if that differs between columns."""
    explained: str = ""


@dataclass(frozen=True)
class Row:
    """A row, and rows that belong to it and never part with it."""

    cells: Sequence[Content]
    letter: str = ""
    """What the table calls it where it says who beats whom."""
    is_published: bool = False
    remark: str = ""
    arguments: str = ""
    """What the command needs beside a number's source, if that differs between rows."""
    followers: Sequence[Row] = ()


@dataclass(frozen=True)
class Group:
    """Rows that are sorted among themselves only."""

    rows: Sequence[Row]
    label: str = ""


@dataclass(frozen=True)
class DataTable:
    """A table that people sort, filter and ask where a number comes from."""

    caption: str
    columns: Sequence[Column]
    groups: Sequence[Group]
    notes: Sequence[str] = ()
    arguments: str = ""
    """What the command needs beside a number's source."""
    kind: str = "table"

    @property
    def n_rows(self) -> int:
        """How many rows there are, without those that follow others."""
        return sum(len(group.rows) for group in self.groups)


def as_data_table(table: Table | tables.Table, *, caption: str = "") -> DataTable:
    """Return a plain table as one that can be sorted.

    >>> table = as_data_table(Table(("tag", "n"), [("NOUN", 1200), ("X", None)]))
    >>> [cell.text for row in table.groups[0].rows for cell in row.cells[1:]]
    ['1,200', '–']
    """
    if isinstance(table, tables.Table):
        return _of_table(table, caption)
    numeric = [table.is_numeric(j) for j in range(len(table.columns))]
    groups: list[Group] = []
    rows: list[Row] = []
    for i, row in enumerate(table.rows):
        if i in table.headings:
            if rows or groups:
                groups[-1] = replace(groups[-1], rows=rows) if groups else Group(rows)
            groups.append(Group((), shown(row[0])))
            rows = []
            continue
        cells = [
            _number(cell, (i, j) in table.bold) if numeric[j] else shown(cell)
            for j, cell in enumerate(row)
        ]
        rows.append(Row(cells))
    if groups:
        groups[-1] = replace(groups[-1], rows=rows)
    else:
        groups.append(Group(rows))
    columns = [
        Column(label, is_number) for label, is_number in zip(table.columns, numeric, strict=True)
    ]
    return DataTable(caption or table.title, columns, groups, table.notes)


def _of_table(table: tables.Table, caption: str) -> DataTable:
    groups = []
    for label, members in table.grouped():
        rows = []
        for row in members:
            cells: list[Content] = [
                Number(table.shown(cell, j), cell.number, n=cell.n, is_best=cell.best)
                if table.is_numeric(j)
                else table.shown(cell, j)
                for j, cell in enumerate(row.cells)
            ]
            rows.append(Row(cells, row.letter, row.published, row.note))
        groups.append(Group(rows, label))
    columns = [Column(c.title, table.is_numeric(j)) for j, c in enumerate(table.columns)]
    return DataTable(caption or table.title, columns, groups, table.all_notes())


def _number(cell: Cell, is_best: bool) -> Number:
    """Return a cell of a column of numbers, some of which are texts that begin with one."""
    if isinstance(cell, str):
        first = cell.split(maxsplit=1)[0].strip("<[(").replace(",", "") if cell.split() else ""
        try:
            return Number(cell, float(first), is_best=is_best)
        except ValueError:
            return Number(cell, is_best=is_best)
    return Number(NOTHING if cell is None else shown(cell), cell, is_best=is_best)
