"""Scoring: treegauge beside udtools and udapi, reading included."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from typing import Any

from benchmarks import corpora
from benchmarks.measurement import measure

TITLE = "Scoring"
TARGETS = {"udtools": 40.0, "udapi_conll17": 15.0, "udapi_parsing": 5.0}
"""How many times faster than each peer we mean to be."""

MEMORY_SHARE = 1 / 3
"""How much of a peer's memory we mean to need, at the most."""


def with_treegauge(gold: str, system: str) -> Callable[[], Any]:
    return _treegauge(gold, system, resamples=0)


def with_treegauge_and_intervals(gold: str, system: str) -> Callable[[], Any]:
    return _treegauge(gold, system, resamples=1000)


def _treegauge(gold: str, system: str, *, resamples: int) -> Callable[[], Any]:
    import treegauge as tg

    # The first call of a kernel loads or compiles it.
    tiny = tg.parse("1\tsing\tsing\tVERB\tVB\tMood=Imp\t0\troot\t_\t_\n\n")
    tg.evaluate(tiny, tiny)

    def evaluate() -> Any:
        return tg.evaluate(tg.read(gold), tg.read(system), resamples=resamples)

    return evaluate


def with_udtools(gold: str, system: str) -> Callable[[], Any]:
    from udtools.udeval import evaluate, load_conllu_file

    return lambda: evaluate(load_conllu_file(gold), load_conllu_file(system))


def with_udapi_conll17(gold: str, system: str) -> Callable[[], Any]:
    from udapi.block.eval.conll17 import Conll17

    return lambda: _udapi(Conll17(gold_zone="gold"), gold, system)


def with_udapi_parsing(gold: str, system: str) -> Callable[[], Any]:
    from udapi.block.eval.parsing import Parsing

    return lambda: _udapi(Parsing(gold_zone="gold"), gold, system)


def _udapi(block: Any, gold: str, system: str) -> None:
    from udapi.block.read.conllu import Conllu
    from udapi.core.document import Document

    document = Document()
    Conllu(files=gold, zone="gold").process_document(document)
    Conllu(files=system, zone="pred").process_document(document)
    with contextlib.redirect_stdout(io.StringIO()):
        block.apply_on_document(document)


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    import treegauge as tg

    gold, system = map(str, corpora.gold_and_system())
    ours = measure("benchmarks.score:with_treegauge", gold, system, repeats=3)
    intervals = measure("benchmarks.score:with_treegauge_and_intervals", gold, system, repeats=3)
    lines = [
        f"{tg.read(gold).n_words:,} words of a toy language, gold and a system, all default "
        "metrics, reading included, one core:",
        "",
        "| scorer | seconds | megabytes at the peak | times slower | target | times the memory |",
        "| :-- | --: | --: | --: | --: | --: |",
        f"| treegauge | {ours.seconds:.2f} | {ours.peak_memory / 1e6:.0f} | 1.0 | | 1.0 |",
        f"| treegauge, with 1,000 resamples for intervals | {intervals.seconds:.2f} "
        f"| {intervals.peak_memory / 1e6:.0f} | {intervals.seconds / ours.seconds:.1f} | | |",
    ]
    for peer, wanted in TARGETS.items():
        theirs = measure(f"benchmarks.score:with_{peer}", gold, system)
        lines.append(
            f"| {peer.replace('_', ' ')} | {theirs.seconds:.2f} | {theirs.peak_memory / 1e6:.0f} "
            f"| {theirs.seconds / ours.seconds:.1f} | ≥ {wanted:.0f} "
            f"| {theirs.peak_memory / ours.peak_memory:.1f} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(report())
