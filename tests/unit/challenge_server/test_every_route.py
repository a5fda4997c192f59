"""Every route x every role: who gets what, with their own things and with those of others."""

from __future__ import annotations

import pytest
from starlette.routing import Route

from tests.unit.challenge_server.web_house import a_zip, form_key
from treegauge.challenge_server.app import ROUTES
from treegauge.challenge_server.visits import Visit

ROLES = ("public", "green member", "blue member", "ada")
"""Nobody known; a member of another team; a member of the team whose things they are; an
organiser."""

EXPECTED = {
    "GET /": (200, 200, 200, 200),
    "GET /board": (308, 308, 308, 308),
    "GET /board/{path:path}": (200, 200, 200, 200),
    "GET /packs/{name}": (200, 200, 200, 200),
    "GET /login": (200, 200, 200, 200),
    "POST /login": (401, 401, 401, 401),
    "POST /logout": (303, 303, 303, 303),
    "GET /join/{secret}": (404, 404, 404, 404),
    "POST /join": (404, 404, 404, 404),
    "GET /health": (200, 200, 200, 200),
    "GET /style.css": (200, 200, 200, 200),
    "GET /script.js": (200, 200, 200, 200),
    "GET /team": (403, 200, 200, 303),
    "POST /team/upload": (403, 303, 303, 403),
    "GET /submissions/{id}": (404, 404, 200, 200),
    "GET /submissions/{id}/zip": (404, 404, 200, 200),
    "POST /submissions/{id}/choose": (404, 404, 403, 403),
    "GET /account": (403, 200, 200, 200),
    "POST /account/tokens": (403, 200, 200, 200),
    "POST /account/tokens/{id}/revoke": (403, 404, 404, 404),
    "POST /account/sessions/{id}/revoke": (403, 404, 404, 404),
    "POST /account/password": (403, 400, 400, 400),
    "GET /organiser": (403, 403, 403, 200),
    "GET /organiser/audit": (403, 403, 403, 200),
    "POST /organiser/teams": (403, 403, 403, 200),
    "POST /organiser/teams/{id}/invite": (403, 403, 403, 200),
    "POST /organiser/teams/{id}/withdraw": (403, 403, 403, 303),
    "POST /organiser/teams/{id}/restore": (403, 403, 403, 303),
    "POST /organiser/phases/extend": (403, 403, 403, 303),
    "POST /organiser/phases/publish": (403, 403, 403, 409),
    "POST /organiser/submissions/{id}/rescore": (403, 403, 403, 303),
    "POST /organiser/rescore": (403, 403, 403, 303),
    "GET /api/1/openapi.json": (200, 200, 200, 200),
    "GET /api/1/challenge": (200, 200, 200, 200),
    "POST /api/1/join": (404, 404, 404, 404),
    "GET /api/1/me": (401, 200, 200, 200),
    "GET /api/1/submissions": (401, 200, 200, 403),
    "POST /api/1/submissions": (401, 201, 201, 403),
    "GET /api/1/submissions/{id}": (401, 404, 200, 200),
}
"""What every role gets for the things of the team blue; a route that is not here fails a test."""

FIELDS = {
    "POST /login": {"name": "blue member", "password": "wrong password"},
    "POST /join": {"invitation": "x", "password": "correct horse battery"},
    "POST /account/tokens": {"name": "laptop"},
    "POST /account/password": {"old": "wrong", "password": "correct horse battery"},
    "POST /organiser/teams": {"name": "red"},
    "POST /organiser/phases/extend": {
        "phase": "test",
        "closes": "2027-03-15 UTC",
        "reason": "because",
    },
    "POST /organiser/phases/publish": {"phase": "test", "reason": "because"},
}


def routes() -> list[tuple[str, Route]]:
    """Give all routes with their methods."""
    return [
        (f"{method} {route.path}", route)
        for route in ROUTES
        if isinstance(route, Route)
        for method in sorted(route.methods - {"HEAD"})
    ]


def test_every_route_is_expected():
    assert {name for name, _ in routes()} == set(EXPECTED)


