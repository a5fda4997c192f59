"""Heads chosen by tags alone, learnt from treebanks of other languages.

log P(head | word) is log-linear in what tags say of an arc: those of head and dependent, of their
neighbours and of what stands between, side, distance, punctuation. Languages differ in order, so
features also see the usual order of two tags next to each other, which raw text tells. Sources
whose sequences of tags are like those of the target are seen more often.

References
----------
Zeman and Resnik (2008), Cross-language parser adaptation between related languages. IJCNLP.
Rosa and Žabokrtský (2015), KLcpos3, a language similarity measure for delexicalized parser
transfer. ACL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction import _delexicalised_numba as kernels
from treegauge.systems.dependency_induction.arc_scores import boundaries
from treegauge.systems.dependency_induction.universal_patterns import has_adposition, main_verbs
from treegauge.systems.dependency_induction.universal_weights import TAGS
from treegauge.treebank import Treebank

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
N_TAGS = len(TAGS)
RATE = 0.3
"""Of AdaGrad."""
ORDER_STEPS = (0.1, 0.35, 0.65, 0.9)
"""How usual an order is, in five steps."""
_UNSEEN = 0.1
"""Added to every count of three tags."""


@dataclass(frozen=True, eq=False)
class TaggedText:
    """What features see of a text without punctuation."""

    offsets: NDArray[np.int64]
    tags: Codes
    is_marked: Codes
    """Whether words have an adposition."""
    is_boundary: NDArray[np.bool_]
    """Whether punctuation stood before words."""
    verb_kind: Codes
    """1 for main verbs, 2 for subordinate ones, 3 for main verbs that are subordinate."""

    @classmethod
    def of(cls, words: Treebank, tags: NDArray[np.int32], *, before: bool) -> TaggedText:
        """Return what features see; `before` says where adpositions stand."""
        kind = np.zeros(tags.size, np.int64)
        main, subordinate = main_verbs(tags, words.offsets)
        kind[main] += 1
        kind[subordinate] += 2
        return cls(
            np.asarray(words.offsets, np.int64),
            tags.astype(np.int64),
            has_adposition(tags, words.offsets, before=before).astype(np.int64),
            boundaries(words),
            kind,
        )


def usual_order(tags: NDArray[np.int32], offsets: NDArray[np.int64]) -> Codes:
    """Return [17, 17]: how usual it is that one tag stands right before another, and not behind it.

    >>> usual_order(np.array([0, 1, 0, 1], np.int32), np.array([0, 4]))[:2, :2].tolist()
    [[2, 2], [2, 2]]
    """
    following = np.ones(tags.size, np.bool_)
    following[offsets[:-1][np.diff(offsets) > 0]] = False
    at = np.flatnonzero(following)
    counts = np.ones((N_TAGS, N_TAGS))
    np.add.at(counts, (tags[at - 1], tags[at]), 1)
    order: Codes = np.digitize(counts / (counts + counts.T), ORDER_STEPS).astype(np.int64)
    return order


def trigrams(tags: NDArray[np.int32], offsets: NDArray[np.int64]) -> Floats:
    """Return how often three tags follow each other; the edges of sentences count as a tag."""
    size = N_TAGS + 1
    lengths = np.diff(offsets)
    padded = np.full(tags.size + 2 * lengths.size, N_TAGS, np.int64)
    sentence = np.repeat(np.arange(lengths.size), lengths)
    padded[np.arange(tags.size) + 2 * sentence + 1] = tags
    triples = (padded[:-2] * size + padded[1:-1]) * size + padded[2:]
    return np.bincount(triples, minlength=size**3).astype(np.float64)


def divergence(target: Floats, source: Floats) -> float:
    """Return by how much the trigrams of a target diverge from those of a source, in nats."""
    p = target / target.sum()
    q = (source + _UNSEEN) / (source + _UNSEEN).sum()
    seen = p > 0
    return float((p[seen] * np.log(p[seen] / q[seen])).sum())


def nearness(target: Floats, sources: Sequence[Floats], power: float) -> Floats:
    """Return how often every source is to be looked at; the shares add up to 1."""
    away = np.array([max(divergence(target, source), 1e-3) for source in sources])
    chances: Floats = away**-power
    shares: Floats = chances / chances.sum()
    return shares


@dataclass(frozen=True, eq=False)
class Source:
    """An annotated text of another language."""

    text: TaggedText
    heads: Codes
    order: Codes


def learn_head_choice(
    sources: Sequence[Source],
    shares: Floats,
    *,
    bits: int,
    epochs: int,
    sentences: int,
    random: np.random.Generator,
) -> NDArray[np.float32]:
    """Return weights of features; an epoch draws so many sentences, of sources by their shares."""
    starts = np.cumsum([0, *(source.text.tags.size for source in sources)])
    numbers = np.array([source.text.offsets.size - 1 for source in sources])
    offsets = np.concatenate(
        [[0], *(s.text.offsets[1:] + start for s, start in zip(sources, starts, strict=False))]
    ).astype(np.int64)
    language = np.repeat(np.arange(len(sources)), numbers)
    chances = np.repeat(shares / numbers, numbers)
    weights, squares = np.zeros(2**bits), np.zeros(2**bits)
    for _ in range(epochs):
        kernels.learn_head_choice(
            random.choice(len(chances), sentences, p=chances / chances.sum()),
            offsets,
            np.concatenate([source.heads for source in sources]),
            language,
            np.concatenate([source.text.tags for source in sources]),
            np.concatenate([source.text.is_marked for source in sources]),
            np.concatenate([source.text.is_boundary for source in sources]),
            np.concatenate([source.text.verb_kind for source in sources]),
            np.stack([source.order for source in sources]),
            RATE,
            weights,
            squares,
        )
    return weights.astype(np.float32)


def head_log_probabilities(text: TaggedText, order: Codes, weights: NDArray[np.float32]) -> Floats:
    """Return log P(head | word) of every arc, packed as `TagCorpus` packs arcs."""
    lengths = np.diff(text.offsets)
    packed = np.empty(int((lengths * (lengths + 1)).sum()))
    kernels.write_head_choice(
        text.offsets,
        text.tags,
        text.is_marked,
        text.is_boundary,
        text.verb_kind,
        order,
        weights,
        packed,
    )
    return packed
