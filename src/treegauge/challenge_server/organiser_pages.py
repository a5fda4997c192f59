"""Pages for organisers: teams, phases, jobs, disk, the audit log; everything done is in the log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from starlette.responses import Response
from starlette.routing import BaseRoute

from treegauge.challenge_server import accounts, audit, schema
from treegauge.challenge_server.errors import ConflictError, NotThereError, ServerError
from treegauge.challenge_server.intake import score_again
from treegauge.challenge_server.invitations import add_invited_team, invite
from treegauge.challenge_server.permissions import TeamObject
from treegauge.challenge_server.phases import are_scores_shown, extend_phase, publish_scores
from treegauge.challenge_server.public_pages import size_in_words
from treegauge.challenge_server.submission_view import object_of, submission_row
from treegauge.challenge_server.visits import Visit, form_route, page_route
from treegauge.challenges import ChallengeError
from treegauge.challenges.times import parse_time, shown_time
from treegauge.tables import Table
from treegauge.wording import counted

_ENTRIES = 100
"""Entries of the audit log on a page."""
_SHOWN_SUBMISSIONS = 200


def organiser(visit: Visit) -> Response:
    """Show everything: teams, phases, jobs, disk, submissions."""
    visit.must("organise")
    server = visit.server
    with server.database.read() as connection:
        teams = accounts.teams(connection)
        members = {team.id: accounts.members_of(connection, team.id) for team in teams}
        counts = _counts(connection)
        jobs, failed = _jobs(connection)
        submissions = _submissions(connection, {team.id: team.name for team in teams})
        same = _same_content(connection)
    number = sum(counts.values())
    free = size_in_words(server.blobs.free_bytes())
    numbers = [
        (str(len(teams)), "teams"),
        (str(number), "submissions"),
        (str(len(failed)), "jobs failed"),
        (size_in_words(server.blobs.used_bytes()), f"of uploads; {free} are free"),
    ]
    return visit.page(
        "organiser.html",
        title="Organisers",
        summary=f"{counted(len(teams), 'team')}, {counted(number, 'submission')}",
        numbers=numbers,
        teams=[
            {
                "id": team.id,
                "name": team.name,
                "withdrawn": shown_time(team.withdrawn) if team.withdrawn else "",
                "about": f"{', '.join(m.name for m in members[team.id]) or 'nobody joined yet'}; "
                f"{counted(counts.get(team.id, 0), 'submission')}",
            }
            for team in teams
        ],
        phases=[_phase(visit, phase) for phase in visit.challenge.phases],
        jobs=jobs,
        failed=failed,
        submissions=submissions,
        same=same,
    )


def _phase(visit: Visit, phase: Any) -> dict[str, Any]:
    now = visit.now
    is_open = phase.opens <= now < phase.closes
    return {
        "name": phase.name,
        "state": "open" if is_open else "ahead" if now < phase.opens else "closed",
        "opens": shown_time(phase.opens),
        "closes": shown_time(phase.closes),
        "scores": f"show from {shown_time(phase.scores_from)}",
        "may_publish": now >= phase.ends and not are_scores_shown(phase, now),
    }


def _counts(connection: Connection) -> dict[str, int]:
    table = schema.submission
    rows = connection.execute(sa.select(table.c.team, sa.func.count()).group_by(table.c.team))
    return {row.team: row[1] for row in rows}


def _jobs(connection: Connection) -> tuple[Table, list[dict[str, str]]]:
    table = schema.job
    rows = connection.execute(
        sa.select(table.c.kind, table.c.state, sa.func.count(), sa.func.min(table.c.created))
        .group_by(table.c.kind, table.c.state)
        .order_by(table.c.kind, table.c.state)
    )
    cells = [
        [kind, state, str(number), shown_time(oldest) if oldest else ""]
        for kind, state, number, oldest in rows
    ]
    failed = connection.execute(
        sa.select(table.c.submission, table.c.message, table.c.finished)
        .where(table.c.state == "failed", table.c.submission.is_not(None))
        .order_by(table.c.created.desc())
        .limit(_ENTRIES)
    )
    shown = [
        {
            "submission": row.submission,
            "about": f"submission {row.submission}",
            "message": row.message or "no message",
        }
        for row in failed
    ]
    return Table(["kind", "state", "jobs", "the oldest"], cells, "Jobs by state"), shown


def _submissions(connection: Connection, names: dict[str, str]) -> list[dict[str, str]]:
    table = schema.submission
    rows = connection.execute(
        sa.select(table).order_by(table.c.number.desc()).limit(_SHOWN_SUBMISSIONS)
    )
    return [
        {
            "id": row.id,
            "received": shown_time(row.received),
            "team": names[row.team],
            "phase": row.phase,
            "track": row.track,
            "system": row.system or "",
            "state": row.state,
        }
        for row in rows
    ]


def _same_content(connection: Connection) -> str:
    """Return the beginnings of contents that more than one team has sent."""
    table = schema.submission
    rows = connection.scalars(
        sa.select(table.c.content)
        .group_by(table.c.content)
        .having(sa.func.count(table.c.team.distinct()) > 1)
        .limit(_ENTRIES)
    )
    return ", ".join(content[:16] for content in rows)


# ---------------------------------------------------------------------- teams


def add_team(visit: Visit) -> Response:
    """Add a team, and show the link into it once."""
    visit.must("invite")
    team, secret = add_invited_team(
        visit.server.database,
        visit.form.get("name", ""),
        actor=visit.visitor.account,
        now=visit.now,
    )
    return _link_page(visit, team.name, secret)


def invite_member(visit: Visit) -> Response:
    """Make another link into a team."""
    team = _team(visit)
    visit.must("invite", TeamObject(team.id))
    secret = invite(visit.server.database, team.name, actor=visit.visitor.account, now=visit.now)
    return _link_page(visit, team.name, secret)


def _link_page(visit: Visit, team: str, secret: str) -> Response:
    address = visit.server.settings.address or str(visit.request.base_url)
    return visit.page(
        "secret.html",
        title="An invitation",
        text=f"An invitation to the team {team}. It works once, within two weeks.",
        secret=f"{address.rstrip('/')}/join/{secret}",
        note="Anyone who has it can join.",
        back="/organiser",
    )


def _team(visit: Visit) -> accounts.Team:
    """Return the team of the path, to organisers alone."""
    visit.must("organise")
    with visit.server.database.read() as connection:
        team = accounts.team_by_id(connection, visit.part("id"))
    if team is None:
        raise NotThereError("there is no such team")
    return team


def withdraw(visit: Visit) -> Response:
    """Take a team from the board."""
    team = _team(visit)
    visit.must("withdraw team", TeamObject(team.id))
    with visit.server.database.write() as connection:
        accounts.withdraw_team(connection, team.id, **_deed(visit))
    return visit.go("/organiser#teams")


def put_back(visit: Visit) -> Response:
    """Put a team that was withdrawn back on the board."""
    team = _team(visit)
    visit.must("withdraw team", TeamObject(team.id))
    with visit.server.database.write() as connection:
        accounts.reinstate_team(connection, team.id, **_deed(visit))
    return visit.go("/organiser#teams")


def _deed(visit: Visit) -> dict[str, Any]:
    """Return who does something, when and why, for the audit log."""
    reason = visit.form.get("reason", "")[:500]
    return {"actor": visit.visitor.account, "now": visit.now, "reason": reason}


# ---------------------------------------------------------------------- phases


def extend(visit: Visit) -> Response:
    """Let a phase close later."""
    visit.must("extend phase")
    try:
        closes = parse_time(visit.form.get("closes", ""), place="the new close", day="ends")
    except ChallengeError as error:
        raise ServerError(str(error)) from None
    if not visit.form.get("reason", "").strip():
        raise ServerError("give a reason for extending the phase: the audit log records it")
    with visit.server.database.write() as connection:
        extend_phase(
            connection,
            visit.server.folder.challenge,
            visit.form.get("phase", ""),
            closes,
            **_change(visit),
        )
    return visit.go("/organiser#phases")


def publish(visit: Visit) -> Response:
    """Show the scores of a phase from now on."""
    visit.must("publish scores")
    with visit.server.database.write() as connection:
        publish_scores(
            connection,
            visit.server.folder.challenge,
            visit.form.get("phase", ""),
            **_change(visit),
        )
    return visit.go("/organiser#phases")


def _change(visit: Visit) -> dict[str, Any]:
    reason = visit.form.get("reason", "")[:500]
    return {"account": visit.visitor.account, "now": visit.now, "reason": reason}


# ---------------------------------------------------------------------- scoring again


def rescore(visit: Visit) -> Response:
    """Let a submission be scored again."""
    id = visit.part("id")
    visit.must("rescore")
    with visit.server.database.write() as connection:
        row = submission_row(connection, id)
        visit.must("rescore", object_of(visit.challenge, row))
        if not score_again(connection, [id], actor=visit.visitor.account, now=visit.now):
            raise ConflictError(f"this submission is {row.state}, and cannot be scored")
    return visit.go("/organiser#jobs")


def rescore_all(visit: Visit) -> Response:
    """Let everything be scored again."""
    visit.must("rescore")
    with visit.server.database.write() as connection:
        score_again(connection, None, actor=visit.visitor.account, now=visit.now)
    return visit.go("/organiser#jobs")


# ---------------------------------------------------------------------- the audit log


def audit_log(visit: Visit) -> Response:
    """Show the audit log, the newest entries first."""
    visit.must("see audit log")
    asked = visit.request.query_params.get("before", "")
    before = int(asked) if asked.isdecimal() and len(asked) < 10 else None
    with visit.server.database.read() as connection:
        rows = list(audit.entries(connection, last=_ENTRIES, before=before))
        head = audit.head(connection)
        table = schema.account
        rows_of_names = connection.execute(sa.select(table.c.id, table.c.name))
        names = {row.id: row.name for row in rows_of_names}
    cells = [
        [
            str(one.number),
            shown_time(one.time),
            names.get(one.actor, one.actor),
            one.action,
            one.object,
            json.dumps(one.details, ensure_ascii=False) if one.details else "",
        ]
        for one in reversed(rows)
    ]
    columns = ["number", "time", "who", "what", "object", "details"]
    first = rows[0].number if rows else 1
    return visit.page(
        "audit.html",
        title="Audit log",
        head=head,
        entries=Table(columns, cells, "Entries, newest first"),
        older=first if first > 1 else None,
        newer=None if before is None else before + _ENTRIES,
    )


ROUTES: Sequence[BaseRoute] = (
    page_route("/organiser", organiser),
    page_route("/organiser/audit", audit_log),
    form_route("/organiser/teams", add_team),
    form_route("/organiser/teams/{id}/invite", invite_member),
    form_route("/organiser/teams/{id}/withdraw", withdraw),
    form_route("/organiser/teams/{id}/restore", put_back),
    form_route("/organiser/phases/extend", extend),
    form_route("/organiser/phases/publish", publish),
    form_route("/organiser/submissions/{id}/rescore", rescore),
    form_route("/organiser/rescore", rescore_all),
)
