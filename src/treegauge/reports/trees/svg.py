"""Drawings as SVG: no scripts, no fonts, nothing from outside.

Gold's arcs rise above the words, those of a system hang below them. Verdicts are told apart by
colour and by line: the colours have contrast enough on white and on black, and are three that
people with any colour vision tell apart. Text and gold's arcs have the colour of the text around
the drawing, so that it is at home on any page; a drawing that is a file of its own follows the
reader's choice of light or dark.

Labels hide the lines behind them where the colour of the paper is known: in a file, in Jupyter, and
in pages that set `--tg-paper`.

Drawings keep their size: a long sentence is scrolled, never made small.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from html import escape

from treegauge.reports.errors import FigureError
from treegauge.reports.palette import DARK, LIGHT
from treegauge.reports.text_widths import text_width
from treegauge.reports.trees.drawing import Arc, Drawing, Tree, Verdict
from treegauge.reports.trees.layout import (
    ABOVE_LINE,
    FORM_SIZE,
    LABEL_SIZE,
    TAG_SIZE,
    Layout,
    PlacedArc,
    Side,
    laid_out,
)

COLOURS = {
    verdict: LIGHT[f"tg-{verdict}"] for verdict in (Verdict.RIGHT, Verdict.FLIPPED, Verdict.WRONG)
}
"""Green, violet and vermilion that stand out on white (4:1) and on black."""

LEGEND = {
    Verdict.RIGHT: "right head",
    Verdict.FLIPPED: "flipped: accepted by NED",
    Verdict.WRONG: "wrong head",
}
OTHER_RELATION = "right head, other relation"

FONTS = "system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif"

# Scoped to our class: in a page, a style sheet inside an SVG is everybody's.
STYLE = f"""\
.tg-tree {{ font-family: {FONTS}; direction: ltr; }}
.tg-tree text {{ fill: currentColor; text-anchor: middle; }}
.tg-tree .form {{ font-size: {FORM_SIZE}px; }}
.tg-tree .tag {{ font-size: {TAG_SIZE}px; opacity: .65; }}
.tg-tree .label {{ font-size: {LABEL_SIZE}px; paint-order: stroke; stroke-width: 3px;
  stroke-linejoin: round; stroke: var(--tg-paper, var(--jp-layout-color0, transparent)); }}
.tg-tree .other-relation .label {{ font-style: italic; font-weight: 700;
  text-decoration: underline; fill: var(--tg-wrong, {COLOURS[Verdict.WRONG]}); }}
.tg-tree .key {{ font-size: 12px; text-anchor: start; }}
.tg-tree path.line {{ fill: none; stroke: currentColor; stroke-width: 1.3px;
  stroke-linecap: round; }}
.tg-tree path.tip {{ fill: currentColor; stroke: none; }}
.tg-tree .plain path.line {{ opacity: .75; }}
.tg-tree .plain path.tip {{ opacity: .75; }}
.tg-tree .right path.line {{ stroke: var(--tg-right, {COLOURS[Verdict.RIGHT]}); }}
.tg-tree .right path.tip {{ fill: var(--tg-right, {COLOURS[Verdict.RIGHT]}); }}
.tg-tree .flipped path.line {{ stroke: var(--tg-flipped, {COLOURS[Verdict.FLIPPED]});
  stroke-dasharray: 7 4; stroke-width: 1.7px; }}
.tg-tree .flipped path.tip {{ fill: var(--tg-flipped, {COLOURS[Verdict.FLIPPED]}); }}
.tg-tree .wrong path.line {{ stroke: var(--tg-wrong, {COLOURS[Verdict.WRONG]});
  stroke-dasharray: 0.1 4; stroke-width: 2.2px; }}
