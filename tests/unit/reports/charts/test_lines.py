from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from treegauge.reports.charts import Palette, Point, curve_chart, line_chart

SVG = "{http://www.w3.org/2000/svg}"


def lines(series, **options):
    return line_chart(
        "name",
        "Title & more",
        x_title="x",
        y_title="y",
        categories=["1", "2", "root"],
        series={
            name: {c: Point(v, tooltip=f"{name} {c}: {v}") for c, v in points.items()}
            for name, points in series.items()
        },
        **options,
    )


def parsed(figure):
    return ET.fromstring(figure.to_svg())


def paths(figure):
    """Return the places of every line that is no sample of the legend."""
    found = [p.get("d") for p in parsed(figure).iter(f"{SVG}path") if "l c" in p.get("class", "")]
    return [
        [tuple(map(float, place.split())) for place in d[1:].split("L")]
        for d in found
        if "h" not in d
    ]


def test_a_line_goes_where_the_values_are():
    ((_, low), (_, high)) = paths(lines({"<ours>": {"1": 0.0, "2": 100.0, "root": 50.0}}))[0]
    # From 0 to 100 over the whole height, upwards; the root is no part of the line.
    assert low - high == pytest.approx(320)


def test_everything_with_a_value_says_it():
    figure = lines({"a": {"1": 10.0, "2": 20.0}, "b": {"1": 30.0}})
    titles = [title.text for title in parsed(figure).iter(f"{SVG}title")]
    assert titles == ["a 1: 10.0", "a 2: 20.0", "b 1: 30.0"]


def test_many_lines_all_look_different():
    figure = lines({f"s{i}": {"1": float(i), "2": float(i)} for i in range(30)})
    looks = re.findall(r'class="l (c\d+ d\d)" d="M\S+ \S+L', figure.body)
    assert len(looks) == len(set(looks)) == 30


def test_a_palette_says_what_a_line_looks_like_whatever_is_beside_it():
    palette = Palette(["a", "b", "c"])
    for series in ({"b": {"1": 1.0, "2": 2.0}}, {n: {"1": 1.0, "2": 2.0} for n in "cba"}):
        assert f'class="l {palette["b"].line}"' in lines(series, palette=palette).body


def test_names_of_categories_are_slanted_where_they_would_collide_and_all_are_there():
    names = [f"a long category {i}" for i in range(40)]
    figure = line_chart(
        "n", "t", x_title="x", y_title="y", categories=names, series={"a": {names[0]: Point(1.0)}}
    )
    places = re.findall(r"translate\((\S+) \S+\) rotate\(-45\)\">a long category", figure.body)
    assert len(places) == 40
    gaps = [float(b) - float(a) for a, b in pairwise(places)]
    # Lines of text at 45 degrees are apart by their height.
    assert min(gaps) * 0.7 >= 16
    assert all(float(place) <= figure.width for place in places)


def test_panels_share_their_axes_and_the_looks_of_names():
    curve = [(0.0, Point(0.0, 0.0, 10.0)), (10.0, Point(100.0, 90.0, 100.0))]
    figure = curve_chart(
        "n", "t", x_title="x", y_title="y", panels={"one": {"a": curve}, "two": {"a": curve}}
    )
    one, two = paths(figure)
    assert [y for _, y in one] == [y for _, y in two]
    assert {b[0] - a[0] for a, b in zip(one, two, strict=True)} == {440.0}
    assert figure.body.count('class="band') == 2
    texts = [element.text for element in parsed(figure).iter(f"{SVG}text")]
    assert texts.count("one") == texts.count("two") == texts.count("a") == 1


def test_a_level_is_a_line_across_even_outside_the_values():
    figure = curve_chart(
        "n", "t", x_title="x", y_title="y", panels={"": {"a": [(1, Point(5.0))]}}, levels=[50.0]
    )
    assert 'stroke-dasharray="6 5"' in figure.body
    assert ">50<" in figure.body


def test_a_logarithmic_axis_has_no_place_for_zero():
    curve = [(0.0, Point(1.0)), (1.0, Point(2.0)), (100.0, Point(3.0))]
    figure = curve_chart(
        "n", "t", x_title="x", y_title="y", panels={"": {"a": curve}}, logarithmic=True
    )
    assert len(paths(figure)[0]) == 2


def test_nothing_to_draw_is_an_empty_figure():
    parsed(lines({}))
    parsed(curve_chart("n", "t", x_title="x", y_title="y", panels={}))
