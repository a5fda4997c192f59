"""A real server in a thread, on a port of its own."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

from tests.unit.challenge_server.web_house import WebHouse
from treegauge.challenge_server.app import web_server


@contextlib.contextmanager
def listening_server(house: WebHouse) -> Iterator[int]:
    """Run the server of a house; give its port."""
    server = web_server(house.server)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        end = time.monotonic() + 30
        while not server.started and time.monotonic() < end:
            time.sleep(0.01)
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(30)
