"""Packs: zips with a manifest, that are the same bytes whenever they are made of the same files.

A pack holds `manifest.json` and files. The manifest says what the pack is (`kind`: release, test,
gold, submission), whose it is, and the SHA-256 and size of every other file. A pack's id is the
SHA-256 of its manifest. Members are stored, in order of their names, with a fixed time, so that
neither a clock nor a version of zlib shows.

Gold is committed to: every public manifest has the SHA-256 of a salt and of gold's manifest. Who
gets gold and the salt later can see that gold was fixed before; without the salt nobody can try
guesses.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.zip_reading import LEFT_BY_SYSTEMS, ZipLimits, ZipMembers
from treegauge.errors import reason_of
from treegauge.formats import write_chunks
from treegauge.formats.limits import FileCount, max_bytes
from treegauge.wording import text_of_name

MANIFEST = "manifest.json"
SCHEMA = 1
_FIXED_TIME = (1980, 1, 1, 0, 0, 0)
_ANY_FILE = 0o100644 << 16
_LARGEST_MANIFEST = 10_000_000
"""Bytes of a manifest, which lists files and no text."""
_FILES_OF_PACK = 10_000
"""More than any challenge has: parts x tracks x treebanks."""


def sha256(content: bytes) -> str:
    """Return the SHA-256 of bytes, in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def canonical_json(document: Mapping[str, Any]) -> bytes:
    """Return a document as JSON, always the same bytes for the same content.

    >>> canonical_json({"b": 1, "a": "é"})
    b'{\\n "a": "\\xc3\\xa9",\\n "b": 1\\n}\\n'
    """
    text = json.dumps(document, sort_keys=True, ensure_ascii=False, indent=1, allow_nan=False)
    return f"{text}\n".encode()


def zip_bytes(members: Mapping[str, bytes]) -> bytes:
    """Return a zip of some files: always the same bytes for the same files."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(members):
            member = zipfile.ZipInfo(name, _FIXED_TIME)
            member.create_system = 3
            member.external_attr = _ANY_FILE
            archive.writestr(member, members[name])
    return target.getvalue()


def write_zip(path: str | Path, members: Mapping[str, bytes]) -> str:
    """Write a zip of some files under a temporary name, rename it, and return its SHA-256."""
    content = zip_bytes(members)
    write_chunks(path, [content])
    return sha256(content)


def content_id(members: Mapping[str, bytes]) -> str:
    """Return the SHA-256 of the names and bytes of files, however they are zipped."""
    digest = hashlib.sha256()
    for name in sorted(members):
        for part in (name.encode(), members[name]):
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(part)
    return digest.hexdigest()


def with_manifest(about: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return files and their manifest; `about` is what the manifest says besides."""
    listed = {name: {"bytes": len(one), "sha256": sha256(one)} for name, one in files.items()}
    return {**files, MANIFEST: canonical_json({"schema": SCHEMA, **about, "files": listed})}


def commitment(salt: bytes, manifest: bytes) -> str:
    """Return what is published of gold before gold is: the SHA-256 of salt and manifest."""
    return sha256(salt + manifest)


class PackedFiles:
    """Files of a zip or of a folder, by name with `/` between folders; read one by one."""

    def __init__(self, path: str | Path, limits: ZipLimits | None = None) -> None:
        self.path = Path(path)
        self._zip = None if self.path.is_dir() else ZipMembers(self.path, limits)
        self.names = self._zip.names if self._zip else tuple(sorted(self._files_of_folder()))

    def _files_of_folder(self) -> list[str]:
        files = []
        for path in FileCount(self.path).counted(self.path.rglob("*")):
            inside = path.relative_to(self.path)
            if not LEFT_BY_SYSTEMS.isdisjoint(inside.parts):
                continue
            if path.is_symlink():
                raise ChallengeError(f"{path}: this is a link; put the file itself into the folder")
            if not path.is_dir():
                files.append(inside.as_posix())
        return files

    @property
    def is_zip(self) -> bool:
        """Whether it is a zip and no folder."""
        return self._zip is not None

    def read(self, name: str) -> bytes:
        """Return the bytes of a file."""
        if self._zip:
            return self._zip.read(name)
        path = self.path / name
        try:
            with path.open("rb") as stream:
                content = stream.read(max_bytes() + 1)
        except OSError as error:
            raise ChallengeError(f"{path}: cannot be read: {reason_of(error)}") from None
        if len(content) > max_bytes():
            raise ChallengeError(f"{path}: the file is too large; --max-bytes SIZE allows more")
        return content


