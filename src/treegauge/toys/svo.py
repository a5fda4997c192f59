"""toy:svo, verb-medial with prepositions."""

from __future__ import annotations

from treegauge.toys.language import Displacement, ToyLanguage
from treegauge.toys.morphology import Endings

_AGREEMENT = Endings("Gender", "Number", """
            Sing  Plur
    Masc    e     es
    Fem     a     as
""")  # fmt: skip

SVO = ToyLanguage(
    name="toy:svo",
    summary=(
        "Verb-medial with prepositions, in the manner of Western Europe. Articles and "
        "adjectives stand before the noun and agree with it in gender and number; the verb "
        "agrees with its subject in person and number; nouns have no case, pronouns have two. "
        "Relative clauses follow the noun and begin with a relative pronoun; auxiliaries "
        "precede the verb. Non-projective where a relative clause moves to the end of the "
        "sentence or an object leaves a subordinate clause for its beginning."
    ),
    seed=101,
    clause=(
        "comma< cc mark relative discourse vocative front advcl obl nsubj aux cop neg advmod * "
        "iobj obj xcomp advmod obl ccomp advcl back conj comma> stop"
    ),
    nominal="comma< cc case det nummod amod * flat nmod appos acl:relcl conj comma>",
    modifier="comma< cc degree * conj comma>",
    before={"advcl": 0.35, "obl": 0.15, "advmod": 0.3},
    displacements=(
        Displacement("acl:relcl", of="nsubj", to="back"),
        Displacement("obj", of="ccomp", to="front"),
    ),
    nonprojective=0.05,
    noun=(Endings("", "Number", """
            Sing  Plur
            -     es
        """),),
    adjective=(_AGREEMENT,),
    determiner=(_AGREEMENT,),
    demonstrative=(_AGREEMENT,),
    pronoun=(Endings("Person Number Gender", "Case", """
                        Nom    Acc
        1 Sing *        io     me
        2 Sing *        tu     te
        3 Sing Masc     gi     de
        3 Sing Fem      gia    da
        1 Plur *        noi    nos
        2 Plur *        voi    vos
        3 Plur *        gin    des
    """),),
    # -es is the plural of nouns and the third person of verbs.
    verb=(Endings("VerbForm Tense Number", "Person", """
                        1      2      3
        Fin Pres Sing   o      is     es
        Fin Pres Plur   om     it     on
        Fin Past Sing   ev     evis   ev
        Fin Past Plur   evom   evit   evon
        Imp *    Sing   -
        Imp *    Plur   it
        Inf *    *      ar
        Part *   *      ad
    """),),
    adverb="a",  # which is also the feminine of the adjective
    genders=("Masc", "Fem"),
    cases={"nsubj": "Nom", "obj": "Acc", "iobj": "Acc", "obl": "Acc", "nmod": "Acc"},
    possessor="of",
    relative="pronoun",
    determiners={
        "": 16, "the": 40, "a": 18, "this": 5, "that": 4, "every": 3, "some": 4, "my": 4,
        "your": 2, "his": 4,
    },
    onsets="p t k b d g m n l r s v f pl tr br st",
    vowels="a e i o u a i",
    codas="n l r s t m k d",
    stems={"have": "ten"},
    words={
        "ADP": {
            "in": "na", "to": "ta", "with": "sum", "on": "po", "from": "vor", "for": "lim",
            "under": "dol", "about": "gir", "after": "pas", "before": "fro", "without": "nis",
            "of": "ze",
        },
        "AUX": {"be": "er", "have": "ten", "will": "vol", "can": "pot", "must": "dev"},
        "DET": {
            "the": "d", "a": "un", "this": "kest", "that": "kel", "every": "omn", "some": "alk",
            "my": "mi", "your": "ti", "his": "si",
        },
        "PRON": {"this": "kest", "that": "kel", "who": "kv", "which": "kv"},
        "SCONJ": {
            "that": "kele", "because": "dun", "if": "sa", "when": "van", "after": "pas",
            "before": "fro", "although": "trom",
        },
        "CCONJ": {"and": "i", "or": "u", "but": "mar"},
        "PART": {"not": "ne", "to": "ta"},
        "ADV": {
            "very": "mul", "too": "tro", "quite": "sat", "where": "ub", "when": "van",
            "why": "kom",
        },
        "NUM": {
            "two": "duk", "three": "tris", "four": "kad", "five": "pen", "six": "sek",
            "seven": "sep", "eight": "okt", "nine": "nev", "ten": "dek",
        },
        "INTJ": {"oh": "ah", "yes": "so", "well": "bo", "hey": "ei"},
    },
)  # fmt: skip
"""Verb-medial with prepositions."""
