"""The kernel that finds what the trigrams with a type add to the joint probability, by class.

The type has been taken out. Its *events* are the trigrams with it: (c, j, k), (i, c, k) or
(i, j, c), where c is the class that is asked about; sometimes c is in two places or in three.
Who sits where is a matter of counts alone (`pitman_yor.py`), so that nobody need be seated: it is
enough to know how many customers each restaurant and each dish gets. For nearly all classes these
numbers are the same: those of a trigram that does not occur yet. So

1. every number is first what it would be for such a class, for all classes at once (a *row*);
2. classes that do occur with the other two (their fibre) are corrected: there is no new table;
3. where c is itself one of the other two, two events can be one trigram. Such an event is taken
   back for this c, and its trigram is added to those that have c twice (*doubled*). They are
   added up, and only then counted. What they change is a single number (a *point*), unless there
   is a row with it already;
4. the logarithms are looked up, from trigrams to bigrams to unigrams, since a new table of the
   one is a customer of the other. The classes of a row for which there is something to look up
   are listed first: a processor guesses badly which ones these are, and need not guess.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import inlined_kernel, kernel
from treegauge.systems.tag_induction._class_trigrams_numba import fibres_of, find

# Numbers that are kept, [number, slot of the other class, c].
ENTERED_FIRST, OPENED_FIRST = 0, 1
"""Customers and new tables of the trigrams' restaurant (c, j)."""
ENTERED_SECOND, OPENED_SECOND = 2, 3
"""Those of the restaurant (i, c)."""
FOLLOWED = 4
"""Customers that have the bigram (c, k)."""
PRECEDED, TWICE = 5, 6
"""Those that have the bigram (j, c); and how many of these are of the trigram (c, j, c)."""
OPENED_BIGRAM = 7
"""New tables of the bigrams' restaurant j."""
UNIGRAM = 8
"""Customers that have the unigram k."""

# What is looked up together, in this order, and the first of its numbers.
FIRST, SECOND, AFTER, BEFORE, CONTEXT, DISH = range(6)
_NUMBERS = (ENTERED_FIRST, ENTERED_SECOND, FOLLOWED, PRECEDED, OPENED_BIGRAM, UNIGRAM, UNIGRAM + 1)


@inlined_kernel
def _make_row(kind, y, is_row, places, n_places):
    if not is_row[kind, y]:
        is_row[kind, y] = True
        places[kind, n_places[kind]] = -1 - y
        n_places[kind] += 1


@inlined_kernel
def _make_point(kind, y, c, is_row, is_point, places, n_places, size):
    if not is_row[kind, y] and not is_point[kind, y, c]:
        is_point[kind, y, c] = True
        places[kind, n_places[kind]] = y * size + c
        n_places[kind] += 1


@inlined_kernel
def _add_doubled(form, y, c, many, slot_of, doubled, keys, n_keys, size):
    """Add to the trigram (c, c, y), (c, y, c) or (y, c, c); return the number of such trigrams."""
    if y == c:
        form = 0
    slot = slot_of[y]
    if doubled[form, slot, c] == 0:
        keys[n_keys] = (form * size + slot) * size + c
        n_keys += 1
    doubled[form, slot, c] += many
    return n_keys


