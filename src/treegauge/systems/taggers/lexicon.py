"""Which tags a form had in training, and how often."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.saved_state import SavedState, damaged, vocabulary_arrays
from treegauge.systems.system import Arrays
from treegauge.treebank import Column, Interner, Vocabulary


@dataclass(frozen=True)
class Lexicon:
    """Entry `i` is `forms[i]`; its tags and counts are slices, tags in ascending order."""

    forms: Vocabulary
    starts: NDArray[np.int64]
    tags: NDArray[np.int32]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, forms: Column, tags: NDArray[np.int32], n_tags: int) -> Lexicon:
        """Count the tags of every form of a compact column."""
        pairs, counts = np.unique(forms.codes.astype(np.int64) * n_tags + tags, return_counts=True)
        per_form = np.bincount(pairs // n_tags, minlength=len(forms.vocabulary))
        return cls(
            forms.vocabulary,
            np.concatenate([[0], np.cumsum(per_form)]),
            (pairs % n_tags).astype(np.int32),
            counts.astype(np.int64),
        )

    def __len__(self) -> int:
        return len(self.forms)

    @property
    def entry_of_pair(self) -> NDArray[np.int64]:
        """The entry that every tag and count belongs to."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    @property
    def frequencies(self) -> NDArray[np.int64]:
        """How often every form occurred."""
        return np.add.reduceat(self.counts, self.starts[:-1])

    def find(self, forms: Vocabulary) -> NDArray[np.int32]:
        """Return the entry of every string, -1 where there is none."""
        both = Interner()
        both.add_vocabulary(self.forms)
        codes = both.add_vocabulary(forms)
        return np.where(codes < len(self), codes, -1).astype(np.int32)

    def tables(self, entries: NDArray[np.int32], n_tags: int) -> NDArray[np.float64]:
        """Return how often some entries had each of all tags, one row per entry."""
        first, n = self.starts[entries], np.diff(self.starts)[entries]
        row = np.repeat(np.arange(len(entries)), n)
        pairs = np.repeat(first - (np.cumsum(n) - n), n) + np.arange(n.sum())
        table = np.zeros((len(entries), n_tags))
        table[row, self.tags[pairs]] = self.counts[pairs]
        return table

    def arrays(self) -> Arrays:
        """Return the lexicon as `save` writes it."""
        return {
            **vocabulary_arrays(self.forms, "forms"),
            "lexicon_starts": self.starts,
            "lexicon_tags": self.tags,
            "lexicon_counts": self.counts,
        }

    @classmethod
    def restored(cls, saved: SavedState, n_tags: int) -> Lexicon:
        """Take back what `arrays` gave."""
        forms = saved.vocabulary("forms")
        tags = saved.integers("lexicon_tags", below=n_tags, dtype=np.int32)
        counts = saved.integers("lexicon_counts", shape=(len(tags),), least=1)
        starts = saved.bounds("lexicon_starts", size=len(forms), total=len(tags))
        if not len(forms) or (np.diff(starts) < 1).any():
            raise damaged("a form has no tag")
        return cls(forms, starts, tags, counts)
