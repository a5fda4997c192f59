from __future__ import annotations

import shutil

import pytest

import treegauge as tg
from tests.in_process import cells_in_process
from tests.unit.runs.small_banks import write_bank
from treegauge.catalogue import Catalogue
from treegauge.runs import Experiment, RunFolder, run
from treegauge.runs.errors import ExperimentError
from treegauge.runs.gold_source import find_gold


@pytest.fixture
def run_on(tmp_path):
    """Run a baseline, and return the folder of the run."""

    def run_here(*treebanks: str, catalogue: Catalogue | None = None) -> RunFolder:
        document = {"treebanks": list(treebanks), "systems": ["left-branching"], "resamples": 0}
        with cells_in_process():
            done = run(Experiment.from_dict(document), tmp_path / "run", catalogue=catalogue)
        return RunFolder(done.folder)

    return run_here


def test_a_file_is_remembered_as_given_and_from_the_run(run_on, tmp_path, monkeypatch):
    write_bank(tmp_path / "bank")
    monkeypatch.chdir(tmp_path)
    (source,) = run_on("./bank").circumstances.golds
    assert (source.treebank, source.split, source.given) == ("bank", "test", "./bank")
    assert source.files == (str(tmp_path / "bank" / "test.conllu"),)
    assert source.files_from_run == ("../bank/test.conllu",)
    assert source.fingerprint == tg.read(source.files[0]).fingerprint


def test_gold_that_was_in_memory_only_is_kept(run_on):
    small = {part: tg.toy_treebank("toy:svo", tokens=80, part=part) for part in ("train", "test")}
    folder = run_on("toy:svo", catalogue=Catalogue(treebanks={"toy:svo": small}))
    (source,) = folder.circumstances.golds
    assert source.is_kept_by_run
    gold = find_gold(source, folder.path, Catalogue())
    assert Catalogue().open(gold.name) == gold.treebank
    for column in ("form", "upos", "cpos", "xpos", "deprel"):
        assert list(gold.treebank.columns[column]) == list(small["test"].columns[column])
    assert gold.treebank.head.tolist() == small["test"].head.tolist()


def test_a_generated_language_is_known_by_its_name(run_on):
    folder = run_on("toy:svo")
    (source,) = folder.circumstances.golds
    assert source.files == ()
    assert find_gold(source, folder.path, Catalogue()).name == "toy:svo:test"


def test_a_part_of_several_files_is_named_by_its_folder(run_on, tmp_path):
    bank = tmp_path / "UD_Toy-Bank"
    bank.mkdir()
    for part, name in (("train", "train"), ("dev", "test-a"), ("test", "test-b")):
        toy = tg.toy_treebank("toy:svo", tokens=60, part=part)
        tg.write(toy, bank / f"toy_bank-ud-{name}.conllu")
    folder = run_on(f"{bank}")
    (source,) = folder.circumstances.golds
    assert len(source.files) == 2
    gold = find_gold(source, folder.path, Catalogue())
    assert gold.name == f"{bank}:test"
    assert Catalogue().open(gold.name).fingerprint == source.fingerprint


def test_files_that_are_gone_are_looked_for_by_name(run_on, tmp_path):
    bank = write_bank(tmp_path / "bank")
    folder = run_on(str(bank))
    (source,) = folder.circumstances.golds
    shutil.move(bank, tmp_path / "data" / "bank")
    with pytest.raises(ExperimentError, match=r"its gold is gone: .*bank/test\.conllu"):
        find_gold(source, folder.path, Catalogue())
    gold = find_gold(source, folder.path, Catalogue([tmp_path / "data"]))
    assert gold.name == str(tmp_path / "data" / "bank" / "test.conllu")


def test_gold_that_has_changed_is_no_gold(run_on, tmp_path):
    bank = write_bank(tmp_path / "bank")
    folder = run_on(str(bank))
    (source,) = folder.circumstances.golds
    tg.write(tg.read(bank / "test.conllu")[1:], bank / "test.conllu")
    with pytest.raises(ExperimentError, match="its gold has changed since the run was scored"):
        find_gold(source, folder.path, Catalogue())
