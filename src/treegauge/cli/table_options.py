"""Options of every verb that prints scores: how tables are turned and what they leave out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from treegauge.cli import console
from treegauge.cli.help_pages import SHOWN
from treegauge.wording import listed

if TYPE_CHECKING:
    from treegauge.tables import Table


class RowsOf(StrEnum):
    """What rows are."""

    SYSTEMS = "systems"
    METRICS = "metrics"
    TREEBANKS = "treebanks"


RowsOption = Annotated[
    RowsOf | None,
    typer.Option(
        "--rows",
        rich_help_panel=SHOWN,
        help="The rows of the tables: systems, metrics or treebanks. TSV and CSV do not change.",
    ),
]
ColumnsOption = Annotated[
    str,
    typer.Option(
        "--columns",
        metavar="LIST",
        rich_help_panel=SHOWN,
        help="Show only these columns of tables, in this order. In TSV and CSV: only these "
        "metrics.",
    ),
]
IntervalsOption = Annotated[
    bool | None,
    typer.Option(
        "--intervals/--no-intervals",
        rich_help_panel=SHOWN,
        help="Show intervals. TSV, CSV and JSON always have them.",
    ),
]
"""None where nothing was said: a verb shows them where there is room."""


@dataclass(frozen=True)
class TableOptions:
    """How tables of scores are shown; a field is an option."""

    rows: RowsOption = None
    columns: ColumnsOption = ""
    intervals: IntervalsOption = None

    def apply(self, tables: Sequence[Table]) -> list[Table]:
        """Return tables with the columns and intervals that were asked for."""
        from treegauge.tables import choose_columns

        in_data = console.manners.format.is_data
        chosen = choose_columns(tables, listed(self.columns), in_data=in_data)
        return [one.without_intervals() for one in chosen] if self.intervals is False else chosen
