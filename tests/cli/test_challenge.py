"""`treegauge challenge`: what organisers and participants type."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path

import pytest

import treegauge as tg
from tests.in_process import run_in_process
from tests.unit.challenges.marked_challenge import (
    CHALLENGE,
    COMMENT_MARKS,
    MARKS,
    SYSTEM,
    submission_text,
    write_challenge,
    write_submission,
)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a small challenge and its packs."""
    place = tmp_path_factory.mktemp("place")
    write_challenge(place / "small")
    assert (
        run_in_process(["challenge", "pack", "small", "-o", "packs"], folder=place).returncode == 0
    )
    return place


@pytest.fixture
def run_there(place):
    return lambda *arguments: run_in_process(
        arguments, folder=place, environment={"COLUMNS": "200"}
    )


PACK = "packs/small-dependencies-test.zip"
EXAMPLE = "packs/small-dependencies-example.zip"


def test_init_pack_and_check_work_one_behind_the_other(run, tmp_path):
    (tmp_path / "svo").mkdir()
    for part in ("train", "dev", "test"):
        tg.write(tg.toy_treebank("toy:svo", tokens=80, part=part), tmp_path / f"svo/{part}.conllu")
    result = run("challenge", "init", "demo", "--treebanks", "svo", "--open-now", "dependencies")
    assert result.returncode == 0, result.stderr
    assert "then `treegauge challenge pack demo -o packs`" in result.stderr
    result = run("challenge", "pack", "demo", "-o", "packs", "--json")
    assert result.returncode == 0, result.stderr
    about = json.loads(result.stdout)
    assert about["schema"] == 1
    assert len(about["packs"]) == 8
    assert "wrote demo/gold/demo-gold.zip: keep it private" in result.stderr
    assert f"gold is committed to: {about['commitment']}" in result.stderr
    for one in about["packs"]:
        content = (tmp_path / one["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == one["sha256"]
    for track in ("pos", "joint", "dependencies"):
        files = (f"packs/demo-{track}-{kind}.zip" for kind in ("test", "example"))
        result = run("challenge", "check", *files, "--zip", f"{track}.zip")
        assert (result.returncode, result.stderr) == (0, "")
    digest = hashlib.sha256((tmp_path / "dependencies.zip").read_bytes()).hexdigest()
    assert result.stdout == (
        "packs/demo-dependencies-example.zip: accepted, 1 treebank of 1; 0 errors, 0 warnings\n"
        f"dependencies.zip: SHA-256 {digest}\n"
    )


def test_findings_are_shown_and_the_exit_code_is_one(run_there, place):
    write_submission(place / "ours", submission_text().replace("\tsang\t", "\tsung\t"))
    result = run_there("challenge", "check", PACK, "ours", "--zip", "ours.zip")
    assert result.returncode == 1
    assert result.stdout.splitlines() == [
        'ours/en.conllu:6: [word-changed] expected "sang", found "sung" (sentence 2)',
        "  keep the words of the pack as they are, byte for byte",
        "ours: not accepted, 0 treebanks of 1 right; 1 error, 0 warnings",
    ]
    assert result.stderr == "ours.zip is not written: correct the errors first\n"
    assert not (place / "ours.zip").exists()
    result = run_there("challenge", "check", PACK, "ours", "--json")
    assert result.returncode == 1
    about = json.loads(result.stdout)
    assert not about["accepted"]
    (finding,) = about["findings"]
    assert (finding["id"], finding["line"], finding["sentence"]) == ("word-changed", 6, "2")
    assert about["system"]["team"] == "us"


def test_no_message_of_check_has_gold_in_it(run_there, place):
    """The blind pack of `pos` hides tags; whatever is wrong, no tag of gold can be said."""
    hidden = (*MARKS, *COMMENT_MARKS)
    system = SYSTEM.replace("dependencies", "pos")
    for number, text in enumerate(
        [
            submission_text(),
            submission_text()[50:],
            submission_text().replace("\tX\tX\t", "\t_\t_\t"),
            submission_text().replace("sang", "sung"),
            "1\tbirds\n\n",
            "",
        ]
    ):
        folder = write_submission(place / f"wrong{number}", text or " ", system)
        for options in ((), ("--json",)):
            result = run_there(
                "challenge", "check", "packs/small-pos-test.zip", folder.name, *options
            )
            said = result.stdout + result.stderr
            assert not [mark for mark in hidden if mark in said], said


def test_hostile_zips_end_in_one_sentence(run_there, place):
    with zipfile.ZipFile(place / "theirs.zip", "w") as archive:
        archive.writestr("../../en.conllu", submission_text())
    before = sorted(path.name for path in place.parent.rglob("*.conllu"))
    result = run_there("challenge", "check", PACK, "theirs.zip")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == (
        "theirs.zip: member '../../en.conllu' leads out of the folder; zip the folder, not a path "
        "to it\n"
    )
    assert sorted(path.name for path in place.parent.rglob("*.conllu")) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "small/gold/small-gold.zip", EXAMPLE), "this is a gold pack; give the test or"),
        (("check", PACK, PACK), "this is a test pack, not a submission"),
        (("check", PACK, "nothing.zip"), "nothing.zip: cannot be read: no such file or folder"),
        (("check", "nothing.zip", EXAMPLE), "nothing.zip: cannot be read"),
        (("check", PACK, "small/rules.md"), "this is no whole zip"),
        (("pack", "nothing", "-o", "packs"), "nothing/challenge.toml: there is no such file"),
        (("pack", "small", "-o", "."), "it contains the challenge with its gold"),
        (("init", "small"), "the folder has a challenge already"),
        (("init", "new", "--template", "posts"), "unknown template 'posts'"),
        (("fill", PACK, "--source", "small"), "nothing is missing in it"),
    ],
)
def test_bad_input_is_said_in_a_sentence(run_there, arguments, message):
    result = run_there("challenge", *arguments)
    assert result.returncode == 1
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_licensees_fill_a_pack(run_there, place):
    folder = place / "licensed"
    text = CHALLENGE.replace('licence = "CC BY 4.0"', 'licence = "LDC"\nredistribute = false')
    write_challenge(folder / "small", text)
    run_there("challenge", "pack", "licensed/small", "-o", "licensed/packs")
    result = run_there("challenge", "check", f"licensed/{PACK}", EXAMPLE)
    assert result.returncode == 1
    assert f"`treegauge challenge fill licensed/{PACK} --source DIR` adds them" in result.stderr
    result = run_there("challenge", "fill", f"licensed/{PACK}", "--source", "small")
    assert result.returncode == 0
    written = "licensed/packs/small-dependencies-test-filled.zip"
    assert result.stderr == f"wrote {written}: 2 files rebuilt\n"
    assert run_there("challenge", "check", written, EXAMPLE).returncode == 0


def test_sentences_that_dev_shows_are_said(run, tmp_path: Path):
    write_challenge(tmp_path / "small")
    shared = (tmp_path / "small/GOLDFILE-test.conllu").read_text().split("\n\n")[0]
    with (tmp_path / "small/GOLDFILE-dev.conllu").open("a") as stream:
        stream.write(f"{shared}\n\n")
    result = run("challenge", "pack", "small", "-o", "packs")
    assert "en: 1 of 3 test sentences (33.3%, 25.0% of words) also occur with gold" in result.stderr
