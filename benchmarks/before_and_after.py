"""Systems that were slow, before and after they were made faster, in one run.

The earlier version is taken out of the repository's history into a folder of its own.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import corpora

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
            {"classes": 45, "iterations": 6, "plain_iterations": 1},
            "EM",
            words,
            target="≥ 4",
        )
        for words in (20_000, 200_000)
    ),
]


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    lines = [
        "CPU seconds of a sweep or an iteration, on one thread: the median of a few, kernels "
        f"compiled. English EWT, the first words of the training part. Before: commit {BEFORE}.",
        "",
        "| system | words | before, s | now, s | ratio | target |",
        "| :-- | --: | --: | --: | --: | --: |",
    ]
    for row, before, now in compared():
        classes = row.settings.get("classes")
        name = f"`{row.system}`, {classes} classes" if classes else f"`{row.system}`"
        cells = [name, f"{row.words:,}", f"{before:.3f}", f"{now:.3f}", f"{before / now:.1f}"]
        lines.append(f"| {' | '.join([*cells, row.target])} |")
    return "\n".join(lines) + "\n"


def compared() -> list[tuple[Row, float, float]]:
    """Return the seconds of all rows before and now."""
    english = corpora.english()
    if english is None:
        sys.exit(f"{TITLE.lower()}: needs the training part of English EWT")
    from treegauge import write

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for words in {row.words for row in ROWS}:
            n_sentences = int((english.offsets <= words).sum()) - 1
            write(english[:n_sentences], place / f"{words}.conllu")
        files = subprocess.run(
            ["git", "archive", BEFORE, "src"], check=True, capture_output=True
        ).stdout
        with tarfile.open(fileobj=io.BytesIO(files)) as archive:
            archive.extractall(place / "before", filter="data")
        found = []
        for row in ROWS:
            # One after the other, so that both have the same neighbours on the machine.
            pair = [
                seconds(row, place / f"{row.words}.conllu", source)
                for source in (place / "before" / "src", Path("src").resolve())
            ]
            found.append((row, pair[0], pair[1]))
            print(f"  {row.system} {row.settings}: {pair[0]:.3f} {pair[1]:.3f}", flush=True)
        return found


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
