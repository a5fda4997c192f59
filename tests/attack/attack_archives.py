"""Hostile and damaged archives: nothing is written outside the folder, nothing half."""

from __future__ import annotations

import gzip
import io
import lzma
import tarfile
import zipfile
from pathlib import Path
from random import Random

from tests.attack.attack import TEMPORARIES, Attack, Found
from tests.attack.mutators import cut_end, delete_bytes, flip_bits, insert_bytes, replace_bytes
from tests.unit.catalogue.small_files import release_files
from treegauge.catalogue import CatalogueError, unpack

ROOT = "ud-treebanks-v2.16"
INSIDE = f"{ROOT}/UD_English-EWT"
WANTED = (None, ["en_ewt"], ["cs_pdt", "et_ewt"], ["UD_English-EWT"])
HOSTILE_NAMES = (
    "../outside.txt",
    f"{INSIDE}/../../../../outside.txt",
    f"{INSIDE}/..\\..\\outside.txt",
    "/tmp/treegauge-attack-outside.txt",
    f"/{INSIDE}/en_ewt-ud-dev.conllu",
    "C:\\outside.txt",
    "\\\\server\\outside.txt",
    "",
    ".",
    "..",
    "/",
    f"{INSIDE}/",
    f"{INSIDE}/" + "x" * 300,
    f"{INSIDE}/" + "d/" * 3000 + "x",
    f"{INSIDE}/new\nline\x1b[31m",
    f"{INSIDE}/nul",
    f"{INSIDE}/\udcff",
)
LINKS = ("/etc/passwd", "../../..", f"{INSIDE}/README.md", "", "x", "/dev/zero")
KINDS = (
    *(tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE),
    *(tarfile.DIRTYPE, tarfile.GNUTYPE_SPARSE, tarfile.CONTTYPE, b"Z"),
)
SIZES = (1 << 20, 1 << 33, (1 << 33) - 1, 511)


def _tar(random: Random) -> bytes:
    """Return an archive of a small release, with something added that no release has."""
    target = io.BytesIO()
    files = list(release_files().items())
    random.shuffle(files)
    at = random.randint(0, len(files))
    formats = (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT)
    with tarfile.open(fileobj=target, mode="w", format=random.choice(formats)) as members:
        for number, (name, text) in enumerate([*files, ("", "")]):
            if number == at:
                _add_hostile(random, members)
            if name:
                _add(members, tarfile.TarInfo(name), text.encode())
    return target.getvalue()


def _add_hostile(random: Random, members: tarfile.TarFile) -> None:
    kind = random.choice(("name", "link", "twice", "size", "nothing", "file as folder"))
    place = f"{INSIDE}/en_ewt-ud-more.conllu"
    if kind == "name":
        _add(members, tarfile.TarInfo(random.choice(HOSTILE_NAMES)), b"gotcha")
    elif kind == "link":
        member = tarfile.TarInfo(random.choice((place, f"{INSIDE}", f"{ROOT}/UD_Czech-PDT/link")))
        member.type, member.linkname = random.choice(KINDS), random.choice(LINKS)
        members.addfile(member)
    elif kind == "twice":
        name = random.choice((place, place.upper(), f"{INSIDE}/./en_ewt-ud-more.conllu"))
        _add(members, tarfile.TarInfo(place), b"first")
        _add(members, tarfile.TarInfo(name), b"second")
    elif kind == "file as folder":
        _add(members, tarfile.TarInfo(place), b"file")
        _add(members, tarfile.TarInfo(f"{place}/below"), b"below a file")
    elif kind == "size":
        member = tarfile.TarInfo(place)
        member.size = random.choice(SIZES)
        members.addfile(member)  # the header promises what does not follow


def _add(members: tarfile.TarFile, member: tarfile.TarInfo, content: bytes) -> None:
    member.size = len(content)
    members.addfile(member, io.BytesIO(content))


def _archive(random: Random) -> bytes:
    kind = random.choice(("tar", "tar", "tar", "zip", "noise"))
    if kind == "noise":
        return random.randbytes(random.choice((0, 1, 600, 20_000)))
    if kind == "zip":
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w") as members:
            members.writestr(random.choice((*HOSTILE_NAMES[:3], INSIDE)), "gotcha")
        return target.getvalue()
    content = _tar(random)
    damage = (flip_bits, cut_end, delete_bytes, insert_bytes, replace_bytes)
    when = random.choice(("never", "never", "before", "after"))
    if when == "before":
        content = random.choice(damage)(random, content)
    pack = random.choice((gzip.compress, lzma.compress, bytes))
    content = pack(content)
    return random.choice(damage)(random, content) if when == "after" else content


def _below(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


def _case(random: Random, folder: Path) -> str:
    archive, target = folder / "release.tgz", folder / "data" / ROOT
    archive.write_bytes(_archive(random))
    wanted = random.choice(WANTED)
    try:
        unpack(archive, target, wanted)
        outcome = "unpacked"
    except CatalogueError as error:
        outcome = "refused"
        if not str(error).strip():
            raise Found("refused without a message") from error
        if "[archive] not among" not in str(error) and target.exists() and any(target.iterdir()):
            raise Found(f"refused, and left {sorted(target.iterdir())}: {error}") from error
    outside = {p for p in _below(folder) if p != archive and target not in (p, *p.parents)}
    if outside != {target.parent} or Path("/tmp/treegauge-attack-outside.txt").exists():
        raise Found(f"wrote outside the folder: {sorted(map(str, outside))}")
    odd = [p for p in _below(target) if p.is_symlink() or not (p.is_file() or p.is_dir())]
    odd += [p for pattern in TEMPORARIES for p in target.rglob(pattern)]
    if odd:
        raise Found(f"left {odd}")
    return outcome


ARCHIVES = Attack(
    "archives",
    "archives with absolute names, `..`, links, devices, duplicates, false sizes, damage",
    _case, short=60, long=1_500,
)  # fmt: skip
