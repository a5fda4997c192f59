"""Ranks and lines: ties, missing scores, one set of treebanks, and nothing without significance."""

from __future__ import annotations

import math
from itertools import product

from hypothesis import given, strategies as st

from tests.examples import examples
from treegauge.challenges.ranking import groups, lines_between, macro_average, standings

TREEBANKS = ["x", "y", "z"]

scores_of_system = st.dictionaries(
    st.sampled_from(TREEBANKS),
    st.one_of(st.none(), st.just(math.nan), st.integers(0, 4).map(lambda k: k / 4)),
)
tables = st.dictionaries(st.sampled_from("abcdefg"), scores_of_system, max_size=7)


def slow_rank(name, scores, treebanks, higher_is_better):
    """One more than the complete systems that are better; None for one that is not complete."""

    def average(own):
        values = [own.get(treebank) for treebank in treebanks]
        if any(value is None or math.isnan(value) for value in values):
            return None
        return sum(values) / len(values)

    mine = average(scores[name])
    if mine is None:
        return None
    sign = 1 if higher_is_better else -1
    others = [average(own) for own in scores.values()]
    return 1 + sum(sign * (other - mine) > 1e-9 for other in others if other is not None)


def test_ranks_worked_by_hand():
    scores = {
        "zero": {"x": 0.0, "y": 0.0, "z": 0.0},
        "left out": {"x": 0.9, "y": 0.9},
        "nothing": {"x": 0.9, "y": 0.9, "z": math.nan},
        "top": {"x": 0.6, "y": 0.3, "z": 0.3},
        "tie": {"x": 0.3, "y": 0.3, "z": 0.6},
    }
    rows = standings(scores, TREEBANKS)
    assert [(row.system, row.rank) for row in rows] == [
        ("tie", 1), ("top", 1), ("zero", 3), ("left out", None), ("nothing", None),
    ]  # fmt: skip
    assert rows[3].missing == rows[4].missing == ("z",)
    assert rows[3].average is None


def test_distances_rank_the_other_way():
    rows = standings({"a": {"x": 2.0}, "b": {"x": 1.0}}, ["x"], higher_is_better=False)
    assert [row.system for row in rows] == ["b", "a"]


def test_the_average_of_no_treebanks_is_nothing():
    assert macro_average({"x": 1.0}, []) is None


@examples(200)
@given(tables, st.booleans())
def test_ranks_are_those_of_the_slow_twin(scores, higher):
    rows = standings(scores, TREEBANKS, higher_is_better=higher)
    assert sorted(row.system for row in rows) == sorted(scores)
    for row in rows:
        assert row.rank == slow_rank(row.system, scores, TREEBANKS, higher)
        assert (row.rank is None) == bool(row.missing)
    ranked = [row.rank for row in rows if row.rank is not None]
    assert ranked == sorted(ranked)
    # What has no score is never ranked, and never above what has one.
    assert [row.rank for row in rows[len(ranked) :]] == [None] * (len(rows) - len(ranked))


@examples(100)
@given(tables, st.randoms())
def test_ranks_do_not_depend_on_the_order_of_submissions(scores, random):
    names = list(scores)
    random.shuffle(names)
    assert standings({name: scores[name] for name in names}, TREEBANKS) == standings(
        scores, TREEBANKS
    )


pairs_of = st.sets(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")))


def slow_lines(order, better):
    """Every cut where all above beat all below."""
    return [
        cut
        for cut in range(1, len(order))
        if all(pair in better for pair in product(order[:cut], order[cut:]))
    ]


@examples(300)
@given(st.permutations("abcdef"), pairs_of, st.booleans())
def test_lines_are_those_of_the_slow_twin(order, pairs, many):
    everything = {(a, b) for i, a in enumerate(order) for b in order[i + 1 :]}
    better = everything - pairs if many else pairs
    assert lines_between(order, better) == slow_lines(order, better)
    assert [name for group in groups(order, better) for name in group] == list(order)
    assert len(groups(order, better)) == len(slow_lines(order, better)) + 1


def test_nobody_forms_no_group():
    assert groups([], set()) == []
    assert groups(["a"], set()) == [["a"]]
