from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from treegauge.systems.saved_state import SavedState
from treegauge.systems.taggers.trigram_counts import TrigramCounts
from treegauge.systems.taggers.trigram_decoder import Candidates, Transitions, decode


def random_model(seed: int, n_states: int, n_types: int) -> tuple[Candidates, Transitions]:
    """Return states for every type, some of them all, and a row for every few contexts."""
    random = np.random.default_rng(seed)
    states = [
        np.sort(random.choice(n_states, random.integers(1, n_states + 1), replace=False))
        for _ in range(n_types)
    ]
    starts = np.cumsum([0, *map(len, states)])
    candidates = Candidates(
        starts, np.concatenate(states).astype(np.int32), random.normal(size=starts[-1])
    )
    rows = random.dirichlet(np.ones(n_states + 1), size=5)
    row_of = random.integers(0, 5, (n_states + 1, n_states + 1)).astype(np.int32)
    return candidates, Transitions(row_of, rows)


def score(path, types, candidates: Candidates, transitions: Transitions) -> float:
    """Return the logarithm of a path's probability, by definition."""
    end = transitions.boundary
    before, last = end, end
    total = 0.0
    for kind, state in zip(types, path, strict=True):
        slice_ = slice(candidates.starts[kind], candidates.starts[kind + 1])
        (place,) = np.flatnonzero(candidates.states[slice_] == state)
        total += transitions.log_rows[transitions.row_of[before, last], state]
        total += candidates.scores[slice_][place]
        before, last = last, state
    return total + transitions.log_rows[transitions.row_of[before, last], end]


def all_paths(types, candidates: Candidates):
    return product(
        *(candidates.states[candidates.starts[k] : candidates.starts[k + 1]] for k in types)
    )


sentences = st.lists(st.lists(st.integers(0, 3), max_size=4), min_size=1, max_size=2)


@examples(100)
@given(st.integers(0, 2**32 - 1), st.integers(1, 3), sentences)
def test_the_exact_path_is_the_best_of_all(seed: int, n_states: int, text: list) -> None:
    candidates, transitions = random_model(seed, n_states, 4)
    types = np.array([kind for sentence in text for kind in sentence], np.int32)
    offsets = np.cumsum([0, *map(len, text)])
    found = decode(types, offsets, candidates, transitions, beam=None)
    for sentence, first, last in zip(text, offsets[:-1], offsets[1:], strict=True):
        if not sentence:
            continue
        ranked = sorted(
            (
                (score(p, sentence, candidates, transitions), p)
                for p in all_paths(sentence, candidates)
            ),
            reverse=True,
        )
        path = tuple(found[first:last].tolist())
        assert math.isclose(
            score(path, sentence, candidates, transitions), ranked[0][0], abs_tol=1e-9
        )
        if len(ranked) == 1 or ranked[0][0] - ranked[1][0] > 1e-6:
            assert path == tuple(int(state) for state in ranked[0][1])


@examples(60)
@given(st.integers(0, 2**32 - 1), sentences)
def test_a_wide_beam_is_exact(seed: int, text: list) -> None:
    candidates, transitions = random_model(seed, 3, 4)
    types = np.array([kind for sentence in text for kind in sentence], np.int32)
    offsets = np.cumsum([0, *map(len, text)])
    exact = decode(types, offsets, candidates, transitions, beam=None)
    assert decode(types, offsets, candidates, transitions, beam=1e300).tolist() == exact.tolist()


def test_a_beam_of_one_follows_only_the_best_beginning() -> None:
    # State 0 is a little better at first and leads nowhere good.
    candidates = Candidates(
        np.array([0, 2, 3]), np.array([0, 1, 0], np.int32), np.log([0.6, 0.4, 1.0])
    )
    rows = np.array([[0.5, 0.5, 0.01], [0.01, 0.9, 0.09], [0.9, 0.05, 0.05]])
    row_of = np.zeros((3, 3), np.int32)
    row_of[2, 0], row_of[2, 1] = 1, 2
    transitions = Transitions(row_of, rows)
    types, offsets = np.array([0, 1], np.int32), np.array([0, 2])
    assert decode(types, offsets, candidates, transitions, beam=None).tolist() == [1, 0]
    assert decode(types, offsets, candidates, transitions, beam=1.0).tolist() == [0, 0]


def test_impossible_sentences_have_a_path_too() -> None:
    candidates = Candidates(np.array([0, 1]), np.array([0], np.int32), np.zeros(1))
    transitions = Transitions(np.zeros((2, 2), np.int32), np.zeros((1, 2)))
    types = np.zeros(400, np.int32)
    assert not decode(types, np.array([0, 400]), candidates, transitions, beam=None).any()


@pytest.mark.parametrize("offsets", [[0, 2, 2, 3], [0, 0, 2, 3, 3]])
def test_trigrams_of_sentences(offsets: list[int]) -> None:
    found = TrigramCounts.of(np.array([0, 1, 1]), np.array(offsets), n_states=2)
    trigrams = zip(found.first, found.second, found.third, found.counts, strict=True)
    assert [tuple(map(int, t)) for t in trigrams] == [
        (0, 1, 2, 1),
        (2, 0, 1, 1),
        (2, 1, 2, 1),
        (2, 2, 0, 1),
        (2, 2, 1, 1),
    ]
    again = TrigramCounts.restored(SavedState(found.arrays(), {}), 2)
    assert again.codes.tolist() == found.codes.tolist()
