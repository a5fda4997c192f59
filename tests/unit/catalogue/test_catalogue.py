from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from tests.unit.catalogue.small_files import conllu, release_files, write_files
from treegauge.catalogue import Catalogue, CatalogueError, default_data_folder
from treegauge.toys import toy_parts


@pytest.fixture(autouse=True)
def _nobodys_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = tmp_path / "current"
    empty.mkdir()
    monkeypatch.chdir(empty)
    monkeypatch.delenv("TREEGAUGE_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    files = {
        **release_files(),
        "more/da_mine/test.conllu": conllu(7),
        "more/da_mine/train.conllu.xz": conllu(8),
    }
    return write_files(tmp_path / "data", files)


def names(catalogue: Catalogue, text: str) -> list[str]:
    return [entry.name for entry in catalogue.resolve(text)]


# ---------------------------------------------------------------------- memory


def test_treebanks_in_memory_come_first() -> None:
    parts = toy_parts("toy:svo", tokens=500)
    catalogue = Catalogue(treebanks={"toy:svo": parts, "cut": {"test": parts["dev"]}})
    assert catalogue.open("toy:svo:train") == parts["train"]
    assert catalogue.open("toy:svo") == parts["test"]
    assert catalogue.open("cut").name == "cut"
    assert [selection.part for selection in catalogue.parts("toy:svo")] == list(parts)
    assert catalogue.open("toy:vso").n_words > 1000
    with pytest.raises(CatalogueError, match="expected a train part, found only test"):
        catalogue.open("cut:train")


# ---------------------------------------------------------------------- names


@pytest.mark.parametrize(
    "text",
    ["en_ewt", "EN_EWT", "en-ewt", "UD_English-EWT", "ud_english-ewt", "English-EWT", "en_ewt:dev"],
)
def test_by_name(data: Path, text: str) -> None:
    assert names(Catalogue([data]), text) == ["en_ewt"]


def test_long_name_where_only_the_short_one_is_written(tmp_path: Path) -> None:
    write_files(tmp_path / "plain", {"en_ewt/test.conllu": conllu()})
    catalogue = Catalogue([tmp_path / "plain"])
    assert names(catalogue, "UD_English-EWT") == names(catalogue, "English-EWT") == ["en_ewt"]


def test_entries_are_in_order(data: Path) -> None:
    found = [entry.name for entry in Catalogue([data]).entries]
    assert found == ["cs_pdt", "da_mine", "en_ewt", "et_ewt"]


def test_nothing_is_looked_through_before_a_name_is_asked_for(tmp_path: Path) -> None:
    write_files(tmp_path, {"mine.conllu": conllu()})
    catalogue = Catalogue([tmp_path / "nowhere"])
    assert names(catalogue, "toy:svo") == ["toy:svo"]
    assert names(catalogue, str(tmp_path / "mine.conllu")) == ["mine"]
    with pytest.raises(CatalogueError, match=r"nowhere: \[data-folder\] cannot be read"):
        catalogue.resolve("en_ewt")


# ---------------------------------------------------------------------- parts


def test_test_is_the_default_part(data: Path) -> None:
    catalogue = Catalogue([data])
    assert catalogue.open("en_ewt").n_sentences == 1
    assert catalogue.open("en_ewt", "train").n_sentences == 3
    assert catalogue.open("en_ewt:dev").n_sentences == 2
    # What stands in the text is nearer to the user than a verb's default.
    assert catalogue.open("en_ewt:dev", "train").n_sentences == 2
    assert catalogue.open("en_ewt").name == "en_ewt"


def test_part_that_is_not_there(data: Path) -> None:
    with pytest.raises(CatalogueError, match=r"et_ewt: .* expected a train part, found only test"):
        Catalogue([data]).select("et_ewt:train")


def test_part_that_is_none(data: Path) -> None:
    with pytest.raises(CatalogueError, match="expected train, dev, test after the colon"):
        Catalogue([data]).resolve("en_ewt:valid")


# ---------------------------------------------------------------------- paths


def test_by_path(data: Path) -> None:
    catalogue = Catalogue()
    mine = data / "more" / "da_mine"
    assert names(catalogue, str(mine)) == ["da_mine"]
    assert catalogue.open(f"{mine}:train").n_sentences == 8
    assert catalogue.open(str(mine / "train.conllu.xz")).name == "train"
    assert names(catalogue, str(data)) == ["cs_pdt", "da_mine", "en_ewt", "et_ewt"]


