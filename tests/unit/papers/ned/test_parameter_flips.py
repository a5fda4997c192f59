"""Parameter flips: by hand on three tags, and as laws on any grammar."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.papers.ned.test_edge_types import tagged
from treegauge.papers.ned.edge_types import EdgeType
from treegauge.papers.ned.parameter_flips import (
    ParameterFlip,
    described_scalars,
    find_flips,
    flip_parameters,
    scalars_of,
    with_flips,
)
from treegauge.papers.ned.settings import MOST_SCALARS
from treegauge.systems import make_system
from treegauge.systems.dependency_induction.chart import Grammar, TagCorpus, viterbi
from treegauge.toys import toy_parts

TAGS = ("TO", "VB", "NN")
TO, VB, NN = range(3)
LEFT, RIGHT = 0, 1
TO_HEADS_VB = ParameterFlip(EdgeType("TO", "VB", "right"))

edges = st.builds(
    EdgeType, st.sampled_from(TAGS), st.sampled_from(TAGS), st.sampled_from(["left", "right"])
)
flips = st.builds(
    ParameterFlip, edges, st.sampled_from([(), ("head",), ("dependent",), ("head", "dependent")])
)


def verbs_take_to() -> Grammar:
    """A grammar that has learnt VB -> TO on its left, as in `to eat`."""
    attach = np.full((3, 2, 1, 3), 1 / 3)
    attach[VB, LEFT, 0] = 0.8, 0.1, 0.1
    attach[TO, RIGHT, 0] = 0.2, 0.2, 0.6
    stop = np.full((3, 2, 2), 0.5)
    stop[VB, LEFT, 0] = 0.3
    return Grammar(np.array([0.3, 0.4, 0.3]), stop, 1 - stop, attach)


def heads_of_to_eat(grammar: Grammar) -> list[int]:
    return viterbi(grammar, TagCorpus([TO, VB], [0, 2], 3)).heads.tolist()


def test_a_flip_turns_to_eat_around():
    # VB -> TO weighs 0.4 * 0.7 * 0.8 = 0.224 before and 0.4 * 0.7 * 1e-6 behind the flip,
    # TO -> VB 0.3 * 0.5 * 0.2 = 0.03 and then 0.3 * 0.5 * 0.9 (all other decisions are alike:
    # both sides of the dependent stop, and so does the head's, at 0.5 but for VB's left).
    grammar = verbs_take_to()
    assert heads_of_to_eat(grammar) == [2, 0]
    flipped = flip_parameters(grammar, TAGS, [TO_HEADS_VB])
    assert heads_of_to_eat(flipped) == [0, 1]
    assert flipped.attach[TO, RIGHT, 0] == pytest.approx([0.025, 0.9, 0.075])
    assert flipped.attach[VB, LEFT, 0] == pytest.approx([1e-6, (1 - 1e-6) / 2, (1 - 1e-6) / 2])


def test_stops_are_changed_with_their_complement():
    flip = ParameterFlip(TO_HEADS_VB.edge, ("head", "dependent"))
    flipped = flip_parameters(verbs_take_to(), TAGS, [flip])
    assert flipped.stop[TO, RIGHT].tolist() == [0.01, 0.5]
    assert flipped.stop[VB, LEFT].tolist() == [0.99, 0.5]
    assert flipped.go[TO, RIGHT, 0] == pytest.approx(0.99)
    assert [str(scalar) for scalar in scalars_of([flip])] == [
        "attach(VB | TO, right)",
        "attach(TO | VB, left)",
        "stop(TO, right, v=0)",
        "stop(VB, left, v=0)",
    ]


def test_raised_parameters_of_one_row_share_it():
    other = ParameterFlip(EdgeType("TO", "NN", "right"))
    flipped = flip_parameters(verbs_take_to(), TAGS, [TO_HEADS_VB, other])
    assert flipped.attach[TO, RIGHT, 0] == pytest.approx([0.1, 0.45, 0.45])


def test_the_first_of_two_opposite_flips_wins():
    turned = ParameterFlip(TO_HEADS_VB.edge.turned)
    both = flip_parameters(verbs_take_to(), TAGS, [TO_HEADS_VB, turned])
    alone = flip_parameters(verbs_take_to(), TAGS, [TO_HEADS_VB])
    assert np.array_equal(both.attach, alone.attach)


def test_a_row_of_zeros_and_a_row_without_a_rest():
    grammar = Grammar(np.array([0.5, 0.5]), *[np.full((2, 2, 2), 0.5)] * 2, np.zeros((2, 2, 1, 2)))
    all_raised = [ParameterFlip(EdgeType("A", tag, "right")) for tag in "AB"]
    flipped = flip_parameters(grammar, ("A", "B"), all_raised)
    assert flipped.attach[0, RIGHT, 0].tolist() == [0.5, 0.5]
    assert flipped.attach[1, LEFT, 0] == pytest.approx([1e-6, 1 - 1e-6])


@examples(200)
@given(st.lists(flips, max_size=5), st.integers(0, 2**32 - 1), st.integers(1, 2))
def test_only_listed_parameters_move_and_rows_stay_distributions(chosen, seed, valences):
    grammar = Grammar.random(np.random.default_rng(seed), 3, 2, valences)
    flipped = flip_parameters(grammar, TAGS, chosen)
    assert flipped.attach.sum(axis=-1) == pytest.approx(np.ones((3, 2, valences)))
    assert flipped.stop + flipped.go == pytest.approx(np.ones((3, 2, 2)))
    assert np.array_equal(flipped.root, grammar.root)

    listed = scalars_of(chosen, valences)
    places = {(scalar.table, scalar.place(TAGS)) for scalar in listed}
    assert len(places) == len(listed)
    lowered = {(s.table, s.place(TAGS)) for s, value in listed.items() if value != 0.9}
    for scalar, value in listed.items():
        place = scalar.place(TAGS)
        found = getattr(flipped, scalar.table)[place]
        if scalar.table == "attach" and all(
            ("attach", (*place[:-1], tag)) in lowered for tag in range(len(TAGS))
        ):
            # A row of which everything is lowered still has to sum to one.
            assert found == pytest.approx(1 / len(TAGS))
            continue
        # A raised one has at least its part of 0.9, and never more than the whole row.
        assert 0.3 <= found <= 1 if value == 0.9 else found == pytest.approx(value, rel=1e-9)
    # Everything else: stops stay to the last bit, the rest of a row keeps its proportions.
    for place in np.ndindex(grammar.stop.shape):
        if ("stop", place) not in places:
            assert flipped.stop[place] == grammar.stop[place]
            assert flipped.go[place] == grammar.go[place]
    for row in np.ndindex(grammar.attach.shape[:3]):
        rest = [c for c in range(3) if ("attach", (*row, c)) not in places]
        if len(rest) == 3:
            assert np.array_equal(flipped.attach[row], grammar.attach[row])
        elif rest:
            ratio = flipped.attach[row][rest] / grammar.attach[row][rest]
            assert ratio == pytest.approx(np.full(len(rest), ratio[0]), rel=1e-6)


# ---------------------------------------------------------------- the search


@pytest.fixture(scope="module")
def toy():
    return toy_parts("toy:svo", tokens=5000)


@pytest.fixture(scope="module")
def system(toy):
    return make_system("dmv", {"iterations": 20}).fit(toy["train"])


@pytest.fixture(scope="module")
def found(system, toy):
    return find_flips(system, toy["train"])


def test_the_search_keeps_to_its_number_and_never_gets_worse(system, found):
    assert 0 < found.scalars <= MOST_SCALARS
    rising = [found.uas_before, *(accepted.uas for accepted in found.accepted)]
    assert rising == sorted(set(rising))
    listed = described_scalars(system, found.flips)
    assert sum(map(len, listed)) == found.scalars
    wanted = {flip.edge for flip in found.flips}
    assert not wanted & {edge.turned for edge in wanted}
    assert not wanted & set(found.rejected)


def test_the_search_reports_the_attachment_that_scoring_finds(system, found, toy):
    words = toy["train"].without_punctuation()
    answer = with_flips(system, found.flips).annotate(words)
    assert (answer.head == words.head).mean() == pytest.approx(found.accepted[-1].uas)


def test_a_flipped_system_leaves_the_learnt_one_alone(system, found):
    before = system.grammar.attach.copy()
    flipped = with_flips(system, found.flips)
    assert np.array_equal(system.grammar.attach, before)
    assert not np.array_equal(flipped.grammar.attach, before)


def test_fewer_parameters_may_be_asked_for(system, toy):
    assert find_flips(system, toy["train"], most_scalars=5).scalars <= 5
    assert find_flips(system, toy["train"], most_scalars=1).scalars == 0


def test_only_problematic_structures_on_demand(system, toy):
    search = find_flips(system, toy["train"], only_problematic=True)
    assert search.accepted
    assert all(flip.edge.is_problematic for flip in search.flips)


def test_a_parser_that_is_right_needs_no_flips(system, toy):
    words = toy["train"].without_punctuation()
    answer = system.annotate(words)
    search = find_flips(system, answer)
    assert (search.uas_before, search.accepted, search.scalars) == (1.0, (), 0)


def test_tags_that_were_never_learnt_are_not_flipped():
    # NEW is no tag of the grammar, so that no parameter is about it.
    bank = tagged(*["A:2 B:0"] * 5)
    system = make_system("dmv", {"tags": "p"}).fit(bank)
    search = find_flips(system, tagged(*["A:2 NEW:0", "A:0 NEW:1"] * 5))
    assert not any("NEW" in (flip.edge.head, flip.edge.dependent) for flip in search.flips)
