"""A run of the challenge on two toy languages, for all tests here."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.in_process import cells_in_process
from tests.unit.runs.small_banks import write_bank
from treegauge.catalogue import Catalogue
from treegauge.papers.paper import Measurements, Workbench
from treegauge.papers.pascal.measure import measure
from treegauge.papers.pascal.settings import PascalSettings
from treegauge.runs import run


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("challenge") / "run"


@pytest.fixture(scope="session")
def measured(run_folder) -> Measurements[PascalSettings]:
    home = run_folder.parent
    banks = [write_bank(home / name, f"toy:{name}") for name in ("svo", "sov")]
    workbench = Workbench(
        Catalogue(),
        run_folder,
        lambda experiment, folder, catalogue: run(experiment, folder, catalogue=catalogue),
    )
    settings = PascalSettings(treebanks=tuple(map(str, banks)), systems="small", resamples=0)
    with cells_in_process():
        return measure(settings, workbench)
