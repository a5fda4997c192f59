from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import linalg

from tests.examples import examples
from treegauge.systems.dependency_induction._pagerank_numba import by_rank, nearest_head
from treegauge.systems.dependency_induction.pagerank import pagerank

patient = examples()


@st.composite
def graphs(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """Links with weights, many of them missing, and where to begin anew."""
    n = draw(st.integers(1, 7))
    weights = st.sampled_from([0.0, 0.0, 1.0, 2.0, 0.5])
    links = draw(st.lists(weights, min_size=n * n, max_size=n * n))
    restart = draw(st.lists(st.sampled_from([1.0, 5.0, 0.25]), min_size=n, max_size=n))
    return np.array(links).reshape(n, n), np.array(restart)


def walk(links: np.ndarray, restart: np.ndarray, damping: float) -> np.ndarray:
    """The dense matrix of the walk, with rows for where it stands."""
    shares = restart / restart.sum()
    rows = np.array([row / row.sum() if row.any() else shares for row in links])
    return damping * rows + (1 - damping) * shares


@patient
@given(graphs(), st.sampled_from([0.0, 0.5, 0.85, 0.95]))
def test_is_the_solution_of_the_linear_system(graph, damping):
    links, restart = graph
    n = len(restart)
    found = pagerank(links, restart=restart, damping=damping)
    equations = np.vstack([np.eye(n) - walk(links, restart, damping).T, np.ones(n)])
    expected = linalg.lstsq(equations, np.append(np.zeros(n), 1.0))[0]
    # What is left after a step below the tolerance shrinks by the damping in every round.
    assert np.abs(found - expected).sum() < 1e-8 * damping / (1 - damping) + 1e-12


@patient
@given(graphs())
def test_is_the_first_eigenvector(graph):
    links, restart = graph
    values, vectors = linalg.eig(walk(links, restart, 0.85).T)
    first = np.argmax(values.real)
    assert values[first].real == pytest.approx(1)
    expected = vectors[:, first].real / vectors[:, first].real.sum()
    assert pagerank(links, restart=restart) == pytest.approx(expected, abs=1e-7)


@patient
@given(graphs())
def test_sums_to_one_and_leaves_its_input_alone(graph):
    links, restart = graph
    before = links.copy()
    found = pagerank(links, restart=restart)
    assert found.sum() == pytest.approx(1, abs=1e-12)
    assert (found > 0).all()
    assert np.array_equal(links, before)


def test_dangling_rank_goes_where_restarts_go():
    # Neither word has a link: the walk is nothing but restarts.
    assert pagerank(np.zeros((2, 2)), restart=[3, 1], damping=0.9) == pytest.approx([0.75, 0.25])


def test_three_words_by_hand():
    # 0 and 1 link to 2, which dangles; all restart alike. With a for 0 and 1, and b for 2:
    # a = (1 - d + d b) / 3 and b = a + 2 d a, and 2 a + b = 1. For d = 0.5: a = 1/4, b = 1/2.
    links = [[0, 0, 1], [0, 0, 1], [0, 0, 0]]
    assert pagerank(links, damping=0.5) == pytest.approx([0.25, 0.25, 0.5])


def test_no_words():
    assert pagerank(np.zeros((0, 0))).tolist() == []


def test_ties_go_to_the_left():
    assert by_rank(np.array([0.2, 0.3, 0.3 + 1e-15, 0.2 - 1e-15])).tolist() == [1, 2, 0, 3]


def test_nearest_head():
    everybody = np.array([True, False, False, True, True])
    assert nearest_head(1, everybody, np.arange(5)) == 0
    assert nearest_head(2, everybody, np.arange(5)) == 3
    assert nearest_head(3, everybody, np.arange(5)) == 4  # not on itself
    two = np.array([True, False, True])
    assert nearest_head(1, two, np.array([0, 2, 1])) == 0
    assert nearest_head(1, two, np.array([1, 2, 0])) == 2
    assert nearest_head(0, np.array([True]), np.zeros(1, np.int64)) == -1
