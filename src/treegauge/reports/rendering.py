"""Tables in every form that people ask for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from treegauge.reports.html import to_html
from treegauge.reports.latex import to_latex
from treegauge.reports.markdown import to_markdown
from treegauge.tables import Table

RENDERERS = {
    "markdown": to_markdown,
    "latex": to_latex,
    "html": to_html,
    "tsv": Table.to_tsv,
    "csv": Table.to_csv,
}
"""By format, what renders a table; text for terminals needs a width and colours besides."""


def render(tables: Sequence[Table], format: str, *, width: int = 100, colour: bool = False) -> str:
    """Return tables in a format, one below the other.

    >>> render([Table(["tag", "n"], [["NOUN", 12]])], "csv")
    'tag,n\\nNOUN,12\\n'
    """
    if format == "json":
        return json_text({"schema": 1, "tables": [table.to_dict() for table in tables]})
    if format == "table":
        return "\n".join(table.to_text(width=width, colour=colour) for table in tables)
    if format in ("tsv", "csv"):
        tables = without_repeated_data(tables)
    return "\n".join(RENDERERS[format](table) for table in tables)


def without_repeated_data(tables: Sequence[Table]) -> list[Table]:
    """Return tables as data: those that show the same numbers in different ways have one set."""
    before = [{id(other.data) for other in tables[:i]} for i in range(len(tables))]
    pairs = zip(tables, before, strict=True)
    return [one for one, known in pairs if one.data is None or id(one.data) not in known]


def json_text(document: Mapping[str, Any]) -> str:
    """Return a document as the JSON that verbs print."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
