"""Trees over the tags of a tagger: any dependency inducer, any tagger (the joint track).

With a tagger that induces its tags, trees come from bare text: the DMV over word clusters of the
challenge is `tags_from=brown:45`, `inducer=dmv`. With a supervised tagger only the trees are
induced, and the system counts as supervised.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.partial_work import PartialWork
from treegauge.systems.registry import find_system, make_system
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress, Supervision, System
from treegauge.systems.system_names import parse_system, write_system
from treegauge.systems.tag_source import TagSource, part_of
from treegauge.treebank import Treebank

_PREFIX = "inducer."


@dataclass(frozen=True)
class TagsThenTreesSettings(Settings):
    """Which tagger, and which inducer over its tags."""

    tags_from: str = setting(
        "brown:45",
        "the tagger: SYSTEM or SYSTEM:CLASSES; with settings: SYSTEM?key=value&key=value",
    )
    inducer: str = setting("dmv", "the inducer of trees; with settings: dmv?max_length=15")


class TagsThenTrees(System):
    """A dependency inducer over the tags of a tagger.

    The inducer is given no other tags, and neither of them sees a gold tree.
    """

    name = "tags-then-trees"
    task = "joint"
    settings_type = TagsThenTreesSettings

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        name, inner = parse_system(self.settings.inducer)
        self.inducer = make_system(name, inner, seed=seed)
        if self.inducer.task != "dependencies" or self.inducer.is_supervised:
            raise SystemsError(f"{self.name}: {name} is no inducer of dependencies")
        read = self.inducer.settings.to_dict().get("tags", "u")
        self.tags = TagSource(self.settings.tags_from, tags=read, seed=seed)
        tagger = self.tags.tagger
        if tagger is None:
            raise SystemsError(f"{self.name}: tags_from=given needs no tagger; use {name} directly")
        self.is_supervised = tagger.is_supervised
        self.keeps_pieces = self.inducer.keeps_pieces
        self.is_deterministic = tagger.is_deterministic and self.inducer.is_deterministic
        self.seconds_per_word = self.tags.seconds_per_word + self.inducer.seconds_per_word
        self.made_of = (tagger.name, name)

    @property
    def supervision(self) -> Supervision:
        """What tagger and inducer are told, whichever is told more."""
        return "supervised" if self.is_supervised else self.inducer.supervision

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        tagged = self.tags.fit(treebank, part_of(on_progress, 0, 0.5))
        # The tagger says the same every time: pieces of the inducer's work are still its own.
        self.inducer.fit(
            tagged, on_progress=part_of(on_progress, 0.5, 1), keep_in=self.partial_work.folder
        )

    def expected_seconds(self, treebank: Treebank) -> float:
        """Return about how long tagger and inducer will learn."""
        tagging = self.tags.seconds_per_word * treebank.n_words
        return tagging + self.inducer.expected_seconds(treebank)

    def _partial_work(
        self, treebank: Treebank, folder: str | os.PathLike[str], *, also_read: str = ""
    ) -> PartialWork:
        """Leave the folder to the inducer, whose pieces they are."""
        del treebank, also_read
        return PartialWork.unseen(folder)

    def _annotate(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        tagged = self.tags.annotate(treebank, part_of(on_progress, 0, 0.5))
        return self.inducer.annotate(tagged, on_progress=part_of(on_progress, 0.5, 1))

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = self.tags.state()
        own_arrays, own_facts = self.inducer.state()
        renamed = {f"{_PREFIX}{name}": array for name, array in own_arrays.items()}
        return {**arrays, **renamed}, {**facts, "inducer": own_facts}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(*self.tags.restore(arrays, facts))
        saved.restore(self.inducer, prefix=_PREFIX, facts=saved.fact("inducer"))

    # ------------------------------------------------------------------ what the inducer can tell

    @property
    def longest_whole(self) -> int | None:
        """That of the inducer."""
        return self.inducer.longest_whole

    def long_sentences(self, treebank: Treebank) -> NDArray[np.intp]:
        """Return those that the inducer does not parse whole."""
        return self.inducer.long_sentences(treebank)

    @property
    def history(self) -> Sequence[Any] | None:  # type: ignore[override]
        """The iterations of the inducer, if it has any."""
        return self.inducer.history

    @property
    def has_converged(self) -> bool | None:  # type: ignore[override]
        """Whether the inducer came to rest, if it can tell."""
        return self.inducer.has_converged

    def describe_grammar(self, top: int = 20) -> str:
        """Return the grammar of the inducer in words, if it has one."""
        return self.inducer.describe_grammar(top)


def with_tags_from(
    name: str, tags_from: str, settings: Mapping[str, Any], *, seed: int = 0
) -> System:
    """Return a dependency system that reads the tags of a source.

    A parser has a setting for it; over inducers stands `TagsThenTrees`.
    """
    cls = find_system(name).load()
    if "tags_from" in {field.name for field in fields(cls.settings_type)}:
        return cls({**settings, "tags_from": tags_from}, seed=seed)
    if cls.task != "dependencies":
        raise SystemsError(f"{name} annotates {cls.task}; only trees are found over tags")
    return TagsThenTrees(
        {"tags_from": tags_from, "inducer": write_system(name, settings)}, seed=seed
    )
