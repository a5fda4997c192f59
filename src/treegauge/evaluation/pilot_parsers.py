"""Pilot parsers: what a fast parser reaches that has learnt from a small sample of a text.

Three times, sentences are drawn at random until they have `PILOT_WORDS` words. The transition
parser learns from them, from their first half and from their first quarter, and parses other
sentences of the same text. Seconds, whatever the size of the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.evaluation.errors import EvaluationError
from treegauge.metrics.conventions import preset
from treegauge.systems.registry import make_system
from treegauge.treebank import Treebank, TreeFlaw, tree_flaws

PILOT = "transition"
"""The parser that is fast enough."""
PILOT_SETTINGS = {"features": "rich", "margin": 0.0}
"""Those that were the defaults when what predicts accuracies was learnt (`docs/data`)."""
PILOT_WORDS = 2000
"""What a pilot learns from; half of the text if that is less."""
PARSED_WORDS = 4000
"""What a pilot parses, at most."""
SHARES = (1.0, 0.5, 0.25)
"""Of the sample that pilots learn from."""
DRAWS = 3
LEAST_WORDS = 200
"""Of a text: with less, a pilot says next to nothing."""


@dataclass(frozen=True)
class Pilots:
    """What pilot parsers reached, as shares of words that are not punctuation."""

    words: float
    """What the pilots with a whole sample learnt from, on the mean."""
    uas: tuple[float, ...]
    """For each of `SHARES`, over all draws."""
    las: tuple[float, ...]


def run_pilots(text: Treebank) -> Pilots:
    """Train and score pilot parsers on a text with trees.

    Examples
    --------
    >>> import treegauge as tg
    >>> pilots = run_pilots(tg.toy_treebank("toy:svo", tokens=2000))
    >>> 900 < pilots.words < 1100, pilots.uas[0] > pilots.las[0] > pilots.las[2]
    (True, True)
    """
    text = with_trees(text)
    if text.n_words < LEAST_WORDS:
        raise EvaluationError(
            f"no prediction for this treebank: its trees have {text.n_words:,} words; "
            f"{LEAST_WORDS:,} are needed to train a pilot parser"
        )
    scores = np.zeros((len(SHARES), 3))
    learnt = 0
    for draw in range(DRAWS):
        order = np.random.default_rng(draw).permutation(text.n_sentences)
        n_learnt = sentences_within(text, order, min(PILOT_WORDS, text.n_words / 2))
        sample, rest = order[:n_learnt], order[n_learnt:]
        parsed = text.take(np.sort(rest[: sentences_within(text, rest, PARSED_WORDS)]))
        learnt += int(text.lengths[sample].sum())
        for row, share in enumerate(SHARES):
            part = sample[: max(round(share * len(sample)), 1)]
            scores[row] += _scores(text.take(np.sort(part)), parsed)
    uas, las = scores[:, 1:].T / np.maximum(scores[:, 0], 1)
    return Pilots(learnt / DRAWS, tuple(uas.tolist()), tuple(las.tolist()))


def with_trees(treebank: Treebank) -> Treebank:
    """Return the sentences that have a tree, perhaps with several roots."""
    flaws = tree_flaws(treebank) & ~TreeFlaw.SEVERAL_ROOTS
    bare = np.add.reduceat(treebank.head >= 0, treebank.offsets[:-1]) == 0
    return treebank.take(np.flatnonzero((flaws == 0) & ~bare))


def sentences_within(text: Treebank, order: Sequence[int] | NDArray[np.int64], words: float) -> int:
    """Return how many sentences, in an order, come nearest to so many words; at least one.

    >>> import treegauge as tg
    >>> text = tg.parse("a b c\\n\\nd e\\n\\nf g h i\\n", format="tokens")
    >>> sentences_within(text, [0, 1, 2], 6), sentences_within(text, [2, 1, 0], 1)
    (2, 1)
    """
    sums = np.cumsum(text.lengths[order])
    return int(np.argmin(np.abs(sums - words))) + 1


def _scores(train: Treebank, gold: Treebank) -> tuple[int, int, int]:
    """Return the words that count, and those with the right head, and relation as well."""
    parsed = make_system(PILOT, PILOT_SETTINGS).fit(train).annotate(gold)
    scored = ~preset("conll2006").punctuation_in(gold)
    head = scored & (gold.head == parsed.head)
    same = np.array([one == other for one, other in zip(gold.deprel, parsed.deprel, strict=True)])
    return int(scored.sum()), int(head.sum()), int((head & same).sum())
