"""What reports of evaluations, comparisons and runs have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from treegauge.evaluation import Confusion, StratumScore
from treegauge.metrics import MetricSpec
from treegauge.reports.charts import Figure, Palette, Point, file_name, heat_map, line_chart
from treegauge.reports.pages.annotations import HEADS, LENGTHS
from treegauge.reports.pages.page import Block, Choice, Part, Side, Trees
from treegauge.tables import PERCENT, Cell, Column, Table

Cells = Mapping[str, Sequence[StratumScore]]
"""Scores by stratum, of every system."""

ABOUT_LETTERS = (
    "letters below a number: significantly better than those systems (paired test over sentences, "
    "p < 0.05, Holm's correction over pairs of systems)"
)


TREES = Part("trees", "Trees", [Trees()], "Gold above the words, a system below them.")


def titled(spec: MetricSpec) -> str:
    """Return what a metric is called, with its cut-off, and an arrow if lower is better."""
    return spec.metric.title + spec.cut_off + ("" if spec.metric.higher_is_better else " ↓")


def with_first_column(table: Table, title: str) -> Table:
    """Return a table whose first column has a head, by which people sort."""
    return replace(table, columns=(Column(title), *table.columns[1:]))


def percent(value: float | None) -> float | None:
    """Return a share in per cent."""
    return None if value is None else 100 * value


def strata_of(cells: Cells) -> list[str]:
    """Return the strata that any system has, in the order in which they come."""
    return list(dict.fromkeys(cell.stratum for own in cells.values() for cell in own))


def stratum_figure(
    metric: str, by: str, cells: Cells, *, where: str = "", palette: Palette | None = None
) -> Figure:
    """Draw a line for every system."""
    words = by.replace("_", " ")
    series = {
        name: {
            cell.stratum: Point(
                percent(cell.value),
                percent(cell.low),
                percent(cell.high),
                f"{name}\n{_cell(cell).tooltip(f'{words} {cell.stratum}', PERCENT)}",
            )
            for cell in own
        }
        for name, own in cells.items()
    }
    return line_chart(
        file_name(where, metric, "by", words),
        f"{metric} by {words}" + (f", {where}" if where else ""),
        x_title=LENGTHS.get(by, words),
        y_title=f"{metric} (%)",
        categories=strata_of(cells),
        series=series,
        palette=palette,
    )


def stratum_table(metric: str, by: str, cells: Cells, *, where: str = "") -> Table:
    """Return a row for every stratum and a column for every system."""
    by_system = {name: {cell.stratum: cell for cell in own} for name, own in cells.items()}
    rows = []
    for stratum in strata_of(cells):
        there = [own[stratum] for own in by_system.values() if stratum in own]
        numbers = [_cell(own.get(stratum)) for own in by_system.values()]
        rows.append([Cell(stratum), *numbers, Cell(max(score.n for score in there))])
    words = by.replace("_", " ")
    columns = [Column(words), *(Column(name, format=PERCENT) for name in by_system), Column("n")]
    return Table(columns, rows, title=f"{metric} by {words}" + (f", {where}" if where else ""))


def _cell(score: StratumScore | None) -> Cell:
    return Cell() if score is None else Cell(score.value, score.low, score.high, n=score.n)


def length_blocks(
    metric: str,
    strata: Mapping[str, Cells],
    *,
    where: str = "",
    palette: Palette | None = None,
) -> list[Block]:
    """Return figures beside each other, and their numbers below."""
    figures: list[Block] = [
        stratum_figure(metric, by, cells, where=where, palette=palette)
        for by, cells in strata.items()
    ]
    tables: dict[str, list[Block]] = {
        f"by {by.replace('_', ' ')}": [stratum_table(metric, by, cells, where=where)]
        for by, cells in strata.items()
    }
    return [Side(figures), Choice("Numbers", tables)]


def confusion_blocks(name: str, confusion: Confusion) -> list[Block]:
    """Return a heat map and the most frequent mistakes."""
    column = {"deprel": "relation", "upos": "tag", "xpos": "tag"}.get(
        confusion.column, confusion.column
    )
    title = f"{name}: {column}, gold against system"
    gold = "head in gold" if confusion.column == HEADS else "gold"
    system = "head chosen" if confusion.column == HEADS else "system"
    figure = heat_map(
        file_name(name, column, "confusion"),
        title,
        counts=confusion.counts,
        row_title=gold,
        column_title=system,
    )
    mistakes = Confusion(column, confusion.counts).table(name)
    mistakes = replace(mistakes, title=f"Most frequent confusions of {name}")
    return [Side([figure, mistakes])]


def confusions_part(panes: Mapping[str, Sequence[Block]], lead: str = "") -> Part:
    """Return the confusions, one system at a time."""
    blocks = [Choice("System", panes)] if panes else []
    return Part("confusions", "Confusions", blocks, lead)


def letters_shown(letters: Sequence[str]) -> str:
    """Return letters, runs of them shortened.

    >>> letters_shown(["a", "b", "c", "d", "f"]), letters_shown(["a", "b"])
    ('a–d f', 'ab')
    """
    if any(len(letter) > 1 for letter in letters):
        return " ".join(letters)
    runs: list[list[str]] = []
    for letter in letters:
        if runs and ord(letter) == ord(runs[-1][-1]) + 1:
            runs[-1].append(letter)
        else:
            runs.append([letter])
    ranges = [f"{run[0]}–{run[-1]}" if len(run) > 3 else "".join(run) for run in runs]
    return (" " if any("–" in one for one in ranges) else "").join(ranges)
