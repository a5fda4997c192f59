from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from treegauge.properties import nonprojective_arcs
from treegauge.treebank import Column, Treebank


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


def test_sentences_without_words_or_heads():
    assert nonprojective_arcs(treebank_of([[], [0]])).tolist() == [0, 0]
    assert nonprojective_arcs(treebank_of([[-1, -1], [-1, 0]])).tolist() == [-1, -1]


def test_a_very_long_sentence_is_no_problem():
    chain = list(range(20_000))
    assert nonprojective_arcs(treebank_of([chain])).tolist() == [0]
