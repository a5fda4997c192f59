"""Reading CoNLL-U: treegauge beside conllu, pyconll and udapi."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import corpora
from benchmarks.measurement import measure

TITLE = "Reading"
TARGETS = {"conllu": 12.0, "pyconll": 5.0, "udapi": 8.0}
"""How many times faster than each peer we mean to be."""

BYTES_A_WORD = 400
"""How much memory we mean to need at the peak, at the most."""


def with_treegauge(path: str) -> Callable[[], Any]:
    import treegauge as tg

    # The first call of a kernel loads or compiles it.
    tg.parse("1\tbirds\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsing\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n")
    return partial(tg.read, path, findings=tg.Findings())


def with_conllu(path: str) -> Callable[[], Any]:
    import conllu

    return lambda: conllu.parse(Path(path).read_text(encoding="utf-8"))


def with_pyconll(path: str) -> Callable[[], Any]:
    import pyconll

    return partial(pyconll.load_from_file, path)


def with_udapi(path: str) -> Callable[[], Any]:
    from udapi.core.document import Document

    return partial(Document, path)


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    files = {"a toy language": corpora.toy_file(), "real treebanks": corpora.real_file()}
    parts = [_table(name, path) for name, path in files.items() if path is not None]
    return "\n".join(parts)


def _table(name: str, path: Path) -> str:
    import treegauge as tg

    words = tg.read(path, findings=tg.Findings()).n_words
    ours = measure("benchmarks.read:with_treegauge", str(path), repeats=3)
    lines = [
        f"{words:,} words of {name}, {path.stat().st_size / 1e6:.0f} MB of CoNLL-U, one core:",
        "",
        "| reader | seconds | words per second | peak bytes per word | times slower | target |",
        "| :-- | --: | --: | --: | --: | --: |",
        _row("treegauge", ours.seconds, words, ours.peak_memory, 1.0, f"≤ {BYTES_A_WORD} bytes"),
    ]
    for peer, wanted in TARGETS.items():
        theirs = measure(f"benchmarks.read:with_{peer}", str(path))
        ratio = theirs.seconds / ours.seconds
        lines.append(
            _row(peer, theirs.seconds, words, theirs.peak_memory, ratio, f"≥ {wanted:.0f}")
        )
    return "\n".join(lines) + "\n"


def _row(name: str, seconds: float, words: int, memory: int, ratio: float, wanted: str) -> str:
    return (
        f"| {name} | {seconds:.2f} | {words / seconds:,.0f} | {memory / words:,.0f} "
        f"| {ratio:.1f} | {wanted} |"
    )


if __name__ == "__main__":
    print(report())
