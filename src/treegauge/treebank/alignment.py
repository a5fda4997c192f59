"""Which word of one treebank is which word of another.

By position: the two treebanks have the same words in the same sentences. By characters: they
have the same text, cut into tokens, words and sentences in different ways, as in the
CoNLL 2018 shared task (Zeman et al. 2018). Then

- a token is a stretch of the text without its white space;
- words that are tokens are aligned if they are the same stretch;
- words of multiword tokens are aligned by a longest common subsequence of their lower-cased
  forms, inside the smallest stretch of text out of which no multiword token of either side
  sticks.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treegauge.treebank._alignment_numba import align_words
from treegauge.treebank.column import Column
from treegauge.treebank.errors import TreebankError
from treegauge.treebank.side_lines import MULTIWORD
from treegauge.treebank.treebank import Treebank
from treegauge.wording import counted


@dataclass(frozen=True)
class Alignment:
    """Pairs of words, and the sentence of the first treebank that a word of the second is in.

    Attributes
    ----------
    first, second : intp arrays
        The words of every pair, increasing.
    sentence_of_second : intp array
        For every word of the second treebank, aligned or not.
    """

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    sentence_of_second: NDArray[np.intp]


class AlignmentError(TreebankError):
    """Two treebanks are not about the same text.

    Examples
    --------
    >>> import treegauge as tg
    >>> gold, other = tg.parse("birds/NOUN sing/VERB\\n"), tg.parse("birds/NOUN fly/VERB\\n")
    >>> try:
    ...     tg.evaluate(gold, other, metrics="upos")
    ... except AlignmentError as error:
    ...     print(str(error).partition(": ")[2].partition("\\n")[0])
    expected "sing", found "fly" as word 2
    """


def align_by_position(first: Treebank, second: Treebank) -> Alignment:
    """Align treebanks of the same words; say where they differ otherwise.

    Raises
    ------
    AlignmentError
        With the first place and the number of differences: missing sentences, another order,
        other tokens.
    """
    if not (np.array_equal(first.offsets, second.offsets) and first.form == second.form):
        raise AlignmentError(_difference(first, second))
    words = np.arange(first.n_words)
    return Alignment(words, words, first.sentence_of_word)


def align_by_characters(first: Treebank, second: Treebank) -> Alignment:
    """Align treebanks of the same text, however it is cut into words and sentences.

    Raises
    ------
    AlignmentError
        If the texts differ in more than white space.
    """
    a, b = _spans(first), _spans(second)
    if a.text != b.text:
        raise AlignmentError(_text_difference(first, a, second, b))
    forms = _compared_forms(first, a, second, b)
    pairs = np.empty((min(first.n_words, second.n_words), 2), np.int64)
    count = align_words(
        a.start,
        a.end,
        a.is_multiword,
        forms[: first.n_words],
        b.start,
        b.end,
        b.is_multiword,
        forms[first.n_words :],
        pairs,
    )
    sentence_ends = a.end_of_sentence
    sentence_of_second = np.searchsorted(sentence_ends, b.start, side="right")
    return Alignment(
        pairs[:count, 0].astype(np.intp),
        pairs[:count, 1].astype(np.intp),
        np.minimum(sentence_of_second, max(first.n_sentences - 1, 0)).astype(np.intp),
    )


# ---------------------------------------------------------------------- by position


def _difference(first: Treebank, second: Treebank) -> str:
    """Return where two treebanks first differ, and how much of them does."""
    names = f"{second.name or 'the system'} and {first.name or 'gold'}"
    texts = [_sentence_texts(first), _sentence_texts(second)]
    at = next(
        (i for i, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), min(map(len, texts))
    )
    place = _place(first, at) if at < first.n_sentences else "after the last sentence"
    lines = [f"[token-mismatch] {names} differ {place}"]
    if first.n_sentences != second.n_sentences:
        sentences = counted(first.n_sentences, "sentence")
        lines.append(f"expected {sentences}, found {second.n_sentences:,}")
    if at < min(map(len, texts)):
        lines[0] += ": " + _first_word_that_differs(texts[0][at], texts[1][at])
    different = sum(a != b for a, b in zip(*texts, strict=False))
    if sorted(texts[0]) == sorted(texts[1]):
        lines.append(f"{counted(different, 'sentence')} are in another order")
    else:
        missing = len(set(texts[0]) - set(texts[1]))
        lines.append(
            f"{counted(different, 'sentence')} differ{'s' * (different == 1)} at "
            f"{'its' if different == 1 else 'their'} place; "
            f"{counted(missing, 'different gold sentence')} "
            f"{'is' if missing == 1 else 'are'} nowhere in the system's file"
        )
    if _spans(first).text == _spans(second).text:
        lines.append("the characters are the same: align by characters with --align")
    else:
        lines.append("is this the output for this file? --align can align other tokens")
    return "\n  ".join(lines)


def _sentence_texts(treebank: Treebank) -> list[tuple[str, ...]]:
    forms = list(treebank.form)
    bounds = treebank.offsets.tolist()
    return [tuple(forms[a:b]) for a, b in pairwise(bounds)]


def _first_word_that_differs(gold: tuple[str, ...], system: tuple[str, ...]) -> str:
    for position, (a, b) in enumerate(zip(gold, system, strict=False), start=1):
        if a != b:
            return f'expected "{a}", found "{b}" as word {position}'
    return f"expected {counted(len(gold), 'word')}, found {len(system):,}"


def _place(treebank: Treebank, sentence: int) -> str:
    name = treebank.sentence_ids[sentence]
    line = treebank.line(sentence)
    at = f"in sentence {sentence + 1:,}"
    return at + (f" ({name})" if name else "") + (f", line {line:,} of gold" if line else "")


# ---------------------------------------------------------------------- by characters


@dataclass(frozen=True)
class _Spans:
    """The stretch of text of every word; words of a multiword token share the token's."""

    text: str
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    is_multiword: NDArray[np.bool_]
    end_of_sentence: NDArray[np.int64]


