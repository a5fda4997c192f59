from __future__ import annotations

import subprocess
import sys

import pytest

from treegauge.reports import FigureError, figure_format, save_figure
from treegauge.reports.charts import Bar, Point, bar_chart
from treegauge.reports.figures import FIGURE_FORMATS, figure_content

FIGURE = bar_chart("n", "a_b & <c>", x_title="↓", groups={"": [Bar("a", Point(1.0), "1")]})


@pytest.mark.parametrize("format", FIGURE_FORMATS)
def test_a_figure_is_a_file_of_its_kind(format, tmp_path):
    if format != "svg":
        pytest.importorskip("vl_convert", reason="PNG and PDF need the extra `figures`")
    begins = {"svg": b"<svg", "pdf": b"%PDF", "png": b"\x89PNG"}
    save_figure(FIGURE, tmp_path / f"figure.{format.upper()}")
    content = (tmp_path / f"figure.{format.upper()}").read_bytes()
    assert content.startswith(begins[format])
    if format == "svg":
        assert content.decode() == FIGURE.to_svg()


def test_the_extension_says_what_kind_of_figure():
    assert figure_format("a.b/lengths.PDF") == "pdf"
    for name in ("lengths.jpeg", "lengths", "svg"):
        with pytest.raises(FigureError, match=r"which kind of figure\? .* \.svg, \.pdf, \.png$"):
            figure_format(name)


@pytest.mark.parametrize("format", ["png", "pdf"])
def test_a_missing_package_is_named_with_what_to_install(monkeypatch, format):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(FigureError, match=f"{format.upper()} needs vl-convert.*\n.*pip install"):
        figure_content(FIGURE, format)


def test_svg_needs_no_other_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    assert figure_content(FIGURE, "svg").startswith(b"<svg")


def test_reports_load_nothing_to_draw_with_before_something_is_drawn():
    code = "import sys, treegauge.reports\nprint('vl_convert' in sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert loaded.stdout == "False\n"
