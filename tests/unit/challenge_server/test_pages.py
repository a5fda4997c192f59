"""Pages of the server: what people see, and what they do there."""

from __future__ import annotations

from datetime import timedelta

from tests.unit.challenge_server.web_house import (
    AFTER_CLOSE,
    GOLD_OUT,
    OPENS,
    PASSWORD,
    a_zip,
    form_key,
    post_form,
)
from treegauge.challenges.packs import sha256


def test_the_front_page_shows_phases_packs_and_rules(house):
    page = house.visitor().get("/")
    assert page.status_code == 200
    for text in ("A small challenge", "small-release.zip", "Be fair.", "open", "SHA-256"):
        assert text in page.text
    assert "small-gold.zip" not in page.text


def test_packs_come_out_when_their_time_has_come(house):
    client = house.visitor()
    names = ("small-release.zip", "small-dependencies-test.zip", "small-gold.zip", "small-salt.txt")

    def out() -> list[int]:
        return [client.get(f"/packs/{name}").status_code for name in names]

    house.clock.time = OPENS - timedelta(seconds=1)
    assert out() == [200, 404, 404, 404]
    house.clock.time = OPENS
    assert out() == [200, 200, 404, 404]
    house.clock.time = GOLD_OUT
    assert out() == [200, 200, 200, 200]
    answer = client.get("/packs/small-release.zip")
    assert answer.headers["content-disposition"] == 'attachment; filename="small-release.zip"'
    assert answer.headers["x-content-sha256"] in client.get("/").text


def test_packs_that_were_written_anew_have_their_new_sums(house):
    client = house.visitor()
    home = house.server.folder.path
    pack = home.parent / "packs" / "small-release.zip"
    before = sha256(pack.read_bytes())
    assert before in client.get("/").text
    pack.write_bytes(pack.read_bytes() + b"another")
    # Nothing says yet that this is ours.
    assert client.get("/packs/small-release.zip").status_code == 404
    record = home / "gold" / "record.json"
    after = sha256(pack.read_bytes())
    record.write_text(record.read_text().replace(before, after) + " ")
    assert client.get("/packs/small-release.zip").headers["x-content-sha256"] == after
    assert after in client.get("/").text


def test_a_member_logs_in_and_out(house):
    client = house.visitor()
    answer = post_form(client, "/login", "/login", name="Blue  Member", password=PASSWORD)
    assert (answer.status_code, answer.headers["location"]) == (303, "/team")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    page = client.get("/team")
    assert "Members: blue member." in page.text
    post_form(client, "/team", "/logout")
    assert client.get("/team").status_code == 403


def test_over_https_cookies_belong_to_this_host_alone(house):
    client = house.visitor()
    client.base_url = "https://127.0.0.1"
    answer = post_form(client, "/login", "/login", name="ada", password=PASSWORD)
    cookies = answer.headers.get_list("set-cookie")
    session = next(one for one in cookies if one.startswith("__Host-session="))
    assert "Secure" in session
    assert "Path=/" in session
    assert "Domain" not in session
    assert "max-age" in answer.headers["strict-transport-security"]


def test_an_upload_gets_a_page_with_its_receipt(house):
    client = house.browser("blue member")
    key = form_key(client.get("/team").text)
    answer = client.post(
        "/team/upload",
        data={"form_key": key, "target": "test/dependencies"},
        files={"file": ("../../x.zip", a_zip(), "application/zip")},
    )
    assert answer.status_code == 303, answer.text
    page = client.get(answer.headers["location"])
    assert "is waiting to be read" in page.text
    assert 'http-equiv="refresh"' in page.text
    assert "head of the audit log" in page.text
    sent = client.get(f"{answer.headers['location']}/zip")
    assert sent.content == a_zip()
    assert sent.headers["content-disposition"].startswith("attachment")
    assert "/submissions/" in client.get("/team").text


def test_scores_show_when_the_phase_shows_them(house):
    id = house.sent_id()
    house.decide(id, "accepted")
    house.score(id, 0.43214)
    client = house.browser("blue member")
    before = client.get(f"/submissions/{id}").text
    assert "scores are shown from 2027-03-14 12:30 UTC on" in before
    assert "43.21" not in before
    assert "43.21" in house.browser("ada").get(f"/submissions/{id}").text
    house.clock.time = AFTER_CLOSE
    assert "43.21" in client.get(f"/submissions/{id}").text


def test_what_was_refused_says_why(house):
    id = house.sent_id()
    house.decide(id, "refused", "svo.conllu:3: [word-changed] expected <b>, found &")
    page = house.browser("blue member").get(f"/submissions/{id}").text
    assert "expected &lt;b&gt;, found &amp;" in page
    assert "does not count against your quota" in page


