"""Packs: blind, the same bytes, and refused where they would tell what they must not."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import pytest

from tests.unit.challenges.marked_challenge import (
    CHALLENGE,
    COMMENT_MARKS,
    MARKS,
    SENTENCES,
    gold_text,
    pack_small,
    write_challenge,
)
from treegauge.catalogue import Catalogue
from treegauge.challenges import (
    ChallengeError,
    ChallengeFolder,
    pack_challenge,
    read_pack,
    read_submission,
    task_of_pack,
)
from treegauge.challenges.packs import canonical_json, commitment, sha256
from treegauge.challenges.zip_reading import ZipMembers

TAG_MARKS = ("GOLDTAG", "GOLDFINE", "GOLDLEMMA", "GOLDFEAT")


def files_of(path: Path) -> dict[str, bytes]:
    members = ZipMembers(path)
    return {name: members.read(name) for name in members.names}


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("challenge")
    pack_small(place)
    return place


def test_all_packs_are_there(place: Path) -> None:
    assert sorted(path.name for path in (place / "packs").iterdir()) == [
        "small-dependencies-example.zip",
        "small-dependencies-test.zip",
        "small-pos-example.zip",
        "small-pos-test.zip",
        "small-release.zip",
    ]
    assert (place / "small/gold/small-gold.zip").exists()
    members = files_of(place / "packs/small-dependencies-test.zip")
    assert sorted(members) == ["manifest.json", "test/en.conllu", "train/en.conllu"]


def test_planted_gold_is_in_no_public_pack(place: Path) -> None:
    for path in (place / "packs").iterdir():
        content = path.read_bytes()
        for mark in (*COMMENT_MARKS, "GOLDREL", "GOLDMISC", "GOLDDEPS"):
            is_dev = mark == "GOLDREL" and path.name == "small-release.zip"
            assert (mark.encode() in content) == is_dev, (path.name, mark)
    for name, files in {p.name: files_of(p) for p in (place / "packs").iterdir()}.items():
        for file, content in files.items():
            shows_tags = name == "small-dependencies-test.zip" and file.endswith(".conllu")
            is_dev = file == "dev/en.conllu"
            for mark in TAG_MARKS:
                assert (mark.encode() in content) == (shows_tags or is_dev), (name, file, mark)
    gold = (place / "small/gold/small-gold.zip").read_bytes()
    assert all(mark.encode() in gold for mark in MARKS[:5])  # or this test searches for nothing


def test_no_head_is_in_a_blind_file(place: Path) -> None:
    for pack, file in (
        ("small-pos-test.zip", "test/en.conllu"),
        ("small-dependencies-test.zip", "test/en.conllu"),
        ("small-dependencies-test.zip", "train/en.conllu"),
        ("small-release.zip", "train/en.conllu"),
    ):
        rows = files_of(place / "packs" / pack)[file].decode().splitlines()
        heads = {row.split("\t")[6] for row in rows if row}
        assert heads == {"_"}, (pack, file)


def test_blind_files_do_not_depend_on_gold(place: Path, tmp_path: Path) -> None:
    folder = write_challenge(tmp_path / "small")
    test = tmp_path / "small/GOLDFILE-test.conllu"
    other = gold_text("test").replace("\t2\tGOLDREL", "\t1\tOTHER").replace("GOLDSENT", "other")
    test.write_text(other)
    pack_challenge(folder, tmp_path / "packs", Catalogue())
    for pack in (place / "packs").iterdir():
        ours, theirs = files_of(pack), files_of(tmp_path / "packs" / pack.name)
        differing = {name for name in ours if ours[name] != theirs[name]}
        # The manifest has the commitment, which is another one for every gold.
        assert differing == ({"manifest.json"} if "example" not in pack.name else set())


def test_the_same_folder_gives_the_same_bytes(place: Path, tmp_path: Path) -> None:
    time.sleep(0.01)
    shutil.copytree(place / "small", tmp_path / "small")
    shutil.rmtree(tmp_path / "small/gold")
    pack_challenge(ChallengeFolder(tmp_path / "small"), tmp_path / "packs", Catalogue())
    for path in [*(place / "packs").iterdir(), place / "small/gold/small-gold.zip"]:
        assert (tmp_path / path.relative_to(place)).read_bytes() == path.read_bytes(), path.name


def test_the_manifest_has_every_file_and_a_commitment_to_gold(place: Path) -> None:
    pack = read_pack(place / "packs/small-pos-test.zip", "test")
    files = files_of(pack.path)
    assert pack.manifest["files"]["test/en.conllu"]["sha256"] == sha256(files["test/en.conllu"])
    gold = read_pack(place / "small/gold/small-gold.zip", "gold")
    salt = bytes.fromhex("5a" * 32)
    assert pack.manifest["gold_commitment"] == commitment(salt, gold.manifest_bytes)
    assert pack.manifest["gold_commitment"] != commitment(b"", gold.manifest_bytes)
    # No sum of gold stands in a public file: it would confirm guesses.
    sums = [one["sha256"] for name, one in gold.manifest["files"].items() if "test" in name]
    public = b"".join(path.read_bytes() for path in (place / "packs").iterdir())
    assert not any(one.encode() in public for one in [*sums, gold.id, "5a" * 32])
    record = json.loads((place / "small/gold/record.json").read_text())
    assert record["packs"]["small-pos-test"]["id"] == pack.id


def test_a_pack_whose_file_was_changed_is_refused(place: Path, tmp_path: Path) -> None:
    path = tmp_path / "unpacked"
    for name, content in files_of(place / "packs/small-pos-test.zip").items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    assert task_of_pack(read_pack(path)).treebanks["en"].n_sentences == 3
    (path / "test/en.conllu").write_text("1\tother\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    with pytest.raises(ChallengeError, match=r"test/en\.conllu is not what manifest\.json says"):
        task_of_pack(read_pack(path))


@pytest.mark.parametrize("track", ["pos", "dependencies"])
def test_examples_are_accepted(place: Path, track: str) -> None:
    task = task_of_pack(read_pack(place / f"packs/small-{track}-test.zip"))
    submission = read_submission(place / f"packs/small-{track}-example.zip", task)
    assert list(submission.findings) == []
    assert list(submission.treebanks) == ["en"]
    words = {word for sentence in SENTENCES["test"] for word in sentence if word != "!"}
    content = (place / f"packs/small-{track}-example.zip").read_bytes()
    texts = {line.split(b"\t")[1] for line in content.splitlines() if line.count(b"\t") == 9}
    assert texts == {b"_"}
    assert not texts & {word.encode() for word in words}


def test_the_task_of_gold_is_that_of_the_pack(place: Path) -> None:
    gold = ChallengeFolder(place / "small").read_gold()
    for track in ("pos", "dependencies"):
        ours = gold.task(track)
        theirs = task_of_pack(read_pack(place / f"packs/small-{track}-test.zip"))
        assert ours.word_ids == theirs.word_ids
        assert not ours.treebanks["en"].has_heads
    assert gold.gold("en").has_heads
    assert gold.has("en", "dev")
    assert not gold.has("en", "test", "other")
    assert gold.training("en") is None


# ---------------------------------------------------------------------- refusals


def test_tracks_that_leak_into_each_other_are_refused(tmp_path: Path) -> None:
    leaking = CHALLENGE.replace('opens = "2027-01-15', 'opens = "2027-01-14')
    with pytest.raises(ChallengeError) as caught:
        pack_small(tmp_path, leaking)
    assert "tracks 'dependencies' and 'pos' leak" in str(caught.value)
    assert "shows gold tags of the text, which 'pos' hides until 2027-01-15" in str(caught.value)
    assert not (tmp_path / "packs").exists()


def test_a_track_that_was_open_before_leaks_as_well(tmp_path: Path) -> None:
    # What is out stays out, also after the phase has closed.
    early = CHALLENGE.replace('opens = "2027-01-15', 'opens = "2026-01-15')
    early = early.replace('closes = "2027-01-31', 'closes = "2026-01-31')
    with pytest.raises(ChallengeError, match="leak"):
        pack_small(tmp_path, early)


def test_grace_counts_for_leaks(tmp_path: Path) -> None:
    late = CHALLENGE.replace('closes = "2027-01-15', 'grace = "1h"\ncloses = "2027-01-15')
    with pytest.raises(ChallengeError, match="until 2027-01-15 01:00 UTC"):
        pack_small(tmp_path, late)


def test_a_metric_without_gold_is_refused(tmp_path: Path) -> None:
    folder = write_challenge(tmp_path / "small")
    bare = gold_text("test").replace("GOLDREL", "_")
    (tmp_path / "small/GOLDFILE-test.conllu").write_text(bare)
    with pytest.raises(ChallengeError, match="'en': its test part has no gold for las of track 'd"):
        pack_challenge(folder, tmp_path / "packs", Catalogue())


def test_a_released_test_part_is_refused(tmp_path: Path) -> None:
    released = CHALLENGE.replace("GOLDFILE-dev", "GOLDFILE-test")
    with pytest.raises(
        ChallengeError, match="every sentence of its test part is released with gold"
    ):
        pack_small(tmp_path, released)


def test_test_sentences_that_dev_shows_are_listed(tmp_path: Path) -> None:
    folder = write_challenge(tmp_path / "small")
    dev = tmp_path / "small/GOLDFILE-dev.conllu"
    dev.write_text(gold_text("dev") + gold_text("test").partition("\n\n")[2].partition("\n\n")[0])
    packing = pack_challenge(folder, tmp_path / "packs", Catalogue())
    (shown,) = packing.shown
    assert (shown.treebank, shown.shown_in, shown.sentences) == ("en", "en", (2,))
    assert str(shown) == (
        "en: 1 of 3 test sentences (33.3%, 50.0% of words) also occur with gold in the dev part "
        "of en: 2"
    )


def test_packs_are_never_written_where_gold_is(tmp_path: Path) -> None:
    folder = write_challenge(tmp_path / "place/small")
    for packs, message in (
        (tmp_path / "place", "it contains the challenge with its gold"),
        (tmp_path / "place/small", "it contains the challenge with its gold"),
        (tmp_path / "place/small/gold", "this folder is for gold"),
        (tmp_path / "place/small/gold/packs", "this folder is for gold"),
    ):
        with pytest.raises(ChallengeError, match=message):
            pack_challenge(folder, packs, Catalogue())


def test_gold_that_changed_is_put_aside_and_said(tmp_path: Path) -> None:
    first = pack_small(tmp_path)
    assert first.remarks == []
    assert (
        pack_challenge(ChallengeFolder(tmp_path / "small"), tmp_path / "p", Catalogue()).remarks
        == []
    )
    before = (tmp_path / "small/gold/small-gold.zip").read_bytes()
    file = tmp_path / "small/GOLDFILE-test.conllu"
    file.write_text(file.read_text().replace("\t2\tGOLDREL", "\t1\tGOLDREL", 1))
    second = pack_challenge(ChallengeFolder(tmp_path / "small"), tmp_path / "p", Catalogue())
    assert second.commitment != first.commitment
    assert any("gold differs from the packed gold" in remark for remark in second.remarks)
    (kept,) = (tmp_path / "small/gold").glob("small-gold-*.zip")
    assert kept.read_bytes() == before


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("salt.txt", None, "there is no salt; `treegauge challenge init` creates one"),
        ("salt.txt", "xyz", "expected at least 32 hexadecimal digits"),
        ("rules.md", None, "rules.md: cannot be read: no such file"),
        ("GOLDFILE-test.conllu", None, "treebank 'en': test: GOLDFILE-test.conllu: cannot be read"),
    ],
)
def test_missing_files_are_named(
    tmp_path: Path, file: str, content: str | None, message: str
) -> None:
    folder = write_challenge(tmp_path / "small")
    path = tmp_path / "small" / file
    path.unlink() if content is None else path.write_text(content)
    with pytest.raises(ChallengeError) as caught:
        pack_challenge(folder, tmp_path / "packs", Catalogue())
    assert message in str(caught.value)


def test_further_gold_standards_have_the_same_words(tmp_path: Path) -> None:
    text = CHALLENGE.replace(
        'licence = "CC', 'references = [{name = "other", test = "other.conllu"}]\nlicence = "CC'
    )
    folder = write_challenge(tmp_path / "small", text)
    other = tmp_path / "small/other.conllu"
    other.write_text(gold_text("test").replace("GOLDREL", "OTHERREL"))
    pack_challenge(folder, tmp_path / "packs", Catalogue())
    gold = folder.read_gold()
    assert set(gold.gold("en", reference="other").deprel) == {"OTHERREL"}
    for pack in (tmp_path / "packs").iterdir():
        assert b"OTHERREL" not in pack.read_bytes()
    other.write_text(gold_text("dev"))
    with pytest.raises(ChallengeError, match="a further gold standard has the words of the first"):
        pack_challenge(folder, tmp_path / "packs", Catalogue())


def test_coarse_tags_stay_in_gold(tmp_path: Path) -> None:
    folder = write_challenge(tmp_path / "small", CHALLENGE.replace("test.conllu", "test.pascal"))
    lines = [
        "\t".join([f[0], f[1], "_", "COARSE", f[4], f[3], "_", f[6], f[7]]) if len(f) > 1 else ""
        for f in (line.split("\t") for line in gold_text("test").splitlines())
        if not f[0].startswith("#")
    ]
    (tmp_path / "small/GOLDFILE-test.pascal").write_text("\n".join(lines) + "\n\n")
    pack_challenge(folder, tmp_path / "packs", Catalogue())
    gold = folder.read_gold().gold("en")
    assert set(gold.cpos) == {"COARSE"}
    assert set(gold.upos) == {"GOLDTAG"}
    assert set(gold.xpos) == {"GOLDFINE"}


def test_canonical_json_is_sorted_and_has_no_number_that_is_none() -> None:
    assert canonical_json({"b": [1], "a": {}}) == b'{\n "a": {},\n "b": [\n  1\n ]\n}\n'
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json({"a": float("nan")})
