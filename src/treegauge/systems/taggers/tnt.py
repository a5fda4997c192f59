"""TnT: trigrams of tags, smoothed by deleted interpolation, and endings for unknown words.

A second-order hidden Markov model (Brants 2000, "TnT: a statistical part-of-speech tagger").
Known words have the tags they were seen with, unsmoothed. Unknown words have the tags of rare
words with the same ending, those of longer endings weighing more, capitalised words apart from
others; what is known of the word in lower case is added, unless told otherwise. The paper leaves
open which weight a tie in deleted interpolation goes to, and whether the smoothing of endings is
by a variance or a standard deviation; settings have both readings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress
from treegauge.systems.taggers._trigram_viterbi_numba import smoothed_along_paths
from treegauge.systems.taggers.lexicon import Lexicon
from treegauge.systems.taggers.sequence_tagger import (
    Sentences,
    SequenceTagger,
    SequenceTaggerSettings,
)
from treegauge.systems.taggers.trigram_counts import TrigramCounts
from treegauge.systems.taggers.trigram_decoder import (
    Candidates,
    Transitions,
    decode,
    logarithms,
)
from treegauge.systems.taggers.word_endings import (
    EndingTree,
    NodeCounts,
    capital_flags,
    last_characters,
)
from treegauge.treebank import Column

_SAME = 1e-12
"""Fractions that differ by less are equal."""


@dataclass(frozen=True)
class TntSettings(SequenceTaggerSettings):
    """What can be chosen about TnT."""

    beam: float | None = setting(
        1000.0, "prune paths that are this many times worse than the best; none: exact", minimum=1
    )
    tie: Literal["low", "high", "split"] = setting(
        "low", "the order that wins ties in deleted interpolation"
    )
    capital_states: bool = setting(True, "separate transition states for capitalised words")
    capital_endings: bool = setting(True, "separate endings for capitalised words")
    lower_case: bool = setting(True, "also look up unknown words in lower case, unlike the paper")
    longest_ending: int = setting(10, "length of the longest ending, in characters", minimum=0)
    rare: int = setting(10, "largest frequency of words whose endings are used", minimum=1)
    theta: Literal["deviation", "variance"] = setting(
        "deviation",
        "smoothing of endings: by the standard deviation or the variance of the tags' shares",
    )


class Tnt(SequenceTagger):
    """A trigram tagger with a model of endings for unknown words (Brants 2000).

    >>> import treegauge as tg
    >>> train = tg.parse("we/PRON fish/VERB in/ADP ponds/NOUN\\nthey/PRON fish/VERB\\n")
    >>> text = tg.parse("they/X fish/X rounds/X\\n", format="slashed")
    >>> list(Tnt().fit(train).annotate(text).upos)
    ['PRON', 'VERB', 'NOUN']
    """

    name = "tnt"
    settings_type = TntSettings
    seconds_per_word = 1e-6

    def _learn(
        self, sentences: Sentences, gold: NDArray[np.int32], _on_progress: OnProgress
    ) -> None:
        self._lexicon = Lexicon.of(sentences.forms, gold, len(self._tags))
        flags = capital_flags(self._lexicon.forms)
        states = self._states_of(gold, flags[sentences.forms.codes])
        self._trigrams = TrigramCounts.of(states, sentences.offsets, self._n_states)
        self._prepare()

    @property
    def _n_states(self) -> int:
        return len(self._tags) * (2 if self.settings.capital_states else 1)

    def _prepare(self) -> None:
        """Turn counts into what decoding needs."""
        self._transitions = interpolated(
            self._trigrams, deleted_interpolation(self._trigrams, tie=self.settings.tie)
        )
        lexicon, n_tags = self._lexicon, len(self._tags)
        flags = capital_flags(lexicon.forms)
        self._known_states = self._states_of(lexicon.tags, flags[lexicon.entry_of_pair])
        of_state = np.bincount(self._known_states, weights=lexicon.counts, minlength=self._n_states)
        self._known_scores = logarithms(lexicon.counts / of_state[self._known_states])
        self._state_shares = of_state / of_state.sum()
        shares = np.bincount(lexicon.tags, weights=lexicon.counts, minlength=n_tags)
        self._shares = shares / shares.sum()
        self._endings = EndingModel.of(
            lexicon,
            flags if self.settings.capital_endings else np.zeros_like(flags),
            self._shares,
            longest=self.settings.longest_ending,
            rare=self.settings.rare,
            theta=ending_weight(self._shares, variance=self.settings.theta == "variance"),
        )

    def _states_of(self, tags: NDArray[np.int32], flags: NDArray[np.int64]) -> NDArray[np.int32]:
        if not self.settings.capital_states:
            return tags
        return (2 * tags + flags).astype(np.int32)

    def _tag(self, sentences: Sentences, _on_progress: OnProgress) -> NDArray[np.int32]:
        forms = sentences.forms
        entries = self._lexicon.find(forms.vocabulary)
        unknown = np.flatnonzero(entries < 0)
        # Types of words: entries of the lexicon, then the unknown words.
        types = entries.copy()
        types[unknown] = len(self._lexicon) + np.arange(len(unknown))
        words = forms.vocabulary.take(unknown.astype(np.int32)).strings
        states = decode(
            types[forms.codes],
            sentences.offsets,
            self._candidates(words),
            self._transitions,
            beam=self.settings.beam,
        )
        return states // 2 if self.settings.capital_states else states

    def _candidates(self, unknown: tuple[str, ...]) -> Candidates:
        n_tags = len(self._tags)
        flags = capital_flags(unknown)
        tag_shares = self._endings.shares(
            unknown, flags if self.settings.capital_endings else np.zeros_like(flags)
        )
        if self.settings.lower_case:
            self._add_lower_case(unknown, tag_shares)
        tags = np.tile(np.arange(n_tags, dtype=np.int32), len(unknown))
        states = self._states_of(tags, np.repeat(flags, n_tags))
        # Bayes: P(w | t) is P(t | w) / P(t) but for a factor that all tags of a word share.
        # A state that was never seen has the share of its tag.
        prior = np.where(
            self._state_shares[states] > 0, self._state_shares[states], self._shares[tags]
        )
        scores = logarithms(tag_shares.ravel()) - logarithms(prior)
        lexicon = self._lexicon
        behind = lexicon.starts[-1] + n_tags * np.arange(1, len(unknown) + 1)
        return Candidates(
            np.concatenate([lexicon.starts, behind]),
            np.concatenate([self._known_states, states]),
            np.concatenate([self._known_scores, scores]),
        )

    def _add_lower_case(self, unknown: tuple[str, ...], shares: NDArray[np.float64]) -> None:
        """Count the ending of a word as one more occurrence of the word in lower case."""
        lower = Column.from_strings([word.lower() for word in unknown])
        entries = self._lexicon.find(lower.vocabulary)[lower.codes]
        rows = np.flatnonzero(entries >= 0)
        counts = self._lexicon.tables(entries[rows], len(self._tags))
        shares[rows] = (counts + shares[rows]) / (counts.sum(axis=1, keepdims=True) + 1)

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = super()._state()
        return {**arrays, **self._lexicon.arrays(), **self._trigrams.arrays()}, facts

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        super()._restore(arrays, facts)
        saved = SavedState(arrays, facts)
        self._lexicon = Lexicon.restored(saved, len(self._tags))
        self._trigrams = TrigramCounts.restored(saved, self._n_states)
        self._prepare()


# ------------------------------------------------------------------ transitions


def deleted_interpolation(
    trigrams: TrigramCounts, *, tie: Literal["low", "high", "split"] = "low"
) -> tuple[float, float, float]:
    """Return the weights of unigrams, bigrams and trigrams (Brants 2000, figure 1).

    Every trigram votes, as often as it occurs, for the order that would predict it best if it
    had not been seen this once.

    >>> tags = np.array([0, 1, 0, 1, 0, 2])
    >>> counts = TrigramCounts.of(tags, np.array([0, 2, 4, 6]), n_states=3)
    >>> [round(9 * weight) for weight in deleted_interpolation(counts)]
    [2, 7, 0]
    """
    f, f_context, f_pair, f_second, f_third = _marginals(trigrams)
    votes = np.stack(
        [
            _fraction(f_third - 1, np.full_like(f, trigrams.counts.sum() - 1)),
            _fraction(f_pair - 1, f_second - 1),
            _fraction(f - 1, f_context - 1),
        ]
    )
    wins = votes >= votes.max(axis=0) - _SAME
    if tie == "low":
        wins &= np.cumsum(wins, axis=0) == 1
    elif tie == "high":
        wins &= np.cumsum(wins[::-1], axis=0)[::-1] == 1
    weights = (wins / wins.sum(axis=0) * f).sum(axis=1)
    low, middle, high = (weights / weights.sum()).tolist()
    return low, middle, high


def interpolated(trigrams: TrigramCounts, weights: tuple[float, float, float]) -> Transitions:
    """Return P(c | a, b) as the weighted mean of three relative frequencies.

    A context has a row of its own if it was seen; otherwise its second state decides, and the
    trigrams' share is zero.
    """
    size = trigrams.n_states + 1
    f, f_context, f_pair, f_second, f_third = _marginals(trigrams)
    low, middle, high = weights
    by_second = np.zeros((size, size))
    by_second[trigrams.second, trigrams.third] = middle * _fraction(f_pair, f_second)
    unigrams = np.zeros(size)
    unigrams[trigrams.third] = low * f_third / f.sum()
    by_second += unigrams
    contexts, row = np.unique(trigrams.contexts, return_inverse=True)
    rows = np.concatenate([by_second, by_second[contexts % size]])
    rows[size + row, trigrams.third] += high * _fraction(f, f_context)
    row_of = np.tile(np.arange(size, dtype=np.int32), (size, 1))
    row_of[contexts // size, contexts % size] = size + np.arange(len(contexts))
    return Transitions(row_of, rows)


def _marginals(trigrams: TrigramCounts) -> tuple[NDArray[np.float64], ...]:
    """Return f(abc), f(ab), f(bc), f(b) and f(c) for every trigram, counted where they are."""
    f = trigrams.counts.astype(np.float64)
    size = trigrams.n_states + 1

    def total(keys: NDArray[np.int64]) -> NDArray[np.float64]:
        _, place = np.unique(keys, return_inverse=True)
        return np.asarray(np.bincount(place, weights=f)[place], np.float64)

    pairs = trigrams.second * size + trigrams.third
    return (
        f,
        total(trigrams.contexts),
        total(pairs),
        total(trigrams.second),
        total(trigrams.third),
    )


def _fraction(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide; by zero gives zero (Brants 2000)."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


# ------------------------------------------------------------------ unknown words


def ending_weight(shares: NDArray[np.float64], *, variance: bool = False) -> float:
    """Return theta: the spread of the tags' shares around their mean (Brants 2000, eq. 11)."""
    if len(shares) < 2:
        return 0.0
    spread = float(((shares - shares.mean()) ** 2).sum() / (len(shares) - 1))
    return spread if variance else spread**0.5


