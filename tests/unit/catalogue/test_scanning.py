from __future__ import annotations

import json
import os
import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.unit.catalogue.small_files import (
    conllu,
    conllx,
    pascal,
    readme,
    release_files,
    write_files,
)
from treegauge.catalogue import CatalogueEntry, CatalogueError, PartSize, scan


def found(place: Path) -> dict[str, CatalogueEntry]:
    return {entry.name: entry for entry in scan(place).entries}


# ---------------------------------------------------------------------- layouts


@pytest.mark.parametrize("start", ["", "ud-treebanks-v2.16"])
def test_release_folder(tmp_path: Path, start: str) -> None:
    write_files(tmp_path, release_files())
    entries = found(tmp_path / start)
    assert list(entries) == ["cs_pdt", "en_ewt", "et_ewt"]
    english = entries["en_ewt"]
    assert list(english.parts) == ["train", "dev", "test"]
    assert (english.language, english.iso, english.release) == ("English", "en", "2.16")
    assert (english.licence, english.annotation, english.notes) == ("CC BY-SA 4.0", "d", "")
    assert english.aliases == ("UD_English-EWT",)
    assert english.format == "conllu"
    # Words where they are counted, otherwise tokens; dev is not in the statistics.
    assert english.sizes == {"train": PartSize(3, 6), "test": PartSize(1, 2)}
    assert english.size("dev") == PartSize(2, 4)


def test_release_folder_whose_licences_disagree(tmp_path: Path) -> None:
    estonian = found(write_files(tmp_path, release_files()))["et_ewt"]
    assert estonian.licence == "CC BY-NC-SA 4.0"
    assert estonian.notes == "LICENSE.txt says CC BY-SA 4.0"


def test_licence_file_alone(tmp_path: Path) -> None:
    files = {
        "UD_English-X/en_x-ud-test.conllu": conllu(),
        "UD_English-X/LICENSE.txt": "see http://creativecommons.org/licenses/by-nc/3.0/ here",
    }
    assert found(write_files(tmp_path, files))["en_x"].licence == "CC BY-NC 3.0"


def test_training_set_in_pieces(tmp_path: Path) -> None:
    czech = found(write_files(tmp_path, release_files()))["cs_pdt"]
    assert [path.name for path in czech.files("train")] == [
        "cs_pdt-ud-train-ca.conllu",
        "cs_pdt-ud-train-la.conllu",
    ]
    treebank = czech.read("train")
    assert treebank.lengths.tolist() == [2, 3, 3]
    assert treebank.name == "cs_pdt"
    # Converted, says the README; that people drew dependencies, the challenge's table knows.
    assert czech.annotation == "d"


def test_pieces_with_numbers(tmp_path: Path) -> None:
    names = ["de_hdt-ud-train-a-1.conllu", "de_hdt-ud-train-a-2.conllu", "de_hdt-ud-train-b.conllu"]
    folder = write_files(tmp_path / "UD_German-HDT", dict.fromkeys(names, conllu()))
    assert [path.name for path in found(folder)["de_hdt"].files("train")] == names


@pytest.mark.parametrize("end", ["", ".gz", ".xz"])
def test_folders_of_parts(tmp_path: Path, end: str) -> None:
    files = {
        f"en_mine/train.conllu{end}": conllu(3),
        f"en_mine/test.conllu{end}": conllu(1),
        f"old/train.conllx{end}": conllx(2),
        f"old/dev.conllx{end}": conllx(1),
        f"challenge/test.pascal{end}": pascal(2),
    }
    entries = found(write_files(tmp_path, files))
    assert list(entries) == ["challenge", "en_mine", "old"]
    assert entries["en_mine"].language == "English"
    assert entries["old"].language == ""
    assert [entry.format for entry in entries.values()] == ["pascal", "conllu", "conllx"]
    assert entries["en_mine"].read("train").n_sentences == 3
    assert list(entries["old"].read("train").xpos) == ["NNS", "VBP"] * 2
    assert list(entries["challenge"].read().upos) == ["NOUN", "VERB"] * 2


def test_folder_that_is_one_treebank(tmp_path: Path) -> None:
    files = {"train.conllu": conllu(), "test.conllu": conllu(), "predicted.conllu": conllu()}
    folder = write_files(tmp_path / "mine", files)
    # Other files in a treebank's folder are not treebanks of their own.
    assert list(found(folder)) == ["mine"]
    assert list(found(folder)["mine"].parts) == ["train", "test"]


def test_release_folder_with_plain_names(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "UD_Old_French-X", {"test.conllu": conllu()})
    entry = found(folder)["fro_x"]
    assert (entry.language, entry.iso) == ("Old French", "fro")


def test_folder_called_dot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_files(tmp_path / "mine", {"test.conllu": conllu()}))
    assert list(found(Path())) == ["mine"]


