from __future__ import annotations

import numpy as np
import pytest

from treegauge.toys.word_order import SLOT, WordOrder, positions, predicate_order


def test_ranks_follow_the_line() -> None:
    order = WordOrder("nsubj aux * obj obl", {})
    assert order.head_rank == 2
    assert order.rank[1, [SLOT["nsubj"], SLOT["aux"]]].tolist() == [0, 1]
    assert order.rank[0, [SLOT["obj"], SLOT["obl"]]].tolist() == [3, 4]
    assert order.share_before[[SLOT["nsubj"], SLOT["obj"]]].tolist() == [1, 0]


def test_a_slot_on_both_sides_needs_a_share() -> None:
    order = WordOrder("obl * obl", {"obl": 0.25})
    assert order.share_before[SLOT["obl"]] == 0.25
    with pytest.raises(KeyError, match="obl"):
        WordOrder("obl * obl", {})


def test_braces_make_one_free_rank() -> None:
    order = WordOrder("mark {nsubj obj} *", {})
    assert order.rank[1, SLOT["nsubj"]] == order.rank[1, SLOT["obj"]] == 1
    assert order.is_free[1, SLOT["obj"]]
    assert not order.is_free[1, SLOT["mark"]]


def test_a_missing_slot_is_known_to_be_missing() -> None:
    assert WordOrder("nsubj *", {}).share_before[SLOT["obj"]] == -1


def test_a_predicate_stands_where_the_verb_would() -> None:
    assert predicate_order("nsubj cop * stop", "case det * nmod conj") == (
        "nsubj cop case det * nmod stop"
    )


def in_order(place: list[int], rank: list[int], head_rank: list[int]) -> list[int]:
    """Put a forest into a line by walking through it, phrase after phrase."""

    def phrase(node: int) -> list[int]:
        parts = [(head_rank[node], -1, [node])]
        parts += [(rank[i], i, phrase(i)) for i in range(len(place)) if place[i] == node]
        return [word for _, _, words in sorted(parts) for word in words]

    return [word for top in range(len(place)) if place[top] < 0 for word in phrase(top)]


@pytest.mark.parametrize("seed", range(20))
def test_positions_are_those_of_a_walk(seed: int) -> None:
    generator = np.random.default_rng(seed)
    n = int(generator.integers(1, 40))
    place = np.array([int(generator.integers(-1, i)) for i in range(n)])
    rank = generator.integers(0, 6, n)
    head_rank = generator.integers(0, 6, n)
    depth = np.zeros(n, np.int64)
    for node in range(n):
        depth[node] = 0 if place[node] < 0 else depth[place[node]] + 1
    # Tops come in the order of their numbers, whatever their rank.
    rank[place < 0] = 0
    found = positions(place, rank, head_rank, np.arange(n), depth)
    order = in_order(place.tolist(), rank.tolist(), head_rank.tolist())
    assert np.argsort(found).tolist() == order
