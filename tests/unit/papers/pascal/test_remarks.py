"""The paper's remarks, on its own tables and on those of a run."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from treegauge.papers.paper import Checked
from treegauge.papers.pascal.paper import Pascal
from treegauge.papers.pascal.remarks import REMARKS

PUBLISHED = Pascal().published()


@pytest.fixture(scope="module")
def checked() -> dict[str, Any]:
    return check_all(PUBLISHED)


def check_all(frames) -> dict[str, Checked | None]:
    return {one.text: one.check(frames) for one in REMARKS}


# Read off the printed tables by eye.
KNOWN = {
    "Gu is best by 1-1 and VI": ("holds", "Gu 51.55"),
    "by V-measure BC has the best performance in 9 out of 10": ("does not hold", "8 of 10"),
    "in all cases DMV improved over its initialiser": (
        "does not hold",
        "danish: DMVu 25.1, H 28.5",
    ),
    "joint models are less accurate than those with gold tags": ("partly", "DMVp by ned, 61.8"),
    "nine relations are shown": ("does not hold", "7 are"),
    "CGS has no result for Arabic": ("partly", "a figure in Table 9"),
    "BH is best against lexical and oldLTH, BC against the others": ("holds", "oldLTH BH"),
    "the last row is the best of the others": ("holds", "14 of 14"),
    "these three have the least data": ("holds", "danish 68.5k"),
    "in most cases the competitors outperform DMV, in many by a large margin": ("holds", "Tu 10"),
    "accuracies for the root, for subjects and objects spread widely, also for CC": (
        "holds",
        "CC 70.3, ROOT 62.0",
    ),
    "scores for the root, for subjects and objects are similar to those for NMOD": (
        "partly",
        "ROOT 41.1",
    ),
}


@pytest.mark.parametrize("text", KNOWN)
def test_verdicts_are_those_of_the_printed_tables(checked, text):
    verdict, evidence = KNOWN[text]
    assert checked[text].verdict == verdict
    assert evidence in checked[text].evidence


def test_printed_averages_differ_by_rounding_only(checked):
    one = checked["printed averages are those of the printed figures"]
    assert one.verdict == "holds"
    assert "Table 3 uas MZu" in one.evidence


def test_every_remark_says_something(checked):
    assert len(checked) == len(REMARKS) >= 23
    assert {one.verdict for one in checked.values()} == {"holds", "partly", "does not hold"}
    assert all(any(mark.isdigit() for mark in one.evidence) for one in checked.values())


# ---------------------------------------------------------------------- on other figures

WITHOUT_PRINT = {**PUBLISHED, "scores": PUBLISHED["scores"].drop("decimals")}


def test_a_run_with_the_paper_s_figures_gets_the_paper_s_verdicts(checked):
    """All but what is about the print can be said of a run."""
    ours = check_all(WITHOUT_PRINT)
    assert {text for text, one in ours.items() if one is None} == {
        "the last row is the best of the others",
        "nine relations are shown",
        "a margin note: directed figures are of sentences up to ten words, by mistake",
        "printed averages are those of the printed figures",
        "CGS has no result for Arabic",
    }
    # A run's own averages are not rounded.
    said = {text: one.verdict for text, one in ours.items() if one is not None}
    assert said == {text: checked[text].verdict for text in said}


def test_joint_models_are_compared_on_what_both_have():
    scores = WITHOUT_PRINT["scores"].filter(
        ~((pl.col("table") == 3) & (pl.col("test_set") != "danish"))
        & (pl.col("metric") == "uas")
        & (pl.col("system") == "DMVc")
    )
    joint, given = (
        scores.filter((pl.col("table") == number) & (pl.col("test_set") == "danish"))["value"][0]
        for number in (4, 3)
    )
    frames = with_scores(
        pl.concat(
            [scores.with_columns(metric=pl.lit(name)) for name in ("uas", "undirected", "ned")]
        )
    )
    one = check_all(frames)["joint models are less accurate than those with gold tags"]
    assert one.verdict == ("holds" if joint < given else "does not hold")
    assert (f"{100 * joint:.1f} and {100 * given:.1f}" in one.evidence) == (joint >= given)


def with_scores(scores):
    return {**WITHOUT_PRINT, "scores": scores}


def test_what_a_run_lacks_is_not_checked():
    scores = WITHOUT_PRINT["scores"]
    ours = check_all(with_scores(scores.filter(~pl.col("system").is_in(["Gu", "H"]))))
    assert ours["Gu is best by 1-1 and VI"] is None
    assert ours["in all cases DMV improved over its initialiser"] is None
    assert ours["DMV over as many clusters as there are fine tags is the best joint model"]
    nothing = {name: frame.clear() for name, frame in WITHOUT_PRINT.items()}
    assert not any(check_all(nothing).values())


@pytest.mark.parametrize(
    ("text", "where", "value", "verdict"),
    [
        (
            "in all cases DMV improved over its initialiser",
            {"table": 3, "metric": "uas", "system": "H", "test_set": "danish"},
            0.25,
            "holds",
        ),
        (
            "Gu is best by 1-1 and VI",
            {"table": 2, "metric": "vi", "system": "Gu", "test_set": "average"},
            4.0,
            "partly",
        ),
        (
            "by V-measure BC has the best performance in 9 out of 10",
            {"table": 2, "metric": "v_measure", "system": "BC", "test_set": "basque"},
            0.5,
            "holds",
        ),
        (
            "accuracies for the root, for subjects and objects spread widely, also for CC",
            {"table": 6, "relation": "CC"},
            0.5,
            "partly",
        ),
    ],
)
def test_other_figures_get_other_verdicts(text, where, value, verdict):
    is_there = pl.all_horizontal(*(pl.col(name) == wanted for name, wanted in where.items()))
    changed = WITHOUT_PRINT["scores"].with_columns(
        pl.when(is_there).then(value).otherwise(pl.col("value")).alias("value")
    )
    assert check_all(with_scores(changed))[text].verdict == verdict


@pytest.mark.long
def test_remarks_are_checked_on_a_run(measured):
    ours = check_all(measured.frames)
    assert "of 2 cases" in ours["in all cases DMV improved over its initialiser"].evidence
    assert ours["Gu is best by 1-1 and VI"] is None
