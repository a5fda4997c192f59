"""Scores by system, treebank and metric, from which tables of every layout are made.

A verb that prints scores fills one `Scores` and asks it for tables:

    scores = Scores(
        [SystemHead("dmv", group="unsupervised"), SystemHead("malt", group="supervised")],
        ["en_ewt", "de_gsd"],
        [MetricHead("uas", "UAS"), MetricHead("vi", "VI", NUMBER, higher_is_better=False)],
        {("dmv", "en_ewt", "uas"): Cell(0.31, 0.30, 0.32, n=2000), ...},
    ).with_best()
    scores.tables("systems")               # one table per metric, treebanks in columns
    scores.tables("metrics")               # one table per treebank, systems in columns
    scores.tables("systems", "metrics")    # one table per treebank, metrics in columns
    scores.data()                          # one row per system and treebank, for TSV and frames

Rows and columns are two of the three dimensions, and every member of the third has a table of its
own. All tables have the same `Table.data`, whichever way they are turned. `--columns LIST` is
`choose_columns(tables, names)`, and `--no-intervals` is `Table.without_intervals`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Literal

from treegauge.errors import TreegaugeError
from treegauge.tables.numbers import NUMBER, PERCENT, NumberFormat, best_places
from treegauge.tables.table import Cell, Column, Row, Table, Value
from treegauge.wording import did_you_mean

Dimension = Literal["systems", "treebanks", "metrics"]
DIMENSIONS: tuple[Dimension, ...] = ("systems", "treebanks", "metrics")

Place = tuple[str, str, str]
"""A system, a treebank and the key of a metric."""

_COLUMNS_FOR: Mapping[str, tuple[Dimension, Dimension]] = {
    "systems": ("treebanks", "metrics"),
    "treebanks": ("systems", "metrics"),
    "metrics": ("systems", "treebanks"),
}
"""By what is in rows: what is in columns, and what is where that has one member only."""


class ColumnsError(TreegaugeError):
    """A column was asked for that no table has."""


@dataclass(frozen=True)
class SystemHead:
    """A system of a table; attributes are those of `Row`.

    `about` are the columns of data that say which system it is; its name if there are none.
    """

    name: str
    group: str = ""
    letter: str = ""
    published: bool = False
    note: str = ""
    about: Mapping[str, Value] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The name behind its letter, if it has one."""
        return f"{self.letter} {self.name}".lstrip()


@dataclass(frozen=True)
class MetricHead:
    """A metric of a table: its key in data, its title, and how its numbers are shown."""

    key: str
    title: str
    format: NumberFormat = PERCENT
    higher_is_better: bool = True
    help: str = ""

    @property
    def heading(self) -> str:
        """The title, with an arrow where lower is better."""
        return self.title if self.higher_is_better else f"{self.title} ↓"


