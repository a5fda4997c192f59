"""A grammar's facts hold in the text: order, agreement, case, and the conventions of UD."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

import pytest

from treegauge.toys import TOY_LANGUAGES, toy_treebank
from treegauge.toys.lexicon import lexicon

LANGUAGES = ["toy:svo", "toy:sov", "toy:vso", "toy:free"]
RIGID = ["toy:svo", "toy:sov", "toy:vso"]


@dataclass
class Token:
    position: int
    form: str
    lemma: str
    upos: str
    feats: dict[str, str]
    deprel: str
    head: Token | None = None
    dependents: list[Token] = field(default_factory=list)

    def children(self, *relations: str) -> list[Token]:
        return [token for token in self.dependents if token.deprel in relations]

    @property
    def comes_first(self) -> bool:
        """Whether it stands before its head."""
        assert self.head is not None
        return self.position < self.head.position


@cache
def sentences(name: str) -> list[list[Token]]:
    """20,000 words of projective trees; displaced words are where the order does not say."""
    treebank = toy_treebank(name, nonprojective=0)
    columns = [list(treebank.columns[c]) for c in ("form", "lemma", "upos", "feats", "deprel")]
    heads = treebank.head.tolist()
    found = []
    for first, last in pairwise(treebank.offsets.tolist()):
        words = []
        for i in range(first, last):
            form, lemma, upos, feats, deprel = (column[i] for column in columns)
            said = dict(f.split("=") for f in feats.split("|")) if feats != "_" else {}
            words.append(Token(i - first + 1, form, lemma, upos, said, deprel))
        for token, head in zip(words, heads[first:last], strict=True):
            if head:
                token.head = words[head - 1]
                words[head - 1].dependents.append(token)
        found.append(words)
    return found


def tokens(name: str, *relations: str) -> list[Token]:
    found = [
        token
        for sentence in sentences(name)
        for token in sentence
        if not relations or token.deprel in relations
    ]
    assert found
    return found


def is_relative(token: Token) -> bool:
    return token.feats.get("PronType") == "Rel"


# ---------------------------------------------------------------- word order

BEFORE, BEHIND = True, False
SIDES = {
    # relation: svo, sov, vso, free
    "nsubj": (BEFORE, BEFORE, BEHIND, None),
    "obj": (BEHIND, BEFORE, BEHIND, None),
    "iobj": (BEHIND, BEFORE, BEHIND, None),
    "obl": (None, BEFORE, BEHIND, None),
    "aux": (BEFORE, BEHIND, BEFORE, BEFORE),
    "cop": (BEFORE, BEHIND, BEFORE, BEFORE),
    "mark": (BEFORE, BEHIND, BEFORE, BEFORE),
    "ccomp": (BEHIND, BEFORE, BEHIND, BEHIND),
    "case": (BEFORE, BEHIND, BEFORE, BEFORE),
    "det": (BEFORE, BEFORE, BEFORE, BEFORE),
    "amod": (BEFORE, BEFORE, BEHIND, None),
    "nummod": (BEFORE, BEFORE, BEHIND, BEFORE),
    "nmod": (BEHIND, BEFORE, BEHIND, BEHIND),
    "acl:relcl": (BEHIND, BEFORE, BEHIND, BEHIND),
    "conj": (BEHIND, BEHIND, BEHIND, BEHIND),
    "cc": (BEFORE, BEFORE, BEFORE, BEFORE),
}
"""Which side of its head a dependent stands on; None is either."""


@pytest.mark.parametrize("relation", SIDES)
@pytest.mark.parametrize("name", LANGUAGES)
def test_dependents_stand_on_their_side(name: str, relation: str) -> None:
    expected = SIDES[relation][LANGUAGES.index(name)]
    found = {token.comes_first for token in tokens(name, relation) if not is_relative(token)}
    assert found == ({BEFORE, BEHIND} if expected is None else {expected})


def clause_order(verb: Token) -> str:
    """Return `SVO` and so on, empty unless subject and object are both said."""
    arguments = {"S": verb.children("nsubj"), "O": verb.children("obj")}
    if verb.upos != "VERB" or not all(arguments.values()):
        return ""
    places = {role: found[0].position for role, found in arguments.items()} | {"V": verb.position}
    if any(is_relative(found[0]) for found in arguments.values()):
        return ""
    return "".join(sorted(places, key=lambda role: places[role]))


def clause_orders(name: str) -> Counter[str]:
    return Counter(filter(None, (clause_order(token) for token in tokens(name))))


@pytest.mark.parametrize("name", RIGID)
def test_the_name_says_the_order(name: str) -> None:
    assert set(clause_orders(name)) == {name.removeprefix("toy:").upper()}


def test_free_order_has_all_orders() -> None:
    orders = clause_orders("toy:free")
    assert set(orders) == {"SVO", "SOV", "VSO", "VOS", "OVS", "OSV"}
    assert min(orders.values()) > 0.05 * orders.total()


@pytest.mark.parametrize("name", ["toy:svo", "toy:free"])
def test_relative_pronouns_begin_their_clause(name: str) -> None:
    for pronoun in filter(is_relative, tokens(name)):
        clause = pronoun.head
        assert clause is not None
        others = [token for token in clause.dependents if token.deprel not in ("cc", "punct")]
        assert pronoun.position <= min(token.position for token in others)


def test_participles_make_relative_clauses() -> None:
    for clause in tokens("toy:sov", "acl:relcl"):
        assert clause.feats["VerbForm"] == "Part"
        assert not any(map(is_relative, clause.dependents))


# ---------------------------------------------------------------- agreement


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("toy:svo", {"Gender", "Number"}),
        ("toy:sov", set()),
        ("toy:vso", {"Gender", "Number"}),
        ("toy:free", {"Case", "Gender", "Number"}),
    ],
)
def test_determiners_and_adjectives_agree_with_their_noun(name: str, shown: set[str]) -> None:
    for token in tokens(name, "det", "amod"):
        noun = token.head
        assert noun is not None
        assert shown == set(token.feats) & {"Case", "Gender", "Number"}
        assert all(token.feats[feature] == noun.feats[feature] for feature in shown)


def finite_word(clause: Token) -> Token | None:
    """Return the word of a clause that shows its subject: auxiliary, copula or the verb."""
    for word in [*clause.children("aux", "cop"), clause]:
        if word.feats.get("Mood") == "Ind":
            return word
    return None


def clauses_with_subjects(name: str) -> Iterator[tuple[Token, Token]]:
    for subject in tokens(name, "nsubj"):
        assert subject.head is not None
        finite = finite_word(subject.head)
        if finite is not None:
            yield subject, finite


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("toy:svo", {"Person", "Number"}),
        ("toy:sov", {"Person", "Number"}),
        ("toy:vso", {"Gender", "Number"}),
        ("toy:free", {"Person", "Number"}),
    ],
)
def test_the_finite_verb_agrees_with_its_subject(name: str, shown: set[str]) -> None:
    checked = 0
    for subject, finite in clauses_with_subjects(name):
        assert shown == set(finite.feats) & {"Person", "Number", "Gender"}
        expected = {"Person": "3", "Gender": "Masc"} | subject.feats
        if subject.children("conj"):
            expected |= {"Number": "Plur", "Gender": "Masc"}
        assert {f: finite.feats[f] for f in shown} == {f: expected[f] for f in shown}
        checked += 1
    assert checked > 1000


@pytest.mark.parametrize("name", ["toy:svo", "toy:vso", "toy:free"])
def test_predicate_adjectives_agree_with_the_subject(name: str) -> None:
    checked = 0
    for subject in tokens(name, "nsubj"):
        adjective = subject.head
        assert adjective is not None
        if adjective.upos != "ADJ" or subject.children("conj"):
            continue
        for feature in {"Gender", "Number"} & set(subject.feats):
            assert adjective.feats[feature] == subject.feats[feature]
            checked += 1
    assert checked > 50


@pytest.mark.parametrize("name", ["toy:svo", "toy:free"])
def test_relative_pronouns_agree_with_their_antecedent(name: str) -> None:
    for pronoun in filter(is_relative, tokens(name)):
        clause = pronoun.head
        assert clause is not None
        antecedent = clause.head
        assert clause.deprel == "acl:relcl"
        assert antecedent is not None
        assert all(pronoun.feats[f] == antecedent.feats[f] for f in ("Gender", "Number"))


@pytest.mark.parametrize("name", LANGUAGES)
def test_numerals_decide_number(name: str) -> None:
    for numeral in tokens(name, "nummod"):
        assert numeral.head is not None
        assert numeral.head.feats["Number"] == ("Sing" if name == "toy:sov" else "Plur")


@pytest.mark.parametrize("name", LANGUAGES)
def test_auxiliaries_take_their_form(name: str) -> None:
    words = lexicon(TOY_LANGUAGES[name])
    have = words.lexemes[words.number["AUX", "have"]].lemma
    for auxiliary in tokens(name, "aux"):
        assert auxiliary.head is not None
        expected = "Part" if auxiliary.lemma == have else "Inf"
        assert auxiliary.head.feats["VerbForm"] == expected


# ---------------------------------------------------------------- case


@pytest.mark.parametrize("name", ["toy:sov", "toy:free"])
def test_case_says_who_does_what(name: str) -> None:
    cases = {"nsubj": "Nom", "obj": "Acc", "iobj": "Dat", "nmod": "Gen"}
    for token in tokens(name, *cases):
        assert token.feats["Case"] == cases[token.deprel]


def test_pronouns_of_svo_have_two_cases() -> None:
    for token in tokens("toy:svo"):
        if token.feats.get("PronType") == "Prs" and token.upos == "PRON":
            assert token.feats["Case"] == ("Nom" if token.deprel == "nsubj" else "Acc")


def test_possessors_of_vso_are_genitives() -> None:
    assert {token.feats.get("Case") for token in tokens("toy:vso", "nmod")} == {"Gen"}


@pytest.mark.parametrize("name", ["toy:sov", "toy:free"])
def test_adpositions_govern_their_case(name: str) -> None:
    language = TOY_LANGUAGES[name]
    governed = {
        form: language.governs.get(gloss, "Loc") for gloss, form in language.words["ADP"].items()
    }
    for adposition in tokens(name, "case"):
        assert adposition.head is not None
        assert adposition.head.feats["Case"] == governed[adposition.form]


@pytest.mark.parametrize("name", LANGUAGES)
def test_conjuncts_share_their_case(name: str) -> None:
    for token in tokens(name, "conj"):
        assert token.head is not None
        if token.upos in ("NOUN", "PROPN") and not token.children("nsubj", "cop"):
            assert token.feats.get("Case") == token.head.feats.get("Case")


# ---------------------------------------------------------------- universal dependencies

TAGS_OF_RELATION = {
    "det": {"DET"},
    "case": {"ADP"},
    "aux": {"AUX"},
    "cop": {"AUX"},
    "cc": {"CCONJ"},
    "punct": {"PUNCT"},
    "nummod": {"NUM"},
    "amod": {"ADJ"},
    "advmod": {"ADV", "PART"},
    "mark": {"SCONJ", "PART"},
    "discourse": {"INTJ", "PART"},
    "flat": {"PROPN"},
    "appos": {"PROPN"},
    "vocative": {"PROPN"},
    "nsubj": {"NOUN", "PROPN", "PRON"},
    "obj": {"NOUN", "PROPN", "PRON"},
    "xcomp": {"VERB"},
}
ALL_RELATIONS = {
    *TAGS_OF_RELATION, "root", "iobj", "obl", "nmod", "ccomp", "advcl", "acl:relcl", "conj",
}  # fmt: skip

ALL_TAGS = {
    "NOUN", "PROPN", "PRON", "VERB", "AUX", "ADJ", "ADV", "ADP", "DET", "NUM", "CCONJ", "SCONJ",
    "PART", "INTJ", "PUNCT",
}  # fmt: skip


@pytest.mark.parametrize("name", LANGUAGES)
def test_tags_fit_their_relations(name: str) -> None:
    for relation, tags in TAGS_OF_RELATION.items():
        assert {token.upos for token in tokens(name, relation)} <= tags


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_tag_and_every_relation_occurs(name: str) -> None:
    assert {token.deprel for token in tokens(name)} == ALL_RELATIONS
    assert {token.upos for token in tokens(name)} == ALL_TAGS


@pytest.mark.parametrize("name", LANGUAGES)
def test_function_words_have_no_dependents(name: str) -> None:
    for token in tokens(name, "det", "case", "aux", "cop", "mark", "cc", "punct"):
        assert not token.dependents


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_predicate_heads_its_copula(name: str) -> None:
    for copula in tokens(name, "cop"):
        assert copula.head is not None
        assert copula.head.upos in ("NOUN", "ADJ")


@pytest.mark.parametrize("name", LANGUAGES)
def test_coordination_hangs_on_the_first_conjunct(name: str) -> None:
    for conjunct in tokens(name, "conj"):
        assert conjunct.head is not None
        assert conjunct.head.deprel != "conj"
    for conjunction in tokens(name, "cc"):
        assert conjunction.head is not None
        assert conjunction.head.deprel == "conj"


@pytest.mark.parametrize("name", LANGUAGES)
def test_punctuation_is_never_doubled(name: str) -> None:
    for sentence in sentences(name):
        assert sentence[0].form not in ".,?!)"
        assert sentence[-1].form not in ",("
        for left, right in pairwise(sentence):
            assert not (left.form == "," and right.upos == "PUNCT")


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_predicate_has_one_subject_one_object_and_so_on(name: str) -> None:
    for token in tokens(name):
        for relation in ("nsubj", "obj", "iobj", "cop", "aux", "ccomp", "xcomp", "det"):
            assert len(token.children(relation)) <= 1


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_summary_says_what_the_language_is_like(name: str) -> None:
    summary = TOY_LANGUAGES[name].summary
    assert "Non-projective" in summary
    assert 300 < len(summary) < 700
