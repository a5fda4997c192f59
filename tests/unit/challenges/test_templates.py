from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import treegauge as tg
from treegauge.catalogue import Catalogue
from treegauge.challenges import (
    TEMPLATES,
    ChallengeError,
    ChallengeFolder,
    new_challenge,
    read_challenge,
)
from treegauge.challenges.leaks import refuse_leaks

NOW = datetime(2027, 3, 1, 10, 30, 20, tzinfo=UTC)


def small_treebank(folder: Path, **columns: str) -> Path:
    """Write a treebank of three parts; columns can be made blank."""
    folder.mkdir(parents=True)
    for part in ("train", "dev", "test"):
        treebank = tg.toy_treebank("toy:svo", tokens=60, part=part)
        blank = {name: tg.Column.constant("_", treebank.n_words) for name in columns}
        tg.write(treebank.replace(columns=blank), folder / f"{part}.conllu")
    return folder


@pytest.fixture(scope="module")
def treebank(tmp_path_factory) -> str:
    return str(small_treebank(tmp_path_factory.mktemp("treebanks") / "svo"))


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_template_can_be_packed_at_once(tmp_path: Path, template: str, treebank) -> None:
    new_challenge(tmp_path / "demo", template, [treebank], Catalogue())
    challenge = read_challenge(tmp_path / "demo")
    assert challenge.name == "demo"
    refuse_leaks(challenge)
    assert len(ChallengeFolder(tmp_path / "demo").salt) == 32
    assert (tmp_path / "demo/salt.txt").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("template", "track"),
    [(one, track) for one in TEMPLATES for track in TEMPLATES[one].track_names],
)
def test_any_track_can_open_now(tmp_path: Path, template: str, track: str, treebank) -> None:
    new_challenge(tmp_path / "demo", template, [treebank], Catalogue(), open_now=track, now=NOW)
    challenge = read_challenge(tmp_path / "demo")
    refuse_leaks(challenge)
    for part in ("dev", "test"):
        (phase,) = challenge.phases_of(track, part)
        assert phase.is_open(NOW)
    assert challenge.phases_of(track)[0].opens == NOW.replace(second=0)


def test_dependencies_open_when_the_tracks_without_tags_have_closed(
    tmp_path: Path, treebank
) -> None:
    new_challenge(tmp_path / "demo", "pascal", [treebank], Catalogue(), now=NOW)
    challenge = read_challenge(tmp_path / "demo")
    (pos,), (joint,), (trees,) = map(challenge.phases_of, ("pos", "joint", "dependencies"))
    assert pos == joint
    assert pos.ends == trees.opens
    assert pos.opens > NOW + timedelta(days=20)


def test_files_are_named_by_their_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_treebank(tmp_path / "my bank")
    monkeypatch.chdir(tmp_path)
    new_challenge("demo", "ud", ["my bank"], Catalogue())
    (treebank,) = read_challenge("demo").treebanks
    assert treebank.name == "my_bank"
    assert not treebank.has_public_gold
    assert treebank.test == str(tmp_path / "my bank/test.conllu")


def test_a_template_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    bare = small_treebank(tmp_path / "bare", deprel="")
    with pytest.raises(ChallengeError) as caught:
        new_challenge(tmp_path / "demo", "ud", [str(bare)], Catalogue())
    assert str(caught.value) == (
        "bare: the template 'ud' does not fit: its test part has no gold for las, clas; use "
        "--template pascal, or leave the treebank out"
    )
    assert not (tmp_path / "demo").exists()


@pytest.mark.parametrize(
    ("folder", "arguments", "message"),
    [
        ("demo", ("pasca", ["toy:svo"]), "unknown template 'pasca'; did you mean pascal?"),
        ("demo", ("pascal", ["toy:sv"]), "toy:svo"),
        ("my demo", ("pascal", ["toy:svo"]), "cannot be that of a file everywhere"),
    ],
)
def test_what_is_misspelt_is_named(tmp_path: Path, folder, arguments, message) -> None:
    with pytest.raises(ChallengeError) as caught:
        new_challenge(tmp_path / folder, *arguments, Catalogue())
    assert message in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_track_that_there_is_not_cannot_open(tmp_path: Path) -> None:
    with pytest.raises(ChallengeError, match="unknown track 'parsing'"):
        new_challenge(tmp_path / "demo", "pascal", [], Catalogue(), open_now="parsing")


def test_a_challenge_is_never_overwritten_and_a_salt_is_drawn_once(
    tmp_path: Path, treebank
) -> None:
    new_challenge(tmp_path / "demo", "pascal", [treebank], Catalogue())
    salt = (tmp_path / "demo/salt.txt").read_text()
    with pytest.raises(ChallengeError, match="the folder has a challenge already"):
        new_challenge(tmp_path / "demo", "pascal", [treebank], Catalogue())
    (tmp_path / "demo/challenge.toml").unlink()
    new_challenge(tmp_path / "demo", "pascal", [treebank], Catalogue())
    assert (tmp_path / "demo/salt.txt").read_text() == salt
    new_challenge(tmp_path / "other", "pascal", [treebank], Catalogue())
    assert (tmp_path / "other/salt.txt").read_text() != salt
