"""Pages of the server: templates in the look of the board, which work without a script.

What visitors wrote is escaped by the templates, every time; there is no way around that here.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from starlette.types import Scope

from treegauge.challenge_server.permissions import PUBLIC, Visitor
from treegauge.challenges.times import shown_time
from treegauge.reports.pages.table_html import TableWriter

if TYPE_CHECKING:
    from jinja2 import Environment

    from treegauge.tables import Table

FORM_FIELD = "form_key"
"""The field of every form that other sites cannot know."""


@cache
def _environment() -> Environment:
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    from treegauge.reports.palette import page_style

    environment = Environment(
        # The style sheets and the script of reports are templates there.
        loader=ChoiceLoader(
            [PackageLoader("treegauge.challenge_server"), PackageLoader("treegauge.reports")]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["palette_style"] = page_style()
    return environment


@cache
def style_sheet() -> bytes:
    """Return the style of all pages: that of reports, and that of forms."""
    shared = [_environment().get_template(name).render() for name in ("base.css", "report.css")]
    own = files("treegauge.challenge_server").joinpath("server.css").read_text(encoding="utf-8")
    return "\n".join([*shared, own]).encode()


@cache
def script() -> bytes:
    """Return the script of reports, which sorts tables and knows light and dark."""
    return _environment().get_template("report.js").render().encode()


@cache
def _id(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def render(template: str, scope: Scope, **facts: Any) -> bytes:
    """Return a page.

    Parameters
    ----------
    scope : Scope
        Of the request; who asks is noted in it.
    facts : any
        What the template needs; `title` always.
    """
    from treegauge import __version__

    visitor: Visitor = scope.get("treegauge.visitor", PUBLIC)
    challenge = scope["app"].state.server.folder.challenge
    writer = TableWriter()

    def table_html(table: Table) -> Markup:
        return Markup(writer.html(table))  # the writer escapes every cell

    page = (
        _environment()
        .get_template(template)
        .render(
            {
                "challenge_title": (challenge.title or challenge.name)
                if challenge
                else "treegauge",
                "visitor": visitor,
                "is_known": bool(visitor.account),
                "secret_field": form_field(scope.get("treegauge.form_key", "")),
                "places": places_of(visitor),
                "here": scope.get("path", ""),
                "notice": "",
                "version": __version__,
                "now": shown_time(scope["treegauge.now"]),
                "style_id": _id(style_sheet()),
                "script_id": _id(script()),
                "table_html": table_html,
                "facts": lambda: _data(writer.facts()),
                **facts,
            }
        )
    )
    return page.encode()


def form_field(key: str) -> Markup:
    """Return the hidden field of a form; every form has it."""
    return Markup('<input type="hidden" name="{}" value="{}">').format(FORM_FIELD, key)


def places_of(visitor: Visitor) -> list[tuple[str, str]]:
    """Return where a visitor can go from anywhere."""
    places = [("Challenge", "/"), ("Leaderboard", "/board/")]
    if visitor.role == "member":
        places.append(("Team", "/team"))
    if visitor.role == "organiser":
        places += [("Organisers", "/organiser"), ("Audit log", "/organiser/audit")]
    if visitor.account:
        places.append(("Account", "/account"))
    else:
        places.append(("Log in", "/login"))
    return places


def _data(document: dict[str, Any]) -> str:
    """Return JSON that cannot end the element it stands in."""
    return json.dumps(document).replace("<", "\\u003c")
