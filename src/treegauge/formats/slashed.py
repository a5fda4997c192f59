"""Tagged text, `word/TAG word/TAG`, one sentence per line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from treegauge.formats.findings import Findings, FormatError
from treegauge.formats.layouts import TAGGED
from treegauge.formats.line_flaws import quoted
from treegauge.formats.sentence_lines import read_sentence_lines
from treegauge.treebank import Treebank


def read_slashed(blocks: Iterable[bytes], findings: Findings, *, first_line: int = 1) -> Treebank:
    """Read words with their tags after the last slash; blank lines mean nothing."""

    def words_of(line: str, number: int) -> list[tuple[str, ...]]:
        words: list[tuple[str, ...]] = []
        for word in line.split(" ") if line.strip() else []:
            before, slash, behind = word.rpartition("/")
            if not (before and slash and behind) or "\t" in word:
                findings.add(
                    "tag-separator",
                    line=number,
                    expected="word/TAG",
                    found=quoted(word),
                    advice="write one space between words, and a tag after every word",
                )
            words.append((before, behind))
        return words

    return read_sentence_lines(
        blocks,
        findings,
        ("form", "tag"),
        words_of,
        file_columns=TAGGED.columns,
        first_line=first_line,
    )


def slashed_lines(treebank: Treebank) -> Iterator[bytes]:
    """Write one line per sentence; an empty form or one with a space in it cannot be written."""
    for form in treebank.form.counts():
        if not form:
            raise FormatError(
                "a word without a form would be read as a tag in this format\n"
                "  write --to tagged instead, one word per line"
            )
        if " " in form:
            raise FormatError(
                f"the form {quoted(form)} has a space in it, which divides words in this format\n"
                "  write --to tagged instead, one word per line"
            )
    for tag in treebank.columns["tag"].counts():
        if not tag or " " in tag or "/" in tag:
            raise FormatError(
                f"the tag {quoted(tag)} would be read as another tag after a slash\n"
                "  write --to tagged instead, one word per line"
            )
    words = [
        f"{form}/{tag}" for form, tag in zip(treebank.form, treebank.columns["tag"], strict=True)
    ]
    bounds = treebank.offsets.tolist()
    for first, last in pairwise(bounds):
        if first == last:  # a blank line is no sentence
            continue
        yield (" ".join(words[first:last]) + "\n").encode()
