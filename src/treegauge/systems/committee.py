"""What systems that are made of several others share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from treegauge.systems.registry import make_system
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress, System
from treegauge.systems.system_names import parse_system
from treegauge.systems.tag_source import part_of
from treegauge.treebank import Treebank


class Committee(System):
    """A system whose members learn from the same treebank.

    Every member has a seed of its own, so that one can be named several times.
    """

    members: list[System]

    def _appoint(self, names: Sequence[str]) -> None:
        """Make the members; to be called by the constructor."""
        self.members = [self._member(text, self.seed + i) for i, text in enumerate(names)]
        self.is_deterministic = all(member.is_deterministic for member in self.members)
        self.seconds_per_word = sum(member.seconds_per_word for member in self.members)
        self.made_of = tuple(dict.fromkeys(member.name for member in self.members))

    def _member(self, text: str, seed: int) -> System:
        name, settings = parse_system(text)
        member = make_system(name, settings, seed=seed)
        self._require(member)
        return member

    @abstractmethod
    def _require(self, member: System) -> None:
        """Refuse a system that cannot be a member."""

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        n = len(self.members)
        for i, member in enumerate(self.members):
            member.fit(treebank, on_progress=part_of(on_progress, i / n, (i + 1) / n))

    def _answers(self, treebank: Treebank, on_progress: OnProgress) -> list[Treebank]:
        """Return what the members say of a treebank."""
        n = len(self.members)
        return [
            member.annotate(treebank, on_progress=part_of(on_progress, i / n, (i + 1) / n))
            for i, member in enumerate(self.members)
        ]

    # ------------------------------------------------------------------ save and load

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays: Arrays = {}
        facts = []
        for number, member in enumerate(self.members):
            own_arrays, own_facts = member.state()
            arrays.update({f"{number}.{name}": array for name, array in own_arrays.items()})
            facts.append(own_facts)
        return arrays, {"members": facts}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        members = saved.sequence("members", size=len(self.members))
        for number, (member, own_facts) in enumerate(zip(self.members, members, strict=True)):
            saved.restore(member, prefix=f"{number}.", facts=own_facts)
