"""Inducers that vote: decoding against all trees, weights by hand, what a row is told."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from tests.unit.systems.parsers.all_trees import all_trees
from treegauge.systems import SystemsError, make_system
from treegauge.systems.voting import agreement_weights, trees_of_most_votes, votes_for_arcs
from treegauge.treebank import without_punctuation


@pytest.fixture(scope="module")
def toy():
    return tg.toy_treebank("toy:svo", part="test")[:120]


def ensemble(*members, **settings):
    return make_system("inducer-ensemble", {"systems": members, **settings})


# `agreement_weights` are at least exp(-8). Trees whose votes differ by 1e-11 count as equally good.
WEIGHTS = st.just(0.0) | st.floats(1e-4, 1)


@examples(60)
@given(st.data(), st.integers(1, 5), st.booleans())
def test_the_tree_has_most_votes_of_all_trees(data, n, projective):
    """Voters of different weight; their trees need not be projective."""
    trees = all_trees(n, projective=False, single_root=True)
    voters = data.draw(st.lists(st.sampled_from(trees), min_size=1, max_size=4))
    weights = data.draw(st.lists(WEIGHTS, min_size=len(voters), max_size=len(voters)))
    offsets = np.array([0, n])
    arcs = sum(
        weight * votes_for_arcs(np.array(voter, np.int32), offsets)
        for weight, voter in zip(weights, voters, strict=True)
    )
    table = arcs.reshape(n + 1, n)

    def votes(heads):
        return sum(table[head, word] for word, head in enumerate(heads))

    elected = trees_of_most_votes(arcs, offsets, projective=projective)
    candidates = all_trees(n, projective=projective, single_root=True)
    assert tuple(elected.tolist()) in candidates
    assert votes(elected.tolist()) == pytest.approx(max(map(votes, candidates)))


def test_several_sentences_are_decoded_each_for_itself():
    offsets = np.array([0, 2, 2, 5])
    heads = np.array([2, 0, 0, 3, 1], np.int32)
    for projective in (True, False):
        arcs = votes_for_arcs(heads, offsets)
        assert trees_of_most_votes(arcs, offsets, projective=projective).tolist() == heads.tolist()


def test_agreement_by_hand():
    """Two agree on all of four words, the third with each of them on two: a = 0.75, 0.75, 0.5."""
    trees = np.array([[2, 0, 2, 3], [2, 0, 2, 3], [0, 1, 2, 3]], np.int32)
    assert agreement_weights(trees) == pytest.approx([1, 1, np.exp(8 * (0.5 - 0.75))])


def test_a_system_that_votes_twice_has_its_own_trees(toy):
    single = make_system("dmv", {"iterations": 3, "decode": "minimum-risk"}).fit(toy).annotate(toy)
    member = "dmv?iterations=3&decode=minimum-risk"
    for of in ("trees", "posteriors"):
        twice = ensemble(member, member, of=of).fit(toy).annotate(toy)
        assert (twice.head == single.head).all()


def test_posteriors_of_a_grammar_are_those_of_the_chart(toy):
    """Every word has one head; minimum risk finds the same trees in them."""
    words = without_punctuation(toy)
    system = make_system("dmv", {"iterations": 3, "decode": "minimum-risk"}).fit(toy)
    arcs = system.arc_posteriors(words)
    first = words.lengths[0]
    table = arcs[: first * (first + 1)].reshape(first + 1, first)
    assert table.sum(axis=0) == pytest.approx(np.ones(first))
    decoded = trees_of_most_votes(arcs, words.offsets, projective=True)
    assert (decoded == without_punctuation(system.annotate(toy)).head).all()


def test_the_majority_outvotes_the_first(toy):
    elected = ensemble("left-branching", "right-branching", "right-branching", of="trees")
    assert (
        elected.fit(toy).annotate(toy).head == make_system("right-branching").annotate(toy).head
    ).all()


def test_long_sentences_are_left_to_the_first(toy):
    voters = ("left-branching", "right-branching", "right-branching")
    system = ensemble(*voters, longest_whole=1).fit(toy)
    with pytest.warns(match="left to the first system"):
        answer = system.annotate(toy)
    first = make_system("left-branching").annotate(toy)
    assert (answer.head == first.head).all()


def test_a_row_is_told_what_its_best_informed_system_is_told():
    assert ensemble("dmv", "harmonic").supervision == "unsupervised"
    assert ensemble("dmv", "udp").supervision == "universal rules"
    assert ensemble("dmv", "harmonic").is_deterministic
    assert not ensemble("dmv", "random").is_deterministic


def test_one_system_is_no_vote():
    with pytest.raises(SystemsError, match="expected at least two, found 1"):
        ensemble("dmv")


@pytest.mark.parametrize("name", ["brown", "graph"])
def test_only_inducers_of_dependencies_vote(name):
    with pytest.raises(SystemsError, match="no inducer of dependencies"):
        ensemble("dmv", name)
