"""What is drawn: the words of a sentence, gold's arcs, and those of systems with a verdict each.

An arc is right if the head is gold's. It is flipped if NED forgives it: the head is a gold child
or the gold grandparent (Schwartz et al. 2011). Otherwise it is wrong. The verdicts are those of
`metrics/attachment.py`, so that a drawing never says anything else than the scores.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path, PurePath

from treegauge.metrics import Comparison
from treegauge.metrics.attachment import same_edge_neutral, same_head, same_relation
from treegauge.reports.errors import FigureError
from treegauge.reports.text_widths import on_one_line
from treegauge.treebank import EMPTY, Sentence
from treegauge.wording import counted


class Verdict(StrEnum):
    """What gold says of an arc."""

    PLAIN = "plain"
    """Gold's own, or one that gold has no head to compare with."""
    RIGHT = "right"
    FLIPPED = "flipped"
    WRONG = "wrong"


@dataclass(frozen=True)
class Arc:
    """A head and a dependent, counted from 1; the head 0 is the root."""

    head: int
    dependent: int
    label: str = ""
    verdict: Verdict = Verdict.PLAIN
    same_label: bool = True
    """Whether a right arc has gold's relation (without subtype) too."""

    @property
    def span(self) -> tuple[int, int]:
        """The leftmost and the rightmost of its two words."""
        return min(self.head, self.dependent), max(self.head, self.dependent)

    @property
    def is_stub(self) -> bool:
        """Whether it does not lead from one word to another: a root, or a word on itself."""
        return self.head in (0, self.dependent)


@dataclass(frozen=True)
class Tree:
    """The arcs of gold or of a system over the words of a sentence.

    A word without a head, or with one outside the sentence, has no arc.

    Attributes
    ----------
    name : str
        `gold`, or the name of the system.
    arcs : tuple of Arc
        The arcs.

    Examples
    --------
    >>> import treegauge as tg
    >>> (tree,) = tg.draw(tg.toy_treebank(tokens=100)).trees
    >>> tree.arcs[0].head, tree.arcs[0].dependent
    (3, 1)
    """

    name: str
    arcs: tuple[Arc, ...]


@dataclass(frozen=True)
class Drawing:
    """A sentence with one or more trees over the same words; made by `draw`.

    It prints as text, and a notebook shows it as a picture.

    Attributes
    ----------
    title : str
        The `sent_id` or the number of the sentence.
    forms : tuple of str
        The words.
    tags : tuple of str
        Their tags.
    trees : tuple of Tree
        Gold first, then the systems.
    right_to_left : bool
        Whether the script is written from right to left.

    Examples
    --------
    >>> import tempfile, treegauge as tg
    >>> gold = tg.toy_treebank(tokens=100)
    >>> drawing = tg.draw(gold, tg.make_system("left-branching").annotate(gold))
    >>> drawing.is_judged, len(drawing.one_by_one())
    (True, 1)
    >>> drawing.to_svg()[:4], drawing.to_tikz()[:8], drawing.to_html()[:15]
    ('<svg', '% \\\\usepa', '<!doctype html>')
    >>> drawing.in_form(Form.TEXT, width=60) == drawing.to_text(width=60)
    True
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     drawing.save(f"{folder}/tree.svg")
    """

    title: str
    forms: tuple[str, ...]
    tags: tuple[str, ...]
    trees: tuple[Tree, ...]
    right_to_left: bool = False

    @property
    def is_judged(self) -> bool:
        """Whether there is a system whose arcs are compared with those of gold."""
        return len(self.trees) > 1

    def one_by_one(self) -> list[Drawing]:
        """Return one drawing per system, each together with gold.

        Returns
        -------
        list of Drawing
            The drawing itself if there is no system.
        """
        gold, *systems = self.trees
        return [replace(self, trees=(gold, system)) for system in systems] or [self]

    def to_text(self, *, width: int = 0, colour: bool = False) -> str:
        """Return the trees as text for a terminal.

        Parameters
        ----------
        width : int
            The width of the terminal in characters; 0 for no limit.
        colour : bool
            Colour the marks of systems' arcs.

        Returns
        -------
        str
            One line per word.
        """
        from treegauge.reports.trees.text import tree_text

        return tree_text(self, width=width, colour=colour)

    def to_svg(self) -> str:
        """Return one tree, or gold and one system, as the content of an SVG file.

        Returns
        -------
        str
            The content.
        """
        from treegauge.reports.trees.svg import tree_svg

        return tree_svg(self)

    def to_tikz(self) -> str:
        """Return one tree, or gold and one system, as a TikZ picture.

        Returns
        -------
        str
            LaTeX source.
        """
        from treegauge.reports.trees.tikz import tree_tikz

        return tree_tikz(self)

    def to_html(self) -> str:
        """Return one tree, or gold and one system, as a web page.

        Returns
        -------
        str
            The content of an HTML file.
        """
        from treegauge.reports.trees.page import tree_page

        return tree_page(self)

    def save(self, path: str | Path) -> None:
        """Write the drawing to a file.

        Parameters
        ----------
        path : str or path
            The extension decides the form: .txt, .svg, .tex or .html.

        Raises
        ------
        FigureError
            If the file has another extension.
        """
        from treegauge.formats import write_text

        write_text(path, self.in_form(form_of(path)))

    def in_form(self, form: Form, *, width: int = 0, colour: bool = False) -> str:
        """Return the drawing in a form.

        Parameters
        ----------
        form : Form
            Text, SVG, TikZ or HTML.
        width, colour
            For text, as in `to_text`.

        Returns
        -------
        str
            The content of a file.
        """
        if form is Form.TEXT:
            return self.to_text(width=width, colour=colour)
        renderers = {Form.SVG: self.to_svg, Form.TIKZ: self.to_tikz, Form.HTML: self.to_html}
        return renderers[form]()

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        """Return what a notebook shows: systems one below the other."""
        from treegauge.reports.trees.page import scrollable

        return "".join(map(scrollable, self.one_by_one()))


