"""What there is to say about a toy language: its order, its endings, its small words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from treegauge.toys.morphology import Endings

Words = Mapping[str, str]
"""Forms (or stems) of function words by their English name."""


@dataclass(frozen=True)
class Displacement:
    """A way to be non-projective: a dependent leaves its phrase for an edge of the clause.

    Attributes
    ----------
    what : str
        The relation of what moves: `acl:relcl`, `amod`, `nmod` or `obj`.
    of : str
        The relation of its head to the main verb: `nsubj`, `obj` or `ccomp`.
    to : "front" or "back"
        The edge. Something of the main clause must always stand on the way: its verb, its
        subject (which is not left out then) or its object.
    """

    what: str
    of: str
    to: Literal["front", "back"]


@dataclass(frozen=True)
class ToyLanguage:
    """An artificial language.

    Attributes
    ----------
    name, summary : str
        `toy:svo`, and a paragraph for people.
    seed : int
        Decides which words were invented.
    clause, nominal, modifier : str
        The order of phrases; see `word_order`.
    before : mapping from slot to share
        How often slots that an order has on both sides of the head come before it.
    displacements : tuple of Displacement
        The non-projective constructions, equally frequent.
    nonprojective : float
        The share of non-projective sentences unless another is asked for.
    noun, adjective, determiner, pronoun, verb : tuple of Endings
        Inflection. Auxiliaries inflect like verbs; of the tables of `pronoun` the first has
        stems in place of endings.
    demonstrative : tuple of Endings
        Inflection of this, that, who, which when they stand alone.
    adverb : str
        The ending that makes an adverb of an adjective.
    genders : tuple of str
        The genders of nouns; empty for a language without.
    cases : mapping from relation to case
        What nominals stand in, if no adposition asks for another case.
    governs : mapping from adposition to case
        What adpositions ask for, where it is not the case of `obl`.
    bare_oblique : float
        How often an oblique has no adposition; its case says enough.
    possessor : str
        The adposition of possessors, empty where case does the work.
    relative : "pronoun", "particle" or "participle"
        What makes a clause a relative clause.
    drops_pronouns : float
        How often a pronoun is not said when it is the subject.
    counted : str
        The number of nouns after numerals.
    fronts_questions : bool
        Whether question words move to the beginning.
    determiners : mapping from name to weight
        How frequent the determiners are; the empty name is none at all.
    onsets, vowels, codas : str
        Sounds of invented words. Stems end in a coda, endings take it from there.
    stems : mapping from concept to stem
        Words that were not left to chance.
    words : mapping from universal tag to Words
        The function words.
    """

    name: str
    summary: str
    seed: int

    clause: str
    nominal: str
    modifier: str
    before: Mapping[str, float]
    displacements: tuple[Displacement, ...]
    nonprojective: float

    noun: tuple[Endings, ...]
    adjective: tuple[Endings, ...]
    determiner: tuple[Endings, ...]
    demonstrative: tuple[Endings, ...]
    pronoun: tuple[Endings, ...]
    verb: tuple[Endings, ...]
    adverb: str
    genders: tuple[str, ...]
    cases: Mapping[str, str]

    relative: Literal["pronoun", "particle", "participle"]
    determiners: Mapping[str, float]
    words: Mapping[str, Words] = field(repr=False)
    onsets: str = field(repr=False)
    vowels: str = field(repr=False)
    codas: str = field(repr=False)

    governs: Mapping[str, str] = field(default_factory=dict)
    bare_oblique: float = 0.0
    possessor: str = ""
    drops_pronouns: float = 0.0
    counted: str = "Plur"
    fronts_questions: bool = True
    stems: Mapping[str, str] = field(default_factory=dict)

    @property
    def code(self) -> str:
        """The name without its prefix, `svo`."""
        return self.name.rpartition(":")[2]

    def __hash__(self) -> int:
        return hash(self.name)
