"""Annotation styles: who heads what, in one and the same analysis."""

from treegauge.rewrite.styles.conversion import to_style
from treegauge.rewrite.styles.relations import ud_version
from treegauge.rewrite.styles.style import BUNDLES, Style

__all__ = ["BUNDLES", "Style", "to_style", "ud_version"]
