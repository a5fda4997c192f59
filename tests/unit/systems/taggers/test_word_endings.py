from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

from tests.examples import examples
from treegauge.systems.taggers.word_endings import EndingTree, NodeCounts, last_characters

words = st.lists(st.text("ab漢😀", max_size=5), min_size=1, max_size=10, unique=True)


@examples(100)
@given(words, words, st.integers(0, 4))
def test_a_walk_goes_as_far_as_an_ending_is_known(seen: list, asked: list, longest: int) -> None:
    groups = np.array([len(word) % 2 for word in seen])
    tree, path = EndingTree.of(last_characters(seen, longest), groups, n_roots=2)
    assert tree.walk(last_characters(seen, longest), groups).tolist() == path.tolist()
    # A node is an ending in a group; equal ones have equal nodes.
    endings = {
        (group, word[len(word) - length :])
        for word, group in zip(seen, groups.tolist(), strict=True)
        for length in range(min(len(word), longest) + 1)
    } | {(0, ""), (1, "")}
    assert len(tree) == len(endings)
    walked = tree.walk(last_characters(asked, longest), np.zeros(len(asked), np.int64))
    for word, nodes in zip(asked, walked.tolist(), strict=True):
        known = [(0, word[len(word) - n :]) in endings for n in range(min(len(word), longest) + 1)]
        assert sum(node >= 0 for node in nodes) == sum(known)
        for node in [node for node in nodes if node >= 0][1:]:
            assert tree.root_of[node] == 0


def test_tags_are_summed_over_the_nodes_of_a_path() -> None:
    seen = ["ba", "ca"]
    tree, path = EndingTree.of(last_characters(seen, 2), np.zeros(2, np.int64), n_roots=1)
    counts = NodeCounts.of(
        path,
        np.array([0, 1, 1]),
        np.array([0, 0, 1], np.int32),
        np.array([3, 1, 2]),
        n_nodes=len(tree),
        n_tags=2,
    )
    assert counts.totals.tolist() == [6, 6, 3, 3]
    every = [counts.summed(np.arange(4) == node, 2).tolist() for node in range(4)]
    assert every == [[4, 2], [4, 2], [3, 0], [1, 2]]
    assert counts.entropies[2] == 0
    assert np.isclose(counts.entropies[0], -(2 / 3 * np.log2(2 / 3) + 1 / 3 * np.log2(1 / 3)))
