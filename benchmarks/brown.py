"""Word classes: time, and how it grows with words, types and classes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from benchmarks import corpora
from benchmarks.measurement import measure

if TYPE_CHECKING:
    from treegauge import Treebank
    from treegauge.systems import System

TITLE = "Word classes"

SYSTEMS = ("brown", "mkcls", "predictive-exchange")
CLASSES = (45, 100, 500)
SIZES = (1_000_000, 3_000_000, 10_000_000)
TYPES = (50_000, 150_000, 400_000)
WORDS_IN_SENTENCE = 20
NAME_OF_ENGLISH = "english"


@cache
def text(name: str) -> Treebank:
    """Return English, or as many words by Zipf's law as `WORDS` or `WORDS/TYPES` says.

    Words that are independent of each other have more different neighbours than in any language.
    """
    import numpy as np

    import treegauge as tg

    if name == NAME_OF_ENGLISH:
        english = corpora.english()
        assert english is not None
        return english
    words, _, types = name.partition("/")
    n = int(words)
    n_types = int(types) if types else int(30 * n**0.6)  # Heaps' law
    generator = np.random.default_rng(0)
    cumulative = np.cumsum(1 / (np.arange(n_types) + 2.7))
    codes = np.searchsorted(cumulative, generator.random(n) * cumulative[-1]).astype(np.int32)
    if types:  # all of them
        codes[generator.choice(n, n_types, replace=False)] = np.arange(n_types)
    vocabulary = tg.Vocabulary.from_strings(f"w{code}" for code in range(n_types))
    offsets = np.append(np.arange(0, n, WORDS_IN_SENTENCE), n)
    return tg.Treebank({"form": tg.Column(codes, vocabulary)}, None, offsets=offsets)


def fitting(system: str, classes: str, name: str) -> Callable[[], Any]:
    fitted(system, 3, "1000")  # compiles
    text(name)
    return lambda: fitted(system, int(classes), name)


def fitted(system: str, classes: int, name: str) -> System:
    from treegauge.systems import make_system

    return make_system(system, {"classes": classes}).fit(text(name))


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    lines = ["Fitting on one core, from a treebank in memory. AMI in bits.\n"]
    if corpora.english() is not None:
        english = text(NAME_OF_ENGLISH)
        n_types = len(english.form.compact().vocabulary)
        lines += [
            f"English EWT, train: {english.n_words:,} words, {n_types:,} types.\n",
            f"| classes | {' | '.join(f'{name}, s' for name in SYSTEMS)} | AMI of brown |",
            "| --: | --: | --: | --: | --: |",
        ]
        for classes in CLASSES:
            seconds = [
                measure("benchmarks.brown:fitting", name, str(classes), NAME_OF_ENGLISH).seconds
                for name in SYSTEMS
            ]
            brown: Any = fitted("brown", classes, NAME_OF_ENGLISH)
            lines.append(
                f"| {classes} | {' | '.join(f'{second:.2f}' for second in seconds)} "
                f"| {brown.average_mutual_information:.6f} |"
            )
    lines += [
        "\nIndependent words by Zipf's law, 45 classes. Memory is that of the whole process.\n",
        f"| words | types | {' | '.join(f'{name}, s' for name in SYSTEMS)} | memory, MB |",
        "| --: | --: | --: | --: | --: | --: |",
    ]
    for name in [*map(str, SIZES), *(f"{SIZES[0]}/{n_types}" for n_types in TYPES)]:
        measured = [measure("benchmarks.brown:fitting", system, "45", name) for system in SYSTEMS]
        forms = text(name).form
        lines.append(
            f"| {len(forms):,} | {len(forms.compact().vocabulary):,} "
            f"| {' | '.join(f'{run.seconds:.2f}' for run in measured)} "
            f"| {max(run.peak_memory for run in measured) / 1e6:.0f} |"
        )
        text.cache_clear()
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(report())
