"""How the program obeys signals, also while a kernel runs.

Python looks at signals between two steps of the main thread only, and a kernel is one step that
may take minutes. What the interpreter notes at once is a byte in a pipe. A thread waits for it,
gives the main thread a moment to end in the usual way, and then ends the program itself.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from treegauge.temporaries import remove_unfinished

_PATIENCE = 1.25
"""Seconds that the usual way may take, with all that it cleans up; two are promised in all."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_SHOW_CURSOR = b"\x1b[?25h"
"""Progress bars hide it."""


@contextmanager
def obeyed_signals() -> Iterator[None]:
    """End within two seconds of Ctrl-C, of a scheduler's SIGTERM and of a terminal that closes.

    A signal that whoever started the program wants ignored (`nohup`, for example) is ignored.
    So are all signals afterwards: the work is done, and Python's own way out, a moment long,
    would end in a traceback.
    """
    _obey_signals()
    try:
        yield
    finally:
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)


def _obey_signals() -> None:
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            # The program cleans up as it does after Ctrl-C.
            signal.signal(number, lambda number, _: sys.exit(128 + number))
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    threading.Thread(target=_end_in_time, args=(wake,), daemon=True).start()


def _end_in_time(wake: int) -> NoReturn:
    while (number := os.read(wake, 1)[0]) not in _SIGNALS:
        pass
    time.sleep(_PATIENCE)
    _end_at_once(128 + number)


def _end_at_once(code: int) -> NoReturn:
    """Leave nothing behind: no half file, no process, no terminal without a cursor."""
    try:
        if "treegauge.systems" in sys.modules:  # only systems start processes
            from treegauge.systems.process_family import end_descendants

            end_descendants(os.getpid())
        remove_unfinished()
        if os.isatty(2):
            os.write(2, _SHOW_CURSOR)
    finally:
        os._exit(code)
