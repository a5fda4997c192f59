"""Pages for everybody: the front page, the board, packs, logging in, joining."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from treegauge.challenge_server.accounts import account_by_id
from treegauge.challenge_server.board_bytes import board_policy
from treegauge.challenge_server.errors import NotSignedInError, ServerError
from treegauge.challenge_server.invitations import find_invitation, redeem
from treegauge.challenge_server.page_writing import script, style_sheet
from treegauge.challenge_server.passwords import SHORTEST
from treegauge.challenge_server.permissions import PUBLIC, must
from treegauge.challenge_server.phases import open_phases
from treegauge.challenge_server.schema import Audience
from treegauge.challenge_server.signing_in import insert_session, log_in, log_out
from treegauge.challenge_server.visits import (
    Visit,
    browser_visit,
    cookie_name,
    forget_cookie,
    form_route,
    page_route,
    set_cookie,
)
from treegauge.challenge_server.web_errors import WebError, not_found
from treegauge.challenges.system_file import name_key
from treegauge.challenges.times import shown_time
from treegauge.tables import Table

_AUDIENCES: dict[str, Audience] = {
    "public": "public",
    "member": "participants",
    "organiser": "organisers",
}


def front(visit: Visit) -> Response:
    """Show the challenge: phases, packs, how to take part, rules."""
    visit.must("see board")
    challenge = visit.challenge
    packs = [
        {
            "name": one.name,
            "about": one.about,
            "size": size_in_words(one.size),
            "sha256": one.sha256,
        }
        for one in visit.server.packs_now().packs
        if visit.may("download pack", one.object(challenge))
    ]
    return visit.page(
        "front.html",
        title=challenge.title or challenge.name,
        contact=challenge.contact,
        phases=phases_table(visit),
        packs=packs,
        address=visit.server.settings.address or str(visit.request.base_url).rstrip("/"),
        track=_track_to_try(visit),
        rules=visit.server.rules,
    )


def _track_to_try(visit: Visit) -> str:
    """Return a track that takes submissions now, of a test part if there is one."""
    open_now = open_phases(visit.challenge, visit.now)
    of_test = [phase for phase in open_now if phase.part == "test"]
    names = [name for phase in (*of_test, *open_now) for name in phase.tracks]
    return names[0] if names else visit.challenge.tracks[0].name


def phases_table(visit: Visit) -> Table:
    """Return the phases as they are now."""
    open_now = open_phases(visit.challenge, visit.now)
    columns = ["phase", "now", "part", "tracks", "opens", "closes", "scores show from"]
    rows = [
        [
            phase.name,
            "open" if phase in open_now else "ahead" if visit.now < phase.opens else "closed",
            phase.part,
            ", ".join(phase.tracks),
            shown_time(phase.opens),
            shown_time(phase.closes),
            shown_time(phase.scores_from),
        ]
        for phase in visit.challenge.phases
    ]
    return Table(columns, rows, "Phases")


def size_in_words(size: int) -> str:
    """Return how large a file is.

    >>> size_in_words(1_234_567), size_in_words(512)
    ('1.2 MB', '512 bytes')
    """
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} bytes"


def download_pack(visit: Visit) -> Response:
    """Send a pack that is out."""
    pack = visit.server.packs_now().pack(visit.part("name"))
    visit.must("see board")
    if pack is None or not visit.may("download pack", pack.object(visit.challenge)):
        raise not_found()
    media_type = "application/zip" if pack.name.endswith(".zip") else "text/plain"
    headers = {"X-Content-SHA256": pack.sha256, "ETag": f'"{pack.sha256}"'}
    return FileResponse(pack.path, headers=headers, media_type=media_type, filename=pack.name)


# ---------------------------------------------------------------------- the board


async def board(request: Request) -> Response:
    """Send a page of the board, as workers built it for the visitor's audience."""
    visitor = PUBLIC
    if cookie_name(request, "session") in request.cookies:
        visitor = (await browser_visit(request)).visitor
    now = request.scope["treegauge.now"]
    must(visitor, "see board", None, now)
    path = request.path_params["path"] or "index.html"
    page = await request.app.state.server.boards.page(_AUDIENCES[visitor.role], path, now)
    if page is None and path == "index.html":
        raise WebError(
            503, "The leaderboard is being built. Look again in a minute.", retry_after=30
        )
    if page is None:
        raise not_found()
    headers = {
        "ETag": f'"{page.etag}"',
        "Cache-Control": "private, no-cache",
        "Vary": "Cookie",
        "Content-Security-Policy": board_policy(),
    }
    known = request.headers.get("if-none-match", "")
    if page.etag in (one.strip().removeprefix("W/").strip('"') for one in known.split(",")):
        return Response(status_code=304, headers=headers)
    if not page.media_type.startswith(("text/html", "text/javascript", "application/javascript")):
        headers["Content-Disposition"] = "attachment"
    return Response(page.content, headers=headers, media_type=page.media_type)


# ---------------------------------------------------------------------- logging in


def login_page(visit: Visit) -> Response:
    """Show the form to log in."""
    visit.must("see board")
    return visit.page("login.html", title="Log in")


