from __future__ import annotations

import time
from itertools import product

import numpy as np
import pytest

from treegauge.properties import nonprojective_arcs
from treegauge.treebank import Column, Treebank
from treegauge.treebank.selection import keep_words


def treebank_of(sentences: list[list[int]]) -> Treebank:
    heads = [head for sentence in sentences for head in sentence]
    lengths = [len(sentence) for sentence in sentences]
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(int)
    return Treebank({"form": Column.constant("w", len(heads))}, heads, offsets=offsets)


def ancestors(heads: list[int], word: int) -> list[int]:
    path = []
    while word and word not in path:
        path.append(word)
        word = heads[word - 1]
    return [*path, 0] if not word else []


def slow_nonprojective_arcs(heads: list[int]) -> int:
    """From the definition: count arcs with a word in between that the head does not dominate."""
    if any(not ancestors(heads, word) for word in range(1, len(heads) + 1)):
        return -1
    return sum(
        any(head not in ancestors(heads, k) for k in range(min(head, word) + 1, max(head, word)))
        for word, head in enumerate(heads, start=1)
        if head
    )


@pytest.mark.parametrize(
    ("heads", "expected"),
    [
        ([0], 0),
        ([2, 0, 2], 0),
        ([3, 4, 0, 3], 1),
        ([3, 0, 2, 1], 2),  # 3 -> 1 and 1 -> 4 both span the root
        ([2, 1], -1),
        ([5, 0], -1),
        ([0, 0, 1], 1),  # two roots: 1 -> 3 spans the other
    ],
)
def test_worked_examples(heads, expected):
    assert nonprojective_arcs(treebank_of([heads])).tolist() == [expected]


def test_every_head_vector_up_to_five_words_agrees_with_the_definition():
    vectors = [list(v) for n in range(1, 6) for v in product(range(n + 1), repeat=n)]
    found = nonprojective_arcs(treebank_of(vectors)).tolist()
    assert found == [slow_nonprojective_arcs(heads) for heads in vectors]


def test_long_random_trees_agree_with_the_definition():
    rng = np.random.default_rng(7)
    trees = []
    for n in rng.integers(6, 40, size=200).tolist():
        order = (rng.permutation(n) + 1).tolist()
        heads = [0] * n
        for i, word in enumerate(order[1:], start=1):
            near = max(0, i - int(rng.integers(1, n)))
            heads[word - 1] = order[near]
        trees.append(heads)
    found = nonprojective_arcs(treebank_of(trees)).tolist()
    assert found == [slow_nonprojective_arcs(heads) for heads in trees]
    assert 0 < sum(found) < sum(map(len, trees))


def test_sentences_without_words_or_heads():
    assert nonprojective_arcs(treebank_of([[], [0]])).tolist() == [0, 0]
    assert nonprojective_arcs(treebank_of([[-1, -1], [-1, 0]])).tolist() == [-1, -1]


LONG = 200_000


@pytest.mark.parametrize(
    ("heads", "expected"),
    [
        (list(range(LONG)), 0),
        ([*range(2, LONG + 1), 0], 0),
        ([0] + [1] * (LONG - 1), 0),
        ([LONG] * (LONG - 1) + [0], 0),
        # All hang on the first word or on the last one in turn, and the last is the root.
        ([LONG, *([1, LONG] * (LONG // 2 - 1)), 0], LONG // 2 - 2),
    ],
    ids=["chain to the right", "chain to the left", "star", "star to the left", "two stars"],
)
def test_very_long_sentences_take_linear_time(heads, expected):
    treebank = treebank_of([heads])
    nonprojective_arcs(treebank_of([[0]]))  # compiles
    start = time.perf_counter()
    assert nonprojective_arcs(treebank).tolist() == [expected]
    assert time.perf_counter() - start < 1


def test_removing_long_chains_of_punctuation_takes_linear_time():
    # A chain of punctuation marks with a word on every one of them; then the chain is closed.
    for root, head_of_first in ((0, 0), (LONG // 2, -1)):
        marks = [root, *range(1, LONG // 2)]
        heads = [*marks, *range(1, LONG // 2 + 1)]
        keep = np.repeat([False, True], LONG // 2)
        treebank = treebank_of([heads])
        keep_words(treebank_of([[0]]), np.array([True]))  # compiles
        start = time.perf_counter()
        kept = keep_words(treebank, keep, allow_cycles=True)
        assert time.perf_counter() - start < 1
        assert set(kept.head.tolist()) == {head_of_first}
