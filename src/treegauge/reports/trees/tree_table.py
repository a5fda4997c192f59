"""A sentence as a table of its words, which a terminal shows as trees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from treegauge.evaluation.comparison_result import ComparisonOfTwo, SentenceContrast
from treegauge.reports.errors import FigureError
from treegauge.reports.trees.drawing import Arc, Drawing, Verdict, drawing_of
from treegauge.reports.trees.text import KEY, MARKS, OTHER_RELATION, tree_text
from treegauge.tables import Cell, Column, Row, Table
from treegauge.tables.table import Value
from treegauge.wording import counted, visible


@dataclass(frozen=True, init=False)
class TreeTable(Table):
    """A table with a row for every word; as text, trees."""

    drawing: Drawing | None = field(repr=False)

    def __init__(
        self,
        columns: Iterable[Column | str],
        rows: Iterable[Row | Iterable[Cell | Value]],
        title: str = "",
        notes: Iterable[str] = (),
        data: Table | None = None,
        drawing: Drawing | None = None,
    ) -> None:
        super().__init__(columns, rows, title, notes, data)
        object.__setattr__(self, "drawing", drawing)

    def to_text(self, *, width: int = 100, colour: bool = False) -> str:
        """Return the trees, one below the other if the terminal is narrow."""
        if self.drawing is None:
            return super().to_text(width=width, colour=colour)
        title = visible(f"{self.title}\n") if self.title else ""
        notes = visible("".join(f"{note}\n" for note in self.notes if note != KEY))
        return title + tree_text(self.drawing, width=width, colour=colour) + notes


def tree_table(drawing: Drawing, *, title: str = "", notes: Sequence[str] = ()) -> TreeTable:
    """Return a drawing as a table: word, tag, then relation and head in every tree."""
    rows: list[list[Value]] = [
        [str(i), form, tag]
        for i, (form, tag) in enumerate(zip(drawing.forms, drawing.tags, strict=True), start=1)
    ]
    for tree in drawing.trees:
        arcs = {arc.dependent: arc for arc in tree.arcs}
        for i, row in enumerate(rows, start=1):
            row.append(_in_cell(arcs[i], drawing.forms) if i in arcs else None)
    return TreeTable(
        [
            Column("", key="number"),
            "word",
            "tag",
            *(Column(tree.name, key=tree.name) for tree in drawing.trees),
        ],
        rows,
        title=title,
        notes=[*notes, *([KEY] if drawing.is_judged else [])],
        drawing=drawing,
    )


def _in_cell(arc: Arc, forms: tuple[str, ...]) -> str:
    head = forms[arc.head - 1] if arc.head else "0"
    mark = "" if arc.verdict is Verdict.PLAIN else f"{MARKS[arc.verdict]} "
    if not arc.same_label:
        mark = f"{OTHER_RELATION} "
    return f"{mark}{arc.label}←{head}"


def contrast_tables(comparison: ComparisonOfTwo) -> list[Table]:
    """Return sentences that two systems differ about, as trees side by side."""
    tables = [_contrast_table(one, comparison.names) for one in comparison.sentences]
    if tables and comparison.differing > len(tables):
        rest = counted(comparison.differing - len(tables), "more sentence")
        more = f"they differ in {rest}; --trees N draws more"
        tables[-1] = replace(tables[-1], notes=(*tables[-1].notes, more))
    return tables


def _contrast_table(one: SentenceContrast, names: tuple[str, str]) -> Table:
    (first, second), (a, b) = names, one.right
    name = one.gold.id or f"sentence {one.number}"
    title = f"{name}: {first} {a} right, {second} {b}, of {one.n}"
    if one.outputs is None:
        note = "not drawn: the systems have other words than gold"
        return Table((name,), [(str(one.gold),)], title=title, notes=[note])
    try:
        drawing = drawing_of(one.gold, *one.outputs, names=names)
    except FigureError as error:
        return Table((name,), [], title=title, notes=[f"not drawn: {error}"])
    return tree_table(drawing, title=title)
