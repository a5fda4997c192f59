"""A worker: claims jobs, lets another process read submissions, scores them, builds boards.

Submissions are read by a process that never had gold in it, under limits of time, memory and size.
What it hands on is numbers, which are checked before they are believed. What it says of a
submission is kept before anything is scored: its makers can tell nothing from how long that takes.
This process holds gold. It says nothing in words of its own: its messages are a closed list.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import TypeVar

import sqlalchemy as sa

from treegauge.challenge_server import jobs, schema
from treegauge.challenge_server.blobs import BlobStore, Points
from treegauge.challenge_server.boards import (
    are_boards_outdated,
    boards_of,
    keep_pages,
    pages_of,
    read_material,
)
from treegauge.challenge_server.clock import Clock
from treegauge.challenge_server.database import Database, set_setting
from treegauge.challenge_server.errors import DatabaseAwayError
from treegauge.challenge_server.gold_room import GoldRoom
from treegauge.challenge_server.intake import add_job
from treegauge.challenge_server.jobs import Claim, Message, Verdict
from treegauge.challenges import ChallengeError
from treegauge.challenges.packs import canonical_json, sha256
from treegauge.challenges.paired_evidence import TRIALS
from treegauge.challenges.reading_process import (
    MEMORY,
    SECONDS,
    ReadSubmission,
    RefusedSubmissionError,
    read_apart,
)
from treegauge.challenges.system_file import SYSTEM_FILE, name_key

_T = TypeVar("_T")
SHOWN_NAME = "submission.zip"
"""What findings call an upload: its makers know no path of ours."""
_LONGEST_FINDINGS = 100_000
BOARDS_TRIED_AGAIN = timedelta(minutes=5)
"""After a board that could not be built."""
SECONDS_AWAY = 2.0
"""Between two attempts to reach a database that does not answer."""


@dataclass(frozen=True)
class WorkerSettings:
    """How a worker works.

    Attributes
    ----------
    lease : timedelta
        How long a job is a worker's that says nothing more.
    seconds_between_looks : float
        While there is nothing to do.
    reading_seconds, reading_memory : float, int
        What the process that reads may take.
    longest_job : float
        Seconds after which a worker gives itself up.
    trials : int
        Of the tests between systems.
    """

    lease: timedelta = jobs.LEASE
    seconds_between_looks: float = 0.5
    reading_seconds: float = SECONDS
    reading_memory: int = MEMORY
    longest_job: float = 3600.0
    trials: int = TRIALS


@dataclass(frozen=True)
class _Upload:
    """What is known of a submission that is to be scored."""

    id: str
    team: str
    phase: str
    track: str
    content: str


@dataclass
class Worker:
    """Works on the jobs of one challenge until it is told to stop.

    Attributes
    ----------
    points : Points
        Told what was reached, for tests.
    say : callable
        Told in a sentence what organisers should know.
    """

    database: Database
    settings: WorkerSettings = field(default_factory=WorkerSettings)
    clock: Clock = field(default_factory=Clock)
    points: Points = field(default_factory=Points)
    say: Callable[[str], None] = lambda _text: None
    name: str = field(default_factory=lambda: f"{socket.gethostname()}:{os.getpid()}")
    _stopping: threading.Event = field(default_factory=threading.Event, repr=False)

    def __post_init__(self) -> None:
        self.blobs = BlobStore(self.database.server_folder, self.points)
        self.room = GoldRoom(self.database.folder)

    # ------------------------------------------------------------------ the loop

    def stop(self) -> None:
        """End after what is being done; from any thread, or from a signal."""
        self._stopping.set()

    def run(self) -> None:
        """Work until told to stop; a database that is away is waited for."""
        pause = self.settings.seconds_between_looks
        while not self._stopping.is_set():
            try:
                has_worked = self.work_once()
            except DatabaseAwayError as error:
                self.say(str(error))
                self._stopping.wait(SECONDS_AWAY)
                continue
            if not has_worked:
                self._stopping.wait(pause)

    def work_once(self) -> bool:
        """Do one job, if there is one; return whether there was."""
        if not self.room.is_current:
            self.room = GoldRoom(self.database.folder)
        self._note_outdated_boards()
        claimed = jobs.claim(self.database, self.name, lease=self.settings.lease)
        if claimed is None:
            return False
        self.points.reached("claimed")
        with self._kept_alive(claimed):
            try:
                self._do(claimed)
            except DatabaseAwayError:
                raise
            except Exception as error:
                self._say_kind_of(error)
                message = Message.NO_GOLD if isinstance(error, ChallengeError) else Message.FAILED
                self._persist(partial(jobs.fail, message=message), claimed)
        return True

    def _do(self, claimed: Claim) -> None:
        if claimed.kind == "board":
            self._build_boards(claimed)
        else:
            self._score(claimed)

    def _say_kind_of(self, error: Exception) -> None:
        """Say which error it was and where; its text may quote gold."""
        place = traceback.extract_tb(error.__traceback__)[-1]
        self.say(f"{type(error).__name__} in {place.filename}:{place.lineno} ({place.name})")

    def _persist(self, note: Callable[..., _T], claimed: Claim) -> _T:
        """Note how a job ended, if need be when the database is there again."""
        last = time.monotonic() + self.settings.lease.total_seconds()
        while True:
            try:
                return note(self.database, claimed, now=self.clock.now())
            except DatabaseAwayError:
                if time.monotonic() > last:
                    raise  # by then another worker has the job
                time.sleep(SECONDS_AWAY)

    @contextlib.contextmanager
    def _kept_alive(self, claimed: Claim) -> Iterator[None]:
        """Extend the lease of a job in the meantime, but not for ever."""
        is_over = threading.Event()
        lease = self.settings.lease
        began = time.monotonic()

        def extend() -> None:
            while not is_over.wait(lease.total_seconds() / 3):
                if time.monotonic() - began > self.settings.longest_job:
                    self.say(f"job {claimed.job} takes too long; this worker stops")
                    os._exit(1)
                # A lease that is lost is no matter: whatever comes of the job is not kept then.
                with contextlib.suppress(DatabaseAwayError):
                    jobs.extend(self.database, claimed, lease=lease)

        thread = threading.Thread(target=extend, name="lease", daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()

    # ------------------------------------------------------------------ submissions

    def _score(self, claimed: Claim) -> None:
        upload = self._upload(claimed)
        part = self._part(upload)
        if part is None or (upload.track, part) not in self.room.scorers:
            self._persist(partial(jobs.fail, message=Message.UNKNOWN), claimed)
            return
        if not self._is_whole(upload.content):
            self._persist(partial(jobs.fail, message=Message.BLOB), claimed)
            return
        read = self._read(upload, part)
        self.points.reached("read")
        if isinstance(read, str):
            verdict = Verdict(is_accepted=False, findings=read[:_LONGEST_FINDINGS])
            self._persist(partial(jobs.keep_verdict, verdict=verdict), claimed)
            return
        verdict = Verdict(
            is_accepted=True,
            findings=_without_paths(read.findings, str(self.blobs.path(upload.content))),
            canonical=read.content,
            system=str(read.about["system"]),
        )
        if not self._persist(partial(jobs.keep_verdict, verdict=verdict), claimed):
            return
        if self._stopping.is_set():
            jobs.give_back(self.database, claimed)
            return
        scorer = self.room.scorer(upload.track, part)
        document = canonical_json(scorer.score(read.content, read.about, read.treebanks))
        self.points.reached("scored")
        note = partial(
            jobs.keep_result, scorer=scorer.id, document=document, digest=sha256(document)
        )
        self._persist(note, claimed)
        self.points.reached("result committed")

    def _upload(self, claimed: Claim) -> _Upload:
        submission, team = schema.submission, schema.team
        with self.database.read() as connection:
            row = connection.execute(
                sa.select(
                    submission.c.id,
                    team.c.name,
                    submission.c.phase,
                    submission.c.track,
                    submission.c.content,
                )
                .join(team, team.c.id == submission.c.team)
                .where(submission.c.id == claimed.submission)
            ).one()
        return _Upload(*row)

    def _part(self, upload: _Upload) -> str | None:
        """Return the part that a submission annotates, which its phase says."""
        phases = {phase.name: phase.part for phase in self.room.challenge.phases}
        return phases.get(upload.phase)

    def _is_whole(self, content: str) -> bool:
        try:
            return self.blobs.computed_digest(content) == content
        except OSError:
            return False

    def _read(self, upload: _Upload, part: str) -> ReadSubmission | str:
        """Read a submission in a process without gold; return it, or why it is refused."""
        path = self.blobs.path(upload.content)
        try:
            read = read_apart(
                path,
                self.room.task(upload.track, part),
                seconds=self.settings.reading_seconds,
                memory=self.settings.reading_memory,
            )
        except RefusedSubmissionError as error:
            return _without_paths(str(error), str(path))
        said = str(read.about.get("team", ""))
        if name_key(said) != name_key(upload.team):
            return (
                f"{SHOWN_NAME}/{SYSTEM_FILE}: [team] expected {upload.team!r}, the team that sent "
                f"it, found {said!r}\n  write team = {upload.team!r} and send it again"
            )
        return read

    # ------------------------------------------------------------------ boards

    def _note_outdated_boards(self) -> None:
        """See that boards are built when a result came, or when a date has come."""
        room = self.room
        with self.database.read() as connection:
            challenge, now = room.challenge, self.clock.now()
            if not are_boards_outdated(connection, challenge, room.scorers, now):
                return
            job = schema.job
            is_waiting = job.c.state.in_(("waiting", "running"))
            # What failed a moment ago would fail again, and fill the log.
            has_failed = (job.c.state == "failed") & (job.c.finished > now - BOARDS_TRIED_AGAIN)
            is_noted = (job.c.kind == "board") & (is_waiting | has_failed)
            known = sa.select(job.c.id).where(is_noted).limit(1)
            if connection.scalar(known) is not None:
                return
        with self.database.write() as connection:
            add_job(connection, "board", None, now=jobs.database_time(connection))

    def _build_boards(self, claimed: Claim) -> None:
        began = time.monotonic()
        room = self.room
        with self.database.read() as connection:
            now = self.clock.now()
            material = read_material(connection, room.challenge, room.scorers, now)
        made = boards_of(
            material,
            room.scorers,
            commitment=room.commitment,
            rules=room.rules,
            trials=self.settings.trials,
        )
        for_all, for_organisers = (list(pages_of(made[who])) for who in ("public", "organisers"))
        with self.database.write() as connection:
            if not jobs.is_held(connection, claimed):
                return
            keep_pages(
                connection,
                material,
                {"public": for_all, "participants": for_all, "organisers": for_organisers},
                now,
            )
            seconds = time.monotonic() - began
            set_setting(connection, jobs.BOARD_SECONDS, f"{seconds:.1f}")
            jobs.close_board(connection, claimed, now=now)
        self.points.reached("board committed")


def _without_paths(text: str, path: str) -> str:
    """Return findings as the submission's makers know its files."""
    return text.replace(path, SHOWN_NAME)[:_LONGEST_FINDINGS]
