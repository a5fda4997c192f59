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
)
from treegauge.dictionaries.calibration import ErrorModel, Raw, Ridge, conformal_half_width
from treegauge.dictionaries.corruption import corrupted_treebank
from treegauge.dictionaries.verdict import verdict

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
