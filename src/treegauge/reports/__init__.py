"""What people see: tables in every form, and pages."""

from treegauge.reports.pages import Page, Section
from treegauge.reports.tables import Cell, Table

__all__ = ["Cell", "Page", "Section", "Table"]
