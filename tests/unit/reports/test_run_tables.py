from __future__ import annotations

import json

import pytest

from tests.unit.results.made_up import CONVENTIONS, results, row
from treegauge.catalogue.sets import BUILT_IN_SETS
from treegauge.reports import sources_table, stratum_tables, tables_without_values
from treegauge.reports.run_tables import run_tables
from treegauge.results.long_table import ResultsError
from treegauge.systems import make_system

RULES = "universal rules"


def shown(*rows, intervals=None, **options):
    """The one table of rows, as people read it."""
    (table,) = run_tables(results(*rows), **options)
    return table.to_table(intervals=intervals)


def labels(table):
    """Headings of groups and names of rows, from above to below."""
    return [
        text
        for group, rows in table.grouped()
        for text in (*([group] if group else []), *(row.cells[0].value for row in rows))
    ]


def texts(table):
    """The rows as people read them."""
    return [[table.cell_text(cell, j) for j, cell in enumerate(row.cells)] for row in table.rows]


def cells(table, name):
    return next(row[1:] for row in texts(table) if row[0] == name)


def titles(table):
    return [column.title for column in table.columns]


def bold(table):
    return {
        (row.cells[0].value, table.columns[j].title)
        for row in table.rows
        for j, cell in enumerate(row.cells)
        if cell.best
    }


# ---------------------------------------------------------------------- averages and cells


def test_averages_over_what_is_there_and_over_what_is_common():
    table = shown(
        row("a", "x", 0.2), row("b", "x", 0.4), row("c", "x", 0.9),
        row("a", "y", 0.3), row("b", "y", None), row("c", "y", 0.5),
    )  # fmt: skip
    assert titles(table) == ["", "a", "b", "c", "average (available)", "average (common)"]
    assert cells(table, "x") == ["20.00", "40.00", "90.00", "50.00", "55.00"]
    assert cells(table, "y") == ["30.00", "–[1]", "50.00", "40.00 (2)", "40.00"]
    assert "[1] failed: out of memory" in table.all_notes()
    assert any(
        "common: the 2 for which all systems have a score, without b" in n
        for n in table.all_notes()
    )


def test_seeds_are_shown_as_mean_and_deviation():
    table = shown(
        *(row("a", "x", value, seed=s, low=0.1, high=0.9) for s, value in enumerate((0.2, 0.4))),
        row("b", "x", 0.5, seed=0, low=0.4, high=0.6), row("b", "x", None, seed=1),
        intervals=True,
    )  # fmt: skip
    # sqrt(2 * 0.1 ** 2) = 0.1414; seed 1 lacks b, so that the average has no deviation.
    assert cells(table, "x") == ["30.00 ± 14.14", "50.00[1]", "40.00", "40.00"]
    assert "±: standard deviation over 2 seeds" in table.all_notes()


def test_intervals_are_shown_for_one_treebank_and_where_asked_for():
    one = row("a", "x", 0.5, low=0.4, high=0.6)
    two = row("b", "x", 0.5, low=0.4, high=0.6)
    assert texts(shown(one)) == [["x", "50.00 [40.00, 60.00]"]]
    assert texts(shown(one, intervals=False)) == [["x", "50.00"]]
    assert cells(shown(one, two), "x")[0] == "50.00"
    assert cells(shown(one, two, intervals=True), "x")[0] == "50.00 [40.00, 60.00]"


def test_what_was_not_run_is_missing_with_that_reason():
    table = shown(row("a", "x"), row("b", "x"), row("a", "y"))
    assert cells(table, "y")[1] == "–[1]"
    assert "[1] not part of the run" in table.all_notes()


def test_metrics_without_any_value_have_no_table_but_a_line():
    rows = [row(metric="ned", value=None, reason="no HEAD"), row(metric="uas")]
    assert [str(table.spec) for table in run_tables(results(*rows))] == ["uas"]
    assert tables_without_values(results(*rows)) == ["dependencies: no value of ned: no HEAD"]


# ---------------------------------------------------------------------- groups and the best


def test_supervision_stands_apart_and_the_best_is_sought_within_it():
    table = shown(
        row("a", "weak", 0.2), row("a", "strong", 0.4),
        row("a", "rules", 0.9, supervision=RULES), row("a", "more rules", 0.8, supervision=RULES),
        row("a", "parser", 0.95, supervision="supervised"),
    )  # fmt: skip
    assert [group for group, _ in table.grouped()] == [
        "unsupervised",
        "universal rules",
        "supervised",
    ]
    assert labels(table) == [
        *("unsupervised", "strong", "weak"),
        *("universal rules", "more rules", "rules"),
        *("supervised", "parser"),
    ]
    # The only one of its kind is not the best of anything.
    assert bold(table) == {("strong", "a"), ("rules", "a")}


