from __future__ import annotations

import re
from dataclasses import replace

from treegauge.reports.charts import Figure, file_name
from treegauge.reports.charts.figure import heading, wrapped
from treegauge.reports.charts.style import STYLE, TEXT_SIZE, TITLE_SIZE
from treegauge.reports.text_widths import text_width

FIGURE = Figure("name", "Title & more", "What it shows", 640, 400, '<path class="c0"/>')


def test_a_file_has_colours_and_a_page_has_names_of_colours():
    assert "var(" not in FIGURE.to_svg()
    assert "#0072b2" in FIGURE.to_svg()
    assert "<style>" not in FIGURE.to_svg(inline=True)
    assert "Title &amp; more" in FIGURE.to_svg(inline=True)


def test_a_figure_fills_its_card_and_keeps_its_text_legible():
    svg = FIGURE.to_svg(inline=True)
    assert 'viewBox="-12 -12 664 424"' in svg
    assert "width:100%" in svg
    least = float(re.search(r"min-width:min\(([\d.]+)px", svg)[1])
    assert least / 664 * TEXT_SIZE >= 14
    assert "wide" not in svg
    assert 'class="tg-fig wide"' in replace(FIGURE, width=900).to_svg(inline=True)
    sizes = [float(size) for size in re.findall(r"(?:font:|font-size:)([\d.]+)px", STYLE)]
    assert min(sizes) >= 14


def test_a_notebook_shows_it():
    assert FIGURE._repr_svg_() == FIGURE.to_svg()


def test_a_long_title_takes_several_lines_and_loses_no_word():
    title = " ".join(f"word{i}" for i in range(30))
    lines = wrapped(title, 300, TITLE_SIZE)
    assert " ".join(lines) == title
    assert all(text_width(line, TITLE_SIZE) <= 300 for line in lines)
    body, bottom = heading(title, ["below"], 300)
    assert bottom > 26 * len(lines)
    assert ">below<" in body


def test_names_of_files_have_letters_digits_and_hyphens():
    assert file_name("UAS@10", "by edge length") == "uas-10-by-edge-length"
    assert file_name("↓") == "figure"
