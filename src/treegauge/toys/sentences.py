"""Rules for sentences: what kinds there are, and how a batch of them grows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.toys.clauses import INTERJECTIONS, expand_clauses
from treegauge.toys.growth import (
    ADJECTIVE_PREDICATE,
    CLAUSE,
    COMMAND,
    CRY,
    EXCLAMATION,
    FRAGMENT,
    MODIFIER,
    NOMINAL,
    NOUN_PREDICATE,
    NOWHERE,
    QUESTION,
    STATEMENT,
    WHERE,
    WHO,
    Growth,
    Nodes,
)
from treegauge.toys.language import ToyLanguage
from treegauge.toys.lexicon import lexicon
from treegauge.toys.nominals import expand_modifiers, expand_nominals, fill_nominals

MOODS = {
    STATEMENT: (80, "."),
    EXCLAMATION: (4, "!"),
    QUESTION: (4, "?"),
    WHO: (2, "?"),
    WHERE: (2, "?"),
    COMMAND: (4, "!"),
    FRAGMENT: (3, "."),
    CRY: (1, "!"),
}
"""How frequent the kinds of sentences are, and what they end in."""

WITHOUT_STOP = 0.25
"""Fragments that end in nothing, as headings do."""


@dataclass(frozen=True)
class GrownSentences:
    """Sentences as arrays over tokens.

    Attributes
    ----------
    entry : int array
        The lexicon's entry of every token.
    head : int array
        Position of the head in the sentence, counted from 1; 0 for the root.
    relation : int array
        Number of the relation in `word_order.RELATIONS`.
    lengths : int array over sentences
        How many tokens they have.
    """

    entry: NDArray[np.int64]
    head: NDArray[np.int64]
    relation: NDArray[np.int64]
    lengths: NDArray[np.int64]


def grow_sentences(
    language: ToyLanguage, number: int, nonprojective: float, generator: np.random.Generator
) -> GrownSentences:
    """Grow sentences of a language, so large a share of them non-projective."""
    growth = Growth(language, lexicon(language), generator)
    _plant(growth, number, nonprojective)
    first = 0
    while first < growth.size:
        nodes = np.arange(first, growth.size)
        growth.start_round(nodes)
        first = growth.size
        kinds = growth.kind[nodes]
        expand_clauses(growth, nodes[kinds == CLAUSE])
        expand_nominals(growth, nodes[(kinds == NOMINAL) | (kinds == NOUN_PREDICATE)])
        expand_modifiers(growth, nodes[kinds == MODIFIER])
    return _harvest(growth)


def _plant(growth: Growth, number: int, nonprojective: float) -> None:
    shares = [share for share, _ in MOODS.values()]
    mood = growth.chosen(np.arange(number), shares)
    is_nonprojective = growth.chances(number) < nonprojective
    # Displacements are described for statements; any other mood would do as well.
    mood[is_nonprojective] = STATEMENT
    u, v, w = growth.chances(number), growth.chances(number), growth.chances(number)
    # Sums and products only: powers and logarithms differ in the last bit between machines.
    roots = growth.plant(mood, 4 + 10 * u + 10 * v + 18 * w * w * w)

    which = growth.chosen(roots, [1] * len(growth.language.displacements))
    growth.displacement[roots[is_nonprojective]] = 1 + which[is_nonprojective]

    growth.kind[roots] = CLAUSE
    growth.has_subject[roots] = mood != COMMAND
    commands = roots[mood == COMMAND]
    growth.set_feature(commands, "VerbForm", "Imp")
    growth.set_feature(commands, "Person", "2")
    growth.set_feature(commands, "Number", growth.chosen(commands, (3, 1)))

    fragments = roots[mood == FRAGMENT]
    growth.kind[fragments] = NOUN_PREDICATE
    fill_nominals(growth, fragments, pronouns=0.0, names=0.3)
    cries = roots[mood == CRY]
    growth.kind[cries] = ADJECTIVE_PREDICATE
    growth.lexeme[cries] = growth.draw_words("INTJ", INTERJECTIONS, cries)
    _add_stops(growth, roots)


def _add_stops(growth: Growth, roots: Nodes) -> None:
    marks = np.array([growth.word("PUNCT", mark) for _, mark in MOODS.values()])
    bare = growth.chances(len(roots)) < WITHOUT_STOP
    stopped = roots[(growth.mood != FRAGMENT) | ~bare]
    growth.add(stopped, "stop", marks[growth.mood[stopped]])


def _harvest(growth: Growth) -> GrownSentences:
    """Read the words off the trees, in order."""
    order = np.empty(growth.size, np.int64)
    order[growth.positions()] = np.arange(growth.size)
    order = _without_doubled_commas(growth, order[~growth.silent[order]])
    sentence = growth.sentence[order]
    lengths = np.bincount(sentence, minlength=len(growth.root))
    first = np.cumsum(lengths) - lengths
    position = np.empty(growth.size, np.int64)
    position[order] = np.arange(len(order)) - first[sentence] + 1
    heads = growth.head[order]
    return GrownSentences(
        entry=growth.lexicon.entries(growth.lexeme[order], growth.features[order]),
        head=np.where(heads == NOWHERE, 0, position[heads]),
        relation=growth.relation[order],
        lengths=lengths,
    )


def _without_doubled_commas(growth: Growth, order: Nodes) -> Nodes:
    """Leave out commas that close a phrase before another mark or at the end."""
    marks = [number for (upos, _), number in growth.lexicon.number.items() if upos == "PUNCT"]
    is_mark = np.isin(growth.lexeme[order], marks)
    is_last = np.diff(growth.sentence[order], append=NOWHERE) != 0
    is_comma = growth.lexeme[order] == growth.word("PUNCT", ",")
    kept: Nodes = order[~(is_comma & (np.roll(is_mark, -1) | is_last))]
    return kept
