"""Folders of runs with a spoilt file: `report` and `run` say so, or do without it."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from functools import cache
from pathlib import Path
from random import Random

from tests.attack import material
from tests.attack.attack import Attack, Found, try_command
from tests.attack.mutators import mutated, mutated_document
from tests.in_process import cells_in_process, run_in_process

EXPERIMENT = """treebanks = ["treebank"]
metrics = ["uas"]
resamples = 10
[[systems]]
system = "right-branching"
[[systems]]
system = "left-branching"
"""
COMMANDS = (
    ("report", "run"),
    ("report", "run", "--json"),
    ("report", "run", "-o", "report.html"),
    ("run", "experiment.toml", "--folder", "run", "--workers", "1"),
    ("run", "experiment.toml", "--folder", "run", "--score-only"),
)


@cache
def _run() -> Path:
    """Run two systems once; every case spoils a copy."""
    folder = Path(tempfile.mkdtemp(prefix="attack-run-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "experiment.toml").write_text(EXPERIMENT)
    (folder / "treebank").mkdir()
    for part in ("train", "dev", "test"):
        content = material.written(material.treebank(Random(part)), "conllu")
        (folder / "treebank" / f"{part}.conllu").write_bytes(content)
    with cells_in_process():
        done = run_in_process(
            ["run", "experiment.toml", "--folder", "run", "--workers", "1"], folder=folder
        )
    if done.returncode:
        raise Found(f"the run to be spoilt failed: {done.stderr}")
    return folder


def spoilt_run(folder: Path) -> Path:
    """Copy a run that can be spoilt into a folder."""
    shutil.copytree(_run(), folder, dirs_exist_ok=True)
    return folder / "run"


def _case(random: Random, folder: Path) -> str:
    files = sorted(path for path in spoilt_run(folder).rglob("*") if path.is_file())
    spoilt = random.choice(files)
    content = spoilt.read_bytes()
    if spoilt.suffix == ".json" and random.random() < 0.7:
        spoilt.write_text(json.dumps(mutated_document(random, json.loads(content))))
    else:
        spoilt.write_bytes(mutated(random, content))
    with cells_in_process():
        code = try_command(list(random.choice(COMMANDS)), folder)
    return "done" if code == 0 else "refused"


RUNS = Attack(
    "runs",
    "folders of runs with one spoilt file, reported and continued",
    _case, short=5, long=400,
)  # fmt: skip
