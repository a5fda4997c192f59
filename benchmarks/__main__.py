"""Runs every benchmark and records the figures."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks import brown, describe, dmv, lm, parsers, read, score, taggers, word_order

BENCHMARKS = (read, describe, score, dmv, word_order, lm, parsers, taggers, brown)
PEERS = ("conllu", "nltk", "pyconll", "python-crfsuite", "udapi", "udtools", "ufal.udpipe")
RECORD = Path("docs/benchmarks.md")


def main() -> None:
    versions = ", ".join(f"{name} {version(name)}" for name in ("treegauge", "numba", *PEERS))
    parts = [
        "# Benchmarks\n",
        "Written by `make bench`; figures are from one run on one machine, so read the ratios "
        "and not the seconds.\n",
        f"{datetime.now(UTC):%Y-%m-%d}; Python {platform.python_version()}; {versions}.\n",
    ]
    for benchmark in BENCHMARKS:
        print(f"measuring: {benchmark.TITLE.lower()}", flush=True)
        parts.append(f"## {benchmark.TITLE}\n")
        parts.append(benchmark.report())
    RECORD.write_text("\n".join(parts), encoding="utf-8")
    print(f"wrote {RECORD}")


if __name__ == "__main__":
    main()
