"""Head rules: from phrase structure to dependencies."""

from treegauge.rewrite.head_rules.conversion import SCHEMES, choose_heads, dependencies, scheme_of
from treegauge.rewrite.head_rules.options import OPTION_SETS, LthOptions

__all__ = [
    "OPTION_SETS",
    "SCHEMES",
    "LthOptions",
    "choose_heads",
    "dependencies",
    "scheme_of",
]
