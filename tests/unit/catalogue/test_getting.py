from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.catalogue.local_server import Behaviour, serving
from tests.unit.catalogue.small_files import archive, release_files
from treegauge.catalogue import Catalogue, CatalogueError, CatalogueWarning, get_treebanks

ARCHIVE = archive(release_files())
SHA256 = hashlib.sha256(ARCHIVE).hexdigest()
UNKNOWN = "2.99"
"""A release without a built-in checksum."""

pytestmark = pytest.mark.filterwarnings("ignore::treegauge.catalogue.CatalogueWarning")


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def server() -> Behaviour:
    return Behaviour(ARCHIVE)


@pytest.fixture
def address(server: Behaviour) -> Iterator[str]:
    with serving(server) as address:
        yield address


def test_get(server: Behaviour, address: str, tmp_path: Path) -> None:
    stages: list[str] = []
    folders = get_treebanks(
        "2.16",
        ["UD_English-EWT", "en_ewt", "cs_pdt"],
        tmp_path,
        address=address,
        checksum=SHA256,
        on_progress=lambda stage, _done, _total: stages.append(stage),
    )
    release = tmp_path / "ud-treebanks-v2.16"
    assert folders == [release / "UD_English-EWT", release / "UD_Czech-PDT"]
    assert list(dict.fromkeys(stages)) == ["download", "unpack"]
    catalogue = Catalogue([tmp_path])
    assert [(e.name, e.release) for e in catalogue.entries] == [
        ("cs_pdt", "2.16"),
        ("en_ewt", "2.16"),
    ]
    assert (tmp_path / "ud-treebanks-v2.16.tgz.sha256").read_text().split() == [
        SHA256,
        "ud-treebanks-v2.16.tgz",
    ]


def test_what_is_there_is_not_downloaded_again(
    server: Behaviour, address: str, tmp_path: Path
) -> None:
    get_treebanks(UNKNOWN, ["en_ewt"], tmp_path, address=address)
    get_treebanks(UNKNOWN, ["UD_English-EWT"], tmp_path, address=address)
    assert len(server.asked) == 1
    # Another treebank comes from the archive that was kept.
    get_treebanks(UNKNOWN, ["et_ewt"], tmp_path, address=address)
    assert len(server.asked) == 1


def test_unknown_treebank(address: str, tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="en_etw; did you mean en_ewt"):
        get_treebanks(UNKNOWN, ["en_etw"], tmp_path, address=address)


def test_archive_that_changed_since_it_was_recorded(
    server: Behaviour, address: str, tmp_path: Path
) -> None:
    get_treebanks(UNKNOWN, ["en_ewt"], tmp_path, address=address)
    (tmp_path / "ud-treebanks-v2.99.tgz").unlink()
    server.content = archive({**release_files(), "ud-treebanks-v2.16/x": "one file more"})
    with pytest.raises(CatalogueError, match=rf"\[checksum\] expected sha256:{SHA256}"):
        get_treebanks(UNKNOWN, ["et_ewt"], tmp_path, address=address)


def test_kept_archive_is_checked(address: str, tmp_path: Path) -> None:
    get_treebanks(UNKNOWN, ["en_ewt"], tmp_path, address=address)
    (tmp_path / "ud-treebanks-v2.99.tgz").write_bytes(ARCHIVE[:-10])
    with pytest.raises(CatalogueError, match="the archive is not sha256"):
        get_treebanks(UNKNOWN, ["et_ewt"], tmp_path, address=address)


def test_publishers_archive_has_a_checksum_on_record(
    server: Behaviour, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treegauge.catalogue.releases.Release.address", address)
    with pytest.raises(CatalogueError, match=r"expected sha256:87710204"):
        get_treebanks("2.16", ["en_ewt"], tmp_path)
    # Whoever knows better can say so.
    get_treebanks("2.16", ["en_ewt"], tmp_path, checksum=SHA256)


def test_recorded_md5(address: str, tmp_path: Path) -> None:
    (tmp_path / "ud-treebanks-v2.99.tgz.md5").write_text(f"{'0' * 32}  ud-treebanks-v2.99.tgz\n")
    with pytest.raises(CatalogueError, match="expected md5:000"):
        get_treebanks(UNKNOWN, ["en_ewt"], tmp_path, address=address)


def test_release_that_nobody_knows(address: str, tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match=r"unknown release '2\.99'"):
        get_treebanks("2.99", ["en_ewt"], tmp_path)
    folders = get_treebanks("2.99", ["en_ewt"], tmp_path, address=address)
    assert folders == [tmp_path / "ud-treebanks-v2.99" / "UD_English-EWT"]


@pytest.mark.parametrize("record", [None, SHA256], ids=["no record", "recorded"])
def test_a_mirror_without_a_checksum_is_held_against_the_built_in_one(
    record: str | None, address: str, tmp_path: Path
) -> None:
    archive = tmp_path / "ud-treebanks-v2.16.tgz"
    if record:
        archive.with_name(f"{archive.name}.sha256").write_text(f"{record}  {archive.name}\n")
    with pytest.raises(CatalogueError, match=r"expected sha256:87710204"):
        get_treebanks("2.16", ["en_ewt"], tmp_path, address=address)
    assert not archive.exists()


def test_a_recorded_checksum_does_not_outrank_the_built_in_one(
    address: str, tmp_path: Path
) -> None:
    get_treebanks("2.16", ["en_ewt"], tmp_path, address=address, checksum=SHA256)
    with pytest.raises(CatalogueError, match=r"the archive is not sha256:87710204"):
        get_treebanks("2.16", ["et_ewt"], tmp_path, address=address)


def test_a_checksum_that_nobody_knows_is_said(address: str, tmp_path: Path) -> None:
    with pytest.warns(CatalogueWarning, match=f"no checksum is known for it.*{SHA256}"):
        get_treebanks(UNKNOWN, ["en_ewt"], tmp_path, address=address)
