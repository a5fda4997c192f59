"""Names of treebanks: short (`en_ewt`), long (`UD_English-EWT`)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from treegauge.catalogue.languages import CODES
from treegauge.treebank.parts import PARTS

_LONG_NAME = re.compile(r"S?UD_(?P<language>[^-]+)(?:-(?P<corpus>.+))?")


@dataclass(frozen=True)
class Reference:
    """What a user typed: a name, perhaps a release, perhaps a part.

    >>> Reference.parse("en_ewt@2.16:dev")
    Reference(name='en_ewt', release='2.16', part='dev')
    >>> Reference.parse("toy:svo")
    Reference(name='toy:svo', release='', part=None)
    """

    name: str
    release: str = ""
    part: str | None = None

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Take a reference apart."""
        name, part = split_part(text)
        name, _, release = name.partition("@")
        return cls(name, release.removeprefix("r").removeprefix("v"), part)


def split_part(text: str) -> tuple[str, str | None]:
    """Return a text without the part at its end, and the part.

    >>> split_part("data/mine:train"), split_part("toy:svo")
    (('data/mine', 'train'), ('toy:svo', None))
    """
    before, colon, last = text.rpartition(":")
    return (before, last) if colon and last in PARTS else (text, None)


def split_long_name(name: str) -> tuple[str, str] | None:
    """Return the language and the corpus of a folder's name, if it is one of a UD release.

    >>> split_long_name("UD_Ancient_Greek-PROIEL"), split_long_name("en_ewt")
    (('Ancient Greek', 'PROIEL'), None)
    """
    match = _LONG_NAME.fullmatch(name)
    if match is None:
        return None
    return match["language"].replace("_", " "), match["corpus"] or ""


def short_name(name: str) -> str | None:
    """Return the short form of a long name, or None where the language has no known code.

    >>> short_name("UD_English-EWT"), short_name("UD_English")
    ('en_ewt', 'en')
    """
    halves = split_long_name(name)
    if halves is None or halves[0].casefold() not in CODES:
        return None
    return joined_name(CODES[halves[0].casefold()], halves[1])


def joined_name(code: str, corpus: str) -> str:
    """Return the short name of a corpus in a language.

    >>> joined_name("pt", "Bosque")
    'pt_bosque'
    """
    return "_".join(filter(None, (code, corpus.casefold())))


def name_key(name: str) -> str:
    """Return what two spellings of one name have in common.

    >>> name_key("UD_English-EWT") == name_key("ud_english_ewt"), name_key("EN-EWT")
    (True, 'en_ewt')
    """
    return re.sub(r"[-\s]", "_", name.casefold())
