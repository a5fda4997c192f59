"""The seven relations of the PASCAL challenge's Table 6, for any treebank that has them.

Conventions
-----------
The challenge's columns are labels of its conversion of the Penn Treebank: ROOT, SBJ, OBJ,
PRD (predicative complement), NMOD (modifier of a noun), COORD (conjunct) and CC
(coordinating conjunction). In a treebank with these labels they are taken as they are, and
every other label, IOBJ for one, belongs to no column. In one with the relations of
Universal Dependencies, version 1 or 2, subtypes cut:

ROOT    root
SBJ     nsubj, csubj; nsubjpass, csubjpass of version 1
OBJ     obj, iobj; dobj of version 1
PRD     cop: the same two words, though UD hangs the copula on the predicate and not the
        other way round
NMOD    nmod, appos, nummod, acl, amod, det, clf, compound, flat; name of version 1
COORD   conj
CC      cc

NMOD is what the conversion calls every dependent of a noun that has no label of its own:
determiners, adjectives, numerals, possessors, prepositional phrases, relative clauses,
appositions, and, as noun phrases of the Penn Treebank are flat, all nouns and parts of names
before the last one. On UD that is the row "nominal dependents" of its table of relations, and
`compound` and `flat` besides. Left out are `case`, since a preposition heads its phrase in the
conversion and so is never the NMOD of its own noun; and `compound:prt`, `compound:lvc` and
`compound:svc`, which stand at verbs. Adverbs at nouns (`advmod`: "only Ann") are left out, as
the relation alone does not tell them from those at verbs; and `nmod` of version 1 cannot be
parted from the obliques of verbs that it covers too, so that the column is wider there.

Other inventories use the same letters in other senses (CC is an adverbial in the Spanish
treebank of CoNLL 2007), so a treebank without SBJ, NMOD, `root` and `nsubj` has no Table 6.

References
----------
Gelling, Cohn, Blunsom and Graça (2012), The PASCAL Challenge on Grammar Induction, Table 6.
Johansson and Nugues (2007), Extended Constituent-to-Dependency Conversion for English.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from treegauge.strata.errors import StrataError
from treegauge.strata.labels import without_subtype
from treegauge.strata.strata import NO_STRATUM, Strata
from treegauge.treebank import EMPTY, Treebank

TABLE6_ORDER = ("ROOT", "SBJ", "OBJ", "PRD", "NMOD", "COORD", "CC")
"""The columns of Table 6, from left to right."""

_UD_RELATIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "ROOT": ("root",),
        "SBJ": ("nsubj", "csubj", "nsubjpass", "csubjpass"),
        "OBJ": ("obj", "iobj", "dobj"),
        "PRD": ("cop",),
        "NMOD": (
            *("nmod", "appos", "nummod", "acl", "amod", "det", "clf"),
            *("compound", "flat", "name"),
        ),
        "COORD": ("conj",),
        "CC": ("cc",),
    }
)
_UD_COLUMN = {relation: column for column, them in _UD_RELATIONS.items() for relation in them}
_AT_VERBS = frozenset({"compound:prt", "compound:lvc", "compound:svc"})

_UD_HEADINGS = ("root", "nsubj/csubj", "obj/iobj", "cop", "nominal modifiers", "conj", "cc")

_ONLY_PENN = frozenset({"SBJ", "NMOD"})
_ONLY_UD = frozenset({"root", "nsubj"})
"""Labels by which an inventory is known; the others occur elsewhere in other senses."""


def challenge_relations(gold: Treebank) -> Strata:
    """Divide by the challenge's seven relations; words with any other belong to none.

    Raises
    ------
    StrataError
        If the relations are neither those of UD nor those of the Penn Treebank's conversion.
    """
    place = {column: code for code, column in enumerate(TABLE6_ORDER)}
    column_of = _ud_column if _has_ud_relations(gold) else str
    by_value = [place.get(column_of(deprel), NO_STRATUM) for deprel in gold.deprel.vocabulary]
    return Strata(np.array(by_value, np.int32)[gold.deprel.codes], TABLE6_ORDER)


def table6_headings(gold: Treebank) -> dict[str, str]:
    """Return what the columns of Table 6 stand for in the relations of a treebank, in order.

    Examples
    --------
    >>> import treegauge as tg
    >>> gold = tg.parse("1\\tGo\\t_\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n")
    >>> table6_headings(gold)["SBJ"]
    'nsubj/csubj'
    """
    headings = _UD_HEADINGS if _has_ud_relations(gold) else TABLE6_ORDER
    return dict(zip(TABLE6_ORDER, headings, strict=True))


def _ud_column(deprel: str) -> str:
    return "" if deprel in _AT_VERBS else _UD_COLUMN.get(without_subtype(deprel), "")


def _has_ud_relations(gold: Treebank) -> bool:
    counts = gold.deprel.map(without_subtype).counts()
    penn = sum(counts.get(label, 0) for label in _ONLY_PENN)
    ud = sum(counts.get(label, 0) for label in _ONLY_UD)
    if gold.n_words and not penn and not ud:
        labels = [label for label in counts if label not in ("", EMPTY)]
        raise StrataError(
            f"stratum 'table6' needs relations of UD (root, nsubj) or of the Penn Treebank's "
            f"conversion (SBJ, NMOD); {gold.name or 'gold'} has {', '.join(labels[:5])}\n"
            "  `relation` divides by whatever relations there are"
        )
    return ud >= penn
