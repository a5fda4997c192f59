"""Pages for members: their team, uploads, submissions, and their account."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import BaseRoute

from treegauge.challenge_server import accounts
from treegauge.challenge_server.errors import NotSignedInError, ServerError
from treegauge.challenge_server.intake import choose_submission, quota_use
from treegauge.challenge_server.passwords import SHORTEST
from treegauge.challenge_server.permissions import TeamObject
from treegauge.challenge_server.phases import are_scores_shown, open_phases
from treegauge.challenge_server.public_pages import size_in_words, slow_down
from treegauge.challenge_server.signing_in import (
    change_password,
    insert_token,
    revoke,
    sign_ins_of,
)
from treegauge.challenge_server.submission_view import (
    object_of,
    rows_of_team,
    scored_ids,
    submission_row,
    view_of,
)
from treegauge.challenge_server.uploads import take_form
from treegauge.challenge_server.visits import (
    Visit,
    browser_visit,
    form_route,
    page_route,
    set_cookie,
    streaming_route,
)
from treegauge.challenges.times import shown_time
from treegauge.tables import Table

_REFRESH = 5
"""Seconds after which the page of a submission that is not done yet is loaded again."""


def team(visit: Visit) -> Response:
    """Show a team: the form to upload, what is left of quotas, submissions."""
    if visit.visitor.role == "organiser":
        visit.must("organise")
        return visit.go("/organiser")
    visit.must("submit")
    own = visit.visitor.team
    visit.must("see team", TeamObject(own))
    with visit.server.database.read() as connection:
        about = accounts.team_by_id(connection, own)
        members = accounts.members_of(connection, own)
        rows = rows_of_team(connection, own)
        open_now = open_phases(visit.challenge, visit.now)
        uses = {phase: quota_use(connection, own, phase, visit.now) for phase in open_now}
        shown = [one.name for one in visit.challenge.phases if are_scores_shown(one, visit.now)]
        scored = scored_ids(connection, own, shown)
    assert about is not None
    quotas = [
        [
            phase.name,
            _of(use.today, use.day_limit),
            _of(use.total, use.total_limit),
            _of(use.refused_last_hour, use.refused_limit),
        ]
        for phase, use in uses.items()
    ]
    withdrawn = " The organisers removed it from the leaderboard." if about.withdrawn else ""
    return visit.page(
        "team.html",
        title=about.name,
        members=f"Members: {', '.join(one.name for one in members)}.{withdrawn}",
        targets=[
            {"phase": phase.name, "track": track, "closes": shown_time(phase.closes)}
            for phase in open_now
            for track in phase.tracks
        ],
        largest=size_in_words(visit.server.settings.limits.upload),
        quotas=Table(
            ["phase", "sent today", "sent in total", "refused this hour"],
            quotas,
            "What your team has used",
        ),
        submissions=[
            {
                "id": row.id,
                "received": shown_time(row.received),
                "phase": row.phase,
                "track": row.track,
                "system": row.system or "",
                "state": "scored" if row.id in scored else row.state,
            }
            for row in rows
        ],
    )


def _of(used: int, limit: int | None) -> str:
    return f"{used}" if limit is None else f"{used} of {limit}"


async def upload(visit: Visit) -> Response:
    """Take a submission from a browser."""
    receipt = await take_form(visit)
    visit.server.points.reached("answered")
    return RedirectResponse(f"/submissions/{receipt.submission}", 303)


# ---------------------------------------------------------------------- submissions


def submission(visit: Visit) -> Response:
    """Show a submission: how far it has come, findings, scores once they show, the receipt."""
    with visit.server.database.read() as connection:
        row = submission_row(connection, visit.part("id"))
        about = object_of(visit.challenge, row)
        visit.must("see submission", about)
        view = view_of(connection, visit.challenge, visit.visitor, row, visit.now)
        own_team = accounts.team_by_id(connection, row.team)
    assert own_team is not None
    scores = view.table()
    has_page = scores is not None and row.canonical and own_team.withdrawn is None
    return visit.page(
        "submission.html",
        title=row.system or f"Submission {row.number}",
        lead=f"{own_team.name}: {row.track}, {row.phase}",
        id=row.id,
        state=view.state,
        message=view.message,
        findings=row.findings or "",
        scores=scores,
        board_page=f"submissions/{row.canonical[:16]}.html" if has_page else "",
        refresh="" if view.is_final else _REFRESH,
        receipt=[
            ("submission", row.id),
            ("SHA-256", row.content),
            ("bytes", f"{row.size:,}"),
            ("upload began", row.began.isoformat()),
            ("received", row.received.isoformat()),
            ("head of the audit log", row.receipt),
        ],
        may_choose=visit.may("choose submission", about) and row.state == "accepted",
        may_rescore=visit.may("rescore", about),
    )


def submission_zip(visit: Visit) -> Response:
    """Send what was sent, byte for byte."""
    with visit.server.database.read() as connection:
        row = submission_row(connection, visit.part("id"))
    visit.must("download submission", object_of(visit.challenge, row))
    path = visit.server.blobs.path(row.content)
    return FileResponse(path, media_type="application/zip", filename=f"submission-{row.id}.zip")


def choose(visit: Visit) -> Response:
    """Let a submission count for its system."""
    id = visit.part("id")
    with visit.server.database.write() as connection:
        row = submission_row(connection, id)
        visit.must("choose submission", object_of(visit.challenge, row))
        choose_submission(connection, visit.visitor, id, now=visit.now)
    return visit.go(f"/submissions/{id}")


# ---------------------------------------------------------------------- the account


def account(visit: Visit) -> Response:
    """Show tokens, sessions, and the form for another password."""
    visit.must("use own account")
    return _account_page(visit)


def _account_page(visit: Visit, notice: str = "", status: int = 200) -> Response:
    with visit.server.database.read() as connection:
        own = sign_ins_of(connection, visit.visitor.account, visit.now)

    def shown(kind: str) -> list[dict[str, Any]]:
        return [
            {"id": one.id, "name": one.name, "created": shown_time(one.created)}
            for one in own
            if one.kind == kind
        ]

    return visit.page(
        "account.html",
        status,
        title=visit.visitor.name,
        tokens=shown("token"),
        sessions=shown("session"),
        shortest=SHORTEST,
        notice=notice,
    )


def _own_account(visit: Visit) -> accounts.Account:
    who = visit.visitor
    assert who.role != "public"
    return accounts.Account(who.account, who.name, who.role, who.team)


def make_token(visit: Visit) -> Response:
    """Make a token for programs, and show it once."""
    visit.must("use own account")
    with visit.server.database.write() as connection:
        name = visit.form.get("name", "")
        token = insert_token(connection, _own_account(visit), name, now=visit.now)
    return visit.page(
        "secret.html",
        title="A token",
        text="Save it in a file that only you can read, and give that file with --token-file.",
        secret=token,
        note="Anyone who has it can send submissions in your team's name.",
        back="/account",
    )


def revoke_sign_in(visit: Visit) -> Response:
    """End a token or the session of a browser."""
    visit.must("use own account")
    with visit.server.database.write() as connection:
        revoke(connection, visit.visitor.account, visit.part("id"), now=visit.now)
    return visit.go("/account")


def password(visit: Visit) -> Response:
    """Set another password; all sessions end, and this browser gets a new one."""
    visit.must("use own account")
    slow_down(visit, visit.visitor.name)
    server, form = visit.server, visit.form
    try:
        secret = change_password(
            server.database,
            _own_account(visit),
            form.get("old", ""),
            form.get("password", ""),
            now=visit.now,
            passwords=server.passwords,
        )
    except (NotSignedInError, ServerError) as error:
        if error.status not in (400, 401):
            raise
        text = str(error)
        return _account_page(visit, f"{text[0].upper()}{text[1:]}.", 400)
    response = visit.go("/account")
    set_cookie(response, visit.request, "session", secret)
    return response


ROUTES: Sequence[BaseRoute] = (
    page_route("/team", team),
    streaming_route("/team/upload", upload, browser_visit),
    page_route("/submissions/{id}", submission),
    page_route("/submissions/{id}/zip", submission_zip),
    form_route("/submissions/{id}/choose", choose),
    page_route("/account", account),
    form_route("/account/tokens", make_token),
    form_route("/account/tokens/{id}/revoke", revoke_sign_in),
    form_route("/account/sessions/{id}/revoke", revoke_sign_in),
    form_route("/account/password", password),
)
