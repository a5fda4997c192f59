"""Level 1: lines, columns and numbers of one sentence, whatever the annotation says."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cached_property

from treegauge.formats.layouts import CONLLU
from treegauge.formats.line_flaws import quoted
from treegauge.formats.universal_dependencies.rules import Breach

ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)

# No number has more digits than Python is willing to read.
WORD_ID = re.compile(r"[1-9][0-9]{0,17}")
RANGE_ID = re.compile(r"([1-9][0-9]{0,17})-([1-9][0-9]{0,17})")
NODE_ID = re.compile(r"([0-9]{1,18})\.([1-9][0-9]{0,17})")

_TWO_SPACES = re.compile(r"\s\s")
_SPACE = re.compile(r"\s")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
_MAY_HAVE_SPACES = {FORM, LEMMA, MISC}


@dataclass
class CheckedSentence:
    """A sentence, cut into comments and rows, and the rules that it breaks."""

    lines: list[str]
    breaches: list[Breach] = field(default_factory=list)

    @cached_property
    def first_row(self) -> int:
        """Which line is the first that is no comment."""
        return next((i for i, line in enumerate(self.lines) if not line.startswith("#")), 0)

    @cached_property
    def rows(self) -> list[list[str]]:
        """The fields of every line behind the comments, without the blank one."""
        end = len(self.lines) - is_blank(self.lines[-1])
        return [line.split("\t") for line in self.lines[self.first_row : end]]

    @property
    def comments(self) -> list[str]:
        """The comments before the first row."""
        return self.lines[: self.first_row]

    def break_rule(self, line: int, rule: str, found: str) -> None:
        """Note that a line, counted from the first of the sentence, breaks a rule."""
        self.breaches.append(Breach(line, rule, found))

    def break_in_row(self, row: int, rule: str, found: str) -> None:
        """Note that a row breaks a rule."""
        self.break_rule(self.first_row + row, rule, found)


def is_word(row: list[str]) -> bool:
    """Return whether a row has the number of a word."""
    return WORD_ID.fullmatch(row[ID]) is not None


def is_range(row: list[str]) -> bool:
    """Return whether a row is a multiword token."""
    return RANGE_ID.fullmatch(row[ID]) is not None


def is_node(row: list[str]) -> bool:
    """Return whether a row is an empty node."""
    return NODE_ID.fullmatch(row[ID]) is not None


def is_blank(line: str) -> bool:
    """Return whether a line ends a sentence: it is empty, or looks so."""
    return not line or line.isspace()


def sentences(lines: list[str]) -> list[list[str]]:
    """Cut lines into sentences, each with the blank line behind it."""
    cut: list[list[str]] = [[]]
    for line in lines:
        cut[-1].append(line)
        if is_blank(line):
            cut.append([])
    return cut if cut[-1] else cut[:-1]


def check_backbone(sentence: CheckedSentence) -> bool:
    """Check lines, columns and numbers; return whether the annotation can be looked at."""
    return (
        _check_lines(sentence)
        and _check_columns(sentence)
        and _check_numbers(sentence)
        and _check_overlaps(sentence)
    )


def _check_lines(sentence: CheckedSentence) -> bool:
    has_rows = False
    has_words = False
    usable = True
    for i, line in enumerate(sentence.lines):
        check_characters(sentence, i, line)
        if line.startswith("#"):
            if has_rows:
                sentence.break_rule(i, "misplaced-comment", quoted(line))
                usable = False
            continue
        has_rows = True
        if line[:1].isdigit():
            has_words = True
        elif is_blank(line):
            if line:
                sentence.break_rule(i, "pseudo-empty-line", "a line of spaces")
            if not has_words:
                sentence.break_rule(i, "empty-sentence", "none")
                usable = False
        else:
            sentence.break_rule(i, "invalid-line", quoted(line))
            usable = False
    if not is_blank(sentence.lines[-1]):
        end = len(sentence.lines) - 1
        sentence.break_rule(end, "missing-empty-line", "the end of the file")
        # As in the official validator, this is what decides then.
        usable = has_words
    return usable


def check_characters(sentence: CheckedSentence, index: int, line: str) -> None:
    """Check a line for characters that are in no text."""
    if line.isascii() and line.isprintable():
        return
    if "\ufffd" in line:
        sentence.break_rule(index, "invalid-utf", quoted(line[max(0, line.index("\ufffd") - 9) :]))
    if not unicodedata.is_normalized("NFC", line):
        sentence.break_rule(index, "unicode-normalization", _first_difference(line))
    if control := _CONTROL.search(line):
        sentence.break_rule(index, "control-character", f"U+{ord(control[0]):04X}")


def _first_difference(line: str) -> str:
    normalised = unicodedata.normalize("NFC", line)
    place = next(
        (i for i, (a, b) in enumerate(zip(line, normalised, strict=False)) if a != b),
        min(len(line), len(normalised)),
    )
    characters = " ".join(f"U+{ord(c):04X}" for c in line[place : place + 2])
    return f"{characters} for {quoted(normalised[place : place + 1])}"


def _check_columns(sentence: CheckedSentence) -> bool:
    usable = True
    for i, row in enumerate(sentence.rows, start=sentence.first_row):
        if len(row) == len(CONLLU.columns):
            _check_spaces(sentence, i, row)
        else:
            sentence.break_rule(i, "number-of-columns", str(len(row)))
            usable = False
    return usable


def _check_spaces(sentence: CheckedSentence, line: int, row: list[str]) -> None:
    for column, value in enumerate(row):
        if value.isalnum() or value == "_":
            continue
        shown = f"{quoted(value)} in {CONLLU.columns[column]}"
        has_space = _SPACE.search(value) is not None
        if has_space and column in (FORM, LEMMA) and is_range(row):
            sentence.break_rule(line, "invalid-whitespace-mwt", shown)
        elif has_space and column not in _MAY_HAVE_SPACES:
            sentence.break_rule(line, "invalid-whitespace", shown)
        elif not value:
            sentence.break_rule(line, "empty-column", f"nothing in {CONLLU.columns[column]}")
        elif has_space:
            if value[0].isspace():
                sentence.break_rule(line, "leading-whitespace", shown)
            if value[-1].isspace():
                sentence.break_rule(line, "trailing-whitespace", shown)
            if _TWO_SPACES.search(value):
                sentence.break_rule(line, "repeated-whitespace", shown)


def _check_numbers(sentence: CheckedSentence) -> bool:
    before = len(sentence.breaches)
    words: list[int] = []
    spans: list[tuple[int, int, int]] = []
    next_node = 1
    for i, row in enumerate(sentence.rows):
        if node := NODE_ID.fullmatch(row[ID]):
            _check_node(sentence, i, (int(node[1]), int(node[2])), words, spans, next_node)
            next_node += 1
        elif is_word(row):
            next_node = 1
            number = int(row[ID])
            words.append(number)
            if not (spans and spans[-1][0] <= number <= spans[-1][1]):
                spans.append((number, number, i))
        elif span := RANGE_ID.fullmatch(row[ID]):
            next_node = 1
            if words and int(span[1]) <= words[-1]:
                sentence.break_in_row(i, "misplaced-word-interval", quoted(row[ID]))
            else:
                spans.append((int(span[1]), int(span[2]), i))
        else:
            sentence.break_in_row(i, "invalid-word-id", quoted(row[ID]))
    if words != list(range(1, len(words) + 1)):
        shown = ", ".join(map(str, words[:10])) + " …" * (len(words) > 10)
        sentence.break_in_row(0, "word-id-sequence", shown or "none")
    for first, last, i in spans:
        shown = str(first) if first == last else f"{first}-{last}"
        if last < first:
            sentence.break_in_row(i, "reversed-word-interval", shown)
        elif last > len(words):
            sentence.break_in_row(i, "word-interval-out", shown)
    return len(sentence.breaches) == before


def _check_node(
    sentence: CheckedSentence,
    row: int,
    number: tuple[int, int],
    words: list[int],
    spans: list[tuple[int, int, int]],
    next_node: int,
) -> None:
    """Check the number of an empty node behind some words."""
    last_word = words[-1] if words else 0
    shown = quoted(sentence.rows[row][ID])
    if number != (last_word, next_node):
        sentence.break_in_row(row, "misplaced-empty-node", shown)
    if number[0] == last_word and spans and last_word < spans[-1][0]:
        sentence.break_in_row(
            row, "misplaced-empty-node", f"{shown} after {spans[-1][0]}-{spans[-1][1]}"
        )


def _check_overlaps(sentence: CheckedSentence) -> bool:
    covered: set[int] = set()
    usable = True
    for i, row in enumerate(sentence.rows):
        span = RANGE_ID.fullmatch(row[ID])
        if span is None:
            continue
        words = set(range(int(span[1]), int(span[2]) + 1))
        if covered & words:
            sentence.break_in_row(i, "overlapping-word-intervals", quoted(row[ID]))
            usable = False
        covered |= words
    return usable
