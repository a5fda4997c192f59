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
    """A value with everything that belongs to it.

    Attributes
    ----------
    value : str, int, float or None
        A text, a number, or None where there is no value.
    low, high : float or None
        The ends of its interval. Without a value: the range that the number is in.
    deviation : float or None
        Its standard deviation over seeds.
    n : int or None
        The number of scored words or sentences.
    p : float or None
        The p-value of a test of the value, such as of a correlation or a difference.
    published : float or None
        What a paper reports instead; it follows in parentheses.
    difference : float or None
        How far it is above another value that the table names; it follows in parentheses.
    best : bool
        Whether it is the best of those it is compared with. Several that look the same are all
        best.
    letters : str
        The letters of the systems that it is significantly better than.
    remark : str
        A few characters in parentheses after the number, such as a rank.
    note : str
        A footnote: why there is no value, or what is special about it.
    signature : str
        How the number was computed.
    command : str
        The command that reproduces the number.
    details : mapping
        Further numbers of the same kind: precision and recall.
    format : NumberFormat or None
        How it is shown, if not in the format of the column.

    Examples
    --------
    >>> cell = Cell(0.8431, 0.835, 0.8507, n=2000)
    >>> cell.is_number, cell.number
    (True, 0.8431)
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
        """Whether the annotation was copied from gold. Such a number is in no comparison."""
        return self.remark == GIVEN

    @property
    def is_number(self) -> bool:
        """Whether there is a value, and it is a number."""
        return self.value is not None and not isinstance(self.value, str)

    @property
    def number(self) -> float | None:
        """The value if it is a number, for sorting and comparing."""
        value = self.value
        return None if isinstance(value, str) or value is None or value != value else value

    def extras(self, format: NumberFormat) -> str:
        """Return what follows the value, except its footnote: ` [83.50, 85.07] ab`.

        Parameters
        ----------
        format : NumberFormat
            How the numbers are shown.

        Returns
        -------
        str
            Empty if nothing follows the value.

        Examples
        --------
        >>> Cell(0.8431, 0.835, 0.8507, letters="ab").extras(PERCENT)
        ' [83.50, 85.07] ab'
        """
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
        """Return the text that a figure shows for this number under the mouse pointer.

        Parameters
        ----------
        label : str
            The name of the number.
        format : NumberFormat
            How the number is shown.

        Returns
        -------
        str
            One line; a second line has `n`, if it is known.

        Examples
        --------
        >>> Cell(0.8431, n=2000).tooltip("UAS", PERCENT)
        'UAS: 84.31\\nn = 2,000'
        """
        value = self.value if isinstance(self.value, str) else format.show(self.value)
        n = f"\nn = {self.n:,}" if self.n is not None else ""
        return f"{label}: {value}{self.extras(format)}{n}"

    @classmethod
    def of_score(cls, score: Score, **marks: Any) -> Cell:
        """Return a score as a cell: shares in per cent, with interval, n and signature.

        Parameters
        ----------
        score : Score
            The score.
        **marks : Any
            Further attributes of the cell, such as `letters`.

        Returns
        -------
        Cell
            The cell.

        Examples
        --------
        >>> import treegauge as tg
        >>> gold = tg.toy_treebank(tokens=100)
        >>> evaluation = tg.evaluate(gold, gold, metrics="uas", resamples=0)
        >>> Cell.of_score(evaluation["uas"], letters="a").value
        1.0
        """
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
        The name in TSV, CSV and JSON. Default: made from the title.
    format : NumberFormat
        How its numbers are shown.
    below : str
        A second line under the title, if there is room for one.
    help : str
        What the title means.

    Examples
    --------
    >>> Column("train tokens").key
    'train_tokens'
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
        One per column. Plain values become cells.
    group : str
        Rows of one group are together below it; it is their heading.
    letter : str
        The letter that stands for the row in the letters of other rows.
    published : bool
        Whether its numbers are those of a paper. Such a row stays below the previous one.
    note : str
        A note on the whole row.
    total : bool
        Whether it sums up the rows above it. Such a row stays below them.
    link : str
        Where the name of the row leads on a page. Other formats have no links.

    Examples
    --------
    >>> Row(["NOUN", 1200]).cells[1].value
    1200
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
    """Rows of cells under columns, with a title above and notes below. It prints as a table.

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
        The same numbers as TSV, CSV and data frames have them, if that layout differs: one row
        per system and treebank.

    Raises
    ------
    ValueError
        If a row has not as many cells as there are columns.

    Examples
    --------
    >>> table = Table(["tag", "words"], [["NOUN", 1200], ["X", None]])
    >>> print(table, end="")
    tag    words
    ────────────
    NOUN   1,200
    X          –
    >>> [cell.value for cell in table.rows[0].cells]
    ['NOUN', 1200]
    >>> table.to_dict()["rows"]
    [{'tag': 'NOUN', 'words': 1200}, {'tag': 'X', 'words': None}]
    >>> table.to_tsv()
    'tag\\twords\\nNOUN\\t1200\\nX\\t\\n'
    >>> table.to_csv().splitlines()[1]
    'NOUN,1200'
    >>> table.to_polars().shape
    (2, 2)
    >>> table.to_text(width=40) == str(table)
    True
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
        """Return whether a column holds only numbers and missing values.

        Parameters
        ----------
        column : int
            The position of the column, from 0.

        Returns
        -------
        bool
            False if there are no rows.

        Examples
        --------
        >>> Table(["tag", "words"], [["NOUN", 1200], ["X", None]]).is_numeric(1)
        True
        """
        return bool(self.rows) and self._numeric[column]

    @cached_property  # renderers ask at every cell
    def _numeric(self) -> tuple[bool, ...]:
        by_column = zip(*(row.cells for row in self.rows), strict=True)
        told = ([c for c in own if c.value is not None or c.note] for own in by_column)
        return tuple(bool(own) and not any(isinstance(c.value, str) for c in own) for own in told)

    def format_of(self, cell: Cell, column: int) -> NumberFormat:
        """Return how a cell of a column is shown.

        Parameters
        ----------
        cell : Cell
            The cell.
        column : int
            The position of its column, from 0.

        Returns
        -------
        NumberFormat
            The format of the cell, or else of its column.

        Examples
        --------
        >>> table = Table(["", Column("UAS", format=PERCENT)], [["dmv", 0.5]])
        >>> table.format_of(table.rows[0].cells[1], 1).scale
        100
        """
        return cell.format or self.columns[column].format

    def value_text(self, cell: Cell, column: int) -> str:
        """Return the value of a cell as people read it.

        Parameters
        ----------
        cell : Cell
            The cell.
        column : int
            The position of its column, from 0.

        Returns
        -------
        str
            A dash if there is no value.

        Examples
        --------
        >>> table = Table(["", Column("UAS", format=PERCENT)], [["dmv", 0.5], ["evg", None]])
        >>> [table.value_text(row.cells[1], 1) for row in table.rows]
        ['50.00', '–']
        """
        if isinstance(cell.value, str):
            return cell.value
        format = self.format_of(cell, column)
        if cell.value is None and cell.low is not None and cell.high is not None:
            return f"{format.show(cell.low)} to {format.show(cell.high)}"
        text = format.show(cell.value)
        return f"{text}/{cell.n}" if format.kind == "of" and cell.number is not None else text

    def extras_text(self, cell: Cell, column: int) -> str:
        """Return what follows the value: deviation, interval, p, published, letters, footnote.

        Parameters
        ----------
        cell : Cell
            The cell.
        column : int
            The position of its column, from 0.

        Returns
        -------
        str
            A space precedes everything except a footnote.

        Examples
        --------
        >>> table = Table(["", "n"], [["dmv", Cell(3, letters="a", note="one seed")]])
        >>> table.extras_text(table.rows[0].cells[1], 1)
        ' a[1]'
        """
        footnote = f"[{self.footnotes()[cell.note]}]" if cell.note else ""
        return cell.extras(self.format_of(cell, column)) + footnote

    def cell_text(self, cell: Cell, column: int) -> str:
        """Return a cell as people read it: `84.31 [83.50, 85.07] ab`.

        Parameters
        ----------
        cell : Cell
            The cell.
        column : int
            The position of its column, from 0.

        Returns
        -------
        str
            The value and what follows it.

        Examples
        --------
        >>> table = Table(["", "n"], [["dmv", Cell(3, letters="a")]])
        >>> table.cell_text(table.rows[0].cells[1], 1)
        '3 a'
        """
        return self.value_text(cell, column) + self.extras_text(cell, column)

    def footnotes(self) -> dict[str, int]:
        """Return the number of every footnote, in the order of the cells.

        Returns
        -------
        dict
            Numbers by text, from 1.

        Examples
        --------
        >>> Table(["", "n"], [["dmv", Cell(note="timeout")]]).footnotes()
        {'timeout': 1}
        """
        texts = dict.fromkeys(c.note for row in self.rows for c in row.cells if c.note)
        return {text: number for number, text in enumerate(texts, start=1)}

    def all_notes(self) -> list[str]:
        """Return footnotes with their numbers, then the notes.

        Returns
        -------
        list of str
            One line each.

        Examples
        --------
        >>> Table(["", "n"], [["dmv", Cell(note="timeout")]], notes=["n: words"]).all_notes()
        ['[1] timeout', 'n: words']
        """
        return [*(f"[{n}] {text}" for text, n in self.footnotes().items()), *self.notes]

    def grouped(self) -> Iterator[tuple[str, list[Row]]]:
        """Give the rows by group.

        Yields
        ------
        (str, list of Row)
            A heading and the rows below it. The heading is empty if the rows have no group.

        Examples
        --------
        >>> table = Table(["", "n"], [Row(["dmv", 1], "inducers"), Row(["mst", 2], "parsers")])
        >>> [heading for heading, rows in table.grouped()]
        ['inducers', 'parsers']
        """
        for group, rows in groupby(self.rows, key=lambda row: row.group):
            yield group, list(rows)

    # ------------------------------------------------------------------ other tables

    def map_cells(self, change: Callable[[Cell], Cell]) -> Table:
        """Return a table in which every cell is changed.

        Parameters
        ----------
        change : callable
            From a cell to the cell that replaces it.

        Returns
        -------
        Table
            The new table.

        Examples
        --------
        >>> table = Table(["", "n"], [["dmv", Cell(3, letters="a")]])
        >>> bare = table.map_cells(lambda cell: replace(cell, letters=""))
        >>> bare.rows[0].cells[1].letters
        ''
        """
        rows = (replace(row, cells=tuple(map(change, row.cells))) for row in self.rows)
        return replace(self, rows=tuple(rows))

    def without_intervals(self) -> Table:
        """Return a table that shows no intervals. `data` keeps them.

        Returns
        -------
        Table
            The new table.

        Examples
        --------
        >>> table = Table(["", "n"], [["dmv", Cell(3, 2.5, 3.5)]]).without_intervals()
        >>> table.cell_text(table.rows[0].cells[1], 1)
        '3'
        """
        bare = self.map_cells(lambda cell: replace(cell, low=None, high=None))
        return replace(bare, data=self.data or self)

    def with_columns(self, columns: Sequence[int]) -> Table:
        """Return a table of some of the columns.

        Parameters
        ----------
        columns : sequence of int
            The positions of the columns, from 0.

        Returns
        -------
        Table
            The new table.

        Examples
        --------
        >>> table = Table(["", "UAS", "NED"], [["dmv", 0.3, 0.5]]).with_columns([0, 2])
        >>> [column.title for column in table.columns]
        ['', 'NED']
        """
        rows = (replace(row, cells=tuple(row.cells[j] for j in columns)) for row in self.rows)
        heads = tuple(self.columns[j] for j in columns)
        return replace(self, columns=heads, rows=tuple(rows))

    def with_best(self, columns: Sequence[int] = (), *, higher_is_better: bool = True) -> Table:
        """Return a table whose best cells are marked, column by column, within groups.

        Rows of published numbers are not compared.

        Parameters
        ----------
        columns : sequence of int
            The positions of the columns, from 0. Default: all except the first.
        higher_is_better : bool
            Whether the highest number is the best.

        Returns
        -------
        Table
            The new table.

        Examples
        --------
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
        """Return tables that are not wider than a limit.

        The first column is in each. The last one has the notes.

        Parameters
        ----------
        width : int
            The largest width, in characters.
        between : int
            The number of spaces between columns.

        Returns
        -------
        list of Table
            The table itself if it is narrow enough.

        Examples
        --------
        >>> table = Table(["", "UAS", "NED"], [["dmv", 0.3, 0.5]])
        >>> len(table.in_pieces(80)), len(table.in_pieces(10))
        (1, 2)
        """
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
        """Return the table as a terminal shows it.

        Parameters
        ----------
        width : int
            The width of the terminal, in characters. A wider table is shown in pieces.
        colour : bool
            Show the best cells in bold and headings in italics.

        Returns
        -------
        str
            Lines of text.
        """
        from treegauge.tables.text import to_text

        return to_text(self, width=width, colour=colour)

    def to_tsv(self) -> str:
        """Return the numbers as tab-separated values, at full precision.

        Returns
        -------
        str
            A header, and one line per row.
        """
        from treegauge.tables.delimited import to_tsv

        return to_tsv(self)

    def to_csv(self) -> str:
        """Return the numbers as comma-separated values, at full precision.

        Returns
        -------
        str
            A header, and one line per row.
        """
        from treegauge.tables.delimited import to_csv

        return to_csv(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the table as in JSON output.

        Returns
        -------
        dict
            `title`, `rows` (one dict each) and `notes`.
        """
        from treegauge.tables.records import to_dict

        return to_dict(self)

    def to_polars(self) -> pl.DataFrame:
        """Return the numbers as a data frame, as in TSV.

        Returns
        -------
        polars.DataFrame
            One row per row of the table.
        """
        from treegauge.tables.records import to_polars

        return to_polars(self)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        from treegauge.reports.html import to_html

        return to_html(self)


__all__ = ["MISSING", "Cell", "Column", "Row", "Table", "Value", "column_key"]
