"""Options of every verb that prints scores: how tables are turned and what they leave out."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class RowsOf(StrEnum):
    """What rows are."""

    SYSTEMS = "systems"
    METRICS = "metrics"
    TREEBANKS = "treebanks"


RowsOption = Annotated[
    RowsOf | None,
    typer.Option("--rows", help="What the rows of tables are; TSV and CSV stay the same."),
]
ColumnsOption = Annotated[
    str,
    typer.Option("--columns", metavar="LIST", help="Only these columns of tables, in this order."),
]
IntervalsOption = Annotated[
    bool | None,
    typer.Option("--intervals/--no-intervals", help="Show intervals; TSV, CSV and JSON have them."),
]
"""None where nothing was said: a verb shows them where there is room."""


def listed(text: str) -> list[str]:
    """Return what stands between commas.

    >>> listed("uas, ned,")
    ['uas', 'ned']
    """
    return [part.strip() for part in text.split(",") if part.strip()]