class Form(StrEnum):
    """What a tree is drawn as."""

    TEXT = "text"
    SVG = "svg"
    TIKZ = "tikz"
    HTML = "html"


_FORMS = {
    "": Form.TEXT,
    ".txt": Form.TEXT,
    ".svg": Form.SVG,
    ".tex": Form.TIKZ,
    ".tikz": Form.TIKZ,
    ".html": Form.HTML,
    ".htm": Form.HTML,
}


def form_of(path: str | Path) -> Form:
    """Return what a tree is drawn as, by the extension of its file; text if there is none.

    >>> form_of("tree.tex"), form_of("tree")
    (<Form.TIKZ: 'tikz'>, <Form.TEXT: 'text'>)
    """
    extension = PurePath(path).suffix.lower()
    if extension not in _FORMS:
        raise FigureError(f"a tree is drawn as .txt, .svg, .tex or .html, not {extension}")
    return _FORMS[extension]


MAX_WORDS = 1_000
"""Words of a sentence that is drawn unless more are asked for: far longer ones take minutes."""


def drawing_of(
    gold: Sentence,
    *systems: Sentence,
    names: Sequence[str] = (),
    max_words: int = MAX_WORDS,
) -> Drawing:
    """Return what is to be drawn of a sentence, and of systems' outputs for it.

    Parameters
    ----------
    gold, systems : Sentence
        Of the same words. A sentence alone need not be gold.
    names : sequence of str
        What the systems are called; as their treebanks when missing.
    max_words : int
        How many words a sentence may have.

    Raises
    ------
    AlignmentError
        If a system has other words.
    FigureError
        If the sentence is too long.
    """
    if len(gold) > max_words:
        raise FigureError(
            f"{_title(gold)}: {counted(len(gold), 'word')} are too many to draw; at most "
            f"{max_words:,} are"
        )
    forms = tuple(on_one_line(word.form) for word in gold)
    names = names or [system.treebank.name or "system" for system in systems]
    if len(set(names)) < len(names):
        names = [f"{name} ({i})" for i, name in enumerate(names, start=1)]
    trees = [Tree("gold", _plain_arcs(gold))]
    trees += [
        Tree(name, _judged_arcs(gold, system)) for name, system in zip(names, systems, strict=True)
    ]
    return Drawing(_title(gold), forms, _tags(gold), tuple(trees), is_right_to_left(forms))


def _title(sentence: Sentence) -> str:
    return sentence.id or f"sentence {sentence.index + 1}"


def is_right_to_left(forms: Iterable[str]) -> bool:
    """Return whether most letters belong to scripts that run from right to left.

    >>> is_right_to_left(["שלום", "UN", "."]), is_right_to_left(["peace", "."])
    (True, False)
    """
    classes = [unicodedata.bidirectional(character) for form in forms for character in form]
    leftwards = sum(of in ("R", "AL") for of in classes)
    return leftwards > sum(of == "L" for of in classes)


def _tags(sentence: Sentence) -> tuple[str, ...]:
    columns = sentence.treebank.columns
    for column in ("upos", "xpos", "cpos"):
        if columns[column].is_annotated:
            tags = (on_one_line(word[column]) for word in sentence)
            return tuple("" if tag == EMPTY else tag for tag in tags)
    return ("",) * len(sentence)


def _plain_arcs(sentence: Sentence) -> tuple[Arc, ...]:
    return tuple(
        Arc(word.head, word.position, _label(word.deprel))
        for word in sentence
        if 0 <= word.head <= len(sentence)
    )


def _label(relation: str) -> str:
    return "" if relation == EMPTY else on_one_line(relation)


def _judged_arcs(gold: Sentence, system: Sentence) -> tuple[Arc, ...]:
    comparison = Comparison(gold.treebank[[gold.index]], system.treebank[[system.index]])
    right = same_head(comparison)
    forgiven = same_edge_neutral(comparison)
    alike = same_relation(comparison)
    # Without relations there is nothing to have wrong.
    is_labelled = all(bank.deprel.is_annotated for bank in (comparison.gold, comparison.system))
    arcs = []
    for arc in _plain_arcs(system):
        i = arc.dependent - 1
        if not 0 <= gold[i].head <= len(gold):
            verdict = Verdict.PLAIN
        elif right[i]:
            verdict = Verdict.RIGHT
        else:
            verdict = Verdict.FLIPPED if forgiven[i] else Verdict.WRONG
        same_label = bool(alike[i]) or not is_labelled or verdict is not Verdict.RIGHT
        arcs.append(Arc(arc.head, arc.dependent, arc.label, verdict, same_label))
    return tuple(arcs)
