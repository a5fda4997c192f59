"""What Agić, Plank and Søgaard (2017) report outside their Table 1.

The table itself is `treegauge.dictionaries.published`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

from treegauge.papers.tagger_evaluation.experiment import (
    CROSS_LINGUAL,
    GOLD_TRANS,
    SUPERVISED,
    TRANS,
    D,
)

PAPER = "Agić et al. (2017)"
"""How notes name the paper."""

ERROR_CORRELATIONS = MappingProxyType({"F1": -0.58, "coverage": -0.60})
"""Of the error |A_true - A_soft|, over the nine development languages."""

CLOSER = (7, 20)
"""Languages in which A_trans is nearer to A_true than A_soft, of all that have both."""

TRANSLATED_F1 = MappingProxyType({TRANS: 18.51, GOLD_TRANS: 13.22})
"""Harmonic means of the mean precision and the mean recall, over 20 languages."""


class PublishedRanking(NamedTuple):
    """In how many languages the best tagger was found, and the mean tau as printed."""

    found: int
    languages: int
    tau: float | None = None
    accuracy: float | None = None


RANKINGS = MappingProxyType(
    {
        (SUPERVISED, D): PublishedRanking(14, 25, 0.42, 95.25),
        (SUPERVISED, TRANS): PublishedRanking(11, 20, 0.27, 95.25),
        (CROSS_LINGUAL, D): PublishedRanking(13, 21, None, 70.56),
        (CROSS_LINGUAL, TRANS): PublishedRanking(13, 20, None, 70.56),
    }
)
"""By group of taggers and dictionary."""

CORRUPTION = 0.54
"""Of error and true score, gold corrupted in the development languages."""

HELD_OUT = (55, 27)
"""Sentences that rank as well as A_trans; what ± is, the paper does not say here."""

HELD_OUT_CORRELATION = -0.63
"""Of these sentences and the taggers' accuracy."""
