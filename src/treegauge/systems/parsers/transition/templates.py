"""The sets of features, written as templates over the words around the next arc.

A template joins up to four atoms with `+`; an atom is a word of the configuration and, after a
dot, what of it is meant, or a number that belongs to the configuration as a whole:

    a, b        the left and the right word of the next arc: the top of the stack and the front of
                the buffer; where arcs are made on the stack, its two topmost words
    a1          the word below a on the stack
    b1 b2 b3    the words that come after b: the buffer, behind the front if b is the front
    h h2        head of a word, and the head of that: `ah`, `ah2`
    l l2 r r2   outermost and next child on the left and on the right: `al`, `br2`
    a> b<       the word right after a, and right before b, in the sentence

    .w .m .p .x .f .s .r      form, lemma, tag, fine tag, features, suffix, relation to the head
    .vl .vr .tl .tr           of a and b: number of children on a side, set of their relations
    d                         distance from a to b

`a*f` stands for a template that is used once for each attribute in the features of a (Case=Nom);
it is the first atom. Templates marked with `!` decide about labels too; in the
set `full` all of them do.

References
----------
Zhang and Nivre (2011), Transition-based dependency parsing with rich non-local features. ACL.
    The rich set; theirs is for arc-eager, where a is S0 and b is N0.
Nivre, Hall and Nilsson (2006), MaltParser: A data-driven parser-generator for dependency parsing.
    LREC. The small set is that of MaltParser's linear learner.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.parsers.transition._features_numba import (
    ATTRIBUTES_OF_A,
    ATTRIBUTES_OF_B,
    KINDS,
    MORPHOLOGY,
    N_KINDS,
    NODES,
    NUMBERS,
    WIDTH,
)
from treegauge.transitions import TransitionSystem

_RICH = """
!a.w+a.p !a.w !a.p !b.w+b.p !b.w !b.p b1.w+b1.p b1.w b1.p b2.w+b2.p b2.w b2.p
!a.w+a.p+b.w+b.p !a.w+a.p+b.w !a.w+b.w+b.p !a.w+a.p+b.p !a.p+b.w+b.p !a.w+b.w !a.p+b.p b.p+b1.p
b.p+b1.p+b2.p !a.p+b.p+b1.p !ah.p+a.p+b.p !a.p+al.p+b.p !a.p+ar.p+b.p !a.p+b.p+bl.p
a.w+d a.p+d b.w+d b.p+d a.w+b.w+d !a.p+b.p+d
a.w+a.vr a.p+a.vr a.w+a.vl a.p+a.vl b.w+b.vl b.p+b.vl
ah.w ah.p !a.r al.w al.p !al.r ar.w ar.p !ar.r bl.w bl.p !bl.r
ah2.w ah2.p ah.r al2.w al2.p al2.r ar2.w ar2.p ar2.r bl2.w bl2.p bl2.r
a.p+al.p+al2.p a.p+ar.p+ar2.p a.p+ah.p+ah2.p b.p+bl.p+bl2.p
!a.w+a.tr !a.p+a.tr !a.w+a.tl !a.p+a.tl !b.w+b.tl !b.p+b.tl
"""
"""Zhang and Nivre (2011, tables 1 and 2)."""

_RICH_AROUND = """
a1.w a1.p a1.p+a.p+b.p a1.p+b.p b3.p b.p+b1.p+b2.p+b3.p !a.p+b<.p+b.p !a.p+a>.p+b.p
a.p+b.p+b1.p+b2.p !a.p+b.p+a.r !a.p+b.p+bl.r !a.p+b.p+ar.r a.p+b.p+a.vr+b.vl
"""
_RICH_RIGHT_OF_B = """
br.w br.p !br.r br2.p br2.r !a.p+b.p+br.p b.w+b.vr b.p+b.vr !b.w+b.tr !b.p+b.tr b.p+br.p+br2.p
!a.p+b.p+br.r a1.p+a.p+b.p+b1.p
"""
"""Children on the right of b, which the front of the buffer never has."""

_RICH_HYBRID = """
!a1.w+a1.p+a.w+a.p !a1.w+a1.p+a.w !a1.w+a.w+a.p !a1.w+a1.p+a.p !a1.p+a.w+a.p !a1.w+a.w !a1.p+a.p
!a1.p+a.p+b.p a1.p+a.p+b.w !a1.p+a.p+a.tl !a1.p+a.p+ar.p a1r.p+a1.p+a.p a1r.r a1l.r
"""
"""Right arcs of arc-hybrid are between a1 and a."""

_RICH_HEAD_OF_B = "!b.r bh.p a.p+b.p+bh.p a.p+b.p+b.r"
"""Covington's systems go on looking for arcs of a word that has a head."""

