"""Papers: a folder each, with settings, measurements, tables, figures, published numbers."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treegauge.papers.paper import Paper

PAPERS: dict[str, str] = {
    "ned": "ned.paper:NeutralEdgeDirection",
    "pascal": "pascal.paper:Pascal",
    "pascal-extrinsic": "pascal_extrinsic.paper:Extrinsic",
    "pascal-scaling": "pascal_scaling.paper:Scaling",
    "perplexity": "perplexity.paper:DerivationPerplexity",
    "tagger-evaluation": "tagger_evaluation.paper:TaggerEvaluation",
    "word-order": "word_order.paper:WordOrderPaper",
}
"""Every paper by the name of its verb: where its class is. One line is all that a paper needs."""


def find_paper(name: str) -> Paper[Any]:
    """Return a paper by the name of its verb."""
    module, _, kind = PAPERS[name].partition(":")
    paper: Paper[Any] = getattr(import_module(f"treegauge.papers.{module}"), kind)()
    return paper
