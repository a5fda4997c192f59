"""Dictionaries of other projects, brought to forms and the 12 universal tags.

`unimorph`      lemma, form and features in columns (Kirov et al. 2018, and later)
`wiktionary`    headings of Wiktionary in columns: word and part of speech, or language, word and
                part of speech as in the lists that Li et al. (2012) used
`wiktextract`   JSON lines of the wiktextract program (Ylönen 2022), inflected forms included
`apertium`      the full forms of an Apertium dictionary, as `lt-expand` prints them
`freedict`      TEI files of FreeDict, headwords with their part of speech
`tsv`           our own form; also that of Li et al. (2012), with one pair per line

Parts of speech that are none of a single word (idioms, affixes, contractions) are left out and
counted, and so are entries of several words, which no token of a text can be.

References
----------
Li, Graça and Taskar (2012), Wiki-ly supervised part-of-speech tagging. EMNLP.
https://aclanthology.org/D12-1127
Kirov et al. (2018), UniMorph 2.0: universal morphology. LREC. https://aclanthology.org/L18-1293
Ylönen (2022), Wiktextract: Wiktionary as machine-readable structured data. LREC.
https://aclanthology.org/2022.lrec-1.140
"""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any
from xml.etree import ElementTree as ET

from treegauge.dictionaries.errors import DictionaryError
from treegauge.dictionaries.files import lines_of, multiword, read_dictionary, text_of
from treegauge.dictionaries.tag_dictionary import TagDictionary
from treegauge.dictionaries.tag_sets import tag_mask
from treegauge.formats import Source, source_name
from treegauge.wording import unknown_name


