"""A server behind a TLS proxy, which says over what people came and from where."""

from __future__ import annotations

import http.client
import shutil

import pytest

from tests.unit.challenge_server.web_house import WebHouse
from tests.unit.challenge_server.web_thread import listening_server
from treegauge.challenge_server.web_settings import WebSettings
from treegauge.challenges import ChallengeError

PROXY = {
    "Host": "challenge.example.org",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-For": "1.2.3.4",
}


def test_a_proxy_says_that_people_came_over_tls(house_to_copy, tmp_path):
    shutil.copytree(house_to_copy, tmp_path / "house")
    settings = WebSettings("https://challenge.example.org")
    house = WebHouse.open(tmp_path / "house" / "small", settings)

    def asked(port: int, path: str, headers: dict[str, str]) -> tuple[int, str, str]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        content = answer.read().decode()
        connection.close()
        return answer.status, str(answer.getheader("set-cookie")), content

    with listening_server(house) as port:
        status, cookie, _ = asked(port, "/login", PROXY)
        assert status == 200
        assert cookie.startswith("__Host-form=")
        assert "Secure" in cookie
        plain, _, text = asked(port, "/login", {"Host": "challenge.example.org"})
        assert plain == 403
        assert "X-Forwarded-Proto" in text
        assert asked(port, "/login", {**PROXY, "Host": "evil.example"})[0] == 400
        assert asked(port, "/health", {})[0] == 200
    house.database.close()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("http://challenge.example.org", "unencrypted"),
        ("challenge.example.org", "not the address of a server"),
        ("https://example.org/challenge", "not the address of a server"),
    ],
)
def test_an_address_that_cannot_be_served_is_refused(address, words):
    with pytest.raises(ChallengeError, match=words):
        WebSettings(address)
