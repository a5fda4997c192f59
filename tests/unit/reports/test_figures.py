from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest

from treegauge.evaluation import StratumScore
from treegauge.reports import (
    FigureError,
    draw,
    edge_length_figure,
    figure_format,
    figures as module,
)

pytest.importorskip("altair", reason="figures need the extra `figures`")
pytest.importorskip("vl_convert", reason="figures need the extra `figures`")


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


def specification(systems, **options) -> dict:
    return edge_length_figure(systems, metric="UAS", **options).to_dict()


def drawn_rows(found: dict) -> list[dict]:
    return found["datasets"][found["data"]["name"]]


def test_lengths_up_to_nine_are_drawn_in_per_cent_and_root_edges_are_not():
    assert drawn_rows(specification({"ours": OURS, "others": OTHERS})) == [
        {"system": "ours", "length": 1, "value": 75.0, "low": 50.0, "high": 100.0},
        {"system": "ours", "length": 2, "value": 50.0, "low": 25.0, "high": 62.5},
        {"system": "ours", "length": 9, "value": 12.5, "low": 0.0, "high": 25.0},
        {"system": "others", "length": 1, "value": 50.0, "low": 50.0, "high": 50.0},
    ]


def test_intervals_are_bands_where_there_are_any():
    found = specification({"ours": OURS}, confidence=0.9)
    assert [layer["mark"]["type"] for layer in found["layer"]] == ["area", "line", "point"]
    assert found["title"]["subtitle"] == ["bands: 90% bootstrap intervals over sentences"]
    found = specification({"ours": [cell("1", 0.5)]})
    assert [layer["mark"]["type"] for layer in found["layer"]] == ["line", "point"]
    assert not found["title"]["subtitle"]


def test_axes_say_what_they_are():
    _, lines, _ = specification({"ours": OURS})["layer"]
    assert lines["encoding"]["y"]["title"] == "UAS (%)"
    assert lines["encoding"]["y"]["scale"]["domain"] == [0, 100]
    assert lines["encoding"]["x"]["title"] == "Length of the gold edge in words"
    assert lines["encoding"]["x"]["axis"]["values"] == [*range(1, 10)]


def test_thirty_systems_look_different_also_in_grey():
    systems = {f"system {i}": OURS for i in range(30)}
    _, lines, points = specification(systems)["layer"]
    colours, dashes, shapes = (
        [str(value) for value in encoding["scale"]["range"]]
        for encoding in (
            lines["encoding"]["color"],
            lines["encoding"]["strokeDash"],
            points["encoding"]["shape"],
        )
    )
    assert len({*zip(colours, dashes, strict=True)}) == 30
    assert len({*zip(dashes, shapes, strict=True)}) == 30
    assert lines["encoding"]["color"]["scale"]["domain"] == [*systems]


def test_colours_are_dark_enough_for_a_line_on_white():
    def luminance(colour: str) -> float:
        """Relative luminance as the Web Content Accessibility Guidelines define it."""
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    # Yellow, which Okabe and Ito have as well, is below 1.4.
    assert all(1.05 / (luminance(c) + 0.05) >= 2 for c in module._COLOURS)


@pytest.mark.parametrize("format", module.FIGURE_FORMATS)
def test_a_figure_is_a_file_of_its_kind(format):
    begins = {"svg": b"<svg", "pdf": b"%PDF", "png": b"\x89PNG"}
    content = draw(edge_length_figure({"a_b & <c>": OURS, "↓": OTHERS}, metric="UAS"), format)
    assert content.startswith(begins[format])
    if format == "svg":
        texts = [element.text for element in ET.fromstring(content).iter()]
        assert {"a_b & <c>", "↓", "UAS (%)", "UAS by edge length"} <= {*texts}


def test_nothing_to_draw_is_an_empty_figure():
    assert draw(edge_length_figure({"ours": []}, metric="UAS"), "svg").startswith(b"<svg")


def test_the_extension_says_what_kind_of_figure():
    assert figure_format("a.b/lengths.PDF") == "pdf"
    for name in ("lengths.jpeg", "lengths", "svg"):
        with pytest.raises(FigureError, match=r"which kind of figure\? .* \.svg, \.pdf, \.png$"):
            figure_format(name)


@pytest.mark.parametrize("missing", ["altair", "vl_convert"])
def test_a_missing_package_is_named_with_what_to_install(monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(FigureError, match=f"need {missing}.*\n.*pip install 'treegauge.figures.'"):
        edge_length_figure({"ours": OURS}, metric="UAS")


def test_reports_load_nothing_to_draw_with_before_something_is_drawn():
    code = (
        "import sys, treegauge.reports\n"
        "print([m for m in ('altair', 'vl_convert') if m in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert loaded.stdout == "[]\n"
