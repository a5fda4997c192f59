"""Directions of arcs by kind: by hand, against a slow twin, and as laws."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.strategies import heads_of_any_kind, trees
from tests.unit.properties.all_orders import bank
from treegauge.properties import direction_counts, head_finality
from treegauge.treebank import Treebank

# wild birds sing songs loudly; songs birds sing
HEADS = [[2, 3, 0, 3, 3], [3, 3, 0]]
TAGS = ["ADJ", "NOUN", "VERB", "NOUN", "ADV", "NOUN", "NOUN", "VERB"]
RELATIONS = ["amod", "nsubj", "root", "obj", "advmod", "obj", "nsubj:pass", "root"]


def birds(**columns: list[str]) -> Treebank:
    return bank(*HEADS, **{"upos": TAGS, "deprel": RELATIONS, **columns})


def test_worked_example():
    counts = direction_counts(birds())
    found = {
        kind: both
        for kind, *both in zip(
            counts.kinds, counts.left.tolist(), counts.right.tolist(), strict=True
        )
    }
    assert found == {
        ("amod", "NOUN", "ADJ"): [1, 0],
        ("nsubj", "VERB", "NOUN"): [1, 0],
        ("obj", "VERB", "NOUN"): [1, 1],
        ("advmod", "VERB", "ADV"): [0, 1],
        ("nsubj:pass", "VERB", "NOUN"): [1, 0],
    }
    assert counts.arcs == 6
    assert counts.entropy() == 2 / 6
    finality = head_finality(counts)
    assert [(one.relation, one.arcs, one.share) for one in finality] == [
        ("obj", 2, 0.5),
        ("advmod", 1, 0.0),
        ("amod", 1, 1.0),
        ("nsubj", 1, 1.0),
        ("nsubj:pass", 1, 1.0),
    ]


def test_subtypes_can_be_left_out_and_brackets_are():
    counts = direction_counts(birds(), relations="universal")
    assert ("nsubj", "VERB", "NOUN") in counts.kinds
    assert not any(relation == "nsubj:pass" for relation, _, _ in counts.kinds)
    brackets = ["amod(3)obj", *RELATIONS[1:]]
    assert direction_counts(birds(deprel=brackets)).kinds == direction_counts(birds()).kinds


def test_coarse_tags_where_there_are_no_universal_ones():
    plain = ["_"] * len(TAGS)
    coarse = direction_counts(birds(upos=plain, cpos=TAGS))
    assert coarse.kinds == direction_counts(birds()).kinds
    assert direction_counts(birds(upos=plain)).kinds[0] == ("amod", "_", "_")
    fine = direction_counts(birds(xpos=[f"{tag}-x" for tag in TAGS]), tags="p")
    assert fine.kinds[0] == ("amod", "NOUN-x", "ADJ-x")


def test_rows_of_sentences_sum_to_the_counts():
    counts = direction_counts(birds())
    table = counts.by_sentence()
    assert table.shape == (2, 10)
    assert table.sum(axis=0).tolist() == [*counts.left, *counts.right]
    assert table.toarray().sum(axis=1).tolist() == [4, 2]


def test_no_arcs_no_entropy():
    assert direction_counts(bank([0], [0])).entropy() is None
    assert direction_counts(bank()).entropy() is None
    assert direction_counts(bank([-1, 0], [5, 0])).arcs == 0


@st.composite
def tagged_banks(draw: st.DrawFn) -> Treebank:
    sentences = draw(st.lists(trees(max_size=6), min_size=1, max_size=4))
    n = sum(map(len, sentences))
    pick = st.lists(st.sampled_from("abc"), min_size=n, max_size=n)
    return bank(*sentences, upos=draw(pick), deprel=draw(pick))


def slow_counts(treebank: Treebank) -> Counter:
    found: Counter = Counter()
    for sentence in treebank:
        words = list(sentence)
        for i, word in enumerate(words, start=1):
            if 1 <= word.head <= len(words) and word.head != i:
                kind = (word.deprel, words[word.head - 1].upos, word.upos)
                found[kind, i < word.head] += 1
    return found


@examples(100)
@given(st.lists(heads_of_any_kind(), min_size=1, max_size=3))
def test_any_heads_at_all_agree_with_the_slow_twin(sentences):
    heads = [[-1 if head is None else head for head in one] for one in sentences]
    n = sum(map(len, heads))
    treebank = bank(*heads, upos=list("ab" * n)[:n], deprel=list("xyz" * n)[:n])
    counts = direction_counts(treebank)
    expected = slow_counts(treebank)
    assert dict(zip(counts.kinds, counts.left.tolist(), strict=True)) == {
        kind: expected[kind, True] for kind in counts.kinds
    }
    assert counts.arcs == sum(expected.values())


@examples(100)
@given(tagged_banks())
def test_laws(treebank):
    entropy = direction_counts(treebank).entropy()
    if entropy is None:
        return
    assert 0 <= entropy <= 1 + 1e-12
    assert direction_counts(treebank + treebank).entropy() == entropy
    renamed = treebank.replace(
        columns={"upos": treebank.upos.map(lambda tag: {"a": "c", "b": "a", "c": "b"}[tag])}
    )
    assert direction_counts(renamed).entropy() == entropy
    merged = treebank.replace(columns={"deprel": treebank.deprel.map(lambda _: "x")})
    assert direction_counts(merged).entropy() >= entropy - 1e-12


def test_many_kinds_are_told_apart():
    # More kinds than the table has room for at first.
    n = 5000
    heads = [[0, 1]] * n
    names = [f"r{i % 3000}" for i in range(n) for _ in range(2)]
    counts = direction_counts(bank(*heads, deprel=names))
    assert len(counts.kinds) == 3000
    assert np.array_equal(np.sort(np.unique(counts.right)), [1, 2])
    with pytest.raises(Exception, match="unknown tag column"):
        direction_counts(bank([0]), tags="q")