def test_a_file_is_what_it_is(data: Path) -> None:
    train = data / "more" / "da_mine" / "train.conllu.xz"
    assert Catalogue().open(str(train)).n_sentences == 8
    with pytest.raises(CatalogueError, match="expected a dev part, found a single file"):
        Catalogue().open(f"{train}:dev")


def test_relative_paths(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(data / "more")
    assert names(Catalogue(), "da_mine") == ["da_mine"]
    assert names(Catalogue(), "./da_mine") == ["da_mine"]
    assert names(Catalogue(), ".") == ["da_mine"]
    assert names(Catalogue(), "../more/da_mine:test") == ["da_mine"]


def test_a_file_with_a_colon_in_its_name(tmp_path: Path) -> None:
    write_files(tmp_path, {"odd:dev": conllu(2)})
    assert Catalogue().open(str(tmp_path / "odd:dev"), "whole").n_sentences == 2


@pytest.mark.parametrize("text", ["x/en_ewt", "none.conllu", "./none", "none.conllu.xz"])
def test_paths_that_are_not_there(text: str) -> None:
    with pytest.raises(CatalogueError, match=f"^{text}: cannot be read: no such file or folder$"):
        Catalogue().resolve(text)


def test_folder_without_treebanks(tmp_path: Path) -> None:
    write_files(tmp_path / "empty", {"notes.txt": "birds"})
    with pytest.raises(CatalogueError, match=r"\[empty-folder\] no treebank in this folder"):
        Catalogue().resolve(f"{tmp_path}/empty")


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(conllu(2).encode())))
    assert Catalogue().open("-").n_sentences == 2


# ---------------------------------------------------------------------- patterns


def test_patterns_of_names(data: Path) -> None:
    catalogue = Catalogue([data])
    assert names(catalogue, "e*_ewt") == ["en_ewt", "et_ewt"]
    assert names(catalogue, "UD_*-EWT") == ["en_ewt", "et_ewt"]
    assert names(catalogue, "[cd]?_*") == ["cs_pdt", "da_mine"]
    assert [s.part for s in catalogue.select("c*:train")] == ["train"]


def test_patterns_of_paths(data: Path) -> None:
    catalogue = Catalogue()
    assert names(catalogue, f"{data}/*/UD_E*") == ["en_ewt", "et_ewt"]
    assert names(catalogue, f"{data}/**/da_*") == ["da_mine"]
    files = names(catalogue, f"{data}/more/da_mine/*.conllu*")
    assert files == ["test", "train"]


def test_pattern_without_a_match(data: Path) -> None:
    with pytest.raises(CatalogueError, match=r"no treebank's name and no path matches 'zz\*'"):
        Catalogue([data]).resolve("zz*")


# ---------------------------------------------------------------------- sets


def test_sets(data: Path) -> None:
    sets = {"mine": ["en_ewt", "toy:svo"], "all": ["mine", "da_mine:train", "en_ewt"]}
    catalogue = Catalogue([data], sets=sets)
    assert names(catalogue, "mine") == ["en_ewt", "toy:svo"]
    # Each once, in the order in which they are first named.
    assert names(catalogue, "all") == ["en_ewt", "toy:svo", "da_mine"]
    assert "pascal10" in catalogue.sets


def test_part_of_a_set(data: Path) -> None:
    catalogue = Catalogue([data], sets={"mine": ["en_ewt", "da_mine:train"]})
    assert [s.part for s in catalogue.select("mine:dev")] == ["dev", "train"]
    assert [s.part for s in catalogue.select("mine")] == ["test", "train"]


def test_everything_a_set_lacks_is_said_at_once(data: Path) -> None:
    catalogue = Catalogue([data], sets={"mine": ["en_ewt", "da_mime", "xyz"]})
    with pytest.raises(CatalogueError, match="mine: 2 of 3 members are not available") as raised:
        catalogue.resolve("mine")
    message = str(raised.value)
    assert "unknown treebank 'da_mime'; did you mean da_mine?" in message
    assert "unknown treebank 'xyz'" in message
    assert message.count("searched") == 1