@dataclass(frozen=True)
class Pack:
    """A pack that was read: its manifest, and files whose checksums fit.

    Attributes
    ----------
    manifest : mapping
        What the pack says of itself.
    id : str
        The SHA-256 of the manifest's bytes.
    manifest_bytes : bytes
        Which a commitment is about.
    """

    path: Path
    manifest: Mapping[str, Any]
    manifest_bytes: bytes
    files: PackedFiles

    @property
    def id(self) -> str:
        """The SHA-256 of the manifest."""
        return sha256(self.manifest_bytes)

    @property
    def kind(self) -> str:
        """What it is: release, test, gold or submission."""
        return str(self.manifest["kind"])

    @property
    def names(self) -> tuple[str, ...]:
        """The files that the manifest lists."""
        return tuple(sorted(self.manifest["files"]))

    def read(self, name: str) -> bytes:
        """Return a file, if it is what the manifest says."""
        if name not in self.manifest["files"] or name not in self.files.names:
            raise ChallengeError(f"{self.path}: {name} is not in it; get the pack again")
        content = self.files.read(name)
        if sha256(content) != self.manifest["files"][name]["sha256"]:
            raise ChallengeError(
                f"{self.path}: {name} is not what {MANIFEST} says; get the pack again"
            )
        return content


def read_pack(path: str | Path, *kinds: str) -> Pack:
    """Open a pack, a zip or what was unpacked from one; refuse those of other kinds."""
    path = Path(path)
    if not path.exists():
        raise ChallengeError(f"{path}: cannot be read: no such file or folder")
    limits = ZipLimits(max_bytes(), _FILES_OF_PACK, max_bytes())
    files = PackedFiles(path, limits)
    shown = text_of_name(path)
    if MANIFEST not in files.names:
        raise ChallengeError(f"{shown}: this is not a pack: {MANIFEST} is not in it")
    content = files.read(MANIFEST)
    manifest = parse_manifest(content, shown)
    if kinds and manifest["kind"] not in kinds:
        raise ChallengeError(
            f"{shown}: this is a {manifest['kind']} pack; give the {' or '.join(kinds)} pack"
        )
    return Pack(path, manifest, content, files)


def parse_manifest(content: bytes, place: str) -> dict[str, Any]:
    """Read a manifest and check the shape that everybody relies on."""
    if len(content) > _LARGEST_MANIFEST:
        raise ChallengeError(f"{place}: {MANIFEST} is too large for one; get the pack again")
    try:
        manifest = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ChallengeError(f"{place}: {MANIFEST} is not JSON: {error}") from None
    files = manifest.get("files") if isinstance(manifest, dict) else None
    is_whole = isinstance(files, dict) and all(
        isinstance(one, dict) and isinstance(one.get("sha256"), str) for one in files.values()
    )
    if not is_whole or not isinstance(manifest.get("kind"), str):
        raise ChallengeError(f"{place}: {MANIFEST} is not that of a pack; get the pack again")
    if manifest.get("schema") != SCHEMA:
        raise ChallengeError(
            f"{place}: {MANIFEST} has schema {manifest.get('schema')!r}, and this treegauge reads "
            f"{SCHEMA}; install the version that the organisers name"
        )
    return dict(manifest)
