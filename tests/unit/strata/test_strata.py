from __future__ import annotations

import pickle

import numpy as np
import pytest

from treegauge.strata import Strata


def test_counts_leave_out_words_without_a_stratum():
    strata = Strata(np.array([2, -1, 0, 2], np.int32), ("a", "b", "c"))
    assert strata.counts.tolist() == [1, 0, 2]
    assert len(strata) == 3
    assert Strata(np.zeros(0, np.int32), ()).counts.tolist() == []


def test_codes_cannot_be_changed_not_even_after_a_journey():
    strata = Strata(np.array([0], np.int32), ("a",))
    for one in (strata, pickle.loads(pickle.dumps(strata))):
        assert one.names == ("a",)
        with pytest.raises(ValueError, match="read-only"):
            one.codes[0] = 1
