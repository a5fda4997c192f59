"""A server on this machine that behaves as badly as it is told to."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Behaviour:
    """What the server does; tests change it between requests."""

    content: bytes = b""
    ranges: bool = True
    """Whether it answers a Range with 206 and not with everything."""
    cut_after: list[int] = field(default_factory=list)
    """Bytes to send before the connection is cut, one number for each request to come."""
    statuses: list[int] = field(default_factory=list)
    """Statuses to answer with instead of the content, one for each request to come."""
    content_type: str = "application/gzip"
    shifted: int = 0
    """By how many bytes a range begins too late."""
    with_length: bool = True
    asked: list[str | None] = field(default_factory=list)
    """The Range header of every request so far."""


@contextmanager
def serving(behaviour: Behaviour) -> Iterator[str]:
    """Serve on a free port of localhost; gives the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            _answer(self, behaviour)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/archive.tgz"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _answer(handler: BaseHTTPRequestHandler, behaviour: Behaviour) -> None:
    asked = handler.headers.get("Range")
    behaviour.asked.append(asked)
    if behaviour.statuses:
        handler.send_error(behaviour.statuses.pop(0))
        return
    size = len(behaviour.content)
    begin = int(asked.removeprefix("bytes=").removesuffix("-")) if asked else 0
    if not behaviour.ranges:
        begin = 0
    if begin >= size > 0:
        handler.send_response(416)
        handler.send_header("Content-Range", f"bytes */{size}")
        handler.end_headers()
        return
    if asked and behaviour.ranges:
        begin += behaviour.shifted
        handler.send_response(206)
        handler.send_header("Content-Range", f"bytes {begin}-{size - 1}/{size}")
    else:
        handler.send_response(200)
    handler.send_header("Content-Type", behaviour.content_type)
    if behaviour.with_length:
        handler.send_header("Content-Length", str(size - begin))
    handler.end_headers()
    body = behaviour.content[begin:]
    if behaviour.cut_after:
        body = body[: behaviour.cut_after.pop(0)]
    handler.wfile.write(body)
