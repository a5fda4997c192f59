"""Jobs: what is sent to another process, or another machine, and what comes back.

A job holds blind copies, never gold that its track hides: what is not sent cannot be seen.
Each job runs in a process of its own, so that a crash, a leak or a hanging system costs one
cell and nothing else. Jobs and outcomes go through files without a name, so that no system
finds the job of another one on the disk. Only jobs are pickled: the process that holds gold reads
outcomes as data (`outcome.py`).
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

import numpy as np

from treegauge.compilation import CompilationClock
from treegauge.errors import TreegaugeError
from treegauge.kernels import load_numba
from treegauge.runs.outcome import (
    LONGEST_REASON,
    LONGEST_TEXT,
    Annotation,
    Outcome,
    most_bytes,
    read_outcome,
    shortened,
)
from treegauge.systems.partial_work import read_piece, write_pieces
from treegauge.systems.process_endings import is_out_of_memory, signal_name
from treegauge.systems.process_family import end_descendants, end_family, keeper_command
from treegauge.temporaries import temporary_folder
from treegauge.treebank import Column, Treebank

if TYPE_CHECKING:
    from treegauge.systems import System

_PATIENCE = 0.2
"""Seconds between two looks at whether a job is to be given up."""

# The path is that of this process, and the folder we are in is not part of it unless it is
# here: a file called `random.py` that happens to lie there must not break every cell.
_PROGRAM = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from treegauge.runs.job import main
main(int(sys.argv[2]), int(sys.argv[3]))
"""


@dataclass(frozen=True)
class Job:
    """A system, what it learns from, and what it annotates."""

    system: str
    settings: dict[str, Any]
    seed: int
    fit: Treebank
    targets: dict[str, Treebank]
    """What to annotate, by the name of the part."""
    threads: int = 1
    memory: int | None = None
    """MiB that the process may use beside the program itself."""
    timeout: float | None = None
    code: str = ""
    """The version of the system's code that is meant; not checked where it is empty."""
    keep_model: bool = False
    """Whether what was learnt is to come back too."""
    keep_in: str | None = None
    """Where a system whose pieces are no jobs of their own keeps them until it is done."""
    piece: str = ""
    """The piece of learning that alone is to be done; it comes back as what was learnt."""
    pieces: Mapping[str, bytes] = field(default_factory=dict)
    """Pieces that other jobs have done."""

    def without_texts(self) -> tuple[Job, tuple[Treebank, ...]]:
        """Return the job without its texts, and the texts, which other jobs may share."""
        nothing = Treebank({"form": Column.from_strings([])}, offsets=[0])
        bare = replace(self, fit=nothing, targets=dict.fromkeys(self.targets, nothing))
        return bare, (self.fit, *self.targets.values())

    def with_texts(self, fit: Treebank, *targets: Treebank) -> Job:
        """Return the job with the texts that were taken from it."""
        return replace(self, fit=fit, targets=dict(zip(self.targets, targets, strict=True)))


class GivenUp(Protocol):
    """Says whether nobody waits for an outcome any more; a `threading.Event` does."""

    def is_set(self) -> bool:
        """Return whether to give up."""


# ---------------------------------------------------------------------- in this process


def run_isolated(job: Job, given_up: GivenUp | None = None) -> Outcome:
    """Run a job in a process of its own, and kill it when its time is over.

    Parameters
    ----------
    given_up : GivenUp, optional
        Set when nobody waits for the outcome any more.
    """
    begin = time.monotonic()
    program = (sys.executable, "-P", "-c", _PROGRAM)
    # Not in the folder of the run: an open file leads to its folder, and what other cells said
    # is there, with tags that this one may not see.
    with tempfile.TemporaryFile() as sent, tempfile.TemporaryFile() as returned:
        pickle.dump(job, sent, pickle.HIGHEST_PROTOCOL)
        sent.seek(0)
        process = subprocess.Popen(
            keeper_command([*program, _path(), str(sent.fileno()), str(returned.fileno())]),
            # The process dies with us: it watches its standard input.
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(sent.fileno(), returned.fileno()),
            start_new_session=True,
            env=_environment(job.threads),
        )
        listener = _Listener(process.stdout)
        try:
            code = _wait(process, job.timeout, given_up)
        finally:
            end_family(process)
            if process.stdin:
                process.stdin.close()
        output = listener.text()
        if code is None:
            outcome = Outcome(
                "timeout",
                seconds=time.monotonic() - begin,
                reason=f"more than {job.timeout:g} seconds were needed",
            )
        elif code == 0 and os.fstat(returned.fileno()).st_size:
            returned.seek(0)
            content = returned.read(most_bytes(job.targets, keep_model=job.keep_model) + 1)
            outcome = read_outcome(content, job.targets, keep_model=job.keep_model)
        else:
            outcome = _crashed(job, code, output, time.monotonic() - begin)
        return replace(outcome, output=output, elapsed=time.monotonic() - begin)


