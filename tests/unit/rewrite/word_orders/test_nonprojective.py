"""Orders with a share of crossing arcs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.properties.all_orders import bank, random_tree
from tests.unit.properties.test_projectivity import slow_nonprojective_arcs
from treegauge.properties import dependency_lengths, nonprojective_arcs
from treegauge.properties.subtrees import find_subtrees, subtree_room
from treegauge.rewrite import RewriteError, permute
from treegauge.rewrite.word_orders._nonprojective_numba import crossing_arcs
from treegauge.treebank import Treebank


def forest(n: int = 200, seed: int = 0) -> Treebank:
    rng = np.random.default_rng(seed)
    return permute(
        bank(*[random_tree(rng, int(size)) for size in rng.integers(5, 20, n)]), "projectivise"
    )


@pytest.mark.parametrize("share", [0.0, 0.01, 0.1, 0.3])
def test_the_share_is_reached_and_not_passed_by_more_than_a_move(share):
    treebank = forest()
    permuted = permute(treebank, f"nonprojective:{share}", seed=2)
    arcs = int((treebank.head > 0).sum())
    crossing = int(nonprojective_arcs(permuted).sum())
    assert share * arcs <= crossing < share * arcs + 20
    slow = sum(slow_nonprojective_arcs([word.head for word in one]) for one in permuted)
    assert slow == crossing


def test_the_move_by_hand():
    # A chain 1 -> 2 -> 3: word 3 can only go before word 1, and the arc from 2 then spans 1.
    chain = bank([0, 1, 2])
    permuted = permute(chain, "nonprojective:0.5")
    assert list(permuted.form) == ["w2", "w0", "w1"]
    assert nonprojective_arcs(permuted).tolist() == [1]


def test_lengths_can_be_held():
    treebank = forest(400)
    before = dependency_lengths(treebank)
    held = permute(treebank, "nonprojective:0.05", seed=1, length_tolerance=0.1)
    after = dependency_lengths(held)
    assert (np.abs(after - before) <= 0.1 * before).all()
    assert nonprojective_arcs(held).sum() >= 0.05 * (treebank.head > 0).sum()
    free = dependency_lengths(permute(treebank, "nonprojective:0.05", seed=1))
    assert (np.abs(free - before) > 0.1 * before).any()


def test_a_treebank_that_crosses_enough_stays():
    crossing = bank([3, 4, 0, 3])
    assert list(permute(crossing, "nonprojective:0.3").form) == list(crossing.form)


def test_what_cannot_be_reached_is_said():
    with pytest.raises(RewriteError, match=r"no order found with 50\.0% of the arcs"):
        permute(bank([0, 1, 1, 1]), "nonprojective:0.5")
    with pytest.raises(RewriteError, match="or allow lengths to change more"):
        permute(bank([0, 1, 2]), "nonprojective:0.5", length_tolerance=0.0)


def test_arcs_of_a_permuted_sentence_are_counted_as_those_of_a_treebank():
    random = np.random.default_rng(5)
    for n in (1, 2, 3, 7, 15):
        head = np.array(random_tree(random, n), np.int32)
        order = random.permutation(n)
        place = np.empty(n + 1, np.int64)
        place[order + 1] = np.arange(n)
        moved = [0 if not head[w] else int(place[head[w]]) + 1 for w in order]
        offsets = np.array([0, n])
        start, children, by_depth, size = subtree_room(offsets)
        find_subtrees(head, 0, n, start, children, by_depth, size)
        entered = np.zeros(n + 1, np.int64)
        for h in by_depth[: n + 1]:
            at = entered[h] + 1
            for c in children[start[h] : start[h + 1]]:
                entered[c] = at
                at += size[c]
        reach = np.empty(n + 1, np.int64)
        crossing, length = crossing_arcs(head, 0, n, place, order + 1, entered, size, reach)
        assert crossing == slow_nonprojective_arcs(moved)
        assert length == dependency_lengths(bank(moved)).sum()