def request(house, client, name: str, id: str):
    """Send what a route wants, about the things of the team blue."""
    method, _, path = name.partition(" ")
    names = {
        "{path:path}": "index.html",
        "{name}": "small-release.zip",
        "{secret}": "x",
        "{id}": house.team_id("blue") if "/teams/" in path else id,
    }
    for part, value in names.items():
        path = path.replace(part, value)
    if name == "POST /api/1/submissions":
        return house.send(client, a_zip("a third"))
    if name == "POST /api/1/join":
        return client.post(path, json={"invitation": "x"})
    if method == "GET":
        return client.get(path)
    key = form_key(client.get("/login").text)
    if path == "/team/upload":
        return client.post(
            path,
            data={"form_key": key, "target": "test/dependencies"},
            files={"file": ("x.zip", a_zip("another"))},
        )
    return client.post(path, data={"form_key": key, **FIELDS.get(name, {})})


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(ROLES)), ids=ROLES)
def test_every_role_gets_what_it_may_and_nothing_else(house, number):
    role = ROLES[number]
    house.server.logins_of_address.a_minute = house.server.logins_of_account.a_minute = 1000
    for audience in ("public", "participants", "organisers"):
        house.put_page(audience, "index.html", b"board")
    id = house.sent_id("blue member")
    house.decide(id, "accepted")
    found = {}
    for name in EXPECTED:
        if role == "public":
            client = house.visitor()
        elif "/api/" in name:
            client = house.program(role)
        else:
            client = house.browser(role)
        found[name] = request(house, client, name, id).status_code
    assert found == {name: codes[number] for name, codes in EXPECTED.items()}


def test_unknown_ids_and_those_of_others_are_the_same_answer(house):
    id = house.sent_id("blue member")
    client = house.browser("green member")
    for path in ("/submissions/{}", "/submissions/{}/zip"):
        others, unknown = client.get(path.format(id)), client.get(path.format("0" * len(id)))
        assert others.status_code == unknown.status_code == 404
        assert others.content.replace(id.encode(), b"") == unknown.content.replace(b"0" * 24, b"")
    program = house.program("green member")
    others, unknown = (program.get(f"/api/1/submissions/{one}") for one in (id, "0" * len(id)))
    assert (others.status_code, others.content) == (404, unknown.content)


def test_a_route_that_forgets_to_ask_answers_nothing(house):
    from starlette.testclient import TestClient

    from treegauge.challenge_server.app import make_app
    from treegauge.challenge_server.visits import page_route

    def careless(visit: Visit):
        return visit.page("message.html", title="x", text="a secret")

    app = make_app(house.server)
    app.router.routes.insert(0, page_route("/careless", careless))
    client = TestClient(app, "http://127.0.0.1", raise_server_exceptions=False)
    answer = client.get("/careless")
    assert answer.status_code == 500
    assert "a secret" not in answer.text
    assert "Traceback" not in answer.text


def test_the_description_has_every_route_and_its_answers(house):
    program = house.program("blue member")
    document = program.get("/api/1/openapi.json").json()
    described = {
        f"{method.upper()} {path}" for path, own in document["paths"].items() for method in own
    }
    assert described == {name for name in EXPECTED if "/api/" in name}
    sent = house.send(program, a_zip())
    for path, schema, answer in (
        ("/api/1/challenge", "Challenge", program.get("/api/1/challenge")),
        ("/api/1/me", "Account", program.get("/api/1/me")),
        ("/api/1/submissions", "Sent", sent),
        ("/api/1/submissions", "Submissions", program.get("/api/1/submissions")),
        ("/api/1/submissions/{id}", "Error", program.get("/api/1/submissions/x")),
    ):
        assert path in document["paths"]
        schemas = document["components"]["schemas"]
        assert not list(misfits(answer.json(), schemas[schema], schemas)), (path, answer.json())


def misfits(value, schema, schemas, place="answer"):
    """Give what does not fit a description: as much of JSON Schema as it uses."""
    if "$ref" in schema:
        yield from misfits(value, schemas[schema["$ref"].rpartition("/")[2]], schemas, place)
    elif "anyOf" in schema:
        if all(list(misfits(value, one, schemas, place)) for one in schema["anyOf"]):
            yield place
    elif schema["type"] == "object":
        if not isinstance(value, dict) or not set(schema.get("required", ())) <= set(value):
            yield place
            return
        known = schema.get("properties", {})
        if "additionalProperties" not in schema and set(value) - set(known):
            yield f"{place}: {set(value) - set(known)}"
        for name, one in value.items():
            own = known.get(name, schema.get("additionalProperties"))
            if own is not None:
                yield from misfits(one, own, schemas, f"{place}.{name}")
    elif schema["type"] == "array":
        for one in value:
            yield from misfits(one, schema["items"], schemas, f"{place}[]")
    else:
        kinds = {
            "string": str,
            "integer": int,
            "boolean": bool,
            "number": (int, float),
            "null": type(None),
        }
        if not isinstance(value, kinds[schema["type"]]):
            yield place
