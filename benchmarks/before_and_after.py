"""Systems that were slow, before and after they were made faster, in one run.

The earlier version is taken out of the repository's history into a folder of its own. Rows can be
measured one by one (TREEGAUGE_BENCH_SLOW); they are kept in benchmarks/measured/.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import corpora, record

TITLE = "Slow systems, before and after"
BEFORE = "12d0a27"


@dataclass(frozen=True)
class Row:
    """What is measured: the CPU seconds of a step of learning."""

    system: str
    settings: dict[str, Any]
    step: str
    """What is in the messages that steps end with."""
    words: int = 20_000
    """How long the text is."""
    target: str = ""
    """For how many times faster it is."""

    @property
    def classes(self) -> int:
        """The number of classes; 0 of a grammar inducer."""
        return int(self.settings.get("classes", 0))


ROWS = [
    *(
        Row(system, {"iterations": 6}, "log-likelihood", target="≥ 4")
        for system in ("lndmv", "slndmv")
    ),
    *(
        Row(
            "pyp-hmm",
            {"classes": classes, "sweeps": 4 if classes < 500 else 3, "init": "exchange"},
            "sweep",
            target="≥ 8" if classes >= 300 else "≥ 1",
        )
        for classes in (45, 100, 300, 500, 700)
    ),
    *(
        Row(
            "hmm-pr",
            {"classes": 45, "iterations": 12, "plain_iterations": 2},
            "EM",
            words,
            target="≥ 4" if words == 200_000 else "",
        )
        for words in (20_000, 200_000)
    ),
]


@dataclass(frozen=True)
class Measured:
    """The seconds of a row."""

    system: str
    classes: int
    words: int
    before: float
    now: float


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md.

    TREEGAUGE_BENCH_SLOW names rows, as `lndmv` or `pyp-hmm:300:20000`; of the others, what was
    measured before stays.
    """
    given = os.environ.get("TREEGAUGE_BENCH_SLOW", "")
    measure([row for row in ROWS if not given or _name(row) in given.split(",")])
    return section({(one.system, one.classes, one.words): one for one in _kept()})


def section(measured: Mapping[tuple[str, int, int], Measured]) -> str:
    """Return the section of docs/benchmarks.md."""
    lines = [
        "CPU seconds of a sweep or an iteration, on one thread: the median of a few, kernels "
        f"compiled. English EWT, the first words of the training part. Before: commit {BEFORE}. "
        "Both columns of a row are measured one after the other.",
        "",
        "| system | words | before, s | now, s | ratio | target |",
        "| :-- | --: | --: | --: | --: | --: |",
    ]
    for row in ROWS:
        one = measured.get((row.system, row.classes, row.words))
        if one is None:
            continue
        name = f"`{row.system}`, {row.classes} classes" if row.classes else f"`{row.system}`"
        cells = [name, f"{row.words:,}", f"{one.before:.3f}", f"{one.now:.3f}"]
        lines.append(f"| {' | '.join([*cells, f'{one.before / one.now:.1f}', row.target])} |")
    return "\n".join(lines) + "\n"


def measure(rows: Sequence[Row]) -> None:
    """Measure rows before and now, and keep what was found."""
    english = corpora.english()
    if english is None:
        sys.exit(f"{TITLE.lower()}: needs the training part of English EWT")
    from treegauge import write

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for words in {row.words for row in rows}:
            n_sentences = int((english.offsets <= words).sum()) - 1
            write(english[:n_sentences], place / f"{words}.conllu")
        files = subprocess.run(
            ["git", "archive", BEFORE, "src"], check=True, capture_output=True
        ).stdout
        with tarfile.open(fileobj=io.BytesIO(files)) as archive:
            archive.extractall(place / "before", filter="data")
        for row in rows:
            # One after the other, so that both have the same neighbours on the machine.
            before, now = (
                seconds(row, place / f"{row.words}.conllu", source)
                for source in (place / "before" / "src", Path("src").resolve())
            )
            _keep(Measured(row.system, row.classes, row.words, before, now))
            print(f"  {_name(row)}: {before:.3f} {now:.3f}", flush=True)


def _name(row: Row) -> str:
    return f"{row.system}:{row.classes}:{row.words}" if row.classes else row.system


_NAME = "before_and_after"


def _kept() -> list[Measured]:
    return record.measured(_NAME, Measured)


def _keep(new: Measured) -> None:
    """Keep a measurement, instead of an older one of the same."""
    same = (new.system, new.classes, new.words)
    rows = [one for one in _kept() if (one.system, one.classes, one.words) != same]
    rows.append(new)
    record.keep(_NAME, sorted(rows, key=lambda one: (one.system, one.classes, one.words)))


def seconds(row: Row, text: Path, source: Path) -> float:
    """Return the CPU seconds of a step, by the program in a folder."""
    asked = json.dumps([row.system, row.settings, row.step, str(text)])
    output = subprocess.run(
        [sys.executable, "-c", _CHILD, asked],
        check=True,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "PYTHONPATH": str(source),
            "NUMBA_CACHE_DIR": str(text.parent / f"compiled-{source.parent.name}"),
            "TREEGAUGE_THREADS": "1",
        },
    ).stdout
    return float(output)


_CHILD = """
import json, statistics, sys, time
import treegauge as tg
from treegauge.systems import make_system

system, settings, step, text = json.loads(sys.argv[1])
treebank = tg.read(text)
make_system(system, settings, seed=1).fit(treebank[:40])  # compiles
times = []

def on_progress(_share, line):
    times.append((line, time.process_time()))

make_system(system, settings, seed=1).fit(treebank, on_progress=on_progress)
pairs = zip(times, times[1:])
print(statistics.median(b[1] - a[1] for a, b in pairs if step in b[0]))
"""


if __name__ == "__main__":
    print(report())
