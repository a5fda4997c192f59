"""What people see: tables in every form."""

from treegauge.reports.tables import Cell, Table

__all__ = ["Cell", "Table"]
