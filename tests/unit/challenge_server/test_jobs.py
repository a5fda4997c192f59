"""Jobs: one worker has one at a time, and every job ends once, whoever sleeps or dies."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.challenge_server.sent_submissions import (
    add_team,
    quick_folder,
    row_of,
    rows_of,
    send,
)
from tests.unit.challenges.small_challenge import make_folder
from treegauge.challenge_server import jobs, schema
from treegauge.challenge_server.audit import flaws_of_chain
from treegauge.challenge_server.database import Database, set_setting
from treegauge.challenge_server.intake import add_job
from treegauge.challenge_server.jobs import Message, Verdict

pytestmark = pytest.mark.long

NOW = datetime(2027, 3, 5, tzinfo=UTC)
NO_TIME = timedelta(seconds=-1)
ACCEPTED = Verdict(is_accepted=True, canonical="c", system="ours")
REFUSED = Verdict(is_accepted=False, findings="svo.conllu:3: [word-changed]")


@pytest.fixture(scope="module")
def home():
    with quick_folder() as folder:
        yield make_folder(folder / "small", tokens=50).path


@pytest.fixture
def database(home, database_url):
    database = Database.open(home, database_url)
    with database.write() as connection:
        for table in reversed(schema.metadata.sorted_tables):
            if table.name != "setting":
                connection.execute(table.delete())
    yield database
    database.close()


@pytest.fixture
def sent(database) -> str:
    return send(database, add_team(database, "blue"), b"zip", now=NOW)


def keep_result(database: Database, claimed: jobs.Claim, document: bytes = b"{}") -> bool:
    digest = document.hex()
    return jobs.keep_result(database, claimed, "scorer", document, digest, now=NOW)


def test_a_job_is_claimed_once(database, sent) -> None:
    claimed = jobs.claim(database, "one")
    assert claimed is not None
    assert (claimed.submission, claimed.attempt) == (sent, 1)
    assert jobs.claim(database, "two") is None
    assert row_of(database, schema.job).worker == "one"


def test_many_workers_share_the_jobs(database) -> None:
    team = add_team(database, "blue")
    sent = {send(database, team, b"%d" % number, now=NOW) for number in range(12)}
    claimed: list[str] = []

    def work() -> None:
        while (one := jobs.claim(database, "somebody")) is not None:
            claimed.append(str(one.submission))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(claimed) == sorted(sent)


def test_a_worker_that_sleeps_past_its_lease_does_no_harm(database, sent) -> None:
    sleeper = jobs.claim(database, "sleeper", lease=NO_TIME)
    second = jobs.claim(database, "second")
    assert sleeper is not None
    assert second is not None
    assert second.attempt == 2
    # It wakes up, and knows nothing.
    assert not jobs.extend(database, sleeper)
    assert not jobs.keep_verdict(database, sleeper, REFUSED, now=NOW)
    assert not keep_result(database, sleeper, b'{"wrong": 1}')
    jobs.fail(database, sleeper, Message.FAILED, now=NOW)
    jobs.give_back(database, sleeper)
    assert row_of(database, schema.submission).state == "waiting"
    assert jobs.keep_verdict(database, second, ACCEPTED, now=NOW)
    assert keep_result(database, second)
    # It wakes up still later, when all is done.
    assert not keep_result(database, sleeper, b'{"wrong": 1}')
    (result,) = rows_of(database, schema.result)
    assert result.document == b"{}"
    with database.read() as connection:
        assert flaws_of_chain(connection) == []


def test_after_three_attempts_a_job_has_failed(database, sent) -> None:
    for _ in range(3):
        assert jobs.claim(database, "who dies", lease=NO_TIME) is not None
    assert jobs.claim(database, "the next") is None
    job = row_of(database, schema.job)
    assert (job.state, job.message) == ("failed", Message.LOST)
    # A fault of ours counts in no quota.
    assert row_of(database, schema.submission).state == "failed"


def test_errors_are_tried_again_and_then_said(database, sent) -> None:
    for attempt in (1, 2, 3):
        claimed = jobs.claim(database, "one")
        assert claimed is not None
        assert claimed.attempt == attempt
        jobs.fail(database, claimed, Message.FAILED, now=NOW)
    assert jobs.claim(database, "one") is None
    assert row_of(database, schema.job).state == "failed"


def test_a_submission_that_was_read_stays_accepted_when_scoring_fails(database, sent) -> None:
    for _ in range(3):
        claimed = jobs.claim(database, "one")
        assert claimed is not None
        assert jobs.keep_verdict(database, claimed, ACCEPTED, now=NOW)
        jobs.fail(database, claimed, Message.FAILED, now=NOW)
    assert row_of(database, schema.submission).state == "accepted"


def test_a_job_that_is_given_back_is_no_failed_attempt(database, sent) -> None:
    for _ in range(5):
        claimed = jobs.claim(database, "who ends")
        assert claimed is not None
        assert claimed.attempt == 1
        jobs.give_back(database, claimed)


def test_results_are_kept_once_and_compared(database, sent) -> None:
    for document, state in ((b"{}", "done"), (b"{}", "done"), (b'{"a": 1}', "failed")):
        claimed = jobs.claim(database, "one")
        assert claimed is not None
        assert keep_result(database, claimed, document)
        assert row_of(database, schema.job, id=claimed.job).state == state
        with database.write() as connection:
            add_job(connection, "score", sent, now=NOW)
    assert [one.document for one in rows_of(database, schema.result)] == [b"{}"]


def test_boards_come_behind_submissions_but_not_for_ever(database) -> None:
    team = add_team(database, "blue")
    now = datetime.now(UTC)
    with database.write() as connection:
        add_job(connection, "board", None, now=now)
    first = send(database, team, b"1", now=NOW)
    claimed = jobs.claim(database, "one")
    assert claimed is not None
    assert claimed.submission == first
    jobs.give_back(database, claimed)
    with database.write() as connection:
        long_ago = now - jobs.BOARD_WAITS
        connection.execute(
            schema.job.update().where(schema.job.c.kind == "board").values(created=long_ago)
        )
    claimed = jobs.claim(database, "one")
    assert claimed is not None
    assert claimed.kind == "board"
    jobs.give_back(database, claimed)
    # Where boards take a minute, four minutes of submissions come first.
    with database.write() as connection:
        set_setting(connection, jobs.BOARD_SECONDS, "60")
    claimed = jobs.claim(database, "one")
    assert claimed is not None
    assert claimed.kind == "score"
    with database.write() as connection:
        set_setting(connection, jobs.BOARD_SECONDS, "0")


STEPS = ("claim", "lose", "extend", "verdict", "result", "fail", "give back")
_numbers = count()


@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 2)), max_size=25))
@examples(60)
def test_whatever_workers_do_a_job_ends_at_most_once(home, steps) -> None:
    """Three workers take turns in any order; a lease may be over at any moment."""
    database = Database.open(home)
    try:
        team = add_team(database, f"team {next(_numbers)} {schema.new_id()}")
        sent = send(database, team, b"zip", now=NOW)
        held: dict[int, jobs.Claim] = {}
        kept = 0
        for step, who in steps:
            if step == "claim":
                claimed = jobs.claim(database, str(who))
                if claimed is not None and claimed.kind == "score":
                    held[who] = claimed
            elif step == "lose":
                with database.write() as connection:
                    connection.execute(
                        schema.job.update()
                        .where(schema.job.c.state == "running")
                        .values(lease=NOW - timedelta(days=400))
                    )
            elif who in held and step == "extend":
                jobs.extend(database, held[who])
            elif who in held and step == "verdict":
                jobs.keep_verdict(database, held[who], ACCEPTED, now=NOW)
            elif who in held and step == "result":
                kept += keep_result(database, held[who], b"%d" % who)
            elif who in held and step == "fail":
                jobs.fail(database, held[who], Message.FAILED, now=NOW)
            elif who in held and step == "give back":
                jobs.give_back(database, held.pop(who))
        assert kept <= 1
        results = [one for one in rows_of(database, schema.result) if one.submission == sent]
        assert len(results) == kept
        job = row_of(database, schema.job, submission=sent)
        assert (job.state == "done") == bool(kept)
        assert job.attempt <= jobs.MOST_ATTEMPTS
    finally:
        with database.write() as connection:
            connection.execute(schema.job.delete())
        database.close()
