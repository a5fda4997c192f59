"""Reducibility: how often words can be left out of a sentence that is then still a sentence.

An n-gram of words is reducible where it stands if its sentence without it is another sentence of
the text. By tags, reducible n-grams tell which words are leaves or small subtrees: what can be
left out depends on what stays. A text of a thousand sentences has next to no reducible words.
There, less can be asked: that the tags of what is left are the tags of a sentence, or that the
three tags before and the three behind what is left out occur together (two and two, or one and
one, where there are many tags).

References
----------
Mareček and Žabokrtský (2012), Exploiting reducibility in unsupervised dependency parsing. EMNLP.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.properties import _reducibility_numba as kernels
from treegauge.properties.errors import PropertyError
from treegauge.treebank import EMPTY, Treebank, tag_column, without_punctuation

Match = Literal["auto", "words", "tags", "context"]
"""What of a shortened sentence must occur: its words, its tags alone, or tags around the gap."""
FoundBy = Literal["words", "tags", "context"]

LONGEST = kernels.LONGEST
ENOUGH = 1000
"""Reducible occurrences of words from which on `auto` keeps to words, and not to contexts."""
LONGEST_REDUCED = 10
"""Words of the longest sentence that anything is left out of."""
WIDTHS = (3, 2, 1)
"""Tags on either side of a gap that must occur together, the first that finds enough."""
_ENOUGH_IN_CONTEXT = 0.1
"""The share of n-grams that can be left out from which on a width is kept to."""
_MOST_CONTEXTS = 1_000_000
"""Words of which all tags are kept."""
_MOST_CELLS = 1 << 22
"""Of a dense table of n-grams; beyond, they are sorted."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NgramCounts:
    """Tag n-grams of one length: how often they occur, and how often they can be left out."""

    keys: Ints
    """Ascending; `key_of_ngram` of the codes of their tags."""
    occurrences: Ints
    reducible: Ints

    @property
    def share(self) -> float:
        """The share of all occurrences that can be left out."""
        return float(self.reducible.sum() / max(1, self.occurrences.sum()))

    def reducibility(self) -> Floats:
        """Return `(r + s) / (c + 1) / s`, where s is the share of all: 1 is the average.

        An n-gram that was never seen would have 1, and so has every one where none is reducible.
        """
        if not self.share:
            return np.ones(len(self.keys))
        smoothed: Floats = (self.reducible + self.share) / (self.occurrences + 1) / self.share
        return smoothed


@dataclass(frozen=True, eq=False)
class Reducibility:
    """Reducibility of the sentences of a text, by tags.

    Attributes
    ----------
    tags : tuple of str
        Their places are codes.
    match : "words", "tags" or "context"
        What of a shortened sentence had to occur.
    longest : int
        Words of the longest sentence that something was left out of, at the most; 0: no limit.
    sentences, words : int
        Sentences that something was left out of, and their words.
    width : int
        Tags on either side of the gap that had to occur together; 0 where sentences had to.
    ngrams : tuple of NgramCounts
        Of one, two and three tags.
    occurrences : array, [tags]
        Words by tag.
    with_reducible_neighbours : array, [tags, 2]
        Those of them that have something reducible directly to the left, and to the right.
    """

    tags: tuple[str, ...]
    match: FoundBy
    longest: int
    sentences: int
    words: int
    width: int
    ngrams: tuple[NgramCounts, ...]
    occurrences: Ints
    with_reducible_neighbours: Ints

    @property
    def reducible(self) -> int:
        """Occurrences of n-grams of all lengths that can be left out."""
        return int(sum(own.reducible.sum() for own in self.ngrams))

    @property
    def share(self) -> float:
        """The share of all n-grams that can be left out."""
        return self.reducible / max(1, sum(int(own.occurrences.sum()) for own in self.ngrams))

    def tags_of(self, size: int, key: int) -> tuple[str, ...]:
        """Return the tags of an n-gram from its key."""
        base, codes = len(self.tags) + 1, []
        for _ in range(size):
            key, code = divmod(key, base)
            codes.append(code - 1)
        return tuple(self.tags[code] for code in reversed(codes))

    def as_weights(self) -> dict[tuple[str, ...], float]:
        """Return the reducibility of every n-gram that was seen."""
        return {
            self.tags_of(size, int(key)): float(value)
            for size, own in enumerate(self.ngrams, start=1)
            for key, value in zip(own.keys, own.reducibility(), strict=True)
        }


