from __future__ import annotations

import re

from treegauge.reports.charts import OTHER, folded, heat_map


def test_a_heat_map_counts_every_word_once():
    counts = {(f"g{i}", f"s{j}"): i * 7 + j + 1 for i in range(30) for j in range(30)}
    rows, columns, table = folded(counts, 10)
    assert sum(table.values()) == sum(counts.values())
    assert len(rows) == 11
    assert rows[-1] == columns[-1] == OTHER
    figure = heat_map("n", "t", counts=counts, most=10)
    in_tooltips = [
        int(n.replace(",", "")) for n in re.findall(r": ([\d,]+) words?, [\d.]+%", figure.to_svg())
    ]
    assert sum(in_tooltips) == sum(counts.values())


def test_cells_have_numbers_rows_have_counts_and_shades_have_a_scale():
    figure = heat_map("n", "t", counts={("a", "a"): 750, ("a", "b"): 250, ("b", "b"): 1000})
    cells = re.findall(r'<text pointer-events="none" class="small m[^>]*>([^<]+)<', figure.body)
    assert cells == ["75", "25", "100"]
    assert figure.body.count(">1,000<") == 2
    for mark in ("1%", "50%", "100%", "the same", "another"):
        assert f">{mark}<" in figure.body


def test_a_cell_of_almost_nothing_is_not_zero():
    figure = heat_map("n", "t", counts={("a", "a"): 9999, ("a", "b"): 1})
    assert ">&lt;1<" in figure.body


def test_numbers_stand_out_from_their_shades():
    figure = heat_map("n", "t", counts={("a", "a"): 900, ("a", "b"): 100})
    assert re.search(r'class="small m light"[^>]*>90<', figure.body)
    assert re.search(r'class="small m"[^>]*>10<', figure.body)