def login(visit: Visit) -> Response:
    """Check a name and a password; a new session begins."""
    visit.must("see board")
    name, password = visit.form.get("name", ""), visit.form.get("password", "")
    slow_down(visit, name)
    server = visit.server
    try:
        secret, visitor = log_in(
            server.database, name, password, now=visit.now, passwords=server.passwords
        )
    except NotSignedInError as error:
        text = f"{error}."
        return visit.page("login.html", 401, title="Log in", notice=text[0].upper() + text[1:])
    _end_session(visit)
    response = visit.go("/organiser" if visitor.role == "organiser" else "/team")
    set_cookie(response, visit.request, "session", secret)
    forget_cookie(response, visit.request, "form")
    return response


def slow_down(visit: Visit, name: str) -> None:
    """Refuse attempts that come too fast, for a name and for an address."""
    address = visit.request.client.host if visit.request.client else ""
    server = visit.server
    wait = max(
        server.logins_of_address.seconds_to_wait(address),
        server.logins_of_account.seconds_to_wait(name_key(name)) if name else 0.0,
    )
    if wait:
        raise WebError(
            429,
            f"Too many attempts. Try again in {int(wait) + 1} seconds.",
            retry_after=int(wait) + 1,
        )


def logout(visit: Visit) -> Response:
    """End the session of this browser."""
    visit.must("see board")
    _end_session(visit)
    response = visit.go("/")
    forget_cookie(response, visit.request, "session")
    return response


def _end_session(visit: Visit) -> None:
    if visit.session:
        with visit.server.database.write() as connection:
            log_out(connection, visit.session, now=visit.now)


# ---------------------------------------------------------------------- joining


def join_page(visit: Visit) -> Response:
    """Show what an invitation is for, and the form to redeem it; looking does not use it."""
    visit.must("see board")
    secret = visit.part("secret")
    slow_down(visit, "")
    return _join_form(visit, secret)


def _join_form(visit: Visit, secret: str, notice: str = "", status: int = 200) -> Response:
    with visit.server.database.read() as connection:
        invitation = find_invitation(connection, secret, visit.now)
    into = f"the team {invitation.team.name}" if invitation.team else "the organisers"
    account = invitation.account
    return visit.page(
        "join.html",
        status,
        title="Join" if account is None else "Choose a password",
        about=f"An invitation to {into}.",
        invitation=secret,
        account_name=account.name if account else "",
        shortest=SHORTEST,
        notice=notice,
    )


def join(visit: Visit) -> Response:
    """Redeem an invitation; the browser is logged in."""
    visit.must("see board")
    slow_down(visit, "")
    form, server = visit.form, visit.server
    secret = form.get("invitation", "")
    try:
        redeemed = redeem(
            server.database,
            secret,
            now=visit.now,
            name=form.get("name", ""),
            password=form.get("password", ""),
            passwords=server.passwords,
        )
    except ServerError as error:
        if error.status not in (400, 409):
            raise
        # A link that was used raises once more there, and has a page of its own.
        text = str(error)
        return _join_form(visit, secret, f"{text[0].upper()}{text[1:]}.", error.status)
    _end_session(visit)
    with server.database.write() as connection:
        account = account_by_id(connection, redeemed.account.id)
        assert account is not None
        session = insert_session(connection, account, now=visit.now)
    response = visit.go("/organiser" if account.role == "organiser" else "/team")
    set_cookie(response, visit.request, "session", session)
    forget_cookie(response, visit.request, "form")
    return response


# ---------------------------------------------------------------------- for machines


async def health(request: Request) -> Response:
    """Say whether the server can do its work, to whoever watches it."""
    must(PUBLIC, "see board", None, request.scope["treegauge.now"])
    server = request.app.state.server
    is_there = await run_in_threadpool(server.database.is_there)
    try:
        await run_in_threadpool(server.blobs.refuse_if_full)
        has_room = True
    except ServerError:
        has_room = False
    is_well = is_there and has_room
    document = {"schema": 1, "ok": is_well, "database": is_there, "disk": has_room}
    return JSONResponse(document, 200 if is_well else 503)


async def _static(request: Request) -> Response:
    must(PUBLIC, "see board", None, request.scope["treegauge.now"])
    is_style = request.url.path == "/style.css"
    headers = {"Cache-Control": "public, max-age=86400"}
    if is_style:
        return Response(style_sheet(), headers=headers, media_type="text/css")
    return Response(script(), headers=headers, media_type="text/javascript")


async def _to_board(request: Request) -> Response:
    must(PUBLIC, "see board", None, request.scope["treegauge.now"])
    return RedirectResponse("/board/", 308)


ROUTES: Sequence[BaseRoute] = (
    page_route("/", front),
    Route("/board", _to_board, methods=["GET"]),
    Route("/board/{path:path}", board, methods=["GET"]),
    page_route("/packs/{name}", download_pack),
    page_route("/login", login_page),
    form_route("/login", login),
    form_route("/logout", logout),
    page_route("/join/{secret}", join_page),
    form_route("/join", join),
    Route("/health", health, methods=["GET"]),
    Route("/style.css", _static, methods=["GET"]),
    Route("/script.js", _static, methods=["GET"]),
)
