"""Tables of runs in which little happened."""

from __future__ import annotations

import polars as pl
import pytest

from treegauge.papers.ned.tables import learnability_table

PUBLISHED = pl.DataFrame({"algorithm": ["km04"], "ned_change": [1.0], "same_sign": [True]})


def learnt(same_sign: bool | None) -> pl.DataFrame:
    scores = {"ned_change": 0.0, "uas_as_induced": 0.5, "uas_gold": 0.5, "gold_better_by": 0.0}
    about = {"algorithm": "km04", "scope": "all", "edges": "any", "flips": 0}
    return pl.DataFrame([{**about, **scores, "same_sign": same_sign}])


@pytest.mark.parametrize(("same_sign", "shown"), [(None, None), (True, "yes"), (False, "no")])
def test_a_sign_may_be_missing_everywhere(same_sign, shown):
    table = learnability_table(learnt(same_sign), PUBLISHED, longest=20)
    (row,) = table.to_polars().to_dicts()
    assert row["same_sign"] == shown
    assert row["published_same_sign"] == "yes"
