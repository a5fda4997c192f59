"""Treebanks from treebanks: annotation styles."""

from treegauge.rewrite.errors import RewriteError
from treegauge.rewrite.styles import BUNDLES, Style, to_style

__all__ = ["BUNDLES", "RewriteError", "Style", "to_style"]
