"""The lexicon of a toy language: every word, every form, and what the columns say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from treegauge.toys.concepts import (
    DIGITS,
    LEXICAL_FEATURES,
    ONLY_FORMS,
    OPEN_CLASSES,
    noun_of_verb,
)
from treegauge.toys.language import ToyLanguage
from treegauge.toys.morphology import (
    ANY,
    FEATURES,
    Endings,
    Paradigm,
    bundles,
    paradigm,
    value_index,
)
from treegauge.toys.phonology import StemMaker
from treegauge.toys.tags import COARSE, feats, fine_tag
from treegauge.treebank import Column

PUNCTUATION = (".", ",", "?", "!", "(", ")")

_BARE = (Endings("", "Case", "*\n-"),)
# Zipf's law with Mandelbrot's shift; without it the first noun would be one in eight.
_SHIFT = 2.0


@dataclass(frozen=True)
class Lexeme:
    """A word in all its forms."""

    concept: str
    upos: str
    stem: str
    lemma: str
    paradigm: Paradigm
    features: Mapping[str, str]
    """What every form says."""

    @property
    def forms(self) -> list[str]:
        """All forms, cell by cell."""
        return [self.stem + suffix for suffix in self.paradigm.suffixes]


class Lexicon:
    """All words of a toy language.

    Lexemes are numbered. An entry is one form of a lexeme with one reading; a token of the
    language is an entry, and every column is a table over entries.

    Attributes
    ----------
    lexemes : list of Lexeme
        Content words first, class by class, most frequent first.
    first : dict from open class to int
        The number of its first lexeme.
    number : dict from (universal tag, name) to int
        The numbers of function words and punctuation.
    personal : int array (person, gender, number)
        The numbers of personal pronouns, -1 for a gender that the language has not.
    gender : int8 array over lexemes
        The gender of nouns and names, 0 for everything else.
    """

    def __init__(self, language: ToyLanguage) -> None:
        self.language = language
        self.lexemes: list[Lexeme] = []
        self.first: dict[str, int] = {}
        self.number: dict[tuple[str, str], int] = {}
        self._paradigms: dict[tuple[int, str], Paradigm] = {}
        self._add_content_words()
        self._add_function_words()
        self.personal = self._add_pronouns()
        self.gender = np.array(
            [value_index("Gender", lex.features.get("Gender", "Masc")) for lex in self.lexemes],
            np.int8,
        )
        self._zipf = {label: _zipf(words.size) for label, words in OPEN_CLASSES.items()}

    # ------------------------------------------------------------------ drawing

    def draw(self, label: str, chances: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return lexemes of an open class, by Zipf's law."""
        return self.first[label] + np.searchsorted(self._zipf[label], chances, side="right")

    def entries(self, lexemes: NDArray[np.int64], features: NDArray[np.int8]) -> NDArray[np.int64]:
        """Return the entries that express features of lexemes."""
        cells = self._cell_of[self._paradigm_of[lexemes], bundles(features)]
        if len(cells) and cells.min() < 0:
            at = int(np.argmin(cells))
            word = self.lexemes[lexemes[at]]
            values = [names[i] for names, i in zip(FEATURES.values(), features[at], strict=True)]
            raise LookupError(f"{self.language.name}: {word.lemma} has no form for {values}")
        return self._first_entry[lexemes] + cells

    @cached_property
    def _first_entry(self) -> NDArray[np.int64]:
        return np.cumsum([0] + [len(lex.paradigm.suffixes) for lex in self.lexemes])

    @cached_property
    def _paradigm_of(self) -> NDArray[np.int64]:
        number = {id(item): i for i, item in enumerate(self._paradigms.values())}
        return np.array([number[id(lex.paradigm)] for lex in self.lexemes])

    @cached_property
    def _cell_of(self) -> NDArray[np.intp]:
        return np.array([item.cell_of for item in self._paradigms.values()])

    # ------------------------------------------------------------------ columns

    @cached_property
    def columns(self) -> dict[str, Column]:
        """Every column over all entries."""
        forms: list[str] = []
        lemmas: list[str] = []
        tags: list[str] = []
        readings: list[tuple[str, str]] = []
        known: dict[tuple[str, int, str], list[tuple[str, str]]] = {}
        for lexeme in self.lexemes:
            forms += lexeme.forms
            lemmas += [lexeme.lemma] * len(lexeme.paradigm.suffixes)
            tags += [lexeme.upos] * len(lexeme.paradigm.suffixes)
            key = (lexeme.upos, id(lexeme.paradigm), feats(lexeme.features))
            if key not in known:
                cells = [{**cell, **lexeme.features} for cell in lexeme.paradigm.features]
                known[key] = [(fine_tag(lexeme.upos, cell), feats(cell)) for cell in cells]
            readings += known[key]
        universal = Column.from_strings(tags)
        return {
            "form": Column.from_strings(forms),
            "lemma": Column.from_strings(lemmas),
            "upos": universal,
            "cpos": universal.map(lambda tag: COARSE[tag]),
            "xpos": Column.from_strings(fine for fine, _ in readings),
            "feats": Column.from_strings(features for _, features in readings),
        }

    # ------------------------------------------------------------------ making words

    def _add_content_words(self) -> None:
        maker = StemMaker(self.language)
        lemmas: set[str] = set()
        for label, open_class in OPEN_CLASSES.items():
            self.first[label] = len(self.lexemes)
            for rank, concept in enumerate(open_class.concepts(label)):
                given = self._given_stem(label, rank, concept)
                lexeme = self._content_word(label, rank, concept, given or maker.stem(rank))
                # Endings can make one lemma of two stems; take another stem then.
                while lexeme.lemma in lemmas and not given:
                    lexeme = self._content_word(label, rank, concept, maker.stem(rank))
                lemmas.add(lexeme.lemma)
                self.lexemes.append(lexeme)

    def _given_stem(self, label: str, rank: int, concept: str) -> str:
        """Return the stem of a word that shares it with another, otherwise nothing."""
        if label == "manner":
            return self.lexemes[self.first["adjective"] + rank].stem + self.language.adverb
        noun = noun_of_verb(label, rank)
        if noun >= 0:
            return self.lexemes[self.first["noun"] + noun].stem
        return self.language.stems.get(concept, "")

    def _content_word(self, label: str, rank: int, concept: str, stem: str) -> Lexeme:
        language = self.language
        upos = OPEN_CLASSES[label].upos
        if upos in ("NOUN", "PROPN"):
            # Names are of people: masculine or feminine, and never plural.
            is_name = upos == "PROPN"
            genders = language.genders[:2] if is_name else language.genders
            gender = _gender(genders, rank, language.seed)
            fixed = gender | {"Number": "Sing"} if is_name else gender
            stem = stem.capitalize() if is_name else stem
            return self._lexeme(concept, upos, stem, language.noun, gender, fixed)
        tables = {"VERB": language.verb, "ADJ": language.adjective, "ADV": _BARE}[upos]
        return self._lexeme(concept, upos, stem, tables)

    def _add_function_words(self) -> None:
        language = self.language
        inflection = {
            "AUX": language.verb,
            "DET": language.determiner,
            "PRON": language.demonstrative,
        }
        words = {upos: dict(forms) for upos, forms in language.words.items()}
        words["PUNCT"] = {mark: mark for mark in PUNCTUATION}
        words["NUM"] |= {digit: digit for digit in DIGITS}
        for upos, forms in words.items():
            for name, stem in forms.items():
                features = _parsed(LEXICAL_FEATURES.get((upos, name), ""))
                if upos == "NUM":
                    features = {"NumForm": "Digit" if name in DIGITS else "Word"}
                    features["NumType"] = "Card"
                self.number[upos, name] = len(self.lexemes)
                # Auxiliaries are always finite, but are called by their infinitive.
                only = {"VerbForm": "Fin"} if upos == "AUX" else ONLY_FORMS.get((upos, name), {})
                tables = inflection.get(upos, _BARE)
                lemma = self._lexeme(name, upos, stem, tables).lemma
                lexeme = self._lexeme(name, upos, stem, tables, features, only)
                self.lexemes.append(replace(lexeme, lemma=lemma))

    def _add_pronouns(self) -> NDArray[np.int64]:
        """Add a lexeme for every row of the table of pronouns; its first form is the lemma."""
        rows = ("Person", "Gender", "Number")
        numbers = np.full([len(FEATURES[name]) for name in rows], -1)
        known: dict[str, int] = {}
        for index in np.ndindex(*numbers.shape):
            row = {name: FEATURES[name][i] for name, i in zip(rows, index, strict=True)}
            if row["Gender"] not in (self.language.genders or ("Masc",)):
                continue
            features = paradigm(self.language.pronoun, row).features[0]
            shown = {name: features.get(name, ANY) for name in rows}
            concept = " ".join(shown.values())
            if concept not in known:
                known[concept] = len(self.lexemes)
                cells = paradigm(self.language.pronoun, shown)
                self._paradigms[id(self.language.pronoun), concept] = cells
                self.lexemes.append(
                    Lexeme(concept, "PRON", "", cells.suffixes[0], cells, {"PronType": "Prs"})
                )
            numbers[index] = known[concept]
        return numbers

    def _lexeme(
        self,
        concept: str,
        upos: str,
        stem: str,
        tables: Sequence[Endings],
        features: Mapping[str, str] = MappingProxyType({}),
        fixed: Mapping[str, str] = MappingProxyType({}),
    ) -> Lexeme:
        """Return a new word; `fixed` are features that choose among the endings."""
        key = (id(tables), " ".join(fixed.values()))
        if key not in self._paradigms:
            self._paradigms[key] = paradigm(tables, fixed)
        cells = self._paradigms[key]
        lemma = stem + cells.suffixes[_citation(cells)]
        return Lexeme(concept, upos, stem, lemma, cells, features)


