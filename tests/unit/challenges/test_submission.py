"""Submissions: every difference from the pack is a finding with file and line."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

import treegauge as tg
from tests.unit.challenges.marked_challenge import (
    SENTENCES,
    SYSTEM,
    pack_small,
    submission_text,
    write_submission,
)
from treegauge.challenges import (
    ChallengeError,
    Submission,
    Task,
    read_pack,
    read_submission,
    task_of_pack,
    track_of_submission,
)
from treegauge.challenges.packs import with_manifest, write_zip
from treegauge.formats import Severity

TEST = SENTENCES["test"]


@pytest.fixture(scope="module")
def packs(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("challenge")
    pack_small(place)
    return place / "packs"


@pytest.fixture(scope="module")
def task(packs: Path) -> Task:
    return task_of_pack(read_pack(packs / "small-dependencies-test.zip"))


def findings(submission: Submission) -> list[tuple[str, str, int]]:
    return [(one.kind, Path(one.file).name, one.line) for one in submission.findings]


def test_a_good_submission_is_read(task: Task, tmp_path: Path) -> None:
    submission = read_submission(write_submission(tmp_path / "ours"), task)
    assert findings(submission) == []
    assert submission.system is not None
    assert (submission.system.system, submission.system.team) == ("ours", "us")
    treebank = submission.treebanks["en"]
    assert list(treebank.form) == [word for sentence in TEST for word in sentence]
    assert treebank.head.tolist() == [0, 1, 0, 1, 2, 3, 0, 1]
    assert set(treebank.upos) == {
        "GOLDTAG"
    }  # as the pack shows; the submitted ones are not asked for
    assert set(treebank.deprel) == {"dep"}


def test_folders_zips_and_compressed_files_are_one_submission(task: Task, tmp_path: Path) -> None:
    folder = write_submission(tmp_path / "ours")
    content = read_submission(folder, task).content
    with zipfile.ZipFile(tmp_path / "ours.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in folder.iterdir():
            archive.write(path, f"any folder/{path.name}")
    assert read_submission(tmp_path / "ours.zip", task).content == content
    (folder / "en.conllu.gz").write_bytes(gzip.compress(submission_text().encode()))
    (folder / "en.conllu").unlink()
    assert read_submission(folder, task).content == content
    (folder / "en.conllu.gz").unlink()
    tg.write(tg.parse(submission_text()), folder / "en.conllx")
    assert read_submission(folder, task).content == content


def test_the_canonical_zip_has_no_text_and_is_itself_a_submission(
    task: Task, tmp_path: Path
) -> None:
    read = read_submission(write_submission(tmp_path / "ours"), task)
    digest = write_zip(tmp_path / "one.zip", read.canonical_files())
    again = read_submission(tmp_path / "one.zip", task)
    assert write_zip(tmp_path / "two.zip", again.canonical_files()) == digest
    assert again.treebanks["en"] == read.treebanks["en"]
    content = (tmp_path / "one.zip").read_bytes()
    assert not any(word.encode() in content for word in ("birds", "bird", "sang", "loud"))


def test_what_was_not_asked_for_is_not_kept(task: Task, tmp_path: Path) -> None:
    text = submission_text().replace("\tX\tX\t", "\tTHEIRTAG\tX\t")
    read = read_submission(write_submission(tmp_path / "ours", text), task)
    assert b"THEIRTAG" not in b"".join(read.canonical_files().values())


def test_coarse_tags_are_tags_where_there_are_no_others(packs: Path, tmp_path: Path) -> None:
    task = task_of_pack(read_pack(packs / "small-pos-test.zip"))
    system = SYSTEM.replace("dependencies", "pos")
    folder = write_submission(tmp_path / "ours", system=system)
    (folder / "en.conllu").unlink()
    rows = submission_text().replace("\tX\tX\t", "\tc1\t_\t")
    (folder / "en.conllx").write_text(rows)
    read = read_submission(folder, task)
    assert findings(read) == []
    assert set(read.treebanks["en"].upos) == {"c1"}
    (folder / "en.conllx").unlink()
    tagged = "".join("".join(f"{word}\tt\n" for word in words) + "\n" for words in TEST)
    (folder / "en.tagged").write_text(tagged)
    read = read_submission(folder, task)
    assert findings(read) == []
    assert {*read.treebanks["en"].upos, *read.treebanks["en"].xpos} == {"t", "_"}


# ---------------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (TEST[1:], [("sentence-missing", 1)]),
        (TEST[:-1], [("sentence-missing", 0)]),
        ((TEST[0], TEST[2]), [("sentence-missing", 4)]),
        ((TEST[0], TEST[0], TEST[1], TEST[2]), [("sentence-doubled", 4)]),
        ((*TEST, ("more",)), [("sentence-added", 12)]),
        ((TEST[1], TEST[0], TEST[2]), [("sentence-order", 1)]),
        ((TEST[0], ("a", "bird", "sung", "loud"), TEST[2]), [("word-changed", 6)]),
        ((TEST[0], ("a", "bird", "loud"), TEST[2]), [("word-count", 4)]),
        ((("other",), ("words",), ("here", "now")), [("word-count", 1), ("word-count", 3),
                                                      ("word-changed", 5), ("word-changed", 6)]),
        ((("a", "bird", "sung", "loud"), TEST[2]), [("sentence-missing", 1), ("word-changed", 3)]),
    ],
)  # fmt: skip
def test_every_difference_of_words_is_a_finding(
    task: Task, tmp_path: Path, sentences, expected
) -> None:
    read = read_submission(write_submission(tmp_path / "ours", submission_text(sentences)), task)
    assert sorted((kind, line) for kind, _, line in findings(read)) == sorted(expected)
    assert read.treebanks == {}
    with pytest.raises(ChallengeError, match="it has errors"):
        read.canonical_files()


def test_findings_name_sentence_and_words(task: Task, tmp_path: Path) -> None:
    changed = (TEST[0], ("a", "bird", "sung", "loud"), TEST[2])
    read = read_submission(write_submission(tmp_path / "ours", submission_text(changed)), task)
    (finding,) = read.findings
    assert finding.without_advice.endswith(
        'en.conllu:6: [word-changed] expected "sang", found "sung" (sentence 2)'
    )


def test_one_flawed_file_does_not_hide_the_others(task: Task, tmp_path: Path) -> None:
    both = Task(
        "small",
        "dependencies",
        "test",
        task.annotate,
        {**task.treebanks, "da": task.treebanks["en"]},
    )
    folder = write_submission(tmp_path / "ours", submission_text(TEST[1:]))
    (folder / "da.conllu").write_text("1\tbirds\n\n")
    read = read_submission(folder, both)
    assert {(file, kind) for kind, file, _ in findings(read)} == {
        ("en.conllu", "sentence-missing"), ("da.conllu", "columns")
    }  # fmt: skip
    (folder / "da.conllu").write_text(submission_text())
    assert list(read_submission(folder, both).treebanks) == ["da"]


def test_words_that_are_left_out_need_a_manifest_that_fits(task: Task, tmp_path: Path) -> None:
    bare = "\n".join(
        "\t".join([f[0], "_", *f[2:]]) if len(f) > 1 else ""
        for f in (line.split("\t") for line in submission_text().splitlines())
    )
    folder = write_submission(tmp_path / "ours", bare + "\n")
    assert findings(read_submission(folder, task)) == [("other-words", "en.conllu", 0)]
    read = read_submission(write_submission(tmp_path / "whole"), task)
    write_zip(tmp_path / "ours.zip", read.canonical_files())
    words = {"en": tg.parse(submission_text(SENTENCES["dev"])).blind()}
    other = Task("small", "dependencies", "test", task.annotate, words)
    assert findings(read_submission(tmp_path / "ours.zip", other)) == [
        ("other-words", "en.conllu", 0)
    ]


# ---------------------------------------------------------------------- annotation and files


def test_missing_annotation_is_a_finding(task: Task, tmp_path: Path) -> None:
    rows = submission_text().replace("\t0\tdep", "\t_\tdep")
    read = read_submission(write_submission(tmp_path / "ours", rows), task)
    assert ("partly-annotated", "en.conllu", 1) in findings(read)
    assert list(read.treebanks) == ["en"]
    blind = "".join(
        "".join(f"{i}\t{w}\t_\t_\t_\t_\t_\t_\t_\t_\n" for i, w in enumerate(words, 1)) + "\n"
        for words in TEST
    )
    read = read_submission(write_submission(tmp_path / "ours", blind), task)
    assert findings(read) == [("not-annotated", "en.conllu", 0)] * 2
    assert read.treebanks == {}


def test_trees_that_are_none_are_warned_of_and_kept(task: Task, tmp_path: Path) -> None:
    rows = submission_text().replace("\t0\tdep", "\t9\tdep")
    read = read_submission(write_submission(tmp_path / "ours", rows), task)
    assert {kind for kind, _, _ in findings(read)} >= {"head-outside"}
    assert read.findings.is_acceptable
    assert read.findings.total(Severity.WARNING)
    assert list(read.treebanks) == ["en"]


def test_tags_that_no_page_could_show_are_refused(task: Task, tmp_path: Path) -> None:
    for odd in ("a\u202eb", "\x1b[31m", "x" * 101):
        rows = submission_text().replace("dep", odd)
        read = read_submission(write_submission(tmp_path / "ours", rows), task)
        assert findings(read) == [("tag-text", "en.conllu", 0)]


def test_files_of_other_names_are_said(task: Task, tmp_path: Path) -> None:
    folder = write_submission(tmp_path / "ours")
    (folder / "notes.txt").write_text("hello")
    (folder / "en.conllx").write_text("")
    assert {(kind, file) for kind, file, _ in findings(read_submission(folder, task))} == {
        ("unknown-file", "notes.txt"), ("treebank-twice", "en.conllx")
    }  # fmt: skip
    empty = write_submission(tmp_path / "empty")
    (empty / "en.conllu").rename(empty / "eng.conllu")
    kinds = [kind for kind, _, _ in findings(read_submission(empty, task))]
    assert sorted(kinds) == ["no-treebank", "unknown-file"]


def test_links_in_folders_are_refused(task: Task, tmp_path: Path) -> None:
    folder = write_submission(tmp_path / "ours")
    (tmp_path / "secret.conllu").write_text(submission_text())
    (folder / "en.conllu").unlink()
    (folder / "en.conllu").symlink_to(tmp_path / "secret.conllu")
    with pytest.raises(ChallengeError, match=r"en\.conllu: this is a link"):
        read_submission(folder, task)


def test_a_pack_is_no_submission(packs: Path, task: Task) -> None:
    with pytest.raises(ChallengeError, match="this is a test pack, not a submission"):
        read_submission(packs / "small-pos-test.zip", task)
    with pytest.raises(ChallengeError, match="this is a submission pack; give the test or release"):
        read_pack(packs / "small-pos-example.zip", "test", "release")
    with pytest.raises(ChallengeError, match="cannot be read: no such file or folder"):
        read_submission(packs / "nothing", task)


def test_the_dev_part_is_checked_with_the_release(packs: Path, tmp_path: Path) -> None:
    folder = write_submission(
        tmp_path / "ours", submission_text(SENTENCES["dev"]), SYSTEM + 'part = "dev"\n'
    )
    assert track_of_submission(folder) == "dependencies"
    task = task_of_pack(read_pack(packs / "small-release.zip"), "dependencies")
    assert findings(read_submission(folder, task)) == []
    with pytest.raises(ChallengeError, match="unknown track 'dep'"):
        task_of_pack(read_pack(packs / "small-release.zip"), "dep")


# ---------------------------------------------------------------------- system.toml


@pytest.mark.parametrize(
    ("before", "after", "finding"),
    [
        ('team = "us"', "", "system-file"),
        ('team = "us"', "team = 7", "system-file"),
        ('team = "us"', 'teem = "us"', "system-file"),
        ('team = "us"', "team = ", "system-file"),
        ('"unsupervised"', '"oracle"', "system-file"),
        ('"dependencies"', '"pos"', "track"),
        ('team = "us"', 'team = ""', "name"),
        ('team = "us"', 'team = " us"', "name"),
        ('team = "us"', f'team = "{"u" * 61}"', "name"),
        ('team = "us"', 'team = "a\\u202eb"', "name"),
        ('system = "ours"', 'system = "a\\u001b[31mb"', "name"),
        ('system = "ours"', 'system = "a\\u200bb"', "name"),
        ('system = "ours"', 'system = "a\\nb"', "name"),
        ('system = "ours"', 'system = "ours"\ncontact = "a\\u0007"', "name"),
        ('system = "ours"', f'system = "ours"\ndescription = "{"d" * 5001}"', "name"),
    ],
)
def test_what_is_wrong_with_system_toml_is_a_finding(
    task: Task, tmp_path: Path, before: str, after: str, finding: str
) -> None:
    folder = write_submission(tmp_path / "ours", system=SYSTEM.replace(before, after))
    read = read_submission(folder, task)
    assert findings(read) == [(finding, "system.toml", 0)]
    assert read.system is None
    assert list(read.treebanks) == ["en"]  # the rest is still checked
    shown = "".join(line for line, _ in read.findings.lines())
    assert not any(char in shown for char in "\u202e\x1b\u200b\x07")


def test_script_and_formulas_are_names_like_others(task: Task, tmp_path: Path) -> None:
    """They are harmless in a file; pages and tables quote them."""
    name = "<script>alert(1)</script>"
    system = SYSTEM.replace("ours", name).replace('"us"', '"=cmd()|A1"')
    read = read_submission(write_submission(tmp_path / "ours", system=system), task)
    assert read.system is not None
    assert (read.system.system, read.system.team) == (name, "=cmd()|A1")
    text = read.canonical_files()["system.toml"].decode()
    assert f'system = "{name}"' in text


def test_a_system_file_without_end_is_not_parsed(task: Task, tmp_path: Path) -> None:
    folder = write_submission(tmp_path / "ours", system=SYSTEM + "#" * 200_000)
    assert findings(read_submission(folder, task)) == [("system-file", "system.toml", 0)]


@pytest.mark.parametrize(
    "change",
    [
        {"annotate": ["everything"]},
        {"annotate": None},
        {"annotate": 7},
        {"kind": "release", "tracks": {"dependencies": 7}},
        {"kind": "release", "tracks": []},
    ],
)
def test_a_manifest_that_says_nothing_of_use_is_refused(packs: Path, tmp_path, change) -> None:
    pack = read_pack(packs / "small-dependencies-test.zip")
    files = {name: pack.read(name) for name in pack.names}
    about = {key: value for key, value in pack.manifest.items() if key not in ("files", "schema")}
    write_zip(tmp_path / "odd.zip", with_manifest({**about, **change}, files))
    with pytest.raises(ChallengeError, match="it does not say what to annotate"):
        task_of_pack(read_pack(tmp_path / "odd.zip"), "dependencies")


def test_what_file_managers_leave_is_left_aside(task: Task, tmp_path: Path) -> None:
    folder = write_submission(tmp_path / "ours")
    (folder / ".DS_Store").write_bytes(b"\0")
    assert findings(read_submission(folder, task)) == []


def test_a_missing_system_file_is_a_finding(task: Task, tmp_path: Path) -> None:
    folder = write_submission(tmp_path / "ours")
    (folder / "system.toml").unlink()
    assert findings(read_submission(folder, task)) == [("system-file", "system.toml", 0)]
    assert track_of_submission(folder) == ""
