"""Perplexity: every convention by hand, and sums of sentences."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.properties.language_model.texts import column_of, trained, zipf_text
from treegauge.properties import PropertyError
from treegauge.properties.language_model import (
    CONVENTIONS,
    STATISTICS,
    ScoredText,
    log10_perplexities,
)

# Two sentences; the second word is unknown.
SCORED = ScoredText(
    np.array([-1.0, -5.0, -2.0]),
    np.array([-0.5, -0.25]),
    np.array([False, True, False]),
    np.array([0, 2, 3]),
)


@pytest.mark.parametrize(
    ("convention", "log10"),
    [
        ("kenlm", 8.75 / 5),
        ("kenlm-known", 3.75 / 4),
        ("srilm", 3.75 / 4),
        ("srilm-ppl1", 3.75 / 2),
        ("sentence", 3.75 / 2),
    ],
)
def test_conventions_by_hand(convention, log10):
    assert SCORED.log10_perplexity(convention) == pytest.approx(log10, abs=1e-15)
    assert SCORED.perplexity(convention) == pytest.approx(10**log10, rel=1e-14)


def test_statistics_by_hand():
    rows = [dict(zip(STATISTICS, row, strict=True)) for row in SCORED.statistics.tolist()]
    nothing = {"sentences": 1, "impossible": 0, "impossible_unknown": 0}
    assert rows == [
        {**nothing, "words": 2, "unknown": 1, "log10": -1.5, "log10_unknown": -5},
        {**nothing, "words": 1, "unknown": 0, "log10": -2.25, "log10_unknown": 0},
    ]
    assert SCORED.unknown_rate == pytest.approx(1 / 3)


def test_impossible_words_are_passed_over_by_srilm_alone():
    impossible = ScoredText(
        np.array([-1.0, -np.inf, -np.inf]),
        np.array([-0.5]),
        np.array([False, True, False]),
        np.array([0, 3]),
    )
    found = {name: impossible.log10_perplexity(name) for name in CONVENTIONS}
    assert found == {
        "kenlm": np.inf,
        "kenlm-known": np.inf,
        "srilm": 1.5 / 2,
        "srilm-ppl1": 1.5,
        "sentence": np.inf,
    }
    assert np.isfinite(impossible.statistics).all()


def test_unknown_words_are_impossible_without_unk():
    train, test = zipf_text(300, 40, seed=6), zipf_text(50, 60, seed=7)
    scored = trained(train, preset="srilm").score(*column_of(test))
    assert scored.is_unknown.any()
    assert np.isneginf(scored.log10[scored.is_unknown]).all()
    assert np.isfinite(scored.log10[~scored.is_unknown]).all()
    assert scored.perplexity("kenlm") == np.inf
    assert scored.perplexity("srilm") == scored.perplexity("kenlm-known") < np.inf


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_resamples_are_sums_of_rows(convention):
    train, test = zipf_text(300, 40, seed=8), zipf_text(40, 60, seed=9)
    model = trained(train)
    chosen = np.random.default_rng(10).integers(0, 40, (5, 40))
    statistics = model.score(*column_of(test)).statistics
    found = log10_perplexities(statistics[chosen].sum(axis=1), convention)
    expected = [
        model.score(*column_of([test[i] for i in row])).log10_perplexity(convention)
        for row in chosen
    ]
    assert found == pytest.approx(expected, abs=1e-12)


def test_nothing_to_count():
    empty = trained([["a"]]).score(*column_of([]))
    assert empty.unknown_rate == 0
    assert empty.statistics.shape == (0, len(STATISTICS))
    with pytest.raises(PropertyError, match="without events"):
        empty.perplexity()
    with pytest.raises(PropertyError, match="without events"):
        trained([["a"]]).score(*column_of([["b"]])).perplexity("srilm-ppl1")


def test_a_perplexity_too_large_is_infinite_and_its_logarithm_is_not():
    long = ScoredText(np.full(100, -4.0), np.zeros(1), np.zeros(100, bool), np.array([0, 100]))
    assert long.perplexity("sentence") == np.inf
    assert long.log10_perplexity("sentence") == 400


def test_a_convention_that_is_none():
    with pytest.raises(PropertyError, match="there are kenlm, kenlm-known, srilm"):
        SCORED.perplexity("nltk")
