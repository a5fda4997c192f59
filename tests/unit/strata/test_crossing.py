from __future__ import annotations

import numpy as np
import pytest

from tests.unit.strata.worked_tree import birds, named
from treegauge.strata import Strata, StrataError, cross, stratify


def test_worked_tree():
    both = cross(stratify("tag", birds()), stratify("direction", birds()))
    assert both.names == (
        "NOUN × left", "NOUN × right", "ADJ × right", "ADV × left", "VERB × root",
    )  # fmt: skip
    assert named(both) == [
        "ADJ × right", "NOUN × right", "VERB × root", "NOUN × left", "ADV × left",
    ]  # fmt: skip


def test_different_treebanks_cannot_be_crossed():
    with pytest.raises(StrataError, match="strata of 5 words cannot be crossed with strata of 2"):
        cross(stratify("tag", birds()), Strata(np.zeros(2, np.int32), ("a",)))


def test_nothing_crossed_with_nothing():
    nothing = Strata(np.zeros(0, np.int32), ())
    assert cross(nothing, nothing).names == ()
    nowhere = Strata(np.full(3, -1, np.int32), ())
    assert cross(nowhere, nowhere).codes.tolist() == [-1, -1, -1]
