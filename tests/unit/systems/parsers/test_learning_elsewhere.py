"""Training without treegauge: `python -m neural` needs PyTorch and NumPy alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import treegauge.systems
from treegauge.systems import SystemsError, make_system
from treegauge.systems.neural.archive import ArchiveError, read_archive, write_archive
from treegauge.toys import toy_treebank

TOY = toy_treebank("toy:svo", tokens=400, seed=1)[:20]
SETTINGS = {"layers": 1, "hidden": 8, "batch": 100, "epochs": 3, "device": "cpu"}
FOLDER = Path(treegauge.systems.__file__).parent
PROGRAM = """
import importlib.abc, runpy, sys

class Blocker(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "polars", "lazy_loader", "treegauge", "typer"):
            raise ImportError(f"{name} is not installed here")

sys.meta_path.insert(0, Blocker())
sys.path.insert(0, sys.argv.pop(1))
sys.argv[0] = "neural"
runpy.run_module("neural", run_name="__main__", alter_sys=False)
"""


def learn_elsewhere(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run `python -m neural` where nothing else of treegauge can be imported."""
    return subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM, str(FOLDER), *map(str, arguments)],
        capture_output=True,
        text=True,
    )


@pytest.fixture
def codes(tmp_path) -> Path:
    path = tmp_path / "codes.npz"
    make_system("biaffine", SETTINGS, seed=2).write_codes(TOY, path)
    return path


def test_codes_need_no_pytorch(tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    make_system("biaffine", SETTINGS).write_codes(TOY, tmp_path / "codes.npz")
    with np.load(tmp_path / "codes.npz", allow_pickle=False) as file:
        assert file["heads"].max() <= TOY.lengths.max()


@pytest.mark.neural
def test_what_is_learnt_elsewhere_is_what_is_learnt_here(codes: Path, tmp_path) -> None:
    ran = learn_elsewhere(codes, tmp_path / "weights.npz", "--device", "cpu", "--threads", 1)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[0].startswith("epoch 1 of 3: loss ")
    assert not (tmp_path / "weights.npz.partial").exists()
    there = make_system("biaffine", SETTINGS, seed=2).take_weights(TOY, tmp_path / "weights.npz")
    here = make_system("biaffine", SETTINGS, seed=2).fit(TOY)
    assert there.annotate(TOY) == here.annotate(TOY)
    there.save(tmp_path / "there")
    here.save(tmp_path / "here")
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()


@pytest.mark.neural
def test_an_interrupted_command_goes_on(codes: Path, tmp_path) -> None:
    weights = tmp_path / "weights.npz"
    learn_elsewhere(codes, tmp_path / "whole.npz")
    # It cannot write the weights where a folder stands, and has kept its last epoch by then.
    weights.mkdir()
    failed = learn_elsewhere(codes, weights)
    assert failed.returncode == 1
    assert failed.stderr.startswith(f"{weights}: cannot be written")
    weights.rmdir()
    again = learn_elsewhere(codes, weights)
    assert again.returncode == 0, again.stderr
    assert "resuming from" in again.stdout
    assert "epoch" not in again.stdout
    with np.load(weights) as one, np.load(tmp_path / "whole.npz") as other:
        assert np.array_equal(one["network.arcs"], other["network.arcs"])


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04"])
def test_broken_files_are_one_sentence(content: bytes, tmp_path) -> None:
    path = tmp_path / "codes.npz"
    path.write_bytes(content)
    with pytest.raises(ArchiveError, match=r"codes\.npz: this is no file that treegauge wrote"):
        read_archive(path)
    with pytest.raises(ArchiveError, match=r"nothing\.npz: cannot be read: No such file"):
        read_archive(tmp_path / "nothing.npz")
    with pytest.raises(ArchiveError, match="cannot be written"):
        write_archive(tmp_path / "no folder" / "codes.npz", {}, {})


@pytest.mark.neural
def test_what_are_no_codes_is_one_sentence(tmp_path) -> None:
    path = tmp_path / "codes.npz"
    write_archive(path, {}, {"system": "another", "facts": {}})
    ran = learn_elsewhere(path, tmp_path / "weights.npz")
    assert ran.returncode == 1
    assert ran.stderr.strip() == f"{path}: these are no codes of biaffine"


@pytest.mark.neural
def test_weights_of_other_codes_are_refused(codes: Path, tmp_path) -> None:
    assert learn_elsewhere(codes, tmp_path / "weights.npz").returncode == 0
    with pytest.raises(SystemsError, match="not of the codes of this treebank"):
        make_system("biaffine", SETTINGS).take_weights(TOY[:10], tmp_path / "weights.npz")
    with pytest.raises(SystemsError, match="not of the codes of this treebank"):
        make_system("biaffine", {**SETTINGS, "rate": 0.5}).take_weights(
            TOY, tmp_path / "weights.npz"
        )
