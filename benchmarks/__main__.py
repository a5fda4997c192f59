"""Runs benchmarks and records their figures.

python -m benchmarks            all of them
python -m benchmarks lm brown   these; what the record says of the others stays
python -m benchmarks targets    nothing; only the section on missed targets is written again
"""

from __future__ import annotations

import platform
import sys
from importlib.metadata import version

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
    growth,
    inducers,
    lm,
    many_treebanks,
    neural_parsers,
    parsers,
    read,
    record,
    reducibility,
    score,
    start,
    streams,
    taggers,
    targets,
    validation,
    word_order,
)

BENCHMARKS = (
    *(
        start,
        compilation,
        first_commands,
        read,
        validation,
        describe,
        score,
        growth,
        many_treebanks,
        streams,
    ),
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


def main(names: list[str]) -> None:
    by_name = {benchmark.__name__.rpartition(".")[2]: benchmark for benchmark in BENCHMARKS}
    for name in names:
        if name not in (*by_name, "targets"):
            sys.exit(f"no benchmark {name!r}; there are {', '.join(by_name)}")
    for name, benchmark in by_name.items():
        if not names or name in names:
            print(f"measuring: {benchmark.TITLE.lower()}", flush=True)
            section = record.dated(benchmark.report())
            # What others wrote meanwhile stays.
            _write(record.sections() | {benchmark.TITLE: section}, names)
    if names == ["targets"]:
        _write(record.sections(), names)


def _write(sections: dict[str, str], names: list[str]) -> None:
    """Write the record after every benchmark, so that nothing is lost when a later one fails."""
    kept = {one.TITLE: sections[one.TITLE] for one in BENCHMARKS if one.TITLE in sections}
    parts = [
        _recorded_head() if names else _head(),
        f"## {targets.TITLE}\n\n{targets.report(kept)}\n",
        *(f"## {title}\n\n{text}" for title, text in kept.items()),
    ]
    record.RECORD.write_text("\n".join(parts), encoding="utf-8")
    print(f"wrote {record.RECORD}")


def _head() -> str:
    """Return what stands above all sections."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("treegauge", "numba", *PEERS))
    return (
        "# Benchmarks\n\n`make bench` writes this page. Figures are from one run on one machine: "
        f"compare ratios, not seconds.\n\nPython {platform.python_version()}; {versions}.\n"
    )


def _recorded_head() -> str:
    return record.RECORD.read_text(encoding="utf-8").partition("\n## ")[0]


if __name__ == "__main__":
    main(sys.argv[1:])
