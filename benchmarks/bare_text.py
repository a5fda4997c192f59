"""Trees from bare text: learning and annotating, in seconds of CPU time on one thread."""

from __future__ import annotations

import os
import time
import warnings

import numpy as np

from benchmarks import corpora
from treegauge.systems import make_system
from treegauge.treebank import Treebank, without_punctuation

TITLE = "Trees from bare text"
WORDS = 30_000
WANTED = {"content-chain": 0.1, "frequent-leaves": 8.0}


def _some(treebank: Treebank, words: int) -> Treebank:
    """Return the first sentences, of so many words without punctuation."""
    lengths = np.cumsum(without_punctuation(treebank).lengths)
    return treebank[: int(np.searchsorted(lengths, words)) + 1]


def _measured(name: str, treebank: Treebank) -> str:
    """Return a row: learning from the text and annotating it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        make_system(name).fit(treebank[:200]).annotate(treebank[:10])  # so that kernels are there
    begin = time.process_time()
    system = make_system(name).fit(treebank)
    learnt = time.process_time()
    system.annotate(treebank)
    annotated = time.process_time()
    return (
        f"| `{name}` | {without_punctuation(treebank).n_words:,} | {learnt - begin:.3f} | "
        f"{annotated - learnt:.3f} | ≤ {WANTED[name]:g} |"
    )


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    treebank = corpora.english()
    if treebank is None:
        return "Not measured: en_ewt is not here (name its folder in TREEGAUGE_DATA).\n"
    before = os.environ.get("TREEGAUGE_THREADS")
    os.environ["TREEGAUGE_THREADS"] = "1"
    some = _some(treebank, WORDS)
    lines = [
        "English EWT, the first sentences of the training part; target: learning and annotating "
        "together, in CPU time on one thread.\n",
        "| system | words | learning, s | annotating, s | target, s |",
        "| :-- | --: | --: | --: | --: |",
        *(_measured(name, some) for name in WANTED),
    ]
    if before is None:
        del os.environ["TREEGAUGE_THREADS"]
    else:
        os.environ["TREEGAUGE_THREADS"] = before
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(report())
