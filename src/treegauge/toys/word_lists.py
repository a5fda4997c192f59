"""Dictionaries of toy languages: words and their tags, words and their translations."""

from __future__ import annotations

from treegauge.toys.lexicon import Lexeme, lexicon
from treegauge.toys.names import toy_language

_NOT_TRANSLATED = frozenset({"PUNCT"})


def toy_dictionary(name: str = "toy:svo") -> dict[str, tuple[str, ...]]:
    """Return every form that the grammar can make, with its universal tags.

    >>> toy_dictionary("toy:svo")["kele"]
    ('DET', 'PRON', 'SCONJ')
    """
    tags: dict[str, set[str]] = {}
    for lexeme in lexicon(toy_language(name)).lexemes:
        for form in lexeme.forms:
            tags.setdefault(form, set()).add(lexeme.upos)
    return {form: tuple(sorted(form_tags)) for form, form_tags in tags.items()}


def toy_word_list(source: str, target: str) -> list[tuple[str, str]]:
    """Return pairs of lemmas that mean the same, content words first.

    Every content word of one language has exactly one translation in the other. Of the
    function words those are listed that both languages have.

    >>> toy_word_list("toy:svo", "toy:sov")[0]
    ('stik', 'büp')
    """
    words, translations = (
        {_meaning(lexeme): lexeme.lemma for lexeme in lexicon(toy_language(name)).lexemes}
        for name in (source, target)
    )
    pairs = [
        (lemma, translations[meaning])
        for meaning, lemma in words.items()
        if meaning in translations and meaning[0] not in _NOT_TRANSLATED
    ]
    return list(dict.fromkeys(pairs))


def _meaning(lexeme: Lexeme) -> tuple[str, str]:
    return lexeme.upos, lexeme.concept
