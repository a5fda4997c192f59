from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import treegauge as tg
from treegauge.dictionaries import (
    ESTIMATORS,
    Calibrator,
    DictionaryError,
    Record,
    TagDictionary,
    Text,
    evaluate_taggers,
    from_treebank,
    tagged_texts,
    validate,
    verdict,
)
from treegauge.dictionaries.calibration import ErrorModel, Raw, Ridge, conformal_half_width
from treegauge.dictionaries.corruption import corrupted_treebank
from treegauge.dictionaries.published import PRINTED_MEANS, published_table
from treegauge.dictionaries.quality import harmonic_mean

ACCURACIES = (0.55, 0.7, 0.85, 0.95)


def text_of(language: int, gold: tg.Treebank) -> Text:
    """A dictionary of its own for each language: words missing, tags missing, tags too many."""
    random = np.random.default_rng(language)
    entries = {}
    for form, tags in from_treebank(gold).items():
        kept = [t for t in tags if random.random() > 0.05 + 0.01 * language] or ["X"]
        kept += ["NOUN"] if random.random() < 0.1 else []
        if random.random() < 0.6:
            entries[form] = kept
    return Text(gold, TagDictionary.from_mapping(entries, name=f"dictionary {language}"))


@pytest.fixture(scope="module")
def languages() -> list[tuple[Text, list[tg.Treebank], list[Record]]]:
    whole = tg.toy_treebank("toy:svo", tokens=4600, seed=1)
    made = []
    for language in range(11):
        gold = whole[33 * language : 33 * language + 33].replace(name=f"l{language}_t")
        text = text_of(language, gold)
        outputs = [
            corrupted_treebank(gold, a, seed=17 * language + i).replace(name=f"at {a}")
            for i, a in enumerate(ACCURACIES)
        ]
        tagged = tagged_texts(text, outputs)
        records = evaluate_taggers(text, tagged, gold=gold, resamples=0)
        made.append((text, tagged, records))
    return made


@pytest.fixture(scope="module")
def pool(languages) -> list[Record]:
    return [record for _, _, records in languages[:10] for record in records]


def test_languages_come_from_the_names_of_treebanks(pool):
    assert sorted({record.conditions.language for record in pool}) == [f"l{i}" for i in range(10)]


def test_the_error_model_undoes_what_it_models(pool):
    record = pool[0]
    r, s, a, coverage, drop = 0.9, 0.05, 0.8, 0.75, 0.2
    gold = replace(record.gold, ceiling=r, wrong_accepted=s, on_covered=a, on_others=a - drop)
    soft = replace(record.soft, value=a * r + (1 - a) * s, coverage=coverage)
    modelled = replace(record, soft=soft, gold=gold)
    model = ErrorModel().fit([modelled])
    assert (model.ceiling, model.wrong_accepted) == (r, s)
    expected = coverage * a + (1 - coverage) * (a - drop)
    assert model.estimate(modelled) == pytest.approx(expected, abs=1e-12)
    # Nothing is below 0 or above 1.
    extreme = replace(record, soft=replace(soft, value=1.0))
    assert model.estimate(extreme) == pytest.approx(0.75 + 0.25 * 0.8)


def test_ridge_is_least_squares_with_a_penalty(pool):
    model = Ridge(["logit A_soft", "coverage"]).fit(pool)
    table = model._table(pool)
    x = (table - model.model.mean) / model.model.spread
    truths = np.array([record.gold.accuracy for record in pool])
    y = np.log(truths / (1 - truths))
    # Rows of penalty under the table make ridge an ordinary least-squares problem.
    weights = np.sqrt(1 / len(ACCURACIES))
    rows = np.vstack([x * weights, np.sqrt(model.penalty) * np.eye(2)])
    target = np.concatenate([(y - y.mean()) * weights, np.zeros(2)])
    expected, *_ = np.linalg.lstsq(rows, target, rcond=None)
    assert model.model.weights == pytest.approx(expected)
    assert model.model.intercept == pytest.approx(y.mean())


