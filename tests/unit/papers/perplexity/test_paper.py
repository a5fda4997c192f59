"""The paper on derivation perplexity: its published figures, its remarks, its tables."""

from __future__ import annotations

import polars as pl
import pytest

from treegauge.papers.paper import Measurements
from treegauge.papers.perplexity.paper import DerivationPerplexity, DerivationPerplexitySettings
from treegauge.papers.perplexity.tables import accuracy_figures, treebank_table

PAPER = DerivationPerplexity()


def test_one_group_of_the_paper_prints_the_ratio_of_means():
    rows = {row["group"]: row for row in PAPER.published()["increases"].iter_rows(named=True)}
    assert rows["C06"]["ratio_of_means"] == pytest.approx(rows["C06"]["printed"], abs=0.001)
    assert abs(rows["C07"]["ratio_of_means"] - rows["C07"]["printed"]) > 0.2


def test_accuracies_of_shared_tasks_are_for_their_treebanks_only():
    rows = PAPER.shared_task_accuracies
    assert rows.filter(treebank="tr_conll2006", metric="uas_best")["value"].item() == 75.82
    assert rows.filter(treebank="tr_conll2007", metric="las_best")["value"].item() == 79.81
    assert rows.filter(treebank="eu_conll2007", metric="las_best")["value"].item() == 76.94
    assert rows.filter(treebank="tr_imst").is_empty()


def test_the_paper_bears_out_its_remarks_but_for_two():
    checked = {row["text"]: row["published"] for row in PAPER.remarks_dict()}
    verdicts = {
        text.split()[0]: one and one["verdict"] for text, one in checked.items() if one is not None
    }
    # By the ratio of means, C06 increases more; string perplexity wins for the best of C06.
    assert verdicts == {
        "Derivation": "holds",
        "The": "partly",
        "Size": "holds",
        "It": "partly",
        "Parsers": "holds",
        "Perplexity": "holds",
        "All": "holds",
    }
    assert [text.split()[0] for text, one in checked.items() if one is None] == [
        "Morphological",
        "Derivation",
    ]


@pytest.mark.parametrize(
    ("section", "start", "frame", "column", "value"),
    [
        ("5", "Derivation", "increases", "derivation", 1.0),
        ("5.1", "Size", "correlations", "pearson", 0.0),
        ("5.2", "Parsers", "metrics", "mean", 0.3),
        ("5.2", "All", "metrics", "p", 0.3),
    ],
)
def test_a_remark_can_fail(section, start, frame, column, value):
    frames = dict(PAPER.published())
    frames[frame] = frames[frame].with_columns(pl.lit(value).alias(column))
    remark = next(
        one for one in PAPER.remarks if one.section == section and one.text.startswith(start)
    )
    assert remark.check(frames).verdict == "does not hold"


@pytest.mark.parametrize(("p", "verdict"), [(0.5, "holds"), (0.01, "does not hold")])
def test_morphology_is_judged_given_the_rest(p, verdict):
    row = {"group": "all", "variable": "features a lemma", "accuracy": "best LAS"}
    rows = [
        {**row, "given": "", "pearson": -0.9, "pearson_p": 0.001},
        {**row, "given": "log size, derivation perplexity", "pearson": 0.1, "pearson_p": p},
    ]
    remark = next(one for one in PAPER.remarks if one.text.startswith("Morphological"))
    assert remark.check({"correlations": pl.DataFrame(rows)}).verdict == verdict


def _treebank(name, **changes):
    return {
        "treebank": name,
        "train_tokens": 1200,
        "string": 80.0,
        "derivation": 1283.04,
        "string_all": 90.0,
        "derivation_all": None,
        "unknown_rate": 0.25,
        "best_uas": 0.9,
        "best_las": 0.85,
        "mean_las": 0.8,
        "is_genuine": False,
        "has_fixed_discounts": False,
        "coarse_tags": False,
        **changes,
    }


def test_published_accuracies_stand_in_parentheses():
    frames = {"treebanks": pl.DataFrame([_treebank("tr_conll2007"), _treebank("da_ddt")])}
    measured = Measurements(DerivationPerplexitySettings(), frames, failures=("x: no trees",))
    table = treebank_table(measured, PAPER.shared_task_accuracies)
    first, second = (
        [table.cell_text(cell, j) for j, cell in enumerate(row.cells)] for row in table.rows
    )
    assert first[:6] == ["tr_conll2007", "1,200", "80.0", "1,283.0", "90.0", "–"]
    assert (first[8], second[8]) == ("85.0 (79.8)", "85.0")
    assert table.notes[-2:] == (
        "in parentheses: best of the shared task, unverified",
        "x: no trees",
    )


def test_what_stands_for_universal_tags_is_said():
    frames = {"treebanks": pl.DataFrame([_treebank("eu_bdt", coarse_tags=True)])}
    measured = Measurements(DerivationPerplexitySettings(), frames)
    notes = treebank_table(measured, PAPER.shared_task_accuracies).notes
    assert notes[-1] == "eu_bdt: coarse tags stand for universal tags, which are missing"


def test_figures_are_over_size_and_size_by_perplexity():
    figures = accuracy_figures(pl.DataFrame([_treebank("a"), _treebank("b", train_tokens=9000)]))
    assert [one.name for one in figures] == [
        "accuracy-size",
        "accuracy-size-over-string-perplexity",
        "accuracy-size-over-derivation-perplexity",
    ]
    assert "converted" in figures[0].to_svg()
