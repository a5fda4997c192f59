"""Kernels of the Gibbs sampler over projective trees: a move, a sentence, a pass.

A tree is a bracketing with one bracket a word: `left` and `right` are the first and the last word
below it. Positions count from 0 in the sentence; the head of the root is -1.

A move takes a word and its head, removes the inner one of their two brackets, and puts it
back around either word: their dependents form one row, and the inner bracket may hold any number
of neighbours on either side of its word, up to the other of the two words.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def find_bounds(offsets, heads, left, right):
    """Fill in the first and the last word below every word."""
    for s in range(len(offsets) - 1):
        begin, end = offsets[s], offsets[s + 1]
        for i in range(begin, end):
            left[i] = i - begin
            right[i] = i - begin
        for i in range(begin, end):
            above = heads[i]
            while above >= 0:
                left[begin + above] = min(left[begin + above], i - begin)
                right[begin + above] = max(right[begin + above], i - begin)
                above = heads[begin + above]


@kernel
def count_events(offsets, tags, heads, edges, fertilities, change):
    """Add the events of all trees to counts, `change` times each."""
    n_tags, most = fertilities.shape[0], fertilities.shape[1] - 1
    for s in range(len(offsets) - 1):
        begin, end = offsets[s], offsets[s + 1]
        for i in range(begin, end):
            head = heads[i]
            above = tags[begin + head] if head >= 0 else n_tags
            edges[above, column_of(edges, tags[i], i - begin, head)] += change
            to_left = to_right = 0
            for k in range(begin, end):
                if heads[k] == i - begin:
                    if k < i:
                        to_left += 1
                    else:
                        to_right += 1
            fertilities[tags[i], min(to_left, most), min(to_right, most)] += change


@kernel
def column_of(edges, tag, dependent, head):
    """Return the column of an edge: the dependent's tag, and its side where sides count."""
    n_tags = edges.shape[0] - 1
    return tag + n_tags if edges.shape[1] > n_tags and head >= 0 and dependent > head else tag


@kernel
def edge_log(model, sentence, head, dependent):
    """Return the logarithm of the factors of an edge: the edge and its distance."""
    edges, edge_totals, alpha, distance_logs = model[0], model[1], model[4], model[5]
    tags, root_logs = sentence[0], sentence[6]
    n_tags = edges.shape[0] - 1
    if head < 0:
        share = (edges[n_tags, tags[dependent]] + alpha) / (edge_totals[n_tags] + alpha * n_tags)
        return np.log(share) + root_logs[dependent]
    column = column_of(edges, tags[dependent], dependent, head)
    above = tags[head]
    share = (edges[above, column] + alpha) / (edge_totals[above] + alpha * edges.shape[1])
    return np.log(share) + distance_logs[abs(dependent - head)]


@kernel
def fertility_log(model, sentence, word, to_left, to_right):
    """Return the logarithm of the factor of having so many dependents."""
    fertilities, fertility_totals, prior = model[2], model[3], model[6]
    tag, concentration = sentence[0][word], sentence[5][word]
    most = fertilities.shape[1] - 1
    to_left, to_right = min(to_left, most), min(to_right, most)
    events = fertilities[tag, to_left, to_right] + concentration * prior[to_left] * prior[to_right]
    return np.log(events / (fertility_totals[tag] + concentration))


@kernel
def reducible_log(sentence, first, last):
    """Return the logarithm of the factor of a subtree that spans these words."""
    reducible_logs = sentence[4]
    size = last - first
    return reducible_logs[first, size] if size < reducible_logs.shape[1] else 0.0


@kernel
def gather_row(sentence, x, y, row):
    """Fill in the dependents of two words, of which one heads the other, from left to right.

    Returns how many stand before x, between the two, and behind y, for x < y.
    """
    heads, left, right = sentence[1], sentence[2], sentence[3]
    outer = x if heads[y] == x else y
    before = between = behind = 0
    for k in range(left[outer], right[outer] + 1):
        if k != x and k != y and (heads[k] == x or heads[k] == y):
            row[before + between + behind] = k
            if k < x:
                before += 1
            elif k < y:
                between += 1
            else:
                behind += 1
    return before, between, behind


