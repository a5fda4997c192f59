"""Drawings for papers: a TikZ picture that needs the package `tikz` and nothing else.

Scripts beyond Latin need fonts: compile such a picture with LuaLaTeX or XeLaTeX and a font
that has them.
"""

from __future__ import annotations

from collections.abc import Iterable

from treegauge.reports.latex import latex
from treegauge.reports.trees.drawing import Drawing, Verdict
from treegauge.reports.trees.layout import ABOVE_LINE, PlacedArc, Side, laid_out
from treegauge.reports.trees.svg import (
    COLOURS,
    LEGEND,
    OTHER_RELATION,
    check_number_of_trees,
)

_SCALE = 0.62
"""Points for a pixel: words of 15 pixels become those of a text of 10 points."""

_WORDS, _TAG = 11.0, 8.0
"""Heights of the row of words and of the row of tags, in points."""

_STYLES = {
    Verdict.PLAIN: "draw=black!75",
    Verdict.RIGHT: "draw=tgright",
    Verdict.FLIPPED: "draw=tgflipped, dashed, semithick",
    Verdict.WRONG: "draw=tgwrong, densely dotted, thick",
}


def tree_tikz(drawing: Drawing) -> str:
    """Return a drawing of one tree, or of gold and a system, as a TikZ picture.

    Raises
    ------
    FigureError
        If there are several systems, which do not fit around one row of words.
    """
    check_number_of_trees(drawing)
    layout = laid_out(drawing)
    depth = _WORDS + (_TAG if any(drawing.tags) else 0)
    lines = [r"% \usepackage{tikz}", r"\begingroup"]
    if drawing.is_judged:
        lines += [
            rf"\definecolor{{tg{verdict}}}{{HTML}}{{{colour[1:].upper()}}}"
            for verdict, colour in COLOURS.items()
        ]
    lines += [
        r"\begin{tikzpicture}[x=1pt, y=1pt, >=stealth,",
        r"  form/.style={anchor=base, inner sep=0pt, font=\small},",
        r"  tag/.style={anchor=base, inner sep=0pt, font=\tiny, text=black!65},",
        r"  label/.style={anchor=base, inner sep=0.5pt, font=\tiny, fill=white, fill opacity=.8,",
        r"    text opacity=1},",
        r"  key/.style={anchor=base west, inner sep=0pt, font=\scriptsize},",
        *(
            f"  {verdict}/.style={{{style}}},"
            for verdict, style in _STYLES.items()
            if drawing.is_judged or verdict is Verdict.PLAIN
        ),
        r"  every path/.style={rounded corners=5pt}]",
    ]
    for word in layout.words:
        lines.append(_node("form", word.x, 0.0, word.form))
        if word.tag:
            lines.append(_node("tag", word.x, -_TAG, word.tag))
    lines += _arcs(layout.sides[0], _WORDS - 1, 1)
    bottom = -depth + 4
    if len(layout.sides) > 1:
        lines += _arcs(layout.sides[1], bottom, -1)
        bottom -= layout.sides[1].height * _SCALE
    if drawing.is_judged:
        lines += _key(drawing, bottom - 14)
    return "\n".join([*lines, r"\end{tikzpicture}", r"\endgroup"]) + "\n"


def _arcs(side: Side, base: float, direction: int) -> Iterable[str]:
    """Give all lines and then all labels, which no line may cover."""
    for arc in side.arcs:
        yield _line(arc, base, direction)
    for arc in side.arcs:
        if arc.label:
            away = (arc.height + ABOVE_LINE) * _SCALE + 1.5
            y = base + away if direction > 0 else base - away - 4
            yield _node("label", arc.label_x, y, arc.label, italic=not arc.arc.same_label)


def _line(arc: PlacedArc, base: float, direction: int) -> str:
    far = _number(base + direction * arc.height * _SCALE)
    head, dependent = _number(arc.head_x * _SCALE), _number(arc.dependent_x * _SCALE)
    foot = _number(base)
    if arc.arc.is_stub:
        return rf"\draw[->, {arc.arc.verdict}] ({dependent},{far}) -- ({dependent},{foot});"
    return (
        rf"\draw[->, {arc.arc.verdict}] ({head},{foot}) -- ({head},{far}) -- "
        rf"({dependent},{far}) -- ({dependent},{foot});"
    )


def _key(drawing: Drawing, top: float) -> Iterable[str]:
    gold, system = drawing.trees
    yield _key_text(0, top, latex(f"above: {gold.name}; below: {system.name}"))
    y = top
    for verdict, text in LEGEND.items():
        y -= 10
        yield rf"\draw[{verdict}] (0,{_number(y + 2)}) -- (20,{_number(y + 2)});"
        yield _key_text(24, y, latex(text))
    if not all(arc.same_label for arc in system.arcs):
        yield _key_text(0, y - 10, rf"\textit{{italic}}: {latex(OTHER_RELATION)}")


def _key_text(x: float, y: float, text: str) -> str:
    return rf"\node[key] at ({_number(x)},{_number(y)}) {{{text}}};"


def _node(style: str, x: float, y: float, text: str, *, italic: bool = False) -> str:
    # What LaTeX has for the mark of a word that hangs on itself.
    content = latex(text).replace("↻", r"$\hookleftarrow$")
    if italic:
        content = rf"\textit{{{content}}}"
    return rf"\node[{style}] at ({_number(x * _SCALE)},{_number(y)}) {{{content}}};"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