def test_calibration_beats_what_is_raw_and_what_is_constant(pool):
    found = {name: validate(pool, estimator=name) for name in ESTIMATORS}
    assert found["ridge"].mae < found["raw"].mae
    assert found["ridge"].mae < found["constant"].mae
    assert found["error"].mae < found["constant"].mae
    assert abs(found["ridge"].bias) < 0.05
    assert found["ridge"].precision_at_1 > 0.9
    assert found["ridge"].rmse >= found["ridge"].mae
    # Nine languages of ten are just enough for intervals of 90%: the largest error of them.
    assert found["ridge"].interval_coverage >= 0.8


def test_left_out_errors_come_from_other_languages(pool):
    calibrator = Calibrator(pool, estimator="constant")
    for language, residuals in calibrator.residuals.items():
        rest = [r.gold.accuracy for r in pool if r.conditions.language != language]
        own = [r.gold.accuracy for r in pool if r.conditions.language == language]
        assert residuals == pytest.approx(np.array(own) - np.mean(rest))


def test_conformal_widths():
    errors = [np.array([0.01 * i, -0.01 * i]) for i in range(1, 20)]
    # 20 languages with the new one: 18 of them are 90%.
    assert conformal_half_width(errors, 0.9) == pytest.approx(0.18)
    assert conformal_half_width(errors[:5], 0.9) == float("inf")
    assert conformal_half_width([], 0.9) == float("inf")


def test_conformal_intervals_cover_as_often_as_they_say():
    random = np.random.default_rng(0)
    covered = 0
    for _ in range(400):
        drawn = [random.normal(random.normal(), 1, size=3) for _ in range(20)]
        covered += abs(drawn[-1][0]) <= conformal_half_width(drawn[:-1], 0.9)
    # 400 trials at 0.9 and a little more: four standard errors below.
    assert covered / 400 > 0.9 - 4 * np.sqrt(0.09 / 400)
    assert covered / 400 < 0.99


def test_verdicts(languages, pool):
    text, tagged, records = languages[10]
    calibrator = Calibrator(pool)
    found = verdict(text, tagged, records, calibrator, resamples=300)
    assert found.best == "at 0.95"
    assert sum(found.probability.values()) == pytest.approx(1)
    assert str(found).startswith("at 0.95 is best with probability 0.")
    assert "expected accuracy" in str(found)
    estimate = found.estimates["at 0.95"]
    assert estimate.low <= 0.95 <= estimate.high
    assert estimate.high - estimate.low < 0.5
    bare = verdict(text, tagged, resamples=300)
    assert "as far as the dictionary can tell" in str(bare)
    assert bare.probability["at 0.95"] >= found.probability["at 0.95"]
    few = Calibrator([record for _, _, records in languages[:3] for record in records])
    said = str(verdict(text, tagged, records, few, resamples=50))
    assert "from too few languages for an interval" in said


def test_what_cannot_be_calibrated(languages, pool):
    text, tagged, records = languages[10]
    with pytest.raises(DictionaryError, match="at least two languages; found 1"):
        Calibrator(records)
    with pytest.raises(DictionaryError, match="l0 is among the languages"):
        Calibrator(pool).estimate(pool[0])
    with pytest.raises(DictionaryError, match="unknown estimator 'oracle'; there are raw"):
        Calibrator(pool, estimator="oracle")
    with pytest.raises(DictionaryError, match="has no gold"):
        Calibrator([replace(record, gold=None) for record in pool])
    with pytest.raises(DictionaryError, match="needs the record of every tagger"):
        verdict(text, tagged, None, Calibrator(pool, estimator="raw"))
    with pytest.raises(DictionaryError, match="unknown feature 'F1'"):
        Ridge(["F1"])
    empty = replace(records[0], soft=replace(records[0].soft, value=None))
    with pytest.raises(DictionaryError, match="has no soft accuracy"):
        Raw().estimate(empty)


# ---------------------------------------------------------------------- the published table

ROWS = published_table()
TRANSLATED = [row for row in ROWS if row.a_trans is not None]


def mean(name: str) -> float:
    values = [getattr(row, name) for row in ROWS]
    return float(np.mean([value for value in values if value is not None]))


