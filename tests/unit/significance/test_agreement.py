from __future__ import annotations

import math

import pytest

from treegauge.significance import SignificanceError, kendall_tau_b
from treegauge.significance.agreement import agreement


@pytest.mark.parametrize(
    ("x", "y", "tau"),
    [
        ([1, 2, 3, 4], [1, 2, 3, 4], 1),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1),
        ([1, 2, 3, 4], [1, 2, 4, 3], 4 / 6),  # one of six pairs turned around
        ([1, 2, 2], [1, 2, 3], 2 / math.sqrt(2 * 3)),
        ([1, 1, 2, 2], [1, 2, 1, 2], 0),
        ([1, math.inf], [1, 2], 1),
    ],
)
def test_worked_examples(x, y, tau):
    assert kendall_tau_b(x, y) == pytest.approx(tau)


@pytest.mark.parametrize(
    ("x", "y"),
    [([], []), ([1], [2]), ([1, 1, 1], [1, 2, 3]), ([1, 2], [3, 3]), ([1, None], [1, 2])],
)
def test_where_it_is_undefined(x, y):
    assert kendall_tau_b(x, y) is None


def test_systems_without_a_score_are_left_out():
    assert kendall_tau_b([1, 2, None, 3], [1, 2, 0, math.nan]) == 1


def test_rankings_of_different_length():
    with pytest.raises(SignificanceError, match="equally long; found 1 and 2"):
        kendall_tau_b([1], [1, 2])


def test_agreement_of_three_metrics():
    scores = {"uas": [0.3, 0.5, 0.7], "vi": [4.0, 3.0, 2.0], "ned": [0.5, 0.9, 0.8]}
    higher = {"uas": True, "vi": False, "ned": True, "las": True}
    assert agreement(scores, higher) == [
        ("uas", "vi", 1),
        ("uas", "ned", pytest.approx(1 / 3)),
        ("vi", "ned", pytest.approx(1 / 3)),
    ]


def test_agreement_of_what_cannot_be_ranked():
    higher = {"uas": True, "vi": False}
    assert agreement({}, higher) == []
    assert agreement({"uas": [0.5]}, higher) == []
    assert agreement({"uas": [0.5], "vi": [2.0]}, higher) == [("uas", "vi", None)]
    assert agreement({"uas": [0.5, None], "vi": [2.0, 1.0]}, higher) == [("uas", "vi", None)]


def test_agreement_needs_directions():
    with pytest.raises(SignificanceError, match="unknown for las, ned"):
        agreement({"uas": [1], "las": [1], "ned": [1]}, {"uas": True})
