"""How the trees of well-known treebanks came about.

A treebank's own papers rarely travel with its files. Table 1 of Gelling et al. (2012), "The
PASCAL Challenge on Grammar Induction", says for the challenge's treebanks whether people drew
dependencies (`d`) or phrases (`p`); the same treebanks, converted once more to Universal
Dependencies, keep that mark here. The Czech Academic Corpus was annotated like the Prague
treebank of that table (Vidová Hladká et al. 2008).
"""

from __future__ import annotations

KNOWN_ANNOTATION = {
    "ar_padt": "d",
    "cs_cac": "d",
    "cs_pdt": "d",
    "da_ddt": "d",
    "en_childes": "d",
    "en_wsj_sample": "p",
    "eu_bdt": "d",
    "nl_alpino": "p",
    "pt_bosque": "p",
    "sl_ssj": "d",
    "sv_talbanken": "d",
    "sv_talbanken_v2": "d",
}
"""Keys of `entry.ANNOTATIONS` by the short name of a treebank."""


def annotation_of_readme(relations: str) -> str:
    """Return what the line `Relations:` of a UD README says of the trees.

    >>> annotation_of_readme("manual native"), annotation_of_readme("converted from manual")
    ('d', 'c')
    """
    if relations.startswith("manual native"):
        return "d"
    # It never says from what: phrases, or another kind of dependencies.
    return "c" if relations.startswith("converted") else ""
