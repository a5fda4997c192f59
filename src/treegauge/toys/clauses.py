"""Rules for clauses: predicates, and what can depend on them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.toys.concepts import TAKEN_BY_AUXILIARY
from treegauge.toys.growth import (
    ADJECTIVE_PREDICATE,
    CLAUSE,
    COMMAND,
    NOUN_PREDICATE,
    NOWHERE,
    QUESTION,
    WHERE,
    WHO,
    Growth,
    Mask,
    Nodes,
)
from treegauge.toys.morphology import value_index
from treegauge.toys.nominals import (
    DEEPEST_CLAUSE,
    add_adpositions,
    add_degrees,
    add_nominals,
    add_question_words,
    expand_nominals,
    is_personal,
    shown_agreement,
)
from treegauge.toys.word_order import RELATION

# How frequent things are; shares of the clauses that could have them.
COPULAR = 0.14
VERBS = {"intransitive": 26, "transitive": 48, "ditransitive": 6, "speech": 11, "control": 9}
PRONOUN_SUBJECT = 0.38
PRONOUN_OBJECT = 0.15
PRONOUN_RECIPIENT = 0.4
PRONOUN_OBLIQUE = 0.06
PAST = 0.55
AUXILIARY = 0.24
NEGATION = 0.1
ADVERB = 0.26
MANNER = 0.5
OBLIQUE = 0.42
SECOND_OBLIQUE = 0.12
ADVERBIAL_CLAUSE = 0.12
COMMA_BEFORE_ADVERBIAL = 0.3
COORDINATED = 0.13
SHARED_SUBJECT = 0.55
INTERJECTION = 0.03
VOCATIVE = 0.2
PREDICATES = (50, 30, 20)

_AUXILIARIES = {"have": 4, "will": 4, "can": 3, "must": 2}
_SUBORDINATORS = {"when": 4, "because": 4, "if": 3, "after": 2, "before": 2, "although": 1}
_QUESTION_ADVERBS = {"where": 2, "when": 1, "why": 1}
_CONJUNCTIONS = {"and": 6, "but": 3, "or": 1}
INTERJECTIONS = {"oh": 3, "well": 3, "yes": 2, "hey": 1}


def expand_clauses(growth: Growth, clauses: Nodes) -> None:
    """Decide what clauses say, and add the dependents of their predicates.

    Creators of clauses have set the form of the verb, whether the clause has a subject of
    its own, and the features of the subject if it has not.
    """
    _choose_tense(growth, clauses)
    verbs = _choose_predicates(growth, clauses)
    _add_subjects(growth, clauses[growth.has_subject[clauses]])
    _add_conjuncts(growth, clauses)
    _add_verbal_words(growth, clauses, verbs >= 0)
    _add_complements(growth, clauses, verbs)
    _add_adjuncts(growth, clauses)
    _add_asides(growth, clauses[growth.head[clauses] == NOWHERE])
    _expand_predicates(growth, clauses[verbs < 0])


def add_clauses(growth: Growth, heads: Nodes, slot: str) -> Nodes:
    """Add finite clauses with a subject of their own."""
    clauses = growth.add(heads, slot, kind=CLAUSE)
    growth.has_subject[clauses] = True
    return clauses


def _choose_tense(growth: Growth, clauses: Nodes) -> None:
    # Conjuncts that share the subject share the tense.
    is_conjunct = growth.relation[clauses] == RELATION["conj"]
    fresh = clauses[growth.has_subject[clauses] | ~is_conjunct]
    growth.set_feature(fresh, "Tense", growth.chances(len(fresh)) < PAST)


def _choose_predicates(growth: Growth, clauses: Nodes) -> NDArray[np.int64]:
    """Give every clause its predicate; return its class of verbs, -1 for an adjective or noun."""
    labels = list(VERBS)
    verbs = growth.chosen(clauses, list(VERBS.values()))
    # Clauses in a clause need room, and cannot go on for ever.
    deep = growth.embedding[clauses] >= DEEPEST_CLAUSE
    clausal = verbs >= labels.index("speech")
    verbs[clausal & (deep | ~growth.has_room(clauses))] = labels.index("transitive")
    verbs[growth.object_gap[clauses] | growth.moves(clauses, "obj")] = labels.index("transitive")
    for number, item in enumerate(growth.language.displacements, start=1):
        planned = growth.displacement[clauses] == number
        verbs[planned] = labels.index("speech" if item.of == "ccomp" else "transitive")
    for number, label in enumerate(labels):
        heads = clauses[verbs == number]
        growth.lexeme[heads] = growth.draw(label, len(heads))

    possible = growth.has_subject[clauses] & ~growth.object_gap[clauses]
    possible &= ~growth.moves(clauses, "obj") & (growth.displacement[clauses] == 0)
    verbs[possible & (growth.chances(len(clauses)) < COPULAR)] = -1
    return verbs


def _add_subjects(growth: Growth, clauses: Nodes) -> None:
    """Add subjects and let verbs agree; a pronoun may be left out, the verb says enough."""
    is_question = growth.at_root(clauses, WHO)
    questions, statements = clauses[is_question], clauses[~is_question]
    _agree(growth, questions, add_question_words(growth, questions, "nsubj"))
    subjects = add_nominals(growth, statements, "nsubj", pronouns=PRONOUN_SUBJECT)
    _agree(growth, statements, subjects)
    # Something may have to move across the subject, which must be there then.
    personal = subjects[is_personal(growth, subjects) & (growth.displacement[statements] == 0)]
    growth.silent[growth.some(personal, growth.language.drops_pronouns, room=False)] = True


def _agree(growth: Growth, clauses: Nodes, subjects: Nodes) -> None:
    growth.set_feature(clauses, "Person", growth.feature(subjects, "Person"))
    number, gender = shown_agreement(growth, subjects)
    growth.set_feature(clauses, "Number", number)
    growth.set_feature(clauses, "Gender", gender)


def _add_conjuncts(growth: Growth, clauses: Nodes) -> None:
    """Coordinate clauses; the second one may share the subject of the first."""
    is_first = growth.relation[clauses] != RELATION["conj"]
    heads = growth.some(clauses[is_first & ~growth.object_gap[clauses]], COORDINATED)
    others = growth.add(heads, "conj", kind=CLAUSE, like=heads)
    shared = growth.chances(len(others)) < SHARED_SUBJECT
    shared |= ~growth.has_subject[heads]
    growth.has_subject[others] = ~shared
    growth.add(others, "cc", growth.draw_words("CCONJ", _CONJUNCTIONS, others))
    growth.add(others[~shared], "comma<", growth.word("PUNCT", ","))


def _add_verbal_words(growth: Growth, clauses: Nodes, is_verb: Mask) -> None:
    """Add negation, auxiliaries, the copula and the question particle."""
    particles = growth.language.words["PART"]
    negated = growth.some(clauses, NEGATION, room=False)
    if "not" in particles:
        growth.add(negated, "neg", growth.word("PART", "not"))
    else:
        growth.set_feature(negated, "Polarity", "Neg")

    finite = growth.feature(clauses, "VerbForm") == value_index("VerbForm", "Fin")
    heads = growth.some(clauses[is_verb & finite], AUXILIARY, room=False)
    auxiliaries = growth.draw_words("AUX", _AUXILIARIES, heads)
    growth.add(heads, "aux", auxiliaries, like=heads)
    for name, form in TAKEN_BY_AUXILIARY.items():
        taken = heads[auxiliaries == growth.word("AUX", name)]
        growth.set_feature(taken, "VerbForm", form)
        growth.set_feature(taken, "Polarity", "Pos")

    copular = clauses[~is_verb]
    growth.add(copular, "cop", growth.word("AUX", "be"), like=copular)
    if "question" in particles:
        asking = clauses[growth.at_root(clauses, QUESTION)]
        growth.add(asking, "question", growth.word("PART", "question"))


def _add_complements(growth: Growth, clauses: Nodes, verbs: NDArray[np.int64]) -> None:
    """Add what verbs govern: objects and clauses."""
    labels = list(VERBS)
    transitive = clauses[(verbs == labels.index("transitive")) & ~growth.object_gap[clauses]]
    ditransitive = clauses[verbs == labels.index("ditransitive")]
    add_nominals(growth, ditransitive, "iobj", pronouns=PRONOUN_RECIPIENT, names=0.3)
    objects = np.concatenate([transitive, ditransitive])
    add_nominals(growth, objects, "obj", pronouns=PRONOUN_OBJECT)

    reported_clauses = add_clauses(growth, clauses[verbs == labels.index("speech")], "ccomp")
    growth.add(reported_clauses, "mark", growth.word("SCONJ", "that"))

    infinitives = growth.add(clauses[verbs == labels.index("control")], "xcomp", kind=CLAUSE)
    growth.set_feature(infinitives, "VerbForm", "Inf")
    if "to" in growth.language.words["PART"]:
        growth.add(infinitives, "mark", growth.word("PART", "to"))


def _add_adjuncts(growth: Growth, clauses: Nodes) -> None:
    """Add adverbs, obliques and adverbial clauses."""
    heads = growth.some(clauses, ADVERB)
    is_manner = growth.chances(len(heads)) < MANNER
    for label, modified in (("manner", heads[is_manner]), ("time", heads[~is_manner])):
        growth.add(modified, "advmod", growth.draw(label, len(modified)))

    questions = clauses[growth.at_root(clauses, WHERE)]
    words = growth.draw_words("ADV", _QUESTION_ADVERBS, questions)
    slot = "front" if growth.language.fronts_questions else "advmod"
    growth.add(questions, slot, words, relation="advmod")

    heads = growth.some(clauses, OBLIQUE)
    for modified in (heads, growth.some(heads, SECOND_OBLIQUE)):
        add_nominals(growth, modified, "obl", pronouns=PRONOUN_OBLIQUE, adposition=True)

    # Adverbial clauses inside one another are hard to understand.
    possible = growth.embedding[clauses] < DEEPEST_CLAUSE
    possible &= growth.relation[clauses] != RELATION["advcl"]
    adverbial = add_clauses(growth, growth.some(clauses[possible], ADVERBIAL_CLAUSE), "advcl")
    growth.add(adverbial, "mark", growth.draw_words("SCONJ", _SUBORDINATORS, adverbial))
    _set_off(growth, adverbial, COMMA_BEFORE_ADVERBIAL)


def _add_asides(growth: Growth, roots: Nodes) -> None:
    """Add interjections, and names of those who are spoken to."""
    heads = growth.some(roots, INTERJECTION)
    cries = growth.add(heads, "discourse", growth.draw_words("INTJ", INTERJECTIONS, heads))
    _set_off(growth, cries)
    addressed = growth.some(roots[growth.at_root(roots, COMMAND, QUESTION)], VOCATIVE)
    names = add_nominals(growth, addressed, "vocative", names=1.0)
    growth.conjuncts[names] = 0
    _set_off(growth, names)


def _set_off(growth: Growth, phrases: Nodes, share: float = 1.0) -> None:
    """Put a comma behind phrases that come first, and before (some of) those that come last."""
    comes_first = growth.before[phrases] == 1
    comma = growth.word("PUNCT", ",")
    growth.add(phrases[comes_first], "comma>", comma)
    growth.add(growth.some(phrases[~comes_first], share, room=False), "comma<", comma)


def _expand_predicates(growth: Growth, clauses: Nodes) -> None:
    """Turn clauses into copular ones: the predicate is an adjective, a noun or a place."""
    which = growth.chosen(clauses, PREDICATES)
    growth.set_feature(clauses, "Case", growth.language.cases["nsubj"])

    adjectives = clauses[which == 0]
    growth.kind[adjectives] = ADJECTIVE_PREDICATE
    growth.lexeme[adjectives] = growth.draw("adjective", len(adjectives))
    add_degrees(growth, adjectives)

    nouns = clauses[which > 0]
    growth.kind[nouns] = NOUN_PREDICATE
    growth.lexeme[nouns] = growth.draw("noun", len(nouns))
    growth.set_feature(nouns, "Gender", growth.lexicon.gender[growth.lexeme[nouns]])
    growth.set_feature(nouns, "Person", "3")
    places = clauses[which == 2]
    growth.set_feature(places, "Number", "Sing")
    growth.set_feature(places, "Case", growth.language.cases["obl"])
    add_adpositions(growth, places)
    expand_nominals(growth, nouns)