def _spans(treebank: Treebank) -> _Spans:
    bare = [without_spaces(form) for form in treebank.form.vocabulary]
    codes = treebank.form.codes.tolist()
    tokens = [bare[code] for code in codes]
    # The words of a multiword token give their text to its first word, the rest have none.
    is_multiword = np.zeros(treebank.n_words, np.bool_)
    multiword_end = np.zeros(treebank.n_words, np.int64)
    table = treebank.side_lines
    id_column, form_column = id_and_form_columns(treebank)
    for line in np.flatnonzero(table.kind == MULTIWORD):
        fields = table.text[int(line)].split("\t")
        first, last = map(int, fields[id_column].split("-"))
        offset = int(treebank.offsets[table.sentence[line]])
        words = slice(offset + first - 1, offset + last)
        is_multiword[words] = True
        multiword_end[words] = offset + last
        tokens[words] = [without_spaces(fields[form_column])] + [""] * (last - first)
    lengths = np.array([len(token) for token in tokens], np.int64)
    ends = np.cumsum(lengths)
    starts = ends - lengths
    if is_multiword.any():
        # Every word of a multiword token gets the stretch of the whole.
        inside = np.flatnonzero(is_multiword)
        ends[inside] = ends[multiword_end[inside] - 1]
        first_words = inside[np.append(True, np.diff(multiword_end[inside]) != 0)]
        of_token = np.searchsorted(first_words, inside, side="right") - 1
        starts[inside] = starts[first_words[of_token]]
    bounds = np.concatenate([[0], ends])[treebank.offsets[1:]] if treebank.n_words else ends
    return _Spans("".join(tokens), starts, ends, is_multiword, bounds)


def _compared_forms(first: Treebank, a: _Spans, second: Treebank, b: _Spans) -> NDArray[np.int32]:
    """Return codes of the forms that multiword tokens are aligned by, of both treebanks.

    Lower-cased, and without their spaces; words inside a multiword token keep theirs, as in
    the scorer of the shared task.
    """
    lower = Column.concatenate([first.form, second.form]).map(str.lower)
    both = Column.concatenate([lower, lower.map(without_spaces)])
    is_multiword = np.concatenate([a.is_multiword, b.is_multiword])
    return np.where(is_multiword, both.codes[: len(lower)], both.codes[len(lower) :])


def characters_of_sentences(treebank: Treebank) -> list[str]:
    """Return the text of every sentence without its white space, as words are aligned by it."""
    spans = _spans(treebank)
    return [spans.text[a:b] for a, b in pairwise([0, *spans.end_of_sentence.tolist()])]


def id_and_form_columns(treebank: Treebank) -> tuple[int, int]:
    """Return which fields of a multiword token's line are its range and its form."""
    written = treebank.file_columns
    return (written.index("ID"), written.index("FORM")) if "ID" in written else (0, 1)


def without_spaces(form: str) -> str:
    """Return a text without the spaces that alignment by characters does not look at."""
    if form.isascii():
        return form.replace(" ", "")
    return "".join(char for char in form if unicodedata.category(char) != "Zs")


def _text_difference(first: Treebank, a: _Spans, second: Treebank, b: _Spans) -> str:
    at = next(
        (i for i, (x, y) in enumerate(zip(a.text, b.text, strict=False)) if x != y),
        min(len(a.text), len(b.text)),
    )
    word = int(np.searchsorted(a.end, at, side="right"))
    sentence = int(np.searchsorted(first.offsets, word, side="right")) - 1
    place = " " + _place(first, min(sentence, first.n_sentences - 1)) if first.n_sentences else ""
    return (
        f"[text-mismatch] {second.name or 'the system'} and {first.name or 'gold'} have different "
        f"characters{place}\n"
        f'  expected "{a.text[at : at + 20]}", found "{b.text[at : at + 20]}"\n'
        "  only white space and the cut into words may differ; was the text normalised?"
    )
