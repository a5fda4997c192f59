"""Reports as HTML: one file that opens without a network."""

from treegauge.reports.pages.annotations import Annotations
from treegauge.reports.pages.commands import options_of
from treegauge.reports.pages.comparison_page import make_comparison_page
from treegauge.reports.pages.evaluation_page import Provenance, make_evaluation_page
from treegauge.reports.pages.page import Command, Page, Part, Source
from treegauge.reports.pages.paper_page import PaperResults, make_paper_page, remarks_part
from treegauge.reports.pages.run_annotations import RunAnnotations, run_annotations
from treegauge.reports.pages.run_page import make_run_page
from treegauge.reports.pages.writing import write_figures, write_page

__all__ = [
    "Annotations",
    "Command",
    "Page",
    "PaperResults",
    "Part",
    "Provenance",
    "RunAnnotations",
    "Source",
    "make_comparison_page",
    "make_evaluation_page",
    "make_paper_page",
    "make_run_page",
    "options_of",
    "remarks_part",
    "run_annotations",
    "write_figures",
    "write_page",
]
