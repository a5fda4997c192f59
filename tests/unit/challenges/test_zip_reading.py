"""Zips of strangers: what is refused, and that a usual zip is read.

Hostile zips are made here, by hand where no library would make them.
"""

from __future__ import annotations

import stat
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from treegauge.challenges import ChallengeError
from treegauge.challenges.packs import zip_bytes
from treegauge.challenges.zip_reading import ZipLimits, ZipMembers

TEXT = b"1\tbirds\t_\t_\t_\t_\t0\troot\t_\t_\n\n"

Entry = dict[str, object]


def raw_zip(*entries: Entry, comment: bytes = b"") -> bytes:
    """Return a zip in which everything can be a lie.

    An entry has `name` and `data`, and may say otherwise in the directory (`size`, `packed`,
    `offset`, `flags`, `mode`, `checksum`, `method`) and before the data (`local_name`, ...).
    """
    body, directory = bytearray(), bytearray()
    for entry in entries:
        name = str(entry["name"]).encode()
        data = entry.get("data", TEXT)
        assert isinstance(data, bytes)
        method = entry.get("method", 0)
        packed = data
        if method == 8:
            deflating = zlib.compressobj(9, zlib.DEFLATED, -15)
            packed = deflating.compress(data) + deflating.flush()
        true = {
            "flags": 0x800,
            "checksum": zlib.crc32(data),
            "packed": len(packed),
            "size": len(data),
            "mode": stat.S_IFREG | 0o644,
            "offset": len(body),
            "local_name": str(entry["name"]),
        }
        said = {**true, **entry}
        local_name = str(said["local_name"]).encode()
        local_size = entry.get("local_size", said["size"])
        fields = (b"PK\x03\x04", 20, said["flags"], method, 0, 0x21, said["checksum"])
        fields += (said["packed"], local_size, len(local_name), 0)
        body += struct.pack("<4s5H3L2H", *fields) + local_name + packed
        fields = (b"PK\x01\x02", 0x314, 20, said["flags"], method, 0, 0x21, said["checksum"])
        fields += (said["packed"], said["size"], len(name), 0, 0, 0, 0, int(said["mode"]) << 16)
        directory += struct.pack("<4s6H3L5H2L", *fields, said["offset"]) + name
    count = len(entries)
    fields = (b"PK\x05\x06", 0, 0, count, count, len(directory), len(body), len(comment))
    return bytes(body + directory + struct.pack("<4s4H2LH", *fields) + comment)


@pytest.fixture
def opened(tmp_path: Path) -> Callable[..., dict[str, bytes]]:
    """Give a function that reads all members of a zip of these bytes."""

    def read_all(content: bytes, limits: ZipLimits | None = None) -> dict[str, bytes]:
        path = tmp_path / "theirs.zip"
        path.write_bytes(content)
        members = ZipMembers(path, limits)
        return {name: members.read(name) for name in members.names}

    return read_all


def test_usual_zips_are_read(opened, tmp_path: Path) -> None:
    files = {"en.conllu": TEXT * 100, "system.toml": b"", "münze.conllu": TEXT}
    assert opened(zip_bytes(files)) == files
    path = tmp_path / "usual.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("mine")
        for name, content in files.items():
            archive.writestr(f"mine/{name}", content)
        archive.writestr("__MACOSX/mine/._en.conllu", b"\0\1")
        archive.writestr("mine/.DS_Store", b"\0\1")
        archive.comment = b"made by hand"
    members = ZipMembers(path)
    assert members.names == tuple(sorted(f"mine/{name}" for name in files))
    assert members.read("mine/en.conllu") == TEXT * 100
    with path.open("wb") as stream, zipfile.ZipFile(_NoSeeking(stream), "w") as archive:
        archive.writestr("en.conllu", TEXT)  # sizes follow the data
    assert ZipMembers(path).read("en.conllu") == TEXT


class _NoSeeking:
    """A stream like a pipe."""

    def __init__(self, stream) -> None:
        self.write, self.flush = stream.write, stream.flush


