"""Compiles ahead, in several processes that divide the work between them."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from treegauge.cli.first_calls import EXPERIMENTS, Piece
from treegauge.temporaries import temporary_folder

_WORKER = "treegauge.cli.warm_up_worker"


@dataclass
class Compiled:
    """What came of a piece."""

    name: str
    kernels: list[str] = field(default_factory=list)
    """Those that were compiled for it, since no piece before had needed them."""
    seconds: float = 0.0
    """How long they were compiled."""
    missing: str = ""
    """What it cannot do without, and does not find here."""
    failure: str = ""


OnKernel = Callable[[str, str], None]
"""Told the name of a piece, and that of a kernel that is being compiled for it."""


def compile_ahead(
    pieces: Sequence[Piece], *, processes: int, on_kernel: OnKernel
) -> Iterator[Compiled]:
    """Give the pieces as they become ready, in so many processes; what is ready stays ready."""
    agenda = _Agenda(pieces)
    events: queue.Queue[tuple[str, str] | Compiled] = queue.Queue()
    with temporary_folder() as folder:
        workers = [_Worker(folder, number) for number in range(processes)]
        try:
            for worker in workers:
                threading.Thread(target=worker.follow, args=(agenda, events), daemon=True).start()
            ready = 0
            while ready < len(pieces):
                event = events.get()
                if isinstance(event, Compiled):
                    ready += 1
                    yield event
                else:
                    on_kernel(*event)
        finally:
            for worker in workers:
                worker.end()


class _Agenda:
    """The pieces that wait. Neighbours need the same kernels, so half of the workers go backwards.

    Experiments come last: by then what their cells need is compiled.
    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._lock = threading.Lock()
        self._pieces = deque(one for one in pieces if one.name not in EXPERIMENTS)
        self._experiments = deque(one for one in pieces if one.name in EXPERIMENTS)

    def take(self, *, backwards: bool) -> Piece | None:
        with self._lock:
            waiting = self._pieces or self._experiments
            if not waiting:
                return None
            return waiting.pop() if backwards else waiting.popleft()


class _Worker:
    """A process that types pieces, in a folder of its own.

    A thread follows it. The lock keeps that thread from starting a new process after the end.
    """

    def __init__(self, folder: Path, number: int) -> None:
        self._lock = threading.Lock()
        self._has_ended = False
        self._is_backwards = number % 2 == 1
        self._locks = folder / "locks"
        self._folder = folder / str(number)
        for place in (self._locks, self._folder):
            place.mkdir(exist_ok=True)
        self._start()

    def _start(self) -> None:
        with self._lock:
            if self._has_ended:
                return
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", _WORKER, str(self._locks)],
                cwd=self._folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )

    def follow(self, agenda: _Agenda, events: queue.Queue[tuple[str, str] | Compiled]) -> None:
        """Take pieces until there are none, or until the end."""
        while not self._has_ended:
            piece = agenda.take(backwards=self._is_backwards)
            if piece is None:
                return
            compiled = Compiled(piece.name)
            for answer in self._answers(piece):
                if "kernel" in answer:
                    compiled.kernels.append(answer["kernel"])
                    events.put((piece.name, answer["kernel"]))
                else:
                    vars(compiled).update(answer)
            events.put(compiled)

    def _answers(self, piece: Piece) -> Iterator[dict[str, Any]]:
        """Give what the process says of a piece; the last answer is how it ended."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        with suppress(BrokenPipeError):
            stdin.write(f"{json.dumps(piece.lines)}\n")
            stdin.flush()
        for line in stdout:
            answer = json.loads(line)
            yield answer
            if "failure" in answer:
                return
        yield {"failure": f"its process ended with exit code {self._process.wait()}"}
        self._start()

    def end(self) -> None:
        """End the process, at whatever it is."""
        with self._lock:
            self._has_ended = True
            self._process.kill()
        self._process.wait()
