"""What is drawn: the words of a sentence, gold's arcs, and those of systems with a verdict each.

An arc is right if the head is gold's. It is flipped if NED forgives it: the head is a gold child
or the gold grandparent (Schwartz et al. 2011). Otherwise it is wrong. The verdicts are those of
`metrics/attachment.py`, so that a drawing never says anything else than the scores.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from treegauge.metrics import Comparison
from treegauge.metrics.attachment import same_edge_neutral, same_head, same_relation
from treegauge.reports.trees.widths import on_one_line
from treegauge.treebank import EMPTY, Sentence


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
    """The arcs that gold or a system draws over the words.

    A word whose head is missing, or outside the sentence, has no arc.
    """

    name: str
    arcs: tuple[Arc, ...]


@dataclass(frozen=True)
class Drawing:
    """A sentence with one tree or several over the same words, gold first."""

    title: str
    forms: tuple[str, ...]
    tags: tuple[str, ...]
    trees: tuple[Tree, ...]
    right_to_left: bool = False

    @property
    def is_judged(self) -> bool:
        """Whether there is a system whose arcs are compared with gold's."""
        return len(self.trees) > 1


def drawing_of(gold: Sentence, *systems: Sentence, names: Sequence[str] = ()) -> Drawing:
    """Return what is to be drawn of a sentence, and of systems' outputs for it.

    Parameters
    ----------
    gold, systems : Sentence
        Of the same words. A sentence alone need not be gold.
    names : sequence of str
        What the systems are called; as their treebanks when missing.

    Raises
    ------
    AlignmentError
        If a system has other words.
    """
    forms = tuple(on_one_line(word.form) for word in gold)
    names = names or [system.treebank.name or "system" for system in systems]
    if len(set(names)) < len(names):
        names = [f"{name} ({i})" for i, name in enumerate(names, start=1)]
    trees = [Tree("gold", _plain_arcs(gold))]
    trees += [
        Tree(name, _judged_arcs(gold, system)) for name, system in zip(names, systems, strict=True)
    ]
    number = f"sentence {gold.index + 1}"
    return Drawing(gold.id or number, forms, _tags(gold), tuple(trees), is_right_to_left(forms))


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
