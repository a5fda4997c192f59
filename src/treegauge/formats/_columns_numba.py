"""Kernels that scan and render the lines of the column formats."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.formats._text_numba import NEWLINE, TAB, WINDOW, lowest, separators
from treegauge.kernels import kernel

# Kinds of lines; the first three are those of treebank.side_lines.
COMMENT, MULTIWORD, EMPTY_NODE, WORD, BLANK, BROKEN = 0, 1, 2, 3, 4, 5

# Flaws of a line, as bits.
BAD_COLUMNS = 1
BAD_WORD_ID = 2
BAD_HEAD = 4
BAD_RANGE = 8
RANGE_OVERLAP = 16
BAD_NODE_ID = 32
NODE_IN_RANGE = 64
LATE_COMMENT = 128
EMPTY_FIELD = 256
ODD_BLANK = 512
NO_WORDS = 1024

_SPACE, _HASH = 32, 35
_DASH, _DOT, _ZERO, _NINE, _UNDERSCORE = 45, 46, 48, 57, 95
_TOO_LARGE = (1 << 31) - 1  # so that the next number still fits


@kernel
def _number(block, first, last):
    """Return the whole number in a slice, -1 if it is none; 007 is none."""
    if first >= last or (block[first] == _ZERO and last - first > 1):
        return -1
    value = 0
    for i in range(first, last):
        digit = block[i]
        if digit < _ZERO or digit > _NINE:
            return -1
        value = value * 10 + (digit - _ZERO)
        if value >= _TOO_LARGE:
            return -1
    return value


@kernel
def scan_lines(
    block, n_columns, id_column, head_column, has_side_lines,
    line_start, kind, flaws, sentence, expected_id, bounds, head, first_line, length,
):  # fmt: skip
    """Cut a block of whole sentences into lines, and word lines into fields.

    Per line: where it starts, its kind, its flaws, its sentence, and the word number that
    is expected next. Per word line: `bounds[c, w]`, where field `c` starts (the field ends
    one byte before `bounds[c + 1, w]`), and the head. Per sentence: its first line, and how
    many word lines it has.

    Returns the numbers of lines, words and sentences.
    """
    lines = 0
    words = 0
    sentences = 0
    position = 0
    end = len(block)

    # Tabs and line ends that were found in the window, and not yet come to.
    window = -WINDOW
    ahead = np.uint64(0)

    next_id = 1
    lines_in_sentence = 0
    words_before = 0
    has_words = False
    has_tokens = False  # words, multiword tokens or empty nodes
    range_line = -1
    range_first = 0
    range_last = 0
    next_node = 1

    while position < end:
        first = position
        line_start[lines] = first
        sentence[lines] = sentences
        expected_id[lines] = next_id
        flaw = 0

        # From tab to tab; what is found is kept only for words.
        fields = 1
        empty = False
        bounds[0, words] = first
        last_bound = first
        last = end
        while True:
            while ahead == 0 and window + WINDOW < end:
                window += WINDOW
                if window + WINDOW <= end:
                    ahead = separators(block, window)
                else:
                    for i in range(window, end):
                        if block[i] == TAB or block[i] == NEWLINE:
                            ahead |= np.uint64(1) << np.uint64(i - window)
            if ahead == 0:  # the last line may lack its line end
                break
            place = window + lowest(ahead)
            ahead &= ahead - np.uint64(1)
            if block[place] == NEWLINE:
                last = place
                break
            if place == last_bound:
                empty = True
            last_bound = place + 1
            if fields <= n_columns:
                bounds[fields, words] = last_bound
            fields += 1
        position = last + 1
        if last == last_bound:
            empty = True

        filled = first
        while filled < last and (block[filled] == _SPACE or block[filled] == TAB):
            filled += 1
        if filled == last:
            kind[lines] = BLANK
            if last > first or lines_in_sentence == 0:
                flaw |= ODD_BLANK
            if lines_in_sentence > 0:
                if range_line >= 0 and range_last >= next_id:
                    flaws[range_line] |= BAD_RANGE
                if not has_words:
                    flaw |= NO_WORDS
                length[sentences] = words - words_before
                sentences += 1
            words_before = words
            next_id = 1
            lines_in_sentence = 0
            has_words = False
            has_tokens = False
            range_line = -1
            range_last = 0
            next_node = 1
            flaws[lines] = flaw
            lines += 1
            continue
        if lines_in_sentence == 0:
            first_line[sentences] = lines
        lines_in_sentence += 1

        # Without word numbers a word may begin with #; its line has a tab, a comment has none.
        if has_side_lines and block[first] == _HASH and (id_column >= 0 or fields == 1):
            kind[lines] = COMMENT
            if has_tokens:
                flaw |= LATE_COMMENT
            flaws[lines] = flaw
            lines += 1
            continue
        has_tokens = True

        if fields != n_columns:
            kind[lines] = BROKEN
            flaws[lines] = BAD_COLUMNS
            has_words = True
            # A word that lacks a column still has its number; do not complain of the next.
            digits = first
            while digits < last and _ZERO <= block[digits] <= _NINE:
                digits += 1
            whole = digits == last or block[digits] == TAB or block[digits] == _SPACE
            if whole and _number(block, first, digits) == next_id:
                next_id += 1
            lines += 1
            continue

        kind[lines] = WORD
        bounds[n_columns, words] = last + 1
        if id_column >= 0:
            id_first = bounds[id_column, words]
            id_last = bounds[id_column + 1, words] - 1
            number = _number(block, id_first, id_last)
            if number < 0 and has_side_lines:
                dash = -1
                dot = -1
                for i in range(id_last - 1, id_first - 1, -1):
                    if block[i] == _DASH:
                        dash = i
                    elif block[i] == _DOT:
                        dot = i
                if dash >= 0:
                    kind[lines] = MULTIWORD
                    a = _number(block, id_first, dash)
                    b = _number(block, dash + 1, id_last)
                    if a < 0 or b <= a:
                        flaw |= BAD_RANGE
                    elif a <= range_last:
                        flaw |= RANGE_OVERLAP
                    elif a != next_id:
                        flaw |= BAD_RANGE
                    else:
                        range_line = lines
                        range_first = a
                        range_last = b
                elif dot >= 0:
                    kind[lines] = EMPTY_NODE
                    a = _number(block, id_first, dot)
                    b = _number(block, dot + 1, id_last)
                    if a != next_id - 1 or b != next_node:
                        flaw |= BAD_NODE_ID
                    elif range_first <= a < range_last:
                        flaw |= NODE_IN_RANGE
                    next_node = b + 1 if b >= 0 else 1
                if kind[lines] != WORD:
                    flaws[lines] = flaw
                    lines += 1
                    continue
            if number != next_id:
                flaw |= BAD_WORD_ID
            next_id = number + 1 if number > 0 else next_id + 1
        else:
            next_id += 1
        has_words = True
        next_node = 1
        if empty:
            flaw |= EMPTY_FIELD

        if head_column >= 0:
            head_first = bounds[head_column, words]
            head_last = bounds[head_column + 1, words] - 1
            if head_last - head_first == 1 and block[head_first] == _UNDERSCORE:
                head[words] = -1
            else:
                number = _number(block, head_first, head_last)
                if number < 0:
                    flaw |= BAD_HEAD
                head[words] = number
        else:
            head[words] = -1
        flaws[lines] = flaw
        words += 1
        lines += 1

    if lines_in_sentence > 0:
        if range_line >= 0 and range_last >= next_id:
            flaws[range_line] |= BAD_RANGE
        if not has_words:
            flaws[lines - 1] |= NO_WORDS
        length[sentences] = words - words_before
        sentences += 1
    line_start[lines] = position
    return lines, words, sentences


@kernel
def _put_number(out, position, value):
    digits = 1
    rest = value // 10
    while rest > 0:
        digits += 1
        rest //= 10
    for i in range(position + digits - 1, position - 1, -1):
        out[i] = _ZERO + value % 10
        value //= 10
    return position + digits


@kernel
def _put_text(out, position, data, starts, code):
    for i in range(starts[code], starts[code + 1]):
        out[position] = data[i]
        position += 1
    return position


@kernel
def render_lines(
    out, first_sentence, last_sentence, offsets, head, cells,
    id_column, head_column, data, starts, side_bounds, side_after, side_text,
):  # fmt: skip
    """Write sentences as lines into `out`, which must be large enough; return the bytes used.

    `cells[c, w]` is the code of the text in column `c` of word `w` of these sentences; it is
    not looked at in the columns of numbers and heads.
    """
    position = 0
    first_word = offsets[first_sentence]
    n_columns = len(cells)
    for s in range(first_sentence, last_sentence):
        side = side_bounds[s]
        n = offsets[s + 1] - offsets[s]
        for i in range(n + 1):
            while side < side_bounds[s + 1] and side_after[side] <= i:
                position = _put_text(out, position, data, starts, side_text[side])
                out[position] = NEWLINE
                position += 1
                side += 1
            if i == n:
                break
            w = offsets[s] + i
            for c in range(n_columns):
                if c > 0:
                    out[position] = TAB
                    position += 1
                if c == id_column:
                    position = _put_number(out, position, i + 1)
                elif c == head_column:
                    if head[w] < 0:
                        out[position] = _UNDERSCORE
                        position += 1
                    else:
                        position = _put_number(out, position, head[w])
                else:
                    position = _put_text(out, position, data, starts, cells[c, w - first_word])
            out[position] = NEWLINE
            position += 1
        if n > 0 or side_bounds[s + 1] > side_bounds[s]:
            out[position] = NEWLINE
            position += 1
    return position
