"""Reports as HTML: one file that opens without a network."""

from treegauge.reports.html.annotations import Annotations
from treegauge.reports.html.commands import options_of
from treegauge.reports.html.document import Document
from treegauge.reports.html.of_comparison import comparison_document
from treegauge.reports.html.of_evaluation import HowMade, evaluation_document
from treegauge.reports.html.of_run import RunRequest, run_document
from treegauge.reports.html.run_annotations import RunAnnotations, run_annotations
from treegauge.reports.html.writing import write_document, write_figures

__all__ = [
    "Annotations",
    "Document",
    "HowMade",
    "RunAnnotations",
    "RunRequest",
    "comparison_document",
    "evaluation_document",
    "options_of",
    "run_annotations",
    "run_document",
    "write_document",
    "write_figures",
]