def test_ties_are_all_bold_as_far_as_one_can_see():
    table = shown(row("a", "x", 0.50001), row("a", "y", 0.49999), row("a", "z", 0.4))
    assert bold(table) == {("x", "a"), ("y", "a")}


def test_lower_is_better_where_it_is():
    rows = [
        row("a", name, value, metric="vi", track="tags", tags="u12")
        for name, value in (("x", 2.5), ("y", 3.5))
    ]
    table = shown(*rows)
    assert table.title == "tags: VI ↓ against u12 (preset pascal)"
    assert cells(table, "x") == ["2.50"]  # bits, not per cent
    assert bold(table) == {("x", "a")}


def test_averages_over_different_treebanks_are_not_compared():
    rows = [row("a", "x", 0.2), row("b", "x", 0.4), row("a", "y", 0.3), row("b", "y", None)]
    assert bold(shown(*rows)) == {("y", "a"), ("y", "average (common)")}


def test_the_note_on_averages_says_what_holds():
    def note(*rows):
        (found,) = (one for one in shown(*rows).notes if one.startswith("averages: "))
        return found.removeprefix("averages: unweighted means over treebanks; ")

    both = [row("a", "x"), row("b", "x")]
    whole = "available: all 2; common: the 2 for which all systems have a score"
    assert note(*both) == whole
    assert note(*both, row("a", "y", None), row("b", "y", None)) == (
        f"{whole}; left out: y, without any score"
    )
    assert note(*both, row("a", "y"), row("b", "y", None)) == (
        "available: all 2, or the number in (n); common: the 1 for which all systems have a "
        "score, without b"
    )
    # The paper has figures for one of the two.
    assert note(dmv("sl_ssj"), dmv("toy:svo")) == (
        "available: all 2, or the number in (n); common: the 2 for which all systems have a "
        "score, or the number in (n)"
    )


# ---------------------------------------------------------------------- which tables


def test_tables_by_track_and_metric_in_the_order_people_look_for_them():
    rows = [
        row(metric=metric, track=track)
        for track in ("joint", "dependencies")
        for metric in ("ned@10", "ned", "uas@10", "uas")
    ]
    tables = run_tables(results(*rows))
    assert [(table.track, str(table.spec)) for table in tables] == [
        (track, metric)
        for track in ("dependencies", "joint")
        for metric in ("uas", "ned", "uas@10", "ned@10")
    ]
    chosen = run_tables(results(*rows), metrics=["ned"], tracks=["joint"])
    assert [(table.track, str(table.spec)) for table in chosen] == [("joint", "ned")]


def test_trees_do_not_depend_on_the_tags_that_were_scored_with_them():
    rows = [
        row(metric=metric, track="joint", tags=tags)
        for metric in ("uas", "many_to_one")
        for tags in ("u12", "p")
    ]
    tables = [(str(table.spec), table.tags) for table in run_tables(results(*rows))]
    assert tables == [("uas", ""), ("many_to_one", "u12"), ("many_to_one", "p")]


def test_what_another_track_was_asked_for_is_not_missed():
    asked = [
        {**row(metric="vi", track="dependencies"), "value": float("nan"), "reason": "not about it"},
        row(metric="uas", track="dependencies"),
    ]
    assert tables_without_values(results(*asked)) == ["dependencies: no value of vi: not about it"]
    both = [*asked, row(metric="vi", track="tags", tags="u12")]
    assert tables_without_values(results(*both)) == []


def test_numbers_made_in_different_ways_are_not_put_into_one_table():
    other = row("b", conventions=CONVENTIONS.replace("removed", "yes"))
    with pytest.raises(ResultsError, match="different signatures cannot be") as caught:
        run_tables(results(row("a"), other))
    assert "punct:removed" in str(caught.value)
    assert "punct:yes" in str(caught.value)


def test_the_signature_says_what_all_numbers_share_and_what_was_learnt_from():
    same = row("a", "x")
    assert shown(same).notes[-1] == (
        f"signature: uas|{CONVENTIONS}|len:all|v:0.1.0|track:dependencies|fit_on:union"
    )
    signature = same["signature"].replace("union", "train")
    other = row("a", "y", fit_on="train", signature=signature)
    assert shown(same, other).notes[-1].endswith("; fit_on:union for x; fit_on:train for y")


# ---------------------------------------------------------------------- published figures


def dmv(treebank="ar_padt", value=0.3, tags="u", **other):
    return row(treebank, "klein-manning-dmv", value, settings=f'{{"tags": "{tags}"}}', **other)