def test_loose_files(tmp_path: Path) -> None:
    files = {
        "en_ewt-ud-test.conllu.xz": conllu(),
        "en_ewt-ud-dev.conllu.xz": conllu(2),
        "my.corpus.train.conllu": conllu(3),
        "my.corpus.test.conllu": conllu(4),
        "it_works.conllu": conllu(5),
        "latest.conllx": conllx(6),
        "notes.txt": "birds sing",
        "README.md": readme(licence="not about these"),
        ".hidden.conllu": conllu(),
    }
    entries = found(write_files(tmp_path, files))
    assert list(entries) == ["en_ewt", "it_works", "latest", "my.corpus"]
    assert list(entries["en_ewt"].parts) == ["dev", "test"]
    assert list(entries["my.corpus"].parts) == ["train", "test"]
    assert list(entries["it_works"].parts) == ["whole"]
    assert entries["it_works"].language == ""
    assert entries["it_works"].size() == PartSize(5, 10)
    assert not any(entry.licence for entry in entries.values())


def test_single_file(tmp_path: Path) -> None:
    write_files(tmp_path, {"sv_x-ud-dev.conllu": conllu(2), "other.conllu": conllu()})
    entries = found(tmp_path / "sv_x-ud-dev.conllu")
    assert list(entries) == ["sv_x"]
    assert list(entries["sv_x"].parts) == ["dev"]


def test_layouts_side_by_side(tmp_path: Path) -> None:
    files = {**release_files("a/ud-treebanks-v2.16"), "b/mine/test.conllu": conllu()}
    assert list(found(write_files(tmp_path, files))) == ["cs_pdt", "en_ewt", "et_ewt", "mine"]


def test_treebanks_too_far_down_are_not_looked_for(tmp_path: Path) -> None:
    write_files(tmp_path, {"a/b/c/test.conllu": conllu(), "a/b/c/d/e/test.conllu": conllu()})
    assert list(found(tmp_path)) == ["c"]


def test_a_folder_that_contains_itself(tmp_path: Path) -> None:
    write_files(tmp_path, {"mine/test.conllu": conllu()})
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)
    assert set(found(tmp_path)) == {"mine"}


def test_empty_folder(tmp_path: Path) -> None:
    assert scan(tmp_path).entries == ()


# ---------------------------------------------------------------------- what is passed over


@pytest.mark.parametrize(
    "names",
    [
        ("test.conllu", "test.conllu.xz"),
        ("test.conllu", "test.conllx"),
        ("test.conllu", "test-old.conllu"),
    ],
)
def test_two_files_of_one_part_are_nobodys_choice(tmp_path: Path, names: tuple[str, ...]) -> None:
    write_files(tmp_path / "mine", dict.fromkeys(names, conllu()))
    write_files(tmp_path / "other", {"test.conllu": conllu()})
    result = scan(tmp_path)
    assert [entry.name for entry in result.entries] == ["other"]
    assert len(result.remarks) == 1
    assert all(name in result.remarks[0] for name in ("mine skipped", *names))


def test_a_file_beside_its_parts(tmp_path: Path) -> None:
    write_files(tmp_path, {"mine.conllu": conllu(), "mine-test.conllu": conllu()})
    result = scan(tmp_path)
    assert result.entries == ()
    assert "mine skipped" in result.remarks[0]


def test_unreadable_data_folder(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match=r"nowhere: \[data-folder\] cannot be read: no such"):
        scan(tmp_path / "nowhere")


def test_unreadable_folder_inside_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, {"mine/test.conllu": conllu(), "lost/test.conllu": conllu()})
    iterdir = Path.iterdir

    def refusing(path: Path) -> object:
        # Not by its mode: whoever runs the tests as root may read everything.
        if path.name == "lost":
            raise PermissionError(13, "Permission denied")
        return iterdir(path)

    monkeypatch.setattr(Path, "iterdir", refusing)
    result = scan(tmp_path)
    assert [entry.name for entry in result.entries] == ["mine"]
    assert result.remarks == (f"{tmp_path / 'lost'}: skipped: permission denied",)
    with pytest.raises(CatalogueError, match="cannot be read: permission denied"):
        scan(tmp_path / "lost")


# ---------------------------------------------------------------------- manifests


def with_manifest(folder: Path, *treebanks: Mapping[str, object]) -> Path:
    return write_files(folder, {"manifest.json": json.dumps({"treebanks": treebanks})})


