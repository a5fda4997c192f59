"""Chunks that a second thread makes ahead, while the first is busy with those before."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

_AHEAD = 4
"""How many chunks wait at most."""
_PATIENCE = 0.1
"""Seconds after which a thread that waits looks whether anybody still wants its chunks."""


def made_ahead(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Give the same chunks, and the same error at the same place, from another thread.

    It is for work that does not hold Python's lock, such as decompression. The thread ends when
    the chunks do, or soon after nobody asks for more.
    """
    waiting: queue.Queue[bytes | BaseException | None] = queue.Queue(_AHEAD)
    is_over = threading.Event()

    def offer(item: bytes | BaseException | None) -> None:
        while not is_over.is_set():
            try:
                waiting.put(item, timeout=_PATIENCE)
            except queue.Full:
                continue
            return

    def make() -> None:
        try:
            for chunk in chunks:
                offer(chunk)
                if is_over.is_set():
                    return
        except BaseException as error:
            offer(error)
        else:
            offer(None)

    thread = threading.Thread(target=make, name="treegauge decompression", daemon=True)
    thread.start()
    try:
        while (item := waiting.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        is_over.set()
        thread.join()
