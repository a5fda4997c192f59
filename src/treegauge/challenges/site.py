"""`board`: the pages of a challenge, written into a folder."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from treegauge.challenges.board import Entry, entry_of, track_board
from treegauge.challenges.board_pages import Board
from treegauge.challenges.challenge_folder import ChallengeFolder
from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.gold_source import PackedGold
from treegauge.challenges.packs import canonical_json, sha256
from treegauge.challenges.paired_evidence import TRIALS
from treegauge.challenges.result_files import (
    read_choices,
    read_json,
    read_receipts,
    read_results,
)
from treegauge.challenges.scorer import scorer_id
from treegauge.formats import read_text, write_text
from treegauge.reports.pages import write_page

SITE_FILE = "site.json"
"""What the site consists of; the mark of a folder that `board` may write into."""


def make_board(folder: ChallengeFolder, now: datetime, *, trials: int = TRIALS) -> Board:
    """Rank everything that was scored by the gold and the settings of now."""
    challenge = folder.challenge
    gold = folder.read_gold()
    receipts = read_receipts(folder.submissions)
    chosen = read_choices(folder.submissions)
    tracks = []
    current = set()
    for part in ("test", "dev"):
        checksums = PackedGold(challenge, gold).checksums(part)
        for track in challenge.tracks:
            if not challenge.phases_of(track.name, part):
                continue
            scorer = scorer_id(challenge, track, part, checksums)
            current.add(scorer)
            entries: list[Entry] = []
            for scored in read_results(folder.results / scorer):
                receipt = receipts.get(scored.id)
                if receipt is None:
                    raise ChallengeError(
                        f"{folder.submissions}: nothing says when {scored.id[:16]} came; "
                        "score it again"
                    )
                is_chosen = scored.id.startswith(chosen) if chosen else False
                entries.append(
                    entry_of(
                        *(challenge, scored, receipt.received, receipt.number),
                        is_chosen=is_chosen,
                    )
                )
            board = track_board(challenge, track, part, scorer, entries, now=now, trials=trials)
            if part == "test" or board.entries or board.waiting:
                tracks.append(board)
    rules = read_text(folder.rules, what="rules") if folder.rules.exists() else ""
    return Board(
        challenge,
        tracks,
        now,
        outdated=_outdated(folder.results, current),
        commitment=gold.commitment(folder.salt),
        rules=rules,
    )


def _outdated(results: Path, current: set[str]) -> int:
    """Count results that other gold, versions or settings gave."""
    folders = [one for one in results.glob("*") if one.is_dir() and one.name not in current]
    return sum(1 for folder in folders for _ in folder.glob("*.json"))


def write_site(board: Board, target: str | Path) -> list[Path]:
    """Write all pages and tables; pages of an earlier board that are no more are removed.

    Raises
    ------
    ChallengeError
        If the folder holds anything that no board wrote.
    """
    target = Path(target)
    before = _files_before(target)
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for name, page in board.pages():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        written += write_page(page, path)
    for name, text in board.data():
        write_text(target / name, text)
        written.append(target / name)
    names = {path.relative_to(target).as_posix(): path for path in written}
    for name in before - set(names):
        (target / name).unlink(missing_ok=True)
    listed = {name: sha256(path.read_bytes()) for name, path in names.items()}
    write_text(target / SITE_FILE, canonical_json({"schema": 1, "files": listed}).decode())
    return [*written, target / SITE_FILE]


def _files_before(target: Path) -> set[str]:
    """Return the files of the board that is there already."""
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return set()
    if not (target / SITE_FILE).exists():
        raise ChallengeError(
            f"{target}: it holds other files; name a new folder, or one that `board` wrote"
        )
    files = read_json(target / SITE_FILE).get("files", {})
    return {name for name in files if ".." not in Path(name).parts and not Path(name).is_absolute()}
