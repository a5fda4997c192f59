"""What dictionaries say about taggers: the paper's own table, and numbers made by hand."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

from treegauge.dictionaries import GoldBlock, Record
from treegauge.dictionaries.quality import harmonic_mean
from treegauge.dictionaries.records import Conditions
from treegauge.dictionaries.soft_accuracy import SoftAccuracy
from treegauge.papers.tagger_evaluation.calibration import (
    MIXED,
    calibration_frame,
    left_out_estimates,
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
from treegauge.papers.tagger_evaluation.measure import score_row
from treegauge.papers.tagger_evaluation.paper import TaggerEvaluation
from treegauge.papers.tagger_evaluation.settings import TaggerEvaluationSettings
from treegauge.papers.tagger_evaluation.statistics import (
    closer_translated,
    corruption_correlations,
    direction_frame,
    error_correlations,
    first_size_frame,
    held_out_frame,
    mean_of,
    ranking_frame,
    required_frame,
    table_frame,
    translation_frame,
)
from treegauge.papers.tagger_evaluation.tables import ranking_table, score_table

QUICK = TaggerEvaluationSettings(resamples=20, trials=200)
PAPER = TaggerEvaluation()

Scores = dict[tuple[str, str], dict[str, tuple[float, float | None]]]
"""By group and dictionary, then tagger: A_true and A_soft."""


def _filled(kind: type, **known: Any) -> Any:
    """Make a dataclass of which only a few fields matter."""
    return kind(**{**{field.name: None for field in fields(kind)}, **known})


HASHES = dict.fromkeys(("text_hash", "tag_map_hash", "dictionary_hash"), "0" * 16)


def record(tagger: str, language: str, true: float, soft: float | None, forms: int = 10) -> Record:
    return Record(
        tagger,
        _filled(Conditions, treebank=language, language=language, forms=forms, **HASHES),
        _filled(SoftAccuracy, value=soft, coverage=0.5, costly=()),
        _filled(GoldBlock, accuracy=true, ceiling=0.9, wrong_accepted=0.1),
    )


def scores_frame(treebanks: dict[str, Scores], best: dict[str, tuple[str, ...]]) -> pl.DataFrame:
    """Make the frame of scores from scores by treebank, and the best taggers by gold."""
    rows = []
    for name, scores in treebanks.items():
        for (group, kind), of_group in scores.items():
            for tagger, pair in of_group.items():
                made = score_row(record(tagger, name, *pair), best.get(name, ()))
                about = {"treebank": name, "group": group, "dictionary": kind}
                rows.append({**about, **made})
    return pl.DataFrame(rows, infer_schema_length=None)


def qualities_frame(rows: dict[tuple[str, str], tuple[float, float]]) -> pl.DataFrame:
    names = ("treebank", "dictionary", "precision", "recall", "f1")
    made = [(*place, p / 100, r / 100, harmonic_mean(p, r) / 100) for place, (p, r) in rows.items()]
    return pl.DataFrame(made, schema=names, orient="row")


NO_QUALITIES = pl.DataFrame(schema={"treebank": str, "dictionary": str})


@pytest.fixture(scope="module")
def of_the_paper() -> dict[str, pl.DataFrame]:
    """The paper's Table 1 as if it were ours, its means as the scores of one tagger."""
    treebanks: dict[str, Scores] = {}
    qualities = {}
    for row in PAPER.published()["table"].to_dicts():
        scores = treebanks.setdefault(row["language"], {})
        scores[SUPERVISED, row["dictionary"]] = {"mean": (row["a_true"], row["score"])}
        place = (row["language"], row["dictionary"])
        qualities[place] = (100 * row["precision"], 100 * row["recall"])
    frames = {"qualities": qualities_frame(qualities), "scores": scores_frame(treebanks, {})}
    return {**frames, "table": table_frame(frames["scores"], frames["qualities"])}


def test_the_papers_correlation_comes_out_of_its_table(of_the_paper):
    published = PAPER.published()["table"]
    development = set(published.filter(pl.col("is_development"))["language"])
    found = {
        (row["sample"], row["dictionary"], row["variable"]): row
        for row in error_correlations(of_the_paper["table"], development, 20)
    }
    some = found[DEVELOPMENT, OWN, "F1"]
    assert (some["n"], round(some["pearson"], 3)) == (9, -0.578)
    everything = found[ALL, OWN, "F1"]
    assert (everything["n"], round(everything["pearson"], 2)) == (25, -0.42)
    assert found[ALL, TRANSLATED, "F1"]["n"] == 20


