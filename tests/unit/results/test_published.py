from __future__ import annotations

from importlib.resources import files

import polars as pl
import pytest

from treegauge.catalogue.sets import BUILT_IN_SETS
from treegauge.metrics import METRICS, MetricSpec
from treegauge.results.published import (
    AVERAGE,
    STANDS_FOR,
    SYSTEMS,
    counterparts,
    find_published_scores,
    published_scores,
)


def of(**values: object) -> pl.DataFrame:
    return published_scores().filter(*(pl.col(name) == value for name, value in values.items()))


def test_the_figures_travel_with_the_package():
    path = files("treegauge.results") / "data" / "pascal_results.tsv"
    assert len(path.read_text("utf-8").splitlines()) == published_scores().height + 1 == 2391


def test_figures_are_where_the_paper_has_them():
    row = find_published_scores("dependencies", "uas", "", "DMVu")
    assert (row.table, row.average, row.values["arabic"], row.decimals) == (3, 0.293, 0.321, 1)
    short = find_published_scores("dependencies", "uas@10", "", "DMVu")
    assert (short.table, short.average) == (8, 0.375)
    assert find_published_scores("joint", "ned@10", "", "CGS").average == 0.651
    assert find_published_scores("tags", "v_measure", "u12", "BC").average == 0.5673
    assert find_published_scores("tags", "v_measure", "p", "BC").average == 0.627
    assert find_published_scores("tags", "vi", "u12", "Gu").average == 3.12  # bits
    # The tags of a joint system are in the tables of tags.
    assert find_published_scores("joint", "many_to_one", "u12", "CGS").values["basque"] == 0.7954


def test_where_the_paper_has_nothing_there_is_nothing():
    assert find_published_scores("dependencies", "las", "", "DMVu") is None
    assert find_published_scores("dependencies", "uas@10w", "", "DMVu") is None
    assert find_published_scores("tags", "v_measure", "u", "BC") is None
    assert find_published_scores("dependencies", "uas", "", "R") is None  # only in Table 6


def test_every_metric_is_one_of_ours_and_every_share_is_one():
    for metric in published_scores()["metric"].unique():
        assert MetricSpec.parse(metric).metric.is_share == (metric != "vi")
    shares = published_scores().filter(pl.col("metric") != "vi")["value"]
    assert shares.min() > 0.01
    assert shares.max() < 1
    assert not METRICS["vi"].higher_is_better


def test_averages_that_the_paper_prints_are_those_of_its_rows_but_for_rounding():
    rows = published_scores().filter(pl.col("reference") == "", pl.col("relation") == "")
    keys = ["table", "metric", "system"]
    printed = rows.filter(pl.col("test_set") == AVERAGE).select(*keys, "value", "decimals")
    means = rows.filter(pl.col("test_set") != AVERAGE).group_by(keys).agg(pl.col("value").mean())
    both = printed.join(means, on=keys, suffix="_mean").with_columns(
        off=(pl.col("value") - pl.col("value_mean")).abs()
        * pl.when(pl.col("metric") == "vi").then(1).otherwise(100)
    )
    assert both.height == printed.height
    # Half of the last digit, once for the rows and once for the average.
    assert both.filter(pl.col("off") > 10.0 ** -pl.col("decimals") + 1e-9).is_empty()


def test_table_3_has_the_corrected_directed_accuracies():
    """The first print of Table 3 had those of short sentences; Table 5 was right."""
    full = dict(of(table=3, metric="uas", test_set="en-ptb").select("system", "value").rows())
    references = dict(of(table=5, reference="standard").select("system", "value").rows())
    assert full == references
    short = dict(of(table=8, metric="uas@10", test_set="en-ptb").select("system", "value").rows())
    assert full != short


def test_directed_is_never_above_undirected_nor_that_above_ned():
    for number, cut_off in ((3, ""), (4, ""), (8, "@10"), (9, "@10")):
        directed, undirected, ned = (
            of(table=number, metric=name + cut_off).sort("test_set", "system")["value"]
            for name in ("uas", "undirected", "ned")
        )
        assert len(directed) == len(undirected) == len(ned) > 0
        assert (directed <= undirected).all()
        assert (undirected <= ned).all()


def test_all_ten_test_sets_are_stood_for_by_the_set_pascal10():
    test_sets = set(of(table=3)["test_set"]) - {AVERAGE}
    assert {STANDS_FOR[name].name for name in BUILT_IN_SETS["pascal10"]} == test_sets
    assert STANDS_FOR["en_ewt"].is_other
    assert STANDS_FOR["cs_cac"].is_other


def test_kinds_of_supervision():
    kinds = dict(of(track="dependencies").select("system", "supervision").unique().rows())
    assert kinds["Tu"] == "dev-tuned"
    assert kinds["S2"] == kinds["BH"] == "universal rules"
    assert {kinds[name] for name in ("DMVu", "H", "LB", "RB", "S1", "BC", "MZp", "R")} == {
        "unsupervised"
    }
    assert set(of(track="tags", system="Cp")["supervision"]) == {"dev-tuned"}


def test_every_column_of_the_paper_is_a_system_and_the_other_way_round():
    for track, systems in SYSTEMS.items():
        known = {column for system in systems for column in system.columns}
        assert set(of(track=track)["system"]) == known


@pytest.mark.parametrize(
    ("track", "method", "settings", "columns"),
    [
        ("dependencies", "klein-manning-dmv", {"tags": "u"}, ("DMVu",)),
        ("dependencies", "klein-manning-dmv", {"tags": "u12"}, ("DMVu",)),
        ("dependencies", "klein-manning-dmv", {"tags": "p:2"}, ("DMVp",)),
        ("dependencies", "klein-manning-dmv", {"tags": "c"}, ("DMVc",)),
        ("dependencies", "klein-manning-dmv", {"tags": "form"}, ()),
        ("dependencies", "left-branching", {}, ("LB",)),
        ("dependencies", "right-branching", {}, ("RB",)),
        ("dependencies", "harmonic", {"tags": "u"}, ("H",)),
        ("dependencies", "soegaard-pagerank", {"tags": "u"}, ("S1",)),
        ("dependencies", "soegaard-rules", {"tags": "u"}, ("S2",)),
        ("dependencies", "unambiguity", {"tags": "p"}, ("Tu",)),
        ("dependencies", "external", {}, ()),
        ("dependencies", "", {}, ()),
        ("tags", "pyp-hmm", {}, ("BC",)),
        ("tags", "bmmm", {}, ("CGS",)),
        ("tags", "brown", {"classes": 12}, ("Bu",)),
        ("tags", "brown", {"classes": 45}, ("Bc", "Bp", "Bu")),
        ("joint", "dmv", {"tags": "u"}, ()),
    ],
)
def test_our_systems_and_theirs(track, method, settings, columns):
    assert counterparts(track, method, settings) == columns
