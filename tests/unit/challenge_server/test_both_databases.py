"""Pages on either database: what is asked for in other words must be answered in the same."""

from __future__ import annotations

from tests.unit.challenge_server.web_house import (
    AFTER_CLOSE,
    PASSWORD,
    WebHouse,
    a_zip,
    post_form,
    write_challenge,
)


def test_pages_are_the_same_on_either_database(tmp_path, database_url):
    house = WebHouse.open(write_challenge(tmp_path / "small"), database=database_url)
    house.invite_all()
    house.put_page("public", "index.html", b"board")
    id = house.sent_id()
    house.decide(id, "accepted")
    house.score(id, 0.5)
    blue, ada, program = (
        house.browser("blue member"),
        house.browser("ada"),
        house.program("blue member"),
    )
    again = house.send(program, a_zip())
    assert (again.status_code, again.json()["submission"]["id"]) == (200, id)
    assert house.visitor().get("/board/").text == "board"
    house.clock.time = AFTER_CLOSE
    for client, path in (
        (blue, "/team"),
        (blue, f"/submissions/{id}"),
        (blue, "/account"),
        (ada, "/organiser"),
        (ada, "/organiser/audit"),
        (ada, "/organiser/audit?before=3"),
        (ada, "/organiser/audit?before=²"),
        (program, f"/api/1/submissions/{id}"),
        (program, "/api/1/submissions"),
    ):
        assert client.get(path).status_code == 200, path
    for path in ("/submissions/%00", "/board/%00", "/packs/%00", "/join/%00", "/api/1/%00"):
        assert blue.get(path).status_code == 404, path
    odd = post_form(house.visitor(), "/login", "/login", name="a\0b", password=PASSWORD)
    assert odd.status_code == 400
    deeds = {
        f"/organiser/teams/{house.team_id('green')}/withdraw": 303,
        f"/organiser/submissions/{id}/rescore": 303,
        "/organiser/submissions/x/rescore": 404,
        "/organiser/teams/x/invite": 404,
    }
    for action, status in deeds.items():
        assert post_form(ada, "/organiser", action).status_code == status, action
    house.database.close()