_RICH_MORPHOLOGY = """
!a.f !b.f b1.f !a.f+b.f !a.p+b.f !a.f+b.p !a.p+a.f+b.p+b.f ar.f+a.p al.f+a.p bl.f+b.p
!a*f !b*f !a*f+b.p !b*f+a.p
"""
_RICH_SUFFIXES = "!a.s !b.s b1.s !a.s+b.s !a.s+b.p !a.p+b.s"
_RICH_LEMMAS = "!a.m !b.m b1.m !a.m+b.m !a.m+b.p !a.p+b.m a.m+b.m+d !al.m+b.p !bl.m+a.p"
_RICH_FINE_TAGS = "!a.x !b.x b1.x b2.x !a.x+b.x !a.x+b.p !a.p+b.x a.x+b.x+b1.x a.x+b.x+d"

_MALT = {
    "buffer": """
!a.p !b.p b1.p b2.p b3.p a1.p !a.p+b.p !a1.p+a.p+b.p !a.p+b.p+b1.p b.p+b1.p+b2.p b1.p+b2.p+b3.p
!a.r !al.r !ar.r !bl.r !a.p+al.r+ar.r !a.p+a.r !b.p+bl.r !a.w !b.w !b1.w !ah.w
""",
    "stack": """
!b.p !a.p a1.p b1.p b2.p b3.p !a.p+b.p !a1.p+a.p+b.p !a.p+b.p+b1.p b.p+b1.p+b2.p b1.p+b2.p+b3.p
!bl.r !br.r !al.r !ar.r !b.p+bl.r+br.r !a.p+al.r+ar.r !b.w !a.w !b1.w
""",
}

FEATURE_SETS = ("full", "rich", "malt")
"""The full set has the templates of the rich one, and all of them decide about labels."""


@dataclass(frozen=True)
class Templates:
    """Templates as kernels read them.

    Attributes
    ----------
    names : tuple of str
        As they are written above, without the mark.
    atoms : int32 array, templates x `WIDTH`
        Which values of a configuration are joined; -1 where there are fewer.
    attributes : int32 array, one a template
        0, or whose attributes the template is used for.
    for_labels : int
        How many of them decide about labels; they come first.
    """

    names: tuple[str, ...]
    atoms: NDArray[np.int32]
    attributes: NDArray[np.int32]
    for_labels: int


def root_is_last(system: TransitionSystem) -> bool:
    """Return whether the root stands behind all words, as it better does where b is the front."""
    return not system.arcs_are_on_stack


def templates(system: TransitionSystem, features: str, columns: frozenset[int]) -> Templates:
    """Return the templates of a feature set for a transition system.

    Parameters
    ----------
    columns : frozenset of int
        The kinds of atoms there are: FORM, LEMMA, TAG and so on; templates that need others
        are left out.
    """
    on_stack = system.arcs_are_on_stack
    if features == "malt":
        text = _MALT["stack" if on_stack else "buffer"]
    else:
        text = _RICH + _RICH_AROUND
        text += _RICH_RIGHT_OF_B if on_stack else ""
        text += _RICH_HYBRID if system is TransitionSystem.ARC_HYBRID else ""
        is_covington = system in (
            TransitionSystem.COVINGTON,
            TransitionSystem.COVINGTON_PROJECTIVE,
        )
        text += _RICH_HEAD_OF_B if is_covington else ""
        text = " ".join((text, _RICH_MORPHOLOGY, _RICH_SUFFIXES, _RICH_LEMMAS, _RICH_FINE_TAGS))
    written = [name for name in text.split() if _needs(name) <= columns]
    if features == "full":
        written = ["!" + name.removeprefix("!") for name in written]
    written.sort(key=lambda name: not name.startswith("!"))
    atoms = np.full((len(written), WIDTH), -1, np.int32)
    attributes = np.zeros(len(written), np.int32)
    for t, name in enumerate(written):
        parts = name.removeprefix("!").split("+")
        if parts[0] in _ATTRIBUTES:
            attributes[t] = _ATTRIBUTES[parts.pop(0)]
        atoms[t, : len(parts)] = [_place(part) for part in parts]
    return Templates(
        tuple(name.removeprefix("!") for name in written),
        atoms,
        attributes,
        sum(name.startswith("!") for name in written),
    )


_ATTRIBUTES = {"a*f": ATTRIBUTES_OF_A, "b*f": ATTRIBUTES_OF_B}


def _needs(name: str) -> set[int]:
    """Return the columns that a template reads."""
    parts = name.removeprefix("!").split("+")
    return {
        MORPHOLOGY if part in _ATTRIBUTES else KINDS.index(part.partition(".")[2])
        for part in parts
        if part not in NUMBERS and not part.endswith(".r")
    }


def _place(atom: str) -> int:
    """Return the place of an atom among the values of a configuration."""
    if atom in NUMBERS:
        return len(NODES) * N_KINDS + NUMBERS.index(atom)
    node, _, kind = atom.partition(".")
    return NODES.index(node) * N_KINDS + KINDS.index(kind)