@kernel
def add_move_events(model, sentence, x, y, row, sizes, change):
    """Add the events that a move can change to the counts, or take them out."""
    edges, edge_totals, fertilities, fertility_totals = model[0], model[1], model[2], model[3]
    tags, heads = sentence[0], sentence[1]
    n_tags, most = edges.shape[0] - 1, fertilities.shape[1] - 1
    inner = x if heads[x] == y else y
    outer = x + y - inner
    lefts = np.zeros(2, np.int64)
    rights = np.zeros(2, np.int64)
    for k in range(sizes[0] + sizes[1] + sizes[2] + 1):
        dependent = row[k] if k < sizes[0] + sizes[1] + sizes[2] else inner
        head = heads[dependent]
        edges[tags[head], column_of(edges, tags[dependent], dependent, head)] += change
        edge_totals[tags[head]] += change
        place = 0 if head == x else 1
        if dependent < head:
            lefts[place] += 1
        else:
            rights[place] += 1
    above = tags[heads[outer]] if heads[outer] >= 0 else n_tags
    edges[above, column_of(edges, tags[outer], outer, heads[outer])] += change
    edge_totals[above] += change
    fertilities[tags[x], min(lefts[0], most), min(rights[0], most)] += change
    fertilities[tags[y], min(lefts[1], most), min(rights[1], most)] += change
    fertility_totals[tags[x]] += change
    fertility_totals[tags[y]] += change


@kernel
def score_candidates(model, sentence, x, y, grandparent, row, sizes, logs, scores):
    """Fill in the logarithms of all candidates of a move, counts as they are.

    The first (before + 1) (between + 1) have x inside: `far * (between + 1) + near` of them takes
    so many neighbours from the far and from the near side. Then come those with y inside.
    `logs` is room for what the row would weigh on either word.
    """
    left, right = sentence[2], sentence[3]
    before, between, behind = sizes
    n = before + between + behind
    all_x = all_y = 0.0
    for k in range(n):
        logs[0, k] = edge_log(model, sentence, x, row[k])
        logs[1, k] = edge_log(model, sentence, y, row[k])
        all_x += logs[0, k]
        all_y += logs[1, k]
    place = 0
    base = all_y + edge_log(model, sentence, y, x) + edge_log(model, sentence, grandparent, y)
    for far in range(before + 1):
        if far:
            base += logs[0, before - far] - logs[1, before - far]
        moved = base
        first = left[row[before - far]] if far else x
        for near in range(between + 1):
            if near:
                moved += logs[0, before + near - 1] - logs[1, before + near - 1]
            last = right[row[before + near - 1]] if near else x
            scores[place] = (
                moved
                + fertility_log(model, sentence, x, far, near)
                + fertility_log(model, sentence, y, n - behind - far - near + 1, behind)
                + reducible_log(sentence, first, last)
            )
            place += 1
    base = all_x + edge_log(model, sentence, x, y) + edge_log(model, sentence, grandparent, x)
    for far in range(behind + 1):
        if far:
            k = before + between + far - 1
            base += logs[1, k] - logs[0, k]
        moved = base
        last = right[row[before + between + far - 1]] if far else y
        for near in range(between + 1):
            if near:
                k = before + between - near
                moved += logs[1, k] - logs[0, k]
            first = left[row[before + between - near]] if near else y
            scores[place] = (
                moved
                + fertility_log(model, sentence, y, near, far)
                + fertility_log(model, sentence, x, before, n - before - far - near + 1)
                + reducible_log(sentence, first, last)
            )
            place += 1
    return place


@kernel
def exact_score(model, sentence, x, y, row, sizes):
    """Return the logarithm of the tree's changeable factors, each added before the next is asked.

    The counts must be without them, and are so again afterwards.
    """
    edges, edge_totals, fertilities, fertility_totals = model[0], model[1], model[2], model[3]
    tags, heads, left, right = sentence[0], sentence[1], sentence[2], sentence[3]
    n_tags, most = edges.shape[0] - 1, fertilities.shape[1] - 1
    inner = x if heads[x] == y else y
    outer = x + y - inner
    n = sizes[0] + sizes[1] + sizes[2]
    total = reducible_log(sentence, left[inner], right[inner])
    lefts = np.zeros(2, np.int64)
    rights = np.zeros(2, np.int64)
    for k in range(n + 2):
        dependent = row[k] if k < n else (inner if k == n else outer)
        head = heads[dependent]
        total += edge_log(model, sentence, head, dependent)
        above = tags[head] if head >= 0 else n_tags
        edges[above, column_of(edges, tags[dependent], dependent, head)] += 1
        edge_totals[above] += 1
        if k <= n:
            place = 0 if head == x else 1
            if dependent < head:
                lefts[place] += 1
            else:
                rights[place] += 1
    total += fertility_log(model, sentence, x, lefts[0], rights[0])
    fertilities[tags[x], min(lefts[0], most), min(rights[0], most)] += 1
    fertility_totals[tags[x]] += 1
    total += fertility_log(model, sentence, y, lefts[1], rights[1])
    fertilities[tags[y], min(lefts[1], most), min(rights[1], most)] += 1
    fertility_totals[tags[y]] += 1
    add_move_events(model, sentence, x, y, row, sizes, -1.0)
    return total


