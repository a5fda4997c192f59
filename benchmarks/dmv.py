"""EM of the dependency model with valence: sentences per second, and how time grows with length."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

import numpy as np

from benchmarks import corpora
from tests.unit.systems.dependency_induction.chart.slow_em import slow_expectations
from treegauge.kernels import threads
from treegauge.systems.dependency_induction.chart import (
    Grammar,
    TagCorpus,
    estimate,
    expectations,
)
from treegauge.systems.dependency_induction.initialisers import smith
from treegauge.systems.dependency_induction.tag_inventory import TagInventory
from treegauge.treebank import without_punctuation

TITLE = "EM of the dependency model with valence"
CUT_OFFS = (5, 10, 15, 20, 30, 40)
WANTED = {10: ("≥ 500,000 sentences/s", 500_000), 40: ("≤ 0.5 s per iteration", 0.5)}


def _iteration(grammar: Grammar, corpus: TagCorpus, workers: int) -> Grammar:
    return estimate(expectations(grammar, corpus, threads=workers).counts, smoothing=0.1)


def _best_seconds(grammar: Grammar, corpus: TagCorpus, workers: int) -> float:
    """Return the time of an iteration: the best of many, since others use the machine too."""
    _iteration(grammar, corpus, workers)
    found = []
    deadline = time.perf_counter() + 3
    while time.perf_counter() < deadline or len(found) < 3:
        begin = time.perf_counter()
        _iteration(grammar, corpus, workers)
        found.append(time.perf_counter() - begin)
    return min(found)


def _slow_ratio(grammar: Grammar, corpus: TagCorpus) -> float:
    """Return how many times faster than plain Python the E-step is, both without sharing work."""
    some = corpus.select(np.arange(0, corpus.n_sentences, 20))
    alone = TagCorpus(some.tags, some.offsets, some.n_tags, deduplicate=False)
    sentences = [
        some.tags[begin:end].tolist()
        for begin, end in zip(some.offsets[:-1], some.offsets[1:], strict=True)
    ]
    begin = time.perf_counter()
    slow_expectations(grammar, sentences)
    slow = time.perf_counter() - begin
    expectations(grammar, alone, threads=1)
    fast = min(_timed(grammar, alone) for _ in range(5))
    return slow / fast


def _timed(grammar: Grammar, corpus: TagCorpus) -> float:
    begin = time.perf_counter()
    expectations(grammar, corpus, threads=1)
    return time.perf_counter() - begin


def _growth(grammar: Grammar, n_tags: int) -> float:
    """Return the exponent of time in sentence length, fitted over lengths of 10 to 80."""
    random = np.random.default_rng(1)
    lengths = (10, 20, 40, 80)
    seconds = []
    for n in lengths:
        sentences = 4096 // n * 8
        corpus = TagCorpus(
            random.integers(0, n_tags, sentences * n), np.arange(0, sentences * n + 1, n), n_tags
        )
        seconds.append(_best_seconds(grammar, corpus, 1) / sentences)
    return float(np.polyfit(np.log(lengths), np.log(seconds), 1)[0])


def _compiling() -> tuple[float, float]:
    """Return the seconds of a first EM iteration in a new process: nothing compiled, and cached."""
    code = (
        "import time; b = time.perf_counter()\n"
        "from treegauge.systems.dependency_induction.chart import *\n"
        "c = TagCorpus([0, 1, 1], [0, 2, 3], n_tags=2); g = Grammar.uniform(2)\n"
        "b = time.perf_counter()\n"
        "estimate(expectations(g, c).counts, previous=g); viterbi(g, c)\n"
        "print(time.perf_counter() - b)"
    )
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        times = [
            float(subprocess.check_output([sys.executable, "-c", code], env=environment))
            for _ in range(2)
        ]
    return times[0], times[1]


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    treebank = corpora.english()
    if treebank is None:
        return "Not measured: en_ewt is not here (name its folder in TREEGAUGE_DATA).\n"
    words = without_punctuation(treebank)
    inventory = TagInventory.of(words, "u")
    everything = inventory.encode(words)
    workers = threads()
    lines = [
        f"English EWT, training part, punctuation removed, {len(inventory.tags)} tags; E-step with "
        f"counts and M-step; {workers} threads, best of many iterations. Sentences are counted "
        "before identical ones are merged.\n",
        "| up to | sentences | distinct | seconds | sentences/s | one thread | target |",
        "| --: | --: | --: | --: | --: | --: | :-- |",
    ]
    for cut_off in CUT_OFFS:
        corpus = everything.up_to(cut_off)
        grammar = smith(corpus)
        both = _best_seconds(grammar, corpus, workers)
        alone = _best_seconds(grammar, corpus, 1)
        lines.append(
            f"| {cut_off} | {corpus.n_sentences:,} | {corpus.n_distinct:,} | {both:.4f} | "
            f"{corpus.n_sentences / both:,.0f} | {corpus.n_sentences / alone:,.0f} | "
            f"{WANTED.get(cut_off, ('',))[0]} |"
        )
    short = everything.up_to(10)
    grammar = smith(short)
    cold, cached = _compiling()
    lines += [
        "",
        f"Compared with the plain Python of the tests, one thread, sentences of at most 10 words: "
        f"{_slow_ratio(grammar, short):,.0f} times faster. Time grows with the power "
        f"{_growth(grammar, len(inventory.tags)):.2f} of the length of sentences. A first "
        f"iteration and a first best tree take {cold:.1f} s with nothing compiled (target: "
        f"under 15), {cached:.1f} s after compilation.\n",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    print(report())
