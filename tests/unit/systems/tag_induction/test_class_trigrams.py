from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, strategies as st

from tests.examples import examples
from treegauge.systems.tag_induction._class_trigrams_numba import change_trigram
from treegauge.systems.tag_induction.pyp_hmm_seats import Transitions

SIZE = 7
classes = st.integers(0, SIZE - 1)
changes = st.lists(st.tuples(classes, classes, classes, st.integers(1, 3)), max_size=120)


def change(table: Transitions, i: int, j: int, k: int, by: int) -> int:
    store = (table.begin, table.filled, table.room, table.third, table.often, table.used)
    return int(change_trigram(*store, i, j, k, by, SIZE))


def counts(table: Transitions) -> dict[tuple[int, ...], int]:
    return {tuple(row[:3]): row[3] for row in table.trigrams.tolist()}


@examples(60)
@given(changes, st.randoms())
def test_counts_are_those_of_a_dictionary(added, random):
    table = Transitions.empty(SIZE, 120)
    expected: Counter[tuple[int, ...]] = Counter()
    for *trigram, by in added:
        assert change(table, *trigram, by) == expected[tuple(trigram)]
        expected[tuple(trigram)] += by
    assert counts(table) == dict(expected)
    random.shuffle(added)
    for *trigram, by in added[: len(added) // 2]:
        assert change(table, *trigram, -by) == expected[tuple(trigram)]
        expected[tuple(trigram)] -= by
    assert counts(table) == {trigram: n for trigram, n in expected.items() if n}


def test_fibres_move_together_when_the_array_is_full() -> None:
    generator = np.random.default_rng(0)
    table = Transitions.empty(SIZE, 10)
    expected: Counter[tuple[int, ...]] = Counter()
    used, moves = 0, 0
    for _ in range(4000):
        if len(expected) == 10:
            gone = list(expected)[int(generator.integers(10))]
            change(table, *gone, -expected.pop(gone))
        trigram = tuple(generator.integers(0, SIZE, 3).tolist())
        change(table, *trigram, 1)
        expected[trigram] += 1
        moves += int(table.used[0]) < used
        used = int(table.used[0])
        assert used <= len(table.third)
    assert moves > 1
    assert counts(table) == dict(expected)
    # All three fibres of a trigram say the same.
    for (i, j, k), n in expected.items():
        for fibre, c in (
            (j * SIZE + k, i),
            ((SIZE + i) * SIZE + k, j),
            ((2 * SIZE + i) * SIZE + j, k),
        ):
            begin, end = table.begin[fibre], table.begin[fibre] + table.filled[fibre]
            (at,) = np.flatnonzero(table.third[begin:end] == c)
            assert table.often[begin + at] == n
