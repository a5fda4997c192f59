"""Folders of many treebanks, one of which is broken: it is reported, and the rest is complete."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from tests.in_process import cells_in_process
from tests.unit.runs.small_banks import write_other_bank

CODES = ("am", "cs", "de", "eu", "fi", "got", "hi", "ja", "ka", "ta", "tr", "yo")
EXPERIMENT = """name = "small"
treebanks = ["*_tiny"]
systems = ["left-branching", "right-branching"]
metrics = ["uas"]
resamples = 10
"""
PARTS = 3


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Twelve treebanks and a broken one."""
    for number, code in enumerate((*CODES, "zh")):
        write_other_bank(tmp_path / "data" / f"{code}_tiny", number)
    with (tmp_path / "data" / "zh_tiny" / "dev.conllu").open("a", encoding="utf-8") as file:
        file.write("1\tlost\n\n")
    (tmp_path / "small.toml").write_text(EXPERIMENT, encoding="utf-8")
    return tmp_path


def repair(folder: Path) -> None:
    shutil.rmtree(folder / "data" / "zh_tiny")
    write_other_bank(folder / "data" / "zh_tiny", len(CODES))


def test_all_are_listed_and_the_broken_one_has_no_fingerprint(run, folder):
    listed = json.loads(run("data", "list", "--data", "data", "--json").stdout)["treebanks"]
    assert len(listed) == len(CODES) + 1
    result = run("data", "list", "--data", "data", "--fingerprints", "--json")
    assert result.returncode == 1
    assert "zh_tiny/dev.conllu" in result.stderr
    assert len(json.loads(result.stdout)["parts"]) == PARTS * (len(CODES) + 1) - 1


def test_describe_leaves_the_broken_one_out(run, folder):
    result = run("describe", "*_tiny", "--data", "data", "--json")
    assert result.returncode == 1
    assert "left out" in result.stderr
    assert "zh_tiny/dev.conllu:" in result.stderr
    described = json.loads(result.stdout)["treebanks"]
    sound = {one["name"] for one in described} - {"zh_tiny"}
    assert sound == {f"{code}_tiny" for code in CODES}
    # What came before the flaw is there, and nothing behind it.
    assert [one["part"] for one in described if one["name"] == "zh_tiny"] == ["train"]
    repair(folder)
    assert run("describe", "*_tiny", "--data", "data").returncode == 0


def test_describe_of_a_broken_one_alone_says_what_it_always_said(run, folder):
    result = run("describe", "zh_tiny:dev", "--data", "data")
    assert result.returncode == 1
    assert result.stdout == ""
    assert "[columns]" in result.stderr
    assert "left out" not in result.stderr


def test_validate_checks_all_files(run, folder):
    result = run("validate", "*_tiny", "--data", "data", "--json")
    assert result.returncode == 1
    files = json.loads(result.stdout)["files"]
    assert len(files) == PARTS * (len(CODES) + 1)
    assert [Path(one["file"]).parts[-2:] for one in files if not one["valid"]] == [
        ("zh_tiny", "dev.conllu")
    ]
    assert all(one["words"] > 0 for one in files if one["valid"])


def test_run_leaves_the_broken_one_out_and_goes_on_when_it_is_repaired(run, folder):
    arguments = ("run", "small.toml", "--data", "data", "--folder", "out", "--json")
    with cells_in_process():
        first = run(*arguments)
    assert first.returncode == 1
    assert "zh_tiny: left out: " in first.stderr
    document = json.loads(first.stdout)
    assert [one["treebank"] for one in document["broken"]] == ["zh_tiny"]
    assert (document["cells"], document["run_now"], document["not_run"]) == (24, 24, 0)
    table = pl.read_parquet(folder / "out" / "results.parquet")
    assert set(table["treebank"]) == {f"{code}_tiny" for code in CODES}
    assert table["value"].is_not_nan().all()
    shown = json.loads(run("report", "out", "--json").stdout)
    assert list(shown["run"]["broken"]) == ["zh_tiny"]
    assert "zh_tiny: left out" in run("report", "out").stdout
    repair(folder)
    with cells_in_process():
        second = run(*arguments)
    assert second.returncode == 0
    again = json.loads(second.stdout)
    assert "broken" not in again
    assert (again["cells"], again["run_now"]) == (26, 2)


def test_a_plan_alone_says_it_too(run, folder):
    result = run("run", "small.toml", "--data", "data", "--dry-run")
    assert result.returncode == 1
    assert "zh_tiny: left out: " in result.stderr
    assert "yo_tiny" in result.stdout
    assert not (folder / "runs").exists()


def test_a_run_of_broken_ones_alone_is_no_run(run, folder):
    (folder / "small.toml").write_text(EXPERIMENT.replace("*_tiny", "zh_tiny"), encoding="utf-8")
    result = run("run", "small.toml", "--data", "data")
    assert result.returncode == 1
    assert "[columns]" in result.stderr
    assert not (folder / "runs").exists()


_MEASURED = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from benchmarks.many_treebanks import costs
print(json.dumps(asdict(costs(sys.argv[1:], Path(), Path("log.txt")))))
"""


def peak_memory(folder: Path, *arguments: str, code: int) -> int:
    """Return the bytes of the largest process of a command, which ends with a code."""
    # A process in between: the first child inherits the peak of this process.
    command = [sys.executable, "-c", _MEASURED, sys.executable, "-m", "treegauge", *arguments]
    # The benchmarks are no part of the package: they are found beside the tests.
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    result = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    measured = json.loads(result.stdout)
    assert measured["code"] == code, (folder / "log.txt").read_text(encoding="utf-8")
    return measured["peak_memory"]


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_treebanks(tmp_path):
    """One of them is broken: it is left out, and the rest is complete."""
    from benchmarks.many_treebanks import make_folder

    words_each = 40_000
    peaks: dict[str, list[int]] = {}
    for number in (5, 25):
        home = tmp_path / str(number)
        make_folder(home / "data", number, number * words_each, broken=True)
        source = EXPERIMENT.replace("*_tiny", "*_copy*")
        (home / "small.toml").write_text(source, encoding="utf-8")
        every = ("*_copy*", "--data", "data")
        verbs = {
            "validate": ("validate", *every),
            "describe": ("describe", *every),
            "run": ("run", "small.toml", "--data", "data", "--folder", "out"),
            "report": ("report", "out", "-o", "report.html", "--trials", "100"),
        }
        for verb, arguments in verbs.items():
            # A report is of what there is.
            code = 0 if verb == "report" else 1
            peaks.setdefault(verb, []).append(peak_memory(home, *arguments, code=code))
        table = pl.read_parquet(home / "out" / "results.parquet")
        assert table["treebank"].n_unique() == number - 1
        assert table["value"].is_not_nan().all()
    for verb, (few, many) in peaks.items():
        # All in memory would be some 80 bytes for each of 800,000 words more.
        assert many - few < 30e6, (verb, few, many)
        assert many < 2e9
