"""Strata by the label that a word has in gold: its relation or its tag.

Labels stand in order of frequency, equally frequent ones in that of the alphabet, so that
the order depends on the words alone. A word without a label belongs to no stratum.
"""

from __future__ import annotations

import numpy as np

from treegauge.strata.strata import NO_STRATUM, Strata
from treegauge.treebank import EMPTY, Column, Treebank, tag_column


def relation(gold: Treebank) -> Strata:
    """Divide by relation without its subtype: `nsubj:pass` is `nsubj`."""
    return _by_frequency(gold.deprel.map(without_subtype))


def relation_full(gold: Treebank) -> Strata:
    """Divide by relation as it is written."""
    return _by_frequency(gold.deprel)


def tag(gold: Treebank) -> Strata:
    """Divide by universal tag."""
    return _by_frequency(gold.upos)


def fine_tag(gold: Treebank) -> Strata:
    """Divide by fine tag; coarse or universal ones where there are no fine ones."""
    # Where there are no words, there is no column to fall back to.
    return _by_frequency(tag_column(gold, "p").column if gold.n_words else gold.xpos)


def without_subtype(deprel: str) -> str:
    """Return a relation up to its first colon.

    >>> without_subtype("acl:relcl"), without_subtype("obj")
    ('acl', 'obj')
    """
    return deprel.partition(":")[0]


def _by_frequency(column: Column) -> Strata:
    counts = column.counts()
    labels = [label for label in counts if label not in ("", EMPTY)]
    names = tuple(sorted(labels, key=lambda label: (-counts[label], label)))
    place = {name: code for code, name in enumerate(names)}
    by_value = np.array([place.get(value, NO_STRATUM) for value in column.vocabulary], np.int32)
    return Strata(by_value[column.codes], names)
