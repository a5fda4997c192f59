"""toy:vso, verb-initial."""

from __future__ import annotations

from treegauge.toys.language import Displacement, ToyLanguage
from treegauge.toys.morphology import Endings

_AGREEMENT = Endings("Gender", "Number", """
            Sing  Plur
    Masc    -     í
    Fem     e     ené
""")  # fmt: skip

VSO = ToyLanguage(
    name="toy:vso",
    summary=(
        "Verb-initial with prepositions, in the manner of Celtic or Semitic. Negation and "
        "auxiliaries stand before the verb, subject and object behind it, and a copular clause "
        "begins with its predicate. The article precedes the noun; numerals, adjectives, "
        "possessors (in the genitive) and relative clauses (with a particle) follow. Articles "
        "and adjectives agree with the noun, and verbs with their subject, in gender and "
        "number. Non-projective where a possessor or a relative clause of the subject moves "
        "behind the object."
    ),
    seed=103,
    clause=(
        "comma< cc mark discourse front question neg aux cop * nsubj iobj obj xcomp advmod obl "
        "ccomp advcl vocative back conj comma> stop"
    ),
    nominal="comma< cc case det * flat nummod amod nmod appos acl:relcl conj comma>",
    modifier="comma< cc * degree conj comma>",
    before={},
    displacements=(
        Displacement("acl:relcl", of="nsubj", to="back"),
        Displacement("nmod", of="nsubj", to="back"),
    ),
    nonprojective=0.05,
    noun=(Endings("Number", "Case", """
                *     Gen
        Sing    -     a
        Plur    ín    ína
    """),),
    adjective=(_AGREEMENT,),
    determiner=(_AGREEMENT,),
    demonstrative=(_AGREEMENT,),
    pronoun=(Endings("Number Person", "Gender", """
                Masc   Fem
        Sing 1  mi     mía
        Sing 2  ti     tía
        Sing 3  ev     eva
        Plur 1  ni     nía
        Plur 2  khi    khía
        Plur 3  iad    iada
    """),),
    # The masculine present -a is also the genitive of nouns.
    verb=(Endings("VerbForm Tense Gender", "Number", """
                        Sing   Plur
        Fin Pres Masc   a      an
        Fin Pres Fem    as     asín
        Fin Past Masc   ui     uin
        Fin Past Fem    uis   uisín
        Imp *    *      -      ith
        Inf *    *      odh
        Part *   *      ta
    """),),
    adverb="e",  # which is also the feminine of the adjective
    genders=("Masc", "Fem"),
    cases={"nsubj": "Nom", "obj": "Acc", "iobj": "Dat", "obl": "Loc", "nmod": "Gen"},
    relative="particle",
    drops_pronouns=0.25,
    determiners={
        "": 34, "the": 44, "this": 4, "that": 3, "every": 3, "some": 4, "my": 3, "your": 2,
        "his": 3,
    },
    onsets="b k d f g l m n r s t gh rh ll th",
    vowels="a e i o u á é ó ai",
    codas="d l n r s th kh m",
    words={
        "ADP": {
            "in": "i", "to": "dho", "with": "lei", "on": "ar", "from": "ó", "for": "gus",
            "about": "fan", "under": "fó", "after": "taré", "before": "rhó", "without": "gan",
        },
        "AUX": {"be": "bidh", "have": "tág", "will": "gun", "can": "gall", "must": "ruin"},
        "DET": {
            "the": "an", "this": "sin", "that": "úd", "every": "gakh", "some": "rhai",
            "my": "mo", "your": "do", "his": "ei",
        },
        "PRON": {"this": "sin", "that": "úd", "who": "pui"},
        "SCONJ": {
            "that": "go", "because": "óir", "if": "má", "when": "nuar", "after": "taré",
            "before": "rhó", "although": "ké",
        },
        "CCONJ": {"and": "akh", "or": "nó", "but": "os"},
        # The particles look like the article and like the complementiser.
        "PART": {"not": "ní", "question": "an", "relative": "go"},
        "ADV": {
            "very": "iaun", "too": "rhy", "quite": "eitha", "where": "káir", "when": "nuar",
            "why": "pam",
        },
        "NUM": {
            "two": "dau", "three": "trí", "four": "kehr", "five": "kúg", "six": "sé",
            "seven": "seakht", "eight": "ukh", "nine": "nau", "ten": "deg",
        },
        "INTJ": {"oh": "ó", "yes": "ia", "well": "uel", "hey": "hai"},
    },
)  # fmt: skip
"""Verb-initial with prepositions."""
