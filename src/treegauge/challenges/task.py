"""A task: the words of one part of all treebanks, and what a track wants to be annotated.

Participants get it from the blind pack, organisers from gold; both are the same words.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from treegauge.challenges.challenge import COLUMNS_OF_ANNOTATION, Annotated
from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.packs import Pack
from treegauge.formats import Findings, read
from treegauge.treebank import Treebank
from treegauge.wording import unknown_name


@dataclass(frozen=True)
class Task:
    """What submissions are checked against; there is no gold in it.

    Attributes
    ----------
    challenge, track : str
        Names.
    part : "dev" or "test"
        What is annotated.
    annotate : tuple
        What submissions give.
    treebanks : mapping from name to Treebank
        Words, and what the track shows of gold besides.
    """

    challenge: str
    track: str
    part: str
    annotate: tuple[Annotated, ...]
    treebanks: Mapping[str, Treebank]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that submissions fill; `head` is one of them."""
        return tuple(column for kind in self.annotate for column in COLUMNS_OF_ANNOTATION[kind])

    @cached_property
    def word_ids(self) -> Mapping[str, str]:
        """What the words of every treebank add up to."""
        return {name: words_id(one) for name, one in self.treebanks.items()}


def words_id(treebank: Treebank) -> str:
    """Return the SHA-256 of a treebank's words and of where its sentences end."""
    digest = hashlib.sha256("\n".join(treebank.form).encode())
    digest.update(b"\0" + treebank.offsets.astype("<i8").tobytes())
    return digest.hexdigest()


def task_of_pack(pack: Pack, track: str = "") -> Task:
    """Return the task of a blind pack, or that of the dev part of a release."""
    manifest = pack.manifest
    about: Any = manifest
    if pack.kind == "release":
        part, tracks = "dev", manifest.get("tracks")
        if isinstance(tracks, dict) and track not in tracks:
            raise ChallengeError(f"{pack.path}: {unknown_name('track', track, tracks)}")
        about = tracks[track] if isinstance(tracks, dict) else {}
    else:
        part, track = str(manifest.get("part")), str(manifest.get("track"))
    annotate = about.get("annotate") if isinstance(about, dict) else None
    if not isinstance(annotate, list) or not set(annotate) <= set(COLUMNS_OF_ANNOTATION):
        raise ChallengeError(f"{pack.path}: it does not say what to annotate; get the pack again")
    missing = manifest.get("to_fill", {})
    if missing:
        raise ChallengeError(
            f"{pack.path}: words of {', '.join(missing)} are not in it, because of their licence; "
            f"`treegauge challenge fill {pack.path} --source DIR` adds them from your own files"
        )
    names = [name for name in pack.names if PurePosixPath(name).parts[0] == part]
    treebanks = {PurePosixPath(name).stem: read_words(pack, name) for name in names}
    return Task(str(manifest.get("challenge")), track, part, tuple(annotate), treebanks)


def read_words(pack: Pack, name: str) -> Treebank:
    """Read a treebank of a pack."""
    return read_member(pack.read(name), f"{pack.path}/{name}", Findings())


def read_member(content: bytes, name: str, findings: Findings) -> Treebank:
    """Read a treebank from the bytes of a file, whose name says its format."""
    stream = io.BytesIO(content)
    stream.name = name
    return read(stream, name=PurePosixPath(name).stem, role=findings.role, findings=findings)
