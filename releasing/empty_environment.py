"""Tries a wheel in an environment that has nothing but what the wheel asks for."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from releasing.errors import ReleaseError

_COMMANDS = (
    "treegauge convert toy:svo:dev gold.conllu --quiet",
    "treegauge validate gold.conllu",
    "treegauge induce left-branching gold.conllu -o ours.conllu --quiet",
    "treegauge evaluate gold.conllu ours.conllu -m uas",
)


def try_wheel(wheel: Path, version: str) -> None:
    """Install a wheel into an empty environment, and use it as a user would."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _run([sys.executable, "-m", "venv", str(folder / "venv")], folder)
        programs = folder / "venv" / "bin"
        _run([str(programs / "pip"), "install", "--quiet", str(wheel.resolve())], folder)
        said = _run([str(programs / "treegauge"), "--version"], folder)
        if said.strip() != f"treegauge {version}":
            raise ReleaseError(f"the wheel calls itself {said.strip()!r}, not {version}")
        for command in _COMMANDS:
            program, *arguments = command.split()
            _run([str(programs / program), *arguments], folder)


def _run(command: list[str], folder: Path) -> str:
    # Neither the checkout nor a project around it may help.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise ReleaseError(f"{' '.join(command)} failed: {done.stderr.strip()}")
    return done.stdout
