"""A drawing with a title, and the pieces of SVG that all charts have in common."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from treegauge.reports.charts.style import STANDALONE_STYLE, TEXT_SIZE, TITLE_SIZE
from treegauge.reports.palette import LIGHT, MARKS, Look
from treegauge.reports.text_widths import text_width

WIDTH = 560.0
"""How wide charts are where nothing in them needs more room: two stand side by side."""

_WIDE = 700.0
"""A chart that is wider has a row of a page for itself."""

_MARGIN = 12.0
_SMALLEST = 0.875
"""How far a page may shrink a drawing: texts of 16 pixels then have 14."""


@dataclass(frozen=True)
class Figure:
    """A drawing with a title, and in words what it shows.

    A notebook shows it, a page puts it into a card that it fills, and `save_figure` writes it.
    """

    name: str
    """For files: letters, digits and hyphens."""
    title: str
    description: str
    width: float
    height: float
    body: str
    kind: str = "figure"

    def to_svg(self, *, inline: bool = False) -> str:
        """Return the drawing: for a page that has the style sheet, or as a file of its own."""
        width, height = (number(size + 2 * _MARGIN) for size in (self.width, self.height))
        corner = number(-_MARGIN)
        box = f'viewBox="{corner} {corner} {width} {height}"'
        if inline:
            least = number((self.width + 2 * _MARGIN) * _SMALLEST)
            box += f' style="width:100%;height:auto;min-width:min({least}px,150vw)"'
        else:
            box += f' width="{width}" height="{height}"'
        style = "tg-fig wide" if self.width > _WIDE else "tg-fig"
        head = f'<svg xmlns="http://www.w3.org/2000/svg" class="{style}" {box} role="img"'
        label = f' aria-label="{escape(f"{self.title}. {self.description}")}">'
        if inline:
            return f"{head}{label}{self.body}</svg>"
        paper = (
            f'<rect x="{corner}" y="{corner}" width="{width}" height="{height}" '
            f'fill="{LIGHT["paper"]}"/>'
        )
        return f"{head}{label}<style>{STANDALONE_STYLE}</style>{paper}{self.body}</svg>\n"

    def _repr_svg_(self) -> str:
        """Return what a notebook shows."""
        return self.to_svg()


@dataclass(frozen=True)
class Point:
    """A value with its interval; shares are in per cent."""

    value: float | None
    low: float | None = None
    high: float | None = None
    tooltip: str = ""
    """What a reader sees who points at it."""


def file_name(*words: str) -> str:
    """Return a name for files.

    >>> file_name("UAS@10", "by edge length")
    'uas-10-by-edge-length'
    """
    return re.sub(r"[^0-9a-z]+", "-", " ".join(words).lower()).strip("-") or "figure"


def wrapped(text: str, width: float, size: float = TEXT_SIZE) -> list[str]:
    """Return a text in lines that are no wider than that, as far as words allow.

    >>> wrapped("one two three", 80)
    ['one two', 'three']
    """
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]


def heading(title: str, subtitles: Sequence[str], width: float) -> tuple[str, float]:
    """Return a title with lines below it, and where they end."""
    # A bold text is a little wider.
    lines = [(line, "t", 26.0) for line in wrapped(title, width / 1.06, TITLE_SIZE)]
    for subtitle in subtitles:
        if subtitle:
            lines += [(line, "soft", 22.0) for line in wrapped(subtitle, width)]
    parts, y = [], -4.0
    for line, style, height in lines:
        y += height
        parts.append(text_at(0, y, line, style))
    return "".join(parts), y + 8


def text_at(x: float, y: float, text: str, style: str = "") -> str:
    """Return a text; `e` among its classes ends it at the place, `m` puts its middle there."""
    classes = f' class="{style}"' if style else ""
    return f'<text{classes} x="{number(x)}" y="{number(y)}">{escape(text)}</text>'


def mark(look: Look, x: float, y: float, tooltip_text: str = "") -> str:
    """Return the mark of a name at a place."""
    path = MARKS[look.mark].format(x=number(x), y=number(y))
    return f'<path class="{look.fill}" stroke-width="0" d="{path}">{tooltip(tooltip_text)}</path>'


def tooltip(text: str) -> str:
    """Return what a reader sees who points at the element around it."""
    return f"<title>{escape(text)}</title>" if text else ""


def number(value: float) -> str:
    """Return a coordinate."""
    return f"{value:.1f}".removesuffix(".0")