def test_manifest_describes_folders(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "ro_rrt/train.conllu": conllu(2),
            "ro_rrt/test.conllu": conllu(1),
            "ro_rrt_r12/test.conllu": conllu(1),
            "unlisted/test.conllu": conllu(1),
        },
    )
    own = {
        "name": "ro_rrt",
        "language": "Romanian",
        "iso": "ro",
        "source": "UniversalDependencies/UD_Romanian-RRT",
        "version": "r2.16",
        "licence": "CC BY-SA 4.0",
        "annotation": "p",
        "notes": "invented",
        "splits": {"train": {"sentences": 2, "tokens": 4}, "dev": {"sentences": 1, "tokens": 1}},
        "distinct_upos": 2,
    }
    made = {**own, "name": "ro_rrt_r12", "version": "commit 123", "splits": {}}
    result = scan(with_manifest(tmp_path, own, made))
    entries = {entry.name: entry for entry in result.entries}
    assert list(entries) == ["ro_rrt", "ro_rrt_r12", "unlisted"]
    assert result.remarks == ()
    entry = entries["ro_rrt"]
    assert (entry.language, entry.iso, entry.release) == ("Romanian", "ro", "2.16")
    assert (entry.licence, entry.annotation, entry.notes) == ("CC BY-SA 4.0", "p", "invented")
    assert entry.source == "UniversalDependencies/UD_Romanian-RRT"
    # The manifest speaks of a dev part that is not there.
    assert entry.sizes == {"train": PartSize(2, 4)}
    assert entry.size() == PartSize(1, 2)
    # Only one of the two is the treebank of that name; the other was made from it.
    assert entry.aliases == ("UD_Romanian-RRT",)
    assert entries["ro_rrt_r12"].aliases == ()
    assert entries["ro_rrt_r12"].release == "commit 123"
    assert entries["unlisted"].licence == ""


def test_manifest_names_the_folder_not_the_files(tmp_path: Path) -> None:
    write_files(tmp_path, {"en_r14/en-ud-test.conllu": conllu()})
    assert list(found(with_manifest(tmp_path, {"name": "en_r14"}))) == ["en_r14"]


def test_manifest_of_a_treebank_that_is_not_there(tmp_path: Path) -> None:
    write_files(tmp_path, {"mine/test.conllu": conllu()})
    result = scan(with_manifest(tmp_path, {"name": "mine"}, {"name": "gone"}))
    assert [entry.name for entry in result.entries] == ["mine"]
    assert result.remarks == (f"{tmp_path / 'manifest.json'}: no treebank gone in the folder",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"treebanks": [\n{"name": }]}', r"manifest.json:2: \[manifest\] not JSON: expecting"),
        ("", r"manifest.json:1: \[manifest\] not JSON"),
        ("[]", r"expected an object with a list `treebanks`, found \[\]"),
        ('{"treebanks": {"en": {}}}', "expected an object with a list `treebanks`"),
        ('{"treebanks": ["en"]}', 'treebank 1: expected an object, found "en"'),
        ('{"treebanks": [{"language": "X"}]}', "treebank 1: expected a `name` .*, found nothing"),
        ('{"treebanks": [{"name": 3}]}', "expected a `name` that can be a folder's, found 3"),
        ('{"treebanks": [{"name": "../x"}]}', "expected a `name` that can be a folder's"),
        ('{"treebanks": [{"name": ".."}]}', "expected a `name` that can be a folder's"),
        ('{"treebanks": [{"name": "x"}, {"name": "x"}]}', "a new name, found x twice"),
        ('{"treebanks": [{"name": "x", "licence": 4}]}', "treebank x: expected text for `licence`"),
        ('{"treebanks": [{"name": "x", "annotation": "?"}]}', "expected one of d, p, c for `ann"),
        ('{"treebanks": [{"name": "x", "splits": []}]}', "expected an object for `splits`"),
        ('{"treebanks": [{"name": "x", "splits": {"dev": 3}}]}', "object for `splits.dev`"),
        (
            '{"treebanks": [{"name": "x", "splits": {"dev": {"sentences": "3", "tokens": 1}}}]}',
            'a whole number for `splits.dev.sentences`, found "3"',
        ),
        (
            '{"treebanks": [{"name": "x", "splits": {"dev": {"sentences": 3, "tokens": true}}}]}',
            "a whole number for `splits.dev.tokens`, found true",
        ),
    ],
)
def test_broken_manifests(tmp_path: Path, text: str, message: str) -> None:
    write_files(tmp_path, {"manifest.json": text, "mine/test.conllu": conllu()})
    with pytest.raises(CatalogueError, match=message) as raised:
        scan(tmp_path)
    assert str(tmp_path / "manifest.json") in str(raised.value)


def test_manifest_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_bytes(b"\xff{}")
    with pytest.raises(CatalogueError, match="expected UTF-8 text"):
        scan(tmp_path)


def test_manifest_that_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").mkdir()
    with pytest.raises(CatalogueError, match=r"manifest\.json: cannot be read"):
        scan(tmp_path)


def test_any_bytes_are_a_manifest_or_an_explained_error(tmp_path: Path) -> None:
    whole = json.dumps(
        {"treebanks": [{"name": "x", "iso": "en", "splits": {"dev": {"tokens": 1}}}]}
    )
    generator = random.Random(7)
    for _ in range(300):
        begin, end = sorted(generator.randrange(len(whole)) for _ in range(2))
        text = whole[:begin] + generator.choice(["", "[]", "3", '"', "null"]) + whole[end:]
        (tmp_path / "manifest.json").write_text(text)
        messages = []
        try:
            scan(tmp_path)
        except CatalogueError as error:
            messages.append(str(error))
        assert all(os.fspath(tmp_path / "manifest.json") in message for message in messages)
