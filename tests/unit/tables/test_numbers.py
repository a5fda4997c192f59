"""How numbers are shown."""

from __future__ import annotations

from treegauge.tables import OUT_OF, P_VALUE, Cell, Column, NumberFormat, Table


def test_counts_out_of_n_stay_numbers():
    table = Table([Column("P@1", format=OUT_OF)], [[Cell(14.0, n=25)], [Cell(1.5, n=2)], [None]])
    assert [table.cell_text(row.cells[0], 0) for row in table.rows] == ["14/25", "1.5/2", "–"]
    assert table.to_tsv() == "p@1\tp@1_n\n14.0\t25\n1.5\t2\n\t\n"


def test_a_p_value_is_never_zero() -> None:
    assert NumberFormat(decimals=4, kind="p").show(0.00001) == "<0.0001"
    assert [P_VALUE.show(p) for p in (0.0, 0.001, 0.0381)] == ["<0.001", "0.001", "0.038"]
