"""What dictionaries say about taggers: the paper's own table, and numbers made by hand."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from treegauge.dictionaries import CorruptionCurve, GoldBlock, HeldOutPoint, Quality, Record
from treegauge.dictionaries.corruption import CorruptionPoint
from treegauge.dictionaries.published import published_table
from treegauge.dictionaries.quality import harmonic_mean
from treegauge.dictionaries.records import Conditions
from treegauge.dictionaries.soft_accuracy import SoftAccuracy
from treegauge.papers.tagger_evaluation.experiment import (
    ANY_TAG,
    AS_TAGGERS,
    CROSS_LINGUAL,
    GOLD,
    SUPERVISED,
    TRANS,
    D,
    TaggedTreebank,
    TaggerEvaluation,
    TaggerEvaluationSettings,
)
from treegauge.papers.tagger_evaluation.statistics import (
    MIXED,
    calibrations,
    closer_translated,
    corruption_correlations,
    directions,
    document,
    error_correlations,
    group_rankings,
    held_out_sizes,
    left_out_estimates,
    mean_of,
    published_row,
    table_rows,
    translated_qualities,
)
from treegauge.papers.tagger_evaluation.tables import score_table, tagger_evaluation_tables

QUICK = TaggerEvaluationSettings(resamples=20, trials=200)


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


def treebank(
    name: str, scores: dict[tuple[str, str], dict[str, tuple[float, float | None]]], **known: Any
) -> TaggedTreebank:
    """Make a treebank from scores by group and dictionary, then tagger: A_true and A_soft."""
    nothing = CorruptionCurve((), None, None, None, None)
    made = TaggedTreebank(
        name=name,
        iso=name,
        release="",
        train_sentences=10,
        train_tokens=100,
        test_sentences=5,
        test_tokens=50,
        dictionary="words",
        english=None,
        translation=None,
        quality={},
        records={
            place: tuple(record(tagger, name, *pair) for tagger, pair in of.items())
            for place, of in scores.items()
        },
        best_taggers=(),
        curves={D: (), GOLD: ()},
        corruption={ANY_TAG: nothing, AS_TAGGERS: nothing},
        held_out=(),
    )
    return replace(made, **known)


def evaluation(*treebanks: TaggedTreebank) -> TaggerEvaluation:
    return TaggerEvaluation(QUICK, treebanks)


@pytest.fixture(scope="module")
def of_the_paper() -> TaggerEvaluation:
    """The paper's Table 1 as if it were ours, its means as the scores of one tagger."""
    treebanks = []
    for row in published_table():
        scores = {(SUPERVISED, D): {"mean": (row.a_true / 100, row.a_soft / 100)}}
        qualities = {D: _quality(row.precision, row.recall)}
        if row.a_trans is not None:
            scores[SUPERVISED, TRANS] = {"mean": (row.a_true / 100, row.a_trans / 100)}
            qualities[TRANS] = _quality(row.precision_trans, row.recall_trans)
        treebanks.append(treebank(row.code, scores, quality=qualities))
    return evaluation(*treebanks)


def _quality(precision: float, recall: float) -> Quality:
    p, r = precision / 100, recall / 100
    return _filled(Quality, precision=p, recall=r, f1=harmonic_mean(p, r))


def test_the_papers_correlation_comes_out_of_its_table(of_the_paper):
    found = {
        (one.treebanks, one.dictionary, one.variable): one.correlation
        for one in error_correlations(of_the_paper)
    }
    development = found["development languages", D, "F1"]
    assert (development.n, round(development.pearson, 3)) == (9, -0.578)
    everything = found["all", D, "F1"]
    assert (everything.n, round(everything.pearson, 2)) == (25, -0.42)
    assert found["all", TRANS, "F1"].n == 20


def test_the_papers_seven_languages_come_out_of_its_table(of_the_paper):
    assert closer_translated(of_the_paper) == (["bg", "fa", "fi", "fr", "hr", "no", "ro"], 20)


def test_the_papers_f1_of_translations_is_that_of_mean_precision_and_recall(of_the_paper):
    (translated,) = translated_qualities(of_the_paper)
    assert translated.treebanks == 20
    assert 100 * translated.f1_of_means == pytest.approx(18.51, abs=0.005)
    assert 100 * translated.mean_f1 == pytest.approx(17.87, abs=0.005)


