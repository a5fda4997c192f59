"""Tables of runs in which little happened."""

from __future__ import annotations

import polars as pl
import pytest

from treegauge.papers.ned.tables import learnability_table, reading_table, structure_table

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


def reading(algorithm: str, edges: str, *, ned: float, gold: float, half: float = 0.1):
    ends = {
        f"{name}{end}": value + sign * half
        for name, value in (("ned_change", ned), ("gold_better_by", gold))
        for end, sign in (("_low", -1), ("_high", 1))
    }
    same = (ned > 0) == (gold > 0) if ned and gold else None
    return {"algorithm": algorithm, "scope": "all flips", "edges": edges, "same_sign": same, **ends}


def test_readings_are_counted_by_the_algorithms_that_support_them():
    rows = [
        reading("km04", "any", ned=-0.5, gold=-0.2),
        reading("km04", "≤ 2", ned=-0.5, gold=0.2),
        reading("cs09", "any", ned=0.5, gold=0.05),  # its interval includes 0
        reading("cs09", "≤ 2", ned=0.5, gold=0.0),
    ]
    table = reading_table(pl.DataFrame(rows))
    assert [column.title for column in table.columns][2:] == ["km04", "cs09", "supported by"]
    assert [[cell.value for cell in row.cells][1:] for row in table.rows] == [
        ["any", "yes", "yes, uncertain", "2 of 2"],
        ["≤ 2", "no", "no difference", "0 of 2"],
    ]


def test_signs_of_structures():
    def row(algorithm: str, structure: str, as_gold: int, turned: int, flips: int):
        counts = {"token_share": 0.5, "as_gold": as_gold, "turned": turned, "flips": flips}
        return {"algorithm": algorithm, "structure": structure, **counts}

    frame = pl.DataFrame(
        [
            row("km04", "infinitive", 1, 3, 2),
            row("km04", "coordination", 9, 1, 0),
            row("cs09", "infinitive", 0, 0, 0),
        ]
    )
    table = structure_table(frame)
    assert [[cell.value for cell in row.cells] for row in table.rows] == [
        ["infinitive", 0.5, "75.0 + (2)", "none -"],
        ["coordination", 0.5, "10.0 -", None],
    ]
