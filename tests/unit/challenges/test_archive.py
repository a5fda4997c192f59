"""Archives: every number again, what differs by name, and no word that a licence protects."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.unit.challenges.marked_challenge import CHALLENGE, pack_small, write_submission
from tests.unit.challenges.small_challenge import (
    AFTER_CLOSE,
    AFTER_GOLD,
    IN_PHASE,
    make_folder,
    submission_of,
)
from treegauge.challenges import (
    ChallengeError,
    ChallengeFolder,
    score_submissions,
    verify_archive,
    write_archive,
)
from treegauge.challenges.packs import canonical_json, sha256

METHODS = ("left-branching", "right-branching", "random")


@pytest.fixture(scope="module")
def place(tmp_path_factory, reads_here) -> Path:
    """A challenge with three submissions, and its archive."""
    place = tmp_path_factory.mktemp("archive")
    folder = make_folder(place / "small", more='styles = ["prague"]', tokens=200)
    sources = [submission_of(place / name, name, tokens=200, team=name) for name in METHODS]
    assert not score_submissions(folder, sources, now=IN_PHASE).refused
    write_archive(folder, place / "kept", AFTER_GOLD)
    return place


@pytest.fixture
def kept(place, tmp_path) -> Path:
    """A copy of the archive, to be spoilt."""
    shutil.copytree(place / "kept", tmp_path / "kept")
    return tmp_path / "kept"


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_every_number_is_repeated(place):
    found = verify_archive(place / "kept")
    assert found.is_same
    assert found.submissions == len(METHODS)
    assert found.numbers > 1000
    assert found.remarks == []


def test_the_archive_is_whole_and_the_same_bytes(place, tmp_path):
    files = contents(place / "kept")
    for name in ("challenge.toml", "rules.md", "salt.txt", "standings.json", "archive.json"):
        assert name in files
    assert "gold/test/svo.conllu" in files
    assert "pages/index.html" in files
    assert sum(name.startswith("submissions/") for name in files) == len(METHODS) + 1
    assert json.loads(files["archive.json"])["versions"]["treegauge"]
    # The same folder gives the same bytes, whenever it is archived.
    again = write_archive(ChallengeFolder(place / "small"), tmp_path / "again", AFTER_GOLD)
    assert contents(again) == files


def test_gold_that_was_changed_is_named(kept):
    path = kept / "gold/test/svo.conllu"
    lines = path.read_bytes().split(b"\n")
    at = next(i for i, line in enumerate(lines) if line.startswith(b"1\t"))
    fields = lines[at].split(b"\t")
    fields[6] = b"0" if fields[6] != b"0" else b"2"
    lines[at] = b"\t".join(fields)
    path.write_bytes(b"\n".join(lines))
    found = verify_archive(kept)
    assert "gold/test/svo.conllu: the file has changed" in found.differences
    # Whoever corrects the checksums as well is told by the commitment, and by the numbers.
    manifest = json.loads((kept / "gold/manifest.json").read_bytes())
    manifest["files"]["test/svo.conllu"]["sha256"] = sha256(path.read_bytes())
    (kept / "gold/manifest.json").write_bytes(canonical_json(manifest))
    about = json.loads((kept / "archive.json").read_bytes())
    for name in ("gold/manifest.json", "gold/test/svo.conllu"):
        about["files"][name] = sha256((kept / name).read_bytes())
    (kept / "archive.json").write_bytes(canonical_json(about))
    found = verify_archive(kept)
    assert any("gold does not match the commitment" in line for line in found.differences)
    assert any("svo standards gold scores uas value" in line for line in found.differences)


def test_a_number_that_was_changed_is_named(kept):
    path = next((kept / "results").glob("*/*.json"))
    document = json.loads(path.read_bytes())
    score = document["treebanks"]["sov"]["standards"]["gold"]["scores"]["uas"]
    score["value"] += 0.01
    path.write_bytes(canonical_json(document))
    found = verify_archive(kept)
    name = f"{document['submission']['team']}: {document['submission']['system']}"
    assert any(
        line.startswith(f"dependencies, {name}: treebanks sov standards gold scores uas value")
        for line in found.differences
    )


def test_ranks_that_were_changed_are_named(kept):
    path = kept / "standings.json"
    path.write_bytes(path.read_bytes().replace(b'"rank": 1', b'"rank": 2'))
    assert any("standings:" in line and "rank" in line for line in verify_archive(kept).differences)


def test_a_lost_submission_is_named(kept):
    next((kept / "submissions").glob("*.zip")).unlink()
    found = verify_archive(kept)
    assert any("the file is gone" in line for line in found.differences)
    assert any("cannot be scored again" in line for line in found.differences)


def test_before_gold_is_released_only_for_organisers(place, tmp_path):
    folder = ChallengeFolder(place / "small")
    with pytest.raises(ChallengeError, match="--private"):
        write_archive(folder, tmp_path / "kept", AFTER_CLOSE)
    assert not (tmp_path / "kept").exists()
    write_archive(folder, tmp_path / "kept", IN_PHASE, private=True)
    assert verify_archive(tmp_path / "kept").is_same


def test_nothing_is_overwritten(place):
    with pytest.raises(ChallengeError, match="this exists already"):
        write_archive(ChallengeFolder(place / "small"), place / "kept", AFTER_GOLD)
    with pytest.raises(ChallengeError, match="this is not an archive"):
        verify_archive(place / "small")


LICENSED = CHALLENGE.replace(
    'licence = "CC BY 4.0"', 'licence = "LDC"\nredistribute = false'
).replace('primary = "uas"', 'primary = "uas"\nby = ["known", "frequency", "relation"]')


def test_words_that_may_not_be_passed_on_are_in_no_archive(tmp_path, reads_here):
    pack_small(tmp_path, LICENSED)
    folder = ChallengeFolder(tmp_path / "small")
    source = write_submission(tmp_path / "ours")
    scoring = score_submissions(folder, [source], now=IN_PHASE)
    assert not scoring.refused
    write_archive(folder, tmp_path / "kept", AFTER_GOLD)
    files = contents(tmp_path / "kept")
    words = ("birds", "sang", "owls", "ravens")
    for name, content in files.items():
        assert [word for word in words if word.encode() in content] == [], name
    facts = json.loads(files["gold_without_words/test/en/facts.json"])
    assert facts["punctuation"]["gold"] == "00000000"
    digest = sha256((tmp_path / "small/GOLDFILE-test.conllu").read_bytes())
    assert [one["sha256"] for one in facts["sources"]] == [digest]
    found = verify_archive(tmp_path / "kept")
    assert found.differences == []
    assert found.numbers > 50


def test_styles_of_gold_without_words_are_kept(tmp_path, reads_here):
    more = 'redistribute = false\nstyles = ["prague"]'
    folder = make_folder(tmp_path / "small", names=["svo"], more=more, tokens=100)
    source = submission_of(tmp_path / "ours", "left-branching", names=["svo"], tokens=100)
    (scored,) = score_submissions(folder, [source], now=IN_PHASE).scored
    assert scored.value("svo", "uas", "style prague") is not None
    write_archive(folder, tmp_path / "kept", AFTER_GOLD)
    assert not (tmp_path / "kept/gold/test").exists()
    assert verify_archive(tmp_path / "kept").differences == []