@dataclass(frozen=True)
class Scores:
    """Cells by system, treebank and metric, from which tables of every layout are made.

    Attributes
    ----------
    systems : sequence of SystemHead
        The systems. Those of one group follow each other. Published numbers are below the system
        that they belong to.
    treebanks : sequence of str
        In the order of the table. Averages come last.
    metrics : sequence of MetricHead
        In the order of the table.
    cells : mapping
        Cells by system, treebank and key of the metric. A missing cell is empty.
    averages : collection of str
        The treebanks that are averages over others. Their `n` is a number of treebanks.

    Examples
    --------
    >>> scores = Scores(
    ...     [SystemHead("dmv"), SystemHead("evg")],
    ...     ["en", "de"],
    ...     [MetricHead("uas", "UAS")],
    ...     {("dmv", "en", "uas"): Cell(0.3), ("evg", "en", "uas"): Cell(0.4)},
    ... )
    >>> (table,) = scores.with_best().tables("systems")
    >>> [column.title for column in table.columns], table.rows[1].cells[1].best
    (['', 'en', 'de'], True)
    >>> scores.data().to_dict()["rows"][0]
    {'system': 'dmv', 'treebank': 'en', 'uas': 0.3}
    >>> [(about["system"], key) for about, key, cell in scores.records()]
    [('dmv', 'uas'), ('evg', 'uas')]
    >>> len(scores.only(systems=["dmv"]).systems)
    1
    >>> len(scores.map_cells(lambda place, cell: replace(cell, n=100)).cells)
    2
    >>> len(Scores.joined([scores, scores]).systems)
    2
    """

    systems: Sequence[SystemHead]
    treebanks: Sequence[str]
    metrics: Sequence[MetricHead]
    cells: Mapping[Place, Cell]
    averages: Sequence[str] = ()

    # ------------------------------------------------------------------ other scores

    def map_cells(self, change: Callable[[Place, Cell], Cell]) -> Scores:
        """Return scores in which every cell is changed.

        Parameters
        ----------
        change : callable
            From a place (system, treebank, key of the metric) and its cell to the new cell.

        Returns
        -------
        Scores
            The new scores.
        """
        return replace(self, cells={place: change(place, c) for place, c in self.cells.items()})

    def only(
        self,
        *,
        systems: Iterable[str] | None = None,
        treebanks: Iterable[str] | None = None,
        metrics: Iterable[str] | None = None,
    ) -> Scores:
        """Return the scores of some systems, treebanks or metrics.

        Parameters
        ----------
        systems, treebanks, metrics : iterable of str, optional
            The names of systems and treebanks and the keys of metrics to keep. Default: all.

        Returns
        -------
        Scores
            The new scores.
        """
        names, banks, keys = (
            None if chosen is None else set(chosen) for chosen in (systems, treebanks, metrics)
        )
        return replace(
            self,
            systems=[one for one in self.systems if names is None or one.name in names],
            treebanks=[one for one in self.treebanks if banks is None or one in banks],
            metrics=[one for one in self.metrics if keys is None or one.key in keys],
        )

    @classmethod
    def joined(cls, parts: Sequence[Scores]) -> Scores:
        """Return several scores as one.

        Parameters
        ----------
        parts : sequence of Scores
            Scores with different metrics, systems or treebanks.

        Returns
        -------
        Scores
            The new scores.
        """
        systems = {one.name: one for part in parts for one in part.systems}
        order = list(dict.fromkeys(one.group for one in systems.values()))
        return cls(
            sorted(systems.values(), key=lambda one: order.index(one.group)),
            list(dict.fromkeys(one for part in parts for one in part.treebanks)),
            list({one.key: one for part in parts for one in part.metrics}.values()),
            {place: cell for part in parts for place, cell in part.cells.items()},
            list(dict.fromkeys(one for part in parts for one in part.averages)),
        )

    def with_best(self, is_comparable: Callable[[str, str, str], bool] = lambda *_: True) -> Scores:
        """Return scores whose best cells are marked: of every group, treebank and metric.

        Published and given numbers are not compared.

        Parameters
        ----------
        is_comparable : callable
            From a group, a treebank and the key of a metric to whether the cells are compared.
            Default: all are.

        Returns
        -------
        Scores
            The new scores.
        """
        cells = dict(self.cells)
        groups: dict[str, list[str]] = {}
        for system in self.systems:
            if not system.published:
                groups.setdefault(system.group, []).append(system.name)
        for metric in self.metrics:
            for treebank in self.treebanks:
                for group, names in groups.items():
                    if not is_comparable(group, treebank, metric.key):
                        continue
                    places = [(name, treebank, metric.key) for name in names]
                    values = [
                        cells[p].number if p in cells and not cells[p].is_given else None
                        for p in places
                    ]
                    better = metric.higher_is_better
                    for i in best_places(values, metric.format, higher_is_better=better):
                        cells[places[i]] = replace(cells[places[i]], best=True)
        return replace(self, cells=cells)

    # ------------------------------------------------------------------ tables

    def tables(
        self,
        rows: str = "systems",
        columns: str = "",
        *,
        title: str = "",
        notes: Sequence[str] = (),
        sizes: bool = False,
    ) -> list[Table]:
        """Return a table for every member of the dimension that is neither in rows nor in columns.

        Parameters
        ----------
        rows, columns : str
            `systems`, `treebanks` or `metrics`. Default columns: treebanks if rows are systems,
            otherwise systems. If that would be a single column: the third dimension.
        title : str
            The title of all tables. If there are several, the member is added to it.
        notes : sequence of str
            Lines below the last table.
        sizes : bool
            Whether a last column says how much was scored, if systems are in columns.

        Returns
        -------
        list of Table
            The tables.
        """
        if not columns:
            first, second = _COLUMNS_FOR[rows]
            columns = first if len(self._keys(first)) > 1 else second
        third = next(one for one in DIMENSIONS if one not in (rows, columns))
        data, members = self.data(), self._keys(third)
        tables = []
        for member in members:
            about = self._heading(third, member) if len(members) > 1 else ""
            table = self._table(rows, columns, {third: member}, sizes=sizes)
            own = ": ".join(filter(None, (title, about)))
            tables.append(replace(table, title=own, data=data))
        if tables:
            tables[-1] = replace(tables[-1], notes=(*tables[-1].notes, *notes))
        return tables

    def _table(self, rows: str, columns: str, rest: Mapping[str, str], *, sizes: bool) -> Table:
        heads = [Column("")]
        for key in self._keys(columns):
            # What was scored is one number for all systems, and differs between treebanks.
            size = self._size({**rest, columns: key}) if rows == "systems" else None
            metric = self._metric.get(key if columns == "metrics" else rest.get("metrics", ""))
            heads.append(self._column(columns, key, size, metric))
        has_sizes = sizes and "systems" in (columns, *rest)
        systems = {one.name: one for one in self.systems} if rows == "systems" else {}
        lines = []
        for key in self._keys(rows):
            at = {**rest, rows: key}
            cells = [self._cell({**at, columns: other}) for other in self._keys(columns)]
            last = [Cell(self._size(at))] if has_sizes else []
            own = systems.get(key, SystemHead(key))
            label = Cell(self._heading(rows, key))
            row = [label, *cells, *last]
            lines.append(Row(row, own.group, own.letter, own.published, own.note))
        heads += [Column("n")] if has_sizes else []
        return Table(heads, lines, notes=self._groups() if columns == "systems" else ())

    def _keys(self, dimension: str) -> list[str]:
        return list(self._headings[dimension])

    def _heading(self, dimension: str, key: str) -> str:
        return self._headings[dimension][key]

    @cached_property
    def _headings(self) -> dict[str, dict[str, str]]:
        """By dimension and key, what people read."""
        return {
            "systems": {one.name: one.title for one in self.systems},
            "treebanks": {name: name for name in self.treebanks},
            "metrics": {one.key: one.heading for one in self.metrics},
        }

    @cached_property
    def _metric(self) -> dict[str, MetricHead]:
        return {one.key: one for one in self.metrics}

    def _column(
        self, dimension: str, key: str, size: int | None, metric: MetricHead | None
    ) -> Column:
        """Return the head of a column, and below it what was scored."""
        below = ""
        if size:
            below = f"of {size:,}" if key in self.averages else f"n = {size:,}"
        return Column(
            self._heading(dimension, key),
            key=key,
            format=metric.format if metric else NUMBER,
            below=below,
            help=metric.help if metric and dimension == "metrics" else "",
        )

    def _cell(self, at: Mapping[str, str]) -> Cell:
        cell = self.cells.get((at["systems"], at["treebanks"], at["metrics"]), Cell())
        return cell if cell.format else replace(cell, format=self._metric[at["metrics"]].format)

    def _size(self, at: Mapping[str, str]) -> int | None:
        """Return the largest n of the cells at a place."""
        systems, treebanks, metrics = (
            [at[one]] if one in at else self._keys(one) for one in DIMENSIONS
        )
        places = product(systems, treebanks, metrics)
        cells = [self.cells[place] for place in places if place in self.cells]
        return max((cell.n for cell in cells if cell.n), default=None)

    def _groups(self) -> list[str]:
        """Return which systems belong to which group, where columns cannot show it."""
        groups: dict[str, list[str]] = {}
        for system in self.systems:
            groups.setdefault(system.group, []).append(system.name)
        return [f"{group}: {', '.join(names)}" for group, names in groups.items() if group]

    def records(self) -> Iterable[tuple[Mapping[str, Value], str, Cell]]:
        """Give what a cell is about, its metric and the cell, for `data_table`.

        Yields
        ------
        (mapping, str, Cell)
            The system and the treebank, the key of the metric, and the cell.
        """
        for system in self.systems:
            about = system.about or {"system": system.name}
            for treebank in self.treebanks:
                for metric in self.metrics:
                    cell = self.cells.get((system.name, treebank, metric.key))
                    if cell is not None:
                        yield {**about, "treebank": treebank}, metric.key, cell

    def data(self) -> Table:
        """Return the scores as TSV, CSV and data frames have them.

        Returns
        -------
        Table
            One row per system and treebank.
        """
        return data_table(self.records())


