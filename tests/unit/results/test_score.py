from __future__ import annotations

import json

import pytest

from treegauge.results import Score, Signature

SIGNATURE = Signature("las", (("punct", "yes"), ("len", "10")))


def test_a_score_reads_as_people_write_it():
    score = Score("las@10", 0.84309, 0.835, 0.8507, 25_094, SIGNATURE)
    assert str(score) == "LAS@10 84.31 [83.50, 85.07]"
    assert score.shown() == "84.31"
    assert score.shown(0.5) == "50.00"


def test_without_an_interval_there_is_none_to_show():
    assert str(Score("las", 0.5, None, None, 4, SIGNATURE)) == "LAS 50.00"


def test_distances_are_not_in_per_cent():
    vi = Score("vi", 1.5127, 1.4, 1.6, 16, SIGNATURE, is_share=False, higher_is_better=False)
    assert str(vi) == "VI 1.51 [1.40, 1.60]"


def test_nothing_to_score_is_a_dash():
    nothing = Score("las", None, None, None, 0, SIGNATURE)
    assert str(nothing) == "LAS –"
    assert nothing.to_dict()["value"] is None


def test_an_interval_has_its_ends_in_order():
    with pytest.raises(ValueError, match=r"an interval from 0\.6 to 0\.5"):
        Score("las", 0.5, 0.6, 0.5, 4, SIGNATURE)


def test_json_has_the_signature_and_the_details():
    score = Score("las", 0.5, 0.25, 0.75, 4, SIGNATURE, details={"precision": 0.4, "recall": None})
    document = json.loads(json.dumps(score.to_dict(), allow_nan=False))
    assert document == {
        "value": 0.5,
        "low": 0.25,
        "high": 0.75,
        "n": 4,
        "precision": 0.4,
        "recall": None,
        "signature": "las|punct:yes|len:10",
    }


def test_signatures_are_equal_if_they_say_the_same():
    assert Signature("las", (("punct", "yes"), ("len", "10"))) == SIGNATURE
    assert Signature("las", (("punct", "no"), ("len", "10"))) != SIGNATURE
