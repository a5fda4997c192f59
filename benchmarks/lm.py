"""Language models: training and scoring, how both grow, and NLTK's."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from benchmarks import corpora
from benchmarks.many_treebanks import exponent
from benchmarks.measurement import measure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from treegauge import Column
    from treegauge.properties.language_model import LanguageModel

TITLE = "Language models"

SIZES = (1_000_000, 2_000_000, 5_000_000, 10_000_000)
NLTK_WORDS = 100_000
NLTK_SCORED = 100
"""NLTK counts continuations anew for every word it scores: a word takes milliseconds."""
WORDS_IN_SENTENCE = 20
NAME_OF_REAL = "real"
ORDER = 3


@cache
def text(name: str) -> tuple[Column, NDArray[np.int64]]:
    """Return the words of real treebanks, or as many as a number says, by Zipf's law.

    Words that are independent of each other have more different n-grams than any language.
    """
    import numpy as np

    import treegauge as tg

    if name == NAME_OF_REAL:
        treebank = tg.read(str(corpora.real_file()), findings=tg.Findings())
        return treebank.form, treebank.offsets
    n = int(name)
    generator = np.random.default_rng(0)
    n_types = int(30 * n**0.6)  # about as many as real texts of that size have (Heaps' law)
    cumulative = np.cumsum(1 / (np.arange(n_types) + 2.7))
    codes = np.empty(n, np.int32)
    for first in range(0, n, 1 << 20):
        part = codes[first : first + (1 << 20)]
        part[:] = np.searchsorted(cumulative, generator.random(len(part)) * cumulative[-1])
    words = tg.Vocabulary.from_strings(f"w{code}" for code in range(n_types))
    return tg.Column(codes, words), np.append(np.arange(0, n, WORDS_IN_SENTENCE), n)


def train(name: str) -> LanguageModel:
    from treegauge.properties.language_model import train_language_model

    return train_language_model(*text(name))


def training(name: str) -> Callable[[], Any]:
    train("10000").score(*text("10000"))  # compiles
    text(name)
    return lambda: train(name)


def scoring(name: str) -> Callable[[], Any]:
    model = train(name)
    # A sentence is never scored where it was learned: words are, but in another order.
    column, offsets = text(name)
    other = column[::-1]
    model.score(column[:WORDS_IN_SENTENCE], [0, WORDS_IN_SENTENCE])  # compiles
    return lambda: model.score(other, len(column) - offsets[::-1])


def training_nltk(name: str) -> Callable[[], Any]:
    from nltk.lm import KneserNeyInterpolated
    from nltk.lm.preprocessing import padded_everygram_pipeline

    column, offsets = text(name)
    words = list(column)
    sentences = [words[first:last] for first, last in pairwise(offsets.tolist())]

    def run() -> KneserNeyInterpolated:
        model = KneserNeyInterpolated(3)
        model.fit(*padded_everygram_pipeline(3, sentences))
        return model

    return run


def scoring_nltk(name: str) -> Callable[[], Any]:
    model = training_nltk(name)()
    words = list(text(name)[0][-NLTK_SCORED - 2 :])
    return lambda: [model.score(words[i], words[i - 2 : i]) for i in range(2, NLTK_SCORED + 2)]


def comparing(name: str, in_order: str) -> Callable[[], Any]:
    """Compare neighbouring windows: in sorted order as training does, or in that of the text."""
    import numpy as np

    from treegauge.properties.language_model import _ngram_trie_numba as kernels
    from treegauge.properties.language_model.ngram_trie import SPECIAL_WORDS
    from treegauge.shards.windows import sorted_places

    column, offsets = text(name)
    laid_out = kernels.lay_out(column.codes + len(SPECIAL_WORDS), np.asarray(offsets), ORDER - 1)
    places = sorted_places(laid_out, ORDER, int(laid_out.max()) + 1)
    if in_order:
        places.sort()
    kernels.compare_windows(laid_out, places[:100], ORDER)  # compiles
    return lambda: kernels.compare_windows(laid_out, places, ORDER)


def _comparing(words: int, *, in_order: bool = False) -> str:
    function, kind = "benchmarks.lm:comparing", "in order" if in_order else ""
    return f"{1e9 * measure(function, str(words), kind, repeats=2).seconds / words:.0f}"


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    warnings.simplefilter("ignore")
    lines = [
        "Trigrams, interpolated modified Kneser-Ney; CPU seconds on one core. Bytes are the memory "
        "of the whole process at the peak, including imports and text, per distinct n-gram of the "
        "model. Target: a "
        "million words in under 2.5 s, ten in under 30 s, under 200 bytes, over 2 million words "
        "per second.\n",
        "| text | words | n-grams | training, s | bytes per n-gram | scoring, million words/s |",
        "| :-- | --: | --: | --: | --: | --: |",
    ]
    names = [*([NAME_OF_REAL] if corpora.real_file() else []), *map(str, SIZES)]
    seconds: dict[str, float] = {}
    for name in names:
        words = len(text(name)[0])
        ngrams = sum(train(name).trie.sizes)
        trained = measure("benchmarks.lm:training", name, repeats=2)
        scored = measure("benchmarks.lm:scoring", name, repeats=2)
        seconds[name] = trained.seconds
        lines.append(
            f"| {'real treebanks' if name == NAME_OF_REAL else 'independent words'} | {words:,} "
            f"| {ngrams:,} | {trained.seconds:.2f} | {trained.peak_memory / ngrams:.0f} "
            f"| {words / scored.seconds / 1e6:.1f} |"
        )
        text.cache_clear()
    slope = exponent(SIZES, [seconds[str(size)] for size in SIZES])
    lines.append(
        f"\nTraining grows with the power {slope:.2f} of independent words. A word takes the "
        "same steps in any text, but neighbours in sorted order are anywhere in memory, and a "
        "cache holds less and less of it: comparing neighbouring windows takes "
        f"{_comparing(SIZES[0])} ns for each of {SIZES[0]:,} words and {_comparing(SIZES[-1])} ns "
        f"for each of {SIZES[-1]:,}, but {_comparing(SIZES[-1], in_order=True)} ns if windows are "
        "compared in the order of the text."
    )
    ours, theirs = (
        measure(f"benchmarks.lm:{function}", str(NLTK_WORDS)).seconds
        for function in ("training", "training_nltk")
    )
    our_words = NLTK_WORDS / measure("benchmarks.lm:scoring", str(NLTK_WORDS)).seconds
    their_words = NLTK_SCORED / measure("benchmarks.lm:scoring_nltk", str(NLTK_WORDS)).seconds
    lines.append(
        f"\nNLTK's `KneserNeyInterpolated` (one fixed discount) counts {NLTK_WORDS:,} words in "
        f"{theirs:.1f} s, where training takes {ours:.3f} s ({theirs / ours:.0f} times as fast), "
        f"and scores {their_words:,.0f} words/s, here {our_words:,.0f}."
    )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(report())
