from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from treegauge.reports.charts import (
    OTHER,
    Bar,
    Point,
    Spot,
    bar_chart,
    folded,
    heat_map,
    line_chart,
    scatter_chart,
)

SVG = "{http://www.w3.org/2000/svg}"


def lines(series):
    return line_chart(
        "name",
        "Title & more",
        x_title="x",
        y_title="y",
        categories=["1", "2", "root"],
        series={
            name: {c: Point(v, said=f"{name} {c}: {v}") for c, v in points.items()}
            for name, points in series.items()
        },
    )


def parsed(figure):
    return ET.fromstring(figure.to_svg())


def test_a_line_goes_where_the_values_are():
    figure = lines({"<ours>": {"1": 0.0, "2": 100.0, "root": 50.0}})
    path = next(p for p in parsed(figure).iter(f"{SVG}path") if p.get("class", "").startswith("l "))
    (_, low), (_, high) = (map(float, place.split()) for place in path.get("d")[1:].split("L"))
    # From 0 to 100 over the whole height, upwards; the root is no part of the line.
    assert low - high == pytest.approx(290)


def test_everything_with_a_value_says_it():
    figure = lines({"a": {"1": 10.0, "2": 20.0}, "b": {"1": 30.0}})
    titles = [title.text for title in parsed(figure).iter(f"{SVG}title")]
    assert titles == ["a 1: 10.0", "a 2: 20.0", "b 1: 30.0"]


def test_many_lines_all_look_different():
    figure = lines({f"s{i}": {"1": float(i), "2": float(i)} for i in range(30)})
    looks = re.findall(r'class="l (c\d d\d)" d="M\S+ \S+L', figure.body)
    assert len(looks) == len(set(looks)) == 30


def test_bars_begin_at_zero_and_are_as_long_as_their_values():
    bars = [Bar("a", Point(20.0), "20.00"), Bar("b", Point(40.0, 35.0, 45.0), "40.00")]
    figure = bar_chart("n", "t", x_title="x", groups={"": bars})
    widths = [
        float(r.get("width")) for r in parsed(figure).iter(f"{SVG}rect") if r.get("class") == "c0"
    ]
    assert widths[1] == pytest.approx(2 * widths[0], abs=0.1)


def test_names_of_points_never_cover_each_other():
    spots = [Spot(f"a long name {i}", 50 + i / 10, 50 + i / 10) for i in range(25)]
    figure = scatter_chart("n", "t", x_title="x", y_title="y", spots=spots)
    assert figure.body.count("<circle") == 25
    named = re.findall(
        r'<text class="small( e| m|)" x="(\S+)" y="(\S+)">(a long[^<]+)<', figure.body
    )
    from treegauge.reports.trees.widths import text_width

    boxes = []
    for anchor, x, y, text in named:
        wide = text_width(text, 11.5)
        left = float(x) - {"": 0, " e": wide, " m": wide / 2}[anchor]
        boxes.append((left, left + wide, float(y) - 11, float(y) + 3))
    assert 0 < len(boxes) < 25
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            apart = a[1] <= b[0] + 0.2 or b[1] <= a[0] + 0.2
            assert apart or a[3] <= b[2] + 0.2 or b[3] <= a[2] + 0.2


def test_a_heat_map_counts_every_word_once():
    counts = {(f"g{i}", f"s{j}"): i * 7 + j + 1 for i in range(30) for j in range(30)}
    rows, columns, table = folded(counts, 10)
    assert sum(table.values()) == sum(counts.values())
    assert len(rows) == 11
    assert rows[-1] == columns[-1] == OTHER
    figure = heat_map("n", "t", counts=counts, most=10)
    told = [
        int(n.replace(",", "")) for n in re.findall(r": ([\d,]+) words?, [\d.]+%", figure.to_svg())
    ]
    assert sum(told) == sum(counts.values())


def test_a_file_has_colours_and_a_page_has_names_of_colours():
    figure = lines({"a": {"1": 1.0}})
    assert "var(" not in figure.to_svg()
    assert "#0072b2" in figure.to_svg()
    assert "<style>" not in figure.to_svg(inline=True)
    assert "Title &amp; more" in figure.to_svg(inline=True)


@pytest.mark.parametrize("values", [[], [0.0], [50.0, 50.0], [-3.0, 2.0], [1e-9, 1e9]])
def test_axes_bear_any_numbers(values):
    spots = [Spot(str(i), value, value) for i, value in enumerate(values)]
    parsed(scatter_chart("n", "t", x_title="x", y_title="y", spots=spots))
    parsed(scatter_chart("n", "t", x_title="x", y_title="y", spots=spots, logarithmic=True))
    assert "nan" not in scatter_chart("n", "t", x_title="x", y_title="y", spots=spots).body