def test_the_table_is_complete():
    assert len(ROWS) == 25
    assert len(TRANSLATED) == 20
    assert [r.code for r in ROWS if r.dev] == ["da", "de", "el", "en", "es", "it", "nl", "pt", "sv"]


@pytest.mark.parametrize(
    "name",
    ["precision", "precision_trans", "recall_trans", "a_true", "p1_soft", "p1_trans"],
)
def test_printed_means_are_those_of_the_rows(name):
    # Half a unit of the last printed digit.
    assert mean(name) == pytest.approx(PRINTED_MEANS[name], abs=0.005001)


@pytest.mark.parametrize(
    ("name", "recomputed"),
    [("recall", 18.39), ("a_soft", 83.58), ("a_trans", 84.68), ("tau_trans", 0.32)],
)
def test_printed_means_that_are_not(name, recomputed):
    assert round(mean(name), 2) == recomputed
    assert round(mean(name), 2) != PRINTED_MEANS[name]


def test_tau_and_counts():
    assert round(mean("tau_soft"), 3) == 0.424
    assert sum(row.p1_soft for row in ROWS) == 14
    assert sum(row.p1_trans for row in TRANSLATED) == 11


def test_deviations_of_the_mean_row():
    for name, recomputed in (("a_true", 0.89), ("a_soft", 5.74), ("a_trans", 2.82)):
        values = np.array([getattr(r, name) for r in ROWS if getattr(r, name) is not None])
        width = 1.96 * values.std(ddof=1) / np.sqrt(len(values))
        assert round(width, 2) == recomputed
        assert width == pytest.approx(PRINTED_MEANS[f"{name}_ci"], abs=0.1)


def correlation(rows) -> float:
    f1 = [harmonic_mean(row.precision, row.recall) for row in rows]
    error = [abs(row.a_true - row.a_soft) for row in rows]
    return float(np.corrcoef(f1, error)[0, 1])


def test_quality_and_error_are_correlated_as_published():
    assert correlation([row for row in ROWS if row.dev]) == pytest.approx(-0.578, abs=0.0005)
    assert correlation(ROWS) == pytest.approx(-0.42, abs=0.005)


def test_translation_is_closer_for_seven_languages():
    closer = [
        row.code
        for row in TRANSLATED
        if abs(row.a_true - row.a_trans) < abs(row.a_true - row.a_soft)
    ]
    assert closer == ["bg", "fa", "fi", "fr", "hr", "no", "ro"]


def test_f1_of_translations_is_that_of_averages():
    assert round(harmonic_mean(58.09, 11.01), 2) == 18.51
    per_language = [harmonic_mean(r.precision_trans, r.recall_trans) for r in TRANSLATED]
    assert round(float(np.mean(per_language)), 2) == 17.87


def test_errors_of_the_table():
    errors = [abs(row.a_true - row.a_soft) for row in ROWS]
    assert sum(error <= 5 for error in errors) == 9
    assert round(float(np.mean(errors)), 1) == 11.7
    translated = [abs(row.a_true - row.a_trans) for row in TRANSLATED]
    assert round(float(np.mean(translated)), 1) == 11.1


def test_for_supervised_taggers_alone_the_constant_wins():
    true = np.array([row.a_true for row in ROWS])
    soft = np.array([row.a_soft for row in ROWS])
    constant, line = [], []
    for i in range(len(ROWS)):
        rest = np.arange(len(ROWS)) != i
        constant.append(abs(true[rest].mean() - true[i]))
        slope, start = np.polyfit(soft[rest], true[rest], 1)
        line.append(abs(slope * soft[i] + start - true[i]))
    assert (round(np.mean(constant), 2), round(np.mean(line), 2)) == (1.83, 1.97)


def test_the_irish_slip():
    irish, greek = (next(r for r in ROWS if r.code == code) for code in ("ga", "grc"))
    assert (irish.a_soft, irish.a_soft_ci) == (greek.a_true, greek.a_true_ci)
    restored = PRINTED_MEANS["a_soft"] * 25 - sum(r.a_soft for r in ROWS if r.code != "ga")
    assert restored == pytest.approx(84.31, abs=0.13)  # 25 times half a unit of the last digit
