"""Word classes: time and average mutual information, and growth with words, types and classes.

Compared with two other programs for Brown clusters: `brown-clustering`, which also uses numba and
smooths counts (as little as possible here), and Liang's `wcluster`, in C++, if it is on the path.
The mutual information of all programs is computed in the same way.
"""

from __future__ import annotations

import contextlib
import io
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import corpora
from benchmarks.measurement import measure

if TYPE_CHECKING:
    from treegauge import Treebank
    from treegauge.systems import System

TITLE = "Word classes"

SYSTEMS = ("brown", "mkcls", "predictive-exchange")
CLASSES = (45, 100, 500)
CLASSES_OF_CPP = (45, 100)
"""Its time grows with the square of classes."""
SIZES = (1_000_000, 3_000_000, 10_000_000)
TYPES = (50_000, 150_000, 400_000)
WORDS_IN_SENTENCE = 20
NAME_OF_ENGLISH = "english"
PEER = "brown-clustering"
PEER_WORDS = 30_000
"""Its time grows with the square of types."""
PEER_CLASSES = 45
PEER_SMOOTHING = 1e-6
CPP = "wcluster"


@dataclass(frozen=True)
class Clusters:
    """What a program took, and how good its classes are."""

    seconds: float
    information: float
    """Average mutual information of neighbouring classes, in bits."""


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


def sentences(treebank: Treebank) -> list[list[str]]:
    words = list(treebank.form)
    return [words[first:last] for first, last in pairwise(treebank.offsets.tolist())]


def information(treebank: Treebank, class_of: dict[str, int], *, within: bool) -> float:
    """Return the average mutual information of any classes, within sentences or across."""
    import numpy as np

    from treegauge.systems.tag_induction.agglomeration import Agglomeration

    n_classes = max(class_of.values()) + 1
    classes = np.array([class_of[form] for form in treebank.form], np.int32)
    clusters = Agglomeration.of_text(
        classes, n_classes, n_classes, offsets=treebank.offsets if within else None
    )
    clusters.run()  # nothing is merged
    return clusters.average_mutual_information()


def ours(treebank: Treebank, classes: int, *, within: bool) -> Clusters:
    from treegauge.systems import make_system

    settings = {"classes": classes, "boundaries": "sentence" if within else "none"}
    fitted("brown", 3, "1000")  # compiles
    begin = time.process_time()
    system: Any = make_system("brown", settings).fit(treebank)
    seconds = time.process_time() - begin
    class_of = dict(zip(system.forms, system.class_of_type.tolist(), strict=True))
    return Clusters(seconds, information(treebank, class_of, within=within))


def in_numba(treebank: Treebank, classes: int) -> Clusters:
    import numba
    from brown_clustering import BigramCorpus, BrownClustering

    def clusters(of: list[list[str]]) -> list[list[str]]:
        with contextlib.redirect_stderr(io.StringIO()):  # its progress bars
            return BrownClustering(BigramCorpus(of, alpha=PEER_SMOOTHING), m=classes).train()

    text = sentences(treebank)
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    clusters(text[:100])  # compiles
    begin = time.process_time()
    found = clusters(text)
    seconds = time.process_time() - begin
    numba.set_num_threads(threads)
    class_of = {word: number for number, words in enumerate(found) for word in words}
    return Clusters(seconds, information(treebank, class_of, within=True))


def in_cpp(treebank: Treebank, classes: int, program: str) -> Clusters:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        lines = (" ".join(sentence) for sentence in sentences(treebank))
        (place / "text").write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = [program, "--text", "text", "--c", str(classes), "--output_dir", "out"]
        begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(command, cwd=place, check=True, capture_output=True)
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begin
        rows = (place / "out" / "paths").read_text(encoding="utf-8").split("\n")[:-1]
    numbers: dict[str, int] = {}
    class_of = {}
    for bits, word, _ in (row.split("\t") for row in rows):
        class_of[word] = numbers.setdefault(bits, len(numbers))
    return Clusters(seconds, information(treebank, class_of, within=False))


def of_english(english: Treebank) -> list[str]:
    n_types = len(english.form.compact().vocabulary)
    lines = [
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
    return lines


def beside_others(treebank: Treebank) -> list[str]:
    end = 0
    while end < len(treebank) and treebank.offsets[end] < PEER_WORDS:
        end += 1
    portion = treebank[:end]
    n_types = len(portion.form.compact().vocabulary)
    pairs = [
        (
            f"{PEER} {version(PEER)}, {PEER_CLASSES} classes, {portion.n_words:,} words, "
            f"{n_types:,} types",
            ours(portion, PEER_CLASSES, within=True),
            in_numba(portion, PEER_CLASSES),
        )
    ]
    if program := shutil.which(CPP):
        pairs += [
            (
                f"{CPP}, {classes} classes, {treebank.n_words:,} words",
                ours(treebank, classes, within=False),
                in_cpp(treebank, classes, program),
            )
            for classes in CLASSES_OF_CPP
        ]
    return [
        "\nBrown clusters compared with other programs, on the beginning of the same text if "
        "these are slow; CPU seconds. AMI differs if equally frequent words are in "
        "another order.\n",
        "| compared with | its s | treegauge s | ratio | its AMI | treegauge AMI |",
        "| :-- | --: | --: | --: | --: | --: |",
        *(
            f"| {name} | {other.seconds:.2f} | {own.seconds:.2f} "
            f"| {other.seconds / own.seconds:,.0f} "
            f"| {other.information:.4f} | {own.information:.4f} |"
            for name, own, other in pairs
        ),
    ]


def growth(title: str, rows: list[tuple[str, int]]) -> list[str]:
    """Measure Brown clusters of generated texts, each with a number of classes."""
    lines = [
        f"\n{title}\n",
        "| words | types | classes | s | memory, MB |",
        "| --: | --: | --: | --: | --: |",
    ]
    for name, classes in rows:
        run = measure("benchmarks.brown:fitting", "brown", str(classes), name)
        forms = text(name).form
        lines.append(
            f"| {len(forms):,} | {len(forms.compact().vocabulary):,} | {classes} "
            f"| {run.seconds:.2f} | {run.peak_memory / 1e6:.0f} |"
        )
        text.cache_clear()
    return lines


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    lines = ["Fitting on one core, from a treebank in memory. AMI in bits.\n"]
    english = corpora.english()
    if english is not None:
        lines += of_english(english)
        lines += beside_others(english)
    lines += growth(
        "Brown clusters of independent words by Zipf's law, in increasing numbers. "
        "Memory is that of the whole process, with the text.",
        [(str(size), CLASSES[0]) for size in SIZES],
    )
    lines += growth("More types.", [(f"{SIZES[0]}/{types}", CLASSES[0]) for types in TYPES])
    lines += growth("More classes.", [(str(SIZES[0]), classes) for classes in CLASSES])
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(report())
