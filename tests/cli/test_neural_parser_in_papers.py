"""`reproduce word-order --neural` and `reproduce perplexity --neural`: one parser more."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.in_process import cells_in_process, run_in_process

QUICK = {
    "word-order": [
        *("--no-optimise", "--orders", "original,left", "--parsers", "transition"),
        *("--resamples", "10"),
    ],
    "perplexity": ["--others", "", "--resamples", "10", "--trials", "10"],
}


def accuracies(paper: str, frames: dict[str, list[dict]]) -> dict[tuple[str, str], float]:
    """Return UAS by parser and treebank, from where each paper says it."""
    if paper == "word-order":
        rows = [row for row in frames["accuracies"] if row["order"] == "original"]
        return {(row["parser"], row["treebank"]): row["uas"] for row in rows}
    rows = [row for row in frames["parsers"] if row["metric"] == "uas"]
    return {(row["parser"], row["treebank"]): row["value"] for row in rows}


def reproduce(folder: Path, paper: str, *more: str):
    small = ["--set", "biaffine.layers=1", "--set", "biaffine.hidden=4", "--epochs", "1"]
    options = ["-t", "toy:svo", "-t", "toy:free", "--workers", "1", "--neural", "--json", *small]
    with cells_in_process():
        return run_in_process(["reproduce", paper, *options, *QUICK[paper], *more], folder=folder)


@pytest.mark.neural
@pytest.mark.parametrize("paper", QUICK)
def test_the_neural_parser_stands_beside_the_others(paper, tmp_path):
    done = reproduce(tmp_path, paper)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-2000:]
    uas = accuracies(paper, json.loads(done.stdout)["frames"])
    assert {treebank for parser, treebank in uas if parser == "biaffine"} == {"toy:svo", "toy:free"}
    assert all(0 < value <= 1 for value in uas.values())
    assert len({parser for parser, _ in uas}) > 1


@pytest.mark.parametrize("paper", QUICK)
def test_a_missing_package_is_named_before_anything_runs(paper, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    done = reproduce(tmp_path, paper)
    assert done.returncode == 1
    assert 'pip install "treegauge[neural]"' in done.stderr
    assert not (tmp_path / "runs").exists()
