"""Orders of sisters: by hand, and against a slow twin."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.properties.all_orders import bank, star
from tests.unit.properties.test_direction_entropy import tagged_banks
from treegauge.properties import sibling_order_entropy
from treegauge.properties.sibling_entropy import sibling_orders
from treegauge.properties.two_way_entropy import two_way_entropy


def slow_orders(treebank, sides: str) -> Counter:
    found: Counter = Counter()
    for sentence in treebank:
        words = list(sentence)
        for h in range(1, len(words) + 1):
            below = [i for i in range(1, len(words) + 1) if words[i - 1].head == h]
            for a, b in combinations(below, 2):
                keys = [(words[i - 1].deprel, words[i - 1].upos) for i in (a, b)]
                if keys[0] == keys[1] or (sides == "same" and (a < h) != (b < h)):
                    continue
                if sides == "given":
                    keys = [(*key, i < h) for key, i in zip(keys, (a, b), strict=True)]
                kind = (words[h - 1].upos, *sorted(keys))
                found[kind, keys[0] < keys[1]] += 1
    return found


@pytest.mark.parametrize("sides", ["any", "same", "given"])
@examples(150)
@given(data=st.data())
def test_the_slow_twin_agrees(sides, data):
    treebank = data.draw(tagged_banks())
    expected = slow_orders(treebank, sides)
    kinds = sorted({kind for kind, _ in expected})
    one, other = sibling_orders(treebank, sides=sides)
    # Which of the two kinds of a pair is the first does not matter.
    assert sorted(sorted(pair) for pair in zip(one.tolist(), other.tolist(), strict=True)) == (
        sorted(sorted([expected[kind, True], expected[kind, False]]) for kind in kinds)
    )
    entropy = two_way_entropy(
        [expected[kind, True] for kind in kinds], [expected[kind, False] for kind in kinds]
    )
    assert sibling_order_entropy(treebank, sides=sides) == (
        None if entropy is None else pytest.approx(entropy, abs=1e-12)
    )


def test_by_hand():
    # sing: birds/nsubj before it, songs/obj and loudly/advmod behind it; then loudly before songs.
    heads = [[2, 0, 2, 2], [2, 0, 2, 2]]
    names = ["nsubj", "root", "obj", "advmod", "nsubj", "root", "advmod", "obj"]
    treebank = bank(*heads, deprel=names)
    # Pairs: nsubj-obj and nsubj-advmod twice each in one order, obj-advmod once in either.
    assert sibling_order_entropy(treebank) == 2 / 6
    assert sibling_order_entropy(treebank, sides="same") == 1.0
    assert sibling_order_entropy(treebank, sides="given") == 2 / 6
    assert sibling_order_entropy(treebank[:1]) == 0.0
    assert sibling_order_entropy(bank([0, 1])) is None


def test_a_head_with_ten_thousand_children():
    n = 10_000
    treebank = bank(star(n), deprel=["root", *["a", "b"] * (n // 2)][:n])
    one, other = sibling_orders(treebank)
    assert int((one + other).sum()) == (n // 2) * ((n - 1) // 2)
    # a b a b ...: of k of each, k (k + 1) / 2 pairs have a first (here one b is missing).
    k = (n - 1) // 2
    assert sorted(np.concatenate([one, other]).tolist()) == [k * (k + 1) // 2] * 2
