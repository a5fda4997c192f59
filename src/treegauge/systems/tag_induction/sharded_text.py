"""A text in shards, by its types and their neighbours; equal to an encoded text in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from treegauge.shards import NumberedText, counted_windows
from treegauge.shards.windows import CHUNK, Layout, WindowPlan
from treegauge.systems.tag_induction.bigrams import Bigrams, both_sides, with_boundaries
from treegauge.systems.tag_induction.encoded_text import by_frequency, n_frequent, preprocessed
from treegauge.treebank import Column, Vocabulary


@dataclass(frozen=True)
class ShardedText:
    """Types of a text in shards, the most frequent first."""

    text: NumberedText
    type_of_code: NDArray[np.int32]
    """By the codes of the text; -1 where a type was left out for being rare."""
    counts: NDArray[np.int64]
    forms: Vocabulary
    chunk: int = CHUNK
    on_progress: Callable[[float], None] = lambda _share: None

    @classmethod
    def of(
        cls,
        text: NumberedText,
        *,
        fold_case: bool = False,
        conflate_digits: bool = False,
        chunk: int = CHUNK,
        on_progress: Callable[[float], None] = lambda _share: None,
    ) -> ShardedText:
        """Number the types of a text by frequency, after changing them as settings say."""
        codes = np.arange(len(text.vocabulary), dtype=np.int32)
        forms = preprocessed(
            Column(codes, text.vocabulary), fold_case=fold_case, conflate_digits=conflate_digits
        ).compact()
        counts = np.zeros(len(forms.vocabulary), np.int64)
        np.add.at(counts, forms.codes, text.counts)
        order, types = by_frequency(counts)
        return cls(
            text,
            types[forms.codes],
            counts[order],
            forms.vocabulary.take(order),
            chunk,
            on_progress,
        )

    @property
    def n_types(self) -> int:
        """The number of types."""
        return len(self.counts)

    @property
    def n_words(self) -> int:
        """All words, those without a type included."""
        return self.text.n_words

    @property
    def n_sentences(self) -> int:
        """The sentences that have words."""
        return self.text.n_sentences

    def frequent(self, min_count: int) -> ShardedText:
        """Return the text without the types that occur less often; their places stay."""
        kept = n_frequent(self.counts, min_count)
        return ShardedText(
            self.text,
            np.where(self.type_of_code < kept, self.type_of_code, np.int32(-1)),
            self.counts[:kept],
            self.forms.take(np.arange(kept, dtype=np.int32)),
            self.chunk,
            self.on_progress,
        )

    def bigrams(self, *, within_sentences: bool) -> Bigrams:
        """Count neighbours; also those of different sentences, unless within sentences."""
        return self._bigrams(_sentences_apart if within_sentences else _stream, self.n_types)

    def bigrams_with_boundary(self) -> Bigrams:
        """Count neighbours; between sentences is a boundary, a type more than there are."""
        return self._bigrams(partial(_with_boundaries, self.n_types), self.n_types + 1)

    def _bigrams(self, layout: Layout, n_types: int) -> Bigrams:
        plan = WindowPlan(2, n_types, layout)
        with counted_windows(
            self.text, self.type_of_code, plan, chunk=self.chunk, on_progress=self.on_progress
        ) as windows:
            starts = np.zeros(n_types + 1, np.int64)
            successor = np.empty(len(windows), np.int32)
            count = np.empty(len(windows), np.int64)
            done = 0
            for rows, counts in windows:
                here = slice(done, done + len(counts))
                successor[here], count[here] = rows[:, 1], counts
                starts[1:] += np.bincount(rows[:, 0], minlength=n_types)
                done += len(counts)
        np.cumsum(starts, out=starts)
        return both_sides((starts, successor, count))


# Layouts: what is sent to workers instead of a text.


def _with_boundaries(
    boundary: int, words: NDArray[np.int32], offsets: NDArray[np.int64], _before: int
) -> NDArray[np.int32]:
    # Chunks are whole sentences, so that what stands between two of them is always a boundary.
    return with_boundaries(words, offsets, boundary)


def _sentences_apart(
    words: NDArray[np.int32], offsets: NDArray[np.int64], _before: int
) -> NDArray[np.int32]:
    return np.insert(words, offsets[1:-1], np.int32(-1))


def _stream(
    words: NDArray[np.int32], _offsets: NDArray[np.int64], before: int
) -> NDArray[np.int32]:
    return np.concatenate([np.array([before], np.int32), words])
