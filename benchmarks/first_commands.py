"""The first commands that a new user types, from the README, where nothing is compiled yet.

They run one after the other, in an empty folder and with an empty cache of kernels, as they do on
a new machine: the first one that needs a kernel compiles it for all that follow.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.start import variables

TITLE = "The first ten commands"

ROOT = Path(__file__).parents[1]
SECTION = "Five minutes"


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    cores = len(os.sched_getaffinity(0))
    lines = [
        f"The commands of the README under “{SECTION}”, in that order, with an empty cache of "
        f"kernels on {cores} cores. The second time everything is compiled.",
        "",
        "| command | seconds | CPU seconds | second time | CPU seconds |",
        "| :-- | --: | --: | --: | --: |",
    ]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        commands = ten_commands()
        runs = [[_measured(one, folder, f"{turn}") for one in commands] for turn in (1, 2)]
    for command, cold, warm in zip(commands, *runs, strict=True):
        shown = command.partition(" | ")[0]
        lines.append(
            f"| `{shown}` | {cold[0]:.1f} | {cold[1]:.1f} | {warm[0]:.1f} | {warm[1]:.1f} |"
        )
    sums = [sum(one[i] for one in run) for run in runs for i in (0, 1)]
    lines.append("| all | " + " | ".join(f"{one:.1f}" for one in sums) + " |")
    return "\n".join(lines) + "\n"


def ten_commands() -> list[str]:
    """Return the commands of the README's first section."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.partition(f"## {SECTION}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\$ (treegauge .+)$", section, re.MULTILINE)


def _measured(command: str, folder: Path, turn: str) -> tuple[float, float]:
    """Return the seconds and the CPU seconds of a command, with all that it starts."""
    scripts, work, kernels = folder / "bin", folder / turn, folder / "kernels"
    for one in (scripts, work, kernels):
        one.mkdir(exist_ok=True)
    script = scripts / "treegauge"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m treegauge "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    environment = variables() | {
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "NUMBA_CACHE_DIR": str(kernels),
    }
    before, begin = _processor_seconds(), time.perf_counter()
    subprocess.run(command, shell=True, cwd=work, env=environment, check=True, capture_output=True)
    return time.perf_counter() - begin, _processor_seconds() - before


def _processor_seconds() -> float:
    """Return what processes took that this one has started, and what those have."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    print(report())
