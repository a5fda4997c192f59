"""A run that is killed again and again ends in the table of one that is not."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from polars.testing import assert_frame_equal

from tests.unit.runs.small_banks import write_bank
from treegauge.catalogue import Catalogue
from treegauge.results.long_table import MEASURED, read_long_table
from treegauge.runs import Experiment, run

LANGUAGES = ("toy:svo", "toy:sov", "toy:vso", "toy:free")
SEEDS = 49
CELLS = len(LANGUAGES) * (SEEDS + 1)
KILLS = 20


def write_experiment(folder: Path) -> Path:
    banks = [write_bank(folder / language[4:], language) for language in LANGUAGES]
    path = folder / "killed.toml"
    path.write_text(
        f"treebanks = {[str(bank) for bank in banks]}\n"
        f"resamples = 10\n"
        f'systems = ["left-branching", {{ system = "random", seeds = {list(range(SEEDS))} }}]\n'
    )
    return path


def start(experiment: Path, folder: Path) -> subprocess.Popen[str]:
    program = [sys.executable, "-m", "treegauge", "run", str(experiment), "--folder", str(folder)]
    return subprocess.Popen(
        program, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
    )


def finished(folder: Path) -> int:
    return len(list(folder.glob("cells/*")))


@pytest.mark.slow
def test_two_hundred_cells_and_twenty_kills(tmp_path, in_process):
    path = write_experiment(tmp_path)
    folder = tmp_path / "run"
    draw = random.Random(5)
    moments = sorted(draw.randrange(CELLS) for _ in range(KILLS))
    seen = []
    for moment in moments:
        process = start(path, folder)
        while finished(folder) < moment and process.poll() is None:
            time.sleep(0.01)
        time.sleep(draw.uniform(0, 1.5))
        process.kill()
        # A run that is at its end may be done before it is killed.
        assert process.wait() in (-9, 0), process.stdout.read()
        process.stdout.close()
        seen.append(finished(folder))
        if (folder / "results.parquet").exists():
            read_long_table(folder / "results.parquet")  # as a whole, or not at all
    assert seen == sorted(seen)  # nothing is lost
    last = start(path, folder)
    assert last.wait() == 0, last.stdout.read()
    said = last.stdout.read()
    last.stdout.close()
    assert f"{CELLS} cells, {seen[-1]} finished already" in said  # and nothing is redone
    table = read_long_table(folder / "results.parquet")
    whole = run(
        Experiment.from_toml(path), tmp_path / "whole", catalogue=Catalogue(), executor=in_process
    )
    assert len(set(table["cell"])) == CELLS
    assert_frame_equal(table.drop(MEASURED), whole.table.drop(MEASURED), check_exact=True)
    assert {item.name for item in folder.iterdir()} - {".lock"} == {
        *("cells", "experiment.toml", "plan.json", "results.parquet", "run.json"),
    }
