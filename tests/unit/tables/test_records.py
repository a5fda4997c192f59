from __future__ import annotations

from tests.unit.tables.test_table import SCORES
from treegauge.tables import Cell, Column, Table, from_records
from treegauge.tables.records import records


def test_records_are_rows_of_data() -> None:
    first = records(SCORES)[0]
    assert first == {
        "group": "x & y",
        "name": "a",
        "uas": 0.5,
        "uas_low": 0.4,
        "uas_high": 0.6,
        "uas_n": 10,
        "words": 12345,
    }
    assert all(list(record) == list(first) for record in records(SCORES))


def test_another_layout_for_data_is_taken() -> None:
    turned = Table(["metric", "a"], [["UAS", 0.5]], data=Table(["system", "uas"], [["a", 0.5]]))
    assert records(turned) == [{"system": "a", "uas": 0.5}]


def test_what_is_no_number_is_missing() -> None:
    assert records(Table(["a"], [[float("nan")]])) == [{"a": None}]


def test_a_frame_has_the_same_columns_and_values() -> None:
    frame = SCORES.to_polars()
    assert frame.to_dicts() == records(SCORES)
    assert Table(("a", "b"), []).to_polars().columns == ["a", "b"]


def test_a_table_is_read_back_from_its_records() -> None:
    made = Table(["system", "uas"], [["a", Cell(0.5, 0.4, 0.6, n=10)], ["b", Cell(0.25, n=10)]])
    columns = ["system", Column("UAS", "uas")]
    again = from_records(columns, made.to_polars().to_dicts(), title="T", notes=["how"])
    assert records(again) == records(made)
    assert (again.columns[1].title, again.title, again.notes) == ("UAS", "T", ("how",))
    ranked = from_records(columns, [{**records(made)[0], "uas_remark": "1"}])
    assert ranked.cell_text(ranked.rows[0].cells[1], 1) == "0.50 [0.40, 0.60] (1)"


def test_json_has_title_rows_and_notes() -> None:
    document = SCORES.to_dict()
    assert document["title"] == "T"
    assert document["notes"] == ["[1] why", "how"]
    assert document["rows"] == records(SCORES)


def test_p_values_and_published_figures_are_numbers_beside_the_value() -> None:
    table = Table(
        ["", "rho"],
        [["a", Cell(0.5, 0.1, 0.8, p=0.02, published=0.4)], ["b", Cell(0.6, p=0.0002)]],
    )
    assert [table.cell_text(row.cells[1], 1) for row in table.rows] == [
        "0.50 [0.10, 0.80], p = 0.020 (0.40)",
        "0.60 p < 0.001",
    ]
    first, second = records(table)
    assert (first["rho_p"], first["rho_published"]) == (0.02, 0.4)
    assert (second["rho_p"], second["rho_published"]) == (0.0002, None)
