"""Estimates that are learnt from the other languages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.unit.papers.tagger_evaluation.made_scores import (
    ONE,
    Scores,
    record,
)
from treegauge.dictionaries import Record
from treegauge.papers.tagger_evaluation.calibration import (
    MIXED,
    calibration_frame,
    left_out_estimates,
)
from treegauge.papers.tagger_evaluation.frames import (
    AS_TAGGERS,
    OWN,
    SUPERVISED,
)


def calibrated(treebanks: dict[str, Scores]) -> dict[tuple[str, str, str], Any]:
    records: dict[tuple[str, str], list[Record]] = {}
    for name, scores in treebanks.items():
        for place, of_group in scores.items():
            made = [record(tagger, name, *pair) for tagger, pair in of_group.items()]
            records.setdefault(place, []).extend(made)
    rows = calibration_frame(records).filter(dictionary=OWN).to_dicts()
    return {(row["learnt_from"], row["tested_on"], row["estimator"]): row for row in rows}


def test_errors_against_those_of_the_mean():
    true = {"x": 0.9, "y": 0.8, "z": 0.7}
    found = calibrated(
        {name: {(SUPERVISED, OWN): {"a": (value, value - 0.05)}} for name, value in true.items()}
    )
    raw = found[SUPERVISED, SUPERVISED, "raw"]
    assert (raw["mae"], raw["bias"]) == (pytest.approx(0.05), pytest.approx(-0.05))
    # The others' means are 0.75, 0.8 and 0.85.
    assert raw["mae_of_mean"] == pytest.approx(0.1)
    assert raw["languages"] == 3
    # Too few languages for an interval.
    assert raw["interval_coverage"] is None
    assert "constant" not in {estimator for _, _, estimator in found}


def test_corrupted_gold_is_learnt_from_but_not_the_worst_nor_gold_itself():
    levels = {f"at {a}": (a, a) for a in (0.1, 0.5, 1.0)}
    scores: Scores = {(SUPERVISED, OWN): {"a": (0.9, 0.9)}, (AS_TAGGERS, OWN): levels}
    mixed = calibrated({"x": scores, "y": scores})[MIXED, MIXED, "raw"]
    # Of 0.9 and 0.5 in both languages, the mean is 0.7.
    assert mixed["mae_of_mean"] == pytest.approx(0.2)


@pytest.mark.parametrize("estimator", ["constant", "error", "ridge"])
def test_a_language_has_no_part_in_its_own_estimate(estimator):
    records = [
        record(tagger, language, true, true - 0.1)
        for language, best in (("x", 0.9), ("y", 0.8), ("z", 0.85), ("w", 0.7))
        for tagger, true in (("a", best), ("b", best - 0.2))
    ]
    before = left_out_estimates(records, estimator)
    changed = [
        replace(one, gold=replace(one.gold, accuracy=0.3, ceiling=0.4))
        if one.conditions.language == "x"
        else one
        for one in records
    ]
    after = left_out_estimates(changed, estimator)
    for one, other in zip(records, changed, strict=True):
        if one.conditions.language == "x":
            assert before[one] == after[other]
    # The medians of the error model do not move with one language.
    if estimator != "error":
        assert any(before[one] != after[one] for one in records if one in after)


def test_one_language_cannot_be_calibrated():
    assert calibrated({"one": ONE}) == {}