def test_the_papers_seven_languages_come_out_of_its_table(of_the_paper):
    closer = ["bg", "fa", "fi", "fr", "hr", "no", "ro"]
    assert closer_translated(of_the_paper["table"]) == (closer, 20)


def test_the_papers_f1_of_translations_is_that_of_mean_precision_and_recall(of_the_paper):
    (translated,) = translation_frame(of_the_paper["qualities"]).to_dicts()
    assert translated["treebanks"] == 20
    assert 100 * translated["f1_of_means"] == pytest.approx(18.51, abs=0.005)
    assert 100 * translated["mean_f1"] == pytest.approx(17.87, abs=0.005)


def test_the_papers_dictionaries_underestimate_all_languages_but_dutch(of_the_paper):
    own, translated = direction_frame(of_the_paper["table"]).rows()
    assert own[:4] == (OWN, 25, 24, 1)
    assert translated[1:3] == (20, 20)


def test_means_have_the_papers_intervals():
    true = PAPER.published()["table"].filter(dictionary=OWN)["a_true"]
    mean, spread = mean_of((100 * true).to_list())
    assert (round(mean, 2), round(spread, 2)) == (95.25, 0.89)
    assert mean_of([3.0]) == (3.0, None)


# ---------------------------------------------------------------------- by hand

ONE: Scores = {
    (SUPERVISED, OWN): {"a": (0.9, 0.8), "b": (0.8, 0.7), "c": (0.7, 0.6)},
    (SUPERVISED, TRANSLATED): {"a": (0.9, 0.5), "b": (0.8, 0.6), "c": (0.7, 0.55)},
    (SUPERVISED, TRAINING): {"a": (0.9, 1.0), "b": (0.8, 1.0), "c": (0.7, 1.0)},
}
TWO: Scores = {
    (SUPERVISED, OWN): {"a": (0.6, 0.9), "b": (0.8, 0.9), "c": (0.7, 0.6)},
    (SUPERVISED, TRANSLATED): {"a": (0.6, None), "b": (0.8, None), "c": (0.7, None)},
    (CROSS_LINGUAL, OWN): {"x": (0.4, 0.5), "y": (0.5, 0.4)},
}
BOTH = scores_frame({"one": ONE, "two": TWO}, {"one": ("a", "b"), "two": ("b",)})


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


# ---------------------------------------------------------------------- calibration


def calibrated(treebanks: dict[str, Scores]) -> dict[tuple[str, str, str], Any]:
    records: dict[tuple[str, str], list[Record]] = {}
    for name, scores in treebanks.items():
        for place, of_group in scores.items():
            made = [record(tagger, name, *pair) for tagger, pair in of_group.items()]
            records.setdefault(place, []).extend(made)
    rows = calibration_frame(records).filter(dictionary=OWN).to_dicts()
    return {(row["learnt_from"], row["tested_on"], row["estimator"]): row for row in rows}


def test_errors_against_those_of_the_mean():
    true = {"x": 0.9, "y": 0.8, "z": 0.7}
    found = calibrated(
        {name: {(SUPERVISED, OWN): {"a": (value, value - 0.05)}} for name, value in true.items()}
    )
    raw = found[SUPERVISED, SUPERVISED, "raw"]
    assert (raw["mae"], raw["bias"]) == (pytest.approx(0.05), pytest.approx(-0.05))
    # The others' means are 0.75, 0.8 and 0.85.
    assert raw["mae_of_mean"] == pytest.approx(0.1)
    assert raw["languages"] == 3
    # Too few languages for an interval.
    assert raw["interval_coverage"] is None
    assert "constant" not in {estimator for _, _, estimator in found}


def test_corrupted_gold_is_learnt_from_but_not_the_worst_nor_gold_itself():
    levels = {f"at {a}": (a, a) for a in (0.1, 0.5, 1.0)}
    scores: Scores = {(SUPERVISED, OWN): {"a": (0.9, 0.9)}, (AS_TAGGERS, OWN): levels}
    mixed = calibrated({"x": scores, "y": scores})[MIXED, MIXED, "raw"]
    # Of 0.9 and 0.5 in both languages, the mean is 0.7.
    assert mixed["mae_of_mean"] == pytest.approx(0.2)