def weights_in_text(
    weights: Sequence[tuple[Ints, Floats]], tags: Ints, offsets: Ints, n_tags: int
) -> Floats:
    """Return the reducibility of the n-grams that begin at every word, [words, `LONGEST`].

    Parameters
    ----------
    weights : sequence of keys and values
        For one, two and three tags, keys ascending.
    tags : array of int
        Codes of the tags of all words; a code of `n_tags` or more is a tag without weights.
    """
    position = np.arange(len(tags)) - np.repeat(offsets[:-1], np.diff(offsets))
    left = np.repeat(np.diff(offsets), np.diff(offsets)) - position
    table = np.ones((len(tags), LONGEST))
    known = np.where(tags < n_tags, tags, -1)
    for size, (keys, values) in enumerate(weights, start=1):
        begins = np.flatnonzero(left >= size)
        wanted = ngram_keys(known, begins, size, n_tags)
        place = np.minimum(np.searchsorted(keys, wanted), max(0, len(keys) - 1))
        if len(keys):
            table[begins, size - 1] = np.where(keys[place] == wanted, values[place], 1.0)
    return table


def ngram_keys(tags: Ints, begins: Ints, size: int, n_tags: int) -> Ints:
    """Return the keys of the n-grams that begin at some words: digits to the base of tags + 1."""
    keys = np.zeros(len(begins), np.int64)
    for k in range(size):
        keys = keys * (n_tags + 1) + tags[begins + k] + 1
    return keys