def test_published_figures_stand_under_our_system_and_are_never_bold():
    table = shown(
        dmv("en_ewt"), dmv("sl_ssj"), row("en_ewt", "harmonic", 0.2), row("sl_ssj", "harmonic", 0.1)
    )
    assert labels(table) == [
        *("unsupervised", "harmonic", "H, published", "klein-manning-dmv", "DMVu, published"),
    ]
    # As many decimals as the paper prints; (21.8 + 35.0) / 2 over the two that are here.
    assert cells(table, "DMVu, published") == ["21.8", "35.0", "28.4", "28.4"]
    assert {name for name, _ in bold(table)} == {"klein-manning-dmv"}
    notes = "\n".join(table.notes)
    assert "Gelling et al. (2012)" in notes
    assert "Table 3; not on these treebanks, but on other versions of them" in notes
    assert "on other treebanks for en_ewt (Penn Treebank, section 23)" in notes
    assert "averages that the paper prints: H 21.9, DMVu 29.3" in notes


def test_over_all_ten_treebanks_the_average_is_the_one_that_the_paper_prints():
    rows = [dmv(name) for name in BUILT_IN_SETS["pascal10"]]
    # The mean of the ten figures is 29.35.
    assert cells(shown(*rows), "DMVu, published")[-2:] == ["29.3", "29.3"]


def test_short_sentences_and_other_tags_have_their_own_figures():
    short = shown(dmv(metric="uas@10", tags="c"))
    assert cells(short, "DMVc, published") == ["46.3"]
    fine = shown(row(system="pyp-hmm", metric="vi", track="tags", tags="p"))
    assert cells(fine, "BC, published") == ["2.65"]
    assert "the paper's figures here are with punct:yes, ours are not" in fine.all_notes()


def test_a_published_system_of_another_kind_stands_in_the_group_of_its_kind():
    table = shown(row(system="unambiguity", value=0.4))
    assert labels(table) == [
        *("unsupervised", "unambiguity", "dev-tuned", "Tu, published"),
    ]
    assert any("Tu is what unambiguity follows, but dev-tuned" in note for note in table.notes)
    tuned = shown(row(system="unambiguity", value=0.4, supervision="dev-tuned"))
    assert labels(tuned) == ["dev-tuned", "unambiguity", "Tu, published"]


def test_published_trees_over_induced_tags_stand_beside_the_dmv_of_the_paper():
    def labels_over_brown(**settings):
        told = {"tags_from": "brown:12", **settings}
        made = make_system("tags-then-trees", told).settings.to_dict()
        one = row(system="mine", track="joint", method="tags-then-trees", settings=json.dumps(made))
        return labels(shown(one))

    assert "DMVu, published" in labels_over_brown(inducer="klein-manning-dmv")
    assert labels_over_brown(inducer="dmv") == ["unsupervised", "mine"]


@pytest.mark.parametrize(
    "one",
    [
        dmv("toy:svo"),
        dmv(metric="uas@10w"),
        dmv(preset="conll2018", conventions=CONVENTIONS.replace("removed", "yes")),
        row(system="most-frequent-tag"),
        row(system="bmmm", metric="many_to_one", track="tags", tags="u"),
    ],
    ids=["toy language", "another cut-off", "punctuation counted", "no counterpart", "17 tags"],
)
def test_where_a_paper_has_nothing_nothing_is_shown(one):
    (table,) = run_tables(results(one))
    assert table.published == ()
    assert sources_table([table]) is None


def test_published_figures_belong_to_the_settings_of_the_paper():
    def labels_with(**settings):
        made = make_system("klein-manning-dmv", settings).settings.to_dict()
        one = row(system="mine", method="klein-manning-dmv", settings=json.dumps(made))
        return labels(shown(one))

    assert "DMVu, published" in labels_with()
    assert "DMVp, published" in labels_with(tags="p")
    assert labels_with(iterations=0) == ["unsupervised", "mine"]
    assert labels_with(tags="p", smoothing=1.0) == ["unsupervised", "mine"]
    chosen = json.dumps(make_system("unambiguity", {"iterations": 5}).settings.to_dict())
    tuned = row(system="unambiguity", settings=chosen, supervision="dev-tuned")
    assert "Tu, published" in labels(shown(tuned))


def test_published_figures_can_be_left_out():
    assert len(shown(dmv()).rows) == 2
    assert len(shown(dmv(), published=False).rows) == 1


def test_the_data_behind_published_figures_are_told_once():
    tables = run_tables(
        results(dmv(), dmv("cs_cac"), dmv(metric="ned"), dmv("cs_cac", metric="ned"))
    )
    told = sources_table(tables)
    assert [row[0] for row in texts(told)] == ["ar_padt", "cs_cac"]
    assert texts(told)[1][1:] == ["czech", "Prague Dependency Treebank 2.0", "no"]


