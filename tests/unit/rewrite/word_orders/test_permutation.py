"""Orders: by hand, against slow twins, and as laws."""

from __future__ import annotations

import time
from collections import Counter
from math import factorial, prod

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import chisquare

from tests.examples import examples
from tests.strategies import trees
from tests.unit.properties.all_orders import bank, caterpillar, chain, random_tree, star
from tests.unit.rewrite.word_orders import slow_orders as slow
from treegauge.properties import (
    WordOrder,
    branching_lengths,
    dependency_lengths,
    direction_counts,
    nonprojective_arcs,
    optimal_lengths,
    select_sentences,
)
from treegauge.rewrite import ORDERS, RewriteError, permute
from treegauge.rewrite.word_orders import parse_order
from treegauge.treebank import Treebank, TreebankError, tree_flaws

EVERY_ORDER = [
    "optdl",
    "optdl:plain",
    "optdl:root-right",
    "right",
    "left",
    "random-projective",
    "random",
    "mirror",
    "projectivise",
    "consistent",
    "consistent:kind",
    "nonprojective:0",
    "mix:0.5",
]


def orders(treebank: Treebank, order: str, **options) -> list[list[int]]:
    """Return for every sentence the numbers of its words, from 1, in the new order."""
    permuted = permute(treebank, order, **options)
    numbers = [int(form[1:]) for form in permuted.form]
    return [
        [n - begin + 1 for n in numbers[begin:end]]
        for begin, end in zip(permuted.offsets[:-1], permuted.offsets[1:], strict=True)
    ]


def unordered(treebank: Treebank) -> list[Counter]:
    """Return for every sentence its arcs: (form, relation, form of the head)."""
    found = []
    for sentence in treebank:
        words = list(sentence)
        found.append(
            Counter(
                (w.form, w.upos, w.deprel, words[w.head - 1].form if w.head else "") for w in words
            )
        )
    return found


forests = st.lists(trees(max_size=9), min_size=1, max_size=4)


def test_every_order_is_tested():
    assert {order.partition(":")[0] for order in EVERY_ORDER} == set(ORDERS)


# ---------------------------------------------------------------------- by hand

JOHN = [2, 0, 2, 5, 2]  # 1 John 2 threw 3 out 4 the 5 trash


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("right", [2, 1, 3, 5, 4]),
        ("left", [4, 5, 3, 1, 2]),
        ("optdl", [4, 5, 3, 2, 1]),
        ("optdl:root-right", [1, 2, 3, 5, 4]),
        ("mirror", [5, 4, 3, 2, 1]),
        ("projectivise", [1, 2, 3, 4, 5]),
    ],
)
def test_john_threw_out_the_trash(order, expected):
    assert orders(bank(JOHN), order) == [expected]


def test_plain_alternation_forgets_where_the_head_stands():
    # 3 heads 2 and 4, which head 1 and 5.
    tree = bank([2, 3, 0, 3, 4])
    assert orders(tree, "optdl") == [[1, 2, 3, 4, 5]]
    assert orders(tree, "optdl:plain") == [[1, 2, 3, 5, 4]]


def test_subtrees_come_together():
    # a hearing is scheduled on it today: `on it` goes back to `hearing`.
    assert orders(bank([2, 3, 0, 3, 2, 5, 4]), "projectivise") == [[1, 2, 5, 6, 3, 4, 7]]


def test_consistent_by_hand():
    relations = ["obj", "root", "root", "obj", "root", "obj", "nsubj"]
    treebank = bank([2, 0], [0, 1], [0, 1, 1], deprel=relations)
    # obj stands behind its head twice and before it once; nsubj only behind it.
    assert orders(treebank, "consistent") == [[2, 1], [1, 2], [1, 2, 3]]
    tie = bank([2, 0], [0, 1], deprel=["obj", "root", "root", "obj"])
    assert orders(tie, "consistent") == [[2, 1], [1, 2]]
    # With tags, the first obj is another kind.
    tags = ["X", "X", "Y", "X", "Y", "X", "X"]
    by_kind = bank([2, 0], [0, 1], [0, 1, 1], deprel=relations, upos=tags)
    assert orders(by_kind, "consistent:kind") == [[1, 2], [1, 2], [1, 2, 3]]


# ---------------------------------------------------------------------- twins


