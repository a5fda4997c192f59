"""Tables as an Excel workbook: data, a sheet a table."""

from __future__ import annotations

import datetime as dt
import io
import math
import re
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from treegauge.reports.errors import SpreadsheetError
from treegauge.reports.rendering import without_repeated_data
from treegauge.tables import Table
from treegauge.tables.records import record_keys, records

_LONGEST_NAME = 31
_NO_TIME = dt.datetime(1980, 1, 1)  # noqa: DTZ001  it is written without a zone
"""The same tables give the same bytes."""


def require_xlsxwriter() -> ModuleType:
    """Return the package that writes workbooks, or say how to get it."""
    try:
        return import_module("xlsxwriter")
    except ImportError:
        raise SpreadsheetError(
            "XLSX needs XlsxWriter, which is not installed\n"
            "  install it with pip install 'treegauge[excel]'; CSV needs nothing"
        ) from None


def to_xlsx(tables: Sequence[Table]) -> bytes:
    """Return a workbook with a sheet for every table: its records, numbers at full precision."""
    content = io.BytesIO()
    # A name from a stranger's file is a text, never a formula or a link.
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with require_xlsxwriter().Workbook(content, options) as book:
        book.set_properties({"created": _NO_TIME})
        bold = book.add_format({"bold": True})
        for number, table in enumerate(without_repeated_data(tables), start=1):
            sheet = book.add_worksheet(_sheet_name(number, table.title))
            sheet.freeze_panes(1, 0)
            sheet.write_row(0, 0, record_keys(table), bold)
            for row, record in enumerate(records(table), start=1):
                for column, value in enumerate(record.values()):
                    if not _is_missing(value):
                        sheet.write(row, column, value)
    return content.getvalue()


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and not math.isfinite(value))


def _sheet_name(number: int, title: str) -> str:
    """Return a name that differs from others in its number, without what Excel forbids."""
    words = re.sub(r"[\[\]:*?/\\'\x00-\x1f]+", " ", f"{number} {title}").split()
    return " ".join(words)[:_LONGEST_NAME].strip()
