"""Dictionaries and word lists as files: columns divided by tabs, compressed or not.

A dictionary has a form and its tags in a line, the tags separated by commas; a form may have
several lines. A word list has a word and its translation, and perhaps the tags of the
translation. No line is a comment: `#` is a word like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import PurePath
from typing import NamedTuple, TypeVar

from treegauge.dictionaries.errors import DictionaryError
from treegauge.dictionaries.tag_dictionary import TagDictionary, normalised
from treegauge.dictionaries.tag_sets import tag_mask
from treegauge.formats import Source, read_text, source_name, write_chunks

Entry = TypeVar("Entry")

_LISTED = 20
"""How many broken lines a message names."""


class WordPair(NamedTuple):
    """A word and its translation."""

    source: str
    target: str
    mask: int = 0
    """The tags for which they translate each other, 0 where the list does not say."""


def read_dictionary(source: Source, *, name: str | None = None) -> TagDictionary:
    """Read a dictionary.

    Raises
    ------
    DictionaryError
        If the file cannot be read or is not UTF-8, or lines are broken; the message names the
        first twenty, or only the first where no line is right.

    Examples
    --------
    >>> import io
    >>> dictionary = read_dictionary(io.StringIO("dog\\tNOUN,VERB\\nrun\\tVERB\\nrun\\tNOUN\\n"))
    >>> dict(dictionary.items())
    {'dog': ('NOUN', 'VERB'), 'run': ('NOUN', 'VERB')}
    """
    masks: dict[str, int] = {}
    for form, mask in checked_lines(source, _form_and_tags):
        masks[form] = masks.get(form, 0) | mask
    if not masks:
        raise DictionaryError(f"{source_name(source)}: a dictionary without words")
    return TagDictionary.from_masks(masks, name=_name(source) if name is None else name)


def write_dictionary(dictionary: TagDictionary, target: Source) -> None:
    """Write a dictionary, sorted by form."""
    lines = (f"{form}\t{','.join(tags)}\n".encode() for form, tags in sorted(dictionary.items()))
    write_chunks(target, lines)


def read_word_list(source: Source) -> list[WordPair]:
    """Read pairs of words that translate each other, tags in a third column if there are any.

    >>> import io
    >>> read_word_list(io.StringIO("dog\\thund\\n"))
    [WordPair(source='dog', target='hund', mask=0)]
    """
    return list(checked_lines(source, _word_pair))


def text_of(source: Source) -> str:
    """Return the text of a file that has to do with dictionaries."""
    return read_text(source, what="a dictionary, or text", error=DictionaryError)


def lines_of(source: Source) -> Iterator[tuple[int, str]]:
    """Give the lines of a file that are not blank, with their numbers."""
    # Not splitlines, which also splits at characters that can be words.
    for number, line in enumerate(text_of(source).split("\n"), start=1):
        if line.strip():
            yield number, line.removesuffix("\r")


def checked_lines(source: Source, parse: Callable[[str], Entry]) -> Iterator[Entry]:
    """Give what each line says; raise, when all are read, if some say nothing.

    Of a file that is something else altogether the first line is enough.
    """
    broken: list[str] = []
    count = good = 0
    for number, line in lines_of(source):
        try:
            entry = parse(line)
        except DictionaryError as error:
            if not good and _is_word_of_a_treebank(line):
                raise DictionaryError(
                    f"{source_name(source)}:{number}: [treebank] expected a dictionary or a word "
                    "list, found a treebank; `treegauge dictionary from-treebank` makes a "
                    "dictionary of it"
                ) from None
            count += 1
            if count <= _LISTED:
                broken.append(f"{source_name(source)}:{number}: {error}")
        else:
            good += 1
            yield entry
    if broken and not good:
        others = f"; nor is any of the other {count - 1:,} lines right" if count > 1 else ""
        raise DictionaryError(broken[0] + others)
    if broken:
        more = [f"and {count - _LISTED:,} more broken lines"] if count > _LISTED else []
        raise DictionaryError("\n".join([*broken, *more]))


def _is_word_of_a_treebank(line: str) -> bool:
    """Return whether a line is a word, or a range of words, of CoNLL-U, CoNLL-X and the like."""
    fields = line.split("\t")
    return len(fields) >= 8 and fields[0].replace("-", "").isdecimal()


def multiword(word: str) -> bool:
    """Return whether an entry is of several words, which no token can match."""
    return len(word.split()) != 1


def _form_and_tags(line: str) -> tuple[str, int]:
    fields = line.split("\t")
    if len(fields) != 2 or not all(field.strip() for field in fields):
        raise DictionaryError(
            f"[columns] expected a form, a tab and tags separated by commas, found {line[:80]!r}"
        )
    return normalised(fields[0].strip()), _mask(fields[1])


@cache
def _mask(tags: str) -> int:
    try:
        return tag_mask(tag.strip() for tag in tags.split(","))
    except DictionaryError as error:
        raise DictionaryError(f"[tag] {error}") from None


def _word_pair(line: str) -> WordPair:
    fields = [field.strip() for field in line.split("\t")]
    if len(fields) not in (2, 3) or not all(fields):
        raise DictionaryError(
            f"[columns] expected a word, a tab and its translation, found {line[:80]!r}"
        )
    source, target = map(normalised, fields[:2])
    return WordPair(source, target, _mask(fields[2]) if len(fields) == 3 else 0)


def _name(source: Source) -> str:
    name = PurePath(source_name(source)).name
    for ending in (".xz", ".gz", ".tsv", ".txt"):
        name = name.removesuffix(ending)
    return name


def joined(dictionaries: Iterable[TagDictionary]) -> TagDictionary:
    """Return the union of dictionaries."""
    first, *others = dictionaries
    for other in others:
        first = first | other
    return first
