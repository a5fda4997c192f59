"""What a text is like, as far as it says how well trees can be induced from it.

Universal tags: shares of tag trigrams, edges of sentences included. Any text: the share of function
words, found as `frequent-leaves` finds them, and on which side of stretches of words they stand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.properties.tag_trigrams import TagTrigrams
from treegauge.systems.best_inducer import BestInducer
from treegauge.systems.dependency_induction.frequent_words import BareText, frequent_words
from treegauge.systems.dependency_induction.universal_weights import OTHER_SPELLINGS
from treegauge.treebank import Treebank, without_punctuation

FUNCTION_SHARE = 0.001
"""A type of more than this share of all words is a function word, as in `frequent-leaves`."""
EDGE = "#"
"""Stands for the edge of a sentence in the name of a trigram."""


@dataclass(frozen=True)
class TextProfile:
    """Numbers that describe a text; nothing of the text itself."""

    sentences: int
    """Sentences that have words."""
    function_words: float
    """The share of function words among all words."""
    side: float
    """From -1, function words only end stretches of words, to 1, they only begin them."""
    n_tags: int = 0
    """Different tags; 0 where there are none."""
    trigrams: Mapping[str, float] | None = None
    """Shares of trigrams of universal tags, such as `# DET NOUN`; none for other tags."""


def profile_of(treebank: Treebank, chosen: BestInducer) -> TextProfile:
    """Return what a text is like, without its punctuation.

    >>> import treegauge as tg
    >>> from treegauge.systems.best_inducer import choose_inducer
    >>> text = tg.parse("the/DET cat/NOUN sleeps/VERB\\n" * 5, format="slashed")
    >>> profile = profile_of(text, choose_inducer(text))
    >>> profile.sentences, profile.n_tags, profile.trigrams["# DET NOUN"]
    (5, 3, 0.2)
    """
    words = without_punctuation(chosen.prepared(treebank))
    share, side = _function_words(BareText.of(words))
    tags = 0
    if chosen.column:
        tags = len(np.unique(words.columns[chosen.column].codes))
    return TextProfile(
        sentences=int((words.lengths > 0).sum()),
        function_words=share,
        side=side,
        n_tags=tags,
        trigrams=_trigram_shares(words, chosen.column) if chosen.kind == "universal" else None,
    )


def _function_words(text: BareText) -> tuple[float, float]:
    """Return the share of function words, and the difference that tells their side."""
    known = dict.fromkeys(frequent_words(text, FUNCTION_SHARE), 1)
    is_function = text.lookup(known, 0) == 1
    several = ~(text.begins & text.ends)
    begin = int((is_function & text.begins & several).sum())
    end = int((is_function & text.ends & several).sum())
    return float(is_function.mean()), (begin - end) / max(begin + end, 1)


def _trigram_shares(words: Treebank, column: str) -> dict[str, float]:
    tags = words.columns[column].map(lambda tag: OTHER_SPELLINGS.get(tag, tag))
    counts = TagTrigrams(words.replace(columns={"upos": tags})).counts
    total = sum(counts.values())
    return {
        " ".join(tag or EDGE for tag in trigram): count / total
        for trigram, count in sorted(counts.items())
    }


def shares_among(profile: TextProfile, trigrams: Sequence[str]) -> NDArray[np.float64]:
    """Return the shares of some trigrams, and that of all others together."""
    shares = np.array([(profile.trigrams or {}).get(one, 0.0) for one in trigrams])
    return np.append(shares, max(1 - shares.sum(), 0.0))


def divergence(one: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the Jensen-Shannon divergence of a distribution from several others, in nats.

    >>> divergence(np.array([1.0, 0.0]), np.array([[1.0, 0.0], [0.0, 1.0]])).round(3).tolist()
    [0.0, 0.693]
    """
    middle = (one + others) / 2

    def relative(shares: NDArray[np.float64]) -> NDArray[np.float64]:
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = np.where(shares > 0, shares * np.log(shares / middle), 0.0)
        return np.asarray(terms.sum(axis=1))

    return (relative(np.broadcast_to(one, others.shape)) + relative(others)) / 2
