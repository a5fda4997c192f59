"""Which rows of a sentence are which words of gold.

Two readings of a sentence are tried. Numbers are gold's: row 5 is word 5 if it has its form; lines
may then be missing, broken or out of place, and HEAD still says which word is meant. Or numbers are
the sentence's own: they run from 1 to the last row, and words are found by their characters, or by
a longest common subsequence of forms; HEAD then means a row. The second is chosen only if it gives
more words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from treegauge.formats.repair.loose_table import LooseRow

NO_WORD = -1
"""What is no word of gold."""


@dataclass(frozen=True)
class Match:
    """The word of gold that every row is, and the one that its head is.

    Attributes
    ----------
    words : list of int
        Position in the gold sentence, from 1, of every row; -1 for a row that gold lacks.
    heads : list of int
        Position of the head's word, 0 for the root, -1 where there is none in the sentence.
    misplaced : set of int
        Rows that do not stand where their numbers say.
    """

    words: list[int]
    heads: list[int]
    misplaced: set[int]


def match_words(rows: Sequence[LooseRow], gold: Sequence[str]) -> Match:
    """Match the rows of a sentence with the words of a gold sentence."""
    by_number = _by_number(rows, gold)
    if [row.number for row in rows] == list(range(1, len(rows) + 1)):
        by_form = common_words([row.form for row in rows], gold)
        if _count(by_form) > _count(by_number):
            heads = [_own_head(row, by_form) for row in rows]
            return Match(by_form, heads, set())
    matched = [place for place, word in enumerate(by_number) if word != NO_WORD]
    in_order = sorted(by_number[place] for place in matched)
    misplaced = {
        place for place, word in zip(matched, in_order, strict=True) if by_number[place] != word
    }
    heads = [head if (head := head_number(row)) <= len(gold) else NO_WORD for row in rows]
    return Match(by_number, heads, misplaced)


def common_words(forms: Sequence[str], gold: Sequence[str]) -> list[int]:
    """Return for every form the word of gold it is, from 1; -1 where it is none.

    Of the same characters, words are the same that are the same stretch; otherwise those of a
    common subsequence.

    >>> common_words(["can", "not", "go"], ["cannot", "go"])
    [-1, -1, 2]
    >>> common_words(["birds", "sing", "sing"], ["birds", "do", "sing"])
    [1, 3, -1]
    """
    if "".join(forms) == "".join(gold):
        stretches = {stretch: place for place, stretch in enumerate(_stretches(gold), start=1)}
        return [stretches.get(stretch, NO_WORD) for stretch in _stretches(forms)]
    words = [NO_WORD] * len(forms)
    for block in SequenceMatcher(None, forms, gold, autojunk=False).get_matching_blocks():
        for step in range(block.size):
            words[block.a + step] = block.b + step + 1
    return words


def head_number(row: LooseRow) -> int:
    """Return the head as a number, -1 where it is none."""
    return int(row.head) if row.head.isdecimal() and len(row.head) < 10 else NO_WORD


def _stretches(forms: Sequence[str]) -> list[tuple[int, int]]:
    stretches, begin = [], 0
    for form in forms:
        stretches.append((begin, begin + len(form)))
        begin += len(form)
    return stretches


def _by_number(rows: Sequence[LooseRow], gold: Sequence[str]) -> list[int]:
    times = Counter(row.number for row in rows)
    return [
        row.number
        if 1 <= row.number <= len(gold)
        and times[row.number] == 1
        and row.form == gold[row.number - 1]
        else NO_WORD
        for row in rows
    ]


def _own_head(row: LooseRow, words: Sequence[int]) -> int:
    number = head_number(row)
    if number == 0:
        return 0
    return words[number - 1] if 1 <= number <= len(words) else NO_WORD


def _count(words: Sequence[int]) -> int:
    return sum(word != NO_WORD for word in words)
