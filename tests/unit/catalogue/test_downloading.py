from __future__ import annotations

import hashlib
import random
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.catalogue.local_server import Behaviour, serving
from treegauge.catalogue import CatalogueError, download

CONTENT = random.Random(7).randbytes(1_000_000)
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def server() -> Behaviour:
    return Behaviour(CONTENT)


@pytest.fixture
def address(server: Behaviour) -> Iterator[str]:
    with serving(server) as address:
        yield address


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "new" / "archive.tgz"


def part_of(target: Path) -> Path:
    return target.with_name("archive.tgz.part")


def begin(target: Path, content: bytes) -> None:
    target.parent.mkdir()
    part_of(target).write_bytes(content)


def test_plain(server: Behaviour, address: str, target: Path) -> None:
    told: list[tuple[int, int | None]] = []
    path = download(
        address, target, checksum=SHA256, on_progress=lambda done, total: told.append((done, total))
    )
    assert path == target
    assert target.read_bytes() == CONTENT
    assert not part_of(target).exists()
    assert told[0] == (0, len(CONTENT))
    assert told[-1] == (len(CONTENT), len(CONTENT))
    assert told == sorted(told)
    assert server.asked == [None]


@pytest.mark.parametrize(
    "checksum",
    [f"sha256:{SHA256}", SHA256.upper(), f"md5:{hashlib.md5(CONTENT).hexdigest()}"],
)
def test_checksums(address: str, target: Path, checksum: str) -> None:
    assert download(address, target, checksum=checksum).read_bytes() == CONTENT


def test_length_unknown(server: Behaviour, address: str, target: Path) -> None:
    server.with_length = False
    told: list[int | None] = []
    download(address, target, checksum=SHA256, on_progress=lambda _, total: told.append(total))
    assert target.read_bytes() == CONTENT
    assert set(told) == {None}


# ---------------------------------------------------------------------- going on


def test_goes_on_where_it_stopped(server: Behaviour, address: str, target: Path) -> None:
    begin(target, CONTENT[:400_000])
    told: list[tuple[int, int | None]] = []
    download(
        address, target, checksum=SHA256, on_progress=lambda done, total: told.append((done, total))
    )
    assert target.read_bytes() == CONTENT
    assert server.asked == ["bytes=400000-"]
    assert told[0] == (400_000, len(CONTENT))


def test_server_that_knows_no_ranges(server: Behaviour, address: str, target: Path) -> None:
    server.ranges = False
    begin(target, b"something else altogether")
    download(address, target, checksum=SHA256)
    assert target.read_bytes() == CONTENT


def test_everything_had_arrived(server: Behaviour, address: str, target: Path) -> None:
    begin(target, CONTENT)
    download(address, target, checksum=SHA256)
    assert target.read_bytes() == CONTENT
    assert server.asked == ["bytes=1000000-"]


def test_more_than_everything(server: Behaviour, address: str, target: Path) -> None:
    begin(target, CONTENT + b"and more")
    download(address, target, checksum=SHA256, pause=0)
    assert target.read_bytes() == CONTENT
    assert server.asked == ["bytes=1000008-", None]


def test_server_that_sends_another_range(server: Behaviour, address: str, target: Path) -> None:
    server.shifted = 10
    begin(target, CONTENT[:400_000])
    download(address, target, checksum=SHA256, pause=0)
    assert target.read_bytes() == CONTENT
    assert server.asked == ["bytes=400000-", None]


# ---------------------------------------------------------------------- cut connections


def test_cut_connection_is_resumed(server: Behaviour, address: str, target: Path) -> None:
    server.cut_after = [500_000, 100_000]
    download(address, target, checksum=SHA256, pause=0)
    assert target.read_bytes() == CONTENT
    assert server.asked == [None, "bytes=500000-", "bytes=600000-"]


def test_cut_again_and_again(server: Behaviour, address: str, target: Path) -> None:
    server.cut_after = [100_000, 0, 0]
    with pytest.raises(CatalogueError, match="gave up after 3 attempts: the connection") as raised:
        download(address, target, checksum=SHA256, tries=3, pause=0)
    assert "100,000 bytes are kept" in str(raised.value)
    assert not target.exists()
    assert part_of(target).read_bytes() == CONTENT[:100_000]
    # The same command once more.
    download(address, target, checksum=SHA256)
    assert target.read_bytes() == CONTENT
    assert server.asked[-1] == "bytes=100000-"


def test_busy_server(server: Behaviour, address: str, target: Path) -> None:
    server.statuses = [503, 429]
    download(address, target, checksum=SHA256, pause=0)
    assert target.read_bytes() == CONTENT


def test_pauses_grow(
    server: Behaviour, address: str, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("treegauge.catalogue.downloading.time.sleep", pauses.append)
    server.statuses = [503] * 4
    download(address, target, pause=2)
    assert pauses == [2, 4, 8, 16]


def test_nobody_answers(target: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, and never listening
        port = taken.getsockname()[1]
        with pytest.raises(CatalogueError, match="gave up after 2 attempts: connection refused"):
            download(f"http://127.0.0.1:{port}/x.tgz", target, tries=2, pause=0)
    assert not target.exists()


# ---------------------------------------------------------------------- refusals


def test_wrong_checksum(address: str, target: Path) -> None:
    wrong = "0" * 64
    message = rf"\[checksum\] expected sha256:{wrong}, found sha256:{SHA256}"
    with pytest.raises(CatalogueError, match=message):
        download(address, target, checksum=wrong)
    assert list(target.parent.iterdir()) == []


def test_wrong_beginning_is_found_by_the_checksum(address: str, target: Path) -> None:
    begin(target, b"x" * 400_000)
    with pytest.raises(CatalogueError, match=r"\[checksum\]"):
        download(address, target, checksum=SHA256)
    # It is gone, so that the next attempt begins at the beginning.
    assert download(address, target, checksum=SHA256).read_bytes() == CONTENT


@pytest.mark.parametrize("checksum", ["", "12", "md5:" + "0" * 64, "z" * 64, "sha1:" + "0" * 40])
def test_checksums_that_are_none(address: str, target: Path, checksum: str) -> None:
    with pytest.raises(CatalogueError, match="expected 64 hexadecimal digits"):
        download(address, target, checksum=checksum)


def test_not_there(server: Behaviour, address: str, target: Path) -> None:
    server.statuses = [404]
    with pytest.raises(CatalogueError, match="the server answered 404 Not Found"):
        download(address, target, pause=0)
    assert server.asked == [None]


def test_web_page_instead_of_a_file(server: Behaviour, address: str, target: Path) -> None:
    server.content_type = "text/html; charset=utf-8"
    with pytest.raises(CatalogueError, match="expected a file, found a web page"):
        download(address, target)
    assert not target.exists()


@pytest.mark.parametrize("url", ["file:///etc/hostname", "ftp://127.0.0.1/x", "x.tgz"])
def test_other_addresses(target: Path, url: str) -> None:
    with pytest.raises(CatalogueError, match=r"\[address\] expected http:// or https://"):
        download(url, target)


def test_folder_that_cannot_be_made(address: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CatalogueError, match="cannot be written"):
        download(address, tmp_path / "file" / "archive.tgz")


def test_disk_that_is_full(address: str, tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full on this system")
    (tmp_path / "archive.tgz.part").symlink_to(full)
    with pytest.raises(CatalogueError, match=r"\.part: cannot be written: no space left"):
        download(address, tmp_path / "archive.tgz")
