"""What all supervised parsers share: what they read, what they need, what they give back."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.catalogue.names import did_you_mean
from treegauge.systems.errors import SystemsError
from treegauge.systems.settings import Settings, setting
from treegauge.systems.system import OnProgress, System
from treegauge.treebank import Column, Treebank, require_trees, tag_column

READABLE = ("form", "lemma", "upos", "xpos", "feats")
"""The columns that a parser may read."""
_LEXICAL = ("form", "lemma")


@dataclass(frozen=True)
class ParserSettings(Settings):
    """What all of them can be told."""

    tags: str = setting("u", "the tags that stand for UPOS: u, u12, c, p, or p:2 and so on")
    columns: tuple[str, ...] = setting(READABLE, f"what is read, out of {', '.join(READABLE)}")
    delexicalised: bool = setting(False, "read neither forms nor lemmas")
    single_root: bool = setting(True, "give every sentence exactly one root")


class Parser(System):
    """A system that learns to hang words on each other from trees.

    Subclasses learn from, and parse, treebanks in which UPOS holds the tags of the settings and
    every column that is not to be read is blank: what they are not given they cannot use.
    """

    task = "dependencies"
    is_supervised = True

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        for name in self.settings.columns:
            if name not in READABLE:
                raise SystemsError(
                    f"{self.name}: unknown column {name!r}{did_you_mean(name, READABLE)}\n"
                    f"  a parser can read {', '.join(READABLE)}"
                )

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        hidden = _LEXICAL if self.settings.delexicalised else ()
        return tuple(
            name for name in READABLE if name in self.settings.columns and name not in hidden
        )

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        require_trees(treebank, purpose=f"training {self.name}", single_root=False)
        self._learn(self._readable(treebank), on_progress)

    def _annotate(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        heads, relations = self._parse(self._readable(treebank), on_progress)
        return treebank.replace(head=heads, columns={"deprel": relations})

    def _readable(self, treebank: Treebank) -> Treebank:
        """Return the treebank with only what the parser reads."""
        blank = Column.constant("_", treebank.n_words)
        read = self.columns
        columns = {name: blank for name in READABLE if name not in read}
        if "upos" in read:
            columns["upos"] = tag_column(treebank, self.settings.tags).column
        return treebank.replace(columns=columns)

    @abstractmethod
    def _learn(self, treebank: Treebank, on_progress: OnProgress) -> None:
        """Learn from trees."""

    @abstractmethod
    def _parse(
        self, treebank: Treebank, on_progress: OnProgress
    ) -> tuple[NDArray[np.int32], Column]:
        """Return a head and a relation for every word."""
