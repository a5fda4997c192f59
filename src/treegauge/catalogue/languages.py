"""Languages by their code, the first half of a short treebank name (`en` in `en_ewt`).

ISO 639: two letters where there are two, otherwise three. A folder of a Universal
Dependencies release needs no table, because its files show the code of its language; this one
serves folders that are called by short names alone, names as they are typed, and reports that
sort treebanks by family and script. `languages.tsv` has the family, the genus below it, and the
script that treebanks of the language are mostly written in.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True)
class Language:
    """What is known of a language."""

    code: str
    name: str
    family: str
    genus: str
    script: str


def _languages() -> dict[str, Language]:
    text = files("treegauge.catalogue").joinpath("languages.tsv").read_text("utf-8")
    languages = (Language(*line.split("\t")) for line in text.splitlines()[1:])
    return {language.code: language for language in languages}


LANGUAGE_FACTS = _languages()
"""What is known of languages, by their code."""

LANGUAGES = {code: language.name for code, language in LANGUAGE_FACTS.items()}
"""Names of languages by their code."""

CODES = {language.casefold(): code for code, language in LANGUAGES.items()}
"""Codes by the language's name, in lower case."""


def language_of(treebank: str) -> Language | None:
    """Return the language of a treebank by its short name, or nothing where that says none.

    >>> language_of("got_proiel").script, language_of("toy:svo")
    ('Gothic', None)
    """
    return LANGUAGE_FACTS.get(treebank.partition("_")[0])
