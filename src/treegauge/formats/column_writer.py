"""Writes the column formats."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from treegauge.formats import _columns_numba as kernels
from treegauge.formats.layouts import ColumnLayout
from treegauge.treebank import SideLines, Treebank


def column_lines(treebank: Treebank, layout: ColumnLayout) -> Iterator[bytes]:
    """Render a treebank line by line, in blocks of bytes."""
    texts = {index: treebank.columns[name] for index, name in layout.text_columns.items()}
    side_lines = treebank.side_lines if layout.has_side_lines else SideLines.none()
    # One vocabulary for all columns: codes are shifted, so that the kernel needs one table.
    vocabularies = [column.vocabulary for column in texts.values()] + [side_lines.text.vocabulary]
    shift_of = np.cumsum([0] + [len(vocabulary) for vocabulary in vocabularies])
    data = np.concatenate([vocabulary.data for vocabulary in vocabularies])
    lengths = np.concatenate([np.diff(vocabulary.starts) for vocabulary in vocabularies])
    starts = np.concatenate([[0], np.cumsum(lengths)])
    side_text = side_lines.text.codes.astype(np.int64) + shift_of[-2]
    side_bounds = side_lines.bounds(treebank.n_sentences)

    for first, last in _sentence_portions(treebank.offsets):
        words = slice(treebank.offsets[first], treebank.offsets[last])
        cells = np.zeros((len(layout.columns), words.stop - words.start), np.int64)
        for shift, (index, column) in zip(shift_of[:-1], texts.items(), strict=False):
            cells[index] = column.codes[words].astype(np.int64) + shift
        text_bytes = sum(int(lengths[cells[index]].sum()) for index in texts)
        side_bytes = int(lengths[side_text[side_bounds[first] : side_bounds[last]]].sum())
        # Per cell a divider, per number at most ten digits, per side line and sentence an end.
        room = (
            text_bytes
            + cells.size
            + 20 * cells.shape[1]
            + side_bytes
            + int(side_bounds[last] - side_bounds[first])
            + (last - first)
        )
        out = np.empty(room, np.uint8)
        used = kernels.render_lines(
            out,
            first,
            last,
            treebank.offsets,
            treebank.head,
            cells,
            layout.id_column,
            layout.head_column,
            data,
            starts,
            side_bounds,
            side_lines.after,
            side_text,
        )
        yield out[:used].tobytes()


_WORDS_A_PORTION = 1 << 15


def _sentence_portions(offsets: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    first, sentences = 0, len(offsets) - 1
    while first < sentences:
        last = int(np.searchsorted(offsets, offsets[first] + _WORDS_A_PORTION, side="right")) - 1
        last = min(max(last, first + 1), sentences)
        yield first, last
        first = last
