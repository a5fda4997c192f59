from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.in_process import run_in_process

Run = Callable[..., "subprocess.CompletedProcess[str]"]

BIRDS = """\
# sent_id = birds-1
# text = Birds sing.
1\tBirds\tbird\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_
2\tsing\tsing\tVERB\tVBP\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""


@pytest.fixture
def birds(tmp_path: Path) -> Path:
    """A valid file of one sentence in the folder where programs run."""
    path = tmp_path / "birds.conllu"
    path.write_text(BIRDS, encoding="utf-8")
    return path


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the program in a temporary folder, inside this process."""

    def run_here(*arguments: str, stdin: str | None = None, **environment: str):
        return run_in_process(
            arguments, folder=tmp_path, stdin=stdin, environment={"COLUMNS": "100", **environment}
        )

    return run_here


@pytest.fixture
def run_program(tmp_path: Path) -> Run:
    """Run the program in a temporary folder and a process of its own."""

    def run_there(*arguments: str, stdin: str | None = None, **environment: str):
        return subprocess.run(
            [sys.executable, "-m", "treegauge", *arguments],
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            env={**os.environ, "COLUMNS": "100", **environment},
        )

    return run_there
