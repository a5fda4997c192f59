"""Tree drawings: SVG, text for terminals, TikZ, pages."""

from treegauge.reports.trees.drawing import Arc, Drawing, Form, Tree, Verdict, drawing_of, form_of
from treegauge.reports.trees.layout import laid_out
from treegauge.reports.trees.page import scrollable, sentence_html, tree_page, treebank_html
from treegauge.reports.trees.sentences import draw, find_sentence
from treegauge.reports.trees.svg import tree_svg
from treegauge.reports.trees.text import tree_text
from treegauge.reports.trees.tikz import tree_tikz
from treegauge.reports.trees.tree_table import TreeTable, contrast_tables, tree_table

__all__ = [
    "Arc",
    "Drawing",
    "Form",
    "Tree",
    "TreeTable",
    "Verdict",
    "contrast_tables",
    "draw",
    "drawing_of",
    "find_sentence",
    "form_of",
    "laid_out",
    "scrollable",
    "sentence_html",
    "tree_page",
    "tree_svg",
    "tree_table",
    "tree_text",
    "tree_tikz",
    "treebank_html",
]