def test_the_papers_dictionaries_underestimate_all_languages_but_dutch(of_the_paper):
    own, translated = directions(of_the_paper)
    assert (own.dictionary, own.treebanks, own.under, own.over) == (D, 25, 24, 1)
    assert (translated.treebanks, translated.under) == (20, 20)


def test_rows_of_the_paper_are_found_by_language():
    assert published_row("da").a_true == 96.07
    assert published_row("zz") is None


def test_means_have_the_papers_intervals():
    true = [row.a_true for row in published_table()]
    mean, spread = mean_of(true)
    assert (round(mean, 2), round(spread, 2)) == (95.25, 0.89)
    assert mean_of([3.0]) == (3.0, None)


# ---------------------------------------------------------------------- by hand

ONE = treebank(
    "one",
    {
        (SUPERVISED, D): {"a": (0.9, 0.8), "b": (0.8, 0.7), "c": (0.7, 0.6)},
        (SUPERVISED, TRANS): {"a": (0.9, 0.5), "b": (0.8, 0.6), "c": (0.7, 0.55)},
        (SUPERVISED, GOLD): {"a": (0.9, 1.0), "b": (0.8, 1.0), "c": (0.7, 1.0)},
    },
    best_taggers=("a", "b"),
)
TWO = treebank(
    "two",
    {
        (SUPERVISED, D): {"a": (0.6, 0.9), "b": (0.8, 0.9), "c": (0.7, 0.6)},
        (SUPERVISED, TRANS): {"a": (0.6, None), "b": (0.8, None), "c": (0.7, None)},
        (CROSS_LINGUAL, D): {"x": (0.4, 0.5), "y": (0.5, 0.4)},
    },
    best_taggers=("b",),
)


def test_rows_are_means_over_taggers():
    first, second = table_rows(evaluation(ONE, TWO))
    assert first.a_true == pytest.approx(0.8)
    assert first.a_true_ci == pytest.approx(1.96 * 0.1 / np.sqrt(3))
    assert first.by[D].difference == pytest.approx(-0.1)
    assert (first.by[D].precision_at_1, first.by[D].tau) == (1.0, 1.0)
    assert first.by[GOLD].difference == pytest.approx(0.2)
    assert first.by[GOLD].tau is None
    # No word of the second is in the translated dictionary.
    assert TRANS not in second.by


def test_rankings_by_group():
    found = {(one.group, one.dictionary): one for one in group_rankings(evaluation(ONE, TWO))}
    assert set(found) == {(SUPERVISED, D), (SUPERVISED, TRANS), (CROSS_LINGUAL, D)}
    own = found[SUPERVISED, D]
    # The best of two is tied with the worst.
    assert (own.treebanks, own.found, own.found_in_best_group) == (2, 1.5, 1.5)
    assert own.regret == pytest.approx((0 + 0.1) / 2)
    second_tau = stats.kendalltau([0.6, 0.8, 0.7], [0.9, 0.9, 0.6]).statistic
    assert own.tau == pytest.approx((1 + second_tau) / 2)
    translated = found[SUPERVISED, TRANS]
    assert (translated.treebanks, translated.found, translated.found_in_best_group) == (1, 0, 1)
    assert (found[CROSS_LINGUAL, D].found, found[CROSS_LINGUAL, D].tau) == (0, -1)


def test_a_group_without_any_order_has_no_tau():
    tied = treebank("tied", {(SUPERVISED, D): {"a": (0.9, 0.5), "b": (0.8, 0.5)}})
    (found,) = group_rankings(evaluation(tied))
    assert (found.found, found.tau, found.p) == (0.5, None, None)