def run_elsewhere(job: Job, given_up: GivenUp | None = None) -> bytes:
    """Run a job in a process of its own, on another machine; `read_outcome` reads what it gives."""
    return run_isolated(job, given_up).to_bytes()


def run_with_texts(job: Job, *texts: Treebank, given_up: GivenUp | None = None) -> bytes:
    """Run a job whose texts came by themselves."""
    return run_elsewhere(job.with_texts(*texts), given_up)


def _path() -> str:
    return json.dumps([os.path.abspath(place) for place in sys.path])  # noqa: PTH100


def _environment(threads: int) -> dict[str, str]:
    libraries = ("TREEGAUGE", "NUMBA_NUM", "OMP_NUM", "OPENBLAS_NUM", "MKL_NUM", "POLARS_MAX")
    # A system has no business with the folders where gold lies.
    kept = {name: value for name, value in os.environ.items() if name != "TREEGAUGE_DATA"}
    return {
        **kept,
        **{f"{library}_THREADS": str(threads) for library in libraries},
        # Sets have the same order in every process, and so have results.
        "PYTHONHASHSEED": "0",
        # What a system prints and what it complains about are kept in the order they were said.
        "PYTHONUNBUFFERED": "1",
    }


def _wait(
    process: subprocess.Popen[bytes], timeout: float | None, given_up: GivenUp | None
) -> int | None:
    """Return the exit code, or None when the time is over."""
    deadline = None if timeout is None else time.monotonic() + timeout
    while True:
        left = _PATIENCE if deadline is None else min(_PATIENCE, deadline - time.monotonic())
        if left <= 0:
            return None
        try:
            return process.wait(left)
        except subprocess.TimeoutExpired:
            if given_up is not None and given_up.is_set():
                raise KeyboardInterrupt from None


class _Listener:
    """Reads what a process prints, however much it is, and keeps its beginning and its end."""

    def __init__(self, pipe: IO[bytes] | None) -> None:
        assert pipe is not None
        self._pipe = pipe
        self._first = self._last = b""
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        room = LONGEST_TEXT // 2
        with self._pipe:
            while chunk := os.read(self._pipe.fileno(), 1 << 16):
                free = max(room - len(self._first), 0)
                self._first += chunk[:free]
                # One byte more shows that something was left out.
                self._last = (self._last + chunk[free:])[-room - 1 :]

    def text(self) -> str:
        # A process that got away may hold the other end for ever.
        self._thread.join(timeout=1.0)
        return shortened((self._first + self._last).decode(errors="replace"))


def _crashed(job: Job, code: int, output: str, seconds: float) -> Outcome:
    """Return the outcome of a process that could not say what happened to it."""
    if job.memory is not None and is_out_of_memory(output):
        return Outcome("memory", seconds=seconds, reason=_too_much(job), error=output)
    return Outcome("failed", seconds=seconds, reason=_ending(code), error=output)


def _too_much(job: Job) -> str:
    if job.memory is None:
        return "it ran out of memory"
    return f"it needed more than the memory limit of {job.memory} MiB"


def _ending(code: int) -> str:
    if code < 0:
        hint = " (out of memory?)" if -code == signal.SIGKILL else ""
        return f"the process was ended by {signal_name(-code)}{hint}"
    return f"the process ended with exit code {code} and no result"


# ---------------------------------------------------------------------- in the other process


def main(sent: int, returned: int) -> None:
    """Run the job that one open file holds, and write its outcome to another."""
    faulthandler.enable()
    threading.Thread(target=_die_with_parent, daemon=True).start()
    with os.fdopen(sent, "rb") as file:
        job = pickle.load(file)
    if job.memory is not None:
        _limit_memory(job.memory)
    outcome = run_job(job)
    if job.memory is not None:
        _limit_memory(None)
    with os.fdopen(returned, "wb") as file:
        file.write(outcome.to_bytes())
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    # Not the usual way out: threads that a system left running, or a library that crashes at
    # the end, have no say any more.
    os._exit(0)


