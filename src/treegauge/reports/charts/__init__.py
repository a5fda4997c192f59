"""The chart engine of pages, papers and `--figure`: our own SVG, which needs no other package."""

from treegauge.reports.charts.bars import Bar, bar_chart
from treegauge.reports.charts.figure import Figure, Point, file_name
from treegauge.reports.charts.heat import OTHER, folded, heat_map
from treegauge.reports.charts.lines import Curve, curve_chart, line_chart
from treegauge.reports.charts.scatter import Spot, scatter_chart
from treegauge.reports.charts.style import STANDALONE_STYLE, STYLE
from treegauge.reports.palette import Palette

__all__ = [
    "OTHER",
    "STANDALONE_STYLE",
    "STYLE",
    "Bar",
    "Curve",
    "Figure",
    "Palette",
    "Point",
    "Spot",
    "bar_chart",
    "curve_chart",
    "file_name",
    "folded",
    "heat_map",
    "line_chart",
    "scatter_chart",
]
