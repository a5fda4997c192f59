"""Starts the processes of a server, starts them anew when they die, and ends all together.

Every process has the end of a pipe as its standard input. When the supervisor is gone, however it
went, that pipe ends, and its processes end too (`end_with_the_supervisor`).
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

LONG_ENOUGH = 10.0
"""Seconds of life after which a death says nothing of the start any more."""
LONGEST_DELAY = 30.0
"""Seconds before a process that dies again and again is started anew."""
FIRST_DELAY = 0.2
MOST_FAILED_STARTS = 5
"""After so many starts of a needed process that came to nothing, the supervisor gives up."""
PATIENCE = 60.0
"""Seconds that processes have to end when they are asked to."""

_BETWEEN_LOOKS = 0.1


@dataclass(frozen=True)
class ProcessPlan:
    """A process that is to run.

    Attributes
    ----------
    name : str
        What messages call it.
    command : tuple of str
        Program and arguments.
    files : tuple of int
        Open files that it gets under the same numbers.
    is_needed : bool
        Whether all ends where it cannot be started; others are tried again for ever.
    """

    name: str
    command: tuple[str, ...]
    files: tuple[int, ...] = ()
    is_needed: bool = False


@dataclass
class _Running:
    """A process of a plan, or the time at which it will be started again."""

    plan: ProcessPlan
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    starts_again: float = 0.0
    failed_starts: int = 0


@dataclass
class Supervisor:
    """Keeps processes running until it is told to stop.

    Attributes
    ----------
    plans : sequence of ProcessPlan
        What is to run.
    say : callable
        Told in a sentence when a process ends that should not.
    """

    plans: Sequence[ProcessPlan]
    say: Callable[[str], None] = lambda _text: None
    patience: float = PATIENCE
    _wake: threading.Event = field(default_factory=threading.Event, repr=False)
    _running: list[_Running] = field(default_factory=list, repr=False)
    _lifeline: tuple[int, int] = field(default=(-1, -1), repr=False)

    def run(self, on_ready: Callable[[], None] = lambda: None) -> int:
        """Run all processes; return the exit code: 1 if one of them cannot be started.

        `on_ready` is called when a signal already ends everything in order.
        """
        self._lifeline = os.pipe()
        try:
            with _ends_on_signals(self.stop):
                on_ready()
                self._running = [_Running(plan) for plan in self.plans]
                for one in self._running:
                    self._start(one)
                gave_up = self._watch()
                self._end_all()
        finally:
            for number in self._lifeline:
                os.close(number)
        return 1 if gave_up else 0

    def stop(self) -> None:
        """End everything, and `run` with it; from any thread, or from a signal."""
        self._wake.set()

    @property
    def processes(self) -> dict[str, int]:
        """The numbers of the processes that run, by name."""
        return {one.plan.name: one.process.pid for one in self._running if one.process is not None}

    def _start(self, one: _Running) -> None:
        one.started = time.monotonic()
        one.process = subprocess.Popen(
            one.plan.command,
            stdin=self._lifeline[0],
            pass_fds=one.plan.files,
            # A group of its own: what it starts can be ended with it.
            start_new_session=True,
        )

    def _watch(self) -> bool:
        """Start again what dies, until told to stop; return whether that was hopeless."""
        while not self._wake.wait(_BETWEEN_LOOKS):
            now = time.monotonic()
            for one in self._running:
                if one.process is None:
                    if now >= one.starts_again:
                        self._start(one)
                elif (code := one.process.poll()) is not None:
                    _kill_group(one.process.pid)
                    one.process = None
                    if not self._plan_restart(one, code, now):
                        return True
        return False

    def _plan_restart(self, one: _Running, code: int, now: float) -> bool:
        """Say when a process is started again; return whether there is hope."""
        lived = now - one.started
        # Who was killed did not fail by itself.
        failed = code >= 0 and lived < LONG_ENOUGH
        one.failed_starts = one.failed_starts + 1 if failed else 0
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        if one.plan.is_needed and one.failed_starts >= MOST_FAILED_STARTS:
            self.say(
                f"{one.plan.name} ended with {how}, {MOST_FAILED_STARTS} times in a row; "
                "its output above says why"
            )
            return False
        delay = min(FIRST_DELAY * 4.0 ** min(one.failed_starts, 5), LONGEST_DELAY)
        one.starts_again = now + delay
        self.say(f"{one.plan.name} ended with {how}; it is started again")
        return True

    def _end_all(self) -> None:
        """Ask all processes to end, and kill those that do not."""
        waiting = [one.process for one in self._running if one.process is not None]
        for process in waiting:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
        last = time.monotonic() + self.patience
        for process in waiting:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, last - time.monotonic()))
        for process in waiting:
            _kill_group(process.pid)
            process.wait()
        for one in self._running:
            one.process = None


def _kill_group(number: int) -> None:
    """Kill what is left of a process and of those that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(number, signal.SIGKILL)


@contextlib.contextmanager
def _ends_on_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call a function on SIGTERM, SIGINT and SIGHUP; only the main thread can."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    before = {number: signal.signal(number, lambda *_: stop()) for number in numbers}
    # The command line would end us by force within two seconds; answers may take longer.
    listener = signal.set_wakeup_fd(-1)
    try:
        yield
    finally:
        signal.set_wakeup_fd(listener)
        for number, handler in before.items():
            signal.signal(number, handler)


# ---------------------------------------------------------------------- in the other processes


def end_with_the_supervisor(*, patience: float = PATIENCE) -> None:
    """End this process, politely at first, when its standard input ends."""

    def wait_for_the_end() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 1):
                pass
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(patience)
        os._exit(1)

    threading.Thread(target=wait_for_the_end, name="lifeline", daemon=True).start()


def python_module(module: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs a module of ours; the folder that we are in plays no part."""
    return (sys.executable, "-P", "-m", module, *arguments)
