"""Clusters of a stream against gold tags: one table of cells, counted part by part."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from treegauge.metrics import Cells, Comparison, MetricError, MetricSpec, induced_column
from treegauge.metrics.clustering import clustered_words, order_of_cells
from treegauge.significance import LabelledTable
from treegauge.spilling import Spill
from treegauge.treebank import tag_column


class StreamedCells:
    """The cells of one system, from comparisons of parts of it."""

    def __init__(self, spill: Spill) -> None:
        self._table = LabelledTable(spill)
        self._clusters: dict[str, None] = {}
        """In the order of the file, as the vocabulary of the whole has them."""
        self._columns: tuple[str, str] | None = None

    def add(self, comparison: Comparison) -> None:
        """Count the words of a part.

        Raises
        ------
        MetricError
            If clusters or tags are in another column than before.
        """
        words, tags, clusters = clustered_words(comparison)
        induced = induced_column(comparison.system)
        if len(words):
            columns = (induced, tag_column(comparison.gold, comparison.conventions.tags).source)
            if self._columns not in (None, columns):
                raise MetricError(
                    f"{comparison.system.name}: some of the stream has tags in other columns than "
                    "the rest\n  read it with --no-stream"
                )
            self._columns = columns
        for name in comparison.system.columns[induced].vocabulary:
            self._clusters.setdefault(name)
        n_tags = max(len(tags.vocabulary), 1)
        used, code = np.unique(
            clusters.codes.astype(np.int64) * n_tags + tags.codes, return_inverse=True
        )
        labels = [
            (clusters.vocabulary[cell // n_tags], tags.vocabulary[cell % n_tags])
            for cell in used.tolist()
        ]
        gold = comparison.gold
        self._table.append(gold.n_sentences, comparison.sentence_of_gold[words], code, labels)

    def cells(self, spec: MetricSpec, comparison: Comparison) -> Cells:
        """Return the statistics of a metric; the comparison is any of those that were added."""
        of_part = spec.metric.statistics(comparison)
        if not isinstance(of_part, Cells):
            raise TypeError(f"{spec} is no metric of clusters")
        labels = self._table.labels
        occurring = {cluster for cluster, _ in labels}
        cluster_number = {
            name: k for k, name in enumerate(name for name in self._clusters if name in occurring)
        }
        tag_number = {name: t for t, name in enumerate(sorted({tag for _, tag in labels}))}
        labels.sort(key=lambda cell: (tag_number[cell[1]], cluster_number[cell[0]]))
        cluster = np.array([cluster_number[name] for name, _ in labels], np.int64)
        tag = np.array([tag_number[name] for _, name in labels], np.int64)
        counts = self._table.columns(labels).sum().astype(np.int64)
        order = order_of_cells(cluster, tag, counts, len(cluster_number))
        return replace(
            of_part,
            per_sentence=self._table.columns([labels[cell] for cell in order]),  # type: ignore[arg-type]
            cluster=cluster[order],
            tag=tag[order],
            n_clusters=len(cluster_number),
            n_tags=len(tag_number),
        )