def test_set_that_contains_itself() -> None:
    catalogue = Catalogue(sets={"a": ["b"], "b": ["toy:svo", "a"]})
    with pytest.raises(CatalogueError, match="the set a contains itself: a -> b -> a"):
        catalogue.resolve("a")


def test_set_and_treebank_of_one_name(data: Path) -> None:
    catalogue = Catalogue([data], sets={"da_mine": ["en_ewt"]})
    with pytest.raises(CatalogueError, match="there are a set and a treebank of this name"):
        catalogue.resolve("da_mine")


def test_open_wants_one_treebank(data: Path) -> None:
    catalogue = Catalogue([data], sets={"mine": ["en_ewt", "da_mine"]})
    with pytest.raises(CatalogueError, match="expected one treebank, found 2 in 'mine'") as raised:
        catalogue.open("mine")
    assert "name one of en_ewt, da_mine" in str(raised.value)


# ---------------------------------------------------------------------- toy languages


def test_toy_languages() -> None:
    catalogue = Catalogue()
    test, train = catalogue.open("toy:svo"), catalogue.open("toy:svo:train")
    assert test.name == train.name == "toy:svo"
    assert test != train
    assert catalogue.open("toy:svo", "train") == train
    assert [s.part for s in catalogue.select("toy:svo")] == ["test"]
    entry = catalogue.resolve("toy:svo")[0]
    assert list(entry.parts) == ["train", "dev", "test"]
    assert entry.fingerprint("train") == train.fingerprint


def test_unknown_toy_language() -> None:
    with pytest.raises(CatalogueError, match="unknown toy language 'toy:svvo'; did you mean"):
        Catalogue().resolve("toy:svvo")


# ---------------------------------------------------------------------- unknown names


def test_unknown_name_is_answered_with_the_nearest(data: Path) -> None:
    with pytest.raises(CatalogueError, match="unknown treebank 'en_etw'") as raised:
        Catalogue([data]).resolve("en_etw")
    message = str(raised.value)
    assert "did you mean en_ewt" in message
    assert f"searched {data} (4 treebanks)" in message
    assert "treegauge data get" in message


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("UD_English-ETW", "UD_English-EWT"),
        ("pascal", "pascal10"),
        ("english", "en_ewt"),
        ("svo", "toy:svo"),
    ],
)
def test_what_else_may_be_meant(data: Path, typed: str, meant: str) -> None:
    with pytest.raises(CatalogueError, match=f"did you mean {meant}"):
        Catalogue([data]).resolve(typed)


def test_no_name_at_all() -> None:
    # The empty path is the current folder; nobody who types nothing means that.
    write_files(Path("mine"), {"test.conllu": conllu()})
    with pytest.raises(CatalogueError, match="expected the name or the path of a treebank"):
        Catalogue().resolve("")


def test_unknown_name_without_data() -> None:
    with pytest.raises(CatalogueError, match="unknown treebank 'en_ewt'\n") as raised:
        Catalogue().resolve("en_ewt")
    assert "--data DIR or in TREEGAUGE_DATA" in str(raised.value)


def test_what_was_passed_over_is_said(tmp_path: Path) -> None:
    files = {"en_ewt/test.conllu": conllu(), "en_ewt/test.conllu.gz": conllu()}
    catalogue = Catalogue([write_files(tmp_path / "data", files)])
    with pytest.raises(CatalogueError, match=r"note: .*en_ewt skipped: one part, several"):
        catalogue.resolve("en_ewt")
    assert len(catalogue.remarks) == 1


# ---------------------------------------------------------------------- two of one name


def two_releases(folder: Path) -> Catalogue:
    old, new = folder / "old", folder / "new"
    write_files(old, release_files("ud-treebanks-v2.15"))
    write_files(new, release_files("ud-treebanks-v2.16"))
    return Catalogue([old, new])


def test_two_treebanks_of_one_name_are_a_question(tmp_path: Path) -> None:
    catalogue = two_releases(tmp_path)
    with pytest.raises(CatalogueError, match=r"which en_ewt\? there are 2:") as raised:
        catalogue.resolve("en_ewt")
    message = str(raised.value)
    for release in ("2.15", "2.16"):
        assert f"ud-treebanks-v{release}/UD_English-EWT (release {release})" in message
        assert f"en_ewt@{release}" in message
    assert "name one by its path" in message


