from __future__ import annotations

import pytest

from treegauge.transitions import Root, TransitionError, TransitionSystem


def test_systems_are_found_by_their_names() -> None:
    for system in TransitionSystem:
        assert TransitionSystem.named(system.spelling) is system
    assert len({system.spelling for system in TransitionSystem}) == 7


def test_an_unknown_name_is_answered_with_known_ones() -> None:
    with pytest.raises(TransitionError, match="unknown transition system 'arc-egaer'; did"):
        TransitionSystem.named("arc-egaer")
    with pytest.raises(TransitionError, match="first, last or none; found 'middle'"):
        Root.named("middle")


def test_places_of_the_root_are_found_by_their_names() -> None:
    assert [Root.named(name) for name in ("first", "last", "none")] == list(Root)
