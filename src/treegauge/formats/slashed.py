"""Tagged text, `word/TAG word/TAG`, one sentence a line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treegauge.formats.findings import Findings, FormatError
from treegauge.formats.layouts import TAGGED
from treegauge.formats.line_flaws import quoted
from treegauge.treebank import Column, Interner, Treebank


def read_slashed(blocks: Iterable[bytes], findings: Findings) -> Treebank:
    """Read words with their tags behind the last slash; blank lines mean nothing."""
    form, tag = Interner(), Interner()
    # Strings live as long as their block; what stays is a code a word.
    parts: dict[str, list[NDArray[np.int32]]] = defaultdict(lambda: [np.zeros(0, np.int32)])
    number = 0
    ends_in_newline = True
    for block in blocks:
        forms: list[str] = []
        tags: list[str] = []
        lengths: list[int] = []
        first_lines: list[int] = []
        text = block.decode(errors="replace")
        ends_in_newline = text.endswith("\n")
        for line in text.removesuffix("\n").split("\n"):
            number += 1
            words = line.split(" ") if line.strip() else []
            for word in words:
                before, slash, behind = word.rpartition("/")
                if not (before and slash and behind) or "\t" in word:
                    findings.add(
                        "tag-separator",
                        line=number,
                        expected="word/TAG",
                        found=quoted(word),
                        advice="write one space between words, and a tag behind every word",
                    )
                forms.append(before)
                tags.append(behind)
            if words:
                lengths.append(len(words))
                first_lines.append(number)
        parts["form"].append(form.add_strings(forms))
        parts["tag"].append(tag.add_strings(tags))
        parts["lengths"].append(np.array(lengths, np.int32))
        parts["first_lines"].append(np.array(first_lines, np.int32))
    if not ends_in_newline:
        findings.add(
            "final-blank-line",
            line=number,
            expected="a line end behind the last sentence",
            found="the end of the file",
            advice="the sentence is read as complete",
        )
    return Treebank(
        {
            "form": Column(np.concatenate(parts["form"]), form.vocabulary()),
            "tag": Column(np.concatenate(parts["tag"]), tag.vocabulary()),
        },
        offsets=np.cumsum(np.concatenate([[0], *parts["lengths"]])),
        first_lines=np.concatenate(parts["first_lines"]),
        file_columns=TAGGED.columns,
    )


def slashed_lines(treebank: Treebank) -> Iterator[bytes]:
    """Write one line a sentence; an empty form or one with a space in it cannot be written."""
    for form in treebank.form.counts():
        if not form:
            raise FormatError(
                "a word without a form would be read as a tag alone in this format\n"
                "  write --to tagged, one word a line, instead"
            )
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
        if first == last:  # a blank line is no sentence
            continue
        yield (" ".join(words[first:last]) + "\n").encode()