@pytest.mark.parametrize("estimator", ["constant", "error", "ridge"])
def test_a_language_has_no_part_in_its_own_estimate(estimator):
    records = [
        record(tagger, language, true, true - 0.1)
        for language, best in (("x", 0.9), ("y", 0.8), ("z", 0.85), ("w", 0.7))
        for tagger, true in (("a", best), ("b", best - 0.2))
    ]
    before = left_out_estimates(records, estimator)
    changed = [
        replace(one, gold=replace(one.gold, accuracy=0.3, ceiling=0.4))
        if one.conditions.language == "x"
        else one
        for one in records
    ]
    after = left_out_estimates(changed, estimator)
    for one, other in zip(records, changed, strict=True):
        if one.conditions.language == "x":
            assert before[one] == after[other]
    # The medians of the error model do not move with one language.
    if estimator != "error":
        assert any(before[one] != after[one] for one in records if one in after)


def test_one_language_cannot_be_calibrated():
    assert calibrated({"one": ONE}) == {}


# ---------------------------------------------------------------------- tables


def test_groups_that_are_not_there_are_named():
    table = ranking_table(ranking_frame(BOTH, QUICK), PAPER.published())
    assert f"{ANY_TAG}: there are none here" in table.notes
    first = table.rows[0].cells
    assert (first[4].value, first[4].n) == (1.5, 2)
    assert (first[5].value, first[5].n) == (14, 25)


def test_published_rows_stand_below_ours(of_the_paper):
    table = score_table(of_the_paper["table"], PAPER.published())
    names = [row.cells[0].value for row in table.rows]
    assert names[4:6] == ["da", "  Danish (published)"]
    ours, theirs = table.rows[4].cells, table.rows[5].cells
    assert theirs[7].value == ours[7].value
    assert table.rows[5].published
    assert names[-1] == "  mean (published)"
    assert table.shown(table.rows[-1].cells[9], 9) == "14/25"
    # Farsi: the translated dictionary is nearer.
    assert table.rows[names.index("fa")].cells[11].best
    assert table.rows[names.index("da")].cells[8].best


# ---------------------------------------------------------------------- remarks


def test_remarks_can_fail():
    """What is the opposite of the paper's figures does not hold."""
    published = dict(PAPER.published())
    opposite = {
        **published,
        "correlations": published["correlations"].with_columns(-pl.col("pearson")),
        "rankings": published["rankings"].with_columns(
            hits=pl.when(group=SUPERVISED).then(pl.col("hits") / 2).otherwise(0.0)
        ),
        "held_out_sizes": published["held_out_sizes"].with_columns(pl.col("mean") * 10),
        "translations": published["translations"].with_columns(-pl.col("f1_of_means")),
        "directions": published["directions"].with_columns(under=0),
        "table": published["table"].with_columns(
            difference=pl.when(dictionary=OWN).then(0.0).otherwise(pl.int_range(pl.len()) * 0.01),
            a_true=-pl.col("a_true"),
            a_true_ci=-pl.col("a_true_ci"),
        ),
    }
    for remark in PAPER.remarks:
        ours = remark.check(opposite)
        assert ours is None or ours.verdict == "does not hold", remark.text


def test_small_dictionaries_in_remarks():
    about = {"treebank": "one", "dictionary": OWN, "tagger": "a", "size": 100, "coverage": 0.5}
    sizes = [
        {**about, "variant": "+freq", "value": 0.87},
        {**about, "variant": "-freq", "value": 0.8, "low": 0.5, "high": 0.95},
    ]
    by_text = {remark.text: remark for remark in PAPER.remarks}
    close = next(one for text, one in by_text.items() if text.startswith("A hundred frequent"))
    random = next(one for text, one in by_text.items() if text.startswith("Without frequencies"))
    frame = make_frame("sizes", sizes)
    frames = {"first_sizes": first_size_frame(frame, BOTH)}
    assert close.check(frames).evidence == "within 5 points in 1/1"
    assert random.check(frames).verdict == "holds"
    far_off = frame.with_columns(value=pl.lit(0.3), low=pl.lit(0.8))
    far = {"first_sizes": first_size_frame(far_off, BOTH)}
    assert close.check(far).verdict == random.check(far).verdict == "does not hold"