def data_table(records: Iterable[tuple[Mapping[str, Value], str, Cell]]) -> Table:
    """Return one row for everything that cells are about, and a column for every metric.

    Why cells have no value is in a last column, `reason`.

    >>> about = {"system": "dmv", "treebank": "en_ewt"}
    >>> table = data_table([(about, "uas", Cell(0.5)), (about, "ned", Cell(note="timeout"))])
    >>> [[column.key for column in table.columns], [cell.value for cell in table.rows[0].cells]]
    [['system', 'treebank', 'uas', 'ned', 'reason'], ['dmv', 'en_ewt', 0.5, None, 'timeout']]
    """
    rows: dict[tuple[tuple[str, Value], ...], dict[str, Cell]] = {}
    names: dict[str, None] = {}
    metrics: dict[str, None] = {}
    for about, metric, cell in records:
        names |= dict.fromkeys(about)
        metrics[metric] = None
        rows.setdefault(tuple(about.items()), {})[metric] = cell
    has_reasons = any(cell.note for cells in rows.values() for cell in cells.values())
    lines: list[list[Cell | Value]] = []
    for key, cells in rows.items():
        own: dict[str, Value] = dict(key)
        reasons = dict.fromkeys(cell.note for cell in cells.values() if cell.note)
        lines.append([own.get(name) for name in names])
        lines[-1] += [_bare(cells.get(metric, Cell())) for metric in metrics]
        lines[-1] += ["; ".join(reasons)] if has_reasons else []
    columns = [Column(name, key=name) for name in [*names, *metrics]]
    return Table([*columns, *([Column("reason")] if has_reasons else [])], lines)


