"""Groups of systems: paired, within treebanks, whatever the order, never without significance."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.paired_evidence import (
    ResampledAverages,
    SentenceCounts,
    paired_tests,
    significantly_better,
)
from treegauge.challenges.ranking import groups, standings
from treegauge.significance import holm, paired_bootstrap


def made_up(seed, rates, lengths=(12, 9)):
    """Systems that are right at these rates, on treebanks with these numbers of sentences."""
    random = np.random.default_rng(seed)
    whole = {f"t{i}": random.integers(1, 12, n).astype(float) for i, n in enumerate(lengths)}
    return {
        f"s{i}": SentenceCounts(
            {
                name: random.binomial(own.astype(int), rate).astype(float)
                for name, own in whole.items()
            },
            whole,
        )
        for i, rate in enumerate(rates)
    }


def average(system):
    return float(np.mean([system.right[n].sum() / system.whole[n].sum() for n in system.whole]))


def grouped(systems, **options):
    scores = {
        name: {n: own.right[n].sum() / own.whole[n].sum() for n in own.whole}
        for name, own in systems.items()
    }
    treebanks = sorted(next(iter(systems.values())).whole)
    order = [row.system for row in standings(scores, treebanks)]
    return groups(order, significantly_better(systems, trials=400, **options))


def slow_p(a, b):
    """All ways to exchange sentences, each within its treebank, counted one by one."""
    places = [(name, i) for name in sorted(a.whole) for i in range(len(a.whole[name]))]
    observed = abs(average(b) - average(a))
    count = 0
    for coins in product([False, True], repeat=len(places)):
        first, second = ({n: own.copy() for n, own in x.right.items()} for x in (a, b))
        for (name, i), swap in zip(places, coins, strict=True):
            if swap:
                first[name][i], second[name][i] = second[name][i], first[name][i]
        moved = average(replace(b, right=second)) - average(replace(a, right=first))
        count += abs(moved) >= observed - 1e-9
    return count / 2 ** len(places)


def test_worked_by_hand():
    # One sentence in each of two treebanks, 2 of 4 and 1 of 2 words right against all of them:
    # exchanging both or neither is as extreme (1/2), one of them is not (0).
    whole = {"x": np.array([4.0]), "y": np.array([2.0])}
    a = SentenceCounts({"x": np.array([2.0]), "y": np.array([1.0])}, whole)
    b = SentenceCounts(whole, whole)
    assert paired_tests({"a": a, "b": b}) == {("a", "b"): (pytest.approx(0.5), 0.5)}


@examples(20)
@given(st.integers(0, 10_000))
def test_p_is_that_of_the_slow_twin(seed):
    systems = made_up(seed, (0.4, 0.6, 0.8), lengths=(4, 3))
    for (one, other), (difference, p) in paired_tests(systems).items():
        a, b = systems[one], systems[other]
        assert difference == pytest.approx(average(b) - average(a))
        assert p == pytest.approx(slow_p(a, b))


@examples(20)
@given(st.integers(0, 10_000))
def test_groups_are_those_of_the_slow_twin(seed):
    systems = made_up(seed, (0.2, 0.5, 0.9), lengths=(4, 3))
    order = sorted(systems, key=lambda name: (-round(average(systems[name]), 12), name))
    pairs = list(combinations(order, 2))
    corrected = holm([slow_p(systems[a], systems[b]) for a, b in pairs]).tolist()
    better = {pair for pair, p in zip(pairs, corrected, strict=True) if p < 0.2}
    cuts = [
        cut for cut in range(1, 3) if all(p in better for p in product(order[:cut], order[cut:]))
    ]
    expected = [order[a:b] for a, b in zip([0, *cuts], [*cuts, 3], strict=True)]
    assert grouped(systems, alpha=0.2) == expected


@examples(30)
@given(st.integers(0, 10_000), st.randoms())
def test_groups_do_not_depend_on_the_order_of_submissions(seed, random):
    systems = made_up(seed, (0.2, 0.5, 0.55, 0.9), lengths=(20, 15))
    names = list(systems)
    random.shuffle(names)
    assert grouped({name: systems[name] for name in names}) == grouped(systems)
    # Nor on what they are called: the same systems under names in another order.
    renamed = dict(zip(names, ("w", "x", "y", "z"), strict=True))
    back = {new: old for old, new in renamed.items()}
    found = grouped({renamed[name]: own for name, own in systems.items()})
    assert [{back[new] for new in group} for group in found] == [set(g) for g in grouped(systems)]


@examples(30)
@given(st.integers(0, 10_000), st.integers(0, 3))
def test_a_copy_of_a_system_adds_no_line(seed, copied):
    systems = made_up(seed, (0.2, 0.5, 0.7, 0.9), lengths=(20, 15))
    before = grouped(systems)
    after = grouped({**systems, "copy": systems[f"s{copied}"]})
    assert len(after) <= len(before)
    # The copy stands with its original.
    assert any({"copy", f"s{copied}"} <= set(group) for group in after)


@examples(20)
@given(st.integers(0, 10_000))
def test_no_line_without_significance(seed):
    systems = made_up(seed, (0.5, 0.5, 0.5))
    tests = paired_tests(systems, trials=400)
    smallest = min(p for _, p in tests.values())
    if len(tests) * smallest >= 0.05:
        assert len(grouped(systems)) == 1


@examples(20)
@given(st.integers(0, 10_000))
def test_one_weighted_column_is_as_good_as_all_counts(seed):
    """Where systems are scored on other words, the long way is taken: it must not matter."""
    systems = made_up(seed, (0.4, 0.6), lengths=(20, 15))
    # A word more in both, which exchanges nothing, forbids the short way if in one only.
    short = paired_tests(systems, trials=300)
    tiny = {name: own + 0.0 for name, own in systems["s1"].whole.items()}
    tiny["t0"] = tiny["t0"] + 1e-13
    long = paired_tests({**systems, "s1": replace(systems["s1"], whole=tiny)}, trials=300)
    assert short["s0", "s1"] == (pytest.approx(long["s0", "s1"][0]), long["s0", "s1"][1])


def test_distances_are_better_when_smaller():
    systems = made_up(0, (0.1, 0.9), lengths=(40, 40))
    assert significantly_better(systems, trials=500) == {("s1", "s0")}
    assert significantly_better(systems, trials=500, higher_is_better=False) == {("s0", "s1")}


def test_resampled_averages_give_the_paired_bootstrap():
    random = np.random.default_rng(3)
    tables = [
        np.stack([random.binomial(9, rate, 60), np.full(60, 9)], axis=1) for rate in (0.5, 0.6)
    ]
    score = lambda sums: sums[..., 0] / sums[..., 1]  # noqa: E731
    from treegauge.significance import Resampler

    resampler = Resampler(60, resamples=500, seed=0)
    systems = {
        name: ResampledAverages(float(score(own.sum(axis=0))), resampler.scores(own, score))
        for name, own in zip("ab", tables, strict=True)
    }
    expected = paired_bootstrap(*tables, score, resamples=500, seed=0)
    ((difference, p),) = paired_tests(systems).values()
    assert (difference, p) == (pytest.approx(expected.difference), expected.p)


def test_other_sentences_are_refused():
    systems = made_up(0, (0.5, 0.5))
    other = made_up(0, (0.5,), lengths=(12, 8))["s0"]
    with pytest.raises(ChallengeError, match="same sentences"):
        paired_tests({**systems, "s2": other})
    with pytest.raises(ChallengeError, match="same kind"):
        paired_tests({**systems, "s2": ResampledAverages(0.5, np.zeros(3))})


def test_nobody_is_better_than_nobody():
    assert significantly_better({}) == set()
    assert significantly_better(made_up(0, (0.5,))) == set()


def test_what_no_test_could_tell_apart_is_not_tested() -> None:
    words = {"x": np.full(30, 8.0)}
    systems = {f"s{k}": SentenceCounts({"x": np.full(30, float(k))}, words) for k in range(4)}
    # Six pairs: the smallest p of 119 trials is 1/120, and six times that is not below 0.05.
    with mock.patch("treegauge.challenges.paired_evidence.paired_tests") as tested:
        assert significantly_better(systems, trials=119) == set()
    assert not tested.called
    for trials, has_pairs in ((119, False), (200, True)):
        p = [one for _, one in paired_tests(systems, trials=trials).values()]
        assert (min(holm(p)) < 0.05) == has_pairs
        assert bool(significantly_better(systems, trials=trials)) == has_pairs
