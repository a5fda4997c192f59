"""What can go wrong in a report."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class FigureError(TreegaugeError):
    """A figure cannot be drawn."""


class SpreadsheetError(TreegaugeError):
    """A workbook cannot be written."""
