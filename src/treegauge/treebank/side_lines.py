"""Lines of a file that are not words: comments, multiword tokens, empty nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.treebank.column import Column
from treegauge.treebank.vocabulary import frozen

COMMENT, MULTIWORD, EMPTY_NODE = 0, 1, 2
"""The kinds of side lines."""


@dataclass(frozen=True, eq=False)
class SideLines:
    """A side table: each line's text, and the place where it stands.

    Lines are kept as they were written, so that a file can be given back byte for byte;
    what is inside a line is read when somebody asks for it.

    Attributes
    ----------
    sentence : int32 array
        Index of the sentence, never decreasing.
    after : int32 array
        How many words of that sentence come before the line.
    kind : uint8 array
        `COMMENT`, `MULTIWORD` or `EMPTY_NODE`.
    text : Column
        The line without its line end.
    """

    sentence: NDArray[np.int32]
    after: NDArray[np.int32]
    kind: NDArray[np.uint8]
    text: Column

    def __post_init__(self) -> None:
        for name in ("sentence", "after", "kind"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    @classmethod
    def none(cls) -> SideLines:
        """Return the table without lines."""
        return cls(
            np.zeros(0, np.int32),
            np.zeros(0, np.int32),
            np.zeros(0, np.uint8),
            Column.from_strings([]),
        )

    @classmethod
    def concatenate(cls, tables: list[SideLines], sentences: list[int]) -> SideLines:
        """Put the tables of treebanks with so many sentences each behind one another."""
        shifts = np.concatenate([[0], np.cumsum(sentences)[:-1]]).astype(np.int32)
        return cls(
            np.concatenate([t.sentence + shift for t, shift in zip(tables, shifts, strict=True)]),
            np.concatenate([table.after for table in tables]),
            np.concatenate([table.kind for table in tables]),
            Column.concatenate([table.text for table in tables]),
        )

    def __len__(self) -> int:
        return len(self.sentence)

    def __reduce__(self) -> tuple[Any, ...]:
        return SideLines, (self.sentence, self.after, self.kind, self.text)

    def take(self, lines: NDArray[np.intp] | NDArray[np.bool_]) -> SideLines:
        """Return some of the lines, by index or boolean mask."""
        return SideLines(
            self.sentence[lines], self.after[lines], self.kind[lines], self.text.take(lines)
        )

    def bounds(self, sentences: int) -> NDArray[np.int64]:
        """Return for every sentence where its lines begin, and behind the last one the end."""
        bounds: NDArray[np.int64] = np.searchsorted(self.sentence, np.arange(sentences + 1)).astype(
            np.int64
        )
        return bounds

    def of_sentence(self, sentence: int) -> list[tuple[int, int, str]]:
        """Return (kind, after, text) for every line of one sentence."""
        first, last = np.searchsorted(self.sentence, [sentence, sentence + 1])
        return [
            (int(self.kind[i]), int(self.after[i]), self.text[i])
            for i in range(int(first), int(last))
        ]

    def of_sentences(self, sentences: NDArray[np.intp], total: int) -> SideLines:
        """Return the lines of some sentences, in their order, renumbered from 0."""
        bounds = self.bounds(total)
        counts = (bounds[1:] - bounds[:-1])[sentences]
        lines = ranges(bounds[:-1][sentences], counts)
        taken = self.take(lines)
        renumbered = np.repeat(np.arange(len(sentences), dtype=np.int32), counts)
        return SideLines(renumbered, taken.after, taken.kind, taken.text)

    def compact(self) -> SideLines:
        """Return the same lines without any unused text."""
        return SideLines(
            self.sentence.copy(), self.after.copy(), self.kind.copy(), self.text.compact()
        )


def parse_comment(line: str) -> tuple[str, str]:
    """Return key and value of a comment line; both are empty where there is no `=`.

    >>> parse_comment("# sent_id = birds-1"), parse_comment("# newpar")
    (('sent_id', 'birds-1'), ('', ''))
    """
    key, equals, value = line.lstrip("#").partition("=")
    return (key.strip(), value.strip()) if equals else ("", "")


def ranges(first: NDArray[np.integer[Any]], counts: NDArray[np.integer[Any]]) -> NDArray[np.intp]:
    """Return `first[0], first[0] + 1, … (counts[0] numbers), first[1], …`."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    numbers: NDArray[np.intp] = np.arange(total) + np.repeat(first - (ends - counts), counts)
    return numbers
