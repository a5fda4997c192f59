"""What people see: tables in every form, and pages."""

from treegauge.reports.pages import Page, Section
from treegauge.reports.score_tables import (
    agreement_table,
    confusion_table,
    reference_table,
    score_table,
    stratum_table,
    tag_table,
)
from treegauge.reports.tables import Cell, Table

__all__ = [
    "Cell",
    "Page",
    "Section",
    "Table",
    "agreement_table",
    "confusion_table",
    "reference_table",
    "score_table",
    "stratum_table",
    "tag_table",
]
