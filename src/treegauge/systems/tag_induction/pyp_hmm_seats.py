"""Who sits where in the restaurants of the Pitman-Yor HMM, and room for its kernels to work in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.tag_induction._class_trigrams_numba import list_trigrams
from treegauge.systems.tag_induction.spelling import Spelling


class Transitions(NamedTuple):
    """Who sits where among the tags; the last class is that of the boundary."""

    begin: NDArray[np.int64]
    """Trigrams, as `_class_trigrams_numba.py` keeps them: where each fibre begins."""
    filled: NDArray[np.int32]
    room: NDArray[np.int32]
    third: NDArray[np.int32]
    often: NDArray[np.int32]
    used: NDArray[np.int64]
    trigram_total: NDArray[np.int32]
    trigram_tables: NDArray[np.int32]
    total_by_second: NDArray[np.int32]
    """The same turned round, so that restaurants of one second class are side by side."""
    tables_by_second: NDArray[np.int32]
    bigram: NDArray[np.int32]
    bigram_by_second: NDArray[np.int32]
    bigram_tables: NDArray[np.int32]
    bigram_total: NDArray[np.int32]
    unigram: NDArray[np.int32]
    unigram_tables: NDArray[np.int32]
    unigram_total: NDArray[np.int32]

    @classmethod
    def empty(cls, size: int, n_windows: int) -> Transitions:
        """Return room for the trigrams of so many classes and different windows."""
        n_fibres, n_trigrams = 3 * size**2, min(n_windows, size**3)
        # When all fibres move together, they take less than half of this.
        n_entries = 24 * n_trigrams + 2 * size
        return cls(
            begin=np.zeros(n_fibres, np.int64),
            filled=np.zeros(n_fibres, np.int32),
            room=np.zeros(n_fibres, np.int32),
            third=np.zeros(n_entries, np.int32),
            often=np.zeros(n_entries, np.int32),
            used=np.zeros(1, np.int64),
            trigram_total=np.zeros((size, size), np.int32),
            trigram_tables=np.zeros((size, size), np.int32),
            total_by_second=np.zeros((size, size), np.int32),
            tables_by_second=np.zeros((size, size), np.int32),
            bigram=np.zeros((size, size), np.int32),
            bigram_by_second=np.zeros((size, size), np.int32),
            bigram_tables=np.zeros(size, np.int32),
            bigram_total=np.zeros(size, np.int32),
            unigram=np.zeros(size, np.int32),
            unigram_tables=np.zeros(1, np.int32),
            unigram_total=np.zeros(1, np.int32),
        )

    @property
    def trigrams(self) -> NDArray[np.int32]:
        """All trigrams that occur, and how often, `[trigram, (first, second, third, count)]`."""
        found: NDArray[np.int32] = list_trigrams(
            self.begin, self.filled, self.third, self.often, len(self.unigram)
        )
        return found


class Emissions(NamedTuple):
    """Who sits where among the words, and the n-grams of their characters."""

    types: NDArray[np.int32]
    """Types of every class: the tables of its emissions."""
    words: NDArray[np.int64]
    gram: NDArray[np.int32]
    """[n-gram, class]."""
    gram_tables: NDArray[np.int32]
    gram_total: NDArray[np.int32]
    next_stay: NDArray[np.float64]
    """The log factors of one more customer of an n-gram, where it has some."""
    next_open: NDArray[np.float64]
    """Of one more table in a restaurant."""
    next_enter: NDArray[np.float64]
    """Of one more customer in a restaurant: what it is divided by."""

    @classmethod
    def empty(cls, n_classes: int, spelling: Spelling) -> Emissions:
        """Return room for so many classes."""
        cells, contexts = (len(spelling.order), n_classes), (spelling.n_contexts, n_classes)
        return cls(
            types=np.zeros(n_classes, np.int32),
            words=np.zeros(n_classes, np.int64),
            gram=np.zeros(cells, np.int32),
            gram_tables=np.zeros(contexts, np.int32),
            gram_total=np.zeros(contexts, np.int32),
            next_stay=np.zeros(cells),
            next_open=np.zeros(contexts),
            next_enter=np.zeros(contexts),
        )


class TrigramRoom(NamedTuple):
    """Where `_trigram_gain_numba.py` works; it leaves all as it was, which is empty."""

    numbers: NDArray[np.int32]
    usual: NDArray[np.int32]
    doubled: NDArray[np.int32]
    keys: NDArray[np.int32]
    is_row: NDArray[np.bool_]
    is_point: NDArray[np.bool_]
    places: NDArray[np.int32]
    own: NDArray[np.int32]
    slot_of: NDArray[np.int32]
    class_of: NDArray[np.int32]
    listed: NDArray[np.int32]
    """Classes that there is something to look up of, and one more."""

    @classmethod
    def empty(cls, size: int) -> TrigramRoom:
        """Return room for so many classes."""
        return cls(
            np.zeros((9, size, size), np.int32),
            np.zeros((9, size), np.int32),
            np.zeros((3, size, size), np.int32),
            np.zeros(3 * size**2, np.int32),
            np.zeros((6, size), np.bool_),
            np.zeros((6, size, size), np.bool_),
            np.zeros((6, size**2 + size), np.int32),
            np.zeros((5, size), np.int32),
            np.full(size, -1, np.int32),
            np.zeros(size, np.int32),
            np.zeros(size + 1, np.int32),
        )


class EmissionRoom(NamedTuple):
    """Where the n-grams of a type are looked at."""

    place_of_cell: NDArray[np.int32]
    place_of_context: NDArray[np.int32]
    chosen: NDArray[np.int32]
    """The n-gram in each place."""
    chosen_contexts: NDArray[np.int32]
    """An n-gram of the restaurant in each place."""
    usual: NDArray[np.int32]
    """New customers of n-grams in a class that has none of them."""
    usual_entered: NDArray[np.int32]
    """Those of restaurants, and their new tables."""
    usual_opened: NDArray[np.int32]
    fewer: NDArray[np.int32]
    """[place, class]: how many fewer there are in a class; so are the next."""
    entered: NDArray[np.int32]
    opened: NDArray[np.int32]

    @classmethod
    def empty(cls, n_classes: int, spelling: Spelling, characters: int) -> EmissionRoom:
        """Return room for the longest type."""
        most = max(int(np.diff(spelling.starts).max(initial=0)) * characters, 1)
        return cls(
            np.full(len(spelling.order), -1, np.int32),
            np.full(spelling.n_contexts, -1, np.int32),
            *(np.zeros(most, np.int32) for _ in range(5)),
            *(np.zeros((most, n_classes), np.int32) for _ in range(3)),
        )


class Work(NamedTuple):
    """Room to work in."""

    events: NDArray[np.int32]
    """Trigrams with the type that is looked at: three classes, -1 for its own, and a count."""
    event_of_key: NDArray[np.int32]
    score: NDArray[np.float64]
    of_trigrams: TrigramRoom
    of_emissions: EmissionRoom
