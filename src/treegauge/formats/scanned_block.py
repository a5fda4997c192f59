"""A block of text, cut into lines and fields by the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.formats import _columns_numba as kernels
from treegauge.formats.blocks import count_lines
from treegauge.formats.layouts import ColumnLayout
from treegauge.treebank import parse_comment

_LARGE = np.iinfo(np.int32).max


class ScannedBlock:
    """The lines of one block, as the kernel found them."""

    def __init__(self, text: bytes, layout: ColumnLayout, first_line: int) -> None:
        self.text = text
        self.layout = layout
        self.first_line = first_line
        self.bytes = np.frombuffer(text, np.uint8)
        capacity = count_lines(text) + 1
        n_columns = len(layout.columns)
        # Places in a block take four bytes, unless one sentence is gigabytes long.
        place = np.dtype(np.int32 if len(text) < _LARGE else np.int64)
        line_start: NDArray[np.integer[Any]] = np.empty(capacity + 1, place)
        kind = np.empty(capacity, np.uint8)
        flaws = np.zeros(capacity, np.uint16)
        sentence = np.empty(capacity, np.int32)
        expected_id = np.empty(capacity, np.int32)
        bounds: NDArray[np.integer[Any]] = np.empty((n_columns + 1, capacity), place)
        head = np.empty(capacity, np.int32)
        first_line_of = np.empty(capacity, np.int32)
        length = np.empty(capacity, np.int32)
        lines, words, self.n_sentences = kernels.scan_lines(
            self.bytes,
            n_columns,
            layout.id_column,
            layout.head_column,
            layout.has_side_lines,
            line_start,
            kind,
            flaws,
            sentence,
            expected_id,
            bounds,
            head,
            first_line_of,
            length,
        )
        # Per line.
        self.line_start = line_start[: lines + 1]
        self.kind = kind[:lines]
        self.flaws = flaws[:lines]
        self.sentence = sentence[:lines]
        self.expected_id = expected_id[:lines]
        # Per word.
        self.bounds = bounds[:, :words]
        self.head = head[:words]
        # Per sentence.
        self.first_lines = first_line_of[: self.n_sentences]
        self.lengths = length[: self.n_sentences]

    @property
    def n_lines(self) -> int:
        """Number of lines of any kind."""
        return len(self.kind)

    @property
    def sentence_of_word(self) -> NDArray[np.int32]:
        """The sentence of every word, counted in this block."""
        of_word: NDArray[np.int32] = self.sentence[self.kind == kernels.WORD]
        return of_word

    def line(self, index: int) -> str:
        """Return the text of a line."""
        start, end = self.line_start[index], self.line_start[index + 1] - 1
        return self.text[start:end].decode(errors="replace").rstrip("\n")

    def sentence_id(self, index: int) -> str:
        """Return the `sent_id` of the sentence a line belongs to."""
        if self.kind[index] == kernels.BLANK and (
            index == 0 or self.kind[index - 1] == kernels.BLANK
        ):
            return ""  # one blank line too many belongs to no sentence
        for i in np.flatnonzero(self.sentence == self.sentence[index]):
            if self.kind[i] == kernels.COMMENT:
                key, value = parse_comment(self.line(int(i)))
                if key == "sent_id":
                    return value
        return ""
