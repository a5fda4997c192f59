"""Starting the program: CPU seconds of whole commands, with peers beside them.

Warm figures are medians of ten processes on one core, kernels compiled. Cold figures are of one
process with an empty cache of kernels.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

from benchmarks import corpora

TITLE = "Starting"
PROCESSES = 10

SCRIPTS = Path(sys.executable).parent
TREEGAUGE = (sys.executable, "-m", "treegauge")
BARE = (sys.executable, "-c", "import numpy, numba")


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    gold, system = map(str, corpora.gold_and_system(20_000))
    bare = warm_seconds(BARE)
    lines = [
        "CPU seconds on one core, kernels compiled, medians of ten processes; files have "
        "20,000 words. A ratio is to the bare import of NumPy and numba, in the same run.",
        "",
        "| what | CPU seconds | ratio | target |",
        "| :-- | --: | --: | --: |",
        f"| `python -c 'import numpy, numba'` | {bare:.2f} | 1.00 | |",
    ]
    for name, command, wanted in (*_peers(gold, system), *_warm(gold, system)):
        seconds = warm_seconds(command)
        lines.append(f"| {name} | {seconds:.2f} | {seconds / bare:.2f} | {wanted} |")
    lines += [
        "",
        "With nothing compiled, one process each:",
        "",
        "| what | CPU seconds | target |",
        "| :-- | --: | --: |",
    ]
    for words, wanted in (
        (("evaluate", gold, system), "< 5"),
        (("describe", gold), "< 6"),
        (("induce", "dmv", gold, "-o", os.devnull), "< 8"),
        (("train", "transition", gold, "-o", "MODEL"), "< 15"),
    ):
        lines.append(f"| `treegauge {_shown(words)}` | {cold_seconds(words):.1f} | {wanted} |")
    return "\n".join(lines) + "\n"


Row = tuple[str, Sequence[str], str]
"""What is measured: how the table calls it, the command, and what it may take."""


def _peers(gold: str, system: str) -> Iterator[Row]:
    reference, output = (str(corpora.lines_of_text(Path(file))) for file in (gold, system))
    sacrebleu = str(SCRIPTS / "sacrebleu")
    yield "`sacrebleu --help`", (sacrebleu, "--help"), ""
    yield "`sacrebleu` on two files", (sacrebleu, reference, "-i", output), ""


def _warm(gold: str, system: str) -> Iterator[Row]:
    yield "`import treegauge`", (sys.executable, "-c", "import treegauge"), "< 0.1"
    read = f"import treegauge; treegauge.read({gold!r})"
    yield "`treegauge.read` of a file", (sys.executable, "-c", read), ""
    static = [("--version",), *(("list", topic) for topic in ("metrics", "systems", "settings"))]
    misuse = [("evaluat",), ("evaluate", gold), ("list", "metric")]
    pages = [("--help",), ("evaluate", "--help"), ("reproduce", "--help")]
    pages += [("reproduce", "pascal", "--help")]
    work = [
        ("evaluate", gold, system),
        ("validate", gold),
        ("describe", gold),
        ("convert", gold, os.devnull, "--to", "conllx"),
        ("compare", gold, system, gold),
        ("draw", gold, "--sentence", "1"),
    ]
    for commands, wanted in (
        (static, "< 0.25"),
        (misuse, "< 0.25"),
        (pages, "< 0.3"),
        (work, "< 0.8"),
    ):
        for words in commands:
            name = f"`treegauge {_shown(words)}`" + (
                ", a usage error" if commands is misuse else ""
            )
            yield name, (*TREEGAUGE, *words), wanted


def _shown(words: Sequence[str]) -> str:
    names = {os.devnull: os.devnull}
    return " ".join(names.get(word, Path(word).name if os.sep in word else word) for word in words)


def warm_seconds(command: Sequence[str]) -> float:
    """Return the median of CPU seconds of a command, after one call that compiles."""
    processor_seconds(command)
    return median(processor_seconds(command) for _ in range(PROCESSES))


def cold_seconds(words: Sequence[str]) -> float:
    """Return the CPU seconds of a verb where no kernel is compiled."""
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
    process = subprocess.Popen(
        command,
        env={**variables(), **(environment or {})},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}),
    )
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime


def variables() -> dict[str, str]:
    """Return the variables of the environment; Python keeps its bytecode, as it does for users."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


if __name__ == "__main__":
    print(report())
