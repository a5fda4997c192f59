from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.results.made_up import row
from treegauge.results import TreebankScore, average, common_treebanks, treebank_score


def test_seeds_are_averaged_within_a_treebank_with_their_sample_deviation():
    score = treebank_score([row(value=v, seed=s) for s, v in enumerate((0.25, 0.5, 0.75))])
    assert score.value == 0.5
    assert score.deviation == 0.25  # sqrt((0.0625 + 0 + 0.0625) / 2)


def test_one_seed_has_an_interval_and_no_deviation():
    score = treebank_score([row(value=0.5, low=0.4, high=0.6, n=7)])
    assert (score.value, score.deviation) == (0.5, None)
    assert (score.low, score.high, score.n) == (0.4, 0.6, 7)


def test_several_seeds_have_no_interval():
    score = treebank_score([row(seed=seed, low=0.4, high=0.6) for seed in (0, 1)])
    assert (score.low, score.high) == (None, None)


def test_seeds_without_a_score_are_left_out_and_their_reasons_counted():
    rows = [row(value=0.5, seed=0), row(value=None, seed=1), row(value=None, seed=2)]
    score = treebank_score([*rows, row(value=None, seed=3, reason="timeout: 5 s")])
    assert score.value == 0.5
    assert score.missing == {"failed: out of memory": 2, "timeout: 5 s": 1}


def test_a_seed_that_is_there_twice_is_no_second_seed():
    with pytest.raises(ValueError, match="two scores of seed 0"):
        treebank_score([row(seed=0), row(seed=0)])


def test_an_average_counts_treebanks_alike_whatever_the_number_of_seeds():
    # (0.2 + 0.4) / 2 = 0.3 on a, 0.9 on b: (0.3 + 0.9) / 2, not (0.2 + 0.4 + 0.9) / 3.
    scores = {"a": TreebankScore({0: 0.2, 1: 0.4}), "b": TreebankScore({0: 0.9})}
    mean = average(scores)
    assert mean.value == pytest.approx(0.6)
    assert mean.deviation is None  # only seed 0 has both
    assert mean.treebanks == ("a", "b")


def test_the_deviation_of_an_average_is_that_of_the_averages_of_seeds():
    # Seed 0 averages 0.5, seed 1 averages 0.6, although each treebank varies by much more.
    scores = {"a": TreebankScore({0: 0.1, 1: 0.9}), "b": TreebankScore({0: 0.9, 1: 0.3})}
    assert average(scores).deviation == pytest.approx(math.sqrt(2 * 0.05**2))


def test_treebanks_without_a_score_are_left_out_of_the_average_and_counted():
    scores = {"a": TreebankScore({0: 0.5}), "b": TreebankScore({}, {"timeout": 2})}
    mean = average(scores)
    assert (mean.value, mean.treebanks, mean.missing) == (0.5, ("a",), {"timeout": 2})
    assert average({"b": scores["b"]}).value is None


def test_common_treebanks_are_those_that_all_systems_have():
    has, lacks = TreebankScore({0: 0.5}), TreebankScore({}, {"failed": 1})
    systems = {"x": {"a": has, "b": has, "c": lacks}, "y": {"a": has, "b": lacks, "c": has}}
    assert common_treebanks(systems) == ("a",)
    # What has no score at all takes nothing away.
    assert common_treebanks({**systems, "z": {"a": lacks, "b": lacks}}) == ("a",)
    assert common_treebanks({"z": {"a": lacks}}) == ()


@examples()
@given(
    st.dictionaries(
        st.sampled_from("abcdef"),
        st.dictionaries(st.integers(0, 3), st.floats(0, 1), max_size=4).map(TreebankScore),
    )
)
def test_an_average_lies_between_the_best_and_the_worst(scores):
    mean = average(scores)
    values = [score.value for score in scores.values() if score.value is not None]
    assert (mean.value is None) == (not values)
    if mean.value is not None:
        assert min(values) - 1e-12 <= mean.value <= max(values) + 1e-12
        assert average(scores, over=mean.treebanks).value == mean.value
