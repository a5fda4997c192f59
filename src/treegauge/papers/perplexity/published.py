"""What Søgaard and Haulrich (2010) report, and the accuracies that they took from shared tasks.

The accuracies are unverified: they were written down from memory of the shared tasks' papers. They
are only ever shown for a treebank of that shared task, which a user must have a copy of
(`ar_conll2006`, `eu_conll2007` and so on).

References
----------
Søgaard and Haulrich (2010), On the derivation perplexity of treebanks. TLT.
Buchholz and Marsi (2006), CoNLL-X shared task on multilingual dependency parsing. CoNLL.
Nivre et al. (2007), The CoNLL 2007 shared task on dependency parsing. EMNLP-CoNLL.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

PAPER = "Søgaard and Haulrich (2010)"
"""How notes name the paper."""

AVERAGES = MappingProxyType(
    {"C06": (292.5, 532.8, 82.2), "C07": (320.3, 508.8, 37.0), "gen.dt": (278.2, 447.8, 96.6)}
)
"""Mean perplexity of strings and of derivations, and the increase as printed, in per cent."""

CORRELATIONS = MappingProxyType(
    {
        "size": (0.21245816, 0.037759424, 0.72245934, 0.55952737),
        "size / string perplexity": (0.47495902, 0.506099378, 0.643438377, 0.548117203),
        "size / derivation perplexity": (0.47015543, 0.514647899, 0.810661115, 0.737857396),
    }
)
"""With best and mean accuracy of C06, then of C07; which accuracy, the paper does not say."""


@dataclass(frozen=True)
class PublishedCorrelation:
    """A coefficient averaged over treebanks, and its p-value as printed."""

    rho: float
    p: float


METRICS = MappingProxyType(
    {
        ("perplexity", "uas"): PublishedCorrelation(-0.5670, 0.0172),
        ("perplexity", "exact_match"): PublishedCorrelation(-0.5464, 0.0217),
        ("uas", "exact_match"): PublishedCorrelation(0.5510, 0.0206),
    }
)
"""Between metrics of four parsers, averaged over seven treebanks."""

PUBLISHED_POINTS = 14
"""What the printed p-values come out with, in a one-sided t-test: neither 4, nor 7, nor 28."""


@cache
def _accuracies() -> dict[tuple[str, str], float]:
    text = (files(__package__) / "shared_task_accuracies.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t")
    return {(row["treebank"], row["metric"]): float(row["value"]) for row in rows}


def shared_task_accuracy(treebank: str, metric: str) -> float | None:
    """Return `las_best`, `las_avg` or `uas_best` of a shared task in per cent, unverified.

    >>> shared_task_accuracy("eu_conll2007", "las_best")
    76.94
    >>> shared_task_accuracy("eu_bdt", "las_best")
    """
    return _accuracies().get((treebank, metric))
