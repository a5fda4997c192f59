"""Kernels for the Pitman-Yor HMM with one tag a type; see `pyp_hmm.py`.

The score of a type in a class is found by seating its customers there one after another, which
is right however often a trigram or a parent's dish comes up again, and by taking them away.

Every call with a tuple of arrays counts references to all of them; so calls are for a type and
all classes at least, never for a customer.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.tag_induction._draw_numba import draw

_ITSELF = -1
"""Stands for the class of the type that is looked at, in its events."""


@kernel
def _seat_events(t, logs, events, n_events, first, last, stays, score):
    """Write the log factor of seating trigrams with the type in each of a range of classes.

    They stay seated only if told so.
    """
    trigram, trigram_tables, trigram_total = t.trigram, t.trigram_tables, t.trigram_total
    bigram, bigram_tables, bigram_total = t.bigram, t.bigram_tables, t.bigram_total
    unigram, unigram_tables, unigram_total = t.unigram, t.unigram_tables, t.unigram_total
    stay3, open3, enter3 = logs.trigram.stay, logs.trigram.open, logs.trigram.enter
    stay2, open2, enter2 = logs.bigram.stay, logs.bigram.open, logs.bigram.enter
    stay1, open1, enter1 = logs.unigram.stay, logs.unigram.open, logs.unigram.enter
    base = np.log(len(unigram))
    for c in range(first, last):
        factor = 0.0
        for event in range(n_events):
            i = c if events[event, 0] < 0 else events[event, 0]
            j = c if events[event, 1] < 0 else events[event, 1]
            k = c if events[event, 2] < 0 else events[event, 2]
            many = events[event, 3]
            n = trigram[i, j, k]
            total = trigram_total[i, j]
            factor += enter3[total] - enter3[total + many] + stay3[n + many] - stay3[n]
            trigram[i, j, k] = n + many
            trigram_total[i, j] = total + many
            if n:
                continue
            factor += open3[trigram_tables[i, j]]
            trigram_tables[i, j] += 1
            n = bigram[j, k]
            total = bigram_total[j]
            factor += enter2[total] - enter2[total + 1] + stay2[n + 1] - stay2[n]
            bigram[j, k] = n + 1
            bigram_total[j] = total + 1
            if n:
                continue
            factor += open2[bigram_tables[j]]
            bigram_tables[j] += 1
            n = unigram[k]
            total = unigram_total[0]
            factor += enter1[total] - enter1[total + 1] + stay1[n + 1] - stay1[n]
            unigram[k] = n + 1
            unigram_total[0] = total + 1
            if n:
                continue
            factor += open1[unigram_tables[0]] - base
            unigram_tables[0] += 1
        score[c] += factor
        if not stays:
            _unseat_events(t, events, n_events, c)


@kernel
def _unseat_events(t, events, n_events, c):
    """Take trigrams with the type in a class away."""
    trigram, trigram_tables, trigram_total = t.trigram, t.trigram_tables, t.trigram_total
    bigram, bigram_tables, bigram_total = t.bigram, t.bigram_tables, t.bigram_total
    for event in range(n_events):
        i = c if events[event, 0] < 0 else events[event, 0]
        j = c if events[event, 1] < 0 else events[event, 1]
        k = c if events[event, 2] < 0 else events[event, 2]
        many = events[event, 3]
        trigram_total[i, j] -= many
        n = trigram[i, j, k] - many
        trigram[i, j, k] = n
        if n:
            continue
        trigram_tables[i, j] -= 1
        bigram_total[j] -= 1
        n = bigram[j, k] - 1
        bigram[j, k] = n
        if n:
            continue
        bigram_tables[j] -= 1
        t.unigram_total[0] -= 1
        t.unigram[k] -= 1
        if t.unigram[k] == 0:
            t.unigram_tables[0] -= 1


@kernel
def _seat_emissions(e, logs, spelling, w, first, last, stays, score):
    """Write the log factor of seating the words of a type in each of a range of classes.

    They stay seated only if told so.
    """
    cells, orders, contexts, parents = (
        spelling.cells,
        spelling.order,
        spelling.context,
        spelling.parent,
    )
    gram, gram_tables, gram_total = e.gram, e.gram_tables, e.gram_total
    gram_stay, gram_open, gram_enter = logs.gram_stay, logs.gram_open, logs.gram_enter
    base = np.log(spelling.n_symbols)
    count = spelling.counts[w]
    for c in range(first, last):
        total = e.words[c]
        factor = logs.emission.open[e.types[c]] + logs.emission.stay[count]
        factor += logs.emission.enter[total] - logs.emission.enter[total + count]
        e.types[c] += 1
        e.words[c] = total + count
        for i in range(spelling.starts[w], spelling.starts[w + 1]):
            cell = cells[i]
            while cell >= 0:
                order = orders[cell]
                context = contexts[cell]
                n = gram[c, cell]
                total = gram_total[c, context]
                factor += gram_enter[order, total] - gram_enter[order, total + 1]
                factor += gram_stay[order, n + 1] - gram_stay[order, n]
                gram[c, cell] = n + 1
                gram_total[c, context] = total + 1
                if n:
                    break
                factor += gram_open[order, gram_tables[c, context]]
                gram_tables[c, context] += 1
                cell = parents[cell]
                if cell < 0:
                    factor -= base
        score[c] += factor
        if not stays:
            _unseat_emissions(e, spelling, w, c)


@kernel
def _unseat_emissions(e, spelling, w, c):
    """Take the words of a type in a class away."""
    cells, contexts, parents = spelling.cells, spelling.context, spelling.parent
    gram, gram_tables, gram_total = e.gram, e.gram_tables, e.gram_total
    e.types[c] -= 1
    e.words[c] -= spelling.counts[w]
    for i in range(spelling.starts[w], spelling.starts[w + 1]):
        cell = cells[i]
        while cell >= 0:
            context = contexts[cell]
            gram_total[c, context] -= 1
            n = gram[c, cell] - 1
            gram[c, cell] = n
            if n:
                break
            gram_tables[c, context] -= 1
            cell = parents[cell]


@kernel
def _key(i, j, k, size):
    """Number a trigram with the type in it, which is -1; less than 8 size^2."""
    where = 4 * (i < 0) + 2 * (j < 0) + (k < 0)
    # One of the three is the type itself: two numbers are enough for the others.
    if i < 0:
        i, j = max(j, 0), max(k, 0)
    elif j < 0:
        j = max(k, 0)
    return (where * size + i) * size + j


@kernel
def _collect_events(classes, windows, w, events, event_of_key, size):
    """Group the trigrams with a type by the classes beside it; return how many there are.

    Where the type stands is written as -1. Occurrences that overlap are one window of the text
    and are counted once, since windows of a type are listed once.
    """
    n_events = 0
    for at in range(windows.starts[w], windows.starts[w + 1]):
        window = windows.windows[at]
        u, v, x = windows.types[window, 0], windows.types[window, 1], windows.types[window, 2]
        i = _ITSELF if u == w else classes[u]
        j = _ITSELF if v == w else classes[v]
        k = _ITSELF if x == w else classes[x]
        key = _key(i, j, k, size)
        event = event_of_key[key]
        if event < 0:
            event = n_events
            n_events += 1
            event_of_key[key] = event
            events[event, 0] = i
            events[event, 1] = j
            events[event, 2] = k
            events[event, 3] = 0
        events[event, 3] += windows.counts[window]
    for event in range(n_events):
        event_of_key[_key(events[event, 0], events[event, 1], events[event, 2], size)] = -1
    return n_events


@kernel
def seat_all(classes, transitions, emissions, logs, spelling, windows):
    """Seat everything, as the classes have it, in empty restaurants."""
    score = np.zeros(len(emissions.types))
    events = np.empty((len(windows.types), 4), np.int32)
    for window in range(len(events)):
        for place in range(3):
            events[window, place] = classes[windows.types[window, place]]
        events[window, 3] = windows.counts[window]
    _seat_events(transitions, logs, events, len(events), 0, 1, True, score)
    for w in range(len(classes) - 1):
        c = classes[w]
        _seat_emissions(emissions, logs, spelling, w, c, c + 1, True, score)


@kernel
def take_out_and_score(classes, transitions, emissions, logs, spelling, windows, work, w):
    """Take a type out and write the log factors of having it in every class.

    Returns the number of its events.
    """
    c = classes[w]
    n_events = _collect_events(
        classes, windows, w, work.events, work.event_of_key, len(transitions.unigram)
    )
    _unseat_events(transitions, work.events, n_events, c)
    _unseat_emissions(emissions, spelling, w, c)
    n = len(work.score)
    work.score[:] = 0
    _seat_events(transitions, logs, work.events, n_events, 0, n, False, work.score)
    _seat_emissions(emissions, logs, spelling, w, 0, n, False, work.score)
    return n_events


@kernel
def put(classes, transitions, emissions, logs, spelling, work, w, c, n_events):
    """Put a type that was taken out into a class."""
    classes[w] = c
    _seat_events(transitions, logs, work.events, n_events, c, c + 1, True, work.score)
    _seat_emissions(emissions, logs, spelling, w, c, c + 1, True, work.score)


@kernel
def sweep(
    classes, transitions, emissions, logs, spelling, windows, work, order, uniforms, temperature
):
    """Draw the class of every type anew, in an order; return how many changed."""
    moves = 0
    for at in range(len(order)):
        w = order[at]
        n_events = take_out_and_score(
            classes, transitions, emissions, logs, spelling, windows, work, w
        )
        c = draw(work.score, temperature, uniforms[at])
        moves += c != classes[w]
        put(classes, transitions, emissions, logs, spelling, work, w, c, n_events)
    return moves
