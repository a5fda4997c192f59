"""What can go wrong in a report."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class FigureError(TreegaugeError):
    """A figure or a tree cannot be drawn.

    Examples
    --------
    >>> import treegauge as tg
    >>> drawing = tg.draw(tg.toy_treebank(tokens=100))
    >>> try:
    ...     drawing.save("tree.png")
    ... except FigureError as error:
    ...     print(str(error).partition("\\n")[0])
    a tree is drawn as .txt, .svg, .tex or .html, not .png
    """


class SpreadsheetError(TreegaugeError):
    """A workbook cannot be written."""
