"""Jobs: what is sent to another process, or another machine, and what comes back.

A job holds blind copies, never gold that its track hides: what is not sent cannot be seen.
Each job runs in a process of its own, so that a crash, a leak or a hanging system costs one
cell and nothing else.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.treebank import Column, Treebank

Status = Literal["done", "failed", "timeout", "memory"]
_PATIENCE = 0.2
"""Seconds between two looks at whether a job is to be given up."""


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


@dataclass(frozen=True)
class Annotation:
    """What a system added to a treebank."""

    head: NDArray[np.int32]
    columns: dict[str, Column]

    @classmethod
    def of(cls, treebank: Treebank) -> Annotation:
        """Return the columns that systems write."""
        names = ("upos", "xpos", "cpos", "deprel")
        return cls(treebank.head, {name: treebank.columns[name].compact() for name in names})

    def on(self, treebank: Treebank) -> Treebank:
        """Return a treebank with this annotation."""
        return treebank.replace(head=self.head, columns=self.columns)


@dataclass(frozen=True)
class Outcome:
    """What came of a job."""

    status: Status
    annotations: dict[str, Annotation] = field(default_factory=dict)
    seconds: float = 0.0
    peak_memory: float = 0.0
    """MiB."""
    supervision: str = ""
    error: str = ""
    """A traceback, or what else there is to say; its last line says it shortest."""


def run_job(job: Job) -> Outcome:
    """Fit and annotate, in this process."""
    from treegauge.systems import make_system

    begin = time.perf_counter()
    try:
        system = make_system(job.system, job.settings, seed=job.seed)
        system.fit(job.fit)
        annotations = {}
        for part, target in job.targets.items():
            annotated = system.annotate(target)
            if annotated.form != target.form or not np.array_equal(
                annotated.offsets, target.offsets
            ):
                raise RuntimeError(f"{job.system} changed the words of what it annotated")
            annotations[part] = Annotation.of(annotated)
    except MemoryError:
        return Outcome(
            "memory",
            error=f"{traceback.format_exc()}more than the {job.memory} MiB that were allowed",
            seconds=time.perf_counter() - begin,
            peak_memory=_peak_memory(),
        )
    except Exception:  # whatever a system does wrong is recorded, and the rest goes on
        return Outcome(
            "failed",
            error=traceback.format_exc(),
            seconds=time.perf_counter() - begin,
            peak_memory=_peak_memory(),
        )
    return Outcome(
        "done", annotations, time.perf_counter() - begin, _peak_memory(), system.supervision
    )


def run_isolated(
    job: Job, scratch: Path | None = None, given_up: threading.Event | None = None
) -> Outcome:
    """Run a job in a process of its own, and kill it when its time is over.

    Parameters
    ----------
    scratch : Path, optional
        A folder for the files that go between the processes; the system's when missing.
    given_up : threading.Event, optional
        Set when nobody waits for the outcome any more.
    """
    with tempfile.TemporaryDirectory(prefix="job-", dir=scratch) as name:
        folder = Path(name)
        (folder / "job").write_bytes(pickle.dumps(job, pickle.HIGHEST_PROTOCOL))
        begin = time.monotonic()
        with (folder / "output").open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "treegauge.experiments.job", str(folder)],
                # The process dies with us: it watches its standard input.
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                start_new_session=True,
                env=_environment(job.threads),
            )
        try:
            code = _wait(process, job.timeout, given_up)
        finally:
            _kill(process)
        seconds = time.monotonic() - begin
        if code is None:
            return Outcome(
                "timeout", seconds=seconds, error=f"more than {job.timeout:g} seconds were needed"
            )
        if (folder / "outcome").exists():
            outcome = pickle.loads((folder / "outcome").read_bytes())
            assert isinstance(outcome, Outcome)
            return outcome
        said = (folder / "output").read_text(encoding="utf-8", errors="replace")
        return Outcome("failed", seconds=seconds, error=f"{said}{_ending(code)}")


def _environment(threads: int) -> dict[str, str]:
    libraries = ("TREEGAUGE", "NUMBA_NUM", "OMP_NUM", "OPENBLAS_NUM", "MKL_NUM", "POLARS_MAX")
    return {**os.environ, **{f"{library}_THREADS": str(threads) for library in libraries}}


def _wait(
    process: subprocess.Popen[bytes], timeout: float | None, given_up: threading.Event | None
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


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdin:
        process.stdin.close()


def _ending(code: int) -> str:
    if code < 0:
        name = signal.Signals(-code).name
        hint = " (out of memory?)" if -code == signal.SIGKILL else ""
        return f"the process was ended by {name}{hint}"
    return f"the process ended with exit code {code} and left no outcome"


# ---------------------------------------------------------------------- in the other process


def _peak_memory() -> float:
    """Return the most memory that this process has used, in MiB."""
    try:
        # Not getrusage: on Linux it counts what the parent used before the program began.
        status = Path("/proc/self/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) / 1024
    except (OSError, StopIteration):
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20


def _limit_memory(mebibytes: int) -> None:
    """Let allocations beyond a limit fail; counted is private memory, as Linux does."""
    import resource

    limit = mebibytes * 2**20
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def _die_with_parent() -> None:
    """Wait until nobody holds the other end of standard input, then end everything."""
    while os.read(0, 1):
        pass
    os.killpg(os.getpgid(0), signal.SIGKILL)


def main(folder: Path) -> None:
    """Run the job of a folder and leave its outcome there."""
    threading.Thread(target=_die_with_parent, daemon=True).start()
    job = pickle.loads((folder / "job").read_bytes())
    if job.memory is not None:
        _limit_memory(job.memory)
    outcome = run_job(job)
    (folder / ".outcome").write_bytes(pickle.dumps(outcome, pickle.HIGHEST_PROTOCOL))
    (folder / ".outcome").replace(folder / "outcome")


if __name__ == "__main__":
    # Imported by its name, so that what is pickled belongs to the same module here and there.
    from treegauge.experiments import job as this_module

    this_module.main(Path(sys.argv[1]))
