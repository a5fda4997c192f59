"""What taggers that learn from whole sentences share: what they read, and what they give back."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress, System
from treegauge.treebank import EMPTY, Column, Treebank, Vocabulary, tag_column


@dataclass(frozen=True)
class SequenceTaggerSettings(Settings):
    """What all of them can be told."""

    tags: str = setting("u", "the tags to learn: u, u12, c, p, or p:2 and so on")


@dataclass(frozen=True)
class Sentences:
    """Words in sentences, and nothing else."""

    forms: Column
    """Compact: every form of the vocabulary occurs."""
    offsets: NDArray[np.int64]
    """Sentence -> its first word; the number of words at the end."""

    def words(self) -> list[list[str]]:
        """Return the sentences as lists of words."""
        words = list(self.forms)
        bounds = self.offsets.tolist()
        return [words[a:b] for a, b in pairwise(bounds)]


class SequenceTagger(System):
    """A tagger that learns from sentences in which every word has a tag; others teach nothing.

    Tags are written where they were read: `u` and `u12` to UPOS, `p` to XPOS, `c` to CPOSTAG;
    where a column is empty, the one it falls back to.
    """

    task = "tags"
    is_supervised = True

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        gold = tag_column(treebank, self.settings.tags)
        is_tag = np.array([tag not in ("", EMPTY) for tag in gold.column.vocabulary], np.bool_)
        offsets = np.asarray(treebank.offsets, np.int64)
        n_without = np.concatenate([[0], np.cumsum(~is_tag[gold.column.codes])])
        lengths = np.diff(offsets)
        is_whole = (np.diff(n_without[offsets]) == 0) & (lengths > 0)
        words = np.flatnonzero(np.repeat(is_whole, lengths))
        if not len(words):
            raise SystemsError(
                f"{self.name}: no sentence has a tag {self.settings.tags!r} on every word"
            )
        tags = gold.column.take(words).compact()
        self._column = gold.source
        self._tags = tuple(sorted(tags.vocabulary))
        rank = {tag: place for place, tag in enumerate(self._tags)}
        codes = np.array([rank[tag] for tag in tags.vocabulary], np.int32)[tags.codes]
        sentences = Sentences(
            treebank.form.take(words).compact(),
            np.concatenate([[0], np.cumsum(lengths[is_whole])]).astype(np.int64),
        )
        self._learn(sentences, codes, on_progress)

    def _annotate(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        sentences = Sentences(treebank.form.compact(), np.asarray(treebank.offsets, np.int64))
        codes = self._tag(sentences, on_progress) if treebank.n_words else np.empty(0, np.int32)
        tags = Column(codes, Vocabulary.from_strings(self._tags)).compact()
        return treebank.replace(columns={self._column: tags})

    @abstractmethod
    def _learn(
        self, sentences: Sentences, gold: NDArray[np.int32], on_progress: OnProgress
    ) -> None:
        """Learn from sentences without an empty one; gold has places in `_tags`."""

    @abstractmethod
    def _tag(self, sentences: Sentences, on_progress: OnProgress) -> NDArray[np.int32]:
        """Return the place in `_tags` of every word's tag."""

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        return {}, {"tags": self._tags, "column": self._column}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        self._tags = saved.names("tags")
        self._column = saved.tag_column()
