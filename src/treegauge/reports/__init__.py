"""What people see: tables in every form, and pages."""

from treegauge.reports.errors import FigureError
from treegauge.reports.figures import figure_format, save_figure
from treegauge.reports.run_facts import RunFacts, run_facts
from treegauge.reports.run_published import sources_table
from treegauge.reports.run_report import RunReport, report
from treegauge.reports.run_strata import StratumTable, stratum_tables
from treegauge.reports.run_tables import (
    RunTable,
    run_tables,
    tables_without_values,
)
from treegauge.reports.stratum_figures import edge_length_figure
from treegauge.reports.trees import (
    Drawing,
    draw,
    drawing_of,
    scrollable,
    sentence_html,
    tree_page,
    tree_svg,
    tree_table,
    tree_text,
    tree_tikz,
    treebank_html,
)

__all__ = [
    "Drawing",
    "FigureError",
    "RunFacts",
    "RunReport",
    "RunTable",
    "StratumTable",
    "draw",
    "drawing_of",
    "edge_length_figure",
    "figure_format",
    "report",
    "run_facts",
    "run_tables",
    "save_figure",
    "scrollable",
    "sentence_html",
    "sources_table",
    "stratum_tables",
    "tables_without_values",
    "tree_page",
    "tree_svg",
    "tree_table",
    "tree_text",
    "tree_tikz",
    "treebank_html",
]