@examples(150)
@given(forests)
def test_slow_twins(sentences):
    treebank = bank(*sentences)
    assert orders(treebank, "right") == [slow.right(heads) for heads in sentences]
    assert orders(treebank, "left") == [slow.right(heads)[::-1] for heads in sentences]
    assert orders(treebank, "optdl") == [slow.optdl(heads) for heads in sentences]
    plain = [slow.optdl(heads, plain=True) for heads in sentences]
    assert orders(treebank, "optdl:plain") == plain
    right_first = [slow.optdl(heads, root_first="R") for heads in sentences]
    assert orders(treebank, "optdl:root-right") == right_first
    assert orders(treebank, "projectivise") == [slow.projectivise(heads) for heads in sentences]
    plain_lengths = [
        slow.length(heads, order) for heads, order in zip(sentences, plain, strict=True)
    ]
    assert optimal_lengths(treebank, alternation="plain").tolist() == plain_lengths


@examples(60)
@given(forests, st.data())
def test_slow_consistent(sentences, data):
    n = sum(map(len, sentences))
    relations = data.draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n))
    votes: Counter = Counter()
    at = 0
    for heads in sentences:
        for d, h in enumerate(heads, start=1):
            votes[relations[at + d - 1]] += (1 if d < h else -1) if h else 0
        at += len(heads)
    expected, at = [], 0
    for heads in sentences:
        goes_left = [votes[name] > 0 for name in relations[at : at + len(heads)]]
        expected.append(slow.consistent(heads, goes_left))
        at += len(heads)
    assert orders(bank(*sentences, deprel=relations), "consistent") == expected


@examples(60)
@given(forests)
def test_large_families_are_sorted_as_small_ones(sentences):
    # A star of seventy words takes the other way of sorting.
    rng = np.random.default_rng(len(sentences))
    wide = [0] + [1] * 70
    for d in range(20, 70):
        wide[d] = int(rng.integers(1, d + 1))
    assert orders(bank(wide), "right") == [slow.right(wide)]
    assert orders(bank(wide), "projectivise") == [slow.projectivise(wide)]


# ---------------------------------------------------------------------- laws


@pytest.mark.parametrize("order", EVERY_ORDER)
@examples(40)
@given(sentences=forests, seed=st.integers(0, 5))
def test_words_and_trees_stay(order, sentences, seed):
    n = sum(map(len, sentences))
    names = [f"r{i % 3}" for i in range(n)]
    treebank = bank(*sentences, deprel=names, upos=names[::-1])
    permuted = permute(treebank, order, seed=seed)
    assert unordered(permuted) == unordered(treebank)
    assert not tree_flaws(permuted).any()
    assert permute(treebank, order, seed=seed) == permuted
    if not order.startswith(("random", "mirror", "nonprojective")) or order.endswith("projective"):
        assert not nonprojective_arcs(permuted).any()


@examples(100)
@given(forests)
def test_lengths_and_entropies_of_artificial_orders(sentences):
    treebank = bank(*sentences)
    shortest = permute(treebank, "optdl")
    assert np.array_equal(dependency_lengths(shortest), optimal_lengths(treebank))
    assert np.array_equal(optimal_lengths(shortest), optimal_lengths(treebank))
    again = permute(shortest, "optdl")
    assert np.array_equal(dependency_lengths(again), dependency_lengths(shortest))
    assert WordOrder(shortest).dlm_ratio in (None, 1.0)
    assert WordOrder(permute(treebank, "optdl"), "default,unit=span").dlm_ratio in (None, 1.0)
    for order in ("left", "right"):
        permuted = permute(treebank, order)
        assert np.array_equal(dependency_lengths(permuted), branching_lengths(treebank))
        counts = direction_counts(permuted)
        assert counts.entropy() in (None, 0.0)
        assert (counts.right if order == "left" else counts.left).sum() == 0
    for order in ("consistent", "consistent:kind"):
        assert direction_counts(permute(treebank, order)).entropy() in (None, 0.0)


@examples(100)
@given(forests)
def test_left_is_the_mirror_of_right(sentences):
    treebank = bank(*sentences)
    left, right = permute(treebank, "left"), permute(treebank, "right")
    mirrored = permute(right, "mirror")
    assert list(mirrored.form) == list(left.form)
    assert mirrored.head.tolist() == left.head.tolist()
    both = permute(treebank, "mix:0.5", seed=3)
    for one, as_left, as_right in zip(both, left, right, strict=True):
        forms = [word.form for word in one]
        assert forms in ([w.form for w in as_left], [w.form for w in as_right])


