"""Workers: results equal to those of `score`, and nothing of gold where it does not belong."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from unittest import mock

import pytest
import sqlalchemy as sa

from tests.unit.challenge_server.sent_submissions import (
    add_team,
    quick_folder,
    row_of,
    rows_of,
    send,
    zipped,
)
from tests.unit.challenges.small_challenge import (
    AFTER_CLOSE,
    AFTER_GOLD,
    IN_PHASE,
    gold_of,
    make_folder,
    submission_of,
    write_gold,
    write_submission,
)
from treegauge.challenge_server import jobs, schema
from treegauge.challenge_server.backup import write_backup
from treegauge.challenge_server.blobs import BlobStore
from treegauge.challenge_server.boards import STATE
from treegauge.challenge_server.clock import Clock
from treegauge.challenge_server.database import Database
from treegauge.challenge_server.errors import DatabaseAwayError
from treegauge.challenge_server.intake import score_again
from treegauge.challenge_server.jobs import Message
from treegauge.challenge_server.phases import extend_phase
from treegauge.challenge_server.restore import restore_backup
from treegauge.challenge_server.warming import compile_kernels
from treegauge.challenge_server.worker import Worker, WorkerSettings
from treegauge.challenges import ChallengeFolder, make_board, score_submissions
from treegauge.challenges.packs import zip_bytes
from treegauge.challenges.reading_process import decoded_submission, encoded_submission, read_apart
from treegauge.treebank import Treebank

pytestmark = pytest.mark.long

METHODS = ("right-branching", "left-branching")
TOKENS = 100


@contextlib.contextmanager
def read_here() -> Iterator[None]:
    """Read submissions without a process of their own, which takes most of a second to start."""

    def read(source, task, **_limits):
        return decoded_submission(encoded_submission(str(source), task), task, str(source))

    with contextlib.ExitStack() as stack:
        for module in ("challenge_server.worker", "challenge_server.warming", "challenges.scoring"):
            stack.enter_context(mock.patch(f"treegauge.{module}.read_apart", read))
        yield


@pytest.fixture(scope="module")
def material() -> Iterator[Path]:
    """A challenge, submissions to it, and in `kit` what `score` says of them."""
    with quick_folder() as place, read_here():
        for name in ("small", "kit"):
            make_folder(place / name, tokens=TOKENS)
        sources = [submission_of(place / m, m, tokens=TOKENS, team="blue") for m in METHODS]
        score_submissions(ChallengeFolder(place / "kit"), sources, now=IN_PHASE)
        yield place


@pytest.fixture
def database(material) -> Iterator[Database]:
    """The database of the challenge, with a team and nothing else."""
    database = Database.open(material / "small")
    with database.write() as connection:
        for table in reversed(schema.metadata.sorted_tables):
            is_kept = schema.setting.c.name.in_(("schema", "challenge"))
            connection.execute(
                table.delete().where(~is_kept if table is schema.setting else sa.true())
            )
    yield database
    database.close()


@pytest.fixture
def team(database) -> str:
    return add_team(database, "blue")


class Watch:
    """A clock that tests set, and a worker that goes by it."""

    def __init__(self, database: Database, moment: datetime = IN_PHASE) -> None:
        self.moment = moment
        self.said: list[str] = []
        clock = Clock(lambda: self.moment)
        settings = WorkerSettings(trials=100)
        self.worker = Worker(database, settings, clock, say=self.said.append)

    def work(self) -> None:
        """Do all that there is to do."""
        while self.worker.work_once():
            pass


def pages_of(database: Database, audience: str) -> dict[str, bytes]:
    return {
        row.path: row.content
        for row in rows_of(database, schema.board_page)
        if row.audience == audience
    }


def test_results_are_the_bytes_that_score_writes(database, team, material) -> None:
    sent = [send(database, team, zipped(material / name), now=IN_PHASE) for name in METHODS]
    Watch(database).work()
    expected = {path.stem: path for path in (material / "kit/results").glob("*/*.json")}
    assert len(expected) == len(METHODS)
    for id in sent:
        submission = row_of(database, schema.submission, id=id)
        assert submission.state == "accepted"
        result = row_of(database, schema.result, submission=id)
        path = expected[submission.canonical]
        assert result.document == path.read_bytes()
        assert result.scorer == path.parent.name
    assert {row.state for row in rows_of(database, schema.job)} == {"done"}


def test_the_board_is_that_of_the_kit(database, team, material) -> None:
    for name in METHODS:
        send(database, team, zipped(material / name), now=IN_PHASE)
    Watch(database, AFTER_GOLD).work()
    board = make_board(ChallengeFolder(material / "kit"), AFTER_GOLD, trials=100)
    expected = {name: text.encode() for name, text in board.data()}
    for audience in schema.AUDIENCES:
        pages = pages_of(database, audience)
        assert {name: pages[name] for name in expected} == expected
        names = {name for name, _ in board.pages()}
        assert names <= set(pages)


def test_a_refused_submission_says_why_without_a_path_of_ours(database, team, material) -> None:
    words = {"svo": gold_of("svo", TOKENS + 20)}
    folder = write_submission(material / "other words", words, team="blue")
    send(database, team, zipped(folder), now=IN_PHASE)
    Watch(database).work()
    submission = row_of(database, schema.submission)
    assert submission.state == "refused"
    assert "submission.zip/svo.conllu" in submission.findings
    assert str(material) not in submission.findings
    assert rows_of(database, schema.result) == []
    job = row_of(database, schema.job, kind="score")
    assert (job.state, job.message) == ("done", Message.REFUSED)


def test_nobody_submits_in_the_name_of_another_team(database, material) -> None:
    red = add_team(database, "red")
    send(database, red, zipped(material / METHODS[0]), now=IN_PHASE)
    Watch(database).work()
    submission = row_of(database, schema.submission)
    assert submission.state == "refused"
    assert "expected 'red', the team that sent it, found 'blue'" in submission.findings


def one_arc_apart(material: Path) -> tuple[bytes, bytes]:
    """Return two submissions that differ in one head, which is right in one of them."""
    zips = []
    for name, is_right in (("right", True), ("wrong", False)):
        annotated = {}
        for treebank in ("svo", "sov"):
            gold = gold_of(treebank, TOKENS)
            head = gold.head.copy()
            if treebank == "svo" and not is_right:
                first = head[: gold.lengths[0]]
                leaf = next(w for w in range(1, len(first) + 1) if w not in first)
                others = (w for w in range(1, len(first) + 1) if w not in (leaf, first[leaf - 1]))
                head[leaf - 1] = next(others)
            annotated[treebank] = gold.replace(head=head)
        folder = write_submission(material / f"one arc {name}", annotated, team="blue")
        zips.append(zipped(folder))
    return zips[0], zips[1]


def test_two_files_one_arc_apart_look_the_same_in_a_blind_phase(database, team, material) -> None:
    seen = []
    for content in one_arc_apart(material):
        with database.write() as connection:
            for table in (schema.result, schema.job, schema.board_page, schema.submission):
                connection.execute(table.delete())
            connection.execute(
                schema.setting.delete().where(schema.setting.c.name == "board_state")
            )
        send(database, team, content, now=IN_PHASE)
        Watch(database).work()
        submission = row_of(database, schema.submission)
        pages = {**pages_of(database, "public"), **pages_of(database, "participants")}
        seen.append((submission.state, submission.findings, submission.decided, pages))
    assert seen[0] == seen[1]
    # Organisers see everything.
    assert any("submissions/" in path for path in pages_of(database, "organisers"))
    assert not any("submissions/" in path for path in seen[0][3])


def test_the_reader_has_decided_before_anything_is_scored(database, team, material) -> None:
    send(database, team, zipped(material / METHODS[0]), now=IN_PHASE)
    watch = Watch(database)
    with mock.patch.object(watch.worker.room, "scorer", side_effect=RuntimeError("head is 7")):
        watch.work()
    assert row_of(database, schema.submission).state == "accepted"
    job = row_of(database, schema.job, kind="score")
    assert (job.state, job.attempt, job.message) == ("failed", 3, Message.FAILED)
    # Neither the log nor the database quotes an error: it may quote gold.
    assert len(watch.said) == 3
    assert all("RuntimeError in " in line and "head is 7" not in line for line in watch.said)
    details = [row.details for row in rows_of(database, schema.audit)]
    assert not any("head is 7" in text for text in details)


def test_scores_show_when_their_time_has_come(database, team, material) -> None:
    send(database, team, zipped(material / METHODS[0]), now=IN_PHASE)
    watch = Watch(database)
    watch.work()
    blind = pages_of(database, "public")
    assert b"scores are shown from" in blind["index.html"]
    watch.work()
    assert pages_of(database, "public") == blind
    watch.moment = AFTER_CLOSE
    watch.work()
    shown = pages_of(database, "public")
    assert any(path.startswith("submissions/") for path in shown)
    assert not any(b'tree-data">[{' in page for page in shown.values())
    moments = {row.shown_from for row in rows_of(database, schema.board_page)}
    assert len(moments) == 1
    assert moments.pop() <= AFTER_CLOSE


def test_pages_are_never_built_ahead_of_their_time(database, team, material) -> None:
    """An extension therefore takes nothing back: what it keeps secret is in no page."""
    send(database, team, zipped(material / METHODS[0]), now=IN_PHASE)
    watch = Watch(database)
    watch.work()
    challenge = ChallengeFolder(material / "small").challenge
    later = AFTER_CLOSE + timedelta(days=2)
    with database.write() as connection:
        extend_phase(connection, challenge, "test", later, account=team, now=IN_PHASE)
    watch.moment = AFTER_CLOSE
    for when in ("before the next board", "after it"):
        pages = pages_of(database, "public")
        assert not any(path.startswith("submissions/") for path in pages), when
        watch.work()


def test_a_team_that_is_withdrawn_stands_on_no_board(database, team, material) -> None:
    send(database, team, zipped(material / METHODS[0]), now=IN_PHASE)
    watch = Watch(database, AFTER_GOLD)
    watch.work()
    assert any("submissions/" in path for path in pages_of(database, "public"))
    with database.write() as connection:
        connection.execute(schema.team.update().values(withdrawn=AFTER_GOLD))
    watch.work()
    for audience in schema.AUDIENCES:
        assert not any("submissions/" in path for path in pages_of(database, audience))
    assert len(rows_of(database, schema.result)) == 1


def test_the_same_annotation_zipped_twice_is_one_entry(database, team, material) -> None:
    folder = material / METHODS[0]
    in_folder = {f"inside/{path.name}": path.read_bytes() for path in folder.iterdir()}
    for content in (zipped(folder), zip_bytes(in_folder)):
        send(database, team, content, now=IN_PHASE)
    Watch(database, AFTER_GOLD).work()
    rows = rows_of(database, schema.submission)
    assert len({row.content for row in rows}) == 2
    assert len({row.canonical for row in rows}) == 1
    pages = pages_of(database, "public")
    assert len([path for path in pages if path.startswith("submissions/")]) == 1


def test_a_lost_or_changed_file_is_a_fault_of_ours(database, team, material) -> None:
    content = zipped(material / METHODS[0])
    send(database, team, content, now=IN_PHASE)
    digest = row_of(database, schema.submission).content
    BlobStore(database.server_folder).path(digest).write_bytes(content + b"more")
    Watch(database).work()
    assert row_of(database, schema.submission).state == "failed"
    assert row_of(database, schema.job, kind="score").message == Message.BLOB


def test_changed_gold_is_noticed_and_old_results_stay(database, team, material) -> None:
    kept = (material / "small/gold/small-gold.zip").read_bytes()
    id = send(database, team, zipped(material / METHODS[0]), now=IN_PHASE)
    watch = Watch(database)
    watch.work()
    try:
        gold: dict[str, Treebank] = {name: gold_of(name, TOKENS) for name in ("svo", "sov")}
        head = gold["svo"].head.copy()
        head[0] = 0 if head[0] else 2
        write_gold(material / "small", {**gold, "svo": gold["svo"].replace(head=head)})
        with database.write() as connection:
            score_again(connection, [id], actor=team, now=IN_PHASE)
        watch.work()
        results = rows_of(database, schema.result)
        assert len({row.scorer for row in results}) == 2
        assert {row.submission for row in results} == {id}
    finally:
        (material / "small/gold/small-gold.zip").write_bytes(kept)


def test_kernels_are_compiled_with_a_few_sentences(database) -> None:
    worker = Watch(database).worker
    compile_kernels(worker.room)
    # The real scorers were not made: nothing of theirs is kept.
    assert (
        worker.room.scorer("dependencies", "test").id == worker.room.scorers["dependencies", "test"]
    )


def test_a_reader_that_takes_too_much_memory_is_ended(database, team, material) -> None:
    send(database, team, zipped(material / METHODS[0]), now=IN_PHASE)
    settings = WorkerSettings(reading_memory=10 << 20)
    worker = Worker(database, settings, Clock(lambda: IN_PHASE))
    with mock.patch("treegauge.challenge_server.worker.read_apart", read_apart):
        assert worker.work_once()
    assert row_of(database, schema.submission).state == "refused"


def test_a_worker_that_is_told_to_stop_leaves_the_job_to_others(database, team, material) -> None:
    send(database, team, zipped(material / METHODS[0]), now=IN_PHASE)
    watch = Watch(database)
    watch.worker.stop()
    watch.worker.work_once()
    job = row_of(database, schema.job, kind="score")
    assert (job.state, job.attempt) == ("waiting", 0)
    Watch(database).work()
    assert len(rows_of(database, schema.result)) == 1


def test_boards_that_cannot_be_built_are_not_tried_for_ever(database) -> None:
    watch = Watch(database)
    broken = mock.patch(
        "treegauge.challenge_server.worker.boards_of", side_effect=RuntimeError("broken")
    )
    with broken:
        watch.work()
        watch.work()
    assert [row.state for row in rows_of(database, schema.job)] == ["failed"]
    watch.moment += timedelta(minutes=6)
    watch.work()
    assert "index.html" in pages_of(database, "public")


def test_a_database_that_is_away_is_waited_for(database, team, material) -> None:
    send(database, team, zipped(material / METHODS[0]), now=IN_PHASE)
    watch = Watch(database)
    claim, keep_result = jobs.claim, jobs.keep_result
    away = DatabaseAwayError("the database does not answer: gone")
    troubles = {"claim": [away], "keep result": [away]}

    def claim_later(*arguments, **options):
        if troubles["claim"]:
            raise troubles["claim"].pop()
        if not rows_of(database, schema.board_page):
            return claim(*arguments, **options)
        watch.worker.stop()
        return None

    def keep_later(*arguments, **options):
        if troubles["keep result"]:
            raise troubles["keep result"].pop()
        return keep_result(*arguments, **options)

    with (
        mock.patch.object(jobs, "claim", claim_later),
        mock.patch.object(jobs, "keep_result", keep_later),
        mock.patch("treegauge.challenge_server.worker.SECONDS_AWAY", 0.01),
    ):
        watch.worker.run()
    assert watch.said == [str(away)]
    assert row_of(database, schema.job, kind="score").attempt == 1
    assert len(rows_of(database, schema.result)) == 1


def test_leases_are_extended_while_a_job_takes_long(database, team, material) -> None:
    send(database, team, zipped(material / METHODS[0]), now=IN_PHASE)
    watch = Watch(database)
    lease = timedelta(seconds=0.3)
    watch.worker.settings = WorkerSettings(trials=100, lease=lease)
    claims = []
    score = watch.worker.room.scorer

    def slow(*arguments):
        time.sleep(0.6)
        claims.append(jobs.claim(database, "another"))
        return score(*arguments)

    with mock.patch.object(watch.worker.room, "scorer", slow):
        watch.worker.work_once()
    assert [one for one in claims if one is not None and one.kind == "score"] == []
    assert row_of(database, schema.job, kind="score").state == "done"


def test_a_restored_database_gives_the_same_board(
    database, team, material, tmp_path, postgres_url
) -> None:
    """From SQLite to PostgreSQL and back; boards are built anew on each."""
    for name in METHODS:
        send(database, team, zipped(material / name), now=IN_PHASE)
    Watch(database, AFTER_GOLD).work()
    pages = {audience: pages_of(database, audience) for audience in schema.AUDIENCES}
    opened = database
    for number, url in enumerate((postgres_url, None)):
        saved = write_backup(opened, tmp_path / f"{number}.tar").file
        if opened is not database:
            opened.close()
        opened = restore_backup(saved, tmp_path / f"copy{number}", url)
        with opened.write() as connection:
            connection.execute(schema.board_page.delete())
            connection.execute(schema.setting.delete().where(schema.setting.c.name == STATE))
        Watch(opened, AFTER_GOLD).work()
        assert {one: pages_of(opened, one) for one in schema.AUDIENCES} == pages
    opened.close()
