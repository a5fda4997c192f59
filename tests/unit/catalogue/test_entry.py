from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

import treegauge as tg
from tests.unit.catalogue.small_files import conllu, write_files
from treegauge.catalogue import CatalogueEntry, CatalogueError, PartSize, scan
from treegauge.formats import Findings, FormatError


@pytest.fixture
def entry(tmp_path: Path) -> CatalogueEntry:
    files = {"train.conllu": conllu(3), "dev.conllu.gz": conllu(2)}
    return scan(write_files(tmp_path / "mine", files)).entries[0]


def test_reading_gives_the_entrys_name(entry: CatalogueEntry) -> None:
    treebank = entry.read("dev")
    assert treebank.name == "mine"
    assert treebank.n_sentences == 2


def test_fingerprint_is_that_of_the_content(entry: CatalogueEntry, tmp_path: Path) -> None:
    assert entry.fingerprint("dev") == tg.parse(conllu(2)).fingerprint
    assert entry.fingerprint("dev") != entry.fingerprint("train")


def test_size_is_counted_where_it_is_not_recorded(entry: CatalogueEntry) -> None:
    assert entry.size("train") == PartSize(sentences=3, tokens=6)


def test_flaws_are_not_warned_of_by_who_asks_for_size_or_fingerprint(tmp_path: Path) -> None:
    text = conllu(1).replace("\t1\t", "\t0\t").replace("\t2\t", "\t0\t")
    entry = scan(write_files(tmp_path / "mine", {"train.conllu": text})).entries[0]
    with pytest.warns(tg.FormatWarning, match="several-roots"):
        entry.read("train")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert entry.size("train") == PartSize(sentences=1, tokens=2)
        assert entry.fingerprint("train")


def test_missing_part(entry: CatalogueEntry) -> None:
    with pytest.raises(CatalogueError, match="expected a test part, found only train, dev") as e:
        entry.read()
    assert "mine:train" in str(e.value)
    with pytest.raises(CatalogueError, match="expected a valid part"):
        entry.files("valid")


def test_default_part_is_test_or_the_only_one(tmp_path: Path) -> None:
    files = {"a/test.conllu": conllu(), "a/dev.conllu": conllu(), "b/dev.conllu": conllu()}
    a, b = scan(write_files(tmp_path, files)).entries
    assert (a.default_part, b.default_part) == ("test", "dev")


def test_single_file_is_not_divided(tmp_path: Path) -> None:
    entry = scan(write_files(tmp_path, {"mine.conllu": conllu()})).entries[0]
    assert entry.read().n_sentences == 1
    # Training on what one tests on is not what anybody means.
    with pytest.raises(CatalogueError, match="expected a train part, found a single file"):
        entry.read("train")


def test_findings_are_handed_on(tmp_path: Path) -> None:
    two_roots = conllu().replace("\t2\tnsubj", "\t0\tnsubj")
    entry = scan(write_files(tmp_path / "mine", {"test.conllu": two_roots})).entries[0]
    findings: list[Findings] = []
    assert entry.read(findings=findings).n_words == 2
    assert [of_file.counts for of_file in findings] == [{"several-roots": 1}]
    with pytest.raises(FormatError, match="several-roots"):
        entry.read(strict=True)


def test_every_file_of_a_part_has_its_own_findings(tmp_path: Path) -> None:
    two_roots = conllu().replace("\t2\tnsubj", "\t0\tnsubj")
    files = {
        "xx-ud-train-a.conllu": two_roots * 3,
        "xx-ud-train-b.conllu": conllu(),
        "xx-ud-train-c.conllu": two_roots,
    }
    entry = scan(write_files(tmp_path / "mine", files)).entries[0]
    findings: list[Findings] = []
    assert entry.read("train", findings=findings).n_sentences == 5
    assert [(Path(of_file.file).name, dict(of_file.counts)) for of_file in findings] == [
        ("xx-ud-train-a.conllu", {"several-roots": 3}),
        ("xx-ud-train-b.conllu", {}),
        ("xx-ud-train-c.conllu", {"several-roots": 1}),
    ]


def test_entries_can_be_compared_and_put_into_sets(entry: CatalogueEntry) -> None:
    again = scan(entry.folder).entries[0]
    assert again == entry
    assert len({again, entry}) == 1


def test_json(entry: CatalogueEntry) -> None:
    document = json.loads(json.dumps(entry.to_dict()))
    assert document["name"] == "mine"
    assert document["licence"] is None
    assert list(document["parts"]) == ["train", "dev"]
    assert document["parts"]["train"] == [str(entry.folder / "train.conllu")]