def run_job(job: Job) -> Outcome:
    """Fit and annotate, in this process."""
    begin = time.perf_counter()
    compilation = CompilationClock()
    try:
        system = _system(job)
        load_numba()
        begin = time.perf_counter()  # importing it is no merit and no fault of a system
        with compilation.running():  # nor is compiling it, which the first cell of a machine pays
            outcome = _piece(system, job) if job.piece else _whole(system, job)
    except MemoryError:
        outcome = Outcome("memory", reason=_too_much(job), error=_traceback())
    except Exception as error:  # whatever a system does wrong is recorded, and the rest goes on
        outcome = Outcome("failed", reason=_reason(error), error=_traceback())
    seconds = time.perf_counter() - begin - compilation.seconds
    return replace(
        outcome,
        seconds=seconds,
        compiling=compilation.seconds,
        peak_memory=_peak_memory(),
    )


def _system(job: Job) -> System:
    from treegauge.systems import SystemsError, find_system, make_system
    from treegauge.systems.code_version import code_version

    if job.code and code_version(find_system(job.system).module) != job.code:
        raise SystemsError(
            f"{job.system}: its code differs from the code of the plan\n"
            "  run the experiment again; all machines of a cluster need the same version"
        )
    return make_system(job.system, job.settings, seed=job.seed)


def _piece(system: System, job: Job) -> Outcome:
    with temporary_folder() as folder:
        system.fit_piece(job.fit, job.piece, keep_in=folder)
        return Outcome("done", model=read_piece(folder, job.piece))


def _whole(system: System, job: Job) -> Outcome:
    with _pieces_at_hand(job) as folder:
        system.fit(job.fit, keep_in=folder)
    annotations = _annotations(system, job)
    if job.keep_in is not None and system.learns:
        system.partial_work.remove()
    return Outcome("done", annotations, _saved(system) if job.keep_model else b"")


@contextlib.contextmanager
def _pieces_at_hand(job: Job) -> Iterator[str | Path | None]:
    """Give the folder where the system finds pieces: one with those that came with the job."""
    if not job.pieces:
        yield job.keep_in
        return
    with temporary_folder() as folder:
        write_pieces(folder, job.pieces)
        yield folder


def _annotations(system: System, job: Job) -> dict[str, Annotation]:
    from treegauge.systems import SystemsError

    annotations = {}
    for part, target in job.targets.items():
        annotated = system.annotate(target)
        if annotated.form != target.form or not np.array_equal(annotated.offsets, target.offsets):
            raise SystemsError(f"{job.system} changed the words of the text")
        annotations[part] = Annotation.of(annotated)
    return annotations


def _saved(system: System) -> bytes:
    """Return what a system has learnt, as the bytes of a file."""
    with temporary_folder() as folder:
        path = folder / "model"
        system.save(path)
        return path.read_bytes()


def _traceback() -> str:
    return shortened(traceback.format_exc())


def _reason(error: Exception) -> str:
    """Return the first line of what an exception says; ours need no name before it."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    kind = "" if isinstance(error, TreegaugeError) else type(error).__name__
    line = ": ".join(filter(None, (kind, lines[0].strip() if lines else "")))
    return line if len(line) <= LONGEST_REASON else f"{line[:LONGEST_REASON]}…"


def _peak_memory() -> float:
    """Return the most memory that this process has used, in MiB."""
    try:
        # Not getrusage: on Linux it counts what the parent used before the program began.
        return _status("VmHWM")
    except (OSError, StopIteration):
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20


def _status(name: str) -> float:
    """Return what Linux knows of the memory of this process, in MiB."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8", errors="replace").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{name}:"))


def _limit_memory(mebibytes: int | None) -> None:
    """Let allocations beyond a limit fail, or no more; counted is private memory, as Linux does.

    The program and the job itself do not count: what is there already is added to the limit.
    """
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    limit = most
    if mebibytes is not None:
        with contextlib.suppress(OSError, StopIteration):
            mebibytes += round(_status("VmData"))
        limit = mebibytes * 2**20
        if most != resource.RLIM_INFINITY:
            limit = min(limit, most)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, most))


def _die_with_parent() -> None:
    """Wait until nobody holds the other end of standard input, then end everything."""
    while os.read(0, 1):
        pass
    end_descendants(os.getpid())
    os.kill(os.getpid(), signal.SIGKILL)  # and the keeper ends what is left
