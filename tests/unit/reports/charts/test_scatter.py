from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from treegauge.reports.charts import Palette, Spot, scatter_chart


def parsed(figure):
    return ET.fromstring(figure.to_svg())


def scatter(spots, **options):
    return scatter_chart("n", "t", x_title="x", y_title="y", spots=spots, **options)


def test_all_points_have_names_inside_the_figure_however_crowded():
    spots = [Spot(f"a long name {i}", 50 + i / 10, 50 + i / 10) for i in range(25)]
    figure = scatter(spots)
    assert figure.body.count("<circle") == 25
    places = re.findall(r'<text class="small name" x="(\S+)" y="(\S+)">a long name', figure.body)
    assert len(places) == 25
    assert all(0 < float(x) < figure.width and 0 < float(y) < figure.height for x, y in places)


def test_groups_have_colours_marks_and_a_legend():
    spots = [Spot("a", 1, 1, group="genuine"), Spot("b", 2, 2, group="converted")]
    figure = scatter(spots)
    palette = Palette.in_order(["genuine", "converted"])
    for group in ("genuine", "converted"):
        # Once in the plot, once in the legend.
        assert figure.body.count(f'<path class="{palette[group].fill}"') == 2
        assert f">{group}<" in figure.body
    assert palette["genuine"].mark != palette["converted"].mark


def test_values_have_shades_and_a_scale():
    figure = scatter([Spot("a", 1, 1, value=-8.0), Spot("b", 2, 2, value=4.0)], value_title="Δ")
    assert ">Δ<" in figure.body
    assert [f">{end}<" in figure.body for end in ("−8", "0", "+8")] == [True] * 3


def test_the_name_of_a_triangle_does_not_touch_it():
    figure = scatter([Spot(name, i, i, value=i - 2.5) for i, name in enumerate("abcde")])
    triangles = re.findall(r"translate\((\S+) \S+\)", figure.body)
    (name,) = re.findall(r'<text class="small name" x="(\S+)" y="\S+">c<', figure.body)
    # The triangle reaches 8.25 to each side, the name has a gap of 3.
    assert float(name) - float(triangles[2]) == pytest.approx(12)


def test_the_trend_is_the_line_of_least_squares():
    spots = [Spot("", x, 2 * x + 1) for x in (0.0, 1.0, 2.0)]
    path = re.search(
        r'class="axis" stroke-dasharray="6 5" d="(\S+ \S+L\S+ \S+)"',
        scatter(spots, trend=True).body,
    )
    assert path is not None
    ends = [tuple(map(float, end.split())) for end in path[1][1:].split("L")]
    circles = re.findall(r'cx="(\S+)" cy="(\S+)"', scatter(spots).body)
    places = sorted(tuple(map(float, circle)) for circle in circles)
    assert sorted(ends) == [places[0], places[-1]]


def test_points_of_a_system_have_its_colour():
    palette = Palette(["ours", "theirs"])
    body = scatter([Spot("theirs", 1, 1), Spot("ours", 2, 2)], palette=palette).body
    assert re.findall(r'<circle class="(c\d)"', body) == [
        palette["theirs"].fill,
        palette["ours"].fill,
    ]


@pytest.mark.parametrize("values", [[], [0.0], [50.0, 50.0], [-3.0, 2.0], [1e-9, 1e9]])
def test_axes_bear_any_numbers(values):
    spots = [Spot(str(i), value, value) for i, value in enumerate(values)]
    for options in ({}, {"logarithmic": True}, {"diagonal": True}, {"trend": True}):
        figure = scatter(spots, **options)
        parsed(figure)
        assert "nan" not in figure.body
