"""Derivations drawn as grammarians write them: words on top, and lines under what was combined.

    the   bird  sings
    N/N    N     S\\N
    ---------->
         N
    ----------------<
            S

What is too wide for a terminal stands upright instead, a line for every step.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from treegauge.reports.errors import FigureError
from treegauge.reports.text_widths import cell_width, on_one_line, text_width
from treegauge.reports.trees.drawing import MAX_WORDS, Form, form_of, is_right_to_left
from treegauge.reports.trees.page import page_of
from treegauge.reports.trees.sentences import find_sentence
from treegauge.reports.trees.svg import FONTS, OWN_FILE
from treegauge.systems import System
from treegauge.systems.derivation import Derivation, DerivationNode
from treegauge.treebank import Treebank, without_punctuation
from treegauge.wording import counted, visible

_FORM_SIZE, _SIZE, _RULE_SIZE = 16.0, 13.0, 11.0
_STEP = 30.0
"""Between a line and the next one below it, in an SVG."""
_GAP, _EDGE = 18.0, 12.0

_STYLE = f"""\
.tg-derivation {{ font-family: {FONTS}; direction: ltr; }}
.tg-derivation text {{ fill: currentColor; text-anchor: middle; font-size: {_SIZE:g}px; }}
.tg-derivation .form {{ font-size: {_FORM_SIZE:g}px; }}
.tg-derivation .tag {{ opacity: .65; }}
.tg-derivation .rule {{ font-size: {_RULE_SIZE:g}px; text-anchor: start; opacity: .8; }}
.tg-derivation line {{ stroke: currentColor; stroke-width: 1.2px; }}
@media print {{ .tg-derivation {{ color: #000; }} }}
"""


@dataclass(frozen=True)
class DerivationDrawing:
    """The words of a sentence, without punctuation, and how a system derives it."""

    title: str
    forms: tuple[str, ...]
    tags: tuple[str, ...]
    derivation: Derivation

    def to_text(self, *, width: int = 0) -> str:
        """Return the derivation as a terminal shows it; 0 is as wide as need be."""
        rows = _rows(self)
        if width and max(map(cell_width, rows)) > width:
            rows = _upright(self)
        return "".join(f"{visible(row)}\n" for row in rows)

    def to_svg(self, *, inline: bool = False) -> str:
        """Return the derivation as an SVG: a file of its own, or for a place inside a page."""
        return _svg(self, inline=inline)

    def to_html(self) -> str:
        """Return the derivation as a page."""
        return page_of(self.title, self.forms, self._repr_html_())

    def in_form(self, form: Form, *, width: int = 0) -> str:
        """Return the derivation in a form; width is for text."""
        if form is Form.TIKZ:
            raise FigureError("a derivation is drawn as text, SVG or HTML, not as TikZ")
        if form is Form.TEXT:
            return self.to_text(width=width)
        return self.to_svg() if form is Form.SVG else self.to_html()

    def save(self, path: str | Path) -> None:
        """Write the derivation as what the name of its file says: .txt, .svg or .html."""
        from treegauge.formats import write_text

        write_text(path, self.in_form(form_of(path)))

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        direction = ' dir="rtl"' if is_right_to_left(self.forms) else ""
        return (
            '<div class="tg-scroll" style="overflow-x: auto; max-width: 100%" tabindex="0"'
            f"{direction}>\n{self.to_svg(inline=True)}</div>\n"
        )


def draw_derivation(
    treebank: Treebank, system: System, *, sentence: str = "1", max_words: int = MAX_WORDS
) -> DerivationDrawing:
    """Return how a system derives a sentence of a treebank, to be drawn.

    Parameters
    ----------
    system : System
        One that has derivations, such as `ccg`, and has learnt.
    sentence : str
        A `sent_id`, or a number from 1.

    Raises
    ------
    FigureError
        If the system has no derivations, or none of this sentence, or it is too long.
    """
    if not system.has_derivations:
        raise FigureError(f"{system.name} has no derivations to draw; ccg has")
    chosen = find_sentence(treebank, sentence)
    title = chosen.id or f"sentence {chosen.index + 1}"
    words = without_punctuation(treebank[[chosen.index]])
    if words.n_words > max_words:
        raise FigureError(
            f"{title}: {counted(words.n_words, 'word')} are too many to draw; at most "
            f"{max_words:,} are"
        )
    derivation = system.derivation(treebank, chosen.index)
    if derivation is None:
        raise FigureError(f"{title}: {system.name} has no derivation of this sentence")
    forms = tuple(on_one_line(word.form) for word in words[0])
    tags = tuple(on_one_line(tag) for tag in words.upos)
    return DerivationDrawing(title, forms, tags if words.upos.is_annotated else (), derivation)


# ---------------------------------------------------------------------- places


def _steps(derivation: Derivation) -> list[DerivationNode]:
    """Return all nodes but words, lower ones first."""
    steps = [node for node in derivation.root if node.daughters]
    return sorted(steps, key=lambda node: (node.height, node.begin))


def _columns(
    drawing: DerivationDrawing, width_of: Callable[[str], float], gap: float
) -> list[float]:
    """Return where the column of every word begins, and the end of the last one.

    A column that ends a phrase grows until the category of the phrase fits below it.
    """
    words = drawing.derivation.words
    texts = zip(drawing.forms, drawing.tags or drawing.forms, words, strict=True)
    widths = [
        max(width_of(form), width_of(tag), width_of(word.category)) + gap
        for form, tag, word in texts
    ]
    for node in _steps(drawing.derivation):
        lacking = width_of(node.category) + gap - sum(widths[node.begin : node.end])
        widths[node.end - 1] += max(0.0, lacking)
    places = [0.0]
    for width in widths:
        places.append(places[-1] + width)
    return places


# ---------------------------------------------------------------------- text


def _rows(drawing: DerivationDrawing) -> list[str]:
    """Return the lines of the drawing: words, tags, categories, then two for every level."""
    # Behind a line stands its rule, in the gap before the next column.
    gap = 3
    places = [round(place) for place in _columns(drawing, cell_width, gap)]
    words = drawing.derivation.words

    def row(texts: Sequence[tuple[int, int, str]]) -> str:
        line = ""
        for begin, end, text in texts:
            middle = places[begin] + (places[end] - gap - places[begin] - cell_width(text)) // 2
            line += " " * (max(middle, places[begin]) - cell_width(line)) + text
        return line

    rows = [row([(i, i + 1, form) for i, form in enumerate(drawing.forms)])]
    if drawing.tags:
        rows.append(row([(i, i + 1, tag) for i, tag in enumerate(drawing.tags)]))
    rows.append(row([(word.begin, word.end, word.category) for word in words]))
    steps = _steps(drawing.derivation)
    for height in range(1, drawing.derivation.root.height + 1):
        level = [node for node in steps if node.height == height]
        line = ""
        for node in level:
            line += " " * (places[node.begin] - cell_width(line))
            line += "-" * (places[node.end] - gap - places[node.begin]) + node.rule
        rows += [line, row([(node.begin, node.end, node.category) for node in level])]
    return rows


def _upright(drawing: DerivationDrawing) -> list[str]:
    """Return a line for every node, daughters indented below their parent."""
    rows: list[str] = []

    def write(node: DerivationNode, stem: str, branch: str) -> None:
        if node.daughters:
            rows.append(f"{stem}{node.category}  {node.rule}")
        else:
            tag = f"  {drawing.tags[node.begin]}" if drawing.tags else ""
            rows.append(f"{stem}{node.category}  {drawing.forms[node.begin]}{tag}")
        for daughter in node.daughters:
            is_last = daughter is node.daughters[-1]
            corner, below = ("└─ ", "   ") if is_last else ("├─ ", "│  ")
            write(daughter, branch + corner, branch + below)

    write(drawing.derivation.root, "", "")
    return rows


# ---------------------------------------------------------------------- SVG


def _svg(drawing: DerivationDrawing, *, inline: bool) -> str:
    gap = _GAP + text_width("<B", _RULE_SIZE)
    places = _columns(drawing, lambda text: text_width(text, _FORM_SIZE), gap)
    parts: list[str] = []

    def write(kind: str, begin: int, end: int, y: float, text: str) -> None:
        x = _EDGE + (places[begin] + places[end] - gap) / 2
        parts.append(f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>')

    y = _EDGE + _FORM_SIZE
    for i, form in enumerate(drawing.forms):
        write("form", i, i + 1, y, form)
    if drawing.tags:
        y += _SIZE * 1.4
        for i, tag in enumerate(drawing.tags):
            write("tag", i, i + 1, y, tag)
    y += _SIZE * 1.5
    for word in drawing.derivation.words:
        write("category", word.begin, word.end, y, word.category)
    for node in _steps(drawing.derivation):
        line = y + _STEP * (node.height - 1) + 9
        begin, end = _EDGE + places[node.begin], _EDGE + places[node.end] - gap
        parts.append(f'<line x1="{begin:.1f}" x2="{end:.1f}" y1="{line:.1f}" y2="{line:.1f}"/>')
        parts.append(
            f'<text class="rule" x="{end + 3:.1f}" y="{line + 4:.1f}">{escape(node.rule)}</text>'
        )
        write("category", node.begin, node.end, line + _SIZE + 4, node.category)
    height = y + _STEP * drawing.derivation.root.height + _EDGE
    return _framed(drawing, parts, places[-1] + 2 * _EDGE, height, inline=inline)


def _framed(
    drawing: DerivationDrawing, parts: Sequence[str], width: float, height: float, *, inline: bool
) -> str:
    described = escape(str(drawing.derivation))
    body = "\n".join(parts)
    # Names that are the same for the same drawing and no other: pages hold many.
    name = hashlib.blake2b((body + described).encode(), digest_size=5).hexdigest()
    style = _STYLE if inline else _STYLE + OWN_FILE.replace("tg-tree", "tg-derivation")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tg-derivation" role="img" '
        f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'aria-labelledby="tg-{name}-title" aria-describedby="tg-{name}-desc">\n'
        f'<title id="tg-{name}-title">{escape(" ".join(drawing.forms))}</title>\n'
        f'<desc id="tg-{name}-desc">{described}</desc>\n'
        f"<style>\n{style}</style>\n{body}\n</svg>\n"
    )
