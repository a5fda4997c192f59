"""Language models from ARPA files, of any toolkit, compressed or not.

A model from elsewhere may have an n-gram without having a part of it (pruning leaves such gaps).
The part is added then, with the probability that the model gives it anyway.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from treegauge.formats import Findings, FormatError
from treegauge.formats.blocks import RepairedText
from treegauge.formats.findings import Severity
from treegauge.formats.sources import Source, byte_chunks, source_name
from treegauge.properties.language_model.arpa_writing import LOG10_OF_ZERO
from treegauge.properties.language_model.model import LanguageModel
from treegauge.properties.language_model.ngram_trie import BEGIN, SPECIAL_WORDS, NgramTrie
from treegauge.treebank import Vocabulary

_SIZE = re.compile(rb"ngram\s+(\d+)\s*=\s*(\d+)")


def read_arpa(source: Source) -> LanguageModel:
    """Read a language model from an ARPA file.

    Probabilities of -99 and less are zero. A file without `<unk>` gives unknown words the
    probability zero.

    Parameters
    ----------
    source : path, '-' or open file
        `.gz` and `.xz` files are decompressed.

    Returns
    -------
    LanguageModel
        The model.

    Raises
    ------
    FormatError
        If the file cannot be read or is not an ARPA file. The message says where.

    Examples
    --------
    >>> import io
    >>> lines = ["\\\\data\\\\", "ngram 1=3", "", "\\\\1-grams:", "-99 <s>", "-0.3 </s>", "-0.3 a"]
    >>> text = "\\n".join([*lines, "", "\\\\end\\\\", ""])
    >>> read_arpa(io.StringIO(text))
    <LanguageModel of order 1: 4 words>
    """
    findings = Findings(source_name(source))
    with byte_chunks(source, findings) as chunks:
        text = iter(RepairedText(chunks, findings))
        vocabulary, levels = _Parser(_lines(text, findings)).parse()
    for k in range(len(levels) - 1, 1, -1):
        levels[k - 1] = _with_parts(levels[k - 1], levels[k], len(vocabulary))
    return _model(vocabulary, levels)


@dataclass
class _Level:
    """The n-grams of one order, as they stand in a file."""

    words: NDArray[np.int32]
    log10: NDArray[np.float64]
    backoff: NDArray[np.float64]


def _lines(text: Iterator[bytes], findings: Findings) -> Iterator[tuple[str, bytes]]:
    """Give every line and where it is."""
    number = 0
    rest = b""
    for chunk in text:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            number += 1
            yield f"{findings.file}:{number}", line
    if findings.total(Severity.ERROR):
        raise FormatError(str(findings.only(Severity.ERROR)), findings)
    yield f"{findings.file}:{number + 1}", rest


class _Parser:
    """Reads sections one after the other."""

    def __init__(self, lines: Iterator[tuple[str, bytes]]) -> None:
        self._lines = lines
        self._place, self._line = "", b""
        self._codes = {word.encode(): code for code, word in enumerate(SPECIAL_WORDS)}

    def parse(self) -> tuple[Vocabulary, list[_Level]]:
        """Return the words, and the n-grams by order; those of order 0 are none."""
        while self._next() != b"\\data\\":
            if self._line.startswith(b"\\"):
                self._fail("\\data\\")
        sizes: list[int] = []
        while match := _SIZE.fullmatch(self._next_content()):
            if int(match[1]) != len(sizes) + 1:
                self._fail(f"ngram {len(sizes) + 1}=")
            sizes.append(int(match[2]))
        if not sizes:
            self._fail("ngram 1=")
        levels = [_Level(np.empty((0, 0), np.int32), np.empty(0), np.empty(0))]
        for k, size in enumerate(sizes, start=1):
            if self._line != b"\\%d-grams:" % k:
                self._fail(f"\\{k}-grams:")
            levels.append(self._section(k, size, is_last=k == len(sizes)))
        if self._line != b"\\end\\":
            self._fail("\\end\\")
        return self._vocabulary(), levels

    def _section(self, order: int, size: int, *, is_last: bool) -> _Level:
        words: list[list[int]] = []
        log10: list[float] = []
        backoff: list[float] = []
        codes = self._codes
        while not (line := self._next_content()).startswith(b"\\"):
            fields = line.split()
            if not order + 1 <= len(fields) <= order + 1 + (not is_last):
                self._fail(f"a number and {order} words" + ("" if is_last else ", and a weight"))
            try:
                log10.append(float(fields[0]))
                backoff.append(float(fields[order + 1]) if len(fields) > order + 1 else 0.0)
            except ValueError:
                self._fail("log10 probabilities and weights")
            ngram = fields[1 : order + 1]
            if order == 1:
                codes.setdefault(ngram[0], len(codes))
            try:
                words.append([codes[word] for word in ngram])
            except KeyError:
                self._fail("words that are among the 1-grams")
        if len(words) != size:
            self._fail(f"{size} {order}-grams before this line, not {len(words)}")
        level = _Level(
            np.array(words, np.int32).reshape(-1, order), np.array(log10), np.array(backoff)
        )
        if len(np.unique(_numbered(level.words, len(codes)))) < size:
            self._fail(f"every {order}-gram once before this line")
        for values in (level.log10, level.backoff):
            values[values <= LOG10_OF_ZERO] = -np.inf
        return level

    def _vocabulary(self) -> Vocabulary:
        try:
            return Vocabulary.from_strings([word.decode() for word in self._codes])
        except UnicodeDecodeError as error:
            file = self._place.rpartition(":")[0]
            raise FormatError(f"{file}: [encoding] {error.object!r} is no UTF-8 text") from None

    def _next_content(self) -> bytes:
        while not self._next():
            pass
        return self._line

    def _next(self) -> bytes:
        try:
            self._place, line = next(self._lines)
        except StopIteration:
            raise FormatError(
                f"{self._place}: the file ends before \\end\\; it is no ARPA file, or was cut off"
            ) from None
        self._line = line.strip()
        return self._line

    def _fail(self, expected: str) -> NoReturn:
        line = self._line.decode(errors="replace")
        raise FormatError(f"{self._place}: expected {expected}; found {line!r}")


def _numbered(rows: NDArray[np.int32], n_types: int) -> NDArray[np.int64]:
    """Return a number for every row, the same for equal ones."""
    numbers = rows[:, 0].astype(np.int64)
    for column in rows.T[1:]:
        _, numbers = np.unique(numbers * n_types + column, return_inverse=True)
    return numbers


def _with_parts(shorter: _Level, longer: _Level, n_types: int) -> _Level:
    """Return the shorter n-grams with those that are part of longer ones; these have no numbers."""
    parts = np.concatenate([longer.words[:, :-1], longer.words[:, 1:]])
    numbers = _numbered(np.concatenate([shorter.words, parts]), n_types)
    own, of_parts = np.split(numbers, [len(shorter.words)])
    distinct_parts, first = np.unique(of_parts, return_index=True)
    new = first[~np.isin(distinct_parts, own)]
    return _Level(
        np.concatenate([shorter.words, parts[new]]),
        np.append(shorter.log10, np.full(len(new), np.nan)),
        np.append(shorter.backoff, np.zeros(len(new))),
    )


def _model(vocabulary: Vocabulary, levels: list[_Level]) -> LanguageModel:
    """Sort the n-grams, and tie them together."""
    n_types, order = len(vocabulary), len(levels) - 1
    words = levels[1].words[:, 0]
    log10 = [np.full(1, -np.inf), np.full(n_types, -np.inf)]
    backoff = [np.zeros(1), np.zeros(n_types)]
    log10[1][words], backoff[1][words] = levels[1].log10, levels[1].backoff
    log10[1][BEGIN] = -np.inf
    keys = [np.zeros(1, np.int64), np.arange(n_types)]
    for level in levels[2:]:
        parents = _find(keys, level.words[:, :-1], n_types)
        key = parents * n_types + level.words[:, -1]
        by_key = np.argsort(key)
        keys.append(key[by_key])
        links = _find(keys[:-1], level.words[:, 1:], n_types)
        gap = np.isnan(level.log10)
        level.log10[gap] = backoff[-1][parents[gap]] + log10[-1][links[gap]]
        log10.append(level.log10[by_key])
        backoff.append(level.backoff[by_key])
        level.words = level.words[by_key]
    starts = np.cumsum([0, *map(len, keys)])
    link = [np.zeros(1 + n_types, np.int32)]
    first_child = [np.array([1])]
    for k in range(2, order + 1):
        link.append(starts[k - 1] + _find(keys[:k], levels[k].words[:, 1:], n_types))
        parent_of_child = keys[k] // n_types
        first_child.append(
            starts[k] + np.searchsorted(parent_of_child, np.arange(len(keys[k - 1])))
        )
    trie = NgramTrie(
        np.concatenate([[-1], *(key % n_types for key in keys[1:])]).astype(np.int32),
        np.concatenate(link).astype(np.int32),
        np.concatenate([*first_child, starts[-1:]]).astype(np.int32),
        starts,
    )
    return LanguageModel(vocabulary, trie, np.concatenate(log10), np.concatenate(backoff[:order]))


def _find(
    keys: list[NDArray[np.int64]], rows: NDArray[np.int32], n_types: int
) -> NDArray[np.int64]:
    """Return the place of n-grams among those of their order, which are sorted by key.

    A key is the place of the n-gram without its last word, and that word.
    """
    places = rows[:, 0].astype(np.int64)
    for k in range(2, rows.shape[1] + 1):
        places = np.searchsorted(keys[k], places * n_types + rows[:, k - 1])
    return places
