"""`train --codes` and `train --weights`: learning where treegauge is not installed."""

from __future__ import annotations

import json
import runpy
import sys

import pytest

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
