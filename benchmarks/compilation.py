"""What compiling costs: CPU seconds for each kernel, in four verbs and in all.

`python -m benchmarks.compilation PYTHON` measures the program of another interpreter, as of an
earlier version.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import corpora
from treegauge.cli.first_calls import pieces_for, write_material

TITLE = "Compilation"
SHOWN = 40
USUAL_SYSTEM = "arc-eager"

BEFORE = {
    "evaluate": (6.9, 38),
    "describe": (12.1, 87),
    "induce dmv": (17.5, 66),
    "train transition": (42.6, 216),
    "everything, one transition system": (217.0, 673),
    "everything": (204.0, 673),
}
"""Seconds and versions of commit 037a8b2, without two command lines that it does not know."""

WITHOUT_KERNELS = ("bilstm", "biaffine", "mmi", "udpipe", "udpipe-tagger", "external")
"""Systems of other libraries; they take long."""
IN_PROCESSES_OF_THEIR_OWN = ("run", "report", "reproduce")
"""Verbs that call systems, which are measured by themselves."""


@dataclass(frozen=True)
class Compiled:
    """One version of a function that numba compiled."""

    name: str
    """Module and function."""
    seconds: float
    """Of this function alone, without those that it calls."""
    for_what: str
    """The command or system that needed it first."""


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    measured = compiled_by_all(sys.executable)
    lines = [
        "CPU seconds of numba on one core, nothing compiled before: the sum over all that "
        "one process compiles, and the number of compiled versions of functions. Functions of "
        "numba itself (`numba...`) count too. Before: commit 037a8b2.",
        "",
        "| what | before | versions | now | versions | ratio |",
        "| :-- | --: | --: | --: | --: | --: |",
    ]
    for name, found in measured.items():
        seconds, versions = _seconds(found), len(found)
        before = BEFORE.get(name)
        old = f"{before[0]:.1f} | {before[1]}" if before else "- | -"
        ratio = f"{seconds / before[0]:.2f}" if before else "-"
        lines.append(f"| {name} | {old} | {seconds:.1f} | {versions} | {ratio} |")
    lines += [
        "",
        f"The {SHOWN} functions that take longest:",
        "",
        "| function | own seconds | versions | first needed by |",
        "| :-- | --: | --: | :-- |",
        *_rows(measured["everything"]),
    ]
    return "\n".join(lines) + "\n"


def _rows(found: Iterable[Compiled]) -> list[str]:
    by_name: dict[str, list[Compiled]] = {}
    for one in found:
        by_name.setdefault(one.name, []).append(one)
    versions = sorted(by_name.values(), key=_seconds, reverse=True)
    return [
        f"| `{same[0].name}` | {_seconds(same):.2f} | {len(same)} | {same[0].for_what} |"
        for same in versions[:SHOWN]
    ]


def _seconds(found: Iterable[Compiled]) -> float:
    return sum(one.seconds for one in found)


def compiled_by_all(python: str) -> dict[str, list[Compiled]]:
    """Return what four verbs compile, each by itself, and what everything compiles."""
    gold, system = (file.resolve() for file in corpora.gold_and_system(20_000))
    verbs = {
        "evaluate": f"evaluate {gold} {system}",
        "describe": f"describe {gold}",
        "induce dmv": f"induce dmv {gold} -o {os.devnull}",
        "train transition": f"train transition {gold} -o MODEL --set epochs=1",
    }
    measured = {name: compiled_by(python, [(name, [line])]) for name, line in verbs.items()}
    left_out = (*WITHOUT_KERNELS, *IN_PROCESSES_OF_THEIR_OWN)
    pieces = [(one.name, one.lines) for one in pieces_for() if one.name not in left_out]
    once = [(name, [*_for_one_transition_system(lines)]) for name, lines in pieces]
    measured["everything, one transition system"] = compiled_by(python, once)
    measured["everything"] = compiled_by(python, pieces)
    return measured


def _for_one_transition_system(lines: Iterable[str]) -> Iterator[str]:
    """Give the lines without those for another transition system, or for its model.

    Kernels of transition systems are compiled for each of them, and once were for all at once.
    """
    models: set[str] = set()
    for line in lines:
        words = line.split()
        chosen = re.search(r" (?:--system |system=)((?:arc|swap|covington)[a-z-]*)", line)
        if chosen and chosen[1] != USUAL_SYSTEM:
            models |= {word for word in words if word.endswith(".model")}
        elif models.isdisjoint(words):
            yield line


def compiled_by(python: str, pieces: Sequence[tuple[str, Sequence[str]]]) -> list[Compiled]:
    """Return what one process compiles that types the lines of all pieces, in its own folder."""
    with tempfile.TemporaryDirectory() as home:
        write_material(Path(home))
        process = subprocess.run(
            [python, "-c", _CHILD],
            input=json.dumps(pieces),
            capture_output=True,
            text=True,
            cwd=home,
            env={**os.environ, "NUMBA_CACHE_DIR": str(Path(home, "compiled"))},
            preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}),
        )
    if process.returncode:
        sys.exit(process.stderr)
    sys.stderr.write(process.stderr)
    return [Compiled(*row) for row in json.loads(process.stdout)]


_CHILD = """
import contextlib, io, json, sys, time
from numba.core import event
from treegauge.cli.main import main

rows, running, piece = [], [], ""

class Listener(event.Listener):
    def on_start(self, event):
        function = event.data["dispatcher"].py_func
        running.append([f"{function.__module__}.{function.__name__}", time.process_time(), 0.0])

    def on_end(self, event):
        name, begin, inside = running.pop()
        seconds = time.process_time() - begin
        rows.append((name.removeprefix("treegauge."), seconds - inside, piece))
        if running:
            running[-1][2] += seconds

event.register("numba:compile", Listener())
for piece, lines in json.load(sys.stdin):
    for line in lines:
        sys.argv = ["treegauge", *line.split()]
        said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            try:
                main()
                code = 0
            except SystemExit as end:
                code = end.code
        if code:
            print(f"failed: {line}: {said.buffer.getvalue()[-200:]}", file=sys.stderr)
print(json.dumps(rows))
"""


if __name__ == "__main__":
    for name, found in compiled_by_all(sys.argv[1]).items():
        print(f'"{name}": ({_seconds(found):.1f}, {len(found)}),')
