"""What warm-up types: something for every verb and every system, and all of it works."""

from __future__ import annotations

import pytest

from treegauge.cli.first_calls import VERB_LINES, Piece, pieces_for
from treegauge.cli.main import VERBS
from treegauge.errors import TreegaugeError
from treegauge.systems.registry import systems
from treegauge.systems.system_names import SYSTEMS_OF_TOOLS
from treegauge.transitions import TransitionSystem

WITHOUT_KERNELS = {"init", "list", "warm-up", "external", *SYSTEMS_OF_TOOLS.values()}
"""Verbs and systems that compile nothing themselves."""


def names(pieces: list[Piece]) -> list[str]:
    return [piece.name for piece in pieces]


def test_every_verb_is_covered() -> None:
    assert set(VERB_LINES) == set(VERBS)


@pytest.mark.parametrize("name", sorted({*VERBS, *systems()} - WITHOUT_KERNELS))
def test_every_verb_and_every_system_has_something_to_type(name: str) -> None:
    assert pieces_for([name])


def test_no_verb_has_the_name_of_a_system() -> None:
    assert not VERBS.keys() & systems().keys()


def test_a_verb_alone() -> None:
    assert names(pieces_for(["evaluate", "describe"])) == ["evaluate", "describe"]


def test_a_system_learns_and_annotates() -> None:
    (piece,) = pieces_for(["transition"])
    assert {line.split()[0] for line in piece.lines} == {"train", "annotate"}


def test_all_transition_systems_are_covered() -> None:
    for name in ("transition", "derive"):
        (piece,) = pieces_for([name])
        words = {word.removeprefix("system=") for line in piece.lines for word in line.split()}
        assert {system.spelling for system in TransitionSystem} <= words


def test_a_verb_for_systems_needs_those_that_it_can_run() -> None:
    assert "dmv" in names(pieces_for(["induce"]))
    assert "transition" not in names(pieces_for(["induce"]))
    assert {"dmv", "transition"} <= set(names(pieces_for(["train"])))


def test_the_tour_needs_the_usual_calls_alone() -> None:
    usual = {piece.name: piece.lines for piece in pieces_for(["demo"])}
    assert {"evaluate", "describe", "transition", "dmv"} <= usual.keys()
    assert len(usual["transition"]) == 2 < len(pieces_for(["transition"])[0].lines)
    both = {piece.name: piece.lines for piece in pieces_for(["transition", "demo"])}
    assert both == usual | {"transition": pieces_for(["transition"])[0].lines}


def test_experiments_come_after_their_systems() -> None:
    assert names(pieces_for())[-3:] == ["run", "report", "reproduce"]


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(TreegaugeError, match="unknown command or system 'evalute'; did you mean"):
        pieces_for(["evalute"])
