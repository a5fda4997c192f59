"""Reads the column formats: CoNLL-U, CoNLL-U Plus, CoNLL-X, the challenge's nine, tagged words.

All of them are one kind of file, lines of fields divided by tabs and a blank line after
every sentence, so one scanner reads them all; a `ColumnLayout` says what the columns are. The
scanner marks flawed lines, and only those are looked at again, to explain the flaw.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.formats import _columns_numba as kernels
from treegauge.formats.findings import Findings
from treegauge.formats.layouts import ColumnLayout
from treegauge.formats.line_flaws import explain_flaws, quoted
from treegauge.formats.parallel_scanning import SIDE_TEXT, BlockScanner, CutBlock
from treegauge.formats.scanned_block import ScannedBlock
from treegauge.treebank import SideLines, Treebank


def read_columns(
    blocks: Iterable[bytes], layout: ColumnLayout, findings: Findings, *, first_line: int = 1
) -> Treebank:
    """Read blocks of whole sentences; what is wrong with them goes to the findings.

    The treebank is of use only if no finding is an error.
    """
    reader = _Reader(layout, findings, first_line)
    for cut in reader.scanner.scan(blocks):
        reader.add(cut)
    return reader.treebank()


class _Reader:
    """Gathers scanned blocks into a treebank."""

    def __init__(self, layout: ColumnLayout, findings: Findings, first_line: int) -> None:
        self.scanner = BlockScanner(layout)
        self.layout = layout
        self.findings = findings
        self.first_line = self.next_line = first_line
        self.n_sentences = 0
        self.parts: dict[str, bytearray] = defaultdict(bytearray)

    def add(self, cut: CutBlock) -> None:
        block = cut.block
        block.first_line = self.next_line
        if not block.text.endswith(b"\n\n"):
            self._check_end(block)
        if block.flaws.any():
            explain_flaws(block, self.findings)
        self._append("head", block.head)
        self._add_sentences(block)
        self._add_side_lines(cut)
        self.n_sentences += block.n_sentences
        self.next_line += block.n_lines

    def _check_end(self, block: ScannedBlock) -> None:
        """Tell a file that lacks its last blank line from one that was cut off."""
        if block.kind[-1] == kernels.BLANK:
            return
        words = block.head[block.sentence_of_word == block.sentence[-1]]
        cut_in_line = not block.text.endswith(b"\n") and block.kind[-1] != kernels.WORD
        # A system may well point behind the end of a sentence: that is its error, and scored.
        is_prediction = self.findings.role == "prediction"
        cut_in_sentence = not is_prediction and len(words) > 0 and words.max() > len(words)
        last_line = self.next_line + block.n_lines - 1
        if cut_in_line or cut_in_sentence:
            block.flaws[-1] = 0
            shown = quoted(block.line(block.n_lines - 1))
            self.findings.add(
                "truncated-file",
                line=last_line,
                expected="a whole line" if cut_in_line else f"word {words.max()}, which is a head",
                found=f"the end of the file after {shown}",
                advice="the file was cut off; download or write it again",
                sentence=block.sentence_id(block.n_lines - 1),
            )
            return
        self.findings.add(
            "final-blank-line",
            line=last_line,
            expected="a blank line after the last sentence",
            found="the end of the file",
            advice="the sentence is read as complete",
        )

    def _add_sentences(self, block: ScannedBlock) -> None:
        self._append("lengths", block.lengths)
        # Lines of a stream may need more than 32 bits; those of one treebank do not.
        self._append("first_lines", block.first_lines + (self.next_line - self.first_line))

    def _add_side_lines(self, cut: CutBlock) -> None:
        block, side = cut.block, cut.side
        self._append("side_sentence", block.sentence[side] + self.n_sentences)
        self._append("side_after", block.expected_id[side] - 1)
        self._append("side_kind", block.kind[side])

    def treebank(self) -> Treebank:
        lengths = self._joined("lengths").astype(np.int64)
        return Treebank(
            {name: self.scanner.column(key) for key, name in self.layout.text_columns.items()},
            self._joined("head"),
            offsets=np.concatenate([[0], np.cumsum(lengths)]),
            side_lines=SideLines(
                self._joined("side_sentence"),
                self._joined("side_after"),
                self._joined("side_kind").astype(np.uint8),
                self.scanner.column(SIDE_TEXT),
            ),
            first_lines=self._joined("first_lines").astype(np.int64) + self.first_line,
            file_columns=self.layout.columns,
        )

    def _append(self, name: str, values: NDArray[np.integer[Any]]) -> None:
        # A bytearray grows where it is; arrays would all have to be copied in the end.
        self.parts[name] += np.ascontiguousarray(values, np.int32).data.cast("B")

    def _joined(self, name: str) -> NDArray[np.int32]:
        whole = memoryview(self.parts.pop(name, b"")).toreadonly()
        return np.frombuffer(whole, np.int32)