def _bare(cell: Cell) -> Cell:
    """Return a cell without marks, which data do not have."""
    return Cell(cell.value, cell.low, cell.high, cell.deviation, cell.n)


def choose_columns(
    tables: Sequence[Table], names: Sequence[str], *, in_data: bool = False
) -> list[Table]:
    """Return tables with the columns that were asked for, in that order, after the first.

    A column is named by its title or its key, in small or capital letters. Tables that have none
    of them stay as they are: they are about something else. Data keep all columns, unless they
    are what is asked for: then the columns that say what a row is about stay.

    Raises
    ------
    ColumnsError
        If no table has a column of that name.
    """
    if not names:
        return list(tables)
    known: dict[str, str] = {}
    data: dict[int, Table] = {}
    cut = []
    for table in tables:
        if in_data:
            own = table.data or table
            if id(own) not in data:  # tables that share data still do
                data[id(own)] = _with_columns(own, names, _columns_of_text(own), known)
            cut.append(replace(table, data=data[id(own)]))
        else:
            cut.append(_with_columns(table, names, [0], known))
    for name in names:
        if name.casefold() not in known:
            titles = list(dict.fromkeys(known.values()))
            turn = "" if in_data else "; --rows turns a table"
            raise ColumnsError(
                f"no table has a column {name!r}{did_you_mean(name, titles)}\n"
                f"  columns: {', '.join(titles)}{turn}"
            )
    return cut


def _with_columns(
    table: Table, names: Sequence[str], first: Sequence[int], known: dict[str, str]
) -> Table:
    """Return the named columns of a table after the first ones; note all there are."""
    places: dict[str, int] = {}
    for j, column in enumerate(table.columns):
        if j not in first:
            for name in (column.title, column.key):
                places.setdefault(name.casefold(), j)
                known[name.casefold()] = column.title
    chosen = [places[name.casefold()] for name in names if name.casefold() in places]
    return table.with_columns([*first, *dict.fromkeys(chosen)]) if chosen else table


def _columns_of_text(table: Table) -> list[int]:
    """Return the columns without numbers: what rows are about."""
    return [
        j
        for j in range(len(table.columns))
        if not any(row.cells[j].is_number for row in table.rows)
    ]
