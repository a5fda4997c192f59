"""Induced tags: how well do clusters agree with gold tags, whatever they are called.

Conventions
-----------
Clusters and gold tags are counted over all aligned words, punctuation included unless the
conventions say otherwise. `n_kt` words are in cluster k with tag t. Entropies are in bits.

Metrics
-------
many_to_one         (1/N) sum_k max_t n_kt
one_to_one          greedy, as in the challenge: the largest cell first, clusters and tags once;
                    of equally large ones that of the more frequent tag
one_to_one_optimal  the best one-to-one mapping (Hungarian method); never below the greedy one
homogeneity         I / H(T), 1 if H(T) = 0
completeness        I / H(K), 1 if H(K) = 0
v_measure           2 h c / (h + c), 0 if both are 0
vi                  H(T|K) + H(K|T), in bits; lower is better
nvi                 VI / H(T), or H(K) if H(T) = 0; lower is better, not bounded by 1

References
----------
Gelling et al. (2012), section 2; Rosenberg and Hirschberg (2007); Meila (2007); Reichart and
Rappoport (2009) for nvi; Haghighi and Klein (2006) for one-to-one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treegauge.metrics._clustering_numba import greedy_one_to_one
from treegauge.metrics.comparison import Comparison
from treegauge.metrics.metric import Floats, Metric, ratio
from treegauge.treebank import Column, Treebank, tag_column

if TYPE_CHECKING:
    from scipy import sparse

INDUCED_COLUMNS = ("upos", "xpos", "cpos")
"""Where a system may put its clusters, in the order in which they are looked for."""


@dataclass(frozen=True)
class Cells:
    """The cells of the contingency table that occur: the sufficient statistics.

    `per_sentence` has a column for every cell; `cluster` and `tag` say which it is. Cells are
    in the order in which the greedy mapping breaks ties between equally frequent tags: by the
    name of the tag, then by what the clusters hold.
    """

    per_sentence: sparse.csr_array
    cluster: NDArray[np.int64]
    tag: NDArray[np.int64]
    n_clusters: int
    n_tags: int
    scores: Callable[[Cells, Floats], Floats]

    def score(self, sums: Floats) -> Floats:
        """Return the scores of one or many contingency tables [..., cells]."""
        return self.scores(self, np.atleast_2d(sums)).reshape(sums.shape[:-1])

    def size(self, sums: Floats) -> int:
        """Return the number of words."""
        return int(sums.sum())

    def margins(self, sums: Floats) -> tuple[Floats, Floats]:
        """Return the words of every cluster and of every tag."""
        in_cluster = sums @ _indicator(self.cluster, self.n_clusters)
        in_tag = sums @ _indicator(self.tag, self.n_tags)
        return in_cluster, in_tag


def _indicator(group: NDArray[np.int64], size: int) -> sparse.csr_array:
    from scipy import sparse

    cells = np.arange(len(group))
    return sparse.csr_array((np.ones(len(group)), (cells, group)), shape=(len(group), size))


def induced_column(system: Treebank) -> str:
    """Return the column that a system's clusters are in: the first one with anything in it."""
    return next((c for c in INDUCED_COLUMNS if system.columns[c].is_annotated), "upos")


def cells(comparison: Comparison, scores: Callable[[Cells, Floats], Floats]) -> Cells:
    """Return the statistics of a metric; the table itself is made once for a comparison."""
    table = comparison.once("contingency table", lambda: _table(comparison))
    return replace(table, scores=scores)


def clustered_words(comparison: Comparison) -> tuple[NDArray[np.intp], Column, Column]:
    """Return the counted words of gold, their tags, and their clusters."""
    counted = comparison.is_counted[comparison.gold_word]
    words = comparison.gold_word[counted]
    gold = comparison.gold
    # Where there are no words, there is no column that could be the wrong one.
    column = tag_column(gold, comparison.conventions.tags).column if gold.n_words else gold.upos
    induced = comparison.system.columns[induced_column(comparison.system)]
    clusters = induced.take(comparison.system_word[counted])
    return words, column.take(words).compact(), clusters.compact()