class ReducibilityCounter:
    """Takes a text in pieces, keeps its short sentences, and counts what can be left out.

    Of long sentences, tags alone are kept, for their contexts, and only of the first million words:
    a larger text does not need them.

    Parameters
    ----------
    tags : str
        The tag column.
    longest : int
        Words of the longest sentence that is left out of, punctuation not counted.
    """

    def __init__(self, tags: str = "u", longest: int = LONGEST_REDUCED) -> None:
        self._column = tags
        self._longest = longest
        self._all_tags: list[NDArray[np.int32]] = []
        self._all_lengths: list[Ints] = []
        self._codes: dict[str, int] = {}
        self._words: list[NDArray[np.uint64]] = []
        self._tags: list[NDArray[np.int32]] = []
        self._lengths: list[Ints] = []
        self.tag_counts: Ints = np.zeros(0, np.int64)
        """Words of all sentences, also of long ones, by code."""

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags so far, in the order of their codes."""
        return tuple(self._codes)

    def add(self, piece: Treebank) -> None:
        """Look at a piece of the text; punctuation counts for nothing."""
        words = without_punctuation(piece)
        if not words.n_words:
            return
        tags = tag_column(words, self._column).column
        by_value = [self._codes.setdefault(tag, len(self._codes)) for tag in tags.vocabulary]
        codes = np.array(by_value, np.int32)[tags.codes]
        counts = np.bincount(codes, minlength=len(self._codes))
        counts[: len(self.tag_counts)] += self.tag_counts
        self.tag_counts = counts
        if sum(map(len, self._all_tags)) < _MOST_CONTEXTS:
            self._all_tags.append(codes)
            self._all_lengths.append(words.lengths.astype(np.int64))
        is_short = (words.lengths > 0) & (words.lengths <= self._longest)
        chosen = np.repeat(is_short, words.lengths)
        vocabulary = words.form.vocabulary
        hashes = np.empty(len(vocabulary), np.uint64)
        kernels.hash_strings(np.array(vocabulary.data), np.array(vocabulary.starts), hashes)
        self._words.append(hashes[words.form.codes[chosen]])
        self._tags.append(codes[chosen])
        self._lengths.append(words.lengths[is_short].astype(np.int64))

    def merge(self, other: ReducibilityCounter) -> None:
        """Take over what another one was given, as if it came behind all that came here."""
        new_code = np.array(
            [self._codes.setdefault(tag, len(self._codes)) for tag in other.tags], np.int32
        )
        counts = np.zeros(len(self._codes), np.int64)
        counts[: len(self.tag_counts)] = self.tag_counts
        counts[new_code] += other.tag_counts
        self.tag_counts = counts
        for codes, lengths in zip(other._all_tags, other._all_lengths, strict=True):
            if sum(map(len, self._all_tags)) < _MOST_CONTEXTS:
                self._all_tags.append(new_code[codes])
                self._all_lengths.append(lengths)
        self._words += other._words
        self._tags += [new_code[codes] for codes in other._tags]
        self._lengths += other._lengths

    def count(self, match: Match = "auto") -> Reducibility:
        """Count what can be left out.

        `auto` takes words if enough of them can be left out, and contexts otherwise.
        """
        if match != "context" and any(map(len, self._lengths)):
            found = self._counted("tags" if match == "tags" else "words")
            if match != "auto" or found.reducible >= ENOUGH:
                return found
        if match in ("words", "tags") or not any(map(len, self._all_tags)):
            raise PropertyError(
                f"no sentence of at most {self._longest} words to leave anything out of"
            )
        for width in WIDTHS:
            found = self._counted("context", width)
            if found.share >= _ENOUGH_IN_CONTEXT:
                break
        return found

    def _counted(self, match: FoundBy, width: int = 0) -> Reducibility:
        in_context = match == "context"
        kept = self._all_tags if in_context else self._tags
        tags = np.concatenate(kept).astype(np.int64)
        lengths = np.concatenate(self._all_lengths if in_context else self._lengths)
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        if match == "words":
            symbols = np.concatenate(self._words)
        else:
            # Tags that differ have numbers that differ; this only spreads them.
            symbols = (np.arange(len(self._codes), dtype=np.uint64) + 3)[tags] * kernels.BASE
        keys = len(lengths) + (len(tags) if in_context else 0)
        slots = np.zeros(1 << (2 * keys).bit_length(), np.uint64)
        reducible = np.zeros((LONGEST, len(tags)), np.uint8)
        if in_context:
            kernels.find_reducible_in_context(symbols, offsets, width, slots, reducible)
        else:
            kernels.find_reducible(symbols, offsets, slots, reducible)
        is_reduced = np.repeat(lengths > 1, lengths)
        n = len(self._codes)
        ngrams = tuple(
            _ngram_counts(tags, offsets, reducible[size - 1], size, n)
            for size in range(1, LONGEST + 1)
        )
        return Reducibility(
            self.tags,
            match,
            0 if in_context else self._longest,
            int((lengths > 1).sum()),
            int(is_reduced.sum()),
            width,
            ngrams,
            np.bincount(tags[is_reduced], minlength=n),
            _with_reducible_neighbours(tags, offsets, reducible, n),
        )


def measure_reducibility(
    treebank: Treebank, tags: str = "u", match: Match = "auto"
) -> Reducibility:
    """Count what can be left out of the sentences of a treebank.

    Parameters
    ----------
    tags : str
        The tag column: u, u12, c, p, p:2.
    match : "auto", "words", "tags" or "context"
        What of a shortened sentence must occur in the treebank.

    Raises
    ------
    PropertyError
        If all sentences are long, and whole ones must occur.

    Examples
    --------
    >>> import treegauge as tg
    >>> text = "old/ADJ men/NOUN sleep/VERB\\nmen/NOUN sleep/VERB\\nsleep/VERB\\n"
    >>> measured = measure_reducibility(tg.parse(text, format="slashed"), match="words")
    >>> {" ".join(tags): round(value, 2) for tags, value in measured.as_weights().items()}
    {'ADJ': 1.75, 'NOUN': 1.17, 'VERB': 0.33, 'ADJ NOUN': 1.5, 'NOUN VERB': 0.5}
    """
    counter = ReducibilityCounter(tags)
    counter.add(treebank)
    return counter.count(match)


def _ngram_counts(
    tags: Ints, offsets: Ints, reducible: NDArray[np.uint8], size: int, n_tags: int
) -> NgramCounts:
    """Count by tags the n-grams of sentences of several words that are not all of a sentence."""
    lengths = np.diff(offsets)
    position = np.arange(len(tags)) - np.repeat(offsets[:-1], lengths)
    length = np.repeat(lengths, lengths)
    begins = np.flatnonzero((length > size) & (position + size <= length))
    keys = ngram_keys(tags, begins, size, n_tags)
    removed = reducible[begins].astype(np.float64)
    cells = (n_tags + 1) ** size
    if cells <= _MOST_CELLS:
        occurrences = np.bincount(keys, minlength=cells)
        counts = np.bincount(keys, weights=removed, minlength=cells)
        seen = np.flatnonzero(occurrences)
        return NgramCounts(seen, occurrences[seen], counts[seen].astype(np.int64))
    seen, inverse, occurrences = np.unique(keys, return_inverse=True, return_counts=True)
    counts = np.bincount(inverse, weights=removed, minlength=len(seen))
    return NgramCounts(seen, occurrences, counts.astype(np.int64))


def _with_reducible_neighbours(
    tags: Ints, offsets: Ints, reducible: NDArray[np.uint8], n_tags: int
) -> Ints:
    """Count the words that have anything reducible directly to the left, and to the right."""
    lengths = np.diff(offsets)
    position = np.arange(len(tags)) - np.repeat(offsets[:-1], lengths)
    begins_here: NDArray[np.bool_] = np.any(reducible, axis=0)
    is_last = position + 1 == np.repeat(lengths, lengths)
    to_right = np.append(begins_here[1:], False) & ~is_last
    to_left = np.zeros(len(tags), np.bool_)
    for size in range(1, LONGEST + 1):
        to_left[size:] |= (reducible[size - 1, : len(tags) - size] > 0) & (position[size:] >= size)
    return np.stack(
        [np.bincount(tags[side], minlength=n_tags) for side in (to_left, to_right)], axis=1
    )


def share_of_foreign_tags(counter: ReducibilityCounter, known: Collection[str]) -> float:
    """Return the share of the words of a text whose tags are not among those that are known."""
    foreign = [tag not in known and tag != EMPTY for tag in counter.tags]
    return float(counter.tag_counts[foreign].sum() / max(1, counter.tag_counts.sum()))
