"""Tags and FEATS as the columns have them."""

from __future__ import annotations

from collections.abc import Mapping

FINE = {
    "NOUN": "NN",
    "PROPN": "NP",
    "PRON": "PN",
    "VERB": "VB",
    "AUX": "VX",
    "ADJ": "JJ",
    "ADV": "RB",
    "ADP": "IN",
    "DET": "DT",
    "NUM": "CD",
    "CCONJ": "CC",
    "SCONJ": "CS",
    "PART": "RP",
    "INTJ": "UH",
    "PUNCT": "PU",
}
"""How fine tags begin."""

COARSE = {
    "NOUN": "n",
    "PROPN": "n",
    "PRON": "p",
    "DET": "p",
    "VERB": "v",
    "AUX": "v",
    "ADJ": "a",
    "NUM": "a",
    "ADV": "r",
    "ADP": "s",
    "CCONJ": "c",
    "SCONJ": "c",
    "PART": "q",
    "INTJ": "q",
    "PUNCT": "z",
}
"""Coarse tags, in the manner of MULTEXT-East; fewer than the universal ones."""

_SHORT = {
    "Sing": "SG",
    "Plur": "PL",
    "Masc": "M",
    "Fem": "F",
    "Neut": "N",
    "Pres": "PRS",
    "Past": "PST",
    "Yes": "POSS",
}
# Said by the rest of the tag, or by most words of the class.
_UNSAID = {"VerbForm=Fin", "Mood=Ind", "Polarity=Pos", "PronType=Prs", "PunctSide=Ini"}


def feats(features: Mapping[str, str]) -> str:
    """Return features as FEATS has them.

    >>> feats({"Number": "Plur", "Case": "Acc"}), feats({"VerbForm": "Imp"}), feats({})
    ('Case=Acc|Number=Plur', 'Mood=Imp|VerbForm=Fin', '_')
    """
    bundle = dict(features)
    if bundle.get("VerbForm") in ("Fin", "Imp"):
        bundle["Mood"] = "Imp" if bundle["VerbForm"] == "Imp" else "Ind"
        bundle["VerbForm"] = "Fin"
    return "|".join(f"{name}={bundle[name]}" for name in sorted(bundle)) or "_"


def fine_tag(upos: str, features: Mapping[str, str]) -> str:
    """Return the fine tag of a form.

    >>> fine_tag("NOUN", {"Number": "Plur", "Case": "Acc"}), fine_tag("CCONJ", {})
    ('NN-PL-ACC', 'CC')
    """
    abbreviations = [
        _SHORT.get(value, value.upper())
        for name, value in features.items()
        if f"{name}={value}" not in _UNSAID
    ]
    return "-".join([FINE[upos], *abbreviations])