def test_a_mix_mixes():
    treebank = bank(*[[0, 1, 1]] * 400)
    first = sum(order[0] == 1 for order in orders(treebank, "mix:0.25"))
    assert 60 < first < 140  # 100 expected, standard deviation 8.7
    assert orders(treebank, "mix:1") == orders(treebank, "right")
    assert orders(treebank, "mix:0") == orders(treebank, "left")


@pytest.mark.parametrize("heads", [[0, 1, 1, 1], [0, 1, 2, 1], [0, 1, 2, 2], [0, 1, 2, 3]])
def test_random_projective_orders_are_equally_likely(heads):
    trials = 6000
    found = Counter(map(tuple, orders(bank(*[heads] * trials), "random-projective", seed=1)))
    possible = prod(factorial(heads.count(v) + 1) for v in range(1, 5))
    assert len(found) == possible
    assert chisquare(list(found.values())).pvalue > 0.001


def test_random_orders_are_equally_likely():
    found = Counter(map(tuple, orders(bank(*[[0, 1, 1, 2]] * 6000), "random", seed=1)))
    assert len(found) == 24
    assert chisquare(list(found.values())).pvalue > 0.001


# ---------------------------------------------------------------------- what is taken


def test_final_punctuation_stays_at_the_end():
    columns = {"upos": ["X", "X", "X", "PUNCT"]}
    treebank = bank([2, 0, 2, 2], **columns)
    for order in EVERY_ORDER:
        assert orders(treebank, order)[0][-1] == 4
        assert orders(treebank, order, keep_all=True)[0][-1] == 4
    assert orders(treebank, "mirror") == [[3, 2, 1, 4]]
    assert orders(treebank, "mirror", final_punctuation="include") == [[4, 3, 2, 1]]
    assert orders(treebank, "mirror", final_punctuation="strip") == [[3, 2, 1]]
    assert permute(treebank, "mirror").head.tolist() == [2, 0, 2, 2]


def test_the_selection_is_the_papers_unless_all_are_kept():
    tags = ["X", "PUNCT", "X", "X", "X", "X", "X"]
    treebank = bank([3, 3, 0], [0, 0], [0, 1], upos=tags)
    assert permute(treebank, "right").n_sentences == 1
    assert permute(treebank, "right", keep_all=True).n_sentences == 3
    assert select_sentences(treebank).sentences.tolist() == [2]


def test_the_trees_of_a_forest_stand_one_behind_the_other():
    forest = bank([3, 0, 0, 2])  # 2 heads 4, 3 heads 1
    assert orders(forest, "right", keep_all=True) == [[2, 4, 3, 1]]
    assert orders(forest, "left", keep_all=True) == [[1, 3, 4, 2]]
    assert orders(forest, "optdl", keep_all=True) == [[4, 2, 1, 3]]
    assert orders(forest, "projectivise", keep_all=True) == [[2, 4, 1, 3]]


def test_cycles_are_named_where_a_tree_is_needed():
    cyclic = bank([0], [2, 1], [0, 9])
    for order in EVERY_ORDER:
        if order in ("random", "mirror"):
            assert permute(cyclic, order, keep_all=True).n_words == 5
        else:
            with pytest.raises(TreebankError, match="2 of 3 are not: number 2, number 3"):
                permute(cyclic, order, keep_all=True)
    assert permute(cyclic, "right").n_sentences == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("rigth", "unknown order 'rigth'; did you mean right[?]\n  there are optdl, right"),
        ("right:1", "unknown order 'right:1'; write right"),
        ("optdl:best", "write optdl:exact or optdl:plain or optdl:root-right"),
        ("mix", "mix needs a number from 0 to 1, as in mix:0.5; found 'mix'"),
        ("mix:2", "from 0 to 1"),
        ("nonprojective:nan", "from 0 to 1"),
    ],
)
def test_unknown_orders_are_refused(text, complaint):
    with pytest.raises(RewriteError, match=complaint):
        parse_order(text)


def test_ten_thousand_words_and_no_recursion():
    n = 10_000
    rng = np.random.default_rng(0)
    long = bank(chain(n), star(n), caterpillar(n), random_tree(rng, n))
    for order in EVERY_ORDER:
        permute(bank(JOHN), order)
        begin = time.perf_counter()
        permuted = permute(long, order)
        assert time.perf_counter() - begin < 4
        assert permuted.n_words == 4 * n
