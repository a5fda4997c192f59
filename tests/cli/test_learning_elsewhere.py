"""`train --codes` and `train --weights`: learning where treegauge is not installed."""

from __future__ import annotations

import json
import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import treegauge.systems

SYSTEMS = Path(treegauge.systems.__file__).parent
SMALL = ["--set", "epochs=1", "--set", "layers=1", "--set", "hidden=4", "--set", "device=cpu"]


def test_codes_are_written_instead_of_a_model(run, tmp_path):
    result = run("train", "biaffine", "toy:svo:dev", "--codes", "-o", "codes.npz", *SMALL, "--json")
    assert result.returncode == 0, result.stderr
    assert "learn from it with python -m neural codes.npz WEIGHTS" in result.stderr
    assert json.loads(result.stdout)["codes"] == "codes.npz"
    assert (tmp_path / "codes.npz").stat().st_size > 1000


@pytest.mark.parametrize("option", [["--codes"], ["--weights", "weights.npz"]])
def test_other_systems_cannot_learn_elsewhere(run, option):
    result = run("train", "tnt", "toy:svo:dev", "-o", "out", *option)
    assert result.returncode == 1
    assert result.stderr.strip().endswith(
        "tnt cannot learn elsewhere: it has no --codes, --weights"
    )


@pytest.mark.neural
def test_weights_become_a_model(run, tmp_path, monkeypatch):
    run("train", "biaffine", "toy:svo:dev", "--codes", "-o", "codes.npz", *SMALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["neural", "codes.npz", "weights.npz", "--device", "cpu"])
    runpy.run_module("treegauge.systems.neural", run_name="__main__")
    weights = ["--weights", "weights.npz", "-o", "parser.model"]
    result = run("train", "biaffine", "toy:svo:dev", *weights, *SMALL)
    assert result.returncode == 0, result.stderr
    assert run("annotate", "parser.model", "toy:svo:dev", "-o", "out.conllu").returncode == 0
    damaged = run("train", "biaffine", "toy:svo:test", *weights, *SMALL)
    assert damaged.returncode == 1
    assert "these weights are not of the codes of this treebank" in damaged.stderr


@pytest.mark.neural
def test_the_commands_of_the_page_of_parsers_work(run, tmp_path):
    """The three lines as they stand, on a toy language, a small network and a CPU."""
    page = (Path(__file__).parents[2] / "docs" / "parsers.md").read_text("utf-8")
    (block,) = re.findall(r"^```text\n(treegauge train .*?)^```", page, re.MULTILINE | re.DOTALL)
    write, learn, take = (shlex.split(line) for line in block.splitlines())
    for words in (write, learn, take):
        if words[0] == "treegauge":
            place = words.index("en_ewt")
            small = ["toy:svo:dev", *SMALL]
            result = run(*words[1:place], *small, *words[place + 3 :])
        else:
            assert words[:3] == ["python", "-m", "neural"]
            elsewhere = {**os.environ, "PYTHONPATH": str(SYSTEMS), "PYTHONSAFEPATH": "1"}
            result = subprocess.run(
                [sys.executable, *words[1:-1], "cpu"],
                cwd=tmp_path,
                env=elsewhere,
                capture_output=True,
                text=True,
            )
        assert result.returncode == 0, result.stderr
    assert (tmp_path / "parser.model").exists()
