"""The forms in which verbs give their results, and the names of files that say which."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import PurePath

import typer

from treegauge.wording import alternatives


class OutputFormat(StrEnum):
    """The forms in which every verb gives its results."""

    TABLE = "table"
    JSON = "json"
    MARKDOWN = "markdown"
    LATEX = "latex"
    TSV = "tsv"
    CSV = "csv"
    HTML = "html"
    XLSX = "xlsx"

    @property
    def is_data(self) -> bool:
        """Whether it has one row per system and treebank, whatever tables look like."""
        return self in (OutputFormat.TSV, OutputFormat.CSV, OutputFormat.XLSX)


_BY_EXTENSION = {
    ".txt": OutputFormat.TABLE,
    ".json": OutputFormat.JSON,
    ".md": OutputFormat.MARKDOWN,
    ".tex": OutputFormat.LATEX,
    ".tsv": OutputFormat.TSV,
    ".csv": OutputFormat.CSV,
    ".html": OutputFormat.HTML,
    ".xlsx": OutputFormat.XLSX,
}
_FURTHER = {".markdown": OutputFormat.MARKDOWN, ".htm": OutputFormat.HTML}
"""Other spellings, of which messages say nothing."""


def form_of_file(output: str) -> OutputFormat | None:
    """Return the form that a file is named after; None where its name has no extension."""
    name = re.sub(r"\.(gz|xz)$", "", PurePath(output).name, flags=re.IGNORECASE)
    extension = PurePath(name).suffix.lower()
    if not extension:
        return None
    known = _BY_EXTENSION | _FURTHER
    if extension not in known:
        raise typer.BadParameter(
            f"{output}: results are written to {alternatives(_BY_EXTENSION)}; --format says what "
            "a file of another name is"
        )
    return known[extension]


def check_spreadsheet(output: str) -> None:
    """Complain where a spreadsheet cannot be written, before anything is computed for it."""
    from treegauge.reports.spreadsheet import require_xlsxwriter

    if output in ("", "-"):
        raise typer.BadParameter("a spreadsheet is not text: give -o FILE.xlsx")
    require_xlsxwriter()