def test_sentences_that_are_needed():
    points = tuple(
        HeldOutPoint(size, precision, tau)
        for size, precision, tau in ((5, 0.4, 0.2), (10, 0.6, 0.7), (15, 0.8, 1.0))
    )
    wrong = {"a": (0.9, 0.7), "b": (0.8, 0.8), "c": (0.7, 0.6)}
    banks = [
        replace(ONE, held_out=points),
        treebank("two", {(SUPERVISED, D): wrong}, held_out=points[:1]),
    ]
    by_precision, by_tau = (
        one for one in held_out_sizes(evaluation(*banks)) if one.dictionary == D
    )
    # Found in one of two: a P@1 of 0.5 is to be reached in both.
    assert by_precision.sentences == {"one": 10, "two": None}
    assert (by_precision.mean, by_precision.deviation) == (10, None)
    # Tau is 1 in the first, 1/3 in the second, whose only point has 0.2.
    assert by_tau.sentences == {"one": 15, "two": None}


def test_corruption_over_all_treebanks():
    def curve(errors):
        points = tuple(
            CorruptionPoint(a, a, 0.0, 0.0, e, None)
            for a, e in zip((0.1, 0.5), errors, strict=True)
        )
        return CorruptionCurve(points, None, None, None, 1.0)

    both = {ANY_TAG: curve((0.1, 0.2)), AS_TAGGERS: curve((None, 0.1))}
    banks = [replace(ONE, corruption=both), replace(TWO, corruption=both)]
    uniform, confused = corruption_correlations(evaluation(*banks))
    assert (uniform.treebanks, uniform.pooled.n, uniform.mean) == (2, 4, 1.0)
    assert uniform.pooled.pearson == pytest.approx(1)
    assert confused.pooled.n == 2


# ---------------------------------------------------------------------- calibration


def calibrated(found: TaggerEvaluation) -> dict[tuple[str, str, str], Any]:
    return {
        (one.learnt_from, one.tested_on, one.estimator): one
        for one in calibrations(found)
        if one.dictionary == D
    }


def test_errors_against_those_of_the_mean():
    true = {"x": 0.9, "y": 0.8, "z": 0.7}
    found = calibrated(
        evaluation(
            *(
                treebank(name, {(SUPERVISED, D): {"a": (value, value - 0.05)}})
                for name, value in true.items()
            )
        )
    )
    raw = found[SUPERVISED, SUPERVISED, "raw"]
    assert (raw.mae, raw.bias) == (pytest.approx(0.05), pytest.approx(-0.05))
    # The others' means are 0.75, 0.8 and 0.85.
    assert raw.mae_of_mean == pytest.approx(0.1)
    assert raw.languages == 3
    # Too few languages for an interval.
    assert raw.interval_coverage is None
    assert "constant" not in {estimator for _, _, estimator in found}


def test_corrupted_gold_is_learnt_from_but_not_the_worst_nor_gold_itself():
    levels = {f"at {a}": (a, a) for a in (0.1, 0.5, 1.0)}
    banks = [
        treebank(name, {(SUPERVISED, D): {"a": (0.9, 0.9)}, (AS_TAGGERS, D): levels})
        for name in ("x", "y")
    ]
    mixed = calibrated(evaluation(*banks))[MIXED, MIXED, "raw"]
    # Of 0.9 and 0.5 in both languages, the mean is 0.7.
    assert mixed.mae_of_mean == pytest.approx(0.2)


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
    assert calibrations(evaluation(ONE)) == []


def test_tables_and_json_of_what_is_there():
    found = evaluation(ONE, TWO)
    tables = {table.title: table for table in tagger_evaluation_tables(found)}
    (rankings,) = (table for title, table in tables.items() if title == "Which tagger is best?")
    assert f"{ANY_TAG}: there are none here" in rankings.notes
    made = json.loads(json.dumps(document(found)))
    assert [one["treebank"] for one in made["table"]] == ["one", "two"]
    assert made["rankings"][0]["found"] == 1.5


def test_published_rows_stand_below_ours(of_the_paper):
    table = score_table(of_the_paper)
    names = [str(row[0]) for row in table.rows]
    assert names[4:6] == ["da", "  Danish (published)"]
    ours, theirs = table.rows[4], table.rows[5]
    assert str(theirs[7]).startswith(str(ours[7]))
    assert names[-1] == "  mean (published)"
    # Farsi: the translated dictionary is nearer.
    assert (names.index("fa"), 11) in table.bold
    assert (names.index("da"), 8) in table.bold
