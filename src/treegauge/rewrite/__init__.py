"""Treebanks from treebanks: annotation styles, word orders."""

from treegauge.rewrite.errors import RewriteError
from treegauge.rewrite.styles import BUNDLES, Style, to_style
from treegauge.rewrite.word_orders import ORDERS, permute, restore_order

__all__ = [
    "BUNDLES",
    "ORDERS",
    "RewriteError",
    "Style",
    "permute",
    "restore_order",
    "to_style",
]
