"""What permuted treebanks say, on examples worked out by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import treegauge as tg
from treegauge.papers.word_order.effects import (
    branching_differences,
    deltas,
    dlm_and_nonprojectivity,
    label_confusions,
    parser_agreement,
    parser_effects,
    regression,
    sentence_correlations,
)
from treegauge.papers.word_order.measure import ParsedVersion, PermutedParsing
from treegauge.papers.word_order.settings import ORDERS
from treegauge.properties import WordOrder
from treegauge.rewrite.word_orders import permute


def _treebank(*sentences):
    text = ""
    for words in sentences:
        for number, (form, head, relation) in enumerate(words, start=1):
            text += f"{number}\t{form}\t_\tX\t_\t_\t{head}\t{relation}\t_\t_\n"
        text += "\n"
    return tg.parse(text)


GOLD = _treebank(
    [("a", 2, "det"), ("b", 3, "nsubj"), ("c", 0, "root"), ("d", 3, "obj")],
    [("a", 2, "det"), ("b", 0, "root"), ("e", 2, "obl")],
    [("b", 0, "root"), ("e", 4, "case"), ("a", 4, "det"), ("f", 1, "obl"), ("g", 4, "amod")],
)


def parsing_of(change):
    """Return what a parser gives that is right but for what `change` does to each version."""
    versions, properties = [], []
    for order in ORDERS:
        test = GOLD if order == "original" else permute(GOLD, order)
        versions.append(
            ParsedVersion("gold", "xx", order, "graph", test, test, change(order, test))
        )
        measured = WordOrder(test)
        names = ("dlm_ratio", "nonprojective_arcs", "arc_direction_entropy", "branching_dlm_ratio")
        numbers = {name: getattr(measured, name) for name in names}
        size = {"thousand_words": 0.012, "mean_length": 4.0, "coarse_tags": False}
        properties.append({"treebank": "gold", "order": order, **numbers, **size})
    return PermutedParsing(pl.DataFrame(properties, infer_schema_length=None), tuple(versions))


def mislabel(order, test):
    """In the right-branching order, take every determiner for an adjective."""
    if order != "right":
        return test
    relations = ["amod" if relation == "det" else relation for relation in test.deprel]
    return test.replace(columns={"deprel": tg.Column.from_strings(relations)})


def test_scores_count_what_they_should():
    parsing = parsing_of(mislabel)
    right = parsing.version("gold", "right", "graph")
    assert right.score("uas") == 1
    assert right.score("las") == pytest.approx(9 / 12)
    assert right.by_sentence("las").tolist() == pytest.approx([3 / 4, 2 / 3, 4 / 5])
    changes = deltas(parsing.properties, parsing.accuracies())
    assert changes["order"].to_list() == ["optdl", "left", "right"]
    assert changes["delta_las"].to_list() == [0, 0, pytest.approx(-3 / 12)]


def test_confusions_that_one_order_has_are_found():
    (row,) = label_confusions(parsing_of(mislabel)).iter_rows()
    assert row == ("gold", "graph", "det", "amod", 0, 3, 1.0)


def test_left_minus_right():
    uas, las = branching_differences(parsing_of(mislabel), resamples=50).iter_rows(named=True)
    assert (uas["metric"], uas["difference"], uas["t_test_p"]) == ("uas", 0, None)
    assert las["difference"] == pytest.approx((1 / 4 + 1 / 3 + 1 / 5) / 3)
    assert las["t_test_p"] < 0.05
    assert las["pearson_n"] == 3


def test_a_parser_that_never_errs_correlates_with_nothing():
    rows = sentence_correlations(parsing_of(lambda _, test: test), resamples=50)
    assert rows["pearson"].to_list() == [None] * 3
    assert rows["pearson_n"].to_list() == [3] * 3


def test_a_single_treebank_has_no_correlation():
    frame = dlm_and_nonprojectivity(parsing_of(mislabel).properties, resamples=50)
    assert frame.row(0, named=True) | {"pearson_n": None} == dict.fromkeys(frame.columns)


def test_the_regression_finds_what_was_put_in():
    random = np.random.default_rng(0)
    rows = []
    for number in range(20):
        for parser in ("graph", "transition"):
            dlm, entropy = random.normal(size=2)
            uas = 0.01 * dlm + 0.05 * entropy + 0.001 * random.normal()
            changes = {
                "delta_uas": uas,
                "delta_las": 0.0,
                "delta_dlm": dlm,
                "delta_entropy": entropy,
            }
            rows.append({"treebank": f"t{number}", "order": "optdl", "parser": parser, **changes})
    frame = pl.DataFrame(rows)
    length, variability, parser = regression(frame).iter_rows(named=True)
    assert length["r_squared"] > 0.99
    assert length["n"] == 40
    assert variability["coefficient"] > 3 * length["coefficient"] > 0
    assert (
        variability["coefficient_low"]
        < variability["coefficient"]
        < variability["coefficient_high"]
    )
    assert abs(parser["coefficient"]) < 0.1
    assert regression(frame.head(5)).is_empty()


def _changes(parser, slopes):
    """Return changes that are a plane over length and entropy for one parser."""
    random = np.random.default_rng(1)
    length, entropy = random.normal(size=(2, 12))
    return pl.DataFrame(
        {
            "treebank": [f"t{k % 4}" for k in range(12)],
            "parser": [parser] * 12,
            "delta_dlm": length,
            "delta_entropy": entropy,
            "delta_uas": slopes[0] * length + slopes[1] * entropy,
        }
    )


def test_each_parser_has_a_regression_of_its_own():
    changes = pl.concat([_changes("graph", (2.0, 0.0)), _changes("biaffine", (0.0, -1.0))])
    effects = {
        (row["parser"], row["variable"]): row["coefficient"]
        for row in parser_effects(changes).iter_rows(named=True)
    }
    assert effects["graph", "delta DLM"] == pytest.approx(1)
    assert effects["graph", "delta entropy"] == pytest.approx(0, abs=1e-12)
    assert effects["biaffine", "delta entropy"] == pytest.approx(-1)


def test_parsers_agree_where_they_rank_treebanks_alike():
    uas = {"graph": [0.7, 0.8, 0.9], "biaffine": [0.75, 0.8, 0.85], "random": [0.3, 0.2, 0.1]}
    accuracies = pl.DataFrame(
        [
            {"treebank": f"t{k}", "order": "original", "parser": parser, "uas": value}
            for parser, values in uas.items()
            for k, value in enumerate(values)
        ]
    )
    pairs = {
        (row["parser"], row["other"]): row["spearman"]
        for row in parser_agreement(accuracies, resamples=0).iter_rows(named=True)
    }
    assert pairs["graph", "biaffine"] == pytest.approx(1)
    assert pairs["graph", "random"] == pytest.approx(-1)
    two = accuracies.filter(pl.col("treebank") != "t2")
    assert parser_agreement(two).is_empty()
