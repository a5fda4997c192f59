"""toy:free, free order with case marking."""

from __future__ import annotations

from treegauge.toys.language import Displacement, ToyLanguage
from treegauge.toys.morphology import Endings

_NOUN = Endings("Gender Number", "Case", """
                Nom    Acc    Dat    Gen    Loc
    Masc Sing   -      a      u      a      e
    Masc Plur   i      ý      om     ov     akh
    Fem  Sing   a      u      ej     ý      ej
    Fem  Plur   ý      ý      am     -      akh
    Neut Sing   o      o      u      a      e
    Neut Plur   a      a      om     -      akh
""")  # fmt: skip
_ADJECTIVE = Endings("Gender Number", "Case", """
                Nom    Acc    Dat    Gen    Loc
    Masc Sing   en     ego    emu    ego    em
    Masc Plur   ni     nikh   nim    nikh   nikh
    Fem  Sing   na     nu     noj    noj    noj
    Fem  Plur   ne     ne     nim    nikh   nikh
    Neut Sing   no     no     emu    ego    em
    Neut Plur   na     na     nim    nikh   nikh
""")  # fmt: skip

FREE = ToyLanguage(
    name="toy:free",
    summary=(
        "Free order with case marking, in the manner of Latin or Slavic. Subject, objects, "
        "obliques and adverbs stand on either side of the verb in any order, adjectives on "
        "either side of the noun; endings say who does what. Three genders, five cases, fused "
        "with number; determiners, adjectives and relative pronouns agree with the noun, verbs "
        "with their subject in person and number. There are prepositions (each with its case), "
        "but no articles. Non-projective where an adjective or a possessor is split from its "
        "noun, a relative clause is put off, or an object leaves its clause."
    ),
    seed=104,
    clause=(
        "comma< cc mark relative discourse vocative front advcl "
        "question {nsubj obj iobj obl advmod} neg aux cop * {nsubj obj iobj obl advmod} "
        "xcomp ccomp advcl back conj comma> stop"
    ),
    nominal="comma< cc case det nummod amod * flat amod nmod appos acl:relcl conj comma>",
    modifier="comma< cc degree * conj comma>",
    before={
        "nsubj": 0.6, "obj": 0.4, "iobj": 0.4, "obl": 0.45, "advmod": 0.6, "advcl": 0.4,
        "amod": 0.65,
    },
    displacements=(
        Displacement("amod", of="obj", to="front"),
        Displacement("nmod", of="obj", to="front"),
        Displacement("acl:relcl", of="nsubj", to="back"),
        Displacement("obj", of="ccomp", to="front"),
    ),
    nonprojective=0.15,
    noun=(_NOUN,),
    adjective=(_ADJECTIVE,),
    determiner=(_ADJECTIVE,),
    demonstrative=(_ADJECTIVE,),
    pronoun=(Endings("Person Number Gender", "Case", """
                        Nom    Acc    Dat    Gen    Loc
        1 Sing *        az     ma     mi     mene   mne
        2 Sing *        ty     ta     ti     tebe   tbe
        3 Sing Masc     on     ho     mu     jeho   nem
        3 Sing Fem      ona    ju     jej    jeje   nej
        3 Sing Neut     ono    ho     mu     jeho   nem
        1 Plur *        my     nas    nam    nas    nas
        2 Plur *        vy     vas    vam    vas    vas
        3 Plur *        oni    ikh    im     ikh    nikh
    """),),
    # -i is the third person of verbs and the plural of masculine nouns.
    verb=(Endings("VerbForm Tense Number", "Person", """
                        1      2      3
        Fin Pres Sing   im     iš     i
        Fin Pres Plur   imo    ite    ut
        Fin Past Sing   ekh    el     el
        Fin Past Plur   ekhmo  ekhte  eli
        Imp *    Sing   -
        Imp *    Plur   te
        Inf *    *      iti
        Part *   *      ilo
    """),),
    adverb="no",  # which is also the neuter of the adjective
    genders=("Masc", "Fem", "Neut"),
    cases={"nsubj": "Nom", "obj": "Acc", "iobj": "Dat", "obl": "Loc", "nmod": "Gen"},
    governs={
        "to": "Dat", "from": "Gen", "for": "Acc", "without": "Gen", "before": "Acc", "with": "Dat",
    },
    bare_oblique=0.25,
    relative="pronoun",
    drops_pronouns=0.5,
    determiners={
        "": 70, "this": 7, "that": 6, "every": 4, "some": 5, "my": 4, "your": 2, "his": 3,
    },
    onsets="b d g k l m n p r s t v z č š ž gr kl sv",
    vowels="a e i o u a o",
    codas="b d k l m n r s t v č ž",
    stems={"have": "im"},
    words={
        "ADP": {
            "in": "v", "to": "k", "with": "so", "on": "na", "from": "ot", "for": "dlja",
            "under": "pod", "about": "pri", "after": "po", "before": "pred", "without": "bez",
        },
        "AUX": {"be": "byd", "have": "im", "will": "khoč", "can": "mog", "must": "tref"},
        "DET": {
            "this": "sij", "that": "toj", "every": "vsak", "some": "nek", "my": "moj",
            "your": "tvoj", "his": "svoj",
        },
        "PRON": {"this": "sij", "that": "toj", "who": "kot", "which": "kot"},
        "SCONJ": {
            "that": "da", "because": "zan", "if": "če", "when": "kog", "after": "po",
            "before": "pred", "although": "khot",
        },
        "CCONJ": {"and": "i", "or": "ili", "but": "a"},
        "PART": {"not": "ne", "question": "li"},
        "ADV": {
            "very": "mnog", "too": "pre", "quite": "dost", "where": "gde", "when": "kog",
            "why": "začo",
        },
        "NUM": {
            "two": "dva", "three": "tri", "four": "čet", "five": "pet", "six": "šest",
            "seven": "sed", "eight": "os", "nine": "dev", "ten": "des",
        },
        "INTJ": {"oh": "oj", "yes": "da", "well": "no", "hey": "hej"},
    },
)  # fmt: skip
"""Free order with case marking."""