@lru_cache
def lexicon(language: ToyLanguage) -> Lexicon:
    """Return the lexicon of a language; it is made once."""
    return Lexicon(language)


def _gender(genders: tuple[str, ...], rank: int, seed: int) -> dict[str, str]:
    # `man` and `woman`, the first two nouns, are what they are; the others are scattered as
    # if by chance, differently in every language.
    scattered = (rank * 40503 + seed * 30011) >> 4
    number = rank if rank < 2 else scattered
    return {"Gender": genders[number % len(genders)]} if genders else {}


def _citation(cells: Paradigm) -> int:
    """Return the cell that dictionaries have: the infinitive, or the first one."""
    for cell, features in enumerate(cells.features):
        if features.get("VerbForm") == "Inf" and features.get("Polarity", "Pos") == "Pos":
            return cell
    return 0


def _parsed(text: str) -> dict[str, str]:
    return dict(item.split("=") for item in text.split("|")) if text else {}


def _zipf(size: int) -> NDArray[np.float64]:
    """Return cumulative probabilities; the last one is left out, so that 1 stays in range."""
    weights = 1.0 / (np.arange(size) + 1.0 + _SHIFT)
    cumulative = np.cumsum(weights)
    bounds: NDArray[np.float64] = (cumulative / cumulative[-1])[:-1]
    return bounds
