"""Which kind of interval a score gets, and what it says of itself."""

from __future__ import annotations

import numpy as np
import pytest

import treegauge as tg
from treegauge.evaluation import Resampling
from treegauge.evaluation.score_intervals import FEW, intervals_of, kind_of
from treegauge.metrics import Counts, MetricError
from treegauge.significance import Resampler, SpilledTable, bca_interval, interval
from treegauge.spilling import Spill


@pytest.fixture(scope="module")
def pair():
    gold = tg.toy_treebank("toy:svo", tokens=4000)
    assert gold.n_sentences > FEW
    return gold, tg.make_system("left-branching").annotate(gold).replace(name="left")


def few(pair):
    return [treebank[:20] for treebank in pair]


def score(pair, metric="uas", **how):
    return tg.evaluate(*pair, metrics=[metric], resamples=200, **how)[metric]


def test_few_sentences_have_studentised_intervals_and_signatures_say_so(pair):
    found = score(few(pair))
    assert "interval:studentised" in str(found.signature)
    assert found.value == score(few(pair), interval_kind="percentile").value
    assert "interval" not in str(score(few(pair), interval_kind="percentile").signature)
    assert "interval" not in str(score(pair).signature)
    assert "interval:studentised" in str(score(pair, interval_kind="studentised").signature)


def test_without_resamples_there_is_no_kind(pair):
    found = tg.evaluate(*few(pair), metrics=["uas"], resamples=0)["uas"]
    assert found.low is None
    assert "interval" not in str(found.signature)


def test_few_sentences_have_wider_intervals(pair):
    studentised, percentile = (score(few(pair), interval_kind=k) for k in ("auto", "percentile"))
    assert studentised.high - studentised.low > percentile.high - percentile.low
    assert studentised.low < studentised.value < studentised.high


def test_sentences_of_a_cut_off_are_counted(pair):
    scores = tg.evaluate(*pair, metrics=["uas", "uas@6"], resamples=50)
    assert 0 < int(np.count_nonzero(pair[0].lengths <= 6)) < FEW
    assert "interval" not in str(scores["uas"].signature)
    assert "interval:studentised" in str(scores["uas@6"].signature)


def test_scores_that_are_no_ratios_have_percentiles_or_bca(pair):
    gold, _ = few(pair)
    tags = gold.xpos if gold.xpos.is_annotated else gold.upos
    induced = gold.replace(columns={"upos": tags.map(lambda tag: f"c{len(tag)}")}, name="classes")
    how = {"metric": "v_measure"}
    assert "interval" not in str(score((gold, induced), **how).signature)
    for kind in ("bca", "studentised"):
        found = score((gold, induced), interval_kind=kind, **how)
        assert "interval:bca" in str(found.signature)
        assert found.low <= found.high


def test_bca_is_made_of_left_out_sentences(pair):
    gold, left = few(pair)
    evaluation = tg.evaluate(gold, left, metrics=["uas"], resamples=300, interval_kind="bca")
    statistics = evaluation.systems[0].statistics["uas"]
    table = statistics.per_sentence
    values = Resampler(len(table), resamples=300, seed=0).scores(table, statistics.score)
    left_out = [
        float(statistics.score(np.delete(table, place, axis=0).sum(axis=0)))
        for place in range(len(table))
    ]
    assert evaluation["uas"].value == pytest.approx(float(statistics.score(table.sum(axis=0))))
    expected = bca_interval(values, evaluation["uas"].value, left_out)
    assert (evaluation["uas"].low, evaluation["uas"].high) == pytest.approx(expected)
    assert expected != interval(values)


def test_a_table_of_a_stream_has_the_same_interval(pair):
    statistics = tg.evaluate(*few(pair), metrics=["uas"], resamples=0).systems[0].statistics["uas"]
    table = SpilledTable(3, Spill())
    table.append(statistics.per_sentence)
    for kind in ("auto", "bca", "percentile"):
        whole, streamed = (
            intervals_of({"uas": one}, 20, Resampling(kind=kind))["uas"]
            for one in (statistics, Counts(table))
        )
        assert whole == streamed


def test_two_sentences_are_too_few_for_a_studentised_interval(pair):
    gold, left = (treebank[:2] for treebank in pair)
    found = score((gold, left), interval_kind="studentised")
    plain = score((gold, left), interval_kind="percentile")
    assert (found.low, found.high) == (plain.low, plain.high)
    assert "interval" not in str(found.signature)


def test_kinds_are_checked():
    with pytest.raises(MetricError, match=r"unknown kind of interval 'bcaa'; did you mean bca\?"):
        Resampling(kind="bcaa")


def test_no_sentences_have_no_intervals(pair):
    statistics = tg.evaluate(*pair, metrics=["uas"], resamples=0).systems[0].statistics
    assert intervals_of(statistics, 0, Resampling()) == {}
    assert kind_of(statistics["uas"], FEW) == "percentile"
    assert kind_of(statistics["uas"], FEW - 1) == "studentised"
