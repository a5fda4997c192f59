"""Iterations of EM on workers of a cluster: what they cost beside the charts.

    python -m benchmarks.e_steps              all sizes
    python -m benchmarks.e_steps 17 500000    one: tags, sentences

Texts are tags drawn at random, so that the charts of an iteration take a tenth of a second to six
seconds of a processor. Everything is also measured in seconds of a processor, which other work on
the machine changes little. Writes `scale-e-steps.tsv` in docs/data, from which `studies.pages`
fills `docs/scale.md`.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import polars as pl

from benchmarks.cluster_costs import Watch, a_cluster
from benchmarks.kept_figures import keep
from treegauge.systems.dependency_induction.chart import Grammar, TagCorpus, expectations
from treegauge.systems.dependency_induction.chart.elsewhere import e_steps_on

SENTENCES = {17: (20_000, 100_000, 500_000, 1_000_000), 45: (20_000, 100_000, 500_000)}
"""By the number of tags: universal ones, and about as many as treebanks have of their own."""
WORKERS = (1, 2)
_LONGEST = 20
_REPEATS = 3


def corpus_of(sentences: int, tags: int) -> TagCorpus:
    """Return sentences of 1 to 20 tags, each drawn by itself."""
    generator = np.random.default_rng(1)
    lengths = generator.integers(1, _LONGEST + 1, sentences)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return TagCorpus(generator.integers(0, tags, offsets[-1]), offsets, n_tags=tags)


def measured(corpus: TagCorpus, grammar: Grammar) -> list[dict[str, float]]:
    """Return what an iteration takes in this process, and on workers of one thread each.

    The first iteration, which sends the text and loads kernels, is left out.
    """
    expectations(grammar, corpus, threads=1)
    begin, clock = time.process_time(), time.perf_counter()
    for _ in range(_REPEATS):
        expectations(grammar, corpus, threads=1)
    charts = (time.process_time() - begin) / _REPEATS
    rows = [{"workers": 0, "charts": charts, "seconds": (time.perf_counter() - clock) / _REPEATS}]
    for workers in WORKERS:
        with a_cluster(workers) as (cluster, executor), e_steps_on(executor):
            expectations(grammar, corpus)
            watch = Watch(cluster)
            for _ in range(_REPEATS):
                expectations(grammar, corpus)
            spent = watch.spent_on_work()
        rows.append(
            {
                "workers": workers,
                "charts": charts,
                "seconds": spent.seconds / _REPEATS,
                "handing_out": spent.handing_out / _REPEATS,
                "on_workers": spent.on_workers / _REPEATS,
            }
        )
    return rows


def main(tags: int, sentences: int) -> None:
    """Measure one size, and keep it."""
    corpus = corpus_of(sentences, tags)
    rows = measured(corpus, Grammar.random(np.random.default_rng(0), tags))
    about = {"tags": tags, "words": corpus.n_words, "shards": len(corpus.shards)}
    table = pl.DataFrame([{**about, **row} for row in rows])
    print(table, flush=True)
    keep("scale-e-steps", table, ["tags", "words", "workers"])


if __name__ == "__main__":
    if sys.argv[1:]:
        main(*map(int, sys.argv[1:]))
    else:
        for n_tags, sizes in SENTENCES.items():
            for size in sizes:
                main(n_tags, size)
