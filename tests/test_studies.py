"""The scripts behind the pages: nobody runs them for weeks, so that they must not rot unseen."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from treegauge.runs import Experiment

STUDIES = Path(__file__).parents[1] / "studies"


@pytest.mark.parametrize("name", sorted(path.stem for path in STUDIES.glob("[a-z]*.py")))
def test_a_script_finds_all_that_it_imports(name: str) -> None:
    assert callable(import_module(f"studies.{name}").main)


@pytest.mark.parametrize("file", sorted(STUDIES.glob("*.toml")), ids=lambda path: path.stem)
def test_an_experiment_can_be_read(file: Path) -> None:
    assert Experiment.from_toml(file).systems


def test_make_results_calls_scripts_that_exist() -> None:
    makefile = (STUDIES.parent / "Makefile").read_text("utf-8")
    modules = re.findall(r"^\tpython -m (\S+)", makefile, re.MULTILINE)
    assert modules  # or this test tests nothing
    for module in modules:
        assert callable(import_module(module).main)
