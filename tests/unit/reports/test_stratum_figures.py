from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from treegauge.evaluation import StratumScore
from treegauge.reports import edge_length_figure

SVG = "{http://www.w3.org/2000/svg}"


def cell(stratum: str, value: float | None, low: float | None = None, high: float | None = None):
    return StratumScore(stratum, value, low, high, 10)


OURS = [
    cell("1", 0.75, 0.5, 1.0),
    cell("2", 0.5, 0.25, 0.625),
    cell("9", 0.125, 0.0, 0.25),
    cell("10+", 0.0625, 0.0, 0.125),
    cell("root", 0.875, 0.75, 1.0),
]
OTHERS = [cell("1", 0.5, 0.5, 0.5), cell("2", None)]


def texts(figure) -> list[str | None]:
    return [element.text for element in ET.fromstring(figure.to_svg()).iter(f"{SVG}text")]


def test_lengths_up_to_nine_are_drawn_in_per_cent_and_root_edges_are_not():
    figure = edge_length_figure({"ours": OURS, "others": OTHERS}, metric="UAS")
    tooltips = re.findall(r"<title>(\w+)\nlength (\S+): (\S+)\n", figure.body)
    assert tooltips == [
        ("ours", "1", "75.00"),
        ("ours", "2", "50.00"),
        ("ours", "9", "12.50"),
        ("others", "1", "50.00"),
    ]


def test_a_curve_has_the_height_of_its_values():
    figure = edge_length_figure({"ours": OURS}, metric="UAS")
    path = re.search(r'class="l c\d d\d" d="M(\S+ \S+)L(\S+ \S+)L(\S+ \S+)"', figure.body)
    assert path is not None
    heights = [float(place.split()[1]) for place in path.groups()]
    zero, hundred = (
        float(re.search(rf'y="(\S+)">{value}</text>', figure.body)[1]) for value in (0, 100)
    )
    per_cent = (zero - hundred) / 100
    assert heights[1] - heights[0] == pytest.approx(25 * per_cent, abs=0.2)
    assert heights[2] - heights[1] == pytest.approx(37.5 * per_cent, abs=0.2)


def test_intervals_are_bands_where_there_are_any():
    figure = edge_length_figure({"ours": OURS}, metric="UAS", confidence=0.9)
    assert figure.body.count('class="band') == 1
    assert "bands: 90% bootstrap intervals over sentences" in texts(figure)
    figure = edge_length_figure({"ours": [cell("1", 0.5)]}, metric="UAS")
    assert 'class="band' not in figure.body
    assert not any("bands" in (text or "") for text in texts(figure))


def test_axes_say_what_they_are():
    shown = texts(edge_length_figure({"a_b & <c>": OURS, "↓": OTHERS}, metric="UAS"))
    expected = {"UAS by edge length", "UAS (%)", "Length of the gold edge in words"}
    assert {*expected, "a_b & <c>", "↓", "0", "100", *map(str, range(1, 10))} <= {*shown}


def test_nothing_to_draw_is_an_empty_figure():
    assert edge_length_figure({"ours": []}, metric="UAS").to_svg().startswith("<svg")
