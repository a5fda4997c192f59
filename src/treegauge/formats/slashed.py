"""Tagged text, `word/TAG word/TAG`, one sentence a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np

from treegauge.formats.findings import Findings, FormatError
from treegauge.formats.layouts import TAGGED
from treegauge.formats.line_flaws import quoted
from treegauge.treebank import Column, Treebank


def read_slashed(blocks: Iterable[bytes], findings: Findings) -> Treebank:
    """Read words with their tags behind the last slash; blank lines mean nothing."""
    forms: list[str] = []
    tags: list[str] = []
    offsets = [0]
    first_lines: list[int] = []
    number = 0
    ends_in_newline = True
    for block in blocks:
        text = block.decode(errors="replace")
        ends_in_newline = text.endswith("\n")
        for line in text.removesuffix("\n").split("\n"):
            number += 1
            words = line.split(" ") if line.strip() else []
            for word in words:
                form, slash, tag = word.rpartition("/")
                if not (form and slash and tag) or "\t" in word:
                    findings.add(
                        "tag-separator",
                        line=number,
                        expected="word/TAG",
                        found=quoted(word),
                        advice="write one space between words, and a tag behind every word",
                    )
                forms.append(form)
                tags.append(tag)
            if words:
                offsets.append(len(forms))
                first_lines.append(number)
    if not ends_in_newline:
        findings.add(
            "final-blank-line",
            line=number,
            expected="a line end behind the last sentence",
            found="the end of the file",
            advice="the sentence is read as complete",
        )
    return Treebank(
        {"form": Column.from_strings(forms), "tag": Column.from_strings(tags)},
        offsets=np.array(offsets),
        first_lines=np.array(first_lines, np.int64),
        file_columns=TAGGED.columns,
    )


def slashed_lines(treebank: Treebank) -> Iterator[bytes]:
    """Write one line a sentence; a form with a space in it cannot be written."""
    for form in treebank.form.counts():
        if " " in form:
            raise FormatError(
                f"the form {quoted(form)} has a space in it, which divides words in this format\n"
                "  write --to tagged, one word a line, instead"
            )
    for tag in treebank.columns["tag"].counts():
        if not tag or " " in tag or "/" in tag:
            raise FormatError(
                f"the tag {quoted(tag)} would be read as another one behind a slash\n"
                "  write --to tagged, one word a line, instead"
            )
    words = [
        f"{form}/{tag}" for form, tag in zip(treebank.form, treebank.columns["tag"], strict=True)
    ]
    bounds = treebank.offsets.tolist()
    for first, last in pairwise(bounds):
        yield (" ".join(words[first:last]) + "\n").encode()
