"""What all supervised parsers share: what they read, what they need, what they give back."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import wraps
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.long_sentences import warn_of_long
from treegauge.systems.system import Arrays, OnProgress, System
from treegauge.systems.tag_source import GIVEN, TagSource, part_of
from treegauge.treebank import Column, Treebank, require_trees, tag_column
from treegauge.wording import did_you_mean

READABLE = ("form", "lemma", "upos", "xpos", "feats")
"""The columns that a parser may read."""
_LEXICAL = ("form", "lemma")


@dataclass(frozen=True)
class ParserSettings(Settings):
    """What all of them can be told."""

    tags: str = setting("u", "the tags to use as UPOS: u, u12, c, p, or p:2 and so on")
    tags_from: str = setting(
        GIVEN,
        "the source of tags: given, a tagger, or an inducer with its number of classes "
        "such as brown:45",
    )
    columns: tuple[str, ...] = setting(READABLE, f"the columns to read: {', '.join(READABLE)}")
    delexicalised: bool = setting(False, "do not read forms and lemmas")
    single_root: bool = setting(True, "force exactly one root per sentence")


class Parser(System):
    """A system that learns to hang words on each other from trees.

    Subclasses learn from, and parse, treebanks in which UPOS holds the tags of the settings and
    every column that is not to be read is blank: what they are not given they cannot use.

    With tags of a tagger (`tags_from`) the parser holds the tagger, learns from tags that are as
    bad as those of any text (see `TagSource`), and sees no gold tag when it annotates.
    """

    task = "dependencies"
    settings_type: ClassVar[type[Settings]] = ParserSettings
    is_supervised = True

    def __init_subclass__(cls, **rest: Any) -> None:
        """Let every subclass save and restore its tagger, whatever else it saves."""
        super().__init_subclass__(**rest)
        for name, with_tagger in (("_state", _state_with_tagger), ("_restore", _restored_tagger)):
            if name in vars(cls):
                setattr(cls, name, with_tagger(vars(cls)[name]))

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        for name in self.settings.columns:
            if name not in READABLE:
                raise SystemsError(
                    f"{self.name}: unknown column {name!r}{did_you_mean(name, READABLE)}\n"
                    f"  a parser can read {', '.join(READABLE)}"
                )
        if not self.columns:
            raise SystemsError(
                f"{self.name}: there is nothing to read: no column is left\n"
                f"  columns are some of {', '.join(READABLE)}; delexicalised takes away "
                f"{' and '.join(_LEXICAL)}"
            )
        self.tag_source = TagSource(
            self.settings.tags_from, tags=self.settings.tags, seed=self.seed
        )
        if tagger := self.tag_source.tagger:
            if "upos" not in self.settings.columns:
                raise SystemsError(f"{self.name}: tags_from is set, but columns has no upos")
            self.is_deterministic = self.is_deterministic and tagger.is_deterministic
            self.seconds_per_word = self.seconds_per_word + self.tag_source.seconds_per_word
            self.made_of = (tagger.name,)

    @property
    def hides_tags(self) -> bool:
        """Whether gold tags are hidden from it: unless they are given."""
        return not self.tag_source.is_given

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        hidden = _LEXICAL if self.settings.delexicalised else ()
        return tuple(
            name for name in READABLE if name in self.settings.columns and name not in hidden
        )

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        share = self._share_of_tagger
        readable = self._to_learn_from(treebank, part_of(on_progress, 0, share))
        self._learn(readable, part_of(on_progress, share, 1))

    def _to_learn_from(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        """Return what may be read of trees, tagged as any text will be."""
        require_trees(treebank, purpose=f"training {self.name}", single_root=False)
        treebank = self._short_enough(treebank)
        return self._readable(self.tag_source.fit(treebank, on_progress))

    def _annotate(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        share = self._share_of_tagger
        tagged = self.tag_source.annotate(treebank, part_of(on_progress, 0, share))
        heads, relations = self._parse(self._readable(tagged), part_of(on_progress, share, 1))
        return treebank.replace(head=heads, columns={"deprel": relations})

    def _short_enough(self, treebank: Treebank) -> Treebank:
        """Return the sentences that are parsed whole; others are not learnt from."""
        long, limit = self.long_sentences(treebank), self.longest_whole
        if limit is None or not len(long):
            return treebank
        if len(long) == treebank.n_sentences:
            raise SystemsError(
                f"{self.name}: no sentence of at most {limit:,} words to learn from; raise "
                f"longest_whole (the shortest has {treebank.lengths.min():,})"
            )
        warn_of_long(self.name, long, limit, "not learnt from")
        return treebank[np.delete(np.arange(treebank.n_sentences), long)]

    @property
    def _share_of_tagger(self) -> float:
        """A guess at the share of a tagger in the work, for the progress that is told."""
        return 0.0 if self.tag_source.is_given else 0.3

    def _readable(self, treebank: Treebank) -> Treebank:
        """Return the treebank with only what the parser reads."""
        blank = Column.constant("_", treebank.n_words)
        read = self.columns
        columns = {name: blank for name in READABLE if name not in read}
        if "upos" in read and treebank.n_words:
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


def _state_with_tagger(own: Any) -> Any:
    @wraps(own)
    def state(self: Parser) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = own(self)
        tagger_arrays, tagger_facts = self.tag_source.state()
        return {**arrays, **tagger_arrays}, {**facts, **tagger_facts}

    return state


def _restored_tagger(own: Any) -> Any:
    @wraps(own)
    def restore(self: Parser, arrays: Arrays, facts: dict[str, Any]) -> None:
        own(self, *self.tag_source.restore(arrays, facts))

    return restore
