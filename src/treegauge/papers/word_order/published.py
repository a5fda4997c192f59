"""What Gulordava and Merlo (2016) report, to stand beside what we measure.

Their treebanks are other releases and other parts than ours, and their parsers are MaltParser
with optimised features and MSTParser: figures beside ours are for orientation.

References
----------
Gulordava and Merlo (2016), Multi-lingual dependency parsing evaluation: a large-scale analysis of
word order properties using artificial data. TACL 4. doi:10.1162/tacl_a_00103
"""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from types import MappingProxyType

PAPER = "Gulordava and Merlo (2016)"
"""How notes name the paper."""

STANDS_FOR = MappingProxyType(
    {
        "pl_lfg": "pl",
        "pl_pdb": "pl",
        "it_isdt": "it",
        "fi_tdt": "fi",
        "es_ancora": "es",
        "es_gsd": "es",
        "fr_gsd": "fr",
        "fr_sequoia": "fr",
        "en_ewt": "en",
        "bg_btb": "bg",
        "la_vulgate": "la.V",
        "nl_alpino": "nl",
        "nl_lassysmall": "nl",
        "de_gsd": "de",
        "la_cicero": "la.C",
        "fa_seraji": "fa",
        "grc_proiel": "grc.NT",
    }
)
"""Treebanks, and the paper's code for what comes nearest to them."""

DLM_NONPROJECTIVITY = 0.66
"""Pearson's coefficient of the DLM ratio and the share of non-projective dependencies."""
SENTENCE_CORRELATION = MappingProxyType({"transition": 0.40, "graph": 0.55})
"""Of delta DLM and delta UAS over sentences: Dutch, right-branching; MaltParser and MSTParser."""
BRANCHING_UAS, BRANCHING_LAS = 0.08, 0.30
"""Of the branching factor and the difference between LB and RB: New Testament, MaltParser."""

_TABLE_OF_PARSER = {"transition": "2", "graph": "3"}
_PREFIX = {"original": "orig", "optdl": "opt", "left": "lb", "right": "rb"}


@cache
def _figures() -> dict[tuple[str, str, str], float]:
    text = (files(__package__) / "published.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t")
    return {(row["table"], row["code"], row["column"]): float(row["value"]) for row in rows}


def published_property(treebank: str, column: str) -> float | None:
    """Return a figure of Table 1: `size_k`, `avg_len`, `dlm`, `entropy`, …; None if there is none.

    >>> published_property("fa_seraji", "dlm")
    1.33
    """
    return _figures().get(("1", STANDS_FOR.get(treebank, ""), column))


def published_accuracy(treebank: str, parser: str, order: str, metric: str) -> float | None:
    """Return a figure of Table 2 or 3 in per cent, or None.

    >>> published_accuracy("fa_seraji", "transition", "optdl", "uas")
    84.0
    """
    table = _TABLE_OF_PARSER.get(parser)
    prefix = _PREFIX.get(order)
    if table == "3" and prefix in ("lb", "rb"):
        prefix = "lbrb"  # equal to two digits
    return _figures().get((table or "", STANDS_FOR.get(treebank, ""), f"{prefix}_{metric}"))