@pytest.mark.parametrize("text", ["UD_English-EWT", "en_*", "en_ewt:dev", "mine"])
def test_no_way_of_asking_makes_a_silent_choice(tmp_path: Path, text: str) -> None:
    catalogue = two_releases(tmp_path)
    catalogue.sets = {"mine": ["en_ewt"]}
    with pytest.raises(CatalogueError, match=r"which (en_ewt|UD_English-EWT)\? there are 2"):
        catalogue.resolve(text)


def test_choosing_by_release_and_by_path(tmp_path: Path) -> None:
    catalogue = two_releases(tmp_path)
    old = tmp_path / "old" / "ud-treebanks-v2.15" / "UD_English-EWT"
    assert catalogue.resolve("en_ewt@2.15")[0].folder == old
    assert catalogue.resolve("UD_English-EWT@2.15:dev")[0].folder == old
    assert catalogue.resolve(str(old))[0].folder == old
    with pytest.raises(CatalogueError, match=r"no en_ewt of release 2.1\n  found: 2.16, 2.15"):
        catalogue.resolve("en_ewt@2.1")


def test_both_are_listed(tmp_path: Path) -> None:
    found = [(e.name, e.release) for e in two_releases(tmp_path).entries if e.name == "en_ewt"]
    assert sorted(found) == [("en_ewt", "2.15"), ("en_ewt", "2.16")]


def test_the_same_folder_twice_is_no_conflict(data: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(data, target_is_directory=True)
    inside = data / "ud-treebanks-v2.16"
    catalogue = Catalogue([data, f"{data}/", inside, data / ".." / "data", tmp_path / "link"])
    assert names(catalogue, "en_ewt") == ["en_ewt"]
    assert len(catalogue.entries) == 4
    assert catalogue.data == (data, inside)


def test_a_folder_here_and_a_treebank_there(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(Path("en_ewt"), {"test.conllu": conllu(5)})
    write_files(Path("da_mine"), {"results.json": "{}"})
    with pytest.raises(CatalogueError, match=r"which en_ewt\? there are 2:"):
        Catalogue([data]).resolve("en_ewt")
    assert Catalogue([data]).open("./en_ewt").n_sentences == 5
    # A folder of results that is called like the treebank is no second treebank.
    assert Catalogue([data]).open("da_mine").n_sentences == 7
    monkeypatch.chdir(data / "more")
    assert Catalogue([data]).open("da_mine").n_sentences == 7


# ---------------------------------------------------------------------- the environment


def test_environment(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = write_files(tmp_path / "own", {"sv_mine/test.conllu": conllu()})
    paths = [str(data), "", str(data / "more")]
    monkeypatch.setenv("TREEGAUGE_DATA", os.pathsep.join(paths))
    catalogue = Catalogue.from_environment([str(more)])
    assert catalogue.data == (more, data, data / "more")
    assert names(catalogue, "sv_mine") == ["sv_mine"]
    assert names(catalogue, "da_mine") == ["da_mine"]


def test_empty_environment() -> None:
    assert Catalogue.from_environment().data == ()


def test_downloads_are_found_where_no_folder_is_named(data: Path) -> None:
    assert default_data_folder().parts[-2:] == ("treegauge", "treebanks")
    write_files(default_data_folder(), {"fi_mine/test.conllu": conllu()})
    assert names(Catalogue.from_environment(), "fi_mine") == ["fi_mine"]
    assert Catalogue.from_environment([data]).data == (data,)


def test_settings_of_the_current_folder(data: Path) -> None:
    Path("treegauge.toml").write_text('[sets]\nmine = ["en_ewt", "toy:svo"]\n')
    assert names(Catalogue.from_environment([data]), "mine") == ["en_ewt", "toy:svo"]


def test_settings_by_path(data: Path, tmp_path: Path) -> None:
    Path("treegauge.toml").write_text("[sets]\nmine = ['toy:sov']\n")
    (tmp_path / "other.toml").write_text("[sets]\nmine = ['toy:svo']\n")
    catalogue = Catalogue.from_environment([data], sets_file=tmp_path / "other.toml")
    assert names(catalogue, "mine") == ["toy:svo"]
