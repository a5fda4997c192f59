"""Starting the program: processor seconds of whole commands, with peers beside them.

Each figure is the median of ten processes on one core, kernels compiled. Cold figures are of
one process with an empty cache of kernels.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

from benchmarks import corpora

TITLE = "Starting"
PROCESSES = 10

SCRIPTS = Path(sys.executable).parent
TREEGAUGE = (sys.executable, "-m", "treegauge")


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    files = corpora.gold_and_system(20_000)
    gold, system = map(str, files)
    reference, output = (str(corpora.lines_of_text(file)) for file in files)
    sacrebleu = str(SCRIPTS / "sacrebleu")
    rows = [
        ("`python -c 'import numpy, numba'`", (sys.executable, "-c", "import numpy, numba"), ""),
        ("`sacrebleu --help`", (sacrebleu, "--help"), ""),
        ("`sacrebleu` on two files of 20,000 words", (sacrebleu, reference, "-i", output), ""),
        ("`import treegauge`", (sys.executable, "-c", "import treegauge"), "< 0.1"),
        (
            "`treegauge.read` of a file",
            (sys.executable, "-c", f"import treegauge; treegauge.read({gold!r})"),
            "",
        ),
    ]
    for words, wanted in (
        (("--version",), "< 0.25"),
        (("list", "metrics"), "< 0.25"),
        (("list", "systems"), "< 0.25"),
        (("evaluate", gold), "< 0.25"),
        (("--help",), "< 0.3"),
        (("evaluate", "--help"), "< 0.3"),
        (("evaluate", gold, system), "< 0.8"),
        (("validate", gold), "< 0.8"),
        (("describe", gold), "< 0.8"),
        (("convert", gold, "--to", "conllx"), "< 0.8"),
        (("compare", gold, system, gold), "< 0.8"),
        (("draw", gold, "--sentence", "1"), "< 0.8"),
    ):
        rows.append((f"`treegauge {_shown(words)}`", (*TREEGAUGE, *words), wanted))
    lines = ["| what | processor seconds | wanted |", "| :-- | --: | --: |"]
    for name, command, wanted in rows:
        lines.append(f"| {name} | {warm_seconds(command):.2f} | {wanted} |")
    lines += ["", "With nothing compiled:", "", *lines[:2]]
    for words, wanted in (
        (("evaluate", gold, system), "< 5"),
        (("describe", gold), "< 6"),
        (("induce", "dmv", gold, "-o", os.devnull), "< 8"),
        (("train", "transition", gold, "-o", "MODEL"), "< 15"),
    ):
        lines.append(f"| `treegauge {_shown(words)}` | {cold_seconds(words):.1f} | {wanted} |")
    return "\n".join(lines) + "\n"


def _shown(words: Sequence[str]) -> str:
    return " ".join(Path(word).name if os.sep in word else word for word in words)


def warm_seconds(command: Sequence[str]) -> float:
    """Return the median of processor seconds of a command, after one call that compiles."""
    processor_seconds(command)
    return median(processor_seconds(command) for _ in range(PROCESSES))


def cold_seconds(words: Sequence[str]) -> float:
    """Return the processor seconds of a verb where no kernel is compiled."""
    folder = tempfile.mkdtemp()
    try:
        command = [str(Path(folder) / word) if word == "MODEL" else word for word in words]
        return processor_seconds((*TREEGAUGE, *command), {"NUMBA_CACHE_DIR": folder})
    finally:
        shutil.rmtree(folder)


def processor_seconds(
    command: Sequence[str], environment: Mapping[str, str] | None = None
) -> float:
    """Return user and system seconds of one process and its children, on one core."""
    variables = {**os.environ, **(environment or {})}
    # Python keeps its bytecode, as it does for users.
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    process = subprocess.Popen(
        command,
        env=variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}),
    )
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    print(report())