def test_the_maker_of_hostile_zips_can_make_good_ones(opened) -> None:
    good = raw_zip({"name": "a.conllu"}, {"name": "b.conllu", "method": 8}, comment=b"hi")
    assert opened(good) == {"a.conllu": TEXT, "b.conllu": TEXT}


LINK = {"mode": stat.S_IFLNK | 0o777, "data": b"/etc/passwd"}
A = {"name": "a.conllu"}

HOSTILE = {
    "absolute path": (raw_zip({"name": "/etc/cron.d/x"}), "'/etc/cron.d/x' is an absolute path"),
    "drive of Windows": (raw_zip({"name": "C:\\x.conllu"}), "is an absolute path"),
    "share of Windows": (raw_zip({"name": "\\\\host\\x.conllu"}), "is an absolute path"),
    "path upwards": (raw_zip({"name": "../../x.conllu"}), "leads out of the folder"),
    "path upwards of Windows": (raw_zip({"name": "a\\..\\..\\x"}), "leads out of the folder"),
    "link": (raw_zip({"name": "en.conllu", **LINK}), "'en.conllu' is a link or a device"),
    "device": (raw_zip({"name": "en.conllu", "mode": stat.S_IFCHR}), "is a link or a device"),
    "encryption": (raw_zip({**A, "flags": 0x801}), "'a.conllu' is encrypted"),
    "nested zip by name": (raw_zip({"name": "more.ZIP"}), "'more.ZIP' is an archive inside"),
    "nested gzip by name": (raw_zip({"name": "en.conllu.gz"}), "is an archive inside"),
    "nested zip by content": (raw_zip({**A, "data": zip_bytes({"x": TEXT})}), "not text; unpack"),
    "a name twice": (raw_zip(A, A), "'a.conllu' is there twice"),
    "a name twice by case": (raw_zip(A, {"name": "A.conllu"}), "is also spelt 'a.conllu'"),
    "a name twice by Unicode form": (
        raw_zip({"name": "m\u00fc.conllu"}, {"name": "mu\u0308.conllu"}),
        "is also spelt",
    ),
    "a name twice by width": (raw_zip(A, {"name": "\uff41.conllu"}), "is also spelt"),
    "folder and file of one name": (raw_zip({"name": "a/", "data": b""}, {"name": "a"}), "spelt"),
    "overlapping members": (raw_zip(A, {"name": "b.conllu", "offset": 0}), "overlaps"),
    "member inside the directory": (
        raw_zip({**A, "packed": 2000, "size": 2000}),
        "does not end before the directory",
    ),
    "member that is not there": (raw_zip({**A, "offset": 5}), "is not where the directory says"),
    "other name before the data": (
        raw_zip({**A, "local_name": "b.conllu"}),
        "has another name before its data",
    ),
    "other size before the data": (
        raw_zip({**A, "local_size": 5}),
        "has another size before its data",
    ),
    "size too small": (
        raw_zip({**A, "method": 8, "data": TEXT * 99, "size": 40}),
        "has another size than the zip says",
    ),
    "size too large": (
        raw_zip({**A, "method": 8, "size": len(TEXT) + 1}),
        "has another size than the zip says",
    ),
    "stored with another size": (
        raw_zip({**A, "size": len(TEXT) - 3}),
        "has another size than the zip says",
    ),
    "wrong checksum": (raw_zip({**A, "checksum": 7}), "its checksum differs"),
    "no deflated data": (
        raw_zip({**A, "method": 8}).replace(_ := zlib.compress(TEXT, 9)[2:-4], b"\xff" * len(_)),
        "is damaged",
    ),
    "rare compression": (raw_zip({**A, "method": 14}), "is compressed in a rare way"),
    "control characters in a name": (raw_zip({"name": "a\x1b[31m.conllu"}), "no name that can be"),
    "turned letters in a name": (raw_zip({"name": "a\u202eb.conllu"}), "no name that can be read"),
    "name that is no UTF-8": (
        raw_zip({"name": "abc"}).replace(b"abc", b"\xff\xfec"),
        "has a name that is no UTF-8",
    ),
    "empty name": (raw_zip({"name": ""}), "has no name that can be read"),
    "folder with content": (raw_zip({"name": "a/"}), "is a folder with content"),
    "something before the zip": (b"x" + raw_zip(A), "no whole zip"),
    "something behind the zip": (raw_zip(A) + b"x", "no whole zip"),
    "no zip": (b"1\tbirds\n", "no whole zip: it has no directory"),
    "nothing": (b"", "no whole zip"),
    "cut off": (raw_zip(A)[:-10], "no whole zip"),
    "binary": (raw_zip({**A, "data": b"\x7fELF" + bytes(50)}), "is a program (ELF), not text"),
}


