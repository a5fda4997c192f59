from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from treegauge.reports.charts import Bar, Palette, Point, bar_chart

SVG = "{http://www.w3.org/2000/svg}"


def rectangles(figure, style="c0"):
    svg = ET.fromstring(figure.to_svg())
    return [
        (float(r.get("x")), float(r.get("width")))
        for r in svg.iter(f"{SVG}rect")
        if r.get("class") == style
    ]


def test_bars_begin_at_zero_and_are_as_long_as_their_values():
    bars = [Bar("a", Point(20.0), "20.00"), Bar("b", Point(40.0, 35.0, 45.0), "40.00")]
    (_, first), (_, second) = rectangles(bar_chart("n", "t", x_title="x", groups={"": bars}))
    assert second == pytest.approx(2 * first, abs=0.2)  # places have one digit


def test_negative_bars_go_to_the_left_of_zero():
    bars = [Bar("a", Point(-20.0), "-20"), Bar("b", Point(20.0), "20")]
    (left, first), (zero, second) = rectangles(bar_chart("n", "t", x_title="x", groups={"": bars}))
    assert left + first == pytest.approx(zero, abs=0.1)
    assert first == pytest.approx(second, abs=0.1)


def test_a_palette_gives_every_system_its_colour():
    palette = Palette(["ours", "theirs"])
    bars = [Bar(name, Point(50.0), "50") for name in ("theirs", "ours")]
    body = bar_chart("n", "t", x_title="x", groups={"": bars}, palette=palette).body
    assert re.findall(r'<rect class="(c\d)"', body) == [
        palette["theirs"].fill,
        palette["ours"].fill,
    ]


def test_a_long_name_stands_above_its_bar_and_inside_the_figure():
    bars = [Bar("a system with a name that is much too long for its row", Point(5.0), "5")]
    figure = bar_chart("n", "t", x_title="x", groups={"": bars})
    assert f">{bars[0].label}<" in figure.body
    assert figure.width == 560
    (left, _) = rectangles(figure)[0]
    assert left < 20


def test_dots_and_published_figures_have_tooltips():
    bar = Bar("a", Point(5.0), "5", [(4.0, "on da")], [(6.0, "in the paper")])
    body = bar_chart("n", "t", x_title="x", groups={"": [bar]}).body
    assert "<title>on da</title>" in body
    assert "<title>in the paper</title>" in body
