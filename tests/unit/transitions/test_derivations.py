"""Static oracles: worked examples, every tree of up to six words, and what cannot be derived."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.unit.transitions.all_trees import all_forests, bank, is_projective
from tests.unit.transitions.every_configuration import ALL_WAYS
from tests.unit.transitions.slow_oracles import slow_derivation
from tests.unit.transitions.slow_systems import SlowConfiguration
from treegauge.errors import TreegaugeError
from treegauge.transitions import (
    Derivation,
    Root,
    TransitionError,
    TransitionSystem,
    derive,
    rebuild,
)
from treegauge.treebank import Column, Treebank, TreebankError

SH, LA, RA, RE, SW, NA = "shift", "left-arc", "right-arc", "reduce", "swap", "no-arc"

ECONOMIC_NEWS = [2, 3, 0, 5, 3, 5, 8, 6, 3]
"""Economic news had little effect on financial markets . (Nivre 2008, Figure 1)"""

A_HEARING = [2, 3, 0, 3, 2, 7, 5, 4, 3]
"""A hearing is scheduled on the issue today . (Nivre 2009, Figure 1)"""


@cache
def all_short() -> tuple[Treebank, NDArray[np.bool_], NDArray[np.bool_]]:
    """All forests of up to six words, whether they are projective, whether they have one root."""
    forests = [heads for n in range(1, 7) for heads in all_forests(n)]
    return (
        bank(forests),
        np.array([is_projective(heads) for heads in forests]),
        np.array([heads.count(0) == 1 for heads in forests]),
    )


# ---------------------------------------------------------------------- worked examples


def moves(heads: list[int], system: str, root: str = "first") -> list[str]:
    (found,) = derive(bank([heads]), system, root=root)
    return found


def test_arc_eager_as_in_the_paper() -> None:
    # Nivre (2008), Figure 6
    expected = [SH, LA, SH, LA, RA, SH, LA, RA, RA, SH, LA, RA, RE, RE, RE, RA]
    assert moves(ECONOMIC_NEWS, "arc-eager") == expected


def test_arc_standard_builds_right_dependents_when_they_are_complete() -> None:
    expected = [SH, SH, LA, SH, LA, SH, SH, LA, SH, SH, SH, LA, RA, RA, RA, SH, RA, RA]
    assert moves(ECONOMIC_NEWS, "arc-standard") == expected


def test_swap_eager_as_in_the_paper() -> None:
    # Nivre (2009), Figure 4
    expected = [
        *[SH, SH, LA, SH, SH, SH, SW, SW, SH, SH, SH, SW, SW, SH, SH, SH, SW, SW],
        *[LA, RA, RA, SH, LA, SH, SH, RA, RA, SH, RA, RA],
    ]
    assert moves(A_HEARING, "swap-eager") == expected


def test_swap_lazy_waits_until_on_the_issue_is_built() -> None:
    # Nivre, Kuhlmann and Hall (2009): two swaps instead of six
    expected = [
        *[SH, SH, LA, SH, SH, SH, SH, SH, LA, RA, SW, SW],
        *[RA, SH, LA, SH, SH, RA, RA, SH, RA, RA],
    ]
    assert moves(A_HEARING, "swap-lazy") == expected


@pytest.mark.parametrize(
    ("system", "root", "expected"),
    [
        ("covington", "first", [SH, LA, RA, SH]),
        ("covington", "last", [SH, LA, SH, LA, SH]),
        ("covington", "none", [SH, LA, SH]),
        ("covington-projective", "first", [SH, LA, RA, SH]),
        ("arc-hybrid", "last", [SH, LA, SH, LA]),
        ("arc-eager", "none", [SH, LA, SH]),
        ("arc-standard", "last", [SH, SH, LA, SH, LA]),
        ("arc-standard", "none", [SH, SH, LA]),
    ],
)
def test_birds_sing(system: str, root: str, expected: list[str]) -> None:
    assert moves([2, 0], system, root) == expected


def test_covington_goes_back_for_a_crossing_arc() -> None:
    # The arcs 3 -> 1 and 4 -> 2 cross: word 3 passes 2 by to take 1, word 4 takes 2.
    assert moves([3, 4, 0, 3], "covington") == [SH, SH, NA, LA, RA, SH, RA, LA, SH]


def test_orders_of_the_examples() -> None:
    hearing = bank([A_HEARING])
    assert derive(hearing, "swap-lazy").order.tolist() == [1, 6, 7, 5, 2, 8, 4, 9, 3]
    assert derive(hearing, "swap-eager").order.tolist() == [1, 6, 7, 5, 2, 8, 4, 9, 3]
    assert derive(hearing, "covington").order.tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    news = bank([ECONOMIC_NEWS])
    assert derive(news, "arc-eager").order.tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert derive(news, "arc-standard").order.tolist() == [1, 2, 4, 7, 8, 6, 5, 9, 3]
    assert derive(news, "arc-standard").rank.tolist() == [1, 2, 9, 3, 7, 6, 4, 5, 8]


# ---------------------------------------------------------------------- every short tree


@pytest.mark.parametrize(("system", "root", "single_root"), ALL_WAYS)
def test_every_tree_that_can_be_is_rebuilt(
    system: TransitionSystem, root: Root, single_root: bool
) -> None:
    treebank, projective, one_root = all_short()
    assert (len(treebank), projective.sum(), one_root.sum()) == (18248, 1772, 8477)
    derivation = derive(treebank, system, root=root, single_root=single_root)
    expected = np.ones(len(treebank), np.bool_)
    if not system.covers_all_trees:
        expected &= projective
    if single_root or (root is Root.NONE and system.leaves_one_tree):
        expected &= one_root
        assert (derivation.several_roots == ~one_root).all()
    assert (derivation.derived == expected).all()
    head, _ = rebuild(derivation)
    words = expected[treebank.sentence_of_word]
    assert (head[words] == treebank.head[words]).all()
    assert (head[~words] == -1).all()


@pytest.mark.parametrize(("system", "root", "single_root"), ALL_WAYS)
def test_the_slow_twin_follows_the_same_moves(
    system: TransitionSystem, root: Root, single_root: bool
) -> None:
    forests = [heads for n in range(1, 5) for heads in all_forests(n)]
    derivation = derive(bank(forests), system, root=root, single_root=single_root)
    followed = 0
    for s, names in enumerate(derivation):
        if not derivation.derived[s]:
            continue
        heads = forests[s]
        slow = SlowConfiguration(system, root, single_root, len(heads))
        order: list[int] = []
        for name in names:
            assert name in slow.legal()
            slow.make(name)
            order += slow.heads.keys() - set(order)
        assert slow.is_terminal()
        assert [slow.heads.get(word, 0) for word in range(1, len(heads) + 1)] == list(heads)
        order += [word for word in range(1, len(heads) + 1) if word not in order]
        begin, end = derivation.offsets[s : s + 2]
        assert derivation.order[begin:end].tolist() == order
        followed += 1
    assert followed >= 40


@pytest.mark.parametrize("system", list(TransitionSystem))
def test_moves_are_those_of_the_slow_oracles(system: TransitionSystem) -> None:
    forests = [heads for n in range(1, 5) for heads in all_forests(n)]
    if system.spelling.startswith("swap"):
        forests += all_forests(5)[::2]  # components get interesting
    for heads, names in zip(forests, derive(bank(forests), system), strict=True):
        assert names == (slow_derivation(heads, system) or [])


def test_stack_systems_attach_dependents_before_heads() -> None:
    treebank, projective, _ = all_short()
    standard = derive(treebank, "arc-standard")
    for name in ("arc-standard", "arc-hybrid", "swap-eager", "swap-lazy"):
        derivation = derive(treebank, name)
        rank = derivation.rank
        first = np.repeat(treebank.offsets[:-1], treebank.lengths)
        inner = (treebank.head > 0) & (rank > 0)
        assert (rank[inner] < rank[(first + treebank.head - 1)[inner]]).all()
        # On projective trees all of them read the tree from the bottom, without a swap.
        words = projective[treebank.sentence_of_word]
        if name != "arc-hybrid":
            assert (derivation.order[words] == standard.order[words]).all()
        moves = np.diff(derivation.move_offsets)[projective]
        assert (moves == 2 * treebank.lengths[projective]).all()


def test_swaps_are_for_trees_that_are_not_projective() -> None:
    treebank, projective, _ = all_short()
    eager = derive(treebank, "swap-eager").count("swap")
    lazy = derive(treebank, "swap-lazy").count("swap")
    assert ((eager == 0) == projective).all()
    assert ((lazy == 0) == projective).all()
    assert lazy.sum() < eager.sum()
    # Nothing promises it, but so it is in all trees this short.
    assert (lazy <= eager).all()


def test_the_place_of_the_root_does_not_matter_to_stack_systems() -> None:
    treebank, _, one_root = all_short()
    words = one_root[treebank.sentence_of_word]
    for name in ("arc-standard", "arc-hybrid", "swap-eager", "swap-lazy"):
        orders = [derive(treebank, name, root=root).order[words] for root in Root]
        assert (orders[0] == orders[1]).all()
        assert (orders[0] == orders[2]).all()


def test_other_systems_attach_the_root_word_last_unless_the_root_stands_first() -> None:
    treebank, _, one_root = all_short()
    roots = np.flatnonzero(treebank.head == 0)
    for name in ("arc-eager", "covington-projective", "covington"):
        first, last, none = (derive(treebank, name, root=root) for root in Root)
        alone = (one_root & first.derived)[treebank.sentence_of_word]
        assert (last.order[alone] == none.order[alone]).all()
        ranks = last.rank[roots][alone[roots]]
        assert (ranks == np.repeat(treebank.lengths, treebank.lengths)[roots][alone[roots]]).all()
        assert (first.rank[roots][alone[roots]] <= ranks).all()
        assert (first.order[alone] != last.order[alone]).any()


def test_moves_are_not_more_than_promised() -> None:
    treebank, *_ = all_short()
    n = treebank.lengths
    for system in TransitionSystem:
        made = np.diff(derive(treebank, system).move_offsets)
        if system.spelling.startswith("swap"):
            assert (made <= n * n + 2 * n).all()
        elif system.spelling.startswith("covington"):
            assert (made <= n * (n + 3) / 2).all()
        else:
            assert (made <= 2 * n).all()


# ---------------------------------------------------------------------- labels, and what is odd


@pytest.mark.parametrize("system", list(TransitionSystem))
def test_labels_go_with_their_arcs(system: TransitionSystem) -> None:
    relations = ["amod", "nsubj", "root", "amod", "obj", "nmod", "amod", "case", "punct"]
    treebank = bank([ECONOMIC_NEWS], labels=relations)
    derivation = derive(treebank, system)
    _, label = rebuild(derivation)
    assert [treebank.deprel.vocabulary[code] for code in label] == relations
    arcs = np.isin(derivation.moves, [1, 2])
    assert (derivation.labels[~arcs] == -1).all()
    given = [treebank.deprel.vocabulary[code] for code in derivation.labels[arcs]]
    assert given == [relations[word - 1] for word in derivation.order]


def test_the_root_without_a_move_gets_the_label_that_is_given() -> None:
    treebank = bank([[2, 0]], labels=["nsubj", "root"])
    derivation = derive(treebank, "arc-eager", root="none")
    assert rebuild(derivation, root_label=17)[1].tolist() == [treebank.deprel.codes[0], 17]


def test_a_treebank_of_nothing_and_a_sentence_of_nothing() -> None:
    for system, root, single_root in ALL_WAYS:
        none = derive(bank([]), system, root=root, single_root=single_root)
        assert (len(none.moves), len(none.order), none.n_not_derived) == (0, 0, 0)
        some = derive(bank([[], [0], []]), system, root=root, single_root=single_root)
        assert some.order.tolist() == [1]
        assert some.n_not_derived == 0
        assert rebuild(some)[0].tolist() == [0]


def test_a_long_sentence() -> None:
    n = 3000
    chain = [*range(2, n + 1), 0]
    for system in TransitionSystem:
        assert derive(bank([chain]), system).order.tolist() == [*range(1, n + 1)]


def test_what_is_not_derived_is_counted_and_named() -> None:
    treebank = bank([[2, 0], [3, 4, 0, 3], [0, 0]])
    derivation = derive(treebank, "arc-eager", single_root=True)
    assert derivation.derived.tolist() == [True, False, False]
    assert derivation.not_projective.tolist() == [False, True, False]
    assert derivation.several_roots.tolist() == [False, False, True]
    assert derivation.order.tolist() == [1, 2, 0, 0, 0, 0, 0, 0]
    assert derivation.rank.tolist() == [1, 2, 0, 0, 0, 0, 0, 0]
    assert [len(names) for names in derivation] == [3, 0, 0]
    with pytest.raises(
        TransitionError,
        match=r"training needs all derivations; arc-eager has none for 2 of 3 sentences "
        r"\(1 not projective, 1 with several roots\): number 2, number 3\n",
    ):
        derivation.require_all(purpose="training")
    lazy = derive(treebank, "swap-lazy")
    assert lazy.require_all(purpose="training") is lazy


def test_what_is_no_tree_is_refused() -> None:
    words = Column.from_strings(["a", "b"])
    for heads in ([2, 1], [2, 3], [2, -1]):
        with pytest.raises(
            TreebankError, match="a derivation needs one complete tree per sentence"
        ):
            derive(Treebank({"form": words}, heads, offsets=[0, 2]), "covington")
    with pytest.raises(TreegaugeError, match="unknown transition system 'sideways'"):
        derive(bank([[0]]), "sideways")


def test_moves_that_are_no_derivation_are_refused() -> None:
    good = derive(bank([[0], [2, 0]]), "arc-standard")

    def with_moves(changed: list[int]) -> Derivation:
        fields = {**vars(good), "moves": np.array(changed, np.int8)}
        return Derivation(**fields)

    assert rebuild(with_moves([0, 2, 0, 0, 1, 2]))[0].tolist() == [0, 2, 0]
    for changed in (
        [0, 1, 0, 0, 1, 2],
        [0, 2, 0, 0, 1, 3],
        [0, 2, 0, 0, 1, -1],
        [0, 2, 0, 2, 0, 7],
    ):
        with pytest.raises(TransitionError, match="are no derivation of arc-standard"):
            rebuild(with_moves(changed))


def test_moves_are_counted_by_their_names() -> None:
    derivation = derive(bank([[2, 0], A_HEARING]), "swap-eager")
    assert derivation.count("swap").tolist() == [0, 6]
    assert derivation.count("shift").tolist() == [2, 15]
    with pytest.raises(TransitionError, match="swap-eager has no move 'reduce'; it has shift, "):
        derivation.count("reduce")


def test_sentence_that_takes_too_many_moves_is_refused(monkeypatch) -> None:
    crossing = bank([[2, 3, 0, 3, 2, 5], [0]])
    needed = len(derive(crossing[:1], "swap-lazy").moves)
    monkeypatch.setattr("treegauge.transitions.derivations._MOST_MOVES", needed)
    assert len(derive(crossing[:1], "swap-lazy").moves) == needed
    monkeypatch.setattr("treegauge.transitions.derivations._MOST_MOVES", needed - 1)
    with pytest.raises(TransitionError, match="sentence 1 has 6 words, and swap-lazy takes more"):
        derive(crossing, "swap-lazy")
