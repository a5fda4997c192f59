"""Parallel texts: sentences and their translations, words divided by spaces.

FILE             one line per pair, `source words ||| target words`
SOURCE::TARGET   two files of as many lines, or treebanks of as many sentences
toy:svo::toy:sov a text made from toy languages
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.dictionaries.files import text_of
from treegauge.formats import Findings, format_of_name, read
from treegauge.systems.errors import SystemsError
from treegauge.systems.word_alignment.toy_bitext import toy_bitext
from treegauge.treebank import Column
from treegauge.wording import counted

_DIVISION = "|||"
_TWO_FILES = "::"
_LISTED = 5
"""How many broken lines a message names."""

Pair = tuple[list[str], list[str]]


@dataclass(frozen=True)
class Side:
    """One language of a parallel text."""

    words: Column
    """Compact."""
    offsets: NDArray[np.int64]
    """Where sentences begin, and the end."""
    tags: Column | None = None
    """Universal tags, if the text is a treebank that has them."""

    @classmethod
    def of(cls, sentences: Iterable[list[str]]) -> Side:
        """Take sentences of words."""
        sentences = list(sentences)
        return cls(
            Column.from_strings(word for sentence in sentences for word in sentence).compact(),
            np.cumsum([0, *map(len, sentences)], dtype=np.int64),
        )

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words of every sentence."""
        return np.diff(self.offsets)

    def take(self, kept: NDArray[np.bool_]) -> Side:
        """Return some of the sentences."""
        words = np.flatnonzero(np.repeat(kept, self.lengths))
        return Side(
            self.words.take(words).compact(),
            np.concatenate([[0], np.cumsum(self.lengths[kept])]),
            None if self.tags is None else self.tags.take(words),
        )


@dataclass(frozen=True)
class Bitext:
    """Sentence `i` of one side translates sentence `i` of the other; neither is empty."""

    source: Side
    target: Side

    @classmethod
    def of(cls, pairs: Iterable[Pair]) -> Bitext:
        """Take pairs of sentences; those with an empty side are left out.

        >>> len(Bitext.of([(["a", "dog"], ["ein", "Hund"]), ([], ["ja"])]))
        1
        """
        kept = [pair for pair in pairs if pair[0] and pair[1]]
        return cls(Side.of(a for a, _ in kept), Side.of(b for _, b in kept))

    def __len__(self) -> int:
        return len(self.source.offsets) - 1

    @property
    def reversed(self) -> Bitext:
        """The same text with the languages exchanged."""
        return Bitext(self.target, self.source)


def read_bitext(text: str, *, longest: int = 100) -> Bitext:
    """Read a parallel text; pairs with a sentence of more words than `longest` are left out.

    Raises
    ------
    SystemsError
        If a line has no `|||`, two files are of different length, or no pair is left.
    FormatError, DictionaryError
        If a file cannot be read, or is not UTF-8.
    """
    first, double, second = text.partition(_TWO_FILES)
    if double and not (first.startswith("toy:") and second.startswith("toy:")):
        source, target = _sides_of_files(first, second)
    else:
        pairs = list(toy_bitext(first, second)) if double else _pairs_of_lines(text)
        source, target = Side.of(a for a, _ in pairs), Side.of(b for _, b in pairs)
    shorter, longer = (each(source.lengths, target.lengths) for each in (np.minimum, np.maximum))
    kept = (shorter > 0) & (longer <= longest)
    if not kept.any():
        raise SystemsError(f"{text}: no pair of sentences of at most {counted(longest, 'word')}")
    return Bitext(source.take(kept), target.take(kept))


def _pairs_of_lines(path: str) -> list[Pair]:
    pairs: list[Pair] = []
    broken = []
    for number, line in enumerate(_lines(path), start=1):
        sides = line.split(_DIVISION)
        if len(sides) == 2:
            pairs.append((sides[0].split(), sides[1].split()))
        elif line.strip():
            broken.append(
                f"{path}:{number}: [parallel] expected SOURCE ||| TARGET, found {line[:60]!r}"
            )
    if broken:
        more = len(broken) - _LISTED
        rest = [f"and {more:,} more such lines"] if more > 0 else []
        raise SystemsError("\n".join([*broken[:_LISTED], *rest]))
    return pairs


def _sides_of_files(first: str, second: str) -> tuple[Side, Side]:
    source, target = _side(first), _side(second)
    if len(source.lengths) != len(target.lengths):
        what = "sentence" if _is_treebank(first) or _is_treebank(second) else "line"
        raise SystemsError(
            f"{first} has {counted(len(source.lengths), what)}, {second} {len(target.lengths):,}\n"
            f"  a {what} of one must translate the same {what} of the other"
        )
    return source, target


def _side(path: str) -> Side:
    if not _is_treebank(path):
        return Side.of(line.split() for line in _lines(path))
    treebank = read(path, findings=Findings())
    tags = treebank.upos if treebank.upos.is_annotated else None
    return Side(treebank.form, treebank.offsets, tags)


def _is_treebank(path: str) -> bool:
    """Return whether the name is that of a treebank, and not of plain text."""
    return format_of_name(path) not in (None, "tokens")


def _lines(path: str) -> list[str]:
    # Not splitlines, which also splits at characters that can be words.
    return text_of(path).removesuffix("\n").split("\n")