.tg-tree .wrong path.tip {{ fill: var(--tg-wrong, {COLOURS[Verdict.WRONG]}); }}
@media print {{ .tg-tree {{ color: #000; }} }}
"""

IN_THE_DARK = f"""\
@media (prefers-color-scheme: dark) {{
  .tg-tree {{ {" ".join(f"--tg-{verdict}: {DARK[f'tg-{verdict}']};" for verdict in COLOURS)} }}
}}
"""
"""For pages that are dark where the reader wants them to be; others keep the colours above."""

OWN_FILE = f"""\
svg.tg-tree {{ color-scheme: light dark; background: Canvas; color: CanvasText;
  --tg-paper: Canvas; }}
{IN_THE_DARK}"""

_TIP_LENGTH, _TIP_HALF = 7.0, 3.2
_AIR = 4.0
"""Between a word and the tips of its arcs."""
_ASCENT, _DESCENT = FORM_SIZE * 0.95, FORM_SIZE * 0.3
_TAG_LINE = TAG_SIZE * 1.35
_EDGE = 10.0
_KEY_LINE, _KEY_SAMPLE, _KEY_SIZE = 22.0, 34.0, 12.0
_ROUND = 14.0
"""The largest radius of a corner."""


def tree_svg(drawing: Drawing, *, inline: bool = False) -> str:
    """Return a drawing of one tree, or of gold and a system, as an SVG.

    Parameters
    ----------
    inline : bool
        For a place inside a page, whose colours it then takes; otherwise for a file.

    Raises
    ------
    FigureError
        If there are several systems, which do not fit around one row of words.
    """
    check_number_of_trees(drawing)
    layout = laid_out(drawing)
    has_tags = any(drawing.tags)
    above = layout.sides[0]
    words_top = _EDGE + above.height + _AIR
    baseline = words_top + _ASCENT
    words_bottom = baseline + _DESCENT + (_TAG_LINE if has_tags else 0)
    parts = [*_arcs(above, words_top - _AIR, -1), *_words(layout, drawing, baseline)]
    bottom = words_bottom
    if len(layout.sides) > 1:
        below = layout.sides[1]
        parts += _arcs(below, words_bottom + _AIR, 1)
        bottom = words_bottom + _AIR + below.height
    width = layout.width
    if drawing.is_judged:
        key, key_width, key_height = _key(drawing.trees, bottom + _EDGE)
        # Where the sentence begins, which is where a long drawing is seen first.
        aside = max(0.0, width - key_width) if drawing.right_to_left else 0.0
        parts += [f'<g transform="translate({_number(aside)} 0)">', *key, "</g>"]
        bottom += _EDGE + key_height
        width = max(width, key_width)
    return _framed(drawing, parts, width, bottom + _EDGE, inline=inline)


def check_number_of_trees(drawing: Drawing) -> None:
    """Raise if there are more trees than two sides of a row of words."""
    if len(drawing.trees) > 2:
        raise FigureError(
            f"{len(drawing.trees) - 1} systems do not fit around one row of words\n"
            "  draw them one by one, or as text"
        )


def description(drawing: Drawing) -> str:
    """Return every arc in words, for those who cannot see the drawing."""
    sentences = []
    for tree in drawing.trees:
        arcs = "; ".join(_in_words(arc, drawing.forms) for arc in tree.arcs)
        name = f"{tree.name}: " if drawing.is_judged else ""
        sentences.append(f"{name}{arcs or 'no arcs'}.")
    return "\n".join(sentences)


def _in_words(arc: Arc, forms: tuple[str, ...]) -> str:
    head = forms[arc.head - 1] if arc.head else "root"
    label = f" ({arc.label})" if arc.label else ""
    verdict = "" if arc.verdict is Verdict.PLAIN else f" {arc.verdict}"
    if not arc.same_label:
        verdict += ", other relation"
    return f"{forms[arc.dependent - 1]} on {head}{label}{verdict}"


def _framed(
    drawing: Drawing, parts: Iterable[str], width: float, height: float, *, inline: bool
) -> str:
    body = "\n".join(parts)
    described = escape(description(drawing))
    # Names that are the same for the same drawing and no other: pages hold many.
    name = hashlib.blake2b((body + described).encode(), digest_size=5).hexdigest()
    style = STYLE if inline else STYLE + OWN_FILE
    size = f'width="{_number(width)}" height="{_number(height)}"'
    box = f'viewBox="0 0 {_number(width)} {_number(height)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tg-tree" role="img" {size} {box} '
        f'aria-labelledby="tg-{name}-title" aria-describedby="tg-{name}-desc">\n'
        f'<title id="tg-{name}-title">{escape(" ".join(drawing.forms))}</title>\n'
        f'<desc id="tg-{name}-desc">{described}</desc>\n'
        f"<style>\n{style}</style>\n{body}\n</svg>\n"
    )


def _words(layout: Layout, drawing: Drawing, baseline: float) -> Iterable[str]:
    # Brackets and quotes of a sentence from right to left look the other way.
    direction = ' direction="rtl"' if drawing.right_to_left else ""
    for word in layout.words:
        x = _number(word.x)
        form = f'<text class="form" x="{x}" y="{_number(baseline)}"{direction}>'
        yield f"{form}{escape(word.form)}</text>"
        if word.tag:
            y = _number(baseline + _TAG_LINE)
            yield f'<text class="tag" x="{x}" y="{y}">{escape(word.tag)}</text>'


def _arcs(side: Side, base: float, direction: int) -> Iterable[str]:
    """Give all lines and then all labels, which no line may cover.

    `direction` is -1 for arcs that rise from the words and 1 for arcs that hang below them.
    """
    for arc in side.arcs:
        yield f'<g class="{_classes(arc.arc)}">{_line(arc, base, direction)}</g>'
    for arc in side.arcs:
        if arc.label:
            # Text stands on its baseline, below which some letters reach a quarter of its size.
            nearest = arc.height + ABOVE_LINE
            baseline = nearest + LABEL_SIZE * (0.28 if direction < 0 else 0.85)
            y = base + direction * baseline
            yield (
                f'<g class="{_classes(arc.arc)}"><text class="label" x="{_number(arc.label_x)}" '
                f'y="{_number(y)}">{escape(arc.label)}</text></g>'
            )


def _classes(arc: Arc) -> str:
    return str(arc.verdict) if arc.same_label else f"{arc.verdict} other-relation"


def _line(arc: PlacedArc, base: float, direction: int) -> str:
    """Return the path of an arc and its tip, which touches the dependent."""
    tip = base
    foot = base + direction * _TIP_LENGTH * 0.8
    far = base + direction * arc.height
    x = arc.dependent_x
    path = f"M{_number(x)} {_number(foot)}V{_number(far)}"
    if arc.left < arc.right:
        radius = min(_ROUND, (arc.right - arc.left) / 2, arc.height * 0.6)
        towards = 1 if arc.head_x > x else -1
        turn = _number(far - direction * radius)
        near, corner, end = (
            _number(x + towards * radius),
            _number(arc.head_x - towards * radius),
            _number(arc.head_x),
        )
        path = (
            f"M{_number(x)} {_number(foot)}V{turn}Q{_number(x)} {_number(far)} {near} "
            f"{_number(far)}H{corner}Q{end} {_number(far)} {end} {turn}V{_number(base)}"
        )
    wings = _number(base + direction * _TIP_LENGTH)
    triangle = (
        f"M{_number(x)} {_number(tip)}L{_number(x - _TIP_HALF)} {wings}H{_number(x + _TIP_HALF)}Z"
    )
    return f'<path class="line" d="{path}"/><path class="tip" d="{triangle}"/>'


def _key(trees: tuple[Tree, ...], top: float) -> tuple[list[str], float, float]:
    """Return the legend, its width and its height."""
    gold, system = trees
    entries = [(str(verdict), text) for verdict, text in LEGEND.items()]
    if any(not arc.same_label for arc in system.arcs):
        entries.insert(1, ("right other-relation", OTHER_RELATION))
    y = top + _KEY_SIZE
    names = f"above: {gold.name}; below: {system.name}"
    parts = [f'<text class="key" x="{_number(_EDGE)}" y="{_number(y)}">{escape(names)}</text>']
    x = _EDGE
    widest = _EDGE + text_width(names, _KEY_SIZE)
    y += _KEY_LINE
    for classes, text in entries:
        begin, end = _number(x), _number(x + _KEY_SAMPLE)
        if "other-relation" in classes:
            middle = _number(x + _KEY_SAMPLE / 2)
            sample = f'<text class="label" x="{middle}" y="{_number(y)}">label</text>'
        else:
            sample = f'<path class="line" d="M{begin} {_number(y - 4)}H{end}"/>'
        after = x + _KEY_SAMPLE + 8
        parts.append(
            f'<g class="{classes}">{sample}</g>'
            f'<text class="key" x="{_number(after)}" y="{_number(y)}">{escape(text)}</text>'
        )
        x = after + text_width(text, _KEY_SIZE) + 22
    return parts, max(widest, x) + _EDGE, _KEY_SIZE + _KEY_LINE + 4


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
