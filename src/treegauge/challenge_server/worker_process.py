"""A worker as a process: of a server, or alone, on this machine or another.

python -m treegauge.challenge_server.worker_process FOLDER
"""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Callable
from functools import partial

from treegauge.challenge_server.database import Database
from treegauge.challenge_server.supervisor import end_with_the_supervisor
from treegauge.challenge_server.warming import compile_kernels
from treegauge.challenge_server.worker import Worker
from treegauge.errors import TreegaugeError


def run_worker(folder: str, database: str = "", *, say: Callable[[str], None]) -> None:
    """Compile kernels, then work until SIGTERM or SIGINT.

    Parameters
    ----------
    database : str
        Address of a PostgreSQL; SQLite in the folder if empty.
    say : callable
        Told in a sentence what organisers should know.
    """
    opened = Database.open(folder, database or None)
    with contextlib.closing(opened):
        worker = Worker(opened, say=say)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: worker.stop())
        signal.set_wakeup_fd(-1)  # the command line would not wait for what we are at
        compile_kernels(worker.room)
        worker.run()


def main(folder: str) -> None:
    """Work for the supervisor that started this process."""
    end_with_the_supervisor()
    try:
        run_worker(folder, say=partial(print, "worker:", file=sys.stderr, flush=True))
    except TreegaugeError as error:
        sys.exit(f"worker: {error}")


if __name__ == "__main__":
    main(*sys.argv[1:])
