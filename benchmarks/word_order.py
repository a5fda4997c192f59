"""Properties of word order and permutations: tokens per second, once a treebank is read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import corpora
from benchmarks.measurement import measure

TITLE = "Word order"
PROPERTIES_WANTED, PERMUTATION_WANTED = 1.0, 3.0
"""Seconds for a million words: all properties together, and any one order."""

ARGUMENTS = {"nonprojective": ":0.1", "mix": ":0.5"}


def _read(path: str) -> Any:
    import treegauge as tg

    return tg.read(path, findings=tg.Findings())


def _words(path: str) -> Any:
    """Return the treebank without punctuation, so that no sentence is left out for it."""
    return _read(path).without_punctuation()


def one_property(path: str, name: str) -> Callable[[], Any]:
    """Measure one number, the selection of sentences not included."""
    from treegauge.properties import WordOrder

    treebank = _words(path)
    getattr(WordOrder(treebank[:10]), name)
    order = WordOrder(treebank)
    return lambda: getattr(order, name)


def selecting(path: str) -> Callable[[], Any]:
    """Measure the selection of sentences."""
    from treegauge.properties import select_sentences

    treebank = _words(path)
    select_sentences(treebank[:10])
    return partial(select_sentences, treebank)


def all_properties(path: str) -> Callable[[], Any]:
    """Measure the selection and all numbers."""
    from treegauge.properties import WordOrder

    treebank = _words(path)
    WordOrder(treebank[:10]).to_dict()
    return lambda: WordOrder(treebank).to_dict()


def permuting(path: str, order: str) -> Callable[[], Any]:
    """Measure an order of all sentences."""
    from treegauge.rewrite import permute

    treebank = _read(path)
    permute(treebank[:10], order, keep_all=True)
    return partial(permute, treebank, order, keep_all=True)


def restoring(path: str) -> Callable[[], Any]:
    """Measure how long it takes to restore the original order."""
    from treegauge.rewrite import permute, restore_order

    permuted = permute(_read(path), "mirror", keep_all=True)
    restore_order(permuted[:10])
    return partial(restore_order, permuted)


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    files = {"a toy language": corpora.toy_file(), "real treebanks": corpora.real_file()}
    return "\n".join(_table(name, path) for name, path in files.items() if path is not None)


def _table(name: str, path: Path) -> str:
    from treegauge.properties.word_order import NUMBERS
    from treegauge.rewrite import ORDERS

    words, proper = _read(str(path)).n_words, _words(str(path)).n_words
    lines = [
        f"{words:,} words of {name}, once read, one core; properties of the {proper:,} that are "
        "not punctuation, so that no sentence is left out; orders of all sentences with their "
        "record:",
        "",
        "| what | seconds | words per second | target |",
        "| :-- | --: | --: | --: |",
    ]

    def add(label: str, function: str, *arguments: str, wanted: float | None = None) -> None:
        taken = measure(f"benchmarks.word_order:{function}", str(path), *arguments, repeats=2)
        seconds = taken.seconds
        counted = words if function in ("permuting", "restoring") else proper
        limit = f"< {wanted:g} s" if wanted else ""
        lines.append(f"| {label} | {seconds:.3f} | {counted / seconds:,.0f} | {limit} |")

    add("selection of sentences", "selecting")
    for number in NUMBERS:
        if not number.startswith("largest"):  # known with the means
            add(number.replace("_", " "), "one_property", number)
    add("all of these", "all_properties", wanted=PROPERTIES_WANTED)
    for order in ORDERS:
        chosen = order + ARGUMENTS.get(order, "")
        add(f"order `{chosen}`", "permuting", chosen, wanted=PERMUTATION_WANTED)
    add("restoring the order", "restoring")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(report())
