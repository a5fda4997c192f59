"""How freely sisters change places.

A pair of sisters is two dependents of one word. Its kind is the tag of the head and, for both, the
relation and the tag; sisters that agree in these two are no pair. What is chosen is which of the
two comes first. Word orders without freedom in the direction of arcs can have it here: a language
with all heads in front may still mix objects and obliques. Gulordava and Merlo (2016) leave such a
measure to future work.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.properties import _sibling_orders_numba as kernels
from treegauge.properties.numbering import number_by_first_use
from treegauge.properties.relations import Relations, relation_column, tags_or_coarser
from treegauge.properties.two_way_entropy import Estimator, LogBase, two_way_entropy
from treegauge.treebank import Treebank

Sides = Literal["any", "same", "given"]
_SIDES = {"any": kernels.ANY, "same": kernels.SAME, "given": kernels.GIVEN}


def sibling_orders(
    treebank: Treebank, *, relations: Relations = "full", tags: str = "u", sides: Sides = "any"
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for every kind of pair how often the one came first, and the other.

    Parameters
    ----------
    sides : {'any', 'same', 'given'}
        All pairs; only pairs on the same side of their head; all pairs, with the sides of both as
        part of their kind, so that only pairs on the same side have a choice.
    """
    relation = relation_column(treebank, relations)
    tag = tags_or_coarser(treebank, tags)
    n_tags = max(len(tag.vocabulary), 1)
    kinds, kind = number_by_first_use(relation.codes.astype(np.int64) * n_tags + tag.codes)
    arguments = (treebank.head, treebank.offsets, kind, len(kinds), tag.codes, _SIDES[sides])
    none = np.zeros(0, np.int64)
    rows = kernels.sister_pairs(*arguments, none, none, none)
    key, first, second = (np.zeros(rows, np.int64) for _ in range(3))
    if rows:
        kernels.sister_pairs(*arguments, key, first, second)
    pairs, place = number_by_first_use(key)
    # Whole numbers, far below 2**53: the sums of floats are exact.
    sums = [np.bincount(place, weights=counts, minlength=len(pairs)) for counts in (first, second)]
    return sums[0].astype(np.int64), sums[1].astype(np.int64)


def sibling_order_entropy(
    treebank: Treebank,
    *,
    relations: Relations = "full",
    tags: str = "u",
    sides: Sides = "any",
    base: LogBase = "2",
    estimator: Estimator = "plugin",
    seed: int = 0,
) -> float | None:
    """Return the entropy of the order of two sisters given their kind; None without pairs.

    Examples
    --------
    >>> import treegauge as tg
    >>> columns = {"form": tg.Column.from_strings("abcabc"),
    ...            "deprel": tg.Column.from_strings(["root", "obj", "obl", "root", "obl", "obj"])}
    >>> both = tg.Treebank(columns, [0, 1, 1, 0, 1, 1], offsets=[0, 3, 6])
    >>> sibling_order_entropy(both), sibling_order_entropy(both[:1])
    (1.0, 0.0)
    """
    one, other = sibling_orders(treebank, relations=relations, tags=tags, sides=sides)
    return two_way_entropy(one, other, base=base, estimator=estimator, seed=seed)
