"""Kernel that aligns the words of two tokenisations of one text."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def _ends_behind(multiword, start, end, i, span_end):
    """Whether word i no longer belongs to a span that ends before `span_end`."""
    if i >= len(start):
        return True
    if multiword[i]:
        return start[i] >= span_end
    return end[i] > span_end


@kernel
def _align_span(a_form, b_form, a_first, a_last, b_first, b_last, pairs, count):
    """Align the words of one span by a longest common subsequence of their forms."""
    rows = a_last - a_first
    columns = b_last - b_first
    longest = np.zeros((rows + 1, columns + 1), np.int32)
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            best = max(longest[i + 1, j], longest[i, j + 1])
            if a_form[a_first + i] == b_form[b_first + j]:
                best = max(best, longest[i + 1, j + 1] + 1)
            longest[i, j] = best
    i = 0
    j = 0
    while i < rows and j < columns:
        if a_form[a_first + i] == b_form[b_first + j]:
            pairs[count, 0] = a_first + i
            pairs[count, 1] = b_first + j
            count += 1
            i += 1
            j += 1
        elif longest[i, j] == longest[i + 1, j]:
            i += 1
        else:
            j += 1
    return count


@kernel
def align_words(
    a_start, a_end, a_multiword, a_form, b_start, b_end, b_multiword, b_form, pairs
):  # fmt: skip
    """Fill `pairs` with the indices of aligned words; return how many there are.

    Words outside multiword tokens are aligned if they are the same stretch of text. Where
    either side has a multiword token, all words of the smallest stretch out of which no
    multiword token sticks are aligned by their (lower-cased) forms.
    """
    count = 0
    i = 0
    j = 0
    while i < len(a_start) and j < len(b_start):
        if not (a_multiword[i] or b_multiword[j]):
            if a_start[i] == b_start[j] and a_end[i] == b_end[j]:
                pairs[count, 0] = i
                pairs[count, 1] = j
                count += 1
                i += 1
                j += 1
            elif a_start[i] <= b_start[j]:
                i += 1
            else:
                j += 1
            continue
        if a_multiword[i]:
            span_end = a_end[i]
            if not b_multiword[j] and b_start[j] < a_start[i]:
                j += 1
        else:
            span_end = b_end[j]
            if not a_multiword[i] and a_start[i] < b_start[j]:
                i += 1
        a_first = i
        b_first = j
        while not (
            _ends_behind(a_multiword, a_start, a_end, i, span_end)
            and _ends_behind(b_multiword, b_start, b_end, j, span_end)
        ):
            if i < len(a_start) and (j >= len(b_start) or a_start[i] <= b_start[j]):
                if a_multiword[i] and a_end[i] > span_end:
                    span_end = a_end[i]
                i += 1
            else:
                if b_multiword[j] and b_end[j] > span_end:
                    span_end = b_end[j]
                j += 1
        count = _align_span(a_form, b_form, a_first, i, b_first, j, pairs, count)
    return count
