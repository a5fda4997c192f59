"""Predicting accuracy from properties of a treebank."""

from __future__ import annotations

import numpy as np
import pytest

import treegauge as tg
from treegauge.evaluation.accuracy_prediction import (
    FEATURES,
    AccuracyModel,
    AccuracyRow,
    features_of,
    read_rows,
    write_rows,
)
from treegauge.evaluation.errors import EvaluationError


def _rows(noise=0.0, seed=0):
    random = np.random.default_rng(seed)
    rows = []
    for language in range(12):
        for order in ("original", "right"):
            features = random.normal(size=len(FEATURES))
            logit = 1.5 + 0.6 * features[0] - 0.8 * features[3] + noise * random.normal()
            share = 1 / (1 + np.exp(-logit))
            values = (*features[:-1].tolist(), None)
            rows.append(
                AccuracyRow(
                    f"t{language}", f"l{language}", order, "graph", share, share / 2, values
                )
            )
    return rows


def test_what_was_put_in_is_found_and_beats_the_baselines():
    model = AccuracyModel(_rows(noise=0.05), "graph")
    ours, size, mean = model.judgements()
    assert "derivation_perplexity" not in model.features
    assert ours.mean_error < 0.03 < min(size.mean_error, mean.mean_error)
    assert ours.spearman > 0.9
    assert model.weights["log10_words"] > 0 > model.weights["arc_direction_entropy"]


def test_noise_does_not_beat_the_mean():
    random = np.random.default_rng(3)
    rows = [
        AccuracyRow(
            *(f"t{i}", f"l{i}", "original", "graph", float(random.uniform(0.6, 0.9)), 0.5),
            tuple(random.normal(size=len(FEATURES)).tolist()),
        )
        for i in range(15)
    ]
    ours, _, mean = AccuracyModel(rows, "graph").judgements()
    assert ours.mean_error > 0.9 * mean.mean_error
    assert mean.r_squared < 0


def test_a_language_is_never_predicted_from_itself():
    """Its rows may say what they like: what is predicted for it stays the same."""
    rows = _rows()
    other = [
        AccuracyRow(*(row.treebank, row.language, row.order, row.parser, 0.01, 0.01), row.features)
        if row.language == "l0"
        else row
        for row in rows
    ]
    one, two = AccuracyModel(rows, "graph"), AccuracyModel(other, "graph")
    left_out = one.languages == "l0"
    assert one.held_out[left_out] == pytest.approx(two.held_out[left_out])
    assert one.held_out[~left_out] != pytest.approx(two.held_out[~left_out])


def test_predictions_have_intervals():
    rows = _rows(noise=0.3)
    found = AccuracyModel(rows, "graph").predict(rows[0].features)
    assert 0 <= found.low < found.value < found.high <= 1


def test_features_of_a_treebank():
    treebank = tg.toy_treebank("toy:svo", tokens=1000)
    found = dict(zip(FEATURES, features_of(treebank), strict=True))
    assert found["log10_words"] == pytest.approx(np.log10(treebank.n_words))
    assert found["mean_length"] == treebank.n_words / treebank.n_sentences
    assert 100 < found["derivation_perplexity"] < 2000
    with pytest.raises(EvaluationError, match="no sentence has a tree"):
        features_of(tg.blind(treebank))


def test_rows_go_to_a_file_and_back(tmp_path):
    write_rows(_rows(), tmp_path / "rows.tsv")
    for one, other in zip(_rows(), read_rows(tmp_path / "rows.tsv"), strict=True):
        assert (one.treebank, one.order, one.features[-1]) == (
            *(other.treebank, other.order),
            other.features[-1],
        )
        assert other.uas == pytest.approx(one.uas, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\n1\t2\n", "no table of accuracies"),
        ("\t".join(["treebank", "language", "order", "parser", "uas", "las", *FEATURES])
         + "\n" + "\t".join(["t", "l", "original", "graph", "much", "0.5", *["1"] * 8]) + "\n",
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
