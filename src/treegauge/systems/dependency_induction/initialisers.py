"""Where learning starts: the harmonic family, and other first grammars.

Klein and Manning (2004) begin with an M-step from guessed posteriors: words take each other
as arguments in inverse proportion to their distance, and the root takes every word. How
often a side stops is not said; three readings are in use, and they end in different places.

smith    posteriors of N. Smith's program, as other toolkits use it; the default
plain    counts 1/distance + 1, stops by how many words there are on the side
em       one E-step in which only distance matters, then an M-step
uniform  all that is possible is equally likely
random   every distribution drawn from a uniform Dirichlet prior
left     the trees of the left-branching baseline, counted
right    those of the right-branching one
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction.chart import (
    ChildValenceOrder,
    Counts,
    Grammar,
    Smoothing,
    TagCorpus,
    estimate,
    expectations,
    tree_counts,
)

Floats = NDArray[np.float64]
LEFT, RIGHT = 0, 1


def initial_grammar(
    name: str,
    corpus: TagCorpus,
    random: np.random.Generator,
    *,
    decision_valences: int = 2,
    child_valences: int = 1,
    child_valence_order: ChildValenceOrder = "inside_out",
) -> Grammar:
    """Return a first grammar by the name of an initialiser.

    The harmonic ones know two decision valences and one child valence; further ones copy the
    last decision and the first child.
    """
    model = (corpus.n_tags, decision_valences, child_valences, child_valence_order)
    if name == "uniform":
        return Grammar.uniform(*model)
    if name == "random":
        return Grammar.random(random, *model)
    if name in ("left", "right"):
        counts = tree_counts(
            _branching(corpus, name),
            corpus,
            decision_valences=decision_valences,
            child_valences=child_valences,
            child_valence_order=child_valence_order,
        )
        return estimate(counts, smoothing=1.0)
    return _extended(HARMONIC[name](corpus), *model[1:])


def smith(corpus: TagCorpus, *, added: float = 0.1) -> Grammar:
    """Return the harmonic grammar of N. Smith's program.

    Every word takes each other word as its head in inverse proportion to the distance, the
    root with 1/n. Stops and goes are counted as if every side that has dependents had
    exactly one, as far as that makes no count negative: 0.9 of the largest such share.
    """
    counts = Counts.zeros(corpus.n_tags)
    # Changes that "one dependent" makes to the counts of stops and goes.
    norm_stop, norm_go = np.zeros_like(counts.stop), np.zeros_like(counts.go)
    for tags, times in _by_length(corpus):
        n = tags.shape[1]
        _add(counts.root, tags, times[:, None] / n)
        share = _inverse_distances(n)
        totals = share.sum(axis=0)
        scale = np.divide((n - 1) / n, totals, out=np.zeros(n), where=totals > 0)
        share *= scale  # of head (row) for child (column); a child's shares sum to (n - 1) / n
        for direction, mask in ((LEFT, np.tril(share, -1)), (RIGHT, np.triu(share, 1))):
            for head, child in zip(*np.nonzero(mask), strict=True):
                _add(
                    counts.attach,
                    (tags[:, head], direction, 0, tags[:, child]),
                    times * mask[head, child],
                )
            change = mask.sum(axis=1)
            for i in range(n):
                here = tags[:, i]
                _add(counts.stop, (here, direction, 0), times)
                if change[i] > 0:
                    _add(counts.go, (here, direction, 1), times * change[i])
                    _add(norm_go, (here, direction, 1), -times)
                    _add(norm_stop, (here, direction, 0), -times)
                    _add(norm_go, (here, direction, 0), times)
                    _add(norm_stop, (here, direction, 1), times)
    stop, go = counts.stop + added, counts.go + added
    most = 1.0
    for count, norm in ((stop, norm_stop), (go, norm_go)):
        falls = norm < 0
        if falls.any():
            most = min(most, float((-count[falls] / norm[falls]).min()))
    moved = Counts(
        counts.root + added,
        stop + 0.9 * most * norm_stop,
        go + 0.9 * most * norm_go,
        counts.attach + added,
    )
    return estimate(moved)


def plain(corpus: TagCorpus, *, constant: float = 1.0) -> Grammar:
    """Return the grammar of counts 1/distance plus a constant.

    A side stops at once if there is no word on it, and after one dependent if there is
    just one word; every stop and go is counted once more than it occurs.
    """
    counts = Counts.zeros(corpus.n_tags)
    counts.root[:] = 1.0
    for tags, times in _by_length(corpus):
        n = tags.shape[1]
        weights = np.where(np.eye(n, dtype=bool), 0.0, _inverse_distances(n) + constant)
        for head, child in zip(*np.nonzero(weights), strict=True):
            direction = LEFT if child < head else RIGHT
            _add(
                counts.attach,
                (tags[:, head], direction, 0, tags[:, child]),
                times * weights[head, child],
            )
        for i in range(n):
            for direction, beyond in ((LEFT, i), (RIGHT, n - 1 - i)):
                at_once = counts.stop if beyond == 0 else counts.go
                _add(at_once, (tags[:, i], direction, 0), times)
                after_one = counts.stop if beyond == 1 else counts.go
                _add(after_one, (tags[:, i], direction, 1), times)
    return estimate(Counts(counts.root, counts.stop + 1, counts.go + 1, counts.attach))


def em(corpus: TagCorpus, *, added: Smoothing | None = None) -> Grammar:
    """Return the grammar of one E-step in which nothing but distance matters."""
    longest = int(corpus.lengths.max(initial=1))
    by_distance = np.concatenate([[0.0], 1 / np.arange(1.0, longest + 1)])
    ones = Grammar(
        np.ones(corpus.n_tags),
        np.ones((corpus.n_tags, 2, 2)),
        np.ones((corpus.n_tags, 2, 2)),
        np.ones((corpus.n_tags, 2, 1, corpus.n_tags)),
    )
    e_step = expectations(ones, corpus, arc_weights=corpus.distance_weights(by_distance))
    return estimate(e_step.counts, smoothing=added or Smoothing(root=0.1, stop=1.0, attach=0.1))


HARMONIC: dict[str, Callable[[TagCorpus], Grammar]] = {"smith": smith, "plain": plain, "em": em}
INITIALISERS = (*HARMONIC, "uniform", "random", "left", "right")


def _by_length(corpus: TagCorpus) -> Iterator[tuple[NDArray[np.int32], Floats]]:
    """Give the tags of distinct sentences of one length, a row each, and how often they occur."""
    chosen = corpus.representative
    lengths = corpus.lengths[chosen]
    for n in np.unique(lengths).tolist():
        here = lengths == n
        begins = corpus.offsets[chosen[here]]
        yield corpus.tags[begins[:, None] + np.arange(n)], corpus.multiplicity[here]


def _add(table: Floats, cells: Any, amount: Any) -> None:
    """Add to cells of a table, as often as each is named."""
    np.add.at(table, cells, amount)


def _inverse_distances(n: int) -> Floats:
    distance = np.abs(np.arange(n)[:, None] - np.arange(n)).astype(np.float64)
    inverse: Floats = np.divide(1.0, distance, out=np.zeros((n, n)), where=distance > 0)
    return inverse


def _branching(corpus: TagCorpus, side: str) -> NDArray[np.int32]:
    """Return the heads of a branching baseline."""
    position = np.arange(corpus.n_words) - np.repeat(corpus.offsets[:-1], corpus.lengths) + 1
    if side == "right":
        return (position - 1).astype(np.int32)
    last = position == np.repeat(corpus.lengths, corpus.lengths)
    return np.where(last, 0, position + 1).astype(np.int32)


def _extended(
    grammar: Grammar, decision_valences: int, child_valences: int, order: ChildValenceOrder
) -> Grammar:
    """Return a grammar of more valences: the last decision and the first child, copied."""

    def decisions(table: Floats) -> Floats:
        more = np.repeat(table[..., -1:], max(0, decision_valences - 2), axis=2)
        return np.concatenate([table, more], axis=2)[..., :decision_valences]

    return Grammar(
        grammar.root,
        decisions(grammar.stop),
        decisions(grammar.go),
        np.repeat(grammar.attach[:, :, :1], child_valences, axis=2),
        order,
    )
