"""Kernels of the sibling chart: decisions and dependents see the dependent before them.

Charts of one sentence, words counted from 0, all logarithms:

    closed[s, i, j]  side s of word i with its stop, which reaches to word j
    opened[i, j]     word i has just taken word j; of j, the side towards i is closed
    between[k, j]    for k < j, the right side of k and the left side of j, which meet somewhere

The context of a side is 0 where it has no dependent yet, else that of the last one's symbol (Yang,
Jiang, Han and Tu 2020, the sibling model). Each of them takes O(n) terms, the chart O(n³).
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel

LEFT, RIGHT = 0, 1
_TIE = 1e-11


@kernel
def _terms_of_between(k, j, charts, terms):
    """Write the ways in which sides of k and j meet; return their number."""
    closed, _, _ = charts
    for m in range(k, j):
        terms[m - k] = closed[RIGHT, k, m] + closed[LEFT, j, m + 1]
    return j - k


@kernel
def _terms_of_opened(i, j, tags, context, logs, own, charts, terms):
    """Write the ways in which i takes j: first of its side, or behind one that is nearer."""
    closed, opened, between = charts
    _, _, arc = logs
    side, step = (RIGHT, 1) if j > i else (LEFT, -1)
    terms[0] = own[i + 1, j] + arc[tags[i], side, 0, tags[j]] + closed[1 - side, j, i + step]
    for n in range(1, abs(j - i)):
        k = i + n * step
        meeting = between[min(k, j), max(k, j)]
        weight = own[i + 1, j] + arc[tags[i], side, context[tags[k]], tags[j]]
        terms[n] = weight + opened[i, k] + meeting
    return abs(j - i)


@kernel
def _terms_of_closed(i, j, tags, context, logs, charts, terms):
    """Write the ways in which a side of i reaches to j, by its last dependent."""
    closed, opened, _ = charts
    _, stop, _ = logs
    side, step = (RIGHT, 1) if j > i else (LEFT, -1)
    for n in range(abs(j - i)):
        k = i + (n + 1) * step
        terms[n] = opened[i, k] + closed[side, k, j] + stop[tags[i], side, context[tags[k]]]
    return abs(j - i)


@kernel
def _terms_of_root(tags, logs, own, charts, terms):
    """Write the ways in which a sentence has a root."""
    closed, _, _ = charts
    root, _, _ = logs
    n = tags.size
    for r in range(n):
        terms[r] = own[0, r] + root[tags[r]] + closed[LEFT, r, 0] + closed[RIGHT, r, n - 1]
    return n


@kernel
def _joined(terms, n, is_best):
    """Return the logarithm of the sum of terms, or the largest of them."""
    largest = -np.inf
    for t in range(n):
        largest = max(largest, terms[t])
    if is_best or largest == -np.inf:
        return largest
    total = 0.0
    for t in range(n):
        total += np.exp(terms[t] - largest)
    return largest + np.log(total)


@kernel
def _fill(tags, context, logs, own, is_best, charts, terms):
    """Fill the charts, short spans first; return the logarithm of the sum (or best) of trees."""
    closed, opened, between = charts
    _, stop, _ = logs
    n = tags.size
    for i in range(n):
        for side in range(2):
            closed[side, i, i] = stop[tags[i], side, 0]
    for width in range(1, n):
        for i in range(n - width):
            j = i + width
            between[i, j] = _joined(terms, _terms_of_between(i, j, charts, terms), is_best)
            for h, d in ((i, j), (j, i)):
                count = _terms_of_opened(h, d, tags, context, logs, own, charts, terms)
                opened[h, d] = _joined(terms, count, is_best)
            for h, d in ((i, j), (j, i)):
                count = _terms_of_closed(h, d, tags, context, logs, charts, terms)
                closed[RIGHT if d > h else LEFT, h, d] = _joined(terms, count, is_best)
    return _joined(terms, _terms_of_root(tags, logs, own, charts, terms), is_best)


@kernel
def _shares(terms, n, whole, amount):
    """Turn terms into what each has of an amount, in proportion to its exponential."""
    for t in range(n):
        terms[t] = amount * np.exp(terms[t] - whole)


@kernel
def _add_posteriors(
    tags, context, logs, own, charts, slopes, log_z, times, terms, counts, marginals
):
    """Walk back through the charts: posteriors of all parts, long spans first.

    `slopes` are derivatives of log Z by the entries of the charts, all from 0 to 1.
    """
    closed, opened, between = charts
    of_closed, of_opened, of_between = slopes
    root, stop, arc = counts
    n = tags.size
    of_closed[:], of_opened[:], of_between[:] = 0.0, 0.0, 0.0
    _shares(terms, _terms_of_root(tags, logs, own, charts, terms), log_z, 1.0)
    for r in range(n):
        of_closed[LEFT, r, 0] += terms[r]
        of_closed[RIGHT, r, n - 1] += terms[r]
        root[tags[r]] += times * terms[r]
        marginals[0, r] = terms[r]
    for width in range(n - 1, 0, -1):
        for i in range(n - width):
            j = i + width
            for h, d in ((i, j), (j, i)):
                side, step = (RIGHT, 1) if d > h else (LEFT, -1)
                if of_closed[side, h, d] > 0:
                    count = _terms_of_closed(h, d, tags, context, logs, charts, terms)
                    _shares(terms, count, closed[side, h, d], of_closed[side, h, d])
                    for t in range(count):
                        k = h + (t + 1) * step
                        of_opened[h, k] += terms[t]
                        of_closed[side, k, d] += terms[t]
                        stop[tags[h], side, context[tags[k]]] += times * terms[t]
            for h, d in ((i, j), (j, i)):
                side, step = (RIGHT, 1) if d > h else (LEFT, -1)
                marginals[h + 1, d] = of_opened[h, d]
                if of_opened[h, d] > 0:
                    count = _terms_of_opened(h, d, tags, context, logs, own, charts, terms)
                    _shares(terms, count, opened[h, d], of_opened[h, d])
                    of_closed[1 - side, d, h + step] += terms[0]
                    arc[tags[h], side, 0, tags[d]] += times * terms[0]
                    for t in range(1, count):
                        k = h + t * step
                        of_opened[h, k] += terms[t]
                        of_between[min(k, d), max(k, d)] += terms[t]
                        arc[tags[h], side, context[tags[k]], tags[d]] += times * terms[t]
            if of_between[i, j] > 0:
                count = _terms_of_between(i, j, charts, terms)
                _shares(terms, count, between[i, j], of_between[i, j])
                for t in range(count):
                    of_closed[RIGHT, i, i + t] += terms[t]
                    of_closed[LEFT, j, i + t + 1] += terms[t]
    for i in range(n):
        for side in range(2):
            stop[tags[i], side, 0] += times * of_closed[side, i, i]


@kernel
def sibling_posteriors(
    tags, offsets, multiplicity, context, logs, own, arc_offsets, log_z, marginals, counts
):
    """Add the expected events of sentences to counts; write log Z and posteriors of arcs.

    `logs` and `counts` are tables of root [S], stop [S, 2, C] and arc [S, 2, C, S], which is going
    on and taking a dependent. `own` has logarithms of weights of arcs and `marginals` their
    posteriors, packed as `TagCorpus` packs arcs; either may be of size 0.
    """
    longest = 0
    for s in range(offsets.size - 1):
        longest = max(longest, offsets[s + 1] - offsets[s])
    terms = np.empty(longest)
    for s in range(offsets.size - 1):
        words = tags[offsets[s] : offsets[s + 1]]
        n = words.size
        weights, arcs = np.zeros((n + 1, n)), np.zeros((n + 1, n))
        if own.size:
            weights = own[arc_offsets[s] : arc_offsets[s + 1]].copy().reshape(n + 1, n)
        charts = (np.empty((2, n, n)), np.empty((n, n)), np.empty((n, n)))
        log_z[s] = _fill(words, context, logs, weights, False, charts, terms)
        if log_z[s] == -np.inf:
            continue
        slopes = (np.empty((2, n, n)), np.empty((n, n)), np.empty((n, n)))
        _add_posteriors(
            words,
            context,
            logs,
            weights,
            charts,
            slopes,
            log_z[s],
            multiplicity[s],
            terms,
            counts,
            arcs,
        )
        if marginals.size:
            marginals[arc_offsets[s] : arc_offsets[s + 1]] = arcs.ravel()


@kernel
def _best(terms, n):
    """Return the first of the largest terms."""
    place = 0
    for t in range(1, n):
        if terms[t] > terms[place] + _TIE:
            place = t
    return place


OPENED, CLOSED, BETWEEN = 0, 1, 2


@kernel
def _read_tree(tags, context, logs, own, charts, terms, heads):
    """Write the heads of the best tree of charts that hold the best of everything."""
    n = tags.size
    waiting = np.empty((6 * n + 6, 3), np.int64)
    r = _best(terms, _terms_of_root(tags, logs, own, charts, terms))
    heads[r] = 0
    # A closed side is kept with what it reaches; sides of one word alone have nothing in them.
    waiting[0] = (CLOSED, r, 0)
    waiting[1] = (CLOSED, r, n - 1)
    size = 2
    while size:
        size -= 1
        kind, i, j = waiting[size]
        if i == j:
            continue
        step = 1 if j > i else -1
        if kind == CLOSED:
            t = _best(terms, _terms_of_closed(i, j, tags, context, logs, charts, terms))
            k = i + (t + 1) * step
            waiting[size] = (OPENED, i, k)
            waiting[size + 1] = (CLOSED, k, j)
            size += 2
        elif kind == OPENED:
            heads[j] = i + 1
            t = _best(terms, _terms_of_opened(i, j, tags, context, logs, own, charts, terms))
            if t == 0:
                waiting[size] = (CLOSED, j, i + step)
                size += 1
            else:
                k = i + t * step
                waiting[size] = (OPENED, i, k)
                waiting[size + 1] = (BETWEEN, min(k, j), max(k, j))
                size += 2
        else:
            m = i + _best(terms, _terms_of_between(i, j, charts, terms))
            waiting[size] = (CLOSED, i, m)
            waiting[size + 1] = (CLOSED, j, m + 1)
            size += 2


@kernel
def best_sibling_trees(tags, offsets, context, logs, own, arc_offsets, scores, heads):
    """Write the best tree of every sentence and its score; none is touched that has no tree."""
    for s in range(offsets.size - 1):
        words = tags[offsets[s] : offsets[s + 1]]
        n = words.size
        terms = np.empty(n)
        weights = np.zeros((n + 1, n))
        if own.size:
            weights = own[arc_offsets[s] : arc_offsets[s + 1]].copy().reshape(n + 1, n)
        charts = (np.empty((2, n, n)), np.empty((n, n)), np.empty((n, n)))
        scores[s] = _fill(words, context, logs, weights, True, charts, terms)
        if scores[s] > -np.inf:
            part = heads[offsets[s] : offsets[s + 1]]
            _read_tree(words, context, logs, weights, charts, terms, part)


@kernel
def read_sibling_trees(tags, offsets, heads, times, context, counts):
    """Add the events of given trees to counts of root, stop, go and attach."""
    root, stop, go, attach = counts
    for s in range(offsets.size - 1):
        begin, n = offsets[s], offsets[s + 1] - offsets[s]
        for i in range(n):
            head = tags[begin + i]
            if heads[begin + i] == 0:
                root[head] += times[s]
            for side in range(2):
                step = 1 if side == RIGHT else -1
                last = 0
                j = i + step
                while 0 <= j < n:
                    if heads[begin + j] == i + 1:
                        child = tags[begin + j]
                        go[head, side, last] += times[s]
                        attach[head, side, last, child] += times[s]
                        last = context[child]
                    j += step
                stop[head, side, last] += times[s]
