"""The challenge's tables and figure."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from treegauge.papers.pascal.paper import Pascal
from treegauge.papers.pascal.penn_tables import length_figures
from treegauge.papers.pascal.scores import INDUCED, TREES
from treegauge.papers.pascal.tables import (
    class_group,
    full_tables,
    short_tables,
    summary_tables,
    tag_tables,
    tree_tables,
    treebank_table,
)
from treegauge.reports.run_notes import note_on_types
from treegauge.results.published import STANDS_FOR, find_published_scores

pytestmark = pytest.mark.long


def test_table_1_has_all_of_every_part(measured):
    table = treebank_table(measured)
    parts = {heading: [row.cells for row in rows] for heading, rows in table.grouped()}
    assert list(parts) == ["training data", "development data", "test data"]
    described = measured.frames["treebanks"]
    for (heading, rows), part in zip(parts.items(), ("train", "dev", "test"), strict=True):
        assert [cells[0].value for cells in rows] == ["svo", "sov"]
        own = described.filter(pl.col("part") == part)
        counted = own.select("tokens", "sentences", "tokens_a_sentence").rows()
        assert [tuple(cell.value for cell in cells[2:5]) for cells in rows] == counted
        # Words are new to what was trained on.
        assert all((cells[-1].value is None) == (part == "train") for cells in rows), heading
    shown = [(row.cells[0].value, row.cells[1].value) for row in table.data.rows]
    assert shown == [(name, part) for part in ("train", "dev", "test") for name in ("svo", "sov")]


def test_tags_of_joint_systems_stand_among_tags(measured):
    names = {row.system for one in tag_tables(measured)["u"] for row in one.systems}
    assert {"brown (u)", "dmv over brown (u)"} <= names


def test_induced_tags_stand_beside_those_of_equally_many_classes(measured):
    for group, tables in tag_tables(measured).items():
        for table in tables:
            assert {class_group(row.settings, row.supervision) for row in table.systems} == {group}


@pytest.mark.parametrize(
    ("letter", "columns"), [("c", {"Bc"}), ("p", {"Bp"}), ("u", {"Bu"}), ("45", {"Bp"})]
)
def test_published_figures_are_those_of_equally_many_classes(measured, letter, columns):
    told = {"c": '"classes": 9, "classes_of": "c"', "p": '"classes": 9, "classes_of": "p"'}
    settings = told.get(letter, f'"classes": {12 if letter == "u" else 45}')
    chosen = (
        measured.frames["results"]
        .filter(pl.col("system") == "brown (u)")
        .with_columns(
            pl.lit("da_ddt").alias("treebank"), pl.lit(f"{{{settings}}}").alias("settings")
        )
    )
    frames = {**measured.frames, "results": chosen}
    tables = tag_tables(replace(measured, frames=frames))[letter]
    assert {row.published.column for one in tables for row in one.published} == columns


def test_joint_tags_of_brown_are_those_of_brown(measured):
    for table in tag_tables(measured)["u"]:
        rows = {row.system: row for row in table.systems}
        own = rows["brown (u)"].available.value
        assert rows["dmv over brown (u)"].available.value == pytest.approx(own)


def test_all_tables_of_the_paper_are_there(measured):
    titles = [table.title for table in full_tables(measured)]
    for number in range(1, 10):
        assert any(title.startswith(f"Table {number}") for title in titles), number
    assert any("Figure 1" in title for title in titles)
    assert any(title.startswith("Rank correlation of the metrics") for title in titles)
    assert all(table.to_text(width=120) for table in full_tables(measured))


def test_averages_are_shown_and_all_tables_if_they_are_asked_for(measured):
    full = replace(measured, settings=replace(measured.settings, full=True))
    assert Pascal().shown_tables(measured) == short_tables(measured)
    assert Pascal().shown_tables(full) == full_tables(measured)


def test_averages_in_short_are_those_of_the_tables(measured):
    induced, _, dependencies, joint = summary_tables(measured)
    for table, made, number in (
        (dependencies, tree_tables(measured, "dependencies"), len(TREES)),
        (joint, tree_tables(measured, "joint"), len(TREES)),
        (induced, [one for one in tag_tables(measured)["u"] if one.tags == "u12"], len(INDUCED)),
    ):
        assert len(made) == number
        rows = {row.cells[0].value: row.cells[1:] for row in table.rows}
        for j, one in enumerate(made):
            for row in one.systems:
                mean = row.common.value * (100 if one.spec.metric.is_share else 1)
                cell = rows[row.system][j]
                assert cell.value == row.common.value
                assert table.cell_text(cell, j + 1) == f"{mean:.2f}"


def test_averages_that_the_paper_prints_stand_as_printed_and_recomputed_ones_say_so(measured):
    names = {"svo": "da_ddt", "sov": "en_ewt"}
    renamed = pl.col("treebank").replace(names)
    frames = {"results": measured.frames["results"].with_columns(renamed)}
    (table,) = (
        one
        for one in summary_tables(replace(measured, frames=frames))
        if "dependencies" in one.title
    )
    rows = {row.cells[0].value: row for row in table.rows}
    published = find_published_scores("dependencies", "uas", "", "DMVu")
    test_sets = [published.values[STANDS_FOR[name].name] for name in names.values()]
    printed, recomputed = (
        rows[f"DMVu, {kind}"] for kind in ("published", "recomputed over 2 treebanks")
    )
    assert table.cell_text(printed.cells[1], 1) == "29.3"
    assert printed.cells[1].value == published.average
    assert recomputed.cells[1].value == pytest.approx(sum(test_sets) / 2)
    assert printed.published
    assert recomputed.published
    assert any("averages that the paper prints" in note for note in table.notes)
    (long_table,) = (
        one
        for one in tree_tables(replace(measured, frames=frames), "dependencies")
        if str(one.spec) == "uas"
    )
    (note,) = (one for one in long_table.to_table().notes if "DMVu 29.3" in one)
    assert note.endswith("; those in the table are recomputed over its treebanks")


def test_what_tags_types_is_named(measured):
    (note,) = (one for one in summary_tables(measured)[0].notes if "one tag per word type" in one)
    assert "brown (u), dmv over brown (u)" in note
    assert note.endswith("; one tag per token: content-chain")
    (row, *_) = (row for one in tag_tables(measured)["u"] for row in one.systems)
    (mixed,) = note_on_types([row, replace(row, system="mine", method="hmm", settings={})])
    assert mixed.endswith("; one tag per token: mine")


def test_kinds_of_supervision_stand_apart(measured):
    (table,) = (one for one in tree_tables(measured, "dependencies") if str(one.spec) == "uas")
    kinds = dict(table.groups)
    assert list(kinds) == ["unsupervised", "universal rules", "dev-tuned"]
    assert [row.system for row in kinds["dev-tuned"]] == ["unambiguity, tuned"]


def test_figure_1_is_drawn_of_one_treebank_and_of_all(measured):
    figures = length_figures(measured)
    assert [figure.name for figure in figures] == ["figure-1-svo", "figure-1-average"]
