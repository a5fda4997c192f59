"""Predicting accuracy from pilot parsers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import treegauge as tg
from treegauge.evaluation.accuracy_forecast import models_of, predict_accuracy
from treegauge.evaluation.accuracy_prediction import (
    FEATURES,
    PENALTY,
    AccuracyModel,
    AccuracyRow,
    TrainingText,
    describe_training_text,
    read_rows,
    write_rows,
)
from treegauge.evaluation.errors import EvaluationError


def _logit(share):
    return math.log(share / (1 - share))


def _share(logit):
    return 1 / (1 + math.exp(-logit))


def _rows(noise=0.0, seed=0, languages=20):
    """Parsers gain half a logit from ten times as much text, whatever the language."""
    random = np.random.default_rng(seed)
    rows = []
    for language in range(languages):
        pilot = random.normal(1.2, 0.4)
        for words in (5000, 20_000):
            logit = pilot + 0.5 * math.log10(words / 2000) + noise * random.normal()
            text = TrainingText(words, 2000, _share(pilot), _share(pilot - 0.5))
            accuracies = (_share(logit), _share(logit - 0.5))
            names = (f"t{language}", f"l{language}", "original", "graph")
            rows.append(AccuracyRow(*names, *accuracies, text))
    return rows


def test_what_was_put_in_is_found_and_beats_the_baselines():
    model = AccuracyModel(_rows(noise=0.02), "graph")
    ours, size, mean = model.judgements()
    assert ours.mean_error < 0.015 < 0.03 < min(size.mean_error, mean.mean_error)
    low, high = (model.predict(TrainingText(w, 2000, 0.8, 0.7)).value for w in (5000, 50_000))
    assert _logit(high) - _logit(low) == pytest.approx(0.5, abs=0.1)


def test_noise_does_not_beat_the_mean():
    random = np.random.default_rng(3)
    rows = [
        replace(row, text=replace(row.text, pilot_uas=float(random.uniform(0.6, 0.9))))
        for row in _rows()
    ]
    ours, size, _ = AccuracyModel(rows, "graph").judgements()
    assert ours.mean_error > 0.9 * size.mean_error


@pytest.mark.parametrize("metric", ["uas", "las"])
def test_predictions_are_those_of_a_regression_written_out(metric):
    rows = _rows(noise=0.3)[:-1]  # the last language has one row, which weighs as much as two
    model = AccuracyModel(rows, "graph", metric)
    asked = TrainingText(12_000, 1500, 0.75, 0.66)

    def inputs(text):
        return [math.log10(text.words / text.pilot_words), _logit(getattr(text, f"pilot_{metric}"))]

    weight = [1 / sum(one.language == row.language for one in rows) for row in rows]
    total = sum(weight)
    y = [_logit(getattr(row, metric)) for row in rows]
    x = [inputs(row.text) for row in rows]
    middle = [sum(w * one[i] for w, one in zip(weight, x, strict=True)) / total for i in (0, 1)]
    spread = [
        math.sqrt(
            sum(w * (one[i] - middle[i]) ** 2 for w, one in zip(weight, x, strict=True)) / total
        )
        for i in (0, 1)
    ]
    z = [[(one[i] - middle[i]) / spread[i] for i in (0, 1)] for one in x]
    mean = sum(w * one for w, one in zip(weight, y, strict=True)) / total
    a, b, d = (
        sum(w * one[i] * one[j] for w, one in zip(weight, z, strict=True)) + PENALTY * (i == j)
        for i, j in ((0, 0), (0, 1), (1, 1))
    )
    p, q = (
        sum(w * one[i] * (v - mean) for w, one, v in zip(weight, z, y, strict=True)) for i in (0, 1)
    )
    slopes = [(d * p - b * q) / (a * d - b * b), (a * q - b * p) / (a * d - b * b)]
    new = [(inputs(asked)[i] - middle[i]) / spread[i] for i in (0, 1)]
    expected = _share(mean + slopes[0] * new[0] + slopes[1] * new[1])
    assert model.predict(asked).value == pytest.approx(expected)


def test_a_language_is_never_predicted_from_itself():
    """Its rows may say what they like: what is predicted for it stays the same."""
    rows = _rows(noise=0.1)
    other = [replace(row, uas=0.01) if row.language == "l0" else row for row in rows]
    one, two = AccuracyModel(rows, "graph"), AccuracyModel(other, "graph")
    left_out = one.languages == "l0"
    assert one.held_out[left_out] == pytest.approx(two.held_out[left_out])
    assert one.held_out[~left_out] != pytest.approx(two.held_out[~left_out])


def test_every_language_counts_the_same():
    """Rows of one language three times over change neither predictions nor judgements."""
    rows = _rows(noise=0.3)
    one = AccuracyModel(rows, "graph")
    two = AccuracyModel(rows + 2 * [row for row in rows if row.language == "l0"], "graph")
    asked = rows[3].text
    assert vars(one.predict(asked)) == pytest.approx(vars(two.predict(asked)))
    for ours, other in zip(one.judgements(), two.judgements(), strict=True):
        assert ours.mean_error == pytest.approx(other.mean_error)
        assert ours.coverage == pytest.approx(other.coverage)


def test_an_interval_reaches_as_far_as_nine_of_ten_languages():
    """Nine languages with errors of 0.1 to 0.9: a tenth is beyond 0.9 once in ten times."""
    rows = [row for row in _rows(languages=9) if row.text.words == 5000]
    model = AccuracyModel(rows, "graph")
    errors = np.arange(1, 10) / 10
    model.__dict__["held_out"] = np.array([_logit(row.uas) for row in rows]) - errors
    found = model.predict(rows[0].text)
    assert _logit(found.high) - _logit(found.value) == pytest.approx(0.9)
    assert _logit(found.value) - _logit(found.low) == pytest.approx(0.9)


def test_intervals_contain_nine_of_ten_new_languages():
    inside = []
    for seed in range(40):
        rows = _rows(noise=0.3, seed=seed, languages=40)
        known = [row for row in rows if int(row.language[1:]) < 30]
        model = AccuracyModel(known, "graph")
        for row in rows[len(known) :]:
            found = model.predict(row.text)
            inside.append(found.low <= row.uas <= found.high)
    assert 0.88 < np.mean(inside) < 0.95
    assert 0.8 < AccuracyModel(_rows(noise=0.3), "graph").judgements()[0].coverage <= 1


def test_a_treebank_is_described_by_its_size_and_its_pilots():
    treebank = tg.toy_treebank("toy:svo", tokens=1000)
    found = describe_training_text(treebank)
    assert found.words == treebank.n_words
    assert found.pilot_words == pytest.approx(500, rel=0.05)
    assert 0 < found.pilot_las < found.pilot_uas < 1
    assert describe_training_text(treebank, 9000) == replace(found, words=9000)
    with pytest.raises(EvaluationError, match="its trees have 0 words"):
        describe_training_text(tg.blind(treebank))


def test_more_words_are_expected_to_give_more():
    treebank = tg.toy_treebank("toy:svo", tokens=1000)
    models = models_of()
    forecasts = [predict_accuracy(treebank, models, words=n) for n in (6000, 60_000)]
    for small, large in zip(*(one.predictions for one in forecasts), strict=True):
        assert small.low < small.value < small.high
        assert small.value < large.value
    notes = [" ".join(one.tables()[0].notes) for one in forecasts]
    assert "measured on training data of" not in notes[0]
    assert "trained on 60,000 words" in notes[1]
    few = predict_accuracy(treebank, models, words=1000)
    assert "measured on training data of" in " ".join(few.tables()[0].notes)


def test_the_accuracies_that_we_ship_predict_better_than_size():
    """What the README says."""
    for model in models_of():
        ours, size, mean = model.judgements()
        assert ours.mean_error < 0.75 * min(size.mean_error, mean.mean_error)
        assert 0.85 <= ours.coverage <= 0.95


def test_rows_go_to_a_file_and_back(tmp_path):
    write_rows(_rows(), tmp_path / "rows.tsv")
    for one, other in zip(_rows(), read_rows(tmp_path / "rows.tsv"), strict=True):
        assert (one.treebank, one.order) == (other.treebank, other.order)
        assert vars(other.text) == pytest.approx(vars(one.text), abs=1e-5)
        assert other.uas == pytest.approx(one.uas, abs=1e-5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\n1\t2\n", "no table of accuracies"),
        ("\t".join(["treebank", "language", "order", "parser", "uas", "las", *FEATURES])
         + "\n" + "\t".join(["t", "l", "original", "graph", "much", "0.5", *["1"] * 4]) + "\n",
         "line 2: expected numbers"),
    ],
)  # fmt: skip
def test_what_is_no_table_is_refused(tmp_path, text, message):
    (tmp_path / "rows.tsv").write_text(text)
    with pytest.raises(EvaluationError, match=message):
        read_rows(tmp_path / "rows.tsv")
    with pytest.raises(EvaluationError, match="cannot be read"):
        read_rows(tmp_path / "missing.tsv")


def test_a_few_languages_are_too_few():
    with pytest.raises(EvaluationError, match="2 languages are too few"):
        AccuracyModel(_rows()[:4], "graph")
    with pytest.raises(EvaluationError, match=r"there are no accuracies of .*\n  there are "):
        AccuracyModel(_rows(), "udpipe")
