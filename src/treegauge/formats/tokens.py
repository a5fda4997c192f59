"""Plain tokenised text: words with spaces between them, one sentence per line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from treegauge.formats.findings import Findings, FormatError
from treegauge.formats.layouts import ColumnLayout
from treegauge.formats.line_flaws import quoted
from treegauge.formats.sentence_lines import read_sentence_lines
from treegauge.treebank import Treebank

TOKENS = ColumnLayout("tokens", ("FORM",))
# Other spaces, such as the one that keeps `10 000` together, are part of a word. A carriage return
# is not: at the end of a line it would be taken for a part of that end.
_DIVISION = re.compile(r"[ \t\r]+")


def read_tokens(blocks: Iterable[bytes], findings: Findings, *, first_line: int = 1) -> Treebank:
    """Read words and nothing else; surplus spaces and blank lines mean nothing.

    No columns of a file are remembered: written in another format, it has all of that format's.
    """

    def words_of(line: str, number: int) -> list[tuple[str, ...]]:
        words = [word for word in _DIVISION.split(line) if word]
        if words and " ".join(words) != line:
            findings.add(
                "surplus-space",
                line=number,
                expected="one space between words, and none around them",
                found=quoted(line),
                advice="any number of spaces and tabs is read as one space",
            )
        return [(word,) for word in words]

    return read_sentence_lines(blocks, findings, ("form",), words_of, first_line=first_line)


def token_lines(treebank: Treebank) -> Iterator[bytes]:
    """Write one line per sentence; an empty form or one with a space in it cannot be written."""
    for form in treebank.form.counts():
        if not form or _DIVISION.search(form):
            raise FormatError(
                f"the form {quoted(form)} would not be read as one word in this format\n"
                "  write --to tagged instead, one word per line"
            )
    words = list(treebank.form)
    for first, last in pairwise(treebank.offsets.tolist()):
        if first < last:  # a blank line is no sentence
            yield (" ".join(words[first:last]) + "\n").encode()
