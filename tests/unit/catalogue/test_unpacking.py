from __future__ import annotations

import gzip
import lzma
import tarfile
from pathlib import Path

import pytest

from tests.unit.catalogue.small_files import archive, conllu, release_files
from treegauge.catalogue import CatalogueError, scan, unpack


@pytest.fixture
def release(tmp_path: Path) -> Path:
    path = tmp_path / "release.tgz"
    path.write_bytes(archive(release_files()))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "ud-treebanks-v2.16"


def contents(folder: Path) -> list[str]:
    """Return everything below a folder, hidden or not."""
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


# ---------------------------------------------------------------------- what is wanted


@pytest.mark.parametrize(
    "name", ["en_ewt", "EN-EWT", "UD_English-EWT", "ud_english-ewt", "English-EWT"]
)
def test_only_what_is_wanted(release: Path, folder: Path, name: str) -> None:
    assert unpack(release, folder, [name]) == [folder / "UD_English-EWT"]
    # Estonian-EWT was looked into and is gone again.
    assert contents(folder) == ["UD_English-EWT"]
    files = release_files()
    text = (folder / "UD_English-EWT" / "en_ewt-ud-train.conllu").read_text()
    assert text == files["ud-treebanks-v2.16/UD_English-EWT/en_ewt-ud-train.conllu"]
    entry = scan(folder).entries[0]
    assert (entry.name, entry.release, entry.licence) == ("en_ewt", "2.16", "CC BY-SA 4.0")


def test_several_and_all(release: Path, folder: Path) -> None:
    unpack(release, folder, ["et_ewt", "UD_Czech-PDT"])
    assert contents(folder) == ["UD_Czech-PDT", "UD_Estonian-EWT"]
    assert len(unpack(release, folder)) == 3
    assert contents(folder) == ["UD_Czech-PDT", "UD_English-EWT", "UD_Estonian-EWT"]


def test_names_of_old_releases(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "old.tgz"
    files = {
        "ud-treebanks-v2.0/UD_English/en-ud-dev.conllu": conllu(),
        "ud-treebanks-v2.0/UD_English-LinES/en_lines-ud-dev.conllu": conllu(),
        "ud-treebanks-v2.0/UD_Estonian/et-ud-dev.conllu": conllu(),
    }
    path.write_bytes(archive(files))
    unpack(path, folder, ["en"])
    assert contents(folder) == ["UD_English"]


def test_again_is_no_harm(release: Path, folder: Path) -> None:
    unpack(release, folder, ["en_ewt"])
    own = folder / "UD_English-EWT" / "notes.txt"
    own.write_text("mine")
    assert unpack(release, folder, ["en_ewt"]) == [folder / "UD_English-EWT"]
    assert own.read_text() == "mine"
    assert contents(folder) == ["UD_English-EWT"]


def test_progress(release: Path, folder: Path) -> None:
    told: list[tuple[int, int | None]] = []
    unpack(release, folder, ["en_ewt"], on_progress=lambda done, total: told.append((done, total)))
    size = release.stat().st_size
    assert told == sorted(told)
    assert told[-1] == (size, size)


@pytest.mark.parametrize("kind", ["plain", "xz"])
def test_other_compressions(release: Path, folder: Path, kind: str) -> None:
    plain = gzip.decompress(release.read_bytes())
    release.write_bytes(plain if kind == "plain" else lzma.compress(plain))
    unpack(release, folder, ["en_ewt"])
    assert contents(folder) == ["UD_English-EWT"]


def test_names_that_are_not_there(release: Path, folder: Path) -> None:
    with pytest.raises(CatalogueError, match="not among its 3 treebanks") as raised:
        unpack(release, folder, ["en_etw", "et_ewt", "UD_Czech-PTD", "xx"])
    message = str(raised.value)
    assert "en_etw; did you mean en_ewt" in message
    assert "UD_Czech-PTD; did you mean UD_Czech-PDT" in message
    assert "\n  xx\n" in message
    # What was there is not thrown away.
    assert "unpacked: UD_Estonian-EWT" in message
    assert contents(folder) == ["UD_Estonian-EWT"]


# ---------------------------------------------------------------------- hostile archives


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, target
    return member


INSIDE = "ud-treebanks-v2.16/UD_English-EWT"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../outside.txt", "leads out of the folder"),
        (f"{INSIDE}/../../../../outside.txt", "leads out of the folder"),
        (f"{INSIDE}/..\\..\\outside.txt", "leads out of the folder"),
        ("UD_English-EWT/..", "leads out of the folder"),
        ("/tmp/outside.txt", "is an absolute path"),
        (f"/{INSIDE}/en_ewt-ud-dev.conllu", "is an absolute path"),
        ("C:\\outside.txt", "is an absolute path"),
        ("\\outside.txt", "is an absolute path"),
    ],
)
@pytest.mark.parametrize("wanted", [["en_ewt"], ["cs_pdt"], None])
def test_members_that_escape(
    tmp_path: Path, folder: Path, name: str, reason: str, wanted: list[str] | None
) -> None:
    path = tmp_path / "hostile.tgz"
    path.write_bytes(archive({**release_files(), name: "gotcha"}))
    before = contents(tmp_path)
    with pytest.raises(CatalogueError, match=reason) as raised:
        unpack(path, folder, wanted)
    assert repr(name) in str(raised.value)
    assert contents(folder) == []
    assert contents(tmp_path) == sorted([*before, "data"])


