"""Validation at level 2 of Universal Dependencies: treegauge beside udtools, the official one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import corpora
from benchmarks.measurement import measure

TITLE = "Validation at level 2 of Universal Dependencies"
SECONDS = 2.0
"""What a million words may take."""
WORDS_OF_PEER = 20_000
"""The official validator takes minutes for a million."""


def with_treegauge(path: str) -> Callable[[], Any]:
    from treegauge.formats import validate

    validate(path, level=2)  # the first call of a kernel loads or compiles it
    return partial(validate, path, level=2)


def with_udtools(path: str) -> Callable[[], Any]:
    from udtools.validator import Validator

    validator = Validator(level=2, output=None)
    return lambda: validator.validate_files([path])


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    toy = corpora.toy_file()
    lines = [
        "| file | validator | words | seconds | seconds per million words | target |",
        "| :-- | :-- | --: | --: | --: | --: |",
        _row("a toy language", "treegauge", toy, wanted=f"< {SECONDS:.0f}"),
    ]
    real = corpora.real_file()
    if real is not None:
        lines.append(_row("real treebanks, every sentence with an error", "treegauge", real))
    small, _ = corpora.gold_and_system(WORDS_OF_PEER)
    lines += [_row("a toy language", name, small) for name in ("treegauge", "udtools")]
    return "\n".join(lines) + "\n"


def _row(file: str, validator: str, path: Path, wanted: str = "") -> str:
    import treegauge as tg

    words = tg.read(path, findings=tg.Findings()).n_words
    repeats = 3 if validator == "treegauge" else 1
    seconds = measure(f"benchmarks.validation:with_{validator}", str(path), repeats=repeats).seconds
    rate = seconds * 1e6 / words
    return f"| {file} | {validator} | {words:,} | {seconds:.2f} | {rate:.2f} | {wanted} |"


if __name__ == "__main__":
    print(report())