# ---------------------------------------------------------------------- data


def test_the_document_has_numbers_as_they_are():
    (table,) = run_tables(results(dmv(value=0.25, low=0.2, high=0.3), dmv("cs_cac", None)))
    document = table.to_dict()
    ours, theirs = document["rows"]
    assert ours["treebanks"]["ar_padt"] == {
        "value": 0.25, "deviation": None, "low": 0.2, "high": 0.3, "n": 100, "reason": "",
    }  # fmt: skip
    assert ours["treebanks"]["cs_cac"]["value"] is None
    assert ours["averages"]["available"] == {
        "value": 0.25, "deviation": None, "treebanks": 1, "missing": {"failed: out of memory": 1},
    }  # fmt: skip
    assert theirs["published"]["system"] == "DMVu"
    assert theirs["published"]["average"] == 0.293
    assert theirs["treebanks"]["ar_padt"]["value"] == 0.321


def test_data_have_a_row_for_every_system_and_treebank():
    (table,) = run_tables(results(dmv(value=0.25, low=0.2, high=0.3), dmv("cs_cac", None)))
    rows = table.to_table().to_polars().to_dicts()
    assert list(rows[0])[:6] == [
        "track", "preset", "supervision", "system", "published", "treebank",
    ]  # fmt: skip
    assert list(rows[0])[6:] == ["uas", "uas_low", "uas_high", "uas_n", "reason"]
    assert (rows[0]["uas_low"], rows[0]["uas_high"]) == (0.2, 0.3)
    assert rows[1]["reason"] == "failed: out of memory"
    assert {row["system"] for row in rows} == {"klein-manning-dmv"}
    places = [(row["published"], row["treebank"], row["uas"], row["uas_n"]) for row in rows]
    assert places == [
        (None, "ar_padt", 0.25, 100),
        (None, "cs_cac", None, None),
        (None, "average (available)", 0.25, 1),
        (None, "average (common)", 0.25, 1),
        ("DMVu", "ar_padt", 0.321, None),
        ("DMVu", "cs_cac", 0.272, None),
        ("DMVu", "average (available)", pytest.approx((0.321 + 0.272) / 2), 2),
        ("DMVu", "average (common)", 0.321, 1),
    ]


# ---------------------------------------------------------------------- strata


def strata(treebank, system, *values, **other):
    return [
        row(treebank, system, value, by="edge_length", stratum=name, n=10 * i, **other)
        for i, (name, value) in enumerate(zip(("1", "2", "10+"), values, strict=False), start=1)
    ]


def test_strata_are_averaged_over_treebanks_and_shown_for_each():
    rows = [
        *strata("a", "x", 0.9, 0.5, 0.1), *strata("a", "y", 0.8, 0.6, 0.1),
        *strata("b", "x", 0.7, 0.3), *strata("b", "y", 0.7, 0.3, supervision="unsupervised"),
    ]  # fmt: skip
    mean, of_a, of_b = (table.to_table() for table in stratum_tables(results(*rows), "edge_length"))
    assert titles(mean) == ["edge_length", "x", "y", "treebanks"]
    assert texts(mean) == [
        ["1", "80.00", "75.00", "2"],
        ["2", "40.00", "45.00", "2"],
        ["10+", "10.00", "10.00", "1"],
    ]
    assert bold(mean) == {("1", "x"), ("2", "y"), ("10+", "x"), ("10+", "y")}
    assert [row.cells[-1].value for row in of_a.rows] == [10, 20, 30]
    assert [row[0] for row in texts(of_b)] == ["1", "2"]
    assert "unsupervised: x, y" in mean.notes


def test_strata_keep_kinds_of_supervision_side_by_side_and_apart():
    rows = [
        *strata("a", "a rule", 0.9, supervision=RULES), *strata("a", "x", 0.5),
        *strata("a", "y", 0.4),
    ]  # fmt: skip
    (table,) = stratum_tables(results(*rows), "edge_length")
    laid_out = table.to_table()
    assert titles(laid_out) == ["edge_length", "x", "y", "a rule", "n"]
    assert bold(laid_out) == {("1", "x")}


def test_a_run_that_was_not_scored_by_a_stratum_says_by_what_it_was():
    rows = [row(), *strata("a", "x", 0.9)]
    with pytest.raises(ResultsError, match=r"not scored by relation; it has edge_length"):
        stratum_tables(results(*rows), "relation")
    with pytest.raises(ResultsError, match=r"it has no strata"):
        stratum_tables(results(row()), "relation")