@dataclass(frozen=True)
class Imported:
    """A dictionary, and what of the file is not in it.

    Attributes
    ----------
    dictionary : TagDictionary
        Forms and the 12 tags.
    entries : int
        Entries of the file, those of other languages not counted.
    dropped_multiword : int
        Entries of several words.
    dropped_parts : mapping from part of speech to int
        Entries whose part of speech is not one of the 12, most frequent first.
    """

    dictionary: TagDictionary
    entries: int
    dropped_multiword: int
    dropped_parts: Mapping[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Return what was done as JSON has it."""
        counts = {"entries_read": self.entries, "dropped_multiword": self.dropped_multiword}
        return {**self.dictionary.summary(), **counts, "dropped_parts": dict(self.dropped_parts)}


Reading = tuple[str, str, tuple[str, ...]]
"""A form, the part of speech as the source has it, and our tags for it, none if it is unknown."""

# Participles are verbs in some treebanks and adjectives in others, verbal nouns likewise.
_UNIMORPH = {
    "N": ("NOUN",), "PROPN": ("NOUN",), "V": ("VERB",), "V.PTCP": ("VERB", "ADJ"),
    "V.CVB": ("VERB",), "V.MSDR": ("VERB", "NOUN"), "AUX": ("VERB",), "ADJ": ("ADJ",),
    "ADV": ("ADV",), "PRO": ("PRON",), "DET": ("DET",), "ART": ("DET",), "ADP": ("ADP",),
    "NUM": ("NUM",), "CONJ": ("CONJ",), "COMP": ("CONJ",), "PART": ("PRT",), "INTJ": ("X",),
}  # fmt: skip

_WIKTIONARY = {
    "ABBREVIATION": "NOUN", "ACRONYM": "NOUN", "ADJECTIVE": "ADJ", "ADPOSITION": "ADP",
    "ADVERB": "ADV", "ARTICLE": "DET", "AUXILIARY VERB": "VERB", "CARDINAL NUMBER": "NUM",
    "CARDINAL NUMERAL": "NUM", "CONJUNCTION": "CONJ", "DETERMINER": "DET", "INITIALISM": "NOUN",
    "INTERJECTION": "X", "NOUN": "NOUN", "NUMBER": "NUM", "NUMERAL": "NUM",
    "ORDINAL NUMBER": "ADJ", "ORDINAL NUMERAL": "ADJ", "PARTICIPLE": "VERB", "PARTICLE": "PRT",
    "POSTPOSITION": "ADP", "PREPOSITION": "ADP", "PRONOUN": "PRON", "PROPER NOUN": "NOUN",
    "PUNCTUATION": ".", "PUNCTUATION MARK": ".", "SYMBOL": "X", "VERB": "VERB",
}  # fmt: skip

_WIKTEXTRACT = {
    "abbrev": "NOUN", "adj": "ADJ", "adj_noun": "ADJ", "adnominal": "DET", "adv": "ADV",
    "article": "DET", "conj": "CONJ", "det": "DET", "intj": "X", "name": "NOUN", "noun": "NOUN",
    "num": "NUM", "number": "NUM", "particle": "PRT", "postp": "ADP", "prep": "ADP",
    "pron": "PRON", "punct": ".", "symbol": "X", "verb": "VERB",
}  # fmt: skip
# What stands among the forms of an entry and is none.
_NO_FORMS = frozenset(
    ["romanization", "table-tags", "inflection-template", "class", "alternative", "misspelling"]
)

_APERTIUM = {
    "n": "NOUN", "np": "NOUN", "vblex": "VERB", "vbser": "VERB", "vbhaver": "VERB",
    "vbmod": "VERB", "vaux": "VERB", "vbdo": "VERB", "adj": "ADJ", "adv": "ADV",
    "preadv": "ADV", "cnjadv": "CONJ", "cnjcoo": "CONJ", "cnjsub": "CONJ", "pr": "ADP",
    "post": "ADP", "prn": "PRON", "rel": "PRON", "det": "DET", "predet": "DET", "num": "NUM",
    "ij": "X", "abbr": "X", "part": "PRT", "sent": ".", "cm": ".", "lpar": ".", "rpar": ".",
    "lquest": ".", "guio": ".", "apos": ".", "lquot": ".", "rquot": ".",
}  # fmt: skip

_FREEDICT = {
    "n": "NOUN", "noun": "NOUN", "pn": "NOUN", "propernoun": "NOUN", "v": "VERB", "vt": "VERB",
    "vi": "VERB", "verb": "VERB", "adj": "ADJ", "adv": "ADV", "prep": "ADP", "pron": "PRON",
    "conj": "CONJ", "num": "NUM", "int": "X", "interj": "X", "art": "DET", "det": "DET",
    "part": "PRT", "particle": "PRT",
}  # fmt: skip


def import_dictionary(
    source: Source, kind: str = "", *, language: str = "", name: str | None = None
) -> Imported:
    """Read a dictionary of another project.

    Parameters
    ----------
    source : path, '-' or open file
        Compressed or not.
    kind : str
        One of `KINDS`; told from the name of the file if it is missing.
    language : str
        With `wiktionary` and `wiktextract`: only entries of this language, as a name or a code.
    name : str, optional
        Of the dictionary; the file's if missing.

    Raises
    ------
    DictionaryError
        If the kind is unknown, a line is not of that kind, or nothing is left.

    Examples
    --------
    >>> import io
    >>> lines = "hund\\thunde\\tN;NOM;PL\\nhund\\thunde ad\\tN;PL\\n"
    >>> result = import_dictionary(io.StringIO(lines), "unimorph")
    >>> dict(result.dictionary.items()), result.dropped_multiword
    ({'hunde': ('NOUN',)}, 1)
    """
    kind = kind or _kind_of_name(source_name(source))
    if kind not in KINDS:
        raise DictionaryError(unknown_name("kind of dictionary", kind, KINDS))
    if kind == "tsv":
        dictionary = read_dictionary(source, name=name)
        return Imported(dictionary, dictionary.n_entries, 0, {})
    readings = _READERS[kind](source, language)
    dropped_parts: Counter[str] = Counter()
    entries = several = 0
    pairs = []
    for form, part, tags in readings:
        entries += 1
        if not tags:
            dropped_parts[part] += 1
        elif multiword(form):
            several += 1
        else:
            pairs.append((form.strip(), tag_mask(tags)))
    if not pairs:
        of = f" of {language}" if language else ""
        raise DictionaryError(
            f"{source_name(source)}: no entries{of} that are {kind}; "
            f"{entries:,} read, {several:,} of several words"
        )
    title = PurePath(source_name(source)).name.partition(".")[0] if name is None else name
    dictionary = TagDictionary.from_pairs(pairs, name=title)
    return Imported(dictionary, entries, several, dict(dropped_parts.most_common()))


def _kind_of_name(name: str) -> str:
    """Return what a file's name says of its kind.

    >>> _kind_of_name("kaikki.org-dictionary-Danish.jsonl.gz"), _kind_of_name("da.tsv.xz")
    ('wiktextract', 'tsv')
    """
    endings = PurePath(name).name.lower().removesuffix(".gz").removesuffix(".xz")
    if endings.endswith((".jsonl", ".json")):
        return "wiktextract"
    if endings.endswith((".tei", ".xml")):
        return "freedict"
    return "tsv"


def _unimorph(source: Source, _language: str) -> Iterator[Reading]:
    for number, line in lines_of(source):
        fields = line.split("\t")
        if len(fields) < 3:
            raise _not_of_kind(source, number, "a lemma, a form and features", line)
        features = fields[2].split(";")
        part = next((value for value in features if value in _UNIMORPH), features[0])
        yield fields[1], part, _UNIMORPH.get(part, ())


def _wiktionary(source: Source, language: str) -> Iterator[Reading]:
    for number, line in lines_of(source):
        fields = line.split("\t")
        if len(fields) < 2:
            raise _not_of_kind(source, number, "a word and its part of speech", line)
        if len(fields) > 2:
            if language and fields[0].strip().casefold() != language.casefold():
                continue
            fields = fields[1:]
        heading = fields[1].strip().upper()
        tag = _WIKTIONARY.get(heading)
        yield fields[0], heading, (tag,) if tag else ()


def _wiktextract(source: Source, language: str) -> Iterator[Reading]:
    for number, line in lines_of(source):
        try:
            entry = json.loads(line)
            word, part, forms = entry["word"], str(entry.get("pos", "")), entry.get("forms") or []
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            word, forms = None, []
        is_list = isinstance(forms, list) and all(isinstance(one, dict) for one in forms)
        if not isinstance(word, str) or not is_list:
            raise _not_of_kind(source, number, "a JSON object with a word", line)
        languages = (str(entry.get("lang_code", "")), str(entry.get("lang", "")).casefold())
        if language and language.casefold() not in languages:
            continue
        tag = _WIKTEXTRACT.get(part)
        for form in {word: None, **dict.fromkeys(_inflected(forms))}:
            yield form, part, (tag,) if tag else ()


def _inflected(forms: Iterable[Mapping[str, object]]) -> Iterator[str]:
    for one in forms:
        form, tags = str(one.get("form", "")).strip(), one.get("tags")
        names = map(str, tags) if isinstance(tags, list) else ()
        if form and form not in ("-", "—", "–") and not _NO_FORMS.intersection(names):
            yield form


def _apertium(source: Source, _language: str) -> Iterator[Reading]:
    for number, line in lines_of(source):
        # `form:lemma<n><sg>`; `:<:` is read only and `:>:` is written only.
        match = re.fullmatch(r"(.+?):([<>]:)?(.*?)((?:<[^<>]+>)+)(.*)", line)
        if not match:
            raise _not_of_kind(source, number, "form:lemma<part of speech>", line)
        form, direction, _, symbols, rest = match.groups()
        if direction == ">:":
            continue
        part = re.findall(r"<([^<>]+)>", symbols)[0]
        # What follows a `+` is a clitic: the form is of two words.
        tag = None if rest.startswith("+") else _APERTIUM.get(part)
        yield form, f"{part}+" if rest.startswith("+") else part, (tag,) if tag else ()


def _freedict(source: Source, _language: str) -> Iterator[Reading]:
    text = text_of(source)
    try:
        for _, element in ET.iterparse(io.BytesIO(text.encode())):
            if element.tag.rpartition("}")[2] != "entry":
                continue
            parts = [(e.text or "").strip() for e in element.iterfind(".//{*}pos")] or [""]
            for orth in element.iterfind("./{*}form/{*}orth"):
                for part in dict.fromkeys(parts):
                    tag = _FREEDICT.get(part.lower().rstrip("."))
                    yield orth.text or "", part, (tag,) if tag else ()
            element.clear()
    except ET.ParseError as error:
        line, _ = error.position
        raise DictionaryError(
            f"{source_name(source)}:{line}: [kind] expected TEI of FreeDict: {error}"
        ) from None


def _not_of_kind(source: Source, number: int, expected: str, line: str) -> DictionaryError:
    return DictionaryError(
        f"{source_name(source)}:{number}: [kind] expected {expected}, found {line[:80]!r}"
    )


_READERS: Mapping[str, Callable[[Source, str], Iterator[Reading]]] = {
    "unimorph": _unimorph,
    "wiktionary": _wiktionary,
    "wiktextract": _wiktextract,
    "apertium": _apertium,
    "freedict": _freedict,
}

KINDS = ("tsv", *_READERS)
"""The kinds of dictionaries that can be read."""
