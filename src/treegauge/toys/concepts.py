"""What can be said: the concepts that all toy languages have words for.

Open classes are numbered by frequency and share their numbers between languages, which makes
a word list between any two of them exact. The most frequent concepts have an English name;
the others are called `noun412`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OpenClass:
    """A class of content words.

    Attributes
    ----------
    upos : str
        Their universal tag.
    size : int
        How many there are.
    names : str
        English names of the first ones.
    """

    upos: str
    size: int
    names: str = ""

    def concepts(self, label: str) -> list[str]:
        """Return the names of all concepts, most frequent first."""
        named = self.names.split()
        return named + [f"{label}{number}" for number in range(len(named), self.size)]


OPEN_CLASSES = {
    "noun": OpenClass(
        "NOUN",
        2400,
        "man woman house day dog child water hand tree road night friend bird king fish stone "
        "book city song bread horse door river word fire boat star apple cloud knife",
    ),
    "name": OpenClass("PROPN", 600),
    # Verbs by what they govern: nothing, obj, iobj and obj, ccomp, xcomp.
    "intransitive": OpenClass(
        "VERB", 200, "go come sleep laugh run fall sit work dance wait swim shine"
    ),
    "transitive": OpenClass(
        "VERB", 500, "have see take find make eat hear love carry know open break buy follow"
    ),
    "ditransitive": OpenClass("VERB", 20, "give show send bring lend"),
    "speech": OpenClass("VERB", 30, "say think believe hope tell"),
    "control": OpenClass("VERB", 20, "want try begin forget learn"),
    "adjective": OpenClass(
        "ADJ", 500, "good big small old new red white long slow strong quiet cold dark happy"
    ),
    "manner": OpenClass("ADV", 150),
    "time": OpenClass("ADV", 40, "now today here often then there soon always"),
}
"""Classes of content words. Adverbs of manner are made from adjectives."""

DIGITS = tuple(str(number) for number in (2, 3, 10, 4, 5, 20, 100, 6, 12, 7, 30, 8, 50, 15, 24))
"""Numbers in figures, most frequent first; the same in all languages."""

TAKEN_BY_AUXILIARY = {"will": "Inf", "have": "Part", "can": "Inf", "must": "Inf"}
"""The form of the verb after every auxiliary."""

LEXICAL_FEATURES = {
    ("DET", "the"): "Definite=Def|PronType=Art",
    ("DET", "a"): "Definite=Ind|PronType=Art",
    ("DET", "this"): "PronType=Dem",
    ("DET", "that"): "PronType=Dem",
    ("DET", "every"): "PronType=Tot",
    ("DET", "some"): "PronType=Ind",
    ("DET", "my"): "Person=1|Poss=Yes|PronType=Prs",
    ("DET", "your"): "Person=2|Poss=Yes|PronType=Prs",
    ("DET", "his"): "Person=3|Poss=Yes|PronType=Prs",
    ("PRON", "this"): "PronType=Dem",
    ("PRON", "that"): "PronType=Dem",
    ("PRON", "who"): "PronType=Int",
    ("PRON", "which"): "PronType=Rel",
    ("ADV", "where"): "PronType=Int",
    ("ADV", "when"): "PronType=Int",
    ("ADV", "why"): "PronType=Int",
    ("PART", "not"): "Polarity=Neg",
    ("PUNCT", "."): "PunctType=Peri",
    ("PUNCT", ","): "PunctType=Comm",
    ("PUNCT", "?"): "PunctType=Qest",
    ("PUNCT", "!"): "PunctType=Excl",
    ("PUNCT", "("): "PunctSide=Ini|PunctType=Brck",
    ("PUNCT", ")"): "PunctSide=Fin|PunctType=Brck",
}
"""Features that function words have in every form, in every language."""

ONLY_FORMS = {
    ("DET", "a"): {"Number": "Sing"},
    ("DET", "every"): {"Number": "Sing"},
    ("PRON", "who"): {"Case": "Nom", "Gender": "Masc", "Number": "Sing"},
    ("PRON", "which"): {"Case": "Nom/Acc"},
}
"""Which forms of function words are used, where it is not all of them."""


def noun_of_verb(label: str, rank: int) -> int:
    """Return the rank of the noun that a verb shares its stem with, -1 for most verbs.

    As in English "a walk" and "to walk"; where endings are alike as well, forms can be
    both.
    """
    if label == "transitive" and rank % 4 == 2:
        return 2 * rank + 1
    if label == "intransitive" and rank % 4 == 1:
        return 2 * rank + 2
    return -1
