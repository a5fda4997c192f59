"""The relations of Universal Dependencies, and what a change of style must know about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.rewrite.errors import RewriteError
from treegauge.treebank import Treebank

# fmt: off
V2_RELATIONS = frozenset({
    "acl", "advcl", "advmod", "amod", "appos", "aux", "case", "cc", "ccomp", "clf", "compound",
    "conj", "cop", "csubj", "dep", "det", "discourse", "dislocated", "expl", "fixed", "flat",
    "goeswith", "iobj", "list", "mark", "nmod", "nsubj", "nummod", "obj", "obl", "orphan",
    "parataxis", "punct", "reparandum", "root", "vocative", "xcomp",
})
"""The 37 relations of UD version 2."""

V1_ONLY = frozenset({
    "auxpass", "csubjpass", "dobj", "foreign", "mwe", "name", "neg", "nsubjpass", "remnant",
})
"""Relations that version 2 gave up or renamed."""
# fmt: on

FUNCTION_KINDS = {"det": 1, "case": 2, "cop": 3, "aux": 4, "auxpass": 4, "mark": 5}
"""Function words by relation; of two on different sides, the greater number is outside."""

SWITCH_OF_KIND = {
    1: "determiners",
    2: "adpositions",
    3: "copulas",
    4: "auxiliaries",
    5: "subordinators",
}

TOLERATED = 0.05
"""The share of words that may have a relation unknown to UD: slips, but not another scheme."""


def base(relation: str) -> str:
    """Return a relation without its subtypes.

    >>> base("nsubj:pass")
    'nsubj'
    """
    return relation.partition(":")[0]


@dataclass(frozen=True)
class RelationTraits:
    """What kernels ask of a relation, by its number.

    Attributes
    ----------
    kind : int8 array
        One of `FUNCTION_KINDS`, 0 for all other relations.
    is_subject, is_conjunct, is_flat, is_fixed, is_compound : bool arrays
        Expletives count as subjects, for they stand where subjects do.
    stays : bool array
        Relations inside what is one word or one name: they never go to another head because of
        where they stand.
    cc, conj : int
        The numbers of these two relations without a subtype.
    """

    kind: NDArray[np.int8]
    is_subject: NDArray[np.bool_]
    is_conjunct: NDArray[np.bool_]
    is_flat: NDArray[np.bool_]
    is_fixed: NDArray[np.bool_]
    is_compound: NDArray[np.bool_]
    stays: NDArray[np.bool_]
    cc: int
    conj: int

    @classmethod
    def of(cls, relations: Sequence[str]) -> RelationTraits:
        """Look relations up; `cc` and `conj` are among them."""
        bases = [base(relation) for relation in relations]

        def among(*wanted: str) -> NDArray[np.bool_]:
            return np.array([relation in wanted for relation in bases], np.bool_)

        flat, fixed = among("flat", "name", "foreign"), among("fixed", "mwe")
        return cls(
            kind=np.array([FUNCTION_KINDS.get(relation, 0) for relation in bases], np.int8),
            is_subject=among("nsubj", "csubj", "nsubjpass", "csubjpass", "expl"),
            is_conjunct=among("conj"),
            is_flat=flat,
            is_fixed=fixed,
            # Particles, light verbs and serial verbs are compounds of another kind.
            is_compound=np.array([r in ("compound", "compound:nn") for r in relations], np.bool_),
            stays=flat | fixed | among("goeswith"),
            cc=relations.index("cc"),
            conj=relations.index("conj"),
        )


def ud_version(treebank: Treebank) -> int:
    """Return 1 if there are relations or tags that only version 1 has, otherwise 2.

    Examples
    --------
    >>> import treegauge as tg
    >>> word = "1\\tSing\\t_\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n"
    >>> ud_version(tg.parse(word + "2\\tsongs\\t_\\tNOUN\\t_\\t_\\t1\\tdobj\\t_\\t_\\n\\n"))
    1
    """
    relations = {base(relation) for relation in treebank.deprel.counts()}
    return 1 if relations & V1_ONLY or "CONJ" in treebank.upos.counts() else 2


def is_ud(counts: dict[str, int]) -> bool:
    """Whether relations, given with how often they occur, are those of UD, slips aside.

    Examples
    --------
    >>> is_ud({"nsubj": 2, "root": 1}), is_ud({"SBJ": 2, "ROOT": 1}), is_ud({"_": 3})
    (True, False, False)
    """
    return sum(_not_ud(counts).values()) <= TOLERATED * sum(counts.values())


def _not_ud(counts: dict[str, int]) -> dict[str, int]:
    known = V2_RELATIONS | V1_ONLY
    return {relation: n for relation, n in counts.items() if base(relation) not in known}


def require_ud(counts: dict[str, int]) -> None:
    """Raise unless relations, given with how often they occur, are those of UD."""
    if is_ud(counts):
        return
    unknown, words = _not_ud(counts), sum(counts.values())
    if counts.keys() <= {"_", ""}:
        raise RewriteError("a style starts from relations, but this treebank has none")
    shown = ", ".join(
        f"{relation} ({n:,})"
        for relation, n in sorted(unknown.items(), key=lambda item: -item[1])[:5]
    )
    raise RewriteError(
        f"a style starts from Universal Dependencies; {sum(unknown.values()):,} of {words:,} words "
        f"have other relations: {shown}"
    )
