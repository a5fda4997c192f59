"""What dictionaries say about taggers: the paper's own table, and numbers made by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

from tests.unit.papers.tagger_evaluation.made_scores import (
    BOTH,
    NO_QUALITIES,
    ONE,
    PAPER,
    QUICK,
    Scores,
    frames_of_the_paper,
    scores_frame,
)
from treegauge.papers.tagger_evaluation.frames import (
    ALL,
    ANY_TAG,
    AS_TAGGERS,
    CROSS_LINGUAL,
    DEVELOPMENT,
    OWN,
    SUPERVISED,
    TRAINING,
    TRANSLATED,
    make_frame,
)
from treegauge.papers.tagger_evaluation.statistics import (
    closer_translated,
    corruption_correlations,
    direction_frame,
    error_correlations,
    held_out_frame,
    mean_of,
    ranking_frame,
    required_frame,
    table_frame,
    tau_correlations,
    translation_frame,
)


def test_tau_goes_with_level_and_spread():
    table = PAPER.published()["table"]
    found = {(one["dictionary"], one["variable"]): one for one in tau_correlations(table, 20)}
    own = table.filter(dictionary=OWN)
    for variable, column in (("A_true", "a_true"), ("spread of A_true", "a_true_ci")):
        row = found[OWN, variable]
        assert row["n"] == 25
        assert row["pearson"] == pytest.approx(stats.pearsonr(own[column], own["tau"]).statistic)
    assert found[TRANSLATED, "A_true"]["n"] == 20


def test_the_papers_correlation_comes_out_of_its_table():
    published = PAPER.published()["table"]
    development = set(published.filter(pl.col("is_development"))["language"])
    found = {
        (row["sample"], row["dictionary"], row["variable"]): row
        for row in error_correlations(frames_of_the_paper()["table"], development, 20)
    }
    some = found[DEVELOPMENT, OWN, "F1"]
    assert (some["n"], round(some["pearson"], 3)) == (9, -0.578)
    everything = found[ALL, OWN, "F1"]
    assert (everything["n"], round(everything["pearson"], 2)) == (25, -0.42)
    assert found[ALL, TRANSLATED, "F1"]["n"] == 20


def test_the_papers_seven_languages_come_out_of_its_table():
    closer = ["bg", "fa", "fi", "fr", "hr", "no", "ro"]
    assert closer_translated(frames_of_the_paper()["table"]) == (closer, 20)


def test_the_papers_f1_of_translations_is_that_of_mean_precision_and_recall():
    (translated,) = translation_frame(frames_of_the_paper()["qualities"]).to_dicts()
    assert translated["treebanks"] == 20
    assert 100 * translated["f1_of_means"] == pytest.approx(18.51, abs=0.005)
    assert 100 * translated["mean_f1"] == pytest.approx(17.87, abs=0.005)


def test_the_papers_dictionaries_underestimate_all_languages_but_dutch():
    own, translated = direction_frame(frames_of_the_paper()["table"]).rows()
    assert own[:4] == (OWN, 25, 24, 1)
    assert translated[1:3] == (20, 20)


def test_means_have_the_papers_intervals():
    true = PAPER.published()["table"].filter(dictionary=OWN)["a_true"]
    mean, spread = mean_of((100 * true).to_list())
    assert (round(mean, 2), round(spread, 2)) == (95.25, 0.89)
    assert mean_of([3.0]) == (3.0, None)


# ---------------------------------------------------------------------- by hand


def test_rows_are_means_over_taggers():
    table = table_frame(BOTH, NO_QUALITIES)
    rows = {(row["treebank"], row["dictionary"]): row for row in table.to_dicts()}
    first = rows["one", OWN]
    assert first["a_true"] == pytest.approx(0.8)
    assert first["a_true_ci"] == pytest.approx(1.96 * 0.1 / np.sqrt(3))
    assert first["difference"] == pytest.approx(-0.1)
    assert (first["precision_at_1"], first["tau"]) == (1.0, 1.0)
    assert rows["one", TRAINING]["difference"] == pytest.approx(0.2)
    assert rows["one", TRAINING]["tau"] is None
    # No word of the second is in the translated dictionary.
    assert ("two", TRANSLATED) not in rows


def rankings(scores: pl.DataFrame) -> dict[tuple[str, str], dict[str, Any]]:
    rows = ranking_frame(scores, QUICK).to_dicts()
    return {(row["group"], row["dictionary"]): row for row in rows}


def test_rankings_by_group():
    found = rankings(BOTH)
    assert set(found) == {(SUPERVISED, OWN), (SUPERVISED, TRANSLATED), (CROSS_LINGUAL, OWN)}
    own = found[SUPERVISED, OWN]
    # The best of two is tied with the worst.
    assert (own["treebanks"], own["hits"], own["hits_in_group"]) == (2, 1.5, 1.5)
    assert own["regret"] == pytest.approx((0 + 0.1) / 2)
    second_tau = stats.kendalltau([0.6, 0.8, 0.7], [0.9, 0.9, 0.6]).statistic
    assert own["tau"] == pytest.approx((1 + second_tau) / 2)
    translated = found[SUPERVISED, TRANSLATED]
    assert (translated["treebanks"], translated["hits"], translated["hits_in_group"]) == (1, 0, 1)
    assert (found[CROSS_LINGUAL, OWN]["hits"], found[CROSS_LINGUAL, OWN]["tau"]) == (0, -1)


def test_a_group_without_any_order_has_no_tau():
    tied: Scores = {(SUPERVISED, OWN): {"a": (0.9, 0.5), "b": (0.8, 0.5)}}
    (found,) = rankings(scores_frame({"tied": tied}, {})).values()
    assert (found["hits"], found["tau"], found["p"]) == (0.5, None, None)


def test_sentences_that_are_needed():
    points = ((5, 0.4, 0.2), (10, 0.6, 0.7), (15, 0.8, 1.0))
    names = ("sentences", "precision_at_1", "tau")
    held_out = make_frame(
        "held_out",
        [
            {"treebank": treebank, **dict(zip(names, point, strict=True))}
            for treebank, known in (("one", points), ("two", points[:1]))
            for point in known
        ],
    )
    wrong: Scores = {(SUPERVISED, OWN): {"a": (0.9, 0.7), "b": (0.8, 0.8), "c": (0.7, 0.6)}}
    required = required_frame(scores_frame({"one": ONE, "two": wrong}, {}), held_out)
    found = {
        measure: required.filter(dictionary=OWN, measure=measure)["sentences"].to_list()
        for measure in ("P@1", "tau")
    }
    # Found in one of two: a P@1 of 0.5 is to be reached in both.
    assert found["P@1"] == [10, None]
    sizes = held_out_frame(required).filter(dictionary=OWN, measure="P@1").to_dicts()[0]
    assert (sizes["mean"], sizes["mean_deviation"], sizes["never"]) == (10, None, 1)
    # Tau is 1 in the first, 1/3 in the second, whose only point has 0.2.
    assert found["tau"] == [15, None]


def test_corruption_over_all_treebanks():
    errors = {ANY_TAG: (0.1, 0.2), AS_TAGGERS: (None, 0.1)}
    points = pl.DataFrame(
        [
            {"treebank": treebank, "group": group, "true": true, "error": error}
            for treebank in ("one", "two")
            for group, own in errors.items()
            for true, error in zip((0.1, 0.5), own, strict=True)
        ]
    )
    uniform, confused = corruption_correlations(points, 20)
    assert uniform["n"] == 4
    assert uniform["pearson"] == pytest.approx(1)
    assert confused["n"] == 2
