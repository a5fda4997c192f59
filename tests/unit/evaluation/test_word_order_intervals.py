"""Intervals of numbers about word order."""

from __future__ import annotations

import numpy as np
import pytest

import treegauge as tg
from tests.unit.properties.all_orders import bank
from treegauge.evaluation.word_order_intervals import word_order_intervals
from treegauge.properties import WordOrder


def test_intervals_are_those_of_resampled_treebanks():
    treebank = tg.toy_treebank("toy:free", tokens=1500)
    order = WordOrder(treebank)
    found = word_order_intervals(order, resamples=300, seed=5)
    kept = order.selection.treebank
    rng = np.random.default_rng(1)
    drawn = [
        WordOrder(kept.take(rng.integers(0, kept.n_sentences, kept.n_sentences)))
        for _ in range(300)
    ]
    for name in ("dlm_ratio", "arc_direction_entropy"):
        values = [getattr(one, name) for one in drawn]
        low, high = np.quantile(values, [0.025, 0.975])
        # Two samples of the same distribution: their ends differ by less than half a width.
        assert abs(found[name].low - low) < (high - low) / 2
        assert abs(found[name].high - high) < (high - low) / 2
    assert found["dlm_ratio"].low < order.dlm_ratio < found["dlm_ratio"].high


def test_the_same_seed_gives_the_same_interval():
    order = WordOrder(tg.toy_treebank("toy:svo", tokens=1000), "gm16")
    assert word_order_intervals(order, resamples=50) == word_order_intervals(order, resamples=50)


@pytest.mark.parametrize("treebank", [bank(), bank([0], [0])], ids=["nothing", "no arcs"])
def test_nothing_has_no_interval(treebank):
    found = word_order_intervals(WordOrder(treebank), resamples=10)
    assert found == {"dlm_ratio": None, "arc_direction_entropy": None}
