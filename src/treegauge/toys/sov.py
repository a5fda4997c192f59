"""toy:sov, verb-final with postpositions."""

from __future__ import annotations

from treegauge.toys.language import Displacement, ToyLanguage
from treegauge.toys.morphology import Endings

_NUMBER = Endings("", "Number", """
    Sing  Plur
    -     ler
""")  # fmt: skip
_CASE = Endings("", "Case", """
    Nom   Acc   Dat   Gen   Loc
    -     i     ge    in    de
""")  # fmt: skip
_INVARIABLE = Endings(
    "",
    "Case",
    """
    *
    -
""",
)

SOV = ToyLanguage(
    name="toy:sov",
    summary=(
        "Verb-final with postpositions and agglutinating, in the manner of Turkish or Japanese. "
        "Everything precedes its head: relative clauses (with a participle, without a pronoun), "
        "possessors, adjectives; auxiliaries, the copula and subordinators follow the verb. "
        "Number, case, negation, tense and person have a suffix each; adjectives and "
        "determiners never change, there are no genders and no articles, and pronouns that are "
        "subjects are mostly left out. Non-projective where a possessor moves before the "
        "subject or a relative clause behind the verb."
    ),
    seed=102,
    clause=(
        "comma< cc discourse vocative front advcl nsubj obl advmod iobj obj ccomp xcomp * "
        "cop aux question back conj mark comma> stop"
    ),
    nominal="comma< cc acl:relcl nmod det nummod amod * flat appos conj case comma>",
    modifier="comma< cc degree * conj comma>",
    before={},
    displacements=(
        Displacement("nmod", of="obj", to="front"),
        Displacement("acl:relcl", of="nsubj", to="back"),
    ),
    nonprojective=0.05,
    noun=(_NUMBER, _CASE),
    adjective=(_INVARIABLE,),
    determiner=(_INVARIABLE,),
    demonstrative=(_NUMBER, _CASE),
    pronoun=(
        Endings("Number", "Person", """
                    1     2     3
            Sing    men   sen   on
            Plur    biz   siz   onler
        """),
        _CASE,
    ),
    # The past -de is also the locative of nouns, and the participle -in their genitive.
    verb=(
        Endings("", "Polarity", """
            Pos   Neg
            -     me
        """),
        Endings("VerbForm", "Tense", """
                    Pres  Past
            Fin     üre   de
            Imp     -
            Inf     mek
            Part    in
        """),
        Endings("VerbForm Number", "Person", """
                        1     2     3
            Fin  Sing   m     ñ     -
            Fin  Plur   k     ñiz   ler
            Imp  Sing   -
            Imp  Plur   iñ
            Inf  *      -
            Part *      -
        """),
    ),
    adverb="ce",
    genders=(),
    cases={"nsubj": "Nom", "obj": "Acc", "iobj": "Dat", "obl": "Loc", "nmod": "Gen"},
    governs={
        "with": "Nom", "on": "Gen", "for": "Nom", "under": "Gen", "about": "Acc",
        "after": "Loc", "before": "Loc", "without": "Nom", "from": "Loc", "to": "Dat",
    },
    bare_oblique=0.45,
    relative="participle",
    drops_pronouns=0.6,
    counted="Sing",
    fronts_questions=False,
    determiners={
        "": 72, "this": 8, "that": 6, "every": 3, "some": 5, "my": 3, "your": 1, "his": 3,
    },
    onsets="k t b d g s ş ç m n y h r l",
    vowels="a e i ö ü u o",
    codas="k t n r l ş z p m",
    words={
        "ADP": {
            "with": "bele", "to": "kadü", "for": "ötü", "on": "üri", "from": "tañ",
            "about": "yaru", "under": "söke", "after": "sono", "before": "öñe",
            "without": "sis",
        },
        "AUX": {"be": "ol", "have": "bol", "will": "çak", "can": "bil", "must": "ger"},
        "DET": {
            "this": "ko", "that": "şo", "every": "mai", "some": "aru", "my": "beñe",
            "your": "señe", "his": "oñe",
        },
        "PRON": {"this": "ko", "that": "şo", "who": "kü"},
        "SCONJ": {
            "that": "diy", "because": "ötü", "if": "se", "when": "iken", "after": "sono",
            "before": "öñe", "although": "geri",
        },
        "CCONJ": {"and": "va", "or": "ya", "but": "amü"},
        "PART": {"question": "mü"},
        "ADV": {
            "very": "çok", "too": "pek", "quite": "aru", "where": "nere", "when": "naz",
            "why": "niye",
        },
        "NUM": {
            "two": "ik", "three": "üç", "four": "döt", "five": "beş", "six": "alt",
            "seven": "yed", "eight": "sek", "nine": "dok", "ten": "onu",
        },
        "INTJ": {"oh": "ay", "yes": "hai", "well": "işe", "hey": "yo"},
    },
)  # fmt: skip
"""Verb-final with postpositions."""
