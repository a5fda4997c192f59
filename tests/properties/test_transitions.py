"""Laws of transition systems: derivations lead back to their trees, and no way is a dead end."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st
from numpy.typing import NDArray

from tests.examples import examples
from tests.strategies import projective_heads, trees
from tests.unit.transitions.all_trees import bank, is_projective, is_tree
from treegauge.transitions import Root, TransitionSystem, derive, rebuild, stepping as step

systems = st.sampled_from(list(TransitionSystem))
roots = st.sampled_from(list(Root))


def walk(
    state: NDArray[np.int32], draw: st.DataObject, gold: NDArray[np.int32] | None = None
) -> int:
    """Make drawn legal moves to the end, only such that cost nothing if there is a gold tree."""
    mask = np.zeros(step.N_MOVES, np.bool_)
    found = np.zeros(step.N_MOVES, np.int32)
    scratch = state.copy()
    made = 0
    while not step.is_terminal(state):
        step.legal(state, mask)
        choices = np.flatnonzero(mask).tolist()
        if gold is not None:
            step.costs(state, gold, scratch, mask, found)
            assert min(found[choices]) == 0, "one move is always free"
            choices = np.flatnonzero(found == 0).tolist()
        step.apply(state, draw.draw(st.sampled_from(choices)), 0)
        made += 1
    return made


def begin(n: int, system: TransitionSystem, root: Root, single_root: bool) -> NDArray[np.int32]:
    state = step.new_configuration(n)
    step.start(state, n, int(system), int(root), single_root)
    return state


@examples(100)
@given(trees(max_size=30), systems, roots, st.booleans())
def test_a_derivation_leads_back_to_its_tree(
    heads: list[int], system: TransitionSystem, root: Root, single_root: bool
) -> None:
    derivation = derive(bank([heads]), system, root=root, single_root=single_root)
    derivable = system.covers_all_trees or is_projective(heads)
    assert derivation.derived.tolist() == [derivable]
    assert rebuild(derivation)[0].tolist() == (heads if derivable else [-1] * len(heads))
    if derivable:
        assert sorted(derivation.order) == list(range(1, len(heads) + 1))
        assert (derivation.order[derivation.rank - 1] == np.arange(1, len(heads) + 1)).all()


@examples(60)
@given(st.integers(1, 12), systems, roots, st.booleans(), st.data())
def test_every_way_ends_in_a_tree(
    n: int, system: TransitionSystem, root: Root, single_root: bool, data: st.DataObject
) -> None:
    state = begin(n, system, root, single_root)
    made = walk(state, data)
    assert made <= (n + 1) * (n + 2)
    step.finish(state, 0, 0)
    heads = state[step.HEAD, 1 : n + 1].tolist()
    assert is_tree(heads)
    assert heads.count(0) == 1 or not single_root
    assert is_projective(heads) or system.covers_all_trees


@examples(60)
@given(
    projective_heads(max_size=12),
    systems.filter(lambda system: system.has_dynamic_oracle),
    roots,
    st.booleans(),
    st.integers(0, 10),
    st.data(),
)
def test_free_moves_lose_no_more_than_was_lost(
    heads: list[int],
    system: TransitionSystem,
    root: Root,
    single_root: bool,
    mistakes: int,
    data: st.DataObject,
) -> None:
    n = len(heads)
    gold = step.new_gold(n)
    step.prepare_gold(gold, np.array(heads, np.int32), int(system))
    state = begin(n, system, root, single_root)
    assert step.loss(state, gold) == 0
    mask = np.zeros(step.N_MOVES, np.bool_)
    for _ in range(mistakes):
        if step.legal(state, mask):
            step.apply(state, data.draw(st.sampled_from(np.flatnonzero(mask).tolist())), 0)
    lost = step.loss(state, gold)
    walk(state, data, gold)
    built = state[step.HEAD, 1 : n + 1]
    if root is Root.NONE:
        built = np.where(built == step.NO_HEAD, 0, built)
    assert (built != heads).sum() == lost


@examples(40)
@given(
    trees(max_size=15),
    systems.filter(lambda system: system.has_dynamic_oracle),
    roots,
    st.booleans(),
)
def test_the_static_oracle_makes_free_moves(
    heads: list[int], system: TransitionSystem, root: Root, single_root: bool
) -> None:
    if not (system.covers_all_trees or is_projective(heads)):
        return
    n = len(heads)
    gold, scratch = step.new_gold(n), step.new_configuration(n)
    step.prepare_gold(gold, np.array(heads, np.int32), int(system))
    state = begin(n, system, root, single_root)
    mask, found = np.zeros(step.N_MOVES, np.bool_), np.zeros(step.N_MOVES, np.int32)
    while (move := step.oracle(state, gold)) != step.NO_MOVE:
        step.costs(state, gold, scratch, mask, found)
        assert found[move] == 0
        step.apply(state, move, 0)
    assert step.is_terminal(state)
