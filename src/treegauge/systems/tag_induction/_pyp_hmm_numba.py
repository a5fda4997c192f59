"""Kernels for the Pitman-Yor HMM with one tag per type; see `pyp_hmm.py`.

A type is taken out, what it would add is found for all classes together, and it is put into one.

Every call with a tuple of arrays counts references to all of them; so calls are for a type at
least, never for a customer.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import borrowed, kernel
from treegauge.systems.tag_induction._class_trigrams_numba import change_trigram
from treegauge.systems.tag_induction._draw_numba import draw
from treegauge.systems.tag_induction._trigram_gain_numba import add_trigram_gains

_ITSELF = -1
"""Stands for the class of the type that is looked at, in its events."""


@kernel
def _seat_events(t, events, n_events, c, sign):
    """Seat trigrams with the type in a class (sign 1), or take them away (-1)."""
    begin, filled, room, third, count, used = t.begin, t.filled, t.room, t.third, t.often, t.used
    trigram_total, trigram_tables = t.trigram_total, t.trigram_tables
    total_by_second, tables_by_second = t.total_by_second, t.tables_by_second
    bigram, bigram_by_second = t.bigram, t.bigram_by_second
    bigram_tables, bigram_total = t.bigram_tables, t.bigram_total
    unigram, unigram_tables, unigram_total = t.unigram, t.unigram_tables, t.unigram_total
    size = len(unigram)
    for event in range(n_events):
        i = c if events[event, 0] < 0 else events[event, 0]
        j = c if events[event, 1] < 0 else events[event, 1]
        k = c if events[event, 2] < 0 else events[event, 2]
        many = sign * events[event, 3]
        before = change_trigram(
            begin, filled, room, third, count, used, i, j, k, many, size
        )  # fmt: skip
        trigram_total[i, j] += many
        total_by_second[j, i] += many
        # A table comes with the first customer and goes with the last.
        if before and before + many:
            continue
        trigram_tables[i, j] += sign
        tables_by_second[j, i] += sign
        before = bigram[j, k]
        bigram[j, k] += sign
        bigram_by_second[k, j] += sign
        bigram_total[j] += sign
        if before and before + sign:
            continue
        bigram_tables[j] += sign
        before = unigram[k]
        unigram[k] += sign
        unigram_total[0] += sign
        if before == 0 or before + sign == 0:
            unigram_tables[0] += sign


@kernel
def _add_emission_gains(e, logs, spelling, w, room, score):
    """Add the log factor of seating the words of a type in each class to the scores.

    As with trigrams, it is enough to know how many customers every n-gram and every restaurant
    would get, and this is known for a class without any of them, the usual one: first of whole
    n-grams, then of those shorter by a character, which have a customer for every new table.

    Mostly an n-gram or a restaurant gets one customer. What that is worth in a class is kept, and
    added up for all classes without a question.
    """
    cells, orders, contexts, parents = (
        spelling.cells,
        spelling.order,
        spelling.context,
        spelling.parent,
    )
    gram, gram_tables, gram_total = e.gram, e.gram_tables, e.gram_total
    next_stay, next_open, next_enter = e.next_stay, e.next_open, e.next_enter
    gram_stay, gram_open, gram_enter = logs.gram_stay, logs.gram_open, logs.gram_enter
    types, words = e.types, e.words
    place_of_cell, place_of_context = room.place_of_cell, room.place_of_context
    chosen, chosen_contexts, usual = room.chosen, room.chosen_contexts, room.usual
    usual_entered, usual_opened = room.usual_entered, room.usual_opened
    fewer, entered, opened = room.fewer, room.entered, room.opened
    open_, stay, enter = logs.emission.open, logs.emission.stay, logs.emission.enter
    uniform = np.log(spelling.n_symbols)
    count, n = spelling.counts[w], len(score)
    for c in range(n):
        score[c] += open_[types[c] + 1] - open_[types[c]] + stay[count]
        score[c] += enter[words[c]] - enter[words[c] + count]
    n_cells = n_contexts = 0
    for i in range(spelling.starts[w], spelling.starts[w + 1]):
        place = place_of_cell[cells[i]]
        if place < 0:
            place = n_cells
            place_of_cell[cells[i]] = place
            chosen[place] = cells[i]
            usual[place] = 0
            n_cells += 1
        usual[place] += 1
    n_whole = n_cells
    base = 0.0
    at = 0
    while at < n_cells:  # parents are added behind
        cell = chosen[at]
        order, context, parent = orders[cell], contexts[cell], parents[cell]
        place = place_of_context[context]
        if place < 0:
            place = n_contexts
            place_of_context[context] = place
            chosen_contexts[place] = cell
            usual_entered[place] = usual_opened[place] = 0
            entered[place] = 0
            opened[place] = 0
            n_contexts += 1
        up = -1
        if parent >= 0:
            up = place_of_cell[parent]
            if up < 0:
                up = n_cells
                place_of_cell[parent] = up
                chosen[up] = parent
                usual[up] = 0
                fewer[up] = 0
                n_cells += 1
            usual[up] += 1
        else:
            base -= uniform
        now = usual[at]
        base += gram_stay[order, now]
        usual_entered[place] += now
        usual_opened[place] += 1
        is_whole = at < n_whole
        if now == 1:
            for c in range(n):
                some = 1 if is_whole else 1 - fewer[at, c]
                score[c] += some * next_stay[cell, c]
                entered[place, c] += 1 - some
            for c in range(n):
                opened[place, c] += gram[cell, c] > 0
        else:
            for c in range(n):
                have = gram[cell, c]
                if have:
                    some = now if is_whole else now - fewer[at, c]
                    score[c] += gram_stay[order, have + some] - gram_stay[order, have]
                    score[c] -= gram_stay[order, now]
                    entered[place, c] += now - some
                    opened[place, c] += 1
        if up >= 0:
            for c in range(n):
                fewer[up, c] += gram[cell, c] > 0
        else:
            for c in range(n):
                score[c] += uniform * (gram[cell, c] > 0)
        place_of_cell[cell] = -1
        at += 1
    for at in range(n_contexts):
        order, context = orders[chosen_contexts[at]], contexts[chosen_contexts[at]]
        worth = gram_open[order, usual_opened[at]] - gram_enter[order, usual_entered[at]]
        base += worth
        if usual_entered[at] == 1:
            for c in range(n):
                score[c] -= (1 - entered[at, c]) * next_enter[context, c] + worth
                score[c] += (1 - opened[at, c]) * next_open[context, c]
        else:
            for c in range(n):
                total = gram_total[context, c]
                if total:
                    tables = gram_tables[context, c]
                    enters = usual_entered[at] - entered[at, c]
                    opens = usual_opened[at] - opened[at, c]
                    score[c] += gram_enter[order, total] - gram_enter[order, total + enters]
                    score[c] += gram_open[order, tables + opens] - gram_open[order, tables]
                    score[c] -= worth
        place_of_context[context] = -1
    for c in range(n):
        score[c] += base


@kernel
def _seat_emissions(e, logs, spelling, w, c, sign):
    """Seat the words of a type in a class (sign 1), or take them away (-1)."""
    cells, contexts, parents, orders = (
        spelling.cells,
        spelling.context,
        spelling.parent,
        spelling.order,
    )
    gram, gram_tables, gram_total = e.gram, e.gram_tables, e.gram_total
    next_stay, next_open, next_enter = e.next_stay, e.next_open, e.next_enter
    stay, open_, enter = logs.gram_stay, logs.gram_open, logs.gram_enter
    e.types[c] += sign
    e.words[c] += sign * spelling.counts[w]
    for i in range(spelling.starts[w], spelling.starts[w + 1]):
        cell = cells[i]
        while cell >= 0:
            context, order = contexts[cell], orders[cell]
            gram_total[context, c] += sign
            total = gram_total[context, c]
            next_enter[context, c] = enter[order, total + 1] - enter[order, total]
            before = gram[cell, c]
            gram[cell, c] += sign
            have = gram[cell, c]
            next_stay[cell, c] = stay[order, have + 1] - stay[order, have]
            if before and have:
                break
            gram_tables[context, c] += sign
            tables = gram_tables[context, c]
            next_open[context, c] = open_[order, tables + 1] - open_[order, tables]
            cell = parents[cell]


@kernel
def keep_logs(e, logs, spelling):
    """Keep what one more customer is worth of every n-gram, after the strengths have changed."""
    for cell in range(len(spelling.order)):
        order, context = spelling.order[cell], spelling.context[cell]
        stay, open_, enter = logs.gram_stay, logs.gram_open, logs.gram_enter
        for c in range(e.gram.shape[1]):
            have, tables = e.gram[cell, c], e.gram_tables[context, c]
            total = e.gram_total[context, c]
            e.next_stay[cell, c] = stay[order, have + 1] - stay[order, have]
            e.next_open[context, c] = open_[order, tables + 1] - open_[order, tables]
            e.next_enter[context, c] = enter[order, total + 1] - enter[order, total]


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
    events = np.empty((len(windows.types), 4), np.int32)
    for window in range(len(events)):
        for place in range(3):
            events[window, place] = classes[windows.types[window, place]]
        events[window, 3] = windows.counts[window]
    _seat_events(transitions, events, len(events), 0, 1)
    for w in range(len(classes) - 1):
        _seat_emissions(emissions, logs, spelling, w, classes[w], 1)


@kernel
def take_out_and_score(classes, transitions, emissions, logs, spelling, windows, work, w):
    """Take a type out and write the log factors of having it in every class.

    Returns the number of its events.
    """
    c = classes[w]
    n_events = _collect_events(
        classes, windows, w, work.events, work.event_of_key, len(transitions.unigram)
    )
    _seat_events(transitions, work.events, n_events, c, -1)
    _seat_emissions(emissions, logs, spelling, w, c, -1)
    work.score[:] = 0
    add_trigram_gains(transitions, logs, work.events, n_events, work.of_trigrams, work.score)
    _add_emission_gains(emissions, logs, spelling, w, work.of_emissions, work.score)
    return n_events


@kernel
def put(classes, transitions, emissions, logs, spelling, work, w, c, n_events):
    """Put a type that was taken out into a class."""
    classes[w] = c
    _seat_events(transitions, work.events, n_events, c, 1)
    _seat_emissions(emissions, logs, spelling, w, c, 1)


@kernel
def sweep(
    classes, transitions, emissions, logs, spelling, windows, work, order, uniforms, temperature
):
    """Draw the class of every type anew, in an order; return how many changed."""
    classes, transitions, emissions = borrowed(classes), borrowed(transitions), borrowed(emissions)
    logs, spelling, windows = borrowed(logs), borrowed(spelling), borrowed(windows)
    work = borrowed(work)
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
