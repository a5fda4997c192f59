"""Treebanks without a licence to give words out: packs have none, and licensees rebuild them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from tests.unit.challenges.marked_challenge import (
    CHALLENGE,
    SENTENCES,
    gold_text,
    pack_small,
    write_challenge,
)
from treegauge.catalogue import Catalogue
from treegauge.challenges import ChallengeError, fill, pack_challenge, read_pack, task_of_pack
from treegauge.challenges.data import file_bytes, shown_copy
from treegauge.challenges.packs import with_manifest, write_zip
from treegauge.challenges.stand_off import rebuilt, stand_off

LICENSED = CHALLENGE.replace('licence = "CC BY 4.0"', 'licence = "LDC"\nredistribute = false')
PATCHED = LICENSED.replace(
    'licence = "LDC"', 'licence = "LDC"\nsource = { test = "theirs.conllu" }'
)


def test_packs_have_no_word_of_the_text(tmp_path: Path) -> None:
    pack_small(tmp_path, LICENSED)
    words = {w for part in SENTENCES.values() for s in part for w in s if len(w) > 3}
    for path in (tmp_path / "packs").iterdir():
        content = path.read_bytes()
        assert not [word for word in words if word.encode() in content], path.name


def test_a_pack_says_how_to_get_the_words(tmp_path: Path) -> None:
    pack_small(tmp_path, LICENSED)
    with pytest.raises(ChallengeError, match=r"words of test/en\.conllu, train/en\.conllu are not"):
        task_of_pack(read_pack(tmp_path / "packs/small-dependencies-test.zip"))


@pytest.mark.parametrize("pack", ["small-release", "small-pos-test", "small-dependencies-test"])
def test_what_is_filled_is_what_would_have_been_packed(tmp_path: Path, pack: str) -> None:
    pack_small(tmp_path / "licensed", LICENSED)
    pack_small(tmp_path / "free")
    licensees = tmp_path / "mine/deep"
    licensees.mkdir(parents=True)
    for number, part in enumerate(SENTENCES):
        (licensees / f"{number}.any").write_text(gold_text(part))
    filled = fill(read_pack(tmp_path / f"licensed/packs/{pack}.zip"), tmp_path / "mine")
    free = read_pack(tmp_path / f"free/packs/{pack}.zip")
    assert {name: filled[name] for name in free.names} == {n: free.read(n) for n in free.names}
    write_zip(tmp_path / "filled.zip", filled)
    again = read_pack(tmp_path / "filled.zip", "release", "test")
    assert task_of_pack(again, "pos").word_ids == task_of_pack(free, "pos").word_ids


def test_changed_values_travel_without_gold(tmp_path: Path) -> None:
    folder = write_challenge(tmp_path / "small", PATCHED)
    theirs = gold_text("test").replace("\tsang\t", "\tsanng\t").replace("GOLDFINE", "OLDFINE")
    (tmp_path / "small/theirs.conllu").write_text(theirs.replace("GOLDREL", "OLDREL"))
    pack_challenge(folder, tmp_path / "packs", Catalogue())
    pack = read_pack(tmp_path / "packs/small-dependencies-test.zip")
    recipe = json.loads(pack.read("standoff/test/en.json"))
    assert recipe["sentences"] == [[1, 3]]
    assert [2, 3, "form", "sang"] in recipe["values"]
    assert {row[2] for row in recipe["values"]} == {"form", "xpos"}
    assert b"GOLDREL" not in (tmp_path / "packs/small-dependencies-test.zip").read_bytes()
    for part in ("train", "dev"):
        (tmp_path / f"small/mine-{part}").write_text(gold_text(part))
    filled = fill(pack, tmp_path / "small")
    assert b"\tsang\tGOLDLEMMA\tGOLDTAG\tGOLDFINE\t" in filled["test/en.conllu"]


def test_a_source_that_is_not_there_is_named(tmp_path: Path) -> None:
    pack_small(tmp_path, LICENSED)
    pack = read_pack(tmp_path / "packs/small-pos-test.zip")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/other").write_text(gold_text("test").replace("birds", "bards"))
    with pytest.raises(ChallengeError, match=r"no file in it has SHA-256 .*GOLDFILE-test.conllu"):
        fill(pack, tmp_path / "mine")
    with pytest.raises(ChallengeError, match="no such folder"):
        fill(pack, tmp_path / "nothing")
    pack_small(tmp_path / "free")
    with pytest.raises(ChallengeError, match="nothing is missing in it"):
        fill(read_pack(tmp_path / "free/packs/small-pos-test.zip"), tmp_path / "mine")


def test_a_recipe_that_asks_for_too_much_is_refused(tmp_path: Path) -> None:
    pack_small(tmp_path, LICENSED)
    pack = read_pack(tmp_path / "packs/small-pos-test.zip")
    files = {name: pack.read(name) for name in pack.names}
    recipe = json.loads(files["standoff/test/en.json"])
    about = {key: value for key, value in pack.manifest.items() if key not in ("files", "schema")}
    for odd in ({"sentences": [[1, 10**12]]}, {"sentences": 7}, {"values": [[1, 1, "no", ""]]}):
        files["standoff/test/en.json"] = json.dumps({**recipe, **odd}).encode()
        write_zip(tmp_path / "odd.zip", with_manifest(about, files))
        with pytest.raises(ChallengeError, match=r"it does not say how to rebuild test/en\.conllu"):
            fill(read_pack(tmp_path / "odd.zip"), tmp_path / "small")


def test_toy_languages_have_no_source(tmp_path: Path) -> None:
    text = LICENSED.replace('"GOLDFILE-test.conllu"', '"toy:svo:test"')
    with pytest.raises(ChallengeError, match="it has no file that a licensee could have"):
        pack_small(tmp_path, text)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("1\tbirds", "1\tbards", ""),
        ("2\tsing\t", "2\tsing\t", ""),
        ("4\tloud\tGOLDLEMMA", "", "sentence 2 has 4 words, and 3 in the source"),
    ],
)
def test_words_of_the_source_may_be_corrected_but_not_divided(
    tmp_path: Path, before: str, after: str, message: str
) -> None:
    folder = write_challenge(tmp_path / "small", PATCHED)
    lines = gold_text("test").splitlines(keepends=True)
    theirs = [line.replace(before, after) for line in lines if after or before not in line]
    (tmp_path / "small/theirs.conllu").write_text("".join(theirs))
    if not message:
        pack_challenge(folder, tmp_path / "packs", Catalogue())
        return
    with pytest.raises(ChallengeError, match=message):
        pack_challenge(folder, tmp_path / "packs", Catalogue())


@examples(60)
@given(st.data())
def test_some_sentences_with_changed_values_are_rebuilt(tmp_path_factory, data) -> None:
    folder = tmp_path_factory.mktemp("sources")
    source = tg.toy_treebank("toy:svo", tokens=60, part="test")
    tg.write(source, folder / "theirs.pascal")
    source = tg.read(folder / "theirs.pascal")
    chosen = data.draw(st.lists(st.integers(0, len(source) - 1), min_size=1, unique=True))
    packed = source[np.array(sorted(chosen))]
    words = data.draw(st.lists(st.integers(0, packed.n_words - 1), max_size=5))
    tags = list(packed.upos)
    for word in words:
        tags[word] = "NEW"
    packed = packed.replace(columns={"upos": tg.Column.from_strings(tags)})
    hide = data.draw(st.sampled_from([(), ("heads",), ("heads", "tags")]))
    recipe = stand_off(packed, [folder / "theirs.pascal"], hide, "x")
    again = rebuilt(json.loads(json.dumps(recipe)), [folder / "theirs.pascal"])
    assert file_bytes(again, "pascal") == file_bytes(shown_copy(packed, hide), "pascal")
    assert len(recipe["values"]) == (0 if "tags" in hide else len(set(words)))
