"""Kernels that raise function words over the words they belong to, and lower them again."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel, longest_sentence
from treegauge.rewrite.styles._families_numba import (
    list_children,
    list_parents_first,
)
from treegauge.rewrite.styles.marks import MARK_BASE, OWN

COPULA, AUXILIARY = 3, 4


@kernel
def _is_claimed(
    place, rel, has_function_word, function_word, content, kind, is_subject, is_conjunct, stays
):
    """Return whether a phrase on a raised function word counts as the content word's.

    `place` is where the top of the phrase stands, `rel` its relation. The way there raises no
    other phrase, and marks those of the function word itself that would be taken for raised.
    """
    if stays[rel]:
        return False
    if place < function_word < content or place > function_word > content:
        return True
    if is_subject[rel]:
        return kind == AUXILIARY or kind == COPULA
    return is_conjunct[rel] and has_function_word


@kernel
def _level_of_host(
    rel, function_kind, content, between, room, up, kind_of, is_subject, is_conjunct, stays
):
    """Return how far up its function words a phrase of a content word goes; 0 is not at all.

    At least above all function words between the two (`between`), or arcs would cross; at most
    to `room`, or others would. In these bounds, subjects go to the highest auxiliary or copula,
    and conjuncts to the highest function word of the kind that they have themselves.
    """
    if stays[rel]:
        return 0
    level = between
    at = content
    for here in range(1, room + 1):
        at = up[at]
        kind = kind_of[at]
        if here > between and (
            (is_subject[rel] and (kind == AUXILIARY or kind == COPULA))
            or (is_conjunct[rel] and kind == function_kind)
        ):
            level = here
    return level


@kernel
def raise_function_words(head, rel, offsets, kind_of_rel, is_subject, is_conjunct, stays):
    """Return heads, relations, turned labels and marks with function words as heads.

    Function words are those with a kind above 0. One that hangs on a raised function word is not
    raised itself: the way back could not tell it from another one of the same content word.
    """
    words = len(head)
    new_head = np.zeros(words, np.int32)
    new_rel = rel.copy()
    turned = np.zeros(words, np.bool_)
    mark = np.zeros(words, np.int64)
    size = longest_sentence(offsets) + 1
    first = np.zeros(size, np.int64)
    next_sibling = np.zeros(size, np.int64)
    order = np.zeros(size, np.int64)
    raised = np.zeros(size, np.bool_)
    kind_of = np.zeros(size, np.int64)
    content = np.zeros(size, np.int64)  # of a raised word
    up = np.zeros(size, np.int64)  # the function word above, 0 above the last
    level = np.zeros(size, np.int64)  # of a raised word, counted from the content word's 0
    top = np.zeros(size, np.int64)  # of a phrase, by its content word
    owner = np.zeros(size, np.int64)  # the content word, by the top of its phrase
    found = np.zeros(size, np.int64)
    before = np.zeros(size, np.int64)  # the raised word before and after, of the same
    after = np.zeros(size, np.int64)
    leftmost = np.zeros(size, np.int64)
    rightmost = np.zeros(size, np.int64)
    between = np.zeros(size, np.int64)
    room = np.zeros(size, np.int64)
    for s in range(len(offsets) - 1):
        a = offsets[s] - 1  # words count from 1
        n = offsets[s + 1] - offsets[s]
        list_children(head[a + 1 : a + 1 + n], first, next_sibling)
        list_parents_first(first, next_sibling, order)
        for i in range(n):
            w = order[i]
            h = head[a + w]
            kind_of[w] = kind_of_rel[rel[a + w]]
            raised[w] = h > 0 and kind_of[w] > 0 and not raised[h]
            up[w] = level[w] = content[w] = leftmost[w] = rightmost[w] = owner[w] = 0

        # Function words of one word: on one side, the farther is the higher, or arcs would
        # cross; between the sides, kinds decide.
        for c in range(1, n + 1):
            top[c] = c
            if raised[c]:
                continue
            k = 0
            w = first[c]
            while w:
                if raised[w]:
                    found[k] = w
                    before[w] = found[k - 1] if k else 0
                    after[w] = 0
                    if k:
                        after[found[k - 1]] = w
                    k += 1
                w = next_sibling[w]
            if k:
                leftmost[c] = found[0]
                rightmost[c] = found[k - 1]
                above = 0
                i = 0
                j = k - 1
                for here in range(k, 0, -1):
                    left = found[i]
                    right = found[j]
                    if left < c and (right < c or kind_of[left] >= kind_of[right]):
                        w = left
                        i += 1
                    else:
                        w = right
                        j -= 1
                    content[w] = c
                    level[w] = here
                    up[w] = above
                    if above == 0:
                        top[c] = w
                    above = w
                up[c] = above
            owner[top[c]] = c

        for w in range(1, n + 1):
            if up[w]:
                new_head[a + w] = up[w]
                new_rel[a + w] = rel[a + up[w]]
                turned[a + w] = True

        # Phrases go to their hosts: those on the left of a word from the left end, those on the
        # right from the right end, so that what is outside is placed before what is inside.
        for direction in (1, -1):
            for c in range(1, n + 1):
                room[c] = level[top[c]] if top[c] != c else 0
                outer = leftmost[c] if direction > 0 else rightmost[c]
                is_there = outer and (c - outer) * direction > 0
                between[c] = level[outer] if is_there else 0
            for step in range(n):
                p = step + 1 if direction > 0 else n - step
                if raised[p] and (content[p] - p) * direction > 0:
                    c = content[p]
                    room[c] = min(room[c], level[p])
                    inner = after[p] if direction > 0 else before[p]
                    is_there = inner and (c - inner) * direction > 0
                    between[c] = level[inner] if is_there else 0
                x = owner[p]
                if x == 0:
                    continue
                h = head[a + x]
                r = rel[a + x]
                if h == 0 or raised[h]:
                    if direction > 0:
                        new_head[a + p] = h
                        new_rel[a + p] = r
                        if h and _is_claimed(
                            p, r, p != x, h, content[h], kind_of[h], is_subject, is_conjunct, stays
                        ):
                            mark[a + p] = OWN
                elif (h - p) * direction > 0:
                    function_kind = kind_of[p] if p != x else 0
                    here = _level_of_host(
                        r, function_kind, h, between[h], room[h], up, kind_of,
                        is_subject, is_conjunct, stays,
                    )  # fmt: skip
                    room[h] = min(room[h], here)
                    host = h
                    for _ in range(here):
                        host = up[host]
                    new_head[a + p] = host
                    new_rel[a + p] = r
    return new_head, new_rel, turned, mark


@kernel
def lower_function_words(
    head, rel, turned, mark, offsets, kind_of_rel, is_subject, is_conjunct, stays
):
    """Return heads, relations and marks without turned labels, and the first bad sentence or -1."""
    new_head = head.copy()
    new_rel = rel.copy()
    new_mark = mark.copy()
    size = longest_sentence(offsets) + 1
    below = np.zeros(size, np.int64)  # of a function word, the complement
    for s in range(len(offsets) - 1):
        a = offsets[s] - 1
        n = offsets[s + 1] - offsets[s]
        for w in range(n + 1):
            below[w] = 0
        for w in range(1, n + 1):
            if turned[a + w]:
                h = head[a + w]
                if h == 0 or below[h]:
                    return new_head, new_rel, new_mark, s
                below[h] = w
        for w in range(1, n + 1):
            if below[w]:
                c = below[w]
                new_rel[a + w] = rel[a + c]
                new_mark[a + w] = mark[a + c]
                while below[c]:
                    c = below[c]
                new_head[a + w] = c
                continue
            p = w
            while turned[a + p]:
                p = head[a + p]
            h = head[a + p]
            new_rel[a + w] = rel[a + p]
            new_mark[a + w] = mark[a + p]
            if h and below[h]:
                c = below[h]
                kind = kind_of_rel[rel[a + c]]
                while below[c]:
                    c = below[c]
                if mark[a + p] % MARK_BASE == OWN:
                    new_mark[a + w] = mark[a + p] // MARK_BASE
                elif _is_claimed(p, rel[a + p], p != w, h, c, kind, is_subject, is_conjunct, stays):
                    h = c
            new_head[a + w] = h
    return new_head, new_rel, new_mark, -1
