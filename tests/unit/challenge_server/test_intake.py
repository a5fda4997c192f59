"""Taking submissions: quotas, races, deadlines, receipts."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings, strategies as st

from tests.examples import examples
from tests.unit.challenge_server.served_challenge import (
    CLOSES,
    GRACE,
    NOW,
    OPENS,
    Served,
    serve,
)
from treegauge.challenge_server import schema
from treegauge.challenge_server.audit import entries, flaws_of_chain
from treegauge.challenge_server.blobs import Points
from treegauge.challenge_server.errors import (
    ConflictError,
    NotAllowedError,
    NotThereError,
    ServerError,
)
from treegauge.challenge_server.intake import (
    accept,
    choose_submission,
    quota_use,
    score_again,
)
from treegauge.challenge_server.permissions import Visitor
from treegauge.challenge_server.phases import extend_phase, phase_named
from treegauge.challenges import Quota

SECOND = timedelta(seconds=1)


def rows(served: Served, table: sa.Table) -> Sequence[sa.Row]:
    with served.database.read() as connection:
        return connection.execute(sa.select(table)).all()


def decide(served: Served, submission: str, state: str, now: datetime = NOW) -> None:
    """Do what a worker does when it has read a submission."""
    table = schema.submission
    with served.database.write() as connection:
        connection.execute(
            sa.update(table).where(table.c.id == submission).values(state=state, decided=now)
        )


def test_a_submission_its_job_and_its_audit_entry_come_together(served_on_both: Served) -> None:
    served = served_on_both
    anna = served.team("blue")
    receipt = served.send(anna, b"one", began=NOW, ended=NOW + SECOND)
    (row,), (job,) = rows(served, schema.submission), rows(served, schema.job)
    with served.database.read() as connection:
        last = list(entries(connection))[-1]
    assert (row.id, row.team, row.account) == (receipt.submission, anna.team, anna.account)
    assert (row.phase, row.track, row.state) == ("test", "dependencies", "waiting")
    assert (row.began, row.received) == (NOW, NOW + SECOND)
    assert (job.submission, job.kind, job.state, job.attempt) == (row.id, "score", "waiting", 0)
    assert (last.action, last.object, last.digest) == ("submit", row.id, receipt.digest)
    assert last.details["content"] == row.content == receipt.content
    assert served.store.has(receipt.content)
    assert receipt.is_new


def test_the_same_content_is_the_same_submission_however_often_it_is_sent(
    served_on_both: Served,
) -> None:
    served = served_on_both
    anna, bo = served.team("blue"), served.team("green")
    first = served.send(anna, b"one")
    again = served.send(anna, b"one", began=NOW + SECOND)
    after_close = served.send(anna, b"one", began=CLOSES + timedelta(days=1))
    assert (again.submission, again.digest, again.received) == (
        first.submission,
        first.digest,
        first.received,
    )
    assert after_close == again
    assert not again.is_new
    others = {
        served.send(anna, b"two").submission,
        served.send(anna, b"one", track="labels").submission,
        served.send(bo, b"one").submission,
    }
    assert len({first.submission, *others}) == 4
    assert len(rows(served, schema.submission)) == len(rows(served, schema.job)) == 4


def test_content_of_an_earlier_phase_may_be_sent_to_the_next(served: Served) -> None:
    anna = served.team("blue", OPENS - timedelta(days=5))
    first = served.send(anna, b"one", began=OPENS - timedelta(days=1))
    second = served.send(anna, b"one", began=OPENS)
    assert (first.phase, second.phase) == ("dev", "test")
    assert served.send(anna, b"one", phase="dev", began=NOW).submission == first.submission
    assert len(rows(served, schema.submission)) == 2


def test_the_same_content_from_two_teams_is_noted_for_organisers(served: Served) -> None:
    anna, bo = served.team("blue"), served.team("green")
    served.send(anna, b"one")
    served.send(bo, b"one")
    with served.database.read() as connection:
        last = list(entries(connection))[-1]
    assert last.details["same content from"] == [anna.team]


# ---------------------------------------------------------------------- deadlines


@pytest.mark.parametrize(
    ("began", "ended", "is_taken"),
    [
        (CLOSES - SECOND, CLOSES - SECOND, True),
        (CLOSES - SECOND, CLOSES + SECOND, True),
        (CLOSES - SECOND, CLOSES + GRACE - SECOND, True),
        (CLOSES - SECOND, CLOSES + GRACE, False),
        (CLOSES, CLOSES, False),
        (CLOSES + SECOND, CLOSES + SECOND, False),
        (OPENS - SECOND, OPENS, False),
        (OPENS, OPENS, True),
    ],
)
def test_uploads_around_a_deadline(
    served: Served, began: datetime, ended: datetime, is_taken: bool
) -> None:
    anna = served.team("blue")
    if is_taken:
        served.send(anna, b"one", phase="test", began=began, ended=ended)
    else:
        with pytest.raises(NotAllowedError, match=r"the phase 'test' (opens|closed) at"):
            served.send(anna, b"one", phase="test", began=began, ended=ended)
    assert len(rows(served, schema.submission)) == is_taken
    assert len(rows(served, schema.job)) == is_taken


def test_an_extension_counts_at_once(served: Served) -> None:
    anna = served.team("blue")
    with served.database.write() as connection:
        extend_phase(
            *(connection, served.challenge, "test", CLOSES + timedelta(days=1)),
            account=anna.account,
            now=NOW,
        )
    assert served.send(anna, b"one", began=CLOSES + SECOND).is_new


def test_the_phase_is_the_open_one_of_the_track(served: Served) -> None:
    anna = served.team("blue")
    with pytest.raises(NotThereError, match="did you mean labels"):
        served.send(anna, b"one", track="label")
    with pytest.raises(NotThereError, match="no phase 'final'"):
        served.send(anna, b"one", phase="final")
    with pytest.raises(NotThereError, match="is not for the track 'labels'"):
        served.send(anna, b"one", track="labels", phase="dev")
    with pytest.raises(NotAllowedError, match="opens at 2027-02-01 00:00 UTC"):
        served.send(anna, b"one", began=datetime(2027, 1, 1, tzinfo=UTC))
    with pytest.raises(NotAllowedError, match="opens at 2027-03-01 00:00 UTC"):
        served.send(anna, b"one", track="labels", began=OPENS - SECOND)
    with pytest.raises(NotAllowedError, match="closed at 2027-03-15 00:00 UTC"):
        served.send(anna, b"one", began=CLOSES)


def test_only_members_of_teams_send(served: Served) -> None:
    for visitor in (Visitor(), Visitor("organiser", "olga"), Visitor("member", "anna")):
        with pytest.raises(NotAllowedError, match="only members of teams"):
            served.send(visitor, b"one")


# ---------------------------------------------------------------------- quotas


def test_of_50_uploads_at_once_the_quota_lets_5_in(
    tmp_path: Path, database_url: str | None
) -> None:
    served = serve(tmp_path / "served", database_url, quota="{ total = 5 }")
    anna = served.team("blue")
    refused: list[ServerError] = []

    def send(number: int) -> None:
        try:
            served.send(anna, b"%d" % number)
        except ConflictError as error:
            refused.append(error)

    threads = [threading.Thread(target=send, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    submissions = rows(served, schema.submission)
    assert len(submissions) == len(rows(served, schema.job)) == 5
    assert sorted(row.number for row in submissions) == [1, 2, 3, 4, 5]
    assert len(refused) == 45
    with served.database.read() as connection:
        assert flaws_of_chain(connection) == []
    served.database.close()


def test_days_are_those_of_utc_and_begin_anew(tmp_path: Path) -> None:
    served = serve(tmp_path / "served", quota="{ day = 2, total = 3 }")
    anna, bo = served.team("blue"), served.team("green")
    evening = datetime(2027, 3, 5, 23, 59, 59, tzinfo=UTC)
    served.send(anna, b"1", began=NOW)
    served.send(anna, b"2", began=evening)
    with pytest.raises(ConflictError, match="from 2027-03-06 00:00 UTC on"):
        served.send(anna, b"3", began=evening)
    assert served.send(anna, b"1", began=evening).is_new is False
    served.send(bo, b"3", began=evening)
    served.send(anna, b"3", began=evening + SECOND)
    with pytest.raises(ConflictError, match="has sent 3 submissions in the phase 'test'; no more"):
        served.send(anna, b"4", began=evening + timedelta(days=2))
    served.database.close()


def test_refused_ones_have_a_limit_of_their_own_and_failures_count_nowhere(
    tmp_path: Path,
) -> None:
    served = serve(tmp_path / "served", quota="{ total = 2, refused_an_hour = 3 }")
    anna = served.team("blue")
    for number in range(4):
        decide(served, served.send(anna, b"failed %d" % number).submission, "failed")
    for number in range(3):
        decide(served, served.send(anna, b"refused %d" % number).submission, "refused")
    with pytest.raises(ConflictError, match="3 submissions of your team were refused within an"):
        served.send(anna, b"good")
    later = NOW + timedelta(hours=1)
    decide(served, served.send(anna, b"good", began=later).submission, "accepted", later)
    served.send(anna, b"another", began=later)
    with pytest.raises(ConflictError, match="2 submissions"):
        served.send(anna, b"a third", began=later)
    with served.database.read() as connection:
        use = quota_use(connection, anna.team, phase_named(served.challenge, "test"), later)
    assert (use.today, use.total, use.refused_last_hour) == (2, 2, 0)
    assert (use.day_limit, use.total_limit, use.refused_limit) == (None, 2, 3)
    served.database.close()


STATES = st.sampled_from(["waiting", "accepted", "refused", "failed"])


@settings(examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(STATES, st.integers(0, 50)), max_size=12), st.integers(1, 4))
def test_quotas_are_counted_as_by_hand(
    served: Served, sent: list[tuple[str, int]], limit: int
) -> None:
    """The slow twin keeps a list and counts it anew for every upload."""
    test = phase_named(served.challenge, "test")
    limited = replace(test, quota=Quota(day=limit, total=2 * limit, refused_an_hour=limit))
    challenge = replace(served.challenge, phases=(limited,))
    anna = served.team(schema.new_id())
    taken: list[tuple[str, datetime]] = []
    for number, (state, hours) in enumerate(sorted(sent, key=lambda one: one[1])):
        now = OPENS + timedelta(hours=hours)
        counting = [when for how, when in taken if how in ("waiting", "accepted")]
        today = [when for when in counting if when.date() == now.date()]
        hour = timedelta(hours=1)
        refused = [when for how, when in taken if how == "refused" and when > now - hour]
        is_taken = len(counting) < 2 * limit and len(today) < limit and len(refused) < limit
        blob = served.blob(b"%d" % number)
        try:
            receipt = accept(
                *(served.database, challenge, anna, blob),
                track="dependencies",
                began=now,
                ended=now,
            )
        except ConflictError:
            assert not is_taken
        else:
            assert is_taken
            decide(served, receipt.submission, state, now)
            taken.append((state, now))


# ---------------------------------------------------------------------- crashes


def test_a_crash_behind_the_commit_loses_nothing(served: Served) -> None:
    anna = served.team("blue")
    reached = []

    class Stop(Points):
        def reached(self, name: str) -> None:
            reached.append(name)
            raise KeyboardInterrupt

    blob = served.blob(b"one")
    with pytest.raises(KeyboardInterrupt):
        accept(
            *(served.database, served.challenge, anna, blob),
            track="dependencies",
            began=NOW,
            ended=NOW,
            points=Stop(),
        )
    assert reached == ["committed"]
    (row,) = rows(served, schema.submission)
    again = served.send(anna, b"one")
    assert (again.submission, again.is_new) == (row.id, False)


def test_what_fails_before_the_commit_leaves_no_row(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = served.team("blue")

    def fail(*arguments: object, **more: object) -> str:
        raise RuntimeError

    monkeypatch.setattr("treegauge.challenge_server.intake.add_job", fail)
    with pytest.raises(RuntimeError):
        served.send(anna, b"one")
    assert rows(served, schema.submission) == []
    monkeypatch.undo()
    assert served.send(anna, b"one").is_new


# ---------------------------------------------------------------------- later


def test_a_team_chooses_among_the_submissions_of_a_system(served: Served) -> None:
    anna, bo = served.team("blue"), served.team("green")
    first, second, waiting = (
        served.send(anna, content).submission for content in (b"1", b"2", b"3")
    )
    table = schema.submission
    with served.database.write() as connection:
        connection.execute(sa.update(table).values(system="ours"))
    for id in (first, second):
        decide(served, id, "accepted")
    with served.database.write() as connection:
        choose_submission(connection, anna, first, now=NOW)
        choose_submission(connection, anna, second, now=NOW)
        with pytest.raises(NotThereError):
            choose_submission(connection, bo, first, now=NOW)
        with pytest.raises(ConflictError, match="this submission is waiting"):
            choose_submission(connection, anna, waiting, now=NOW)
    assert {row.id for row in rows(served, table) if row.chosen} == {second}


def test_what_was_accepted_or_failed_is_scored_again(served: Served) -> None:
    anna = served.team("blue")
    ids = [served.send(anna, b"%d" % number).submission for number in range(4)]
    for id, state in zip(ids, ("accepted", "failed", "refused", "waiting"), strict=True):
        decide(served, id, state)
    with served.database.write() as connection:
        assert score_again(connection, None, actor="olga", now=NOW) == 2
        assert score_again(connection, [ids[0], ids[2], "unknown"], actor="olga", now=NOW) == 1
    assert len(rows(served, schema.job)) == 7
