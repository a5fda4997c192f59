"""Tags that words of one language get from their translations: votes, and what is made of them.

    V_j(t) = sum over sources and links (i, j) of p(i ~ j) w_source [source word i is tagged t]

The largest vote is a word's tag. A target sentence that stands in several parallel texts, or
several times in one, gets the votes of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.word_alignment.bitext import Bitext, Side
from treegauge.systems.word_alignment.links import Links
from treegauge.treebank import EMPTY, Column, Treebank

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TaggedBitext:
    """A parallel text with links, and tags on its source side."""

    bitext: Bitext
    links: Links
    tags: Column
    """Of the source words."""
    weight: float = 1.0

    @property
    def mean_probability(self) -> float:
        """The mean weight of the links of target words; a word without one counts as 0."""
        return float(self.links.weight.sum() / len(self.bitext.target.words))


@dataclass(frozen=True)
class Votes:
    """Distinct target sentences, and a row of votes for each of their words."""

    words: Side
    tags: tuple[str, ...]
    votes: Floats
    """`[words, tags]`."""
    total_weight: float
    """Of all sources: the largest vote that there can be, but for words with several links."""

    @classmethod
    def of(cls, texts: Sequence[TaggedBitext]) -> Votes:
        """Count the votes of all texts."""
        tags = tuple(sorted({tag for text in texts for tag in text.tags.counts()} - {"", EMPTY}))
        place = {tag: code for code, tag in enumerate(tags)}
        number: dict[tuple[str, ...], int] = {}
        sentence_of = [
            [number.setdefault(one, len(number)) for one in _sentences(text.bitext.target)]
            for text in texts
        ]
        words = Side.of(map(list, number))
        votes = np.zeros((len(words.words), len(tags)))
        for text, sentences in zip(texts, sentence_of, strict=True):
            target = text.bitext.target
            # From the words of this text to those of the distinct sentences.
            shift = words.offsets[np.array(sentences)] - target.offsets[:-1]
            row = text.links.target + np.repeat(shift, target.lengths)[text.links.target]
            column = text.tags.take(text.links.source)
            code = np.array([place.get(tag, -1) for tag in column.vocabulary])[column.codes]
            is_tag = code >= 0
            np.add.at(votes, (row[is_tag], code[is_tag]), text.weight * text.links.weight[is_tag])
        return cls(words, tags, votes, sum(text.weight for text in texts))

    @property
    def is_labelled(self) -> NDArray[np.bool_]:
        """Which words have a vote at all."""
        labelled: NDArray[np.bool_] = self.votes.max(axis=1, initial=0) > 0
        return labelled

    def by_type(self) -> Floats:
        """Return the votes of every word type, `[types, tags]`."""
        totals = np.zeros((len(self.words.words.vocabulary), len(self.tags)))
        np.add.at(totals, self.words.words.codes, self.votes)
        return totals

    def constrained(self, *, share: float, least: int) -> Votes:
        """Return the votes without those for tags that are rare for their type.

        A tag with less than a share of the votes of a type is an error of the alignment rather
        than a reading of the word; types with few labelled words are left alone (Täckström et al.
        2013).
        """
        totals = self.by_type()
        codes = self.words.words.codes
        labelled = np.bincount(codes[self.is_labelled], minlength=len(totals))
        sums = totals.sum(axis=1, keepdims=True)
        forbidden = (totals < share * sums) & (labelled >= least)[:, None]
        # The best tag stays, whatever the share.
        forbidden[np.arange(len(totals)), totals.argmax(axis=1)] = False
        votes = np.where(forbidden[codes], 0.0, self.votes)
        return Votes(self.words, self.tags, votes, self.total_weight)

    def labels(self, *, fill: bool) -> NDArray[np.int64]:
        """Return every word's tag, by its place, -1 where nobody voted.

        Parameters
        ----------
        fill : bool
            Give a word without votes the best tag of its type, if that has one.
        """
        labels = np.where(self.is_labelled, self.votes.argmax(axis=1), -1)
        if fill:
            totals = self.by_type()
            best = np.where(totals.any(axis=1), totals.argmax(axis=1), -1)
            labels = np.where(labels < 0, best[self.words.words.codes], labels)
        return labels

    def kept_sentences(self, *, labelled: float, best: float, at_most: int) -> NDArray[np.intp]:
        """Return the sentences to learn from, in their order.

        Parameters
        ----------
        labelled : float
            Share of a sentence's words that must have votes.
        best : float
            Share of those sentences that are kept, those with the most certain tags.
        at_most : int
            Of these, so many.
        """
        starts = self.words.offsets[:-1]
        lengths = self.words.lengths
        share = np.add.reduceat(self.is_labelled.astype(np.float64), starts) / lengths
        certainty = np.add.reduceat(self.votes.max(axis=1), starts) / (lengths * self.total_weight)
        enough = np.flatnonzero(share >= labelled)
        wanted = min(round(best * len(enough)), at_most)
        order = np.argsort(-certainty[enough], kind="stable")[:wanted]
        return np.sort(enough[order])


def labelled_treebank(
    votes: Votes, labels: NDArray[np.int64], sentences: NDArray[np.intp]
) -> Treebank:
    """Return some sentences with their labels as UPOS, cut where a word has none.

    A tagger learns from sentences in which every word has a tag: what stands between two words
    without one is a sentence of its own.
    """
    bounds = votes.words.offsets
    words = np.concatenate(
        [np.arange(bounds[s], bounds[s + 1]) for s in sentences.tolist()] or [np.zeros(0, np.int64)]
    )
    is_first = np.zeros(len(votes.words.words), np.bool_)
    is_first[bounds[:-1]] = True
    has_label = labels[words] >= 0
    begins = is_first[words] | ~np.concatenate([[True], has_label[:-1]])
    fragment = np.cumsum(begins)[has_label]
    kept = words[has_label]
    lengths = np.bincount(fragment)
    column = Column.from_strings([votes.tags[label] for label in labels[kept].tolist()])
    return Treebank(
        {"form": votes.words.words.take(kept), "upos": column},
        offsets=np.cumsum(np.concatenate([[0], lengths[lengths > 0]])),
    )


def _sentences(side: Side) -> list[tuple[str, ...]]:
    words = list(side.words)
    return [tuple(words[a:b]) for a, b in pairwise(side.offsets.tolist())]
