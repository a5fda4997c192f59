"""CCG induction: forests, EM and parsing, in seconds of one thread."""

from __future__ import annotations

import time

import numpy as np

from benchmarks import corpora
from treegauge.systems import make_system
from treegauge.systems.dependency_induction.categorial.ccg import Ccg
from treegauge.systems.dependency_induction.categorial.forests import Forests
from treegauge.systems.dependency_induction.categorial.model import Factors
from treegauge.treebank import Treebank, without_punctuation

TITLE = "CCG induction"
CUT_OFFS = (5, 10, 15)
SENTENCES = 3000


def _measured(treebank: Treebank, cut_off: int) -> str:
    """Return a row: learning from some sentences of at most so many words, piece by piece."""
    words = without_punctuation(treebank)
    short = np.flatnonzero((words.lengths > 0) & (words.lengths <= cut_off))[:SENTENCES]
    some = treebank[short.tolist()]
    system = make_system("ccg", {"max_length": cut_off})
    assert isinstance(system, Ccg)
    begin = time.perf_counter()
    system.fit(some)
    fitted = time.perf_counter() - begin
    corpus = system.inventory.encode(without_punctuation(some))
    begin = time.perf_counter()
    forests = Forests(system.grammar, corpus, threads=1)
    packed = time.perf_counter() - begin
    factors = Factors.of_events(system.grammar.events)
    weights = factors.log_weights(factors.tables(system.counts, 1.0))
    begin = time.perf_counter()
    forests.expectations(weights)
    iteration = time.perf_counter() - begin
    return (
        f"| {cut_off} | {corpus.n_sentences:,} | {forests.n_edges:,} | {packed:.2f} | "
        f"{iteration:.3f} | {fitted:.1f} | {len(system.history)} |"
    )


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    treebank = corpora.english()
    if treebank is None:
        return "Not measured: en_ewt is not here (name its folder in TREEGAUGE_DATA).\n"
    system = make_system("ccg").fit(treebank[:2000])
    system.annotate(treebank[:10])
    begin = time.perf_counter()
    system.annotate(treebank)
    parsed = time.perf_counter() - begin
    lines = [
        f"English EWT, training part, the first {SENTENCES:,} sentences of at most so many words; "
        "wanted: learning from at most ten words within a minute.\n",
        "| up to | sentences | edges | packing, s | an iteration, s | learning, s | iterations |",
        "| --: | --: | --: | --: | --: | --: | --: |",
        *(_measured(treebank, cut_off) for cut_off in CUT_OFFS),
        "",
        f"Best derivations, sentences of all lengths: {treebank.n_words / parsed:,.0f} words/s.\n",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    print(report())
