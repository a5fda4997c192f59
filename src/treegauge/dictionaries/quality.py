"""How good a dictionary is, held against one that is trusted.

The paper prints precision and recall as sums over words without dividing them (Agić et al. 2017,
section 2). Read as micro-averages they come out as in its Table 1: recall over all of the trusted
dictionary G, so that what is missing counts, and precision over the words that both have,

    P = sum |D_w & G_w| / sum over w in both of |D_w|      R = sum |D_w & G_w| / sum over G of |G_w|
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from treegauge.dictionaries.errors import DictionaryError
from treegauge.dictionaries.matching import Casing
from treegauge.dictionaries.tag_dictionary import TagDictionary
from treegauge.dictionaries.tag_sets import set_sizes
from treegauge.tables import PERCENT, Column, Table


@dataclass(frozen=True)
class Quality:
    """Precision, recall and coverage of a dictionary; None where nothing can be divided.

    Attributes
    ----------
    precision, recall, f1 : float or None
        Micro-averaged: the working definition.
    precision_macro, recall_macro, f1_macro : float or None
        Means over the words that both dictionaries have.
    type_coverage : float or None
        The share of G's forms that D has.
    common : int
        Forms in both.
    forms, trusted_forms : int
        Forms of D and of G.
    """

    precision: float | None
    recall: float | None
    f1: float | None
    precision_macro: float | None
    recall_macro: float | None
    f1_macro: float | None
    type_coverage: float | None
    common: int
    forms: int
    trusted_forms: int

    def to_dict(self) -> dict[str, float | int | None]:
        """Return the numbers as JSON has them."""
        return asdict(self)


def quality(
    dictionary: TagDictionary, trusted: TagDictionary, *, casing: Casing = "exact"
) -> Quality:
    """Hold a dictionary D against a trusted one G, usually read off a training set.

    Parameters
    ----------
    casing : str
        `exact` as in the paper's Table 1, or `lower`: both dictionaries in lower case.
        `backoff` is about texts and means `exact` here.

    Examples
    --------
    >>> ours = TagDictionary.from_mapping({"dog": ["NOUN", "VERB"], "old": ["ADJ"]})
    >>> gold = TagDictionary.from_mapping({"dog": ["NOUN"], "run": ["VERB"]})
    >>> result = quality(ours, gold)
    >>> result.precision, result.recall, result.f1, result.recall_macro
    (0.5, 0.5, 0.5, 1.0)
    """
    if casing == "lower":
        dictionary, trusted = dictionary.lower(), trusted.lower()
    place = dictionary.codes(trusted.forms)
    in_both = place >= 0
    ours, theirs = dictionary.masks[place[in_both]], trusted.masks[in_both]
    common = set_sizes(ours & theirs)
    precision = _share(common.sum(), set_sizes(ours).sum())
    recall = _share(common.sum(), set_sizes(trusted.masks).sum())
    has_common = len(common) > 0
    precision_macro = float(np.mean(common / set_sizes(ours))) if has_common else None
    recall_macro = float(np.mean(common / set_sizes(theirs))) if has_common else None
    return Quality(
        precision,
        recall,
        harmonic_mean(precision, recall),
        precision_macro,
        recall_macro,
        harmonic_mean(precision_macro, recall_macro),
        _share(len(common), len(trusted)),
        len(common),
        len(dictionary),
        len(trusted),
    )


@dataclass(frozen=True)
class DictionaryComparison:
    """A dictionary held against a trusted one."""

    dictionary: TagDictionary
    trusted: TagDictionary
    casing: Casing
    quality: Quality

    def tables(self) -> list[Table]:
        """Return precision, recall and F1; sizes and coverage below."""
        q = self.quality
        measures = (Column(title, format=PERCENT) for title in ("precision", "recall", "F1"))
        rows = [
            ("micro", q.precision, q.recall, q.f1),
            ("macro, common forms", q.precision_macro, q.recall_macro, q.f1_macro),
        ]
        coverage = (
            "" if q.type_coverage is None else f", {100 * q.type_coverage:.2f}% of the latter"
        )
        note = (
            f"{self.dictionary.name or 'dictionary'}: {q.forms:,} forms; "
            f"{self.trusted.name or 'trusted'}: {q.trusted_forms:,}; {q.common:,} in both{coverage}"
        )
        return [Table([Column("average"), *measures], rows, notes=[note])]

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON has it."""
        return {
            "schema": 1,
            "dictionary": self.dictionary.name,
            "dictionary_hash": self.dictionary.fingerprint,
            "trusted": self.trusted.name,
            "trusted_hash": self.trusted.fingerprint,
            "casing": self.casing,
            **self.quality.to_dict(),
        }


def compare_dictionaries(
    dictionary: TagDictionary,
    trusted: TagDictionary,
    *,
    casing: Casing = "exact",
    called: tuple[str, str] | None = None,
) -> DictionaryComparison:
    """Hold a dictionary against a trusted one; see `quality`.

    Parameters
    ----------
    called : pair of str, optional
        What messages call the two; their names if missing.

    Raises
    ------
    DictionaryError
        If they have no word in common.
    """
    measured = quality(dictionary, trusted, casing=casing)
    if not measured.common:
        first, second = called or (dictionary.name, trusted.name)
        raise DictionaryError(
            f"{first} and {second} have no word in common\n"
            "  are both of this language, and of this spelling? --case lower looks in lower case"
        )
    return DictionaryComparison(dictionary, trusted, casing, measured)


def harmonic_mean(precision: float | None, recall: float | None) -> float | None:
    """Return F1; 0 where both are 0, None where one is unknown.

    >>> round(harmonic_mean(58.09, 11.01), 2)
    18.51
    """
    if precision is None or recall is None:
        return None
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _share(part: float, whole: float) -> float | None:
    return float(part / whole) if whole else None