@kernel
def add_trigram_gains(t, logs, events, n_events, room, score):
    """Add the log factor of seating events with the type in each class to the scores."""
    begin, filled, third, count = t.begin, t.filled, t.third, t.often
    trigram_total, trigram_tables = t.trigram_total, t.trigram_tables
    total_by_second, tables_by_second = t.total_by_second, t.tables_by_second
    bigram, bigram_by_second = t.bigram, t.bigram_by_second
    bigram_total, bigram_tables, unigram = t.bigram_total, t.bigram_tables, t.unigram
    stay3, open3, enter3 = logs.trigram.stay, logs.trigram.open, logs.trigram.enter
    stay2, open2, enter2 = logs.bigram.stay, logs.bigram.open, logs.bigram.enter
    stay1, open1, enter1 = logs.unigram.stay, logs.unigram.open, logs.unigram.enter
    numbers, usual, doubled, keys = room.numbers, room.usual, room.doubled, room.keys
    is_row, is_point, places = room.is_row, room.is_point, room.places
    size, n = len(unigram), len(score)
    slot_of, class_of, listed = room.slot_of, room.class_of, room.listed
    n_places = np.zeros(6, np.int64)

    # The classes beside the type are numbered, so that all that is written is close together.
    n_slots = 0
    for event in range(n_events):
        i, j, k = events[event, 0], events[event, 1], events[event, 2]
        is_doubled = (i < 0) + (j < 0) + (k < 0) > 1  # then any class is beside itself
        for place in range(n + 3 if is_doubled else 3):
            y = place - 3 if place > 2 else events[event, place]
            if y >= 0 and slot_of[y] < 0:
                slot_of[y] = n_slots
                class_of[n_slots] = y
                n_slots += 1

    # 1. What is so of a class that does not occur beside the others.
    base = 0.0
    for event in range(n_events):
        i, j, k, many = events[event, 0], events[event, 1], events[event, 2], events[event, 3]
        if (i < 0) + (j < 0) + (k < 0) > 1:
            continue
        at_i, at_j, at_k = slot_of[i], slot_of[j], slot_of[k]
        base += stay3[many]
        if i < 0:
            _make_row(FIRST, at_j, is_row, places, n_places)
            _make_row(CONTEXT, at_j, is_row, places, n_places)
            usual[ENTERED_FIRST, at_j] += many
            usual[OPENED_FIRST, at_j] += 1
            if bigram[j, k]:
                base += stay2[bigram[j, k] + 1] - stay2[bigram[j, k]]
            else:
                _make_row(DISH, at_k, is_row, places, n_places)
                usual[OPENED_BIGRAM, at_j] += 1
                usual[UNIGRAM, at_k] += 1
        elif j < 0:
            _make_row(SECOND, at_i, is_row, places, n_places)
            _make_row(AFTER, at_k, is_row, places, n_places)
            _make_row(DISH, at_k, is_row, places, n_places)
            usual[ENTERED_SECOND, at_i] += many
            usual[OPENED_SECOND, at_i] += 1
            usual[FOLLOWED, at_k] += 1
        else:
            _make_row(BEFORE, at_j, is_row, places, n_places)
            _make_row(CONTEXT, at_j, is_row, places, n_places)
            total, tables = trigram_total[i, j], trigram_tables[i, j]
            base += enter3[total] - enter3[total + many] + open3[tables + 1] - open3[tables]
            usual[PRECEDED, at_j] += 1
    # A new table of bigrams is a customer of a unigram.
    usual_entered = usual_opened = 0
    for place in range(n_places[AFTER]):
        slot = -1 - places[AFTER, place]
        base += stay2[usual[FOLLOWED, slot]]
        usual_entered += usual[FOLLOWED, slot]
        usual_opened += 1
        usual[UNIGRAM, slot] += 1
    for place in range(n_places[BEFORE]):
        slot = -1 - places[BEFORE, place]
        base += stay2[usual[PRECEDED, slot]]
        usual[OPENED_BIGRAM, slot] += 1
    usual_unigram = n_places[BEFORE]
    for kind in range(6):
        for place in range(n_places[kind]):
            slot = -1 - places[kind, place]
            for number in range(_NUMBERS[kind], _NUMBERS[kind + 1]):
                for c in range(n):
                    numbers[number, slot, c] = usual[number, slot]

    # 2. Classes that do occur beside them; 3. classes that are one of them.
    n_keys = 0
    for event in range(n_events):
        i, j, k, many = events[event, 0], events[event, 1], events[event, 2], events[event, 3]
        if (i < 0) + (j < 0) + (k < 0) > 1:
            form, y = 0, k
            if j >= 0:
                form, y = 1, j
            elif i >= 0:
                form, y = 2, i
            for c in range(n):
                other = c if y < 0 else y
                n_keys = _add_doubled(form, other, c, many, slot_of, doubled, keys, n_keys, size)
            continue
        at_i, at_j, at_k = slot_of[i], slot_of[j], slot_of[k]
        in_first, in_second, in_last = fibres_of(i, j, k, size)
        if i < 0:
            fibre, one, two = in_first, j, k
            stay = stay2[bigram[j, k] + 1] - stay2[bigram[j, k]] if bigram[j, k] else 0.0
        elif j < 0:
            fibre, one, two = in_second, i, k
            stay = 0.0
        else:
            fibre, one, two = in_last, i, j
            total, tables = trigram_total[i, j], trigram_tables[i, j]
            stay = open3[tables + 1] - open3[tables]
        for at in range(begin[fibre], begin[fibre] + filled[fibre]):
            c = third[at]
            if c == one or c == two or c == n:
                continue
            score[c] += stay3[count[at] + many] - stay3[count[at]] - stay3[many] - stay
            if i < 0:
                numbers[OPENED_FIRST, at_j, c] -= 1
            elif j < 0:
                numbers[OPENED_SECOND, at_i, c] -= 1
                numbers[FOLLOWED, at_k, c] -= 1
            else:
                numbers[PRECEDED, at_j, c] -= 1
        for turn in range(2 if one != two else 1):
            c = one if turn == 0 else two
            if c == n:
                continue
            score[c] -= stay3[many] + stay
            if i < 0:
                numbers[ENTERED_FIRST, at_j, c] -= many
                numbers[OPENED_FIRST, at_j, c] -= 1
                if bigram[j, k] == 0:
                    numbers[OPENED_BIGRAM, at_j, c] -= 1
                    numbers[UNIGRAM, at_k, c] -= 1
                form, y = (0, k) if turn == 0 else (1, j)
            elif j < 0:
                numbers[ENTERED_SECOND, at_i, c] -= many
                numbers[OPENED_SECOND, at_i, c] -= 1
                numbers[FOLLOWED, at_k, c] -= 1
                form, y = (0, k) if turn == 0 else (2, i)
            else:
                score[c] -= enter3[total] - enter3[total + many]
                numbers[PRECEDED, at_j, c] -= 1
                form, y = (1, j) if turn == 0 else (2, i)
            n_keys = _add_doubled(form, y, c, many, slot_of, doubled, keys, n_keys, size)
    for key in range(n_keys):
        c = keys[key] % size
        slot = keys[key] // size % size
        form = keys[key] // (size * size)
        y, slot_of_c = class_of[slot], slot_of[c]
        many = doubled[form, slot, c]
        doubled[form, slot, c] = 0
        _, _, in_last = fibres_of(y if form == 2 else c, y if form == 1 else c, 0, size)
        at = find(begin, filled, third, in_last, y if form == 0 else c)
        old = count[at] if at < begin[in_last] + filled[in_last] else 0
        score[c] += stay3[old + many] - stay3[old]
        opens = 1 if old == 0 else 0
        if form == 2:
            _make_point(SECOND, slot, c, is_row, is_point, places, n_places, size)
            numbers[ENTERED_SECOND, slot, c] += many
            numbers[OPENED_SECOND, slot, c] += opens
        else:
            x = slot_of_c if form == 0 else slot
            _make_point(FIRST, x, c, is_row, is_point, places, n_places, size)
            numbers[ENTERED_FIRST, x, c] += many
            numbers[OPENED_FIRST, x, c] += opens
        if form == 1:
            _make_point(BEFORE, slot, c, is_row, is_point, places, n_places, size)
            _make_point(CONTEXT, slot, c, is_row, is_point, places, n_places, size)
            numbers[PRECEDED, slot, c] += opens
            numbers[TWICE, slot, c] += opens
        else:
            x = slot if form == 0 else slot_of_c
            _make_point(AFTER, x, c, is_row, is_point, places, n_places, size)
            _make_point(DISH, x, c, is_row, is_point, places, n_places, size)
            numbers[FOLLOWED, x, c] += opens

    # 4. What it is worth. Rows say it of the usual class, and look at others one by one. Of the
    # type's own class, counts are added up on the way: customers and tables of its bigrams,
    # customers of its unigram, and those and tables of all other unigrams.
    own_entered, own_opened, own_unigram, all_entered, all_opened = room.own
    for c in range(n):
        own_entered[c], own_opened[c], own_unigram[c] = usual_entered, usual_opened, usual_unigram
        all_entered[c] = all_opened[c] = 0
    usual_all_entered = usual_all_opened = 0
    for kind in range(6):
        for place in range(n_places[kind]):
            slot, n_listed = -1 - places[kind, place], 0
            is_whole = slot >= 0
            if not is_whole:
                listed[0], n_listed = (-1 - slot) % size, 1
                slot = (-1 - slot) // size
            y = class_of[slot]
            if kind == FIRST:
                entered_usual = usual[ENTERED_FIRST, slot]
                opened_usual = usual[OPENED_FIRST, slot]
                worth = open3[opened_usual] - enter3[entered_usual]
                base += worth
                if is_whole:
                    for c in range(n):
                        listed[n_listed] = c
                        differs = numbers[ENTERED_FIRST, slot, c] ^ entered_usual
                        differs |= numbers[OPENED_FIRST, slot, c] ^ opened_usual
                        n_listed += (total_by_second[y, c] | differs) != 0
                for at in range(n_listed):
                    c = listed[at]
                    total, tables = total_by_second[y, c], tables_by_second[y, c]
                    entered = numbers[ENTERED_FIRST, slot, c]
                    opened = numbers[OPENED_FIRST, slot, c]
                    score[c] += enter3[total] - enter3[total + entered] - worth
                    score[c] += open3[tables + opened] - open3[tables]
            elif kind == SECOND:
                entered_usual, opened_usual = (
                    usual[ENTERED_SECOND, slot],
                    usual[OPENED_SECOND, slot],
                )
                worth = open3[opened_usual] - enter3[entered_usual]
                base += worth
                if is_whole:
                    for c in range(n):
                        listed[n_listed] = c
                        differs = numbers[ENTERED_SECOND, slot, c] ^ entered_usual
                        differs |= numbers[OPENED_SECOND, slot, c] ^ opened_usual
                        n_listed += (trigram_total[y, c] | differs) != 0
                for at in range(n_listed):
                    c = listed[at]
                    total, tables = trigram_total[y, c], trigram_tables[y, c]
                    entered = numbers[ENTERED_SECOND, slot, c]
                    opened = numbers[OPENED_SECOND, slot, c]
                    score[c] += enter3[total] - enter3[total + entered] - worth
                    score[c] += open3[tables + opened] - open3[tables]
            elif kind == AFTER:
                entered_usual = usual[FOLLOWED, slot]
                opens_usual = 1 if entered_usual else 0
                if is_whole:
                    for c in range(n):
                        listed[n_listed] = c
                        differs = numbers[FOLLOWED, slot, c] ^ entered_usual
                        n_listed += (bigram_by_second[y, c] | differs) != 0
                for at in range(n_listed):
                    c = listed[at]
                    have, entered = bigram_by_second[y, c], numbers[FOLLOWED, slot, c]
                    opens = 1 if have == 0 and entered > 0 else 0
                    score[c] += stay2[have + entered] - stay2[have] - stay2[entered_usual]
                    own_entered[c] += entered - entered_usual
                    own_opened[c] += opens - opens_usual
                    numbers[UNIGRAM, slot, c] += opens - opens_usual
            elif kind == BEFORE:
                entered_usual = usual[PRECEDED, slot]
                opens_usual = 1 if entered_usual else 0
                if is_whole:
                    for c in range(n):
                        listed[n_listed] = c
                        differs = numbers[PRECEDED, slot, c] ^ entered_usual
                        n_listed += (bigram[y, c] | differs) != 0
                for at in range(n_listed):
                    c = listed[at]
                    have, entered = bigram[y, c], numbers[PRECEDED, slot, c]
                    opens = 1 if have == 0 and entered > 0 else 0
                    score[c] += stay2[have + entered] - stay2[have] - stay2[entered_usual]
                    own_unigram[c] += opens - opens_usual
                    numbers[OPENED_BIGRAM, slot, c] += opens - opens_usual
            elif kind == CONTEXT:
                total, tables = bigram_total[y], bigram_tables[y]
                entered_usual = usual[OPENED_FIRST, slot] + usual[PRECEDED, slot]
                opened_usual = usual[OPENED_BIGRAM, slot]
                before = enter2[total] - open2[tables]
                worth = before - enter2[total + entered_usual] + open2[tables + opened_usual]
                base += worth
                if is_whole:
                    for c in range(n):
                        listed[n_listed] = c
                        entered = numbers[OPENED_FIRST, slot, c] + numbers[PRECEDED, slot, c]
                        differs = (entered - numbers[TWICE, slot, c]) ^ entered_usual
                        differs |= numbers[OPENED_BIGRAM, slot, c] ^ opened_usual
                        n_listed += (differs | (c == y)) != 0
                for at in range(n_listed):
                    c = listed[at]
                    entered = numbers[OPENED_FIRST, slot, c] + numbers[PRECEDED, slot, c]
                    entered -= numbers[TWICE, slot, c]
                    opened = numbers[OPENED_BIGRAM, slot, c]
                    score[c] -= worth
                    if c != y:  # else that restaurant is the class's own, which comes last
                        score[c] += before - enter2[total + entered] + open2[tables + opened]
            else:
                have, entered_usual = unigram[y], usual[UNIGRAM, slot]
                worth = stay1[have + entered_usual] - stay1[have]
                opens_usual = 1 if have == 0 and entered_usual > 0 else 0
                base += worth
                usual_all_entered += entered_usual
                usual_all_opened += opens_usual
                if is_whole:
                    for c in range(n):
                        listed[n_listed] = c
                        differs = numbers[UNIGRAM, slot, c] ^ entered_usual
                        n_listed += (differs | (c == y)) != 0
                for at in range(n_listed):
                    c = listed[at]
                    entered = numbers[UNIGRAM, slot, c]
                    if c == y:  # the class's own, likewise
                        own_unigram[c] += entered
                        entered = 0
                    opens = 1 if have == 0 and entered > 0 else 0
                    score[c] += stay1[have + entered] - stay1[have] - worth
                    all_entered[c] += entered - entered_usual
                    all_opened[c] += opens - opens_usual
    uniform = np.log(size)
    unigrams, unigram_tables = t.unigram_total[0], t.unigram_tables[0]
    base += enter1[unigrams] - open1[unigram_tables]
    for c in range(n):
        total, tables = bigram_total[c], bigram_tables[c]
        score[c] += base + enter2[total] - enter2[total + own_entered[c]]
        score[c] += open2[tables + own_opened[c]] - open2[tables]
        score[c] += stay1[unigram[c] + own_unigram[c]] - stay1[unigram[c]]
        entered = usual_all_entered + all_entered[c] + own_unigram[c]
        opened = usual_all_opened + all_opened[c]
        opened += 1 if unigram[c] == 0 and own_unigram[c] > 0 else 0
        score[c] += open1[unigram_tables + opened] - uniform * opened
        score[c] -= enter1[unigrams + entered]

    # Leave the room as it was.
    for kind in range(6):
        for place in range(n_places[kind]):
            slot, point = -1 - places[kind, place], 0
            is_whole = slot >= 0
            if not is_whole:
                slot, point = (-1 - slot) // size, (-1 - slot) % size
                is_point[kind, slot, point] = False
            else:
                is_row[kind, slot] = False
            for number in range(_NUMBERS[kind], _NUMBERS[kind + 1]):
                usual[number, slot] = 0
                if is_whole:
                    for c in range(n):
                        numbers[number, slot, c] = 0
                else:
                    numbers[number, slot, point] = 0
    for slot in range(n_slots):
        slot_of[class_of[slot]] = -1
