"""Figures as files: SVG without any other package, PNG and PDF with the extra `figures`."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Any

from treegauge.reports.charts import Figure
from treegauge.reports.errors import FigureError

FIGURE_FORMATS = ("svg", "pdf", "png")
"""What figures can be saved as."""

_PIXELS_A_POINT = 3
"""How many pixels of a PNG make a point of the drawing: sharp on a projector."""


def figure_format(path: str | Path) -> str:
    """Return what a figure is saved as, by the extension of its file.

    >>> figure_format("lengths.svg")
    'svg'
    """
    extension = PurePath(path).suffix.lower().removeprefix(".")
    if extension not in FIGURE_FORMATS:
        known = ", ".join(f".{name}" for name in FIGURE_FORMATS)
        raise FigureError(f"{path}: which kind of figure? the extension is one of {known}")
    return extension


def save_figure(figure: Figure, path: str | Path) -> None:
    """Write a figure as what the extension of its file says: .svg, .pdf or .png.

    Raises
    ------
    FigureError
        Where the extension is another one, or a package is missing for it.
    """
    from treegauge.formats import write_chunks

    write_chunks(path, [figure_content(figure, figure_format(path))])


def figure_content(figure: Figure, format: str) -> bytes:
    """Return a figure as the content of a file: `svg`, `pdf` or `png`."""
    svg = figure.to_svg()
    if format == "svg":
        return svg.encode()
    converter = _converter(format)
    if format == "pdf":
        return bytes(converter.svg_to_pdf(svg))
    return bytes(converter.svg_to_png(svg, scale=_PIXELS_A_POINT))


def _converter(format: str) -> Any:
    try:
        import vl_convert
    except ImportError:
        raise FigureError(
            f"{format.upper()} needs vl-convert-python, which is not installed\n"
            "  install it with pip install 'treegauge[figures]'; SVG needs nothing"
        ) from None
    return vl_convert
