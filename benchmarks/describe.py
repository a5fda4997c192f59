"""Describing a treebank, reading included, and generating one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks import corpora
from benchmarks.measurement import measure

TITLE = "Describing and generating"


def describing(path: str) -> Callable[[], Any]:
    import treegauge as tg

    tg.statistics(tg.parse("1\tsing\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"))
    return lambda: tg.statistics(tg.read(path, findings=tg.Findings()))


def generating(name: str) -> Callable[[], Any]:
    import treegauge as tg

    tg.toy_treebank(name, tokens=100)
    return partial(tg.toy_treebank, name, tokens=100_000)


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    lines = ["| what | seconds | target |", "| :-- | --: | --: |"]
    files = {"a toy language": corpora.toy_file(), "real treebanks": corpora.real_file()}
    for name, path in files.items():
        if path is not None:
            seconds = measure("benchmarks.describe:describing", str(path), repeats=3).seconds
            lines.append(f"| describe a million words of {name} | {seconds:.2f} | < 2 |")
    for name in ("toy:svo", "toy:sov", "toy:vso", "toy:free"):
        seconds = measure("benchmarks.describe:generating", name, repeats=3).seconds
        lines.append(f"| generate 100,000 words of {name} | {seconds:.2f} | < 2 |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(report())