def _table(comparison: Comparison) -> Cells:
    """Count clusters and gold tags together, by sentence."""
    from scipy import sparse

    words, tags, clusters = clustered_words(comparison)
    gold = comparison.gold
    n_clusters, n_tags = len(clusters.vocabulary), len(tags.vocabulary)
    by_name = np.argsort(np.argsort(np.array(tags.vocabulary.strings, object)))
    key = by_name[tags.codes] * max(n_clusters, 1) + clusters.codes
    # Counting beats sorting as long as the whole table is not much larger than the text.
    if n_clusters * n_tags <= 4 * len(words) + 1000:
        counts = np.bincount(key, minlength=n_clusters * n_tags)
        used = np.flatnonzero(counts)
        counts, cell = counts[used], _places(used, key)
    else:
        used, cell, counts = np.unique(key, return_inverse=True, return_counts=True)
    tag, cluster = np.divmod(used, max(n_clusters, 1))
    order = order_of_cells(cluster, tag, counts, n_clusters)
    table = sparse.csr_array(
        (np.ones(len(words)), (comparison.sentence_of_gold[words], np.argsort(order)[cell])),
        shape=(gold.n_sentences, len(used)),
    )
    return Cells(
        table,
        cluster=cluster[order],
        tag=tag[order],
        n_clusters=n_clusters,
        n_tags=n_tags,
        scores=_many_to_one,
    )