def test_members_make_and_revoke_tokens(house):
    client = house.browser("blue member")
    page = post_form(client, "/account", "/account/tokens", name="laptop")
    token = page.text.partition('tabindex="0">tgc_')[2].partition("<")[0]
    program = house.visitor()
    program.headers["Authorization"] = f"Bearer tgc_{token}"
    assert program.get("/api/1/me").json()["team"] == "blue"
    account = client.get("/account").text
    assert "laptop" in account
    action = account.partition('action="/account/tokens/')[2].partition('"')[0]
    post_form(client, "/account", f"/account/tokens/{action}")
    assert program.get("/api/1/me").status_code == 401


def test_another_password_logs_all_browsers_out(house):
    other, client = house.browser("blue member"), house.browser("blue member")
    wrong = post_form(client, "/account", "/account/password", old="wrong", password="x" * 20)
    assert wrong.status_code == 400
    new = "another staple entirely"
    answer = post_form(client, "/account", "/account/password", old=PASSWORD, password=new)
    assert answer.status_code == 303
    assert client.get("/team").status_code == 200
    assert other.get("/team").status_code == 403


def test_organisers_add_teams_whose_members_join(house):
    page = post_form(house.browser("ada"), "/organiser", "/organiser/teams", name="red")
    link = page.text.partition("http://127.0.0.1/join/")[2].partition("<")[0]
    client = house.visitor()
    shown = client.get(f"/join/{link}")
    assert "An invitation to the team red." in shown.text
    fields = {"form_key": form_key(shown.text), "invitation": link, "name": "rosa"}
    weak = client.post("/join", data={**fields, "password": "short"})
    assert weak.status_code == 400
    assert "Choose a password of 10 to" in weak.text
    answer = client.post("/join", data={**fields, "password": PASSWORD})
    assert answer.headers["location"] == "/team"
    assert "red" in client.get("/team").text
    again = house.visitor().get(f"/join/{link}")
    assert again.status_code == 409
    assert "was used before" in again.text


def test_organisers_withdraw_extend_publish_and_score_again(house):
    ada = house.browser("ada")
    id = house.sent_id()
    house.decide(id, "accepted")
    blue = house.team_id("blue")
    deeds = {
        f"/organiser/teams/{blue}/withdraw": {"reason": "they asked"},
        f"/organiser/teams/{blue}/restore": {"reason": "they asked again"},
        "/organiser/phases/extend": {
            "phase": "test",
            "closes": "2027-03-16 12:00 UTC",
            "reason": "a power cut",
        },
        f"/organiser/submissions/{id}/rescore": {},
        "/organiser/rescore": {},
    }
    for action, fields in deeds.items():
        answer = post_form(ada, "/organiser", action, **fields)
        assert answer.status_code == 303, answer.text
    assert house.actions()[-5:] == [
        "withdraw team",
        "reinstate team",
        "extend phase",
        "score again",
        "score again",
    ]
    log = ada.get("/organiser/audit").text
    assert "a power cut" in log
    assert "ada" in log
    early = post_form(ada, "/organiser", "/organiser/phases/publish", phase="test", reason="x")
    assert early.status_code == 409


def test_a_shorter_phase_is_refused_in_words(house):
    fields = {"phase": "test", "closes": "2027-03-10 UTC", "reason": "x"}
    answer = post_form(house.browser("ada"), "/organiser", "/organiser/phases/extend", **fields)
    assert answer.status_code == 409
    assert "name a later time" in answer.text


def test_the_board_has_a_page_for_each_audience(house):
    for audience in ("public", "participants", "organisers"):
        house.put_page(audience, "index.html", f"<p>for {audience}".encode())
    assert house.visitor().get("/board/").text == "<p>for public"
    assert house.browser("blue member").get("/board/").text == "<p>for participants"
    assert house.browser("ada").get("/board/index.html").text == "<p>for organisers"
    assert house.visitor().get("/board/no.html").status_code == 404


def test_the_board_is_sent_once_while_it_is_the_same(house):
    house.put_page("public", "index.html", b"old")
    client = house.visitor()
    first = client.get("/board/")
    again = client.get("/board/", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    house.put_page("public", "index.html", b"new", shown_from=AFTER_CLOSE)
    assert client.get("/board/").text == "old"
    house.clock.time = AFTER_CLOSE
    changed = client.get("/board/", headers={"If-None-Match": first.headers["etag"]})
    assert (changed.status_code, changed.text) == (200, "new")


def test_who_watches_the_server_learns_whether_it_works(house, monkeypatch):
    client = house.visitor()
    assert client.get("/health").json() == {
        "schema": 1,
        "ok": True,
        "database": True,
        "disk": True,
    }
    monkeypatch.setattr(house.server.blobs, "free_bytes", lambda: 0)
    assert client.get("/health").status_code == 503
