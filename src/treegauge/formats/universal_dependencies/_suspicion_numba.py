"""Kernels that name the sentences in which a rule may be broken.

They look at every byte once and may suspect a sentence without need, but never let one pass
that breaks a rule; the checks in Python decide.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.formats._columns_numba import (
    BLANK,
    COMMENT,
    EMPTY_NODE,
    MULTIWORD,
    NODE_IN_RANGE,
    WORD,
)
from treegauge.kernels import kernel

ROWS, METADATA, NO_ID, NO_TEXT = 1, 2, 4, 8
"""What is suspected of a sentence, as bits; the last two are known."""
NO_SPACE, SUSPECT = 1, 2
"""What there is in MISC, as bits."""

_TAB, _NEWLINE, _SPACE, _HASH, _SLASH = 9, 10, 32, 35, 47
_DASH, _DOT, _ZERO, _NINE, _COLON, _EQUALS, _UNDERSCORE, _BAR = 45, 46, 48, 57, 58, 61, 95, 124
_CAPITAL_S, _CASE = 83, 32
_FORM, _LEMMA, _DEPS, _MISC, _N_COLUMNS = 1, 2, 8, 9, 10
_MOST_PASSES = 64
_LARGE_HEAD = 100_000_000
_SPACE_AFTER = 0
"""Where SpaceAfter is among the names of MISC."""


@kernel
def odd_pieces(block, first, last):
    """Find what stands between spaces, tabs and line ends and is more than printable ASCII.

    Returns how many pieces there are.
    """
    pieces = 0
    begin = 0
    odd = False
    for i in range(len(block)):
        byte = block[i]
        if byte == _SPACE or byte == _TAB or byte == _NEWLINE:
            if odd:
                first[pieces] = begin
                last[pieces] = i
                pieces += 1
                odd = False
            begin = i + 1
        elif byte < _SPACE or byte >= 127:
            odd = True
    if odd:
        first[pieces] = begin
        last[pieces] = len(block)
        pieces += 1
    return pieces


@kernel
def _same(block, first, last, text, text_first, text_last):
    """Return whether two slices are equal."""
    if last - first != text_last - text_first:
        return False
    for i in range(last - first):
        if block[first + i] != text[text_first + i]:
            return False
    return True


@kernel
def _same_letters(block, first, last, text, text_first, text_last):
    """Return whether two slices are equal but for the case of letters a to z."""
    if last - first != text_last - text_first:
        return False
    for i in range(last - first):
        if block[first + i] | _CASE != text[text_first + i] | _CASE:
            return False
    return True


@kernel
def _after_spaces(block, at, end):
    while at < end and (block[at] == _SPACE or block[at] == _TAB):
        at += 1
    return at


@kernel
def _has_odd_space(block, first, last):
    """Return whether a field begins or ends with a space, or has two in a row."""
    if first < last and (block[first] == _SPACE or block[last - 1] == _SPACE):
        return True
    for i in range(first + 1, last):
        if block[i] == _SPACE and block[i - 1] == _SPACE:
            return True
    return False


@kernel
def misc_bits(block, first, last, names, name_starts):
    """Look at MISC: whether it says SpaceAfter=No, and whether a rule may be broken."""
    if last - first == 1 and block[first] == _UNDERSCORE:
        return 0
    bits = 0
    seen = 0
    begin = first
    while begin <= last:
        end = begin
        equals = -1
        while end < last and block[end] != _BAR:
            if block[end] == _EQUALS and equals < 0:
                equals = end
            elif block[end] == _CAPITAL_S and end > begin:
                # SpaceAfter inside a name or a value
                longest = end + name_starts[1] - name_starts[0]
                if longest <= last and _same(
                    block, end, longest, names, name_starts[0], name_starts[1]
                ):
                    bits |= SUSPECT
            end += 1
        name_end = equals if equals >= 0 else end
        if name_end == begin or block[begin] == _SPACE or block[name_end - 1] == _SPACE:
            bits |= SUSPECT
        if 0 <= equals < end - 1 and (block[equals + 1] == _SPACE or block[end - 1] == _SPACE):
            bits |= SUSPECT
        for k in range(len(name_starts) - 1):
            if _same_letters(block, begin, name_end, names, name_starts[k], name_starts[k + 1]):
                exact = _same(block, begin, name_end, names, name_starts[k], name_starts[k + 1])
                if not exact or seen & (1 << k):
                    bits |= SUSPECT
                seen |= 1 << k
                if k == _SPACE_AFTER:
                    if end - equals == 3 and block[end - 2] == 78 and block[end - 1] == 111:
                        bits |= NO_SPACE
                    else:
                        bits |= SUSPECT
        begin = end + 1
    return bits


@kernel
def _scan_deps(block, first, last, own, edge_head, edge_dependent, rel_first, rel_last, edges):
    """Cut DEPS into edges; returns how many there are now, or -1 if a rule may be broken."""
    before_head = -1
    before_first = 0
    before_last = 0
    at = first
    while True:
        head = 0
        begin = at
        while at < last and _ZERO <= block[at] <= _NINE and head < _LARGE_HEAD:
            head = head * 10 + (block[at] - _ZERO)
            at += 1
        leading_zero = at - begin > 1 and block[begin] == _ZERO
        if at == begin or leading_zero or at == last or block[at] != _COLON or head == own:
            return -1
        at += 1
        begin = at
        while at < last and block[at] != _BAR:
            at += 1
        if head < before_head:
            return -1
        if head == before_head:
            length = min(at - begin, before_last - before_first)
            i = 0
            while i < length and block[begin + i] == block[before_first + i]:
                i += 1
            if i == at - begin or (i < length and block[begin + i] < block[before_first + i]):
                return -1
        edge_head[edges] = head
        edge_dependent[edges] = own
        rel_first[edges] = begin
        rel_last[edges] = at
        edges += 1
        before_head, before_first, before_last = head, begin, at
        if at == last:
            return edges
        at += 1


@kernel
def _is_tree(head, first, n, seen):
    """Return whether the heads of a sentence are a tree with one root."""
    roots = 0
    for i in range(n):
        h = head[first + i]
        if h < 0 or h > n:
            return False
        if h == 0:
            roots += 1
        seen[i + 1] = 0
    if roots != 1:
        return False
    for i in range(1, n + 1):
        at = i
        while at > 0 and seen[at] == 0:
            seen[at] = i
            at = head[first + at - 1]
        if at > 0 and seen[at] == i:
            return False
    return True


@kernel
def _is_connected(edge_head, edge_dependent, first, last, n, seen):
    """Return whether all nodes are below the root; may say no where there are many passes."""
    for i in range(1, n + 1):
        seen[i] = 0
    seen[0] = 1
    left = n
    for _ in range(_MOST_PASSES):
        before = left
        for e in range(first, last):
            if edge_head[e] > n:
                return False
            if seen[edge_head[e]] == 1 and seen[edge_dependent[e]] == 0:
                seen[edge_dependent[e]] = 1
                left -= 1
        if left == 0:
            return True
        if left == before:
            return False
    return False


@kernel
def _match_token(block, at, end, form_first, form_last, no_space):
    """Return where the text goes on behind a token, or -1 if it does not fit."""
    if end - at < form_last - form_first:
        return -1
    for i in range(form_last - form_first):
        if block[at + i] != block[form_first + i]:
            return -1
    at += form_last - form_first
    if no_space:
        return at
    if at < end and block[at] != _SPACE:
        return -1
    while at < end and block[at] == _SPACE:
        at += 1
    return at


@kernel
def _scan_comment(block, first, last, keys, key_starts):
    """Return which key a comment has (-1 for another one), and where what follows it begins.

    Keys are sent_id, text, newdoc, newpar and parallel_id, in this order.
    """
    at = _after_spaces(block, first + 1, last)
    for k in range(len(key_starts) - 1):
        end = at + key_starts[k + 1] - key_starts[k]
        if end <= last and _same(block, at, end, keys, key_starts[k], key_starts[k + 1]):
            return k, end
    return -1, at


@kernel
def _value_begin(block, at, last):
    """Return where the value behind = begins, -1 where there is no =."""
    at = _after_spaces(block, at, last)
    if at == last or block[at] != _EQUALS:
        return -1
    return _after_spaces(block, at + 1, last)


@kernel
def _is_one_word(block, first, last):
    for i in range(first, last):
        if block[i] == _SPACE or block[i] == _TAB:
            return False
    return first < last


@kernel
def find_suspects(
    block, line_start, kind, flaws, sentence, bounds, head, keys, key_starts, names, name_starts,
    suspect, id_first, id_last, has_graph, starts_part, ends_without_space,
    seen, edge_head, edge_dependent, rel_first, rel_last, rel_sentence,
):  # fmt: skip
    """Mark sentences in which a rule may be broken; returns how many edges DEPS have.

    Per sentence: what is suspected, where its sent_id is, whether it has an enhanced graph,
    whether a document or paragraph begins with it, whether no space follows its last word.
    Per edge of DEPS: where its relation is, and its sentence.
    """
    word = 0
    edges = 0
    n_ids = n_texts = n_documents = n_paragraphs = 0
    text_at = text_end = 0
    first_word = first_edge = 0
    range_last = 0
    without_space = False
    field_starts = np.empty(_N_COLUMNS + 1, np.int64)
    for line in range(len(kind)):
        s = sentence[line]
        first = line_start[line]
        last = line_start[line + 1] - 1
        if flaws[line] & ~NODE_IN_RANGE:
            suspect[s] |= ROWS
        if kind[line] == COMMENT:
            key, at = _scan_comment(block, first, last, keys, key_starts)
            if key == 0:
                n_ids += 1
                at = _value_begin(block, at, last)
                if at < 0 or not _is_one_word(block, at, last):
                    suspect[s] |= METADATA
                else:
                    id_first[s] = at
                    id_last[s] = last
                    slashes = 0
                    for i in range(at, last):
                        slashes += block[i] == _SLASH
                    if slashes > 1:
                        suspect[s] |= METADATA
            elif key == 1:
                at = _value_begin(block, at, last)
                if at >= 0:
                    n_texts += 1
                    text_at = at
                    text_end = last
                    if at == last or block[last - 1] == _SPACE or block[last - 1] == _TAB:
                        suspect[s] |= METADATA
            elif key == 2 or key == 3:
                value = _after_spaces(block, at, last)
                if value == last or (value > at and _is_one_word(block, value, last)):
                    starts_part[s] = True
                    if key == 2:
                        n_documents += 1
                    else:
                        n_paragraphs += 1
                if at < last and value == last:  # spaces behind newdoc
                    suspect[s] |= METADATA
            elif key == 4:
                suspect[s] |= METADATA
        elif kind[line] == EMPTY_NODE:
            suspect[s] |= ROWS
        elif kind[line] == MULTIWORD:
            field = 0
            field_starts[0] = first
            for i in range(first, last):
                if block[i] == _TAB:
                    field += 1
                    if field < _N_COLUMNS:
                        field_starts[field] = i + 1
                    if field > _LEMMA and field <= _MISC:
                        begin = field_starts[field - 1]
                        if i - begin != 1 or block[begin] != _UNDERSCORE:
                            suspect[s] |= ROWS
                elif block[i] == _SPACE and field < _MISC:
                    suspect[s] |= ROWS
            if field != _MISC:
                suspect[s] |= ROWS
            else:
                misc = field_starts[_MISC]
                bits = misc_bits(block, misc, last, names, name_starts)
                if bits & SUSPECT or _has_odd_space(block, misc, last) or misc == last:
                    suspect[s] |= ROWS | METADATA
                if field_starts[_FORM] == field_starts[_LEMMA] - 1:
                    suspect[s] |= ROWS
                range_last = 0
                for i in range(first, field_starts[_FORM] - 1):
                    if block[i] == _DASH:
                        range_last = 0
                    elif range_last < _LARGE_HEAD:
                        range_last = range_last * 10 + (block[i] - _ZERO)
                without_space = bits & NO_SPACE != 0
                if text_at >= 0 and n_texts == 1:
                    text_at = _match_token(
                        block, text_at, text_end,
                        field_starts[_FORM], field_starts[_LEMMA] - 1, without_space,
                    )  # fmt: skip
        elif kind[line] == WORD:
            if head[word] < 0:
                suspect[s] |= ROWS
            for c in range(_N_COLUMNS):
                begin = bounds[c, word]
                end = bounds[c + 1, word] - 1
                if c == _FORM or c == _LEMMA or c == _MISC:
                    if _has_odd_space(block, begin, end):
                        suspect[s] |= ROWS
                else:
                    for i in range(begin, end):
                        if block[i] == _SPACE:
                            suspect[s] |= ROWS
            position = word - first_word + 1
            begin = bounds[_DEPS, word]
            end = bounds[_DEPS + 1, word] - 1
            if end - begin != 1 or block[begin] != _UNDERSCORE:
                has_graph[s] = True
                before = edges
                edges = _scan_deps(
                    block, begin, end, position,
                    edge_head, edge_dependent, rel_first, rel_last, edges,
                )  # fmt: skip
                if edges < 0:
                    suspect[s] |= ROWS
                    edges = before
                for e in range(before, edges):
                    rel_sentence[e] = s
            bits = misc_bits(
                block, bounds[_MISC, word], bounds[_MISC + 1, word] - 1, names, name_starts
            )
            if bits & SUSPECT:
                suspect[s] |= ROWS | METADATA
            if position <= range_last:
                if bits & NO_SPACE:
                    suspect[s] |= METADATA
            else:
                without_space = bits & NO_SPACE != 0
                if text_at >= 0 and n_texts == 1:
                    text_at = _match_token(
                        block, text_at, text_end,
                        bounds[_FORM, word], bounds[_LEMMA, word] - 1, without_space,
                    )  # fmt: skip
            word += 1
        if (kind[line] == BLANK and word > first_word) or line == len(kind) - 1:
            n = word - first_word
            if kind[line] != BLANK:
                suspect[s] |= ROWS
            if not _is_tree(head, first_word, n, seen):
                suspect[s] |= ROWS
            if has_graph[s] and not _is_connected(
                edge_head, edge_dependent, first_edge, edges, n, seen
            ):
                suspect[s] |= ROWS
            if n_ids > 1 or n_texts > 1 or n_documents > 1 or n_paragraphs > 1:
                suspect[s] |= METADATA
            if n_ids == 0:
                suspect[s] |= NO_ID
            if n_texts == 0:
                suspect[s] |= NO_TEXT
            elif text_at != text_end:
                suspect[s] |= METADATA
            ends_without_space[s] = without_space
        if kind[line] == BLANK:
            first_word = word
            first_edge = edges
            n_ids = n_texts = n_documents = n_paragraphs = 0
            text_at = text_end = 0
            range_last = 0
            without_space = False
    return edges
