"""What people see: tables in every form, and pages."""

from treegauge.reports.errors import FigureError
from treegauge.reports.figures import draw, edge_length_figure, figure_format, require_drawing
from treegauge.reports.pages import Page, Section
from treegauge.reports.run_facts import RunFacts, run_facts
from treegauge.reports.run_strata import StratumTable, stratum_tables
from treegauge.reports.run_tables import (
    LONG_COLUMNS,
    RunTable,
    run_tables,
    sources_table,
    tables_without_values,
)
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
    "LONG_COLUMNS",
    "Cell",
    "FigureError",
    "Page",
    "RunFacts",
    "RunTable",
    "Section",
    "StratumTable",
    "Table",
    "agreement_table",
    "confusion_table",
    "draw",
    "edge_length_figure",
    "figure_format",
    "reference_table",
    "require_drawing",
    "run_facts",
    "run_tables",
    "score_table",
    "sources_table",
    "stratum_table",
    "stratum_tables",
    "tables_without_values",
    "tag_table",
]
