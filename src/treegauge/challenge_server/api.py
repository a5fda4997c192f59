"""The interface for programs: JSON under `/api/1`, as `openapi.py` describes it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from treegauge.challenge_server.accounts import team_by_id
from treegauge.challenge_server.errors import NotSignedInError
from treegauge.challenge_server.intake import Receipt
from treegauge.challenge_server.invitations import redeem
from treegauge.challenge_server.openapi import openapi_document
from treegauge.challenge_server.permissions import TeamObject
from treegauge.challenge_server.phases import open_phases
from treegauge.challenge_server.public_pages import slow_down
from treegauge.challenge_server.submission_view import (
    object_of,
    rows_of_team,
    submission_row,
    view_of,
)
from treegauge.challenge_server.uploads import take_raw
from treegauge.challenge_server.visits import (
    Visit,
    program_route,
    program_visit,
    streaming_route,
    whole_body,
)
from treegauge.challenge_server.web_errors import WebError

_TOKEN_NAME = "treegauge challenge join"


def openapi(visit: Visit) -> Response:
    """Describe this interface."""
    from treegauge import __version__

    visit.must("see board")
    challenge = visit.challenge
    return JSONResponse(openapi_document(challenge.title or challenge.name, __version__))


def challenge(visit: Visit) -> Response:
    """Describe the challenge: tracks, phases as they are now, packs that are out."""
    visit.must("see board")
    now, described = visit.now, visit.challenge
    open_now = open_phases(described, now)
    return JSONResponse(
        {
            "schema": 1,
            "name": described.name,
            "title": described.title,
            "contact": described.contact,
            "tracks": [
                {
                    "name": track.name,
                    "title": track.title,
                    "annotate": list(track.annotate),
                    "metrics": [str(spec) for spec in track.metrics],
                    "primary": str(track.primary),
                }
                for track in described.tracks
            ],
            "phases": [
                {
                    "name": phase.name,
                    "part": phase.part,
                    "tracks": list(phase.tracks),
                    "opens": _time(phase.opens),
                    "closes": _time(phase.closes),
                    "ends": _time(phase.ends),
                    "scores_from": _time(phase.scores_from),
                    "is_open": phase in open_now,
                }
                for phase in described.phases
            ],
            "packs": [
                {
                    "name": pack.name,
                    "kind": pack.kind,
                    "track": pack.track,
                    "sha256": pack.sha256,
                    "bytes": pack.size,
                    "path": f"/packs/{pack.name}",
                }
                for pack in visit.server.packs_now().packs
                if visit.may("download pack", pack.object(described))
            ],
        }
    )


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()


async def join(visit: Visit) -> Response:
    """Redeem an invitation for a token."""
    from starlette.concurrency import run_in_threadpool

    visit.must("see board")
    slow_down(visit, "")
    try:
        form = json.loads(await whole_body(visit, visit.server.settings.limits.form))
    except (ValueError, RecursionError):
        form = None
    if not isinstance(form, dict) or not all(isinstance(one, str) for one in form.values()):
        raise WebError(400, 'Expected JSON such as {"invitation": "…", "name": "…"}.')

    def redeemed() -> dict[str, Any]:
        server = visit.server
        done = redeem(
            server.database,
            form.get("invitation", ""),
            now=visit.now,
            name=form.get("name", ""),
            token_name=_TOKEN_NAME,
            passwords=server.passwords,
        )
        with server.database.read() as connection:
            team = team_by_id(connection, done.account.team) if done.account.team else None
        name = team.name if team else None
        return {"schema": 1, "name": done.account.name, "team": name, "token": done.token}

    return JSONResponse(await run_in_threadpool(redeemed), 201)


def me(visit: Visit) -> Response:
    """Say whose token this is."""
    _need_token(visit)
    visit.must("use own account")
    with visit.server.database.read() as connection:
        team = team_by_id(connection, visit.visitor.team) if visit.visitor.team else None
    who = visit.visitor
    name = team.name if team else None
    return JSONResponse({"schema": 1, "name": who.name, "role": who.role, "team": name})


def _need_token(visit: Visit) -> None:
    if not visit.visitor.account:
        visit.has_asked = True
        raise NotSignedInError("send your token as `Authorization: Bearer TOKEN`")


# ---------------------------------------------------------------------- submissions


async def submit(visit: Visit) -> Response:
    """Take a submission; 201 the first time, 200 every other."""
    from starlette.concurrency import run_in_threadpool

    _need_token(visit)
    asked = visit.request.query_params
    receipt = await take_raw(visit, track=asked.get("track", ""), phase=asked.get("phase", ""))
    document = await run_in_threadpool(_sent, visit, receipt)
    visit.server.points.reached("answered")
    return JSONResponse(document, 201 if receipt.is_new else 200)


def _sent(visit: Visit, receipt: Receipt) -> dict[str, Any]:
    with visit.server.database.read() as connection:
        row = submission_row(connection, receipt.submission)
        view = view_of(connection, visit.challenge, visit.visitor, row, visit.now)
    return {
        "schema": 1,
        "submission": view.document(),
        "receipt": {
            "submission": receipt.submission,
            "sha256": receipt.content,
            "received": _time(receipt.received),
            "audit": receipt.digest,
        },
    }


def submissions(visit: Visit) -> Response:
    """List the submissions of the team."""
    _need_token(visit)
    visit.must("submit")
    visit.must("see team", TeamObject(visit.visitor.team))
    with visit.server.database.read() as connection:
        rows = rows_of_team(connection, visit.visitor.team)
        views = [
            view_of(connection, visit.challenge, visit.visitor, row, visit.now) for row in rows
        ]
    return JSONResponse({"schema": 1, "submissions": [view.document() for view in views]})


def submission(visit: Visit) -> Response:
    """Say how far a submission has come."""
    _need_token(visit)
    with visit.server.database.read() as connection:
        row = submission_row(connection, visit.part("id"))
        visit.must("see submission", object_of(visit.challenge, row))
        view = view_of(connection, visit.challenge, visit.visitor, row, visit.now)
    return JSONResponse({"schema": 1, "submission": view.document()})


ROUTES: Sequence[BaseRoute] = (
    program_route("/api/1/openapi.json", openapi),
    program_route("/api/1/challenge", challenge),
    streaming_route("/api/1/join", join, program_visit),
    program_route("/api/1/me", me),
    program_route("/api/1/submissions", submissions),
    streaming_route("/api/1/submissions", submit, program_visit),
    program_route("/api/1/submissions/{id}", submission),
)