@pytest.mark.parametrize(
    ("kind", "target"),
    [
        (tarfile.SYMTYPE, "/etc/passwd"),
        (tarfile.SYMTYPE, "../../.."),
        (tarfile.LNKTYPE, f"{INSIDE}/README.md"),
        (tarfile.CHRTYPE, ""),
        (tarfile.FIFOTYPE, ""),
    ],
)
def test_links_and_devices(tmp_path: Path, folder: Path, kind: bytes, target: str) -> None:
    path = tmp_path / "hostile.tgz"
    name = f"{INSIDE}/en_ewt-ud-more.conllu"
    path.write_bytes(archive({**release_files(), name: link(name, target, kind)}))
    with pytest.raises(CatalogueError, match="is a link or a device"):
        unpack(path, folder, ["en_ewt"])
    assert contents(folder) == []
    # In a treebank that nobody asked for it does no harm.
    unpack(path, folder, ["cs_pdt"])
    assert contents(folder) == ["UD_Czech-PDT"]


def test_writing_through_a_link(tmp_path: Path, folder: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    files = {
        f"{INSIDE}/x": link(f"{INSIDE}/x", str(outside)),
        f"{INSIDE}/x/en_ewt-ud-dev.conllu": conllu(),
    }
    path = tmp_path / "hostile.tgz"
    path.write_bytes(archive(files))
    with pytest.raises(CatalogueError, match="is a link or a device"):
        unpack(path, folder, ["en_ewt"])
    assert contents(outside) == []


def test_file_that_is_a_folder_as_well(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "odd.tgz"
    path.write_bytes(archive({f"{INSIDE}/x": "text", f"{INSIDE}/x/y": "text"}))
    with pytest.raises(CatalogueError, match=r"\[unpack\] cannot be read or written"):
        unpack(path, folder)
    assert contents(folder) == []


# ---------------------------------------------------------------------- damaged archives


def test_cut_archives_leave_nothing(release: Path, folder: Path) -> None:
    whole = release.read_bytes()
    for length in range(0, len(whole), 97):
        release.write_bytes(whole[:length])
        with pytest.raises(CatalogueError, match=r"damaged, or not complete"):
            unpack(release, folder, ["en_ewt"])
        assert contents(folder) == []


def test_changed_byte(release: Path, folder: Path) -> None:
    content = bytearray(release.read_bytes())
    content[len(content) // 2] ^= 0xFF
    release.write_bytes(content)
    with pytest.raises(CatalogueError, match="damaged, or not complete"):
        unpack(release, folder)
    assert contents(folder) == []


def test_archive_that_is_none(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "page.tgz").write_text("<html>this is a page</html>" * 100)
    with pytest.raises(CatalogueError, match="damaged, or not complete"):
        unpack(tmp_path / "page.tgz", folder)
    with pytest.raises(CatalogueError, match=r"none.tgz: \[unpack\] .*: no such file"):
        unpack(tmp_path / "none.tgz", folder)


def test_an_archive_that_decompressed_into_more_than_a_disk_holds(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "ud-treebanks-v2.16/UD_English-EWT/en_ewt-ud-train.conllu"
    path = tmp_path / "release.tgz"
    path.write_bytes(archive({name: "\n" * 2_000_000}))
    monkeypatch.setenv("TREEGAUGE_MAX_BYTES", "100KB")
    with pytest.raises(CatalogueError, match=r"\[archive\] expected at most 1.6 MB after decom"):
        unpack(path, folder, ["en_ewt"])
    assert contents(folder) == []