@pytest.mark.parametrize("attack", HOSTILE)
def test_hostile_zips_are_refused_and_the_member_named(opened, attack: str) -> None:
    content, message = HOSTILE[attack]
    with pytest.raises(ChallengeError) as caught:
        opened(content)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_too_many_members_are_refused(opened) -> None:
    many = raw_zip(*({"name": f"{n}.conllu"} for n in range(501)))
    with pytest.raises(ChallengeError, match="501 members in it, and more than 500"):
        opened(many)
    # A count that is too small does not help: the directory has more than its members.
    few = many.replace(struct.pack("<2H", 501, 501), struct.pack("<2H", 5, 5))
    with pytest.raises(ChallengeError, match="more than its members"):
        opened(few)


def test_bombs_are_refused_while_they_are_counted(opened) -> None:
    limits = ZipLimits(unpacked_bytes=1_000_000)
    bomb = raw_zip({**A, "method": 8, "data": b"a\n" * 5_000_000})
    with pytest.raises(ChallengeError, match=r"'a\.conllu' makes it more than 1 MB unpacked"):
        opened(bomb, limits)
    # The size is said to be small: no more than that is unpacked.
    liar = raw_zip({**A, "method": 8, "data": b"a\n" * 5_000_000, "size": 1000})
    tracemalloc.start()
    with pytest.raises(ChallengeError, match="another size than the zip says"):
        opened(liar, limits)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5_000_000
    several = [{"name": f"{n}", "method": 8, "data": b"a\n" * 300_000} for n in range(3)]
    with pytest.raises(ChallengeError, match="more than 1 MB unpacked"):
        opened(raw_zip(*several), limits)
    with pytest.raises(ChallengeError, match="a zip has at most 10 bytes"):
        opened(raw_zip(A), ZipLimits(file_bytes=10))


def test_forged_sizes_take_no_memory(opened) -> None:
    huge = raw_zip({**A, "size": 0x7FFFFFFF, "packed": 0x7FFFFFFF})
    end = huge.rfind(b"PK\x05\x06")
    directory = huge[: end + 12] + struct.pack("<L", 0x7FFFFFFF) + huge[end + 16 :]
    tracemalloc.start()
    for content in (huge, directory):
        with pytest.raises(ChallengeError):
            opened(content)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


def test_zip64_is_refused(opened) -> None:
    content = raw_zip(A)
    end = content.rfind(b"PK\x05\x06")
    with pytest.raises(ChallengeError, match="zip64 is not read"):
        opened(content[: end + 8] + b"\xff\xff\xff\xff" + content[end + 12 :])


def test_nothing_is_extracted(opened, tmp_path: Path) -> None:
    opened(raw_zip({"name": "folder/a.conllu"}))
    assert [path.name for path in tmp_path.rglob("*")] == ["theirs.zip"]


@examples(200)
@given(st.data())
def test_a_zip_with_any_byte_changed_is_read_the_same_or_refused(tmp_path_factory, data) -> None:
    files = {"a.conllu": TEXT * 3, "b/c.conllu": TEXT}
    deflated = raw_zip(*({"name": n, "data": c, "method": 8} for n, c in files.items()))
    content = bytearray(data.draw(st.sampled_from([zip_bytes(files), deflated])))
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("zips") / "changed.zip"
    path.write_bytes(bytes(content))
    try:
        members = ZipMembers(path)
        read = {name: members.read(name) for name in members.names}
    except ChallengeError:
        return
    assert set(read.values()) <= set(files.values())
