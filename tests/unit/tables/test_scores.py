from __future__ import annotations

import pytest

from treegauge.tables import (
    NUMBER,
    Cell,
    ColumnsError,
    MetricHead,
    Scores,
    SystemHead,
    choose_columns,
)

UAS, VI = MetricHead("uas", "UAS"), MetricHead("vi", "VI", NUMBER, higher_is_better=False)
SYSTEMS = [
    SystemHead("dmv", "unsupervised"),
    SystemHead("dmv, published", "unsupervised", published=True),
    SystemHead("harmonic", "unsupervised"),
    SystemHead("malt", "supervised"),
]
VALUES = {"dmv": 0.3, "dmv, published": 0.9, "harmonic": 0.2, "malt": 0.8}


@pytest.fixture
def scores():
    cells = {
        (name, treebank, metric.key): Cell(value + k / 10, value, value + 0.2, n=10 * (k + 1))
        for name, value in VALUES.items()
        for k, treebank in enumerate(("en", "de"))
        for metric in (UAS, VI)
    }
    return Scores(SYSTEMS, ["en", "de"], [UAS, VI], cells)


def shown(table):
    return [[table.cell_text(c, j) for j, c in enumerate(row.cells)] for row in table.rows]


def test_systems_in_rows_give_a_table_a_metric(scores):
    uas, vi = scores.tables("systems", title="Scores")
    assert [uas.title, vi.title] == ["Scores: UAS", "Scores: VI ↓"]
    assert [column.title for column in uas.columns] == ["", "en", "de"]
    assert [column.below for column in uas.columns] == ["", "n = 10", "n = 20"]
    assert shown(uas)[0] == ["dmv", "30.00 [30.00, 50.00]", "40.00 [30.00, 50.00]"]
    assert shown(vi)[0][1] == "0.30 [0.30, 0.50]"
    assert [row.group for row in uas.rows] == [*["unsupervised"] * 3, "supervised"]
    assert [row.published for row in uas.rows] == [False, True, False, False]


def test_metrics_in_rows_give_a_table_a_treebank(scores):
    en, de = scores.tables("metrics", sizes=True, notes=["a note"])
    assert [en.title, de.title] == ["en", "de"]
    assert [column.title for column in en.columns] == ["", *VALUES, "n"]
    assert [row.cells[0].value for row in en.rows] == ["UAS", "VI ↓"]
    assert [row[-1] for row in shown(de)] == ["20", "20"]
    assert shown(en)[1][1].startswith("0.30")
    assert "supervised: malt" in en.notes
    assert "a note" not in en.notes
    assert de.notes[-1] == "a note"


def test_treebanks_in_rows(scores):
    uas, _ = scores.tables("treebanks", sizes=True)
    assert [row.cells[0].value for row in uas.rows] == ["en", "de"]
    assert [row[-1] for row in shown(uas)] == ["10", "20"]


def test_where_there_is_one_treebank_systems_have_metrics_beside_them(scores):
    (table,) = scores.only(treebanks=["de"]).tables("systems")
    assert [column.key for column in table.columns] == ["name", "uas", "vi"]
    assert table.title == ""
    (table,) = scores.only(systems=["malt"]).tables("treebanks", "metrics")
    assert shown(table)[0][1:] == ["80.00 [80.00, 100.00]", "0.80 [0.80, 1.00]"]


def test_the_best_is_sought_among_ours_of_one_kind(scores):
    marked = scores.with_best()
    assert {place for place, cell in marked.cells.items() if cell.best} == {
        ("dmv", "en", "uas"), ("dmv", "de", "uas"), ("harmonic", "en", "vi"),
        ("harmonic", "de", "vi"),
    }  # fmt: skip
    some = scores.with_best(lambda *about: about[1:] == ("en", "uas"))
    assert [place for place, cell in some.cells.items() if cell.best] == [("dmv", "en", "uas")]


@pytest.mark.parametrize("rows", ["systems", "metrics", "treebanks"])
def test_data_are_the_same_whichever_way_tables_are_turned(scores, rows):
    tables = scores.tables(rows)
    frame = tables[0].without_intervals().to_polars()
    assert frame.columns[:5] == ["system", "treebank", "uas", "uas_low", "uas_high"]
    assert frame.rows()[0] == ("dmv", "en", 0.3, 0.3, 0.5, 10, 0.3, 0.3, 0.5, 10)
    assert frame.height == 8
    assert all(table.data is tables[0].data for table in tables)


def test_joined_scores_keep_groups_together():
    ours, theirs = [SystemHead("a", "x"), SystemHead("b", "y")], [SystemHead("c", "x")]
    parts = [
        Scores(ours, ["t"], [UAS], {("a", "t", "uas"): Cell(1.0)}),
        Scores(theirs, ["t"], [VI], {("c", "t", "vi"): Cell(2.0)}),
    ]
    whole = Scores.joined(parts)
    assert [one.name for one in whole.systems] == ["a", "c", "b"]
    (table,) = whole.tables("systems", "metrics")
    assert shown(table) == [["a", "100.00", "–"], ["c", "–", "2.00"], ["b", "–", "–"]]


def test_choosing_columns(scores):
    tables = scores.tables("systems")
    first, _ = choose_columns(tables, ["DE", "en"])
    assert [column.title for column in first.columns] == ["", "de", "en"]
    assert first.data is tables[0].data
    with pytest.raises(ColumnsError, match=r"no table has a column 'den'; did you mean .*en"):
        choose_columns(tables, ["den"])
