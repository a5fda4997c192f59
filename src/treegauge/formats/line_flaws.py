"""From the scanner's marks to findings: what exactly is wrong with a line."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from treegauge.formats import _columns_numba as kernels
from treegauge.formats.findings import Findings
from treegauge.formats.layouts import STANDARD_LAYOUTS
from treegauge.formats.scanned_block import ScannedBlock

Explanation = tuple[str, str, str]
"""What was expected, what was found, what to do."""


def explain_flaws(block: ScannedBlock, findings: Findings) -> None:
    """Add a finding for every marked line, in words for the first ones of every kind."""
    for bit, (kind, explain) in _EXPLAINED.items():
        marked = np.flatnonzero(block.flaws & bit)
        room = findings.room(kind)
        for index in marked[:room]:
            line = int(index)
            expected, found, advice = explain(block, line)
            findings.add(
                kind,
                line=block.first_line + line,
                expected=expected,
                found=found,
                advice=advice,
                sentence=block.sentence_id(line),
            )
        findings.count_unlisted(kind, max(0, len(marked) - room))


def quoted(text: str) -> str:
    """Return a text as messages show it: short, on one line, in quotes."""
    shown = text if len(text) <= 40 else text[:37] + "…"
    return f'"{shown}"'.replace("\t", "\\t").replace("\r", "\\r")


def _field(block: ScannedBlock, line: int, column: int) -> str:
    return block.line(line).split("\t")[column]


def _columns(block: ScannedBlock, line: int) -> Explanation:
    expected = len(block.layout.columns)
    n_columns = block.line(line).count("\t") + 1
    fitting = [layout.format for layout in STANDARD_LAYOUTS if len(layout.columns) == n_columns]
    advice = "separate the columns with single tabs, and put _ where a value is missing"
    if n_columns == 1 and len(block.line(line).split()) == expected:
        advice = "there are spaces between the columns; separate them with tabs"
    elif fitting and block.layout.format not in fitting:
        advice += (
            f"; a file of {n_columns} columns throughout may be {fitting[0]} (--from {fitting[0]})"
        )
    return f"{expected} columns", f"{n_columns}", advice


def _word_id(block: ScannedBlock, line: int) -> Explanation:
    word_id = _field(block, line, block.layout.id_column)
    advice = "number the words of every sentence 1, 2, 3 and so on"
    if word_id == "1":
        advice += "; perhaps the blank line before this sentence is missing"
    return str(block.expected_id[line]), word_id if word_id.isdecimal() else quoted(word_id), advice


def _head_number(block: ScannedBlock, line: int) -> Explanation:
    head = _field(block, line, block.layout.head_column)
    return "a whole number as HEAD", quoted(head), "write 0 for the root and _ for no annotation"


def _range_id(block: ScannedBlock, line: int) -> Explanation:
    range_id = _field(block, line, block.layout.id_column)
    expected = f"a range that begins with {block.expected_id[line]} and ends in the sentence"
    return expected, quoted(range_id), "put the range before its first word, as first-last"


def _range_overlap(block: ScannedBlock, line: int) -> Explanation:
    range_id = _field(block, line, block.layout.id_column)
    return "ranges that do not overlap", quoted(range_id), "a word belongs to one multiword token"


def _node_id(block: ScannedBlock, line: int) -> Explanation:
    node_id = _field(block, line, block.layout.id_column)
    before = int(block.expected_id[line]) - 1
    expected = f"an empty node {before}.1, or the next one after word {before}"
    return expected, quoted(node_id), "number empty nodes i.1, i.2 and so on after word i"


def _node_in_range(block: ScannedBlock, line: int) -> Explanation:
    node = f"empty node {_field(block, line, block.layout.id_column)} inside one"
    advice = "it is kept; other programs may count the words wrongly here"
    return "no empty node between the words of a multiword token", node, advice


def _comment_place(block: ScannedBlock, line: int) -> Explanation:
    advice = "it is kept where it is; move it before the first word"
    return "comments before the first word", quoted(block.line(line)), advice


def _empty_field(block: ScannedBlock, line: int) -> Explanation:
    empty = [
        name
        for name, value in zip(block.layout.columns, block.line(line).split("\t"), strict=True)
        if not value
    ]
    return "a value or _", f"nothing in {', '.join(empty)}", "it is kept; write _ for no value"


def _blank_line(block: ScannedBlock, line: int) -> Explanation:
    if block.line(line):
        return "an empty line", "a line of spaces", "it is read as a blank line"
    return "one blank line", "one more", "it is left out"


def _empty_sentence(_block: ScannedBlock, _line: int) -> Explanation:
    return "a word", "comments alone", "remove the comments, or add the sentence"


_EXPLAINED: dict[int, tuple[str, Callable[[ScannedBlock, int], Explanation]]] = {
    kernels.BAD_COLUMNS: ("columns", _columns),
    kernels.BAD_WORD_ID: ("word-id", _word_id),
    kernels.BAD_HEAD: ("head-number", _head_number),
    kernels.BAD_RANGE: ("range-id", _range_id),
    kernels.RANGE_OVERLAP: ("range-overlap", _range_overlap),
    kernels.BAD_NODE_ID: ("node-id", _node_id),
    kernels.NODE_IN_RANGE: ("node-in-range", _node_in_range),
    kernels.LATE_COMMENT: ("comment-place", _comment_place),
    kernels.EMPTY_FIELD: ("empty-field", _empty_field),
    kernels.ODD_BLANK: ("blank-line", _blank_line),
    kernels.NO_WORDS: ("empty-sentence", _empty_sentence),
}
