"""Attacks on the web, as docs/challenge_security.md lists them."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from tests.unit.challenge_server.web_house import (
    AFTER_CLOSE,
    CLOSES,
    GRACE,
    PASSWORD,
    a_zip,
    form_key,
    message_of,
    post_form,
)
from treegauge.challenge_server import passwords
from treegauge.challenge_server.errors import DatabaseAwayError
from treegauge.challenge_server.signing_in import SESSION_LASTING

SCRIPT = "<script>alert(1)</script>"
SECOND = timedelta(seconds=1)


# ---------------------------------------------------------------------- sessions


@pytest.mark.parametrize("cookie", ["", "x", "0" * 43, "é", "a" * 5000, "' OR 1=1 --"])
def test_a_forged_session_is_nobody(house, cookie):
    client = house.visitor()
    headers = {"Cookie": b"treegauge-session=" + cookie.encode()}
    assert client.get("/team", headers=headers).status_code == 403


def test_a_stolen_session_ends_with_the_log_out_of_its_owner(house):
    owner, thief = house.browser("blue member"), house.visitor()
    thief.cookies.set("treegauge-session", owner.cookies["treegauge-session"])
    assert thief.get("/team").status_code == 200
    post_form(owner, "/team", "/logout")
    assert thief.get("/team").status_code == 403


def test_a_session_ends_by_itself(house):
    client = house.browser("blue member")
    house.clock.time += SESSION_LASTING - SECOND
    assert client.get("/team").status_code == 200
    house.clock.time += SECOND
    assert client.get("/team").status_code == 403


def test_a_session_that_was_planted_before_the_login_is_not_taken_over(house):
    client = house.visitor()
    client.cookies.set("treegauge-session", "planted")
    answer = post_form(client, "/login", "/login", name="ada", password=PASSWORD)
    assert answer.status_code == 303
    given = answer.headers.get_list("set-cookie")[0]
    assert given.startswith("treegauge-session=")
    assert "planted" not in given


def test_tokens_do_not_count_in_addresses_and_cookies_not_for_programs(house):
    token = house.program("blue member").headers["authorization"].removeprefix("Bearer ")
    client = house.visitor()
    assert client.get(f"/api/1/me?token={token}").status_code == 401
    assert house.browser("blue member").get("/api/1/me").status_code == 401
    client.headers["Authorization"] = f"Bearer {token}"
    assert client.get("/team").status_code == 403


# ---------------------------------------------------------------------- foreign forms, frames


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_form_of_another_site_does_nothing(house, headers):
    client = house.browser("ada")
    key = form_key(client.get("/organiser").text)
    before = house.actions()
    answer = client.post("/organiser/teams", data={"form_key": key, "name": "red"}, headers=headers)
    assert answer.status_code == 403
    assert "from another site" in answer.text
    assert house.actions() == before


def test_a_form_without_the_key_of_this_browser_does_nothing(house):
    client, other = house.browser("ada"), house.browser("ada")
    before = house.actions()
    for key in ("", "0" * 64, form_key(other.get("/organiser").text)):
        answer = client.post("/organiser/teams", data={"form_key": key, "name": "red"})
        assert answer.status_code == 403
        assert "Open the page again" in answer.text
    upload = client.post("/team/upload", files={"file": ("x.zip", a_zip())})
    assert upload.status_code == 403
    assert house.actions() == before


def test_nobody_logs_a_browser_in_as_somebody_else(house):
    answer = house.visitor().post("/login", data={"name": "ada", "password": PASSWORD})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_no_page_can_be_framed_sniffed_or_run_a_foreign_script(house):
    house.put_page("public", "index.html", b"board")
    client = house.browser("ada")
    public = house.visitor()
    for answer in (
        client.get("/organiser"),
        client.get("/no/such/page"),
        public.get("/board/"),
        public.get("/packs/small-release.zip"),
        public.get("/api/1/challenge"),
        public.post("/login"),
    ):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_another_host_or_plain_http_from_elsewhere_is_refused(house):
    client = house.visitor()
    evil = client.get("/", headers={"Host": "evil.example"})
    assert evil.status_code == 400
    assert "evil.example" not in evil.text
    spoofed = client.get("/", headers={"Host": "127.0.0.1.evil.example"})
    assert spoofed.status_code == 400


def test_logging_in_leads_to_no_other_site(house):
    client = house.visitor()
    key = form_key(client.get("/login?next=https://evil.example").text)
    fields = {"form_key": key, "name": "ada", "password": PASSWORD, "next": "//evil.example"}
    answer = client.post("/login?next=https://evil.example", data=fields)
    assert answer.headers["location"] == "/organiser"


# ---------------------------------------------------------------------- what people write


def test_script_in_any_field_is_text(house):
    ada, blue = house.browser("ada"), house.browser("blue member")
    post_form(ada, "/organiser", "/organiser/teams", name=SCRIPT)
    team = house.team_id("blue")
    post_form(ada, "/organiser", f"/organiser/teams/{team}/withdraw", reason=SCRIPT)
    post_form(blue, "/account", "/account/tokens", name=SCRIPT)
    id = house.sent_id(text=SCRIPT)
    house.decide(id, "refused", f"{SCRIPT}:1: [word-changed] {SCRIPT}")
    pages = [
        ada.get("/organiser"),
        ada.get("/organiser/audit"),
        ada.get(f"/submissions/{id}"),
        blue.get("/account"),
        blue.get("/team"),
        blue.get(f"/submissions/{SCRIPT}"),
    ]
    assert all(SCRIPT not in page.text for page in pages)
    assert all("&lt;script&gt;" in page.text for page in (*pages[:2], *pages[2:4]))


@pytest.mark.parametrize("name", ["a\u202eb", "a\x00b", "", " ", "a" * 61, "\u200bblue"])
def test_names_that_cannot_be_seen_are_refused(house, name):
    answer = post_form(house.browser("ada"), "/organiser", "/organiser/teams", name=name)
    assert answer.status_code == 400
    assert "visible characters" in answer.text


def test_names_that_look_the_same_are_taken(house):
    answer = post_form(house.browser("ada"), "/organiser", "/organiser/teams", name=" ＢＬＵＥ ")
    assert answer.status_code == 409


# ---------------------------------------------------------------------- guessing


def test_passwords_cannot_be_guessed_fast(house):
    client = house.visitor()
    codes = [
        post_form(client, "/login", "/login", name="ada", password=f"guess {n}").status_code
        for n in range(6)
    ]
    assert codes == [401] * 5 + [429]
    answer = post_form(client, "/login", "/login", name="ADA", password=PASSWORD)
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) <= 60


def test_unknown_names_cannot_be_told_from_known_ones(house, monkeypatch):
    tried = []
    fits = passwords.Passwords.fits
    monkeypatch.setattr(
        passwords.Passwords,
        "fits",
        lambda self, kept, given: tried.append(kept is None) or fits(self, kept, given),
    )
    client = house.visitor()
    known = post_form(client, "/login", "/login", name="ada", password="wrong password")
    unknown = post_form(client, "/login", "/login", name="nobody", password="wrong password")
    assert (known.status_code, known.content) == (unknown.status_code, unknown.content)
    assert tried == [False, True]  # a hash is computed for both


# ---------------------------------------------------------------------- probing


def test_a_blind_phase_answers_the_same_whatever_the_score(house):
    """Two submissions of one size, one good and one bad: nothing that is sent differs."""
    good, bad = house.sent_id(text="aa"), house.sent_id(text="bb")
    client, program = house.browser("blue member"), house.program("blue member")

    def answers(id: str) -> list[tuple[int, bytes]]:
        shown = [client.get(f"/submissions/{id}"), program.get(f"/api/1/submissions/{id}")]
        document = program.get(f"/api/1/submissions/{id}").json()["submission"]
        facts = (document["sha256"], id)
        pages = []
        for answer in shown:
            content = answer.text
            for fact in facts:
                content = content.replace(fact, "")
            content = content.replace(f'"number":{document["number"]}', "")
            pages.append((answer.status_code, content.encode()))
        return pages

    for id in (good, bad):
        house.decide(id, "accepted")
    house.score(good, 0.9)
    unscored = answers(bad)
    house.score(bad, 0.1)
    receipts = ("head of the audit log",)
    assert answers(bad) == unscored
    assert answers(good)[1] == answers(bad)[1]
    assert len(answers(good)[0][1]) == len(answers(bad)[0][1]), receipts
    house.clock.time = AFTER_CLOSE
    assert answers(good)[1] != answers(bad)[1]


def test_open_phases_show_two_decimals_while_gold_is_secret(house):
    id = house.sent_id(phase="dev")
    house.decide(id, "accepted")
    house.score(id, 0.123456)
    scores = house.program("blue member").get(f"/api/1/submissions/{id}").json()
    assert scores["submission"]["scores"]["average"]["uas"]["value"] == 0.1235


# ---------------------------------------------------------------------- time


@pytest.mark.parametrize(
    ("began", "ended", "status"),
    [
        (CLOSES - SECOND, CLOSES - SECOND, 201),
        (CLOSES - SECOND, CLOSES + SECOND, 201),
        (CLOSES - SECOND, CLOSES + GRACE - SECOND, 201),
        (CLOSES - SECOND, CLOSES + GRACE, 403),
        (CLOSES, CLOSES, 403),
        (CLOSES + SECOND, CLOSES + SECOND, 403),
    ],
)
def test_an_upload_counts_by_the_clock_of_the_server(house, began, ended, status):
    program = house.program("blue member")
    house.clock.time = began

    def body():
        yield a_zip()[:10]
        house.clock.time = ended
        yield a_zip()[10:]

    answer = house.send(program, body())
    assert answer.status_code == status
    if status == 403:
        assert "closed at 2027-03-14 12:00 UTC" in message_of(answer)


def test_the_same_bytes_are_the_same_submission_also_after_the_close(house):
    program = house.program("blue member")
    first = house.send(program, a_zip())
    house.clock.time = AFTER_CLOSE
    again = house.send(program, a_zip())
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["receipt"] == again.json()["receipt"]


# ---------------------------------------------------------------------- too much


def test_a_used_quota_is_said_with_the_time_of_the_next_one(house):
    program = house.program("blue member")
    codes = [house.send(program, a_zip(str(n))).status_code for n in range(6)]
    assert codes == [201] * 5 + [409]
    answer = house.send(program, a_zip("more"))
    assert "send the next one from 2027-03-06 00:00 UTC on" in message_of(answer)


def test_a_body_that_is_too_large_is_not_read(house):
    program = house.program("blue member")
    most = house.server.settings.limits.upload
    answer = program.post(
        "/api/1/submissions?track=dependencies&phase=test",
        content=b"PK\x03\x04",
        headers={"Content-Length": str(most + 1)},
    )
    assert answer.status_code == 413
    assert "check --zip" in message_of(answer)
    form = house.visitor().post("/login", content=b"x" * 70_000)
    assert form.status_code == 413


def test_a_body_that_says_no_length_is_counted(house, monkeypatch):
    limits = house.server.settings.limits
    monkeypatch.setattr(type(limits), "__setattr__", object.__setattr__)
    limits.upload = 1000

    def endless():
        for _ in range(100):
            yield b"PK\x03\x04" + b"0" * 100

    answer = house.send(house.program("blue member"), endless())
    assert answer.status_code == 413
    assert list(house.server.blobs.incoming.iterdir()) == []
    assert list(house.server.blobs.digests()) == []


@pytest.mark.parametrize(
    ("content", "headers", "words"),
    [
        (b"", {}, "is empty"),
        (b"no zip at all", {}, "This is not a zip file"),
        (a_zip(), {"X-Content-SHA256": "0" * 64}, "its SHA-256 differs"),
        (a_zip(), {"X-Content-SHA256": "x"}, "64 hexadecimal digits"),
    ],
)
def test_what_did_not_arrive_whole_is_not_taken(house, content, headers, words):
    program = house.program("blue member")
    program.headers.update(headers)
    answer = house.send(program, content)
    assert answer.status_code == 400
    assert words in message_of(answer)
    assert "submit" not in house.actions()


def test_a_full_disk_takes_nothing_and_says_so(house, monkeypatch):
    monkeypatch.setattr(house.server.blobs, "free_bytes", lambda: 1000)
    answer = house.send(house.program("blue member"), a_zip())
    assert answer.status_code == 507
    assert "disk is nearly full" in message_of(answer)
    assert house.visitor().get("/").status_code == 200


def test_a_database_that_is_away_is_said_with_a_time(house, monkeypatch):
    program = house.program("blue member")

    def away():
        raise DatabaseAwayError("no route to secret-host:5432")

    monkeypatch.setattr(house.database, "read", away)
    for answer in (program.get("/api/1/challenge"), house.visitor().get("/")):
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "10"
        assert "secret-host" not in answer.text
        assert "Try again in a few seconds" in answer.text


def test_a_fault_of_ours_is_a_sentence_and_no_traceback(house, monkeypatch):
    from starlette.testclient import TestClient

    monkeypatch.setattr(house.server, "shelf", None)
    client = TestClient(house.app, "http://127.0.0.1", raise_server_exceptions=False)
    for path in ("/", "/api/1/challenge"):
        answer = client.get(path)
        assert answer.status_code == 500
        assert "Something went wrong on the server" in answer.text
        assert "Traceback" not in answer.text
        assert "NoneType" not in answer.text
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert json.loads(client.get("/api/1/challenge").text)["error"]["status"] == 500


def test_an_expired_invitation_says_whom_to_ask(house):
    page = post_form(house.browser("ada"), "/organiser", "/organiser/teams", name="red")
    link = page.text.partition("http://127.0.0.1/join/")[2].partition("<")[0]
    house.clock.time += timedelta(days=14)
    answer = house.visitor().get(f"/join/{link}")
    assert answer.status_code == 403
    assert "ask the organisers for another one" in answer.text


def test_files_are_given_out_under_names_of_ours(house):
    id = house.sent_id()
    client = house.browser("blue member")
    for path in ("/packs/..%2Fsmall%2Fsalt.txt", "/packs/../small/salt.txt", "/board/../salt.txt"):
        assert client.get(path).status_code == 404
    sent = client.get(f"/submissions/{id}/zip")
    assert sent.headers["content-disposition"] == f'attachment; filename="submission-{id}.zip"'
