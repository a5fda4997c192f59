"""Intervals of perplexities, and perplexities of parsers' trees."""

from __future__ import annotations

import numpy as np
import pytest

import treegauge as tg
from treegauge.evaluation.perplexity_intervals import perplexity_intervals
from treegauge.evaluation.perplexity_of_parsers import perplexity_of_parsers
from treegauge.properties import (
    DerivationModel,
    PerplexitySettings,
    cross_validated_perplexity,
    treebank_perplexity,
)
from treegauge.properties.attachment_order import (
    HeadlessWordsWarning,
    attachment_order,
    with_recorded_order,
)

pytestmark = pytest.mark.filterwarnings("ignore::treegauge.properties.errors.SmallCorpusWarning")


@pytest.fixture(scope="module")
def train() -> tg.Treebank:
    return tg.toy_treebank(tokens=2000)


@pytest.fixture(scope="module")
def gold() -> tg.Treebank:
    return tg.toy_treebank(part="test", tokens=800)


def chains(gold: tg.Treebank) -> tg.Treebank:
    first = np.repeat(gold.offsets[:-1], gold.lengths)
    return gold.replace(head=np.arange(gold.n_words) - first, name="chains")


def test_intervals_are_those_of_resampled_sentences(train, gold):
    found = treebank_perplexity(train, gold)
    intervals = perplexity_intervals(found, resamples=300, seed=5)
    rng = np.random.default_rng(1)
    drawn = [
        treebank_perplexity(train, gold.take(rng.integers(0, len(gold), len(gold))))
        for _ in range(60)
    ]
    for name, values in {
        "perplexity": [one.perplexity() for one in drawn],
        "derivation_perplexity": [one.derivation_perplexity() for one in drawn],
        "increase": [one.increase() for one in drawn],
    }.items():
        low, high = np.quantile(values, [0.025, 0.975])
        # Two samples of the same distribution: their ends differ by less than half a width.
        assert abs(intervals[name].low - low) < (high - low) / 2
        assert abs(intervals[name].high - high) < (high - low) / 2
    # The same sentences in both: the increase is surer than either.
    assert intervals["increase"].high < (
        intervals["derivation_perplexity"].high / intervals["perplexity"].low - 1
    )
    assert perplexity_intervals(found, resamples=300, seed=5) == intervals


def test_no_trees_no_interval_of_derivations(gold):
    bare = gold.replace(head=np.full(gold.n_words, -1))
    intervals = perplexity_intervals(cross_validated_perplexity(bare, folds=2), resamples=20)
    assert intervals["perplexity"] is not None
    assert (intervals["derivation_perplexity"], intervals["increase"]) == (None, None)


def test_gold_trees_have_the_treebanks_derivation_perplexity(train, gold):
    found = perplexity_of_parsers(
        train, [gold.replace(name="same"), chains(gold)], gold=gold, resamples=50, trials=200
    )
    expected = treebank_perplexity(train, gold)
    assert found.gold.value == expected.derivation_perplexity()
    assert found.systems["same"].value == found.gold.value
    assert found.systems["same"].details["kenlm-known"] == pytest.approx(
        expected.derivation_perplexity("kenlm-known")
    )
    assert found.systems["same"].n == gold.n_words
    (pair,) = found.pairs
    assert (pair.first, pair.second) == ("same", "chains")
    assert pair.difference == pytest.approx(found.systems["chains"].value - found.gold.value)
    assert pair.p == pair.adjusted_p < 0.05
    assert "lm:kenlm|order:3|min:1|field:form|system:swap-lazy|mode:canonical" in str(
        found.gold.signature
    )
    assert found.to_dict()["tests"][0]["systems"] == ["same", "chains"]


def test_gold_needs_no_trees_and_nothing_needs_gold(train, gold):
    bare = gold.replace(head=np.full(gold.n_words, -1))
    for reference in (bare, None):
        found = perplexity_of_parsers(train, [chains(gold)], gold=reference, resamples=0)
        assert found.gold is None
        assert found.to_dict()["gold"] is None
        assert found.systems["chains"].value > 1
        assert found.systems["chains"].low is None
        assert found.pairs == ()


def test_trees_with_the_same_order_cannot_be_told_apart(train):
    # A left dependent on its left sibling instead of its head: wrong, and the same perplexity.
    gold = tg.toy_treebank(part="test", tokens=800, nonprojective=0.0)
    head = gold.head.copy()
    for begin, end in zip(gold.offsets, gold.offsets[1:], strict=False):
        heads = gold.head[begin:end]
        for word in range(2, end - begin + 1):
            left = [i for i in range(1, word) if heads[i - 1] == heads[word - 1] > word]
            if left:
                head[begin + word - 1] = left[-1]
    wrong = gold.replace(head=head, name="siblings")
    assert (wrong.head == gold.head).mean() < 0.9
    found = perplexity_of_parsers(train, [wrong], gold=gold, resamples=0)
    assert found.systems["siblings"].value == found.gold.value


def test_a_mistake_can_lower_perplexity(train, gold):
    model = DerivationModel(train)
    roots = [
        gold.replace(head=np.where(np.arange(gold.n_words) == word, 0, gold.head))
        for word in range(20)
    ]
    assert min(model.score(tree).perplexity() for tree in roots) < model.score(gold).perplexity()


def test_own_orders(train, gold):
    settings = PerplexitySettings(system="covington", mode="own")
    lazy = with_recorded_order(gold, attachment_order(gold)).replace(name="lazy")
    covington = with_recorded_order(gold, attachment_order(gold, "covington"))
    systems = [lazy, covington.replace(name="covington")]
    found = perplexity_of_parsers(train, systems, gold=gold, settings=settings, resamples=0)
    assert found.systems["covington"].value == found.gold.value < found.systems["lazy"].value
    assert "mode:own" in str(found.systems["lazy"].signature)
    assert "mode:canonical" in str(found.gold.signature)


def test_a_cycle_does_not_cost_the_perplexity_of_all_sentences(train, gold):
    turning = gold.replace(head=np.r_[2, 1, gold.head[2:]], name="turning")
    headless = gold.replace(head=np.r_[-1, -1, gold.head[2:]], name="headless")
    outside = gold.replace(head=np.r_[99, 99, gold.head[2:]], name="outside")
    with pytest.warns(HeadlessWordsWarning, match="2 words of"):
        found = perplexity_of_parsers(train, [turning, headless, outside], resamples=0, trials=0)
    assert len({score.value for score in found.systems.values()}) == 1


def test_a_sentence_that_is_one_cycle_is_counted(train, gold):
    first = gold[:1]
    turning = first.replace(head=np.r_[2 : first.n_words + 1, 1], name="turning")
    roots = first.replace(head=np.zeros(first.n_words, np.int32), name="roots")
    found = perplexity_of_parsers(train, [turning, roots], resamples=0, trials=0)
    assert found.systems["turning"].value == found.systems["roots"].value


def test_what_goes_wrong_has_a_name(train, gold):
    cycle = gold.replace(head=np.r_[2, 1, gold.head[2:]], name="turning")
    message = r"derivation perplexity of turning: .* toy-svo-test-1"
    with pytest.raises(tg.MetricError, match=message):
        perplexity_of_parsers(train, [gold], gold=cycle)
    with pytest.raises(tg.MetricError, match=r"perplexity of toy:svo: .*arc-eager has none"):
        perplexity_of_parsers(train, [gold], settings=PerplexitySettings(system="arc-eager"))
    with pytest.raises(tg.MetricError, match="different names"):
        perplexity_of_parsers(train, [gold, gold])
