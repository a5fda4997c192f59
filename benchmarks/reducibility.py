"""Reducibility: what can be left out of ten million words, and a pass of the sampler."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks import corpora
from benchmarks.measurement import measure

TITLE = "Reducibility"
WORDS = 10_000_000
PASS_WORDS = 100_000
COPIES = 10
"""The large text is the toy text of a million words so often, words changed from copy to copy."""


def large_text() -> Path:
    """Return ten million words of a toy language with their tags, a word and a tag per line."""
    from treegauge.formats import read_pieces

    path = corpora.FOLDER / "toy-10-million.tagged"
    if not path.exists():
        source = corpora.toy_file()
        with path.open("w", encoding="utf-8") as out:
            for copy in range(COPIES):
                for piece in read_pieces(source):
                    # Every third word is another one in every copy: whole sentences rarely recur.
                    forms = [
                        form if k % 3 else f"{form}{copy}" for k, form in enumerate(piece.form)
                    ]
                    tags, bounds = list(piece.upos), piece.offsets.tolist()
                    for begin, end in pairwise(bounds):
                        out.writelines(f"{forms[k]}\t{tags[k]}\n" for k in range(begin, end))
                        out.write("\n")
    return path


def count_large_text(path: str) -> Callable[[], object]:
    """Return a function that counts what can be left out of a file, kernels compiled before."""
    from treegauge import toy_treebank
    from treegauge.formats import read_pieces
    from treegauge.properties import ReducibilityCounter

    warm = ReducibilityCounter()
    warm.add(toy_treebank("toy:svo", tokens=1000))
    warm.count()

    def counted() -> object:
        counter = ReducibilityCounter()
        for piece in read_pieces(path):
            counter.add(piece)
        return counter.count()

    return counted


def pass_seconds() -> tuple[int, float]:
    """Return words, and the CPU seconds of a pass over them: the best of ten."""
    from treegauge import toy_treebank
    from treegauge.systems.dependency_induction.bracket_sampler import (
        EventCounts,
        SampledText,
        TreeChain,
    )
    from treegauge.systems.dependency_induction.tag_inventory import TagInventory
    from treegauge.treebank import without_punctuation

    words = without_punctuation(toy_treebank("toy:free", tokens=int(PASS_WORDS * 1.2)))
    inventory = TagInventory.of(words, "u")
    corpus = inventory.encode(words)
    n = corpus.n_words
    tags = corpus.tags.astype(np.int64)
    text = SampledText(tags, corpus.offsets, np.zeros((n, 3)), np.ones(n), np.zeros(n))
    counts = EventCounts.zeros(len(inventory.tags))
    random = np.random.default_rng(0)
    chain = TreeChain(text, counts, alpha=1.0, gamma=1.5, random=random)
    found = []
    for _ in range(11):
        begin = time.process_time()
        chain.run_pass(1.0, collects=True)
        found.append(time.process_time() - begin)
    return n, min(found[1:])


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    path = large_text()
    counting = measure("benchmarks.reducibility:count_large_text", str(path))
    words, seconds = pass_seconds()
    return (
        f"Counting reducible n-grams in {WORDS:,} words of a toy language (tagged text, "
        f"{path.stat().st_size / 1e6:,.0f} MB, read in pieces, one core): "
        f"{counting.seconds:,.0f} s and {counting.peak_memory / 1e9:,.2f} GB (target: under 180 s "
        f"and 2 GB). A pass of the sampler of `reducibility` over {words:,} words: "
        f"{seconds:.2f} s on one core (target: under 0.5 s for 100,000).\n"
    )


if __name__ == "__main__":
    print(report())
