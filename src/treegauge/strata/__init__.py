"""What a score can be broken down by."""

from treegauge.strata.challenge_relations import TABLE6_ORDER, table6_headings
from treegauge.strata.crossing import cross
from treegauge.strata.errors import StrataError
from treegauge.strata.registry import STRATA, find_stratum, stratify
from treegauge.strata.strata import Strata

__all__ = [
    "STRATA",
    "TABLE6_ORDER",
    "Strata",
    "StrataError",
    "cross",
    "find_stratum",
    "stratify",
    "table6_headings",
]
