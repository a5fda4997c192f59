"""The paper's Table 1: what its rows say, and where the printed means say something else."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from treegauge.dictionaries.quality import harmonic_mean
from treegauge.papers.tagger_evaluation.frames import OWN, SUPERVISED, TRANSLATED
from treegauge.papers.tagger_evaluation.paper import TaggerEvaluation
from treegauge.papers.tagger_evaluation.statistics import closer_translated, mean_of

PUBLISHED = TaggerEvaluation().published()
ROWS = PUBLISHED["table"].filter(dictionary=OWN)
TRANSLATIONS = PUBLISHED["table"].filter(dictionary=TRANSLATED)
MEANS = {row["dictionary"]: row for row in PUBLISHED["means"].to_dicts()}


def values(kind: str, name: str) -> np.ndarray:
    """A column of the table, as printed."""
    rows = ROWS if kind == OWN else TRANSLATIONS
    return rows[name].to_numpy() * (1 if name in ("tau", "precision_at_1") else 100)


def printed(kind: str, name: str) -> float:
    return MEANS[kind][name] * (1 if name in ("tau", "precision_at_1") else 100)


def test_the_table_is_complete():
    assert len(ROWS) == 25
    assert len(TRANSLATIONS) == 20
    development = ROWS.filter(pl.col("is_development"))["language"].to_list()
    assert development == ["da", "de", "el", "en", "es", "it", "nl", "pt", "sv"]
    danish = ROWS.filter(language="da").to_dicts()[0]
    numbers = [100 * danish[key] for key in ("precision", "recall", "a_true", "score")]
    assert numbers == pytest.approx([83.89, 19.0, 96.07, 88.94])
    assert danish["forms"] == 23_000


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (OWN, "precision"),
        (TRANSLATED, "precision"),
        (TRANSLATED, "recall"),
        (OWN, "a_true"),
        (OWN, "precision_at_1"),
        (TRANSLATED, "precision_at_1"),
    ],
)
def test_printed_means_are_those_of_the_rows(kind, name):
    # Half a unit of the last printed digit.
    assert values(kind, name).mean() == pytest.approx(printed(kind, name), abs=0.005001)


@pytest.mark.parametrize(
    ("kind", "name", "recomputed"),
    [
        (OWN, "recall", 18.39),
        (OWN, "score", 83.58),
        (TRANSLATED, "score", 84.68),
        (TRANSLATED, "tau", 0.32),
    ],
)
def test_printed_means_that_are_not(kind, name, recomputed):
    assert round(values(kind, name).mean(), 2) == recomputed
    assert round(values(kind, name).mean(), 2) != round(printed(kind, name), 2)


def test_tau_and_counts():
    assert round(values(OWN, "tau").mean(), 3) == 0.424
    for kind, hits, n in ((OWN, 14, 25), (TRANSLATED, 11, 20)):
        assert values(kind, "precision_at_1").sum() == hits
        where = {"group": SUPERVISED, "dictionary": kind}
        row = PUBLISHED["rankings"].filter(**where).to_dicts()[0]
        assert (row["hits"], row["treebanks"]) == (hits, n)


@pytest.mark.parametrize(
    ("kind", "name", "recomputed"),
    [(OWN, "a_true", 0.89), (OWN, "score", 5.74), (TRANSLATED, "score", 2.82)],
)
def test_deviations_of_the_mean_row(kind, name, recomputed):
    _, width = mean_of(values(kind, name).tolist())
    assert round(width, 2) == recomputed
    assert width == pytest.approx(printed(kind, f"{name}_ci"), abs=0.1)


def correlation(rows: pl.DataFrame) -> float:
    return float(np.corrcoef(rows["f1"], rows["difference"].abs())[0, 1])


def test_quality_and_error_are_correlated_as_published():
    development = ROWS.filter(pl.col("is_development"))
    assert correlation(development) == pytest.approx(-0.578, abs=0.0005)
    assert correlation(ROWS) == pytest.approx(-0.42, abs=0.005)


def test_translation_is_closer_for_seven_languages():
    closer = ["bg", "fa", "fi", "fr", "hr", "no", "ro"]
    assert closer_translated(PUBLISHED["table"]) == (closer, 20)


def test_f1_of_translations_is_that_of_averages():
    assert round(harmonic_mean(58.09, 11.01), 2) == 18.51
    assert round(values(TRANSLATED, "f1").mean(), 2) == 17.87


def test_errors_of_the_table():
    errors = np.abs(values(OWN, "difference"))
    assert sum(errors <= 5) == 9
    assert round(float(errors.mean()), 1) == 11.7
    assert round(float(np.abs(values(TRANSLATED, "difference")).mean()), 1) == 11.1


def test_for_supervised_taggers_alone_the_constant_wins():
    true, soft = values(OWN, "a_true"), values(OWN, "score")
    constant, line = [], []
    for i in range(len(true)):
        rest = np.arange(len(true)) != i
        constant.append(abs(true[rest].mean() - true[i]))
        slope, start = np.polyfit(soft[rest], true[rest], 1)
        line.append(abs(slope * soft[i] + start - true[i]))
    assert (round(np.mean(constant), 2), round(np.mean(line), 2)) == (1.83, 1.97)


def test_the_irish_slip():
    irish, greek = (ROWS.filter(language=code).to_dicts()[0] for code in ("ga", "grc"))
    assert (irish["score"], irish["score_ci"]) == (greek["a_true"], greek["a_true_ci"])
    others = ROWS.filter(pl.col("language") != "ga")["score"].sum()
    restored = 100 * (MEANS[OWN]["score"] * 25 - others)
    assert restored == pytest.approx(84.31, abs=0.13)  # 25 times half a unit of the last digit
