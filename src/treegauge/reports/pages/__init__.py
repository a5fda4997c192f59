"""Reports as HTML: one file that opens without a network."""

from treegauge.reports.pages.annotations import Annotations
from treegauge.reports.pages.commands import options_of
from treegauge.reports.pages.comparison_page import comparison_document
from treegauge.reports.pages.document import Command, Document, Part, Source
from treegauge.reports.pages.evaluation_page import HowMade, evaluation_document
from treegauge.reports.pages.paper_page import PaperResults, paper_document
from treegauge.reports.pages.run_annotations import RunAnnotations, run_annotations
from treegauge.reports.pages.run_page import run_document
from treegauge.reports.pages.writing import write_document, write_figures

__all__ = [
    "Annotations",
    "Command",
    "Document",
    "HowMade",
    "PaperResults",
    "Part",
    "RunAnnotations",
    "Source",
    "comparison_document",
    "evaluation_document",
    "options_of",
    "paper_document",
    "run_annotations",
    "run_document",
    "write_document",
    "write_figures",
]
