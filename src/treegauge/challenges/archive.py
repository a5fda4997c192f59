"""`archive`: everything that is left of a challenge, to be read and repeated in decades.

kept/
  index.html, ...         the board; needs no server and no network
  archive.json            the SHA-256 of every file, versions, the commitment to gold
  challenge.toml  rules.md  statements/
  submissions/  results/  as the folder of the challenge has them
  standings.json          ranks and groups
  gold/                   the gold pack, without files that may not be passed on
  gold_without_words/     of those: annotation columns, punctuation, source hashes
  salt.txt                with it, gold can be held against the commitment
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Mapping
from datetime import datetime
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import Any

from treegauge.challenges.board import TrackBoard
from treegauge.challenges.board_pages import Board
from treegauge.challenges.challenge import Challenge
from treegauge.challenges.challenge_file import CHALLENGE_FILE
from treegauge.challenges.challenge_folder import ChallengeFolder, GoldPack
from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.gold_source import PackedGold
from treegauge.challenges.packs import MANIFEST, canonical_json, sha256, with_manifest
from treegauge.challenges.result_files import CHOSEN, LONG_TABLE, RECEIVED, read_receipts
from treegauge.challenges.site import make_board, write_site
from treegauge.challenges.times import shown_time
from treegauge.challenges.wordless_gold import wordless_files
from treegauge.formats import write_chunks
from treegauge.temporaries import temporary_folder

ARCHIVE_FILE = "archive.json"
STANDINGS = "standings.json"
GOLD_FOLDER, WORDLESS_FOLDER, SITE_FOLDER = "gold", "gold_without_words", "pages"
SCHEMA = 1
_PACKAGES = ("numpy", "numba", "scipy", "polars")


def write_archive(
    folder: ChallengeFolder, target: str | Path, now: datetime, *, private: bool = False
) -> Path:
    """Write the archive of a challenge into a new folder.

    Parameters
    ----------
    private : bool
        Also before gold is released; such an archive is for the organisers alone.

    Raises
    ------
    ChallengeError
        If gold is not released yet, or the folder is there already.
    """
    target = Path(target)
    challenge = folder.challenge
    if not private and not challenge.is_all_gold_released(now):
        raise ChallengeError(
            f"gold is not released before {shown_time(challenge.gold_released_at)}, and an "
            "archive holds it; wait, or write --private and keep the archive to yourself"
        )
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ChallengeError(f"{target}: this exists already; name a new folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    with temporary_folder(target.parent) as place:
        _fill(folder, place / target.name, now)
        if target.exists():
            target.rmdir()
        (place / target.name).rename(target)
    return target


def _fill(folder: ChallengeFolder, place: Path, now: datetime) -> None:
    gold = folder.read_gold()
    board = make_board(folder, now)
    write_site(board, place / SITE_FOLDER)
    files = dict(_files(folder, gold))
    shown_by = when_all_is_shown(folder)
    whole = board if shown_by <= now else make_board(folder, shown_by)
    files[STANDINGS] = canonical_json(standings_document(whole))
    for name, content in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_chunks(path, [content])
    written = sorted(path for path in place.rglob("*") if path.is_file())
    document = {
        "schema": SCHEMA,
        "challenge": folder.challenge.name,
        "gold_commitment": gold.commitment(folder.salt),
        "scorers": sorted({track.scorer for track in board.tracks}),
        "versions": _versions(),
        "files": {
            path.relative_to(place).as_posix(): sha256(path.read_bytes()) for path in written
        },
    }
    write_chunks(place / ARCHIVE_FILE, [canonical_json(document)])


def _versions() -> dict[str, str]:
    from treegauge import __version__

    own = {"treegauge": __version__, "python": platform.python_version()}
    return own | {name: version(name) for name in _PACKAGES}


def _files(folder: ChallengeFolder, gold: GoldPack) -> Iterator[tuple[str, bytes]]:
    """Give everything but pages and standings."""
    for path in (folder.path / CHALLENGE_FILE, folder.rules, folder.salt_file):
        if path.exists():
            yield path.name, path.read_bytes()
    for treebank in folder.challenge.treebanks:
        statement = folder.path / treebank.statement
        if treebank.statement and not statement.is_file():
            raise ChallengeError(
                f"{statement}: the data statement of {treebank.name} is missing; restore it"
            )
        if treebank.statement:
            yield f"statements/{treebank.name}.md", statement.read_bytes()
    for path in sorted(folder.submissions.glob("*.zip")):
        yield f"submissions/{path.name}", path.read_bytes()
    for name in (RECEIVED, CHOSEN):
        path = folder.submissions / name
        if path.exists():
            yield f"submissions/{name}", path.read_bytes()
    for path in sorted(folder.results.glob("*/*")):
        if path.suffix == ".json" or path.name == LONG_TABLE:
            yield f"results/{path.parent.name}/{path.name}", path.read_bytes()
    if folder.record_file.exists():
        yield "packs.json", folder.record_file.read_bytes()
    yield from _gold(folder.challenge, gold)


def _gold(challenge: Challenge, gold: GoldPack) -> Iterator[tuple[str, bytes]]:
    free = {one.name for one in challenge.treebanks if one.redistribute}
    yield f"{GOLD_FOLDER}/{MANIFEST}", gold.pack.manifest_bytes
    for name in gold.pack.names:
        if PurePosixPath(name).stem in free:
            yield f"{GOLD_FOLDER}/{name}", gold.pack.read(name)
    source = PackedGold(challenge, gold)
    sources = gold.pack.manifest.get("sources", {})
    files: dict[str, bytes] = {}
    for part in ("test", "dev"):
        for treebank in source.treebanks(part):
            if treebank not in free:
                own = source.standards(treebank, part)
                known = sources.get(f"{part}/{treebank}", [])
                files |= wordless_files(challenge, own, part, known)
    about = {"kind": "gold without words", "challenge": challenge.name}
    for name, content in with_manifest(about, files).items():
        yield f"{WORDLESS_FOLDER}/{name}", content


def when_all_is_shown(folder: ChallengeFolder) -> datetime:
    """Return a time by which scores of everything that came may be shown."""
    times = [receipt.received for receipt in read_receipts(folder.submissions).values()]
    return max([*times, *(phase.scores_from for phase in folder.challenge.phases)])


def standings_document(board: Board) -> dict[str, Any]:
    """Return ranks and groups of all tracks, as the archive keeps them."""
    return {
        "schema": SCHEMA,
        "tracks": {f"{one.track.name} {one.part}": _standings(one) for one in board.tracks},
    }


def _standings(board: TrackBoard) -> Mapping[str, Any]:
    return {
        kind.name: [
            {
                "submission": one.entry.scored.id,
                "rank": one.standing.rank,
                "group": one.group,
                "average": one.standing.average,
                "late": one.entry.is_late,
            }
            for one in kind.entries
        ]
        for kind in board.kinds
    }


def read_archive_file(path: Path) -> dict[str, Any]:
    """Read what an archive says of itself."""
    file = path / ARCHIVE_FILE
    if not file.exists():
        raise ChallengeError(
            f"{path}: this is not an archive; `treegauge challenge archive FOLDER -o {path}` "
            f"writes one"
        )
    try:
        document = json.loads(file.read_bytes())
        if document["schema"] == SCHEMA and isinstance(document["files"], dict):
            return dict(document)
    except (ValueError, RecursionError, KeyError, TypeError):
        pass
    raise ChallengeError(f"{file}: this is not what `archive` wrote; get the archive again")
