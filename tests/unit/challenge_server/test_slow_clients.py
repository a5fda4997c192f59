"""Slow, huge and broken requests over real connections, while others read the board."""

from __future__ import annotations

import http.client
import socket
import time
from dataclasses import replace

import pytest

from tests.unit.challenge_server.web_house import WebHouse, a_zip
from tests.unit.challenge_server.web_thread import listening_server
from treegauge.challenge_server.web_settings import WebLimits, WebSettings

pytestmark = pytest.mark.long


@pytest.fixture
def port(house_to_copy, tmp_path, request):
    """The port of a server with little patience."""
    import shutil

    shutil.copytree(house_to_copy, tmp_path / "house")
    limits = replace(
        WebLimits(),
        header_seconds=0.5,
        pause_seconds=1.5,
        body_seconds=3.0,
        turn_seconds=0.3,
        uploads_at_once=1,
    )
    house = WebHouse.open(tmp_path / "house" / "small", WebSettings(limits=limits))
    house.put_page("public", "index.html", b"board")
    request.node.house = house
    with listening_server(house) as number:
        yield number
    house.database.close()


def connect(port: int) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.settimeout(20)
    return connection


def everything(connection: socket.socket) -> bytes:
    """Return all that comes until the server hangs up."""
    data = b""
    try:
        while piece := connection.recv(65536):
            data += piece
    except ConnectionResetError:
        pass
    return data


def board(port: int) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", "/board/")
    status = connection.getresponse().status
    connection.close()
    return status


def upload_head(house: WebHouse, length: int) -> bytes:
    token = house.program("blue member").headers["authorization"]
    return (
        "POST /api/1/submissions?track=dependencies&phase=test HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Authorization: {token}\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


def test_heads_that_never_end_are_hung_up_on_while_the_board_is_read(port):
    slow = [connect(port) for _ in range(50)]
    for connection in slow:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ")
    assert board(port) == 200
    begin = time.monotonic()
    while time.monotonic() - begin < 10:
        try:
            slow[0].sendall(b"b")  # a byte now and then buys no time
        except OSError:
            break
        time.sleep(0.1)
    assert all(everything(connection) == b"" for connection in slow[1:])
    for connection in slow:
        connection.close()
    assert board(port) == 200


def test_a_connection_that_says_nothing_is_hung_up_on(port):
    with connect(port) as connection:
        assert everything(connection) == b""


def test_a_huge_head_is_refused(port):
    with connect(port) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: " + b"a" * 100_000)
        answer = everything(connection)
    # Whoever still sends when the server hangs up may lose the answer.
    assert answer == b"" or answer.startswith(b"HTTP/1.1 400")
    assert board(port) == 200


def test_a_body_that_stops_is_given_up_and_leaves_nothing(port, request):
    house = request.node.house
    with connect(port) as connection:
        connection.sendall(upload_head(house, 1000) + a_zip()[:50])
        answer = everything(connection)
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"too slow" in answer
    assert list(house.server.blobs.incoming.iterdir()) == []


def test_who_waits_too_long_for_a_turn_is_told_when_to_come_again(port, request):
    house = request.node.house
    with connect(port) as first, connect(port) as second:
        first.sendall(upload_head(house, 1000) + a_zip()[:50])
        time.sleep(0.2)
        second.sendall(upload_head(house, len(a_zip())) + a_zip())
        answer = second.recv(65536)
        assert board(port) == 200
    assert answer.startswith(b"HTTP/1.1 503")
    assert b"retry-after: 30" in answer


def test_a_huge_body_is_refused_before_it_has_come(port, request):
    house = request.node.house
    with connect(port) as connection:
        connection.sendall(upload_head(house, 10**12))
        answer = connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"connection: close" in answer.lower()


def test_an_upload_that_is_cut_off_leaves_nothing(port, request):
    house = request.node.house
    with connect(port) as connection:
        connection.sendall(upload_head(house, 1000) + a_zip()[:50])
    end = time.monotonic() + 10
    while list(house.server.blobs.incoming.iterdir()) and time.monotonic() < end:
        time.sleep(0.05)
    assert list(house.server.blobs.incoming.iterdir()) == []
    assert "submit" not in house.actions()
