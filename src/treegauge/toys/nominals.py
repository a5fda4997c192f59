"""Rules for nominals: nouns, names and pronouns, and what can depend on them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.toys.concepts import DIGITS, ONLY_FORMS
from treegauge.toys.growth import CLAUSE, MODIFIER, NOMINAL, PRONOUN, Growth, Mask, Nodes
from treegauge.toys.morphology import FEATURES, value_index

# How frequent things are; shares of the nominals (or modifiers) that could have them.
PLURAL = 0.28
COUNTED = 0.05
IN_FIGURES = 0.4
COORDINATED = 0.09
ADJECTIVE = 0.36
SECOND_ADJECTIVE = 0.08
POSSESSOR = 0.2
RELATIVE_CLAUSE = 0.11
OBJECT_RELATIVE = 0.4
APPOSITION = 0.03
SECOND_NAME = 0.3
DEGREE = 0.12
COORDINATED_ADJECTIVE = 0.06

DEEPEST_CLAUSE = 3
"""Clauses inside clauses; deeper ones are hardly ever said."""

_PERSONS = (34, 16, 50)
_CONJUNCTIONS = {"and": 8, "or": 2}


def add_nominals(
    growth: Growth,
    heads: Nodes,
    slot: str,
    *,
    pronouns: float = 0.0,
    names: float = 0.15,
    adposition: bool = False,
) -> Nodes:
    """Add a nominal to every head, in the case that its slot asks for.

    `pronouns` and `names` are the shares of those; the rest are nouns.
    """
    nodes = growth.add(heads, slot, kind=NOMINAL)
    fill_nominals(growth, nodes, pronouns=pronouns, names=names)
    growth.set_feature(nodes, "Case", growth.language.cases.get(slot, "Nom"))
    if adposition:
        add_adpositions(growth, nodes)
    return nodes


def fill_nominals(growth: Growth, nodes: Nodes, *, pronouns: float, names: float) -> None:
    """Decide what nominals are: a noun, a name or a pronoun, singular or plural."""
    language, lexicon = growth.language, growth.lexicon
    chance = growth.chances(len(nodes))
    # Nothing can be moved out of a pronoun or a name.
    chance[growth.mover[nodes] > 0] = 1.0
    is_pronoun = chance < pronouns
    is_name = ~is_pronoun & (chance < pronouns + names)
    fill_pronouns(growth, nodes[is_pronoun])

    plain = nodes[~is_pronoun]
    named = is_name[~is_pronoun]
    growth.lexeme[plain] = np.where(
        named, growth.draw("name", len(plain)), growth.draw("noun", len(plain))
    )
    growth.set_feature(plain, "Person", "3")
    growth.set_feature(plain, "Gender", lexicon.gender[growth.lexeme[plain]])
    growth.set_feature(plain, "Number", ~named & (growth.chances(len(plain)) < PLURAL))

    counted = growth.some(nodes[~is_pronoun & ~is_name], COUNTED)
    growth.set_feature(counted, "Number", language.counted)
    _add_numerals(growth, counted)

    coordinated = growth.some(plain, COORDINATED)
    growth.conjuncts[coordinated] = 1 + (growth.chances(len(coordinated)) < 0.2)


def fill_pronouns(growth: Growth, nodes: Nodes) -> None:
    """Make nominals personal pronouns, and a few of them demonstratives."""
    growth.kind[nodes] = PRONOUN
    genders = growth.language.genders or FEATURES["Gender"][:1]
    person = growth.chosen(nodes, _PERSONS)
    number = growth.chosen(nodes, (2, 1))
    gender = growth.chosen(nodes, [1] * len(genders))
    growth.set_feature(nodes, "Person", person)
    growth.set_feature(nodes, "Number", number)
    growth.set_feature(nodes, "Gender", gender)
    growth.lexeme[nodes] = growth.lexicon.personal[person, gender, number]
    third = nodes[person == value_index("Person", "3")]
    pointing = growth.some(third, 0.2, room=False)
    growth.lexeme[pointing] = growth.draw_words("PRON", {"this": 1, "that": 1}, pointing)


def add_question_words(growth: Growth, heads: Nodes, slot: str) -> Nodes:
    """Ask `who`, in the masculine singular."""
    nodes = growth.add(heads, slot, growth.word("PRON", "who"), kind=PRONOUN)
    growth.set_feature(nodes, "Person", "3")
    return nodes


def is_personal(growth: Growth, nodes: Nodes) -> Mask:
    """Return which nominals are personal pronouns."""
    return np.isin(growth.lexeme[nodes], growth.lexicon.personal)


def shown_agreement(growth: Growth, nodes: Nodes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the number and gender that agree with nominals.

    Anything coordinated is plural, and masculine whatever it consists of.
    """
    coordinated = growth.conjuncts[nodes] > 0
    plural, masculine = value_index("Number", "Plur"), value_index("Gender", "Masc")
    return (
        np.where(coordinated, plural, growth.feature(nodes, "Number")),
        np.where(coordinated, masculine, growth.feature(nodes, "Gender")),
    )


def expand_nominals(growth: Growth, nodes: Nodes) -> None:
    """Add the dependents of nouns and names."""
    is_name = growth.lexeme[nodes] >= growth.lexicon.first["name"]
    nouns, names = nodes[~is_name], nodes[is_name]
    _add_determiners(growth, nouns)
    adjectives = growth.some(nouns, ADJECTIVE, slot="amod")
    for heads in (adjectives, growth.some(adjectives, SECOND_ADJECTIVE)):
        drawn = growth.draw("adjective", len(heads))
        growth.add(heads, "amod", drawn, kind=MODIFIER, like=heads)
    _add_possessors(growth, growth.some(nouns, POSSESSOR, slot="nmod"))
    _add_relative_clauses(growth, nouns)
    _add_conjuncts(growth, nodes)
    _add_appositions(growth, growth.some(nouns, APPOSITION))

    full = growth.some(names, SECOND_NAME, room=False)
    drawn = growth.draw("name", len(full))
    # Nobody is called Tom Tom; the next frequent name will do.
    drawn[drawn == growth.lexeme[full]] ^= 1
    surnames = growth.add(full, "flat", drawn, like=full)
    growth.set_feature(surnames, "Gender", growth.lexicon.gender[drawn])