@kernel
def apply_candidate(sentence, x, y, grandparent, row, sizes, candidate):
    """Make the tree that of a candidate."""
    heads, left, right = sentence[1], sentence[2], sentence[3]
    before, between, behind = sizes
    n = before + between + behind
    outer = x if heads[y] == x else y
    first, last = left[outer], right[outer]
    of_x = (before + 1) * (between + 1)
    if candidate < of_x:
        inner, other = x, y
        far, near = candidate // (between + 1), candidate % (between + 1)
        begin, end = before - far, before + near
    else:
        inner, other = y, x
        candidate -= of_x
        far, near = candidate // (between + 1), candidate % (between + 1)
        begin, end = before + between - near, before + between + far
    for k in range(n):
        heads[row[k]] = inner if begin <= k < end else other
    left[inner] = inner
    right[inner] = inner
    if begin < end:
        left[inner] = min(inner, left[row[begin]])
        right[inner] = max(inner, right[row[end - 1]])
    heads[inner] = other
    heads[other] = grandparent
    left[other] = first
    right[other] = last


@kernel
def drawn(scores, n, inverse_temperature, draw):
    """Return one of n candidates, drawn in proportion to the power of its score."""
    best = scores[0]
    for k in range(1, n):
        best = max(best, scores[k])
    total = 0.0
    for k in range(n):
        scores[k] = np.exp((scores[k] - best) * inverse_temperature)
        total += scores[k]
    rest = draw * total
    for k in range(n):
        rest -= scores[k]
        if rest < 0.0:
            return k
    return n - 1


@kernel
def move(model, sentence, word, options, draw, row, logs, scores):
    """Move one word that is not the root; `row`, `logs` and `scores` are room to work in."""
    inverse_temperature, learns, is_exact = options[0], options[1] > 0, options[2] > 0
    heads = sentence[1]
    head = heads[word]
    x, y = min(word, head), max(word, head)
    grandparent = heads[head]
    sizes = gather_row(sentence, x, y, row)
    if learns:
        add_move_events(model, sentence, x, y, row, sizes, -1.0)
    n = (sizes[0] + sizes[2] + 2) * (sizes[1] + 1)
    if n > len(scores):
        scores = np.empty(n)
    if learns and is_exact:
        for candidate in range(n):
            apply_candidate(sentence, x, y, grandparent, row, sizes, candidate)
            scores[candidate] = exact_score(model, sentence, x, y, row, sizes)
    else:
        score_candidates(model, sentence, x, y, grandparent, row, sizes, logs, scores)
    chosen = drawn(scores, n, inverse_temperature, draw)
    apply_candidate(sentence, x, y, grandparent, row, sizes, chosen)
    if learns:
        add_move_events(model, sentence, x, y, row, sizes, 1.0)


@kernel
def run_pass(order, offsets, text, model, options, draws, arc_offsets, frequencies):
    """Move as many words of every sentence as it has, drawn with replacement.

    That a word is drawn and not taken in turn keeps the chain reversible: the pair of a word and
    its head is chosen with the same probability whichever of them is on top.

    `options` are the inverse temperature, whether counts follow the trees, whether candidates are
    scored by exact ratios, and whether arcs are counted into `frequencies` in the end.
    """
    longest = 0
    for s in range(len(offsets) - 1):
        longest = max(longest, offsets[s + 1] - offsets[s])
    row = np.empty(longest + 1, np.int64)
    logs = np.empty((2, longest + 1))
    scores = np.empty(4 * longest + 64)
    for place in range(len(order)):
        s = order[place]
        begin, end = offsets[s], offsets[s + 1]
        n = end - begin
        sentence = (
            text[0][begin:end],
            text[1][begin:end],
            text[2][begin:end],
            text[3][begin:end],
            text[4][begin:end],
            text[5][begin:end],
            text[6][begin:end],
        )
        for k in range(begin, end):
            word = min(int(draws[0, k] * n), n - 1)
            if sentence[1][word] >= 0:
                move(model, sentence, word, options, draws[1, k], row, logs, scores)
        if options[3] > 0:
            for k in range(n):
                frequencies[arc_offsets[s] + (sentence[1][k] + 1) * n + k] += 1