@dataclass(frozen=True)
class EndingModel:
    """P(tag | ending), smoothed by shorter endings."""

    tree: EndingTree
    counts: NodeCounts
    prior: NDArray[np.float64]
    theta: float
    longest: int

    @classmethod
    def of(
        cls,
        lexicon: Lexicon,
        groups: NDArray[np.int64],
        prior: NDArray[np.float64],
        *,
        longest: int,
        rare: int,
        theta: float,
    ) -> EndingModel:
        """Count the tags of the endings of rare words, for two groups of words apart."""
        is_rare = lexicon.frequencies <= rare
        chosen = np.flatnonzero(is_rare)
        words = lexicon.forms.take(chosen.astype(np.int32)).strings
        tree, path = EndingTree.of(last_characters(words, longest), groups[chosen], n_roots=2)
        pairs = np.flatnonzero(is_rare[lexicon.entry_of_pair])
        place = (np.cumsum(is_rare) - 1)[lexicon.entry_of_pair[pairs]]
        counts = NodeCounts.of(
            path,
            place,
            lexicon.tags[pairs],
            lexicon.counts[pairs],
            n_nodes=len(tree),
            n_tags=len(prior),
        )
        return cls(tree, counts, prior, theta, longest)

    def shares(self, words: tuple[str, ...], groups: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return P(tag | word) for words that were never seen."""
        path = self.tree.walk(last_characters(words, self.longest), groups)
        shares = np.empty((len(words), len(self.prior)))
        smoothed_along_paths(
            path,
            self.counts.starts,
            self.counts.tags,
            self.counts.counts,
            self.counts.totals,
            self.prior,
            self.theta,
            shares,
        )
        return shares
