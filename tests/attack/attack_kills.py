"""Commands that are killed while they write: nothing half is left, and they can be repeated.

The moment is not guessed: a command is killed when its temporary file or folder appears, or
a little later.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

from tests.attack.attack import TEMPORARIES, Attack, Found
from tests.in_process import run_in_process

SIGNALS = {signal.SIGKILL: -signal.SIGKILL, signal.SIGTERM: 143, signal.SIGINT: 130}
"""How a command may be ended, and the exit code that this gives."""

EXPERIMENT = """treebanks = ["toy:svo"]
metrics = ["uas"]
resamples = 10
[[systems]]
system = "right-branching"
[[systems]]
system = "dmv"
settings = { iterations = 2 }
"""

COMMANDS: dict[str, tuple[str, ...]] = {
    "convert": ("convert", "gold.conllu", "out.conllu.xz", "--quiet"),
    "convert-plain": ("convert", "gold.conllu", "out.conllu", "--quiet"),
    "permute": ("permute", "gold.conllu", "out.conllu.gz", "--order", "optdl", "--quiet"),
    "induce": ("induce", "right-branching", "gold.conllu", "-o", "out.conllu.xz", "--quiet"),
    "train": ("train", "tnt", "gold.conllu", "-o", "out.model", "--quiet"),
    "report": ("evaluate", "gold.conllu", "gold.conllu", "--quiet", "-o", "out.html"),
    "run": ("run", "experiment.toml", "--folder", "out-run", "--workers", "1", "--quiet"),
}
PATIENCE = 120
STOPS_WITHIN = 10
"""Seconds; two are promised, on a machine that does nothing else."""


@cache
def _gold() -> bytes:
    done = run_in_process(["convert", "toy:svo:test", "-"], folder=Path.cwd())
    return done.stdout.encode()


def _case(random: Random, folder: Path) -> str:
    name = random.choice(sorted(COMMANDS))
    ended_by = random.choice(sorted(SIGNALS))
    arguments = COMMANDS[name]
    (folder / "gold.conllu").write_bytes(_gold())
    (folder / "experiment.toml").write_text(EXPERIMENT)
    target = folder / next(argument for argument in arguments if argument.startswith("out"))
    has_old = random.random() < 0.5 and name != "run"
    if has_old:
        target.write_bytes(b"old")
    code = _killed(arguments, folder, target, ended_by, random.choice((0, 0, 0.01, 0.1)))
    what = f"treegauge {' '.join(arguments)}, ended by {ended_by.name} with {code}"
    if code == 0:
        outcome = "ended before it was killed"
    elif code != SIGNALS[ended_by]:
        raise Found(f"{what}: not the exit code of the signal")
    else:
        outcome = f"killed by {ended_by.name}"
        if ended_by is not signal.SIGKILL and (left := _temporaries(folder)):
            raise Found(f"{what}: left {left}")
        if has_old and target.exists() and target.read_bytes() == b"old":
            target.unlink()
    is_whole = _is_whole(arguments, folder, target)
    if not is_whole:
        raise Found(f"{what}: {target.name} is there, but not whole")
    again = run_in_process(arguments, folder=folder)
    if again.returncode or not target.exists() or not _is_whole(arguments, folder, target):
        raise Found(f"{what}: cannot be repeated: {again.returncode} {again.stderr[-1000:]}")
    if left := _temporaries(folder):
        raise Found(f"{what}: left {left}, also when it was repeated")
    return outcome


def _killed(
    arguments: tuple[str, ...], folder: Path, target: Path, ended_by: signal.Signals, delay: float
) -> int:
    """Start a command, end it when something of it appears, and return its exit code."""
    before = _everything(folder)
    process = subprocess.Popen(
        [sys.executable, "-m", "treegauge.cli.main", *arguments],
        cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    begin = time.monotonic()
    try:
        while process.poll() is None and _everything(folder) == before:
            if time.monotonic() - begin > PATIENCE:
                raise Found(f"treegauge {' '.join(arguments)}: nothing within {PATIENCE} s")
            time.sleep(0.001)
        time.sleep(delay)
        if process.poll() is None:
            os.kill(process.pid, ended_by)
        try:
            return process.wait(STOPS_WITHIN)
        except subprocess.TimeoutExpired:
            raise Found(f"{ended_by.name} was not obeyed within {STOPS_WITHIN} s") from None
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _everything(folder: Path) -> set[str]:
    return {entry.path for entry in os.scandir(folder)}


def _temporaries(folder: Path) -> list[str]:
    return sorted({str(path) for pattern in TEMPORARIES for path in folder.rglob(pattern)})


def _is_whole(arguments: tuple[str, ...], folder: Path, target: Path) -> bool:
    """Return whether a target is missing, or can be used."""
    if not target.exists():
        return True
    checks: dict[str, Callable[[], list[str]]] = {
        "model": lambda: ["annotate", target.name, "gold.conllu", "-o", "check.conllu"],
        "html": list,
        "": lambda: ["report", target.name],
    }
    suffix = target.name.partition(".")[2].removesuffix(".xz").removesuffix(".gz")
    check = checks.get(suffix, lambda: ["validate", target.name, "--quiet"])()
    if not check:
        return target.read_text().rstrip().endswith("</html>")
    if suffix == "" and not (target / "results.parquet").exists():
        return True  # a run that was not ended has no results yet, and says so
    return run_in_process(check, folder=folder).returncode == 0


KILLS = Attack(
    "kills",
    "commands killed by SIGKILL, SIGTERM and SIGINT while they write, then repeated",
    _case, short=1, long=16,
)  # fmt: skip
