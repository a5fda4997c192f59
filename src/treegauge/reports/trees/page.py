"""Drawings on pages: a file of one drawing, and what a notebook shows."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from treegauge.reports.errors import FigureError
from treegauge.reports.trees.drawing import Drawing, drawing_of
from treegauge.reports.trees.svg import IN_THE_DARK, tree_svg
from treegauge.treebank import Sentence, Treebank

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; --tg-paper: Canvas; }}
body {{ margin: 1.5rem; font: 1rem/1.5 system-ui, sans-serif; background: Canvas;
  color: CanvasText; }}
h1 {{ font-size: 1.1rem; margin: 0 0 .2rem; }}
{style}</style>
</head>
<body>
<h1>{title}</h1>
<p dir="auto">{sentence}</p>
{drawing}</body>
</html>
"""

_SHOWN = 3
"""How many sentences of a treebank a notebook shows."""


def tree_page(drawing: Drawing) -> str:
    """Return a drawing as an HTML file."""
    return page_of(drawing.title, drawing.forms, scrollable(drawing))


def page_of(title: str, forms: Sequence[str], drawing: str) -> str:
    """Return an HTML file around what is drawn of a sentence."""
    return _PAGE.format(
        title=escape(title),
        style=IN_THE_DARK,
        sentence=escape(" ".join(forms)),
        drawing=drawing,
    )


def scrollable(drawing: Drawing) -> str:
    """Return a drawing for a place inside a page, to be scrolled if it is wider than that.

    A sentence that runs from right to left is scrolled from its right end.
    """
    direction = ' dir="rtl"' if drawing.right_to_left else ""
    return (
        f'<div class="tg-scroll" style="overflow-x: auto; max-width: 100%" tabindex="0"{direction}>'
        f"\n{tree_svg(drawing, inline=True)}</div>\n"
    )


def sentence_html(sentence: Sentence) -> str:
    """Return what a notebook shows for a sentence."""
    try:
        return scrollable(drawing_of(sentence))
    except FigureError as error:
        return f"<p>{escape(str(error))}</p>\n"


def treebank_html(treebank: Treebank) -> str:
    """Return what a notebook shows for a treebank: what there is of it, and how it begins."""
    name = f"<b>{escape(treebank.name)}</b>: " if treebank.name else ""
    parts = [f"<p>{name}{escape(treebank.summary)}</p>\n"]
    for sentence in treebank[:_SHOWN]:
        text = escape(str(sentence))
        if treebank.has_heads:
            parts.append(f'<details open=""><summary dir="auto">{text}</summary>\n')
            parts.append(f"{sentence_html(sentence)}</details>\n")
        else:
            parts.append(f'<p dir="auto">{text}</p>\n')
    if len(treebank) > _SHOWN:
        parts.append(f"<p>… and {len(treebank) - _SHOWN:,} more</p>\n")
    return "".join(parts)
