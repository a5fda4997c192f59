"""Boards as bytes: workers build them, the web process sends them.

There is one set of pages for each audience. The public and participants see what phases show by
now; organisers see everything. A page is only ever built of what may be seen at the moment of
building, so that no clock and no change of a phase can show it too early. When something becomes
visible, or a result comes in, what boards are made of has another sum (`state_of_boards`), and
workers build them anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from treegauge.challenge_server import schema
from treegauge.challenge_server.database import read_setting, set_setting
from treegauge.challenge_server.phases import current_challenge, moments_of_change
from treegauge.challenge_server.schema import Audience
from treegauge.challenges import Challenge, Phase
from treegauge.challenges.board import Entry, TrackBoard, track_board
from treegauge.challenges.board_pages import Board
from treegauge.challenges.packs import canonical_json, sha256
from treegauge.challenges.paired_evidence import TRIALS
from treegauge.challenges.scored_submission import scored_submission

STATE = "board_state"
"""The setting that says what the boards there are were made of."""
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)

_MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".tex": "text/plain; charset=utf-8",
}
Scorers = Mapping[tuple[str, str], str]
"""The ids of the scorers of now, by track and part."""


@dataclass(frozen=True)
class BoardMaterial:
    """All that boards are made of, read at one moment.

    Attributes
    ----------
    challenge : Challenge
        With its phases as they are now.
    shown_from : datetime
        Since when what is seen has been the same, but for new results.
    entries : mapping
        Submissions that were scored, by track and part.
    outdated : int
        Results of other gold, versions or settings.
    state : str
        A sum of all this.
    """

    challenge: Challenge
    shown_from: datetime
    entries: Mapping[tuple[str, str], Sequence[Entry]]
    outdated: int
    state: str


@dataclass(frozen=True)
class PageBytes:
    """A page as it is sent."""

    path: str
    media_type: str
    content: bytes

    @property
    def etag(self) -> str:
        """What changes when the page does."""
        return sha256(self.content)[:32]


# ---------------------------------------------------------------------- what boards are made of


def state_of_boards(
    connection: Connection, challenge: Challenge, scorers: Scorers, now: datetime
) -> str:
    """Return a sum of all that boards depend on; it costs a few counts.

    Parameters
    ----------
    challenge : Challenge
        As `challenge.toml` has it.
    """
    current = current_challenge(connection, challenge)
    result, submission, team = schema.result.c, schema.submission.c, schema.team.c
    counts = [
        sa.select(sa.func.count(), sa.func.max(result.created)).select_from(schema.result),
        sa.select(sa.func.count(team.withdrawn), sa.func.max(team.withdrawn)),
        sa.select(sa.func.count(submission.chosen), sa.func.max(submission.chosen)),
    ]
    facts = {
        "challenge": repr(current),
        "scorers": sorted(scorers.values()),
        "shown from": str(_shown_from(current, now)),
        "rows": [str(tuple(connection.execute(one).one())) for one in counts],
    }
    return sha256(canonical_json(facts))


def are_boards_outdated(
    connection: Connection, challenge: Challenge, scorers: Scorers, now: datetime
) -> bool:
    """Return whether boards are to be built anew."""
    built_of = read_setting(connection, STATE)
    return built_of != state_of_boards(connection, challenge, scorers, now)


def read_material(
    connection: Connection, challenge: Challenge, scorers: Scorers, now: datetime
) -> BoardMaterial:
    """Read what boards are made of."""
    current = current_challenge(connection, challenge)
    phases = {phase.name: phase for phase in current.phases}
    entries: dict[tuple[str, str], list[Entry]] = {key: [] for key in scorers}
    known: set[tuple[str, str, str]] = set()
    for row in connection.execute(_scored(scorers)):
        phase = phases.get(row.phase)
        key = (row.track, phase.part if phase else "")
        if phase is None or row.scorer != scorers.get(key):
            continue
        # The same annotation, zipped in another way, is the same entry; the first one counts.
        if (*key, row.canonical) in known:
            continue
        known.add((*key, row.canonical))
        scored = scored_submission(json.loads(row.document), f"result of {row.id}")
        is_chosen = row.chosen is not None
        entries[key].append(Entry(scored, row.received, row.number, phase, is_chosen))
    table = schema.result
    others = table.c.scorer.not_in(list(scorers.values()))
    outdated = connection.scalar(sa.select(sa.func.count()).select_from(table).where(others)) or 0
    shown_from = _shown_from(current, now)
    state = state_of_boards(connection, challenge, scorers, now)
    return BoardMaterial(current, shown_from, entries, outdated, state)


def _scored(scorers: Scorers) -> sa.Select[tuple[object, ...]]:
    """Return what asks for the results of all submissions that stand on boards."""
    result, submission, team = schema.result, schema.submission, schema.team
    return (
        sa.select(
            submission.c.id,
            submission.c.number,
            submission.c.phase,
            submission.c.track,
            submission.c.received,
            submission.c.canonical,
            submission.c.chosen,
            result.c.scorer,
            result.c.document,
        )
        .join(result, result.c.submission == submission.c.id)
        .join(team, team.c.id == submission.c.team)
        .where(
            submission.c.state == "accepted",
            team.c.withdrawn.is_(None),
            result.c.scorer.in_(list(scorers.values())),
        )
        .order_by(submission.c.number)
    )


def _shown_from(challenge: Challenge, now: datetime) -> datetime:
    """Return since when the clock has changed nothing that is to be seen."""
    return max((one for one in moments_of_change(challenge) if one <= now), default=BEGINNING)


# ---------------------------------------------------------------------- pages


def boards_of(
    material: BoardMaterial,
    scorers: Scorers,
    *,
    commitment: str = "",
    rules: str = "",
    trials: int = TRIALS,
) -> dict[Audience, Board]:
    """Rank everything, and return the boards of all audiences."""
    challenge, now = material.challenge, material.shown_from
    unveiled = unveiled_challenge(challenge)
    phases = {phase.name: phase for phase in unveiled.phases}
    for_all: list[TrackBoard] = []
    for_organisers: list[TrackBoard] = []
    for (name, part), scorer in scorers.items():
        entries = material.entries[name, part]
        if part == "dev" and not entries:
            continue
        track = challenge.track(name)
        open_entries = [replace(one, phase=phases[one.phase.name]) for one in entries]
        everything = track_board(
            unveiled, track, part, scorer, open_entries, now=now, trials=trials
        )
        for_organisers.append(everything)
        if all(entry.shows_scores(now) for entry in entries):
            # Tests between systems take most of the time, and nothing of them differs.
            for_all.append(replace(everything, challenge=challenge))
        else:
            for_all.append(
                track_board(challenge, track, part, scorer, entries, now=now, trials=trials)
            )
    about = {"outdated": material.outdated, "commitment": commitment, "rules": rules}
    public = Board(challenge, for_all, now, **about)  # type: ignore[arg-type]
    private = Board(challenge, for_organisers, now, **about)  # type: ignore[arg-type]
    return {"public": public, "participants": public, "organisers": private}


def unveiled_challenge(challenge: Challenge) -> Challenge:
    """Return a challenge in which nothing is a secret: what organisers see."""
    phases: tuple[Phase, ...] = tuple(replace(one, scores=BEGINNING) for one in challenge.phases)
    board = replace(challenge.board, anonymous_until=None)
    return replace(challenge, phases=phases, board=board, gold=BEGINNING)


def pages_of(board: Board) -> Iterator[PageBytes]:
    """Give every page of a board as bytes, and the files beside it."""
    for name, page in board.pages():
        path = PurePosixPath(name)
        trees = page.tree_files(f"{path.stem}-trees")
        yield _page(name, page.to_html(trees))
        for file, text in trees.files.items():
            yield _page(str(path.parent / file), text)
    for name, text in board.data():
        yield _page(name, text)


def _page(path: str, text: str) -> PageBytes:
    return PageBytes(path, _MEDIA_TYPES[PurePosixPath(path).suffix], text.encode())


def keep_pages(
    connection: Connection,
    material: BoardMaterial,
    pages: Mapping[Audience, Sequence[PageBytes]],
    now: datetime,
) -> int:
    """Put new pages in the place of the old ones; return how many differ.

    What is the same stays as it is, so that a transaction writes little.
    """
    table = schema.board_page
    columns = (table.c.audience, table.c.path, table.c.shown_from, table.c.etag)
    there = {tuple(row[:3]): row.etag for row in connection.execute(sa.select(*columns))}
    changed = []
    for audience, own in pages.items():
        for page in own:
            key = (audience, page.path, material.shown_from)
            if there.pop(key, None) != page.etag:
                changed.append((key, page))
    for audience, path, shown_from in [*there, *(key for key, _ in changed)]:
        connection.execute(
            sa.delete(table).where(
                table.c.audience == audience,
                table.c.path == path,
                table.c.shown_from == shown_from,
            )
        )
    for (audience, path, shown_from), page in changed:
        connection.execute(
            sa.insert(table).values(
                audience=audience,
                path=path,
                shown_from=shown_from,
                media_type=page.media_type,
                etag=page.etag,
                content=page.content,
                built=now,
            )
        )
    set_setting(connection, STATE, material.state)
    return len(changed)
