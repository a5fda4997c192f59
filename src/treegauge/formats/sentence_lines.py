"""Files in which a line is a sentence: words with spaces between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.formats.findings import Findings
from treegauge.treebank import Column, Interner, Treebank

WordsOfLine = Callable[[str, int], list[tuple[str, ...]]]
"""From a line and its number to its words, each with a value for every column."""


def read_sentence_lines(
    blocks: Iterable[bytes],
    findings: Findings,
    columns: tuple[str, ...],
    words_of: WordsOfLine,
    *,
    file_columns: tuple[str, ...] = (),
    first_line: int = 1,
) -> Treebank:
    """Read a treebank of some columns; a line without words means nothing."""
    interners = {name: Interner() for name in columns}
    # Strings live as long as their block; what stays is a code a word.
    parts: dict[str, list[NDArray[Any]]] = defaultdict(lambda: [np.zeros(0, np.int32)])
    number = first_line - 1
    ends_in_newline = True
    for block in blocks:
        values: list[tuple[str, ...]] = []
        lengths: list[int] = []
        first_lines: list[int] = []
        text = block.decode(errors="replace")
        ends_in_newline = text.endswith("\n")
        for line in text.removesuffix("\n").split("\n"):
            number += 1
            words = words_of(line, number)
            if words:
                values += words
                lengths.append(len(words))
                first_lines.append(number)
        for place, name in enumerate(columns):
            parts[name].append(interners[name].add_strings([value[place] for value in values]))
        parts["lengths"].append(np.array(lengths, np.int32))
        parts["first_lines"].append(np.array(first_lines, np.int64))
    if not ends_in_newline:
        findings.add(
            "final-blank-line",
            line=number,
            expected="a line end after the last sentence",
            found="the end of the file",
            advice="the sentence is read as complete",
        )
    return Treebank(
        {
            name: Column(np.concatenate(parts[name]), interners[name].vocabulary())
            for name in columns
        },
        offsets=np.cumsum(np.concatenate([[0], *parts["lengths"]])),
        first_lines=np.concatenate(parts["first_lines"]),
        file_columns=file_columns,
    )
