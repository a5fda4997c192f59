"""The participants' side, against servers that break off, are busy, or are none."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from treegauge.challenge_server.client import ServerClient, parse_link
from treegauge.challenges import ChallengeError


def answer(status: int, document: object, *headers: str) -> bytes:
    """Return an answer as it goes over the wire."""
    body = json.dumps(document).encode()
    lines = [f"HTTP/1.1 {status} x", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


@contextmanager
def scripted_server(*answers: bytes | None) -> Iterator[tuple[str, list[bytes]]]:
    """Answer one connection after the other; None reads a little and hangs up."""
    requests: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            for one in answers:
                connection, _ = listening.accept()
                with connection:
                    if one is None:
                        requests.append(connection.recv(100))
                        continue
                    requests.append(_whole_request(connection))
                    connection.sendall(one)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", requests
        thread.join(10)


def _whole_request(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(
        (int(line[15:]) for line in head.split(b"\r\n") if line.lower()[:15] == b"content-length:"),
        0,
    )
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


def test_a_cut_connection_is_answered_by_sending_the_same_again():
    sent = answer(201, {"submission": {"id": "1"}})
    with scripted_server(None, None, sent) as (address, requests):
        client = ServerClient(address, "secret", pause=0.01)
        document = client.send(b"zip", track="pos", phase="test")
    assert document["submission"]["id"] == "1"
    assert requests[2].startswith(b"POST /api/1/submissions?track=pos&phase=test ")
    assert b"Authorization: Bearer secret" in requests[2]
    assert requests[2].endswith(b"\r\n\r\nzip")


def test_an_answer_cut_anywhere_is_asked_for_again():
    whole = answer(201, {"submission": {"id": "1"}})
    cuts = [whole[:length] for length in range(0, len(whole), 9)]
    with scripted_server(*cuts, whole) as (address, requests):
        client = ServerClient(address, pause=0.0)
        document = client.send(b"zip", track="pos", phase="test")
    assert document["submission"]["id"] == "1"
    assert len(requests) == len(cuts) + 1


def test_a_busy_server_is_asked_again_when_it_says():
    said = []
    busy = answer(503, {"error": {"message": "Come again."}}, "Retry-After: 0")
    with scripted_server(busy, answer(200, {"name": "demo"})) as (address, _):
        client = ServerClient(address, pause=0.01, says=said.append)
        assert client.challenge() == {"name": "demo"}
    assert "Come again." in said[0]


def test_a_refusal_is_said_in_the_words_of_the_server():
    refused = answer(409, {"error": {"message": "Your quota of today is used."}})
    with (
        scripted_server(refused) as (address, requests),
        pytest.raises(ChallengeError, match="Your quota of today is used"),
    ):
        ServerClient(address).send(b"zip", track="pos", phase="test")
    assert len(requests) == 1


def test_a_server_that_never_answers_is_given_up_with_advice():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    client = ServerClient(f"http://127.0.0.1:{port}", patience=0.05, pause=0.01)
    with pytest.raises(ChallengeError, match="nothing is counted twice"):
        client.challenge()


def test_an_answer_that_is_no_json_says_what_to_look_at():
    page = b"HTTP/1.1 200 x\r\nContent-Length: 4\r\nConnection: close\r\n\r\n<ht>"
    with (
        scripted_server(page) as (address, _),
        pytest.raises(ChallengeError, match="is this the address of a treegauge server"),
    ):
        ServerClient(address).challenge()


@pytest.mark.parametrize("address", ["http://example.org", "ftp://example.org", "example.org"])
def test_secrets_are_sent_to_no_such_address(address):
    with pytest.raises(ChallengeError, match="https://"):
        ServerClient(address, "secret")


def test_a_pack_of_another_content_is_refused():
    zipped = b"HTTP/1.1 200 x\r\nContent-Type: application/zip\r\nContent-Length: 1\r\n\r\nz"
    with (
        scripted_server(zipped) as (address, _),
        pytest.raises(ChallengeError, match="expected SHA-256 00"),
    ):
        ServerClient(address).pack({"name": "demo.zip", "sha256": "00"})


@pytest.mark.parametrize(
    "link", ["https://example.org/joint/abc", "/join/abc", "https://example.org/join/", "x"]
)
def test_what_is_no_invitation_is_named(link):
    with pytest.raises(ChallengeError, match="this is not an invitation"):
        parse_link(link)


def test_participants_need_nothing_of_the_extra():
    code = (
        "import sys, treegauge.cli.challenge_client, treegauge.challenge_server.submitting, "
        "treegauge.challenge_server.client, treegauge.challenge_server.token_files; "
        "print({'starlette', 'uvicorn', 'sqlalchemy', 'argon2'} & set(sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout == "set()\n", result.stderr