def _places(used: NDArray[np.intp], key: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where every key stands among the used ones."""
    place = np.zeros(int(used.max(initial=0)) + 1, np.int64)
    place[used] = np.arange(len(used))
    return np.asarray(place[key])


def order_of_cells(
    cluster: NDArray[np.intp], tag: NDArray[np.intp], counts: NDArray[np.intp], n_clusters: int
) -> NDArray[np.intp]:
    """Return cells in the order of `Cells`; tags are numbered by their names."""
    return np.lexsort((_cluster_places(cluster, tag, counts, n_clusters)[cluster], tag))


def _cluster_places(
    cluster: NDArray[np.intp], tag: NDArray[np.intp], counts: NDArray[np.intp], n_clusters: int
) -> NDArray[np.int64]:
    """Return the place of every cluster: small ones first, then by the tags they hold.

    Clusters that hold the same are interchangeable, so that names make no difference.
    """
    held: list[list[tuple[int, int]]] = [[] for _ in range(n_clusters)]
    for k, t, n in zip(cluster.tolist(), tag.tolist(), counts.tolist(), strict=True):
        held[k].append((t, n))
    size = [sum(n for _, n in tags) for tags in held]
    order = sorted(range(n_clusters), key=lambda k: (size[k], held[k]))
    place = np.empty(n_clusters, np.int64)
    place[order] = np.arange(n_clusters)
    return place


# ---------------------------------------------------------------------- mappings


def _many_to_one(table: Cells, sums: Floats) -> Floats:
    order = np.argsort(table.cluster, kind="stable")
    first = np.flatnonzero(np.diff(table.cluster[order], prepend=-1))
    best = np.maximum.reduceat(sums[:, order], first, axis=1) if len(first) else sums
    return ratio(best.sum(axis=1), sums.sum(axis=1))


def _one_to_one(table: Cells, sums: Floats) -> Floats:
    accepted = np.empty(len(sums))
    _, in_tag = table.margins(sums)
    words = sums.sum(axis=1, keepdims=True)
    # One number for two keys, the count and then the frequency of the tag; exact up to 2**53.
    keys = -(sums * (words + 1) + in_tag[:, table.tag])
    for i, counts in enumerate(sums):
        order = np.argsort(keys[i], kind="stable")
        accepted[i] = greedy_one_to_one(
            order, counts, table.cluster, table.tag, table.n_clusters, table.n_tags
        )
    return ratio(accepted, sums.sum(axis=1))


def _one_to_one_optimal(table: Cells, sums: Floats) -> Floats:
    from scipy.optimize import linear_sum_assignment

    accepted = np.empty(len(sums))
    dense = np.zeros((table.n_clusters, table.n_tags))
    for i, counts in enumerate(sums):
        dense[table.cluster, table.tag] = counts
        rows, columns = linear_sum_assignment(dense, maximize=True)
        accepted[i] = dense[rows, columns].sum()
    return ratio(accepted, sums.sum(axis=1))


# ---------------------------------------------------------------------- information


def _entropy(counts: Floats) -> Floats:
    """Return H in bits of every row of counts."""
    share = ratio(counts, np.broadcast_to(counts.sum(axis=1, keepdims=True), counts.shape))
    logs = np.log2(share, out=np.zeros_like(share), where=share > 0)
    entropy: Floats = -np.nansum(share * logs, axis=1)
    return entropy


def _information(table: Cells, sums: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return H(K), H(T), I and the number of words of every row."""
    in_cluster, in_tag = table.margins(sums)
    of_clusters, of_tags, of_both = _entropy(in_cluster), _entropy(in_tag), _entropy(sums)
    # I = H(K) + H(T) - H(K,T), kept in its bounds against rounding.
    shared = np.clip(of_clusters + of_tags - of_both, 0, np.minimum(of_clusters, of_tags))
    return of_clusters, of_tags, shared, sums.sum(axis=1)


def _or_nothing(values: Floats, words: Floats) -> Floats:
    return np.where(words > 0, values, np.nan)


def _homogeneity(table: Cells, sums: Floats) -> Floats:
    _, of_tags, shared, words = _information(table, sums)
    # H(T) = 0 when gold uses one tag only; Rosenberg and Hirschberg define 1 there.
    return _or_nothing(np.where(of_tags > 0, ratio(shared, of_tags), 1.0), words)


def _completeness(table: Cells, sums: Floats) -> Floats:
    of_clusters, _, shared, words = _information(table, sums)
    return _or_nothing(np.where(of_clusters > 0, ratio(shared, of_clusters), 1.0), words)


def _v_measure(table: Cells, sums: Floats) -> Floats:
    h, c = _homogeneity(table, sums), _completeness(table, sums)
    both = np.where(h + c > 0, ratio(2 * h * c, h + c), 0.0)
    return _or_nothing(both, sums.sum(axis=1))


def _vi(table: Cells, sums: Floats) -> Floats:
    of_clusters, of_tags, shared, words = _information(table, sums)
    return _or_nothing(of_clusters + of_tags - 2 * shared, words)


def _nvi(table: Cells, sums: Floats) -> Floats:
    of_clusters, of_tags, _, words = _information(table, sums)
    norm = np.where(of_tags > 0, of_tags, of_clusters)
    # Both entropies are 0: one cluster, one tag, the same partition.
    return _or_nothing(np.where(norm > 0, ratio(_vi(table, sums), norm), 0.0), words)


def _metric(
    name: str,
    title: str,
    summary: str,
    scores: Callable[[Cells, Floats], Floats],
    *,
    is_share: bool = True,
    higher_is_better: bool = True,
) -> Metric:
    return Metric(
        name,
        title,
        summary,
        "induced-tags",
        ("tags",),
        lambda comparison: cells(comparison, scores),
        is_share=is_share,
        higher_is_better=higher_is_better,
        cites=("gelling-et-al-2012",),
    )


METRICS = (
    _metric("many_to_one", "M-1", "every cluster mapped to its most frequent tag", _many_to_one),
    _metric("one_to_one", "1-1", "greedy one-to-one mapping of clusters to tags", _one_to_one),
    _metric(
        "one_to_one_optimal", "1-1 opt", "the best one-to-one mapping of clusters to tags",
        _one_to_one_optimal,
    ),
    _metric("v_measure", "VM", "harmonic mean of homogeneity and completeness", _v_measure),
    _metric("homogeneity", "Hom", "clusters hold words of one tag", _homogeneity),
    _metric("completeness", "Com", "words of one tag are in one cluster", _completeness),
    _metric(
        "vi", "VI", "variation of information, in bits", _vi,
        is_share=False, higher_is_better=False,
    ),
    _metric(
        "nvi", "NVI", "variation of information over the entropy of gold", _nvi,
        is_share=False, higher_is_better=False,
    ),
)  # fmt: skip
"""The metrics of this chapter."""
