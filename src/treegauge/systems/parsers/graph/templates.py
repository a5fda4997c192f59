"""Templates of features, as text and as kernels take them.

A template names atoms of the head, a bar, and atoms of the dependent: `w p | p` is the head's form
and tag with the dependent's tag. A feature is a template with the values of its atoms. Its key
is the sum of one number for the head's side and one for the dependent's side, so that a
sentence of n words needs 2n numbers a template and not n^2. Templates of siblings have a third
side, the inner sibling's, between these.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_WIDEST = 6


def usable(templates: Sequence[str], atoms: Sequence[str]) -> tuple[str, ...]:
    """Return the templates whose atoms are all there.

    >>> usable(["w | w", "p | p"], ["p"])
    ('p | p',)
    """
    known = {*atoms, "|"}
    return tuple(template for template in templates if known.issuperset(template.split()))


def encoded(templates: Sequence[str], atoms: Sequence[str], *, sides: int = 2) -> NDArray[np.int64]:
    """Return the places of every template's atoms: [template, side, place], -1 where none is.

    >>> encoded(["w p | p"], ["w", "p"])[0, :, :3].tolist()
    [[0, 1, -1], [1, -1, -1]]
    """
    table = np.full((len(templates), sides, _WIDEST), -1, np.int64)
    for row, template in zip(table, templates, strict=True):
        for side, names in zip(row, template.split("|"), strict=True):
            places = [atoms.index(name) for name in names.split()]
            side[: len(places)] = places
    return table
