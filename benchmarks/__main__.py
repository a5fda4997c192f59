"""Runs benchmarks and records their figures.

python -m benchmarks            all of them
python -m benchmarks lm brown   these; what the record says of the others stays
"""

from __future__ import annotations

import platform
import re
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks import (
    bare_text,
    before_and_after,
    brown,
    ccg,
    challenge_check,
    challenge_results,
    challenge_server,
    compilation,
    describe,
    dmv,
    first_commands,
    fragments,
    inducers,
    lm,
    many_treebanks,
    neural_parsers,
    parsers,
    read,
    reducibility,
    score,
    start,
    taggers,
    validation,
    word_order,
)

BENCHMARKS = (
    *(start, compilation, first_commands, read, validation, describe, score, many_treebanks),
    *(challenge_check, challenge_results, challenge_server),
    *(dmv, ccg, reducibility, inducers, bare_text, fragments),
    before_and_after,
    *(word_order, lm, parsers, neural_parsers, taggers, brown),
)
PEERS = (
    "brown-clustering",
    "conllu",
    "nltk",
    "pyconll",
    "python-crfsuite",
    "sacrebleu",
    "udapi",
    "udtools",
    "ufal.udpipe",
)
RECORD = Path("docs/benchmarks.md")


def main(names: list[str]) -> None:
    by_name = {benchmark.__name__.rpartition(".")[2]: benchmark for benchmark in BENCHMARKS}
    for name in names:
        if name not in by_name:
            sys.exit(f"no benchmark {name!r}; there are {', '.join(by_name)}")
    versions = ", ".join(f"{name} {version(name)}" for name in ("treegauge", "numba", *PEERS))
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    sections = _recorded()
    for name, benchmark in by_name.items():
        if not names or name in names:
            print(f"measuring: {benchmark.TITLE.lower()}", flush=True)
            sections[benchmark.TITLE] = f"{benchmark.report().rstrip()}\n\nMeasured {today}.\n"
    parts = [
        "# Benchmarks\n",
        "`make bench` writes this page. Figures are from one run on one machine: compare ratios, "
        "not seconds.\n",
        f"Python {platform.python_version()}; {versions}.\n",
    ]
    for benchmark in BENCHMARKS:
        if benchmark.TITLE in sections:
            parts += [f"## {benchmark.TITLE}\n", sections[benchmark.TITLE]]
    RECORD.write_text("\n".join(parts), encoding="utf-8")
    print(f"wrote {RECORD}")


def _recorded() -> dict[str, str]:
    """Return the sections of the record by title."""
    text = RECORD.read_text(encoding="utf-8") if RECORD.exists() else ""
    return dict(re.findall(r"^## (.+?)\n\n(.*?)(?=\n^## |\Z)", text, re.MULTILINE | re.DOTALL))


if __name__ == "__main__":
    main(sys.argv[1:])
