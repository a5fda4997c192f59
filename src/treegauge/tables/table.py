"""The one table: cells with values, intervals and marks, in rows under columns.

Everything that people see as a table is made as a `Table`, and renderers turn it into text,
TSV, CSV and JSON (here), into Markdown, LaTeX and HTML (`reports`), and into a Polars frame.
Numbers stay numbers until then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from treegauge.results import Score
from treegauge.tables.numbers import MISSING, NUMBER, PERCENT, NumberFormat, best_places, show_p

if TYPE_CHECKING:
    import polars as pl

Value = str | int | float | None


GIVEN = "given"  # the remark after a score of annotation that was copied from gold


@dataclass(frozen=True, slots=True)
class Cell:
    """A value and everything that belongs to it.

    Attributes
    ----------
    value : str, int, float or None
        A text, a number, or None where there is no value.
    low, high : float or None
        The ends of its interval; without a value, a range that the number lies in.
    deviation : float or None
        Its standard deviation over seeds.
    n : int or None
        What was scored: words, or sentences.
    p : float or None
        The p-value of a test that belongs to the value: of a correlation, of a difference.
    published : float or None
        What a paper reports in its place, in parentheses after it.
    difference : float or None
        How far it is above another value that the table names, in parentheses after it.
    best : bool
        Whether it is the best of those it is compared with; all of several that look the same.
    letters : str
        The letters of the systems that it is significantly better than.
    remark : str
        A few characters in parentheses after the number: a rank, over how many treebanks.
    note : str
        Why there is no value, or what is odd about it: a footnote.
    signature : str
        How the number was made.
    command : str
        What to type to get the number again.
    details : mapping
        Further numbers of the same kind: precision and recall.
    format : NumberFormat or None
        How it is shown, where that is not the column's format.
    """

    value: Value = None
    low: float | None = None
    high: float | None = None
    deviation: float | None = None
    n: int | None = None
    p: float | None = None
    published: float | None = None
    difference: float | None = None
    best: bool = False
    letters: str = ""
    remark: str = ""
    note: str = ""
    signature: str = ""
    command: str = ""
    details: Mapping[str, float | None] = field(default_factory=lambda: MappingProxyType({}))
    format: NumberFormat | None = None

    @property
    def is_given(self) -> bool:
        """Whether the number is nobody's merit, and in no comparison."""
        return self.remark == GIVEN

    @property
    def is_number(self) -> bool:
        """Whether there is a value, and it is a number."""
        return self.value is not None and not isinstance(self.value, str)

    @property
    def number(self) -> float | None:
        """The value if it is a number, for those who sort or compare."""
        value = self.value
        return None if isinstance(value, str) or value is None or value != value else value

    def extras(self, format: NumberFormat) -> str:
        """Return what follows the value, but for its footnote: ` [83.50, 85.07] ab`."""
        show = format.show
        parts = []
        if self.deviation is not None:
            parts.append(f"± {show(self.deviation).removeprefix('+')}")
        if self.value is not None and self.low is not None and self.high is not None:
            parts.append(f"[{show(self.low)}, {show(self.high)}]")
        if self.p is not None:
            parts = [", ".join([*parts, show_p(self.p)])]
        precision, recall = self.details.get("precision"), self.details.get("recall")
        if precision is not None and recall is not None:
            parts.append(f"(P {show(precision)} R {show(recall)})")
        if self.published is not None:
            parts.append(f"({show(self.published)})")
        if self.difference is not None:
            parts.append(f"({replace(format, signed=True).show(self.difference)})")
        if self.remark:
            parts.append(f"({self.remark})")
        if self.letters:
            parts.append(self.letters)
        return "".join(f" {part}" for part in parts)

    def tooltip(self, label: str, format: NumberFormat) -> str:
        """Return what a reader of a figure is told who points at a number."""
        value = self.value if isinstance(self.value, str) else format.show(self.value)
        n = f"\nn = {self.n:,}" if self.n is not None else ""
        return f"{label}: {value}{self.extras(format)}{n}"

    @classmethod
    def of_score(cls, score: Score, **marks: Any) -> Cell:
        """Return a score as a cell: shares in per cent, with interval, n and signature."""
        return cls(
            score.value,
            score.low,
            score.high,
            n=score.n,
            signature=str(score.signature),
            details=score.details,
            format=PERCENT if score.is_share else NUMBER,
            remark=GIVEN if score.given else "",
            **marks,
        )


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column.

    Attributes
    ----------
    title : str
        What people read.
    key : str
        The name in TSV, CSV and JSON; made from the title if it is empty.
    format : NumberFormat
        How its numbers are shown.
    below : str
        A second line under the title, where there is room for one.
    help : str
        What the title means, for those who ask.
    """

    title: str
    key: str = ""
    format: NumberFormat = NUMBER
    below: str = ""
    help: str = ""

    def __post_init__(self) -> None:
        if not self.key:
            object.__setattr__(self, "key", column_key(self.title))


def column_key(title: str) -> str:
    """Return the name that a column has in data.

    >>> column_key("train tokens"), column_key("% new"), column_key("UAS@10"), column_key("")
    ('train_tokens', 'percent_new', 'uas@10', 'name')
    """
    words = title.lower().replace("%", " percent ").replace("/", " per ").replace("↓", "")
    return re.sub(r"[^\w@.:-]+", "_", words.strip()).strip("_") or "name"


@dataclass(frozen=True, slots=True, init=False)
class Row:
    """Cells, and what belongs to all of them.

    Attributes
    ----------
    cells : sequence of Cell
        One per column; plain values become cells.
    group : str
        Rows of one group stand together under it as their heading.
    letter : str
        What the table calls the row where it says who beats whom.
    published : bool
        Whether its numbers are a paper's: such a row stays below the one before it.
    note : str
        What is to be said of the whole row.
    total : bool
        Whether it sums up the rows above it: such a row stays below them.
    link : str
        Where a page leads a reader who follows the row's name; other formats have no links.
    """

    cells: tuple[Cell, ...]
    group: str
    letter: str
    published: bool
    note: str
    total: bool
    link: str

    def __init__(
        self,
        cells: Iterable[Cell | Value],
        group: str = "",
        letter: str = "",
        published: bool = False,
        note: str = "",
        total: bool = False,
        link: str = "",
    ) -> None:
        as_cells = tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in cells)
        object.__setattr__(self, "cells", as_cells)
        object.__setattr__(self, "group", group)
        object.__setattr__(self, "letter", letter)
        object.__setattr__(self, "published", published)
        object.__setattr__(self, "note", note)
        object.__setattr__(self, "total", total)
        object.__setattr__(self, "link", link)


@dataclass(frozen=True, init=False)
class Table:
    """Rows of cells under columns, a title above and notes below.

    Attributes
    ----------
    columns : sequence of Column
        Plain texts become columns.
    rows : sequence of Row
        Plain sequences of values become rows.
    title : str
        One line above the table.
    notes : sequence of str
        Lines below it.
    data : Table or None
        The same numbers as TSV, CSV and frames have them, where that is another layout: one row
        per system and treebank.

    Examples
    --------
    >>> table = Table(["tag", "words"], [["NOUN", 1200], ["X", None]])
    >>> [cell.value for cell in table.rows[0].cells]
    ['NOUN', 1200]
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    title: str
    notes: tuple[str, ...]
    data: Table | None = field(repr=False)

    def __init__(
        self,
        columns: Iterable[Column | str],
        rows: Iterable[Row | Iterable[Cell | Value]],
        title: str = "",
        notes: Iterable[str] = (),
        data: Table | None = None,
    ) -> None:
        heads = tuple(c if isinstance(c, Column) else Column(c) for c in columns)
        as_rows = tuple(row if isinstance(row, Row) else Row(row) for row in rows)
        for row in as_rows:
            if len(row.cells) != len(heads):
                raise ValueError(f"{len(row.cells)} cells under {len(heads)} columns")
        object.__setattr__(self, "columns", heads)
        object.__setattr__(self, "rows", as_rows)
        object.__setattr__(self, "title", title)
        object.__setattr__(self, "notes", tuple(notes))
        object.__setattr__(self, "data", data)

    # ------------------------------------------------------------------ what renderers ask

    def is_numeric(self, column: int) -> bool:
        """Return whether a column holds numbers only (and perhaps missing values)."""
        return bool(self.rows) and self._numeric[column]

    @cached_property  # renderers ask at every cell
    def _numeric(self) -> tuple[bool, ...]:
        by_column = zip(*(row.cells for row in self.rows), strict=True)
        told = ([c for c in own if c.value is not None or c.note] for own in by_column)
        return tuple(bool(own) and not any(isinstance(c.value, str) for c in own) for own in told)

    def format_of(self, cell: Cell, column: int) -> NumberFormat:
        """Return how a cell of a column is shown."""
        return cell.format or self.columns[column].format

    def value_text(self, cell: Cell, column: int) -> str:
        """Return the value of a cell as people read it."""
        if isinstance(cell.value, str):
            return cell.value
        format = self.format_of(cell, column)
        if cell.value is None and cell.low is not None and cell.high is not None:
            return f"{format.show(cell.low)} to {format.show(cell.high)}"
        text = format.show(cell.value)
        return f"{text}/{cell.n}" if format.kind == "of" and cell.number is not None else text

    def extras_text(self, cell: Cell, column: int) -> str:
        """Return what follows the value: deviation, interval, p, published, letters.

        A space is in front of all but the footnote, which stands close to what it is about.
        """
        footnote = f"[{self.footnotes()[cell.note]}]" if cell.note else ""
        return cell.extras(self.format_of(cell, column)) + footnote

    def cell_text(self, cell: Cell, column: int) -> str:
        """Return a cell as people read it: `84.31 [83.50, 85.07] ab`."""
        return self.value_text(cell, column) + self.extras_text(cell, column)

    def footnotes(self) -> dict[str, int]:
        """Return the number of every footnote, in the order of the cells."""
        texts = dict.fromkeys(c.note for row in self.rows for c in row.cells if c.note)
        return {text: number for number, text in enumerate(texts, start=1)}

    def all_notes(self) -> list[str]:
        """Return footnotes with their numbers, and the notes."""
        return [*(f"[{n}] {text}" for text, n in self.footnotes().items()), *self.notes]

    def grouped(self) -> Iterator[tuple[str, list[Row]]]:
        """Give rows by group, a heading and the rows below it."""
        for group, rows in groupby(self.rows, key=lambda row: row.group):
            yield group, list(rows)

    # ------------------------------------------------------------------ other tables

    def map_cells(self, change: Callable[[Cell], Cell]) -> Table:
        """Return a table with every cell changed."""
        rows = (replace(row, cells=tuple(map(change, row.cells))) for row in self.rows)
        return replace(self, rows=tuple(rows))

    def without_intervals(self) -> Table:
        """Return a table that shows no intervals; data keep them."""
        bare = self.map_cells(lambda cell: replace(cell, low=None, high=None))
        return replace(bare, data=self.data or self)

    def with_columns(self, columns: Sequence[int]) -> Table:
        """Return a table of some of the columns."""
        rows = (replace(row, cells=tuple(row.cells[j] for j in columns)) for row in self.rows)
        heads = tuple(self.columns[j] for j in columns)
        return replace(self, columns=heads, rows=tuple(rows))

    def with_best(self, columns: Sequence[int] = (), *, higher_is_better: bool = True) -> Table:
        """Return a table whose best cells are marked, column by column, within groups.

        Rows of published numbers are in no comparison.

        >>> table = Table(["", "x"], [["a", 1.0], ["b", 2.0]]).with_best([1])
        >>> [row.cells[1].best for row in table.rows]
        [False, True]
        """
        rows: list[Row] = []
        for _, members in self.grouped():
            cells = [list(row.cells) for row in members]
            ours = [i for i, row in enumerate(members) if not row.published]
            for j in columns or range(1, len(self.columns)):
                column = [cells[i][j] for i in ours]
                values = [cell.number for cell in column]
                format = self.format_of(column[0], j) if column else NUMBER
                for place in best_places(values, format, higher_is_better=higher_is_better):
                    cells[ours[place]][j] = replace(column[place], best=True)
            marked = zip(members, map(tuple, cells), strict=True)
            rows += [replace(row, cells=own) for row, own in marked]
        return replace(self, rows=tuple(rows))

    def in_pieces(self, width: int, between: int = 3) -> list[Table]:
        """Return tables that are no wider, the first column in each, notes under the last."""
        widths = [
            max([len(column.title), *(len(self.cell_text(row.cells[j], j)) for row in self.rows)])
            + between
            for j, column in enumerate(self.columns)
        ]
        widths[0] = max([widths[0], *(len(row.group) + between for row in self.rows)])
        pieces: list[list[int]] = []
        left = 0
        for column in range(1, len(self.columns)):
            if not pieces or widths[column] > left:
                pieces.append([])
                left = width + between - widths[0]
            pieces[-1].append(column)
            left -= widths[column]
        if len(pieces) < 2:
            return [self]
        continued = f"{self.title} (continued)" if self.title else ""
        return [
            replace(
                self.with_columns([0, *columns]),
                title=continued if k else self.title,
                notes=self.notes if k == len(pieces) - 1 else (),
            )
            for k, columns in enumerate(pieces)
        ]

    # ------------------------------------------------------------------ renderers

    def to_text(self, *, width: int = 100, colour: bool = False) -> str:
        """Return the table as a terminal shows it."""
        from treegauge.tables.text import to_text

        return to_text(self, width=width, colour=colour)

    def to_tsv(self) -> str:
        """Return the numbers as tab-separated values, at full precision."""
        from treegauge.tables.delimited import to_tsv

        return to_tsv(self)

    def to_csv(self) -> str:
        """Return the numbers as comma-separated values, at full precision."""
        from treegauge.tables.delimited import to_csv

        return to_csv(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the table as JSON has it."""
        from treegauge.tables.records import to_dict

        return to_dict(self)

    def to_polars(self) -> pl.DataFrame:
        """Return the numbers as a Polars frame, as in TSV."""
        from treegauge.tables.records import to_polars

        return to_polars(self)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        from treegauge.reports.html import to_html

        return to_html(self)


__all__ = ["MISSING", "Cell", "Column", "Row", "Table", "Value", "column_key"]
