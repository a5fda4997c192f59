from __future__ import annotations

import io
import zipfile

import pytest

from treegauge.reports.spreadsheet import to_xlsx
from treegauge.tables import Table

pytest.importorskip("xlsxwriter", reason="needs the extra `excel`")


def parts(tables: list[Table]) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(to_xlsx(tables))) as book:
        return {name: book.read(name).decode() for name in book.namelist() if "xml" in name}


def test_what_looks_like_a_formula_stays_a_text():
    sheet = parts([Table(["name", "n"], [["=1+1", 2], ["http://x", None]])])
    assert "<f>" not in sheet["xl/worksheets/sheet1.xml"]
    assert "=1+1" in sheet["xl/sharedStrings.xml"]
    assert "xl/worksheets/_rels/sheet1.xml.rels" not in sheet


def test_sheets_have_names_that_spreadsheets_allow():
    title = "UAS [all] by relation/direction, which is a long title"
    book = parts(
        [Table(["n"], [[1]], title=title), Table(["n"], [[1]], title=title), Table(["n"], [])]
    )
    assert 'name="1 UAS all by relation direction"' in book["xl/workbook.xml"]
    assert 'name="3"' in book["xl/workbook.xml"]


def test_the_same_tables_give_the_same_bytes():
    tables = [Table(["n"], [[1.5]])]
    assert to_xlsx(tables) == to_xlsx(tables)


def test_numbers_that_no_spreadsheet_holds_are_empty():
    sheet = parts([Table(["n"], [[float("nan")], [float("inf")]])])
    assert "<v>0</v>" in sheet["xl/worksheets/sheet1.xml"]  # the head, a shared text
    assert "NUM" not in sheet["xl/worksheets/sheet1.xml"]