def expand_modifiers(growth: Growth, nodes: Nodes) -> None:
    """Add the dependents of adjectives."""
    add_degrees(growth, nodes)
    heads = growth.some(nodes, COORDINATED_ADJECTIVE)
    others = growth.add(heads, "conj", growth.draw("adjective", len(heads)), like=heads)
    growth.add(others, "cc", growth.draw_words("CCONJ", _CONJUNCTIONS, others))


def add_degrees(growth: Growth, nodes: Nodes) -> None:
    """Add `very` and the like to some adjectives."""
    graded = growth.some(nodes, DEGREE)
    degrees = growth.draw_words("ADV", {"very": 3, "too": 1, "quite": 1}, graded)
    growth.add(graded, "degree", degrees)


def add_adpositions(growth: Growth, nodes: Nodes) -> None:
    """Add adpositions, and put nominals into the case that they ask for."""
    language = growth.language
    with_adposition = growth.some(nodes, 1 - language.bare_oblique, room=False)
    names = [name for name in language.words["ADP"] if name != language.possessor]
    which = growth.chosen(with_adposition, [1 / (rank + 2) for rank in range(len(names))])
    default = language.cases["obl"]
    governed = np.array(
        [value_index("Case", language.governs.get(name, default)) for name in names]
    )
    growth.set_feature(with_adposition, "Case", governed[which])
    words = np.array([growth.word("ADP", name) for name in names])
    growth.add(with_adposition, "case", words[which])


def _add_numerals(growth: Growth, nodes: Nodes) -> None:
    words = [name for name in growth.language.words["NUM"] if name not in DIGITS]
    weights = {name: (1 - IN_FIGURES) / (rank + 1) for rank, name in enumerate(words)}
    weights |= {digit: IN_FIGURES / (rank + 1) for rank, digit in enumerate(DIGITS)}
    growth.add(nodes, "nummod", growth.draw_words("NUM", weights, nodes))


def _add_determiners(growth: Growth, nouns: Nodes) -> None:
    weights = growth.language.determiners
    which = growth.chosen(nouns, list(weights.values()))
    none = list(weights).index("")
    plural = growth.feature(nouns, "Number") == value_index("Number", "Plur")
    singular_only = np.array([("DET", name) in ONLY_FORMS for name in weights])
    which[plural & singular_only[which]] = none
    words = np.array([growth.word("DET", name) if name else 0 for name in weights])
    determined = which != none
    heads = nouns[determined]
    growth.add(heads, "det", words[which[determined]], like=heads)


def _add_possessors(growth: Growth, nouns: Nodes) -> None:
    possessors = add_nominals(growth, nouns, "nmod", names=0.3)
    if growth.language.possessor:
        growth.add(possessors, "case", growth.word("ADP", growth.language.possessor))


def _add_conjuncts(growth: Growth, nodes: Nodes) -> None:
    """Coordinate: `a, b and c`, all in the case of the first one."""
    for left in (2, 1):
        heads = nodes[growth.conjuncts[nodes] >= left]
        others = growth.add(heads, "conj", kind=NOMINAL)
        fill_nominals(growth, others, pronouns=0.0, names=0.2)
        growth.conjuncts[others] = 0
        growth.set_feature(others, "Case", growth.feature(heads, "Case"))
        if left == 1:
            growth.add(others, "cc", growth.draw_words("CCONJ", _CONJUNCTIONS, others))
        else:
            growth.add(others, "comma<", growth.word("PUNCT", ","))


def _add_appositions(growth: Growth, nouns: Nodes) -> None:
    """Add a name behind a noun, in brackets or between commas."""
    names = growth.add(nouns, "appos", kind=NOMINAL)
    fill_nominals(growth, names, pronouns=0.0, names=1.0)
    growth.conjuncts[names] = 0
    growth.set_feature(names, "Case", growth.feature(nouns, "Case"))
    marks = np.array([[growth.word("PUNCT", mark) for mark in pair] for pair in ("()", ",,")])
    pair = marks[growth.chosen(names, (1, 1))]
    growth.add(names, "comma<", pair[:, 0])
    growth.add(names, "comma>", pair[:, 1])


def _add_relative_clauses(growth: Growth, nouns: Nodes) -> None:
    """Add clauses in which the noun is the subject or the object that is not said."""
    language = growth.language
    shallow = nouns[growth.embedding[nouns] < DEEPEST_CLAUSE]
    heads = growth.some(shallow, RELATIVE_CLAUSE, slot="acl:relcl")
    clauses = growth.add(heads, "acl:relcl", kind=CLAUSE, like=heads)
    gap = growth.chances(len(clauses)) < OBJECT_RELATIVE
    growth.object_gap[clauses] = growth.has_subject[clauses] = gap
    if language.relative == "participle":
        growth.set_feature(clauses, "VerbForm", "Part")
    elif language.relative == "particle":
        growth.add(clauses, "mark", growth.word("PART", "relative"))
    else:
        for relation, mask in (("nsubj", ~gap), ("obj", gap)):
            pronouns = growth.add(
                clauses[mask],
                "relative",
                growth.word("PRON", "which"),
                relation=relation,
                like=heads[mask],
            )
            growth.set_feature(pronouns, "Case", language.cases[relation])
