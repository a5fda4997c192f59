"""Sampling fragments of trees: CPU seconds of a sweep, and of parsing with a sample."""

from __future__ import annotations

import time

import numpy as np

from treegauge.systems.dependency_induction.chart import TagCorpus, viterbi
from treegauge.systems.dependency_induction.initialisers import smith
from treegauge.systems.dependency_induction.tree_substitution.frozen import FrozenSample
from treegauge.systems.dependency_induction.tree_substitution.sampler import (
    Sampler,
    SamplerSettings,
)

TITLE = "Sampling fragments of trees"
TAGS, SENTENCES, LONGEST = 17, 5000, 10
SWEEPS = 30
WANTED = 5.0
"""Seconds of a sweep on one core."""


def _language(random: np.random.Generator) -> TagCorpus:
    """Return sentences of an artificial language: each tag has few likely tags behind it."""
    behind = random.dirichlet(np.full(TAGS, 0.2), TAGS)
    first = random.dirichlet(np.full(TAGS, 0.5))
    lengths = random.integers(2, LONGEST + 1, SENTENCES)
    tags: list[int] = []
    for length in lengths:
        tags.append(int(random.choice(TAGS, p=first)))
        for _ in range(length - 1):
            tags.append(int(random.choice(TAGS, p=behind[tags[-1]])))
    return TagCorpus(tags, np.concatenate([[0], np.cumsum(lengths)]), TAGS)


def _seconds(sampler: Sampler) -> float:
    begin = time.process_time()
    sampler.sweep()
    sampler.resample_strengths()
    return time.process_time() - begin


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    corpus = _language(np.random.default_rng(1))
    heads = viterbi(smith(corpus), corpus).heads
    lines = [
        f"{SENTENCES:,} sentences of at most {LONGEST} words ({corpus.n_words:,} words, {TAGS} "
        f"tags) of an artificial language; CPU seconds of a sweep with new strengths, the "
        f"median of sweeps 1 to 5 and of the last five of {SWEEPS}, and CPU milliseconds for the "
        f"posteriors of a sentence's arcs under a sample. Target: a sweep in "
        f"under {WANTED:.0f} s.\n",
        "| units | first sweeps | later sweeps | accepted | parsing |",
        "| :-- | --: | --: | --: | --: |",
    ]
    alone = TagCorpus(corpus.tags, corpus.offsets, TAGS, deduplicate=False)
    for name, with_fragments in (("fragments", True), ("single rules", False)):
        sampler = Sampler(
            corpus,
            heads,
            np.random.default_rng(0),
            settings=SamplerSettings(with_fragments=with_fragments, first_cuts=0.5),
        )
        sampler.sweep()  # compiles
        seconds = [_seconds(sampler) for _ in range(SWEEPS)]
        sample = FrozenSample.of(sampler)
        sample.arc_posteriors(alone.select(np.arange(10)))
        begin = time.process_time()
        sample.arc_posteriors(alone)
        parsing = 1000 * (time.process_time() - begin) / SENTENCES
        lines.append(
            f"| {name} | {np.median(seconds[:5]):.2f} | {np.median(seconds[-5:]):.2f} | "
            f"{sampler.acceptance:.1%} | {parsing:.3f} ms |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(report())
