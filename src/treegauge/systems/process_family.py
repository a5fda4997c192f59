"""Commands that are ended with everything that they started, also what tries to live on.

A command runs below a keeper, which is this file as a program. The keeper adopts: when a process
below it ends, the children of that process become the keeper's, in whatever session they are and
however often they forked. When the command ends, the keeper ends all that is left of it, and ends
as the command did. When whoever started the keeper is killed, it ends everything. Only Linux knows
all this; elsewhere what left the command's group lives on.

Imports nothing of treegauge, so that the keeper starts at once.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys

TYPE_CHECKING = False  # as `typing` has it, which takes long to import
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Sequence

_ADOPT_ORPHANS = 36
_SIGNAL_OF_PARENTS_DEATH = 1
"""What Linux calls PR_SET_CHILD_SUBREAPER and PR_SET_PDEATHSIG."""
_NOT_STARTED = 126
"""The exit code of shells for a command that cannot be run."""


# ---------------------------------------------------------------------- before and after


def keeper_command(
    command: Sequence[str], *, memory: int | None = None, file_size: int | None = None
) -> list[str]:
    """Return the command line of a keeper that runs a command; start it in a session of its own.

    Parameters
    ----------
    memory : int, optional
        Bytes of address space that each process of the command may have.
    file_size : int, optional
        Bytes that a process of the command may write to a file.
    """
    limits = [str(limit or "") for limit in (memory, file_size)]
    return [sys.executable, "-I", "-S", __file__, *limits, *command]


def end_family(keeper: subprocess.Popen[bytes]) -> None:
    """End a keeper, its command, and everything that they started."""
    if keeper.poll() is None:
        end_descendants(keeper.pid)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(keeper.pid, signal.SIGKILL)
    keeper.wait()


def end_descendants(pid: int) -> None:
    """End the processes that a process started, and those that they did."""
    # Stopped first: what does not run cannot start anything new.
    stopped: list[int] = []
    while running := [one for one in _descendants(pid) if one not in stopped]:
        _send(signal.SIGSTOP, running)
        stopped += running
    _send(signal.SIGKILL, stopped)


def _send(number: int, pids: Sequence[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _descendants(pid: int) -> list[int]:
    """Return the processes below a process; Linux says which they are."""
    children: dict[int, list[int]] = {}
    with contextlib.suppress(OSError):
        for child in filter(str.isdecimal, os.listdir("/proc")):  # noqa: PTH208
            with (
                contextlib.suppress(OSError, ValueError, IndexError),
                open(f"/proc/{child}/stat", "rb") as state,  # noqa: PTH123
            ):
                # The name in parentheses may hold anything, also spaces and parentheses.
                parent = int(state.read().rpartition(b")")[2].split()[1])
                children.setdefault(parent, []).append(int(child))
    descendants = []
    waiting = [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        descendants += below
        waiting += below
    return descendants


# ---------------------------------------------------------------------- the keeper


def main(memory: str, file_size: str, *command: str) -> None:
    """Run a command to its end, and end what it left behind."""
    signal.signal(signal.SIGTERM, _end_all)
    _prepare()
    pid = os.fork()
    if not pid:
        _become(command, memory, file_size)
    status = None
    while status is None:
        ended, code = os.wait()
        status = code if ended == pid else None
    with contextlib.suppress(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)  # raises where nothing is left
        end_descendants(os.getpid())
    _end_like(status)


def _prepare() -> None:
    """Adopt what loses its parent, and hear of the death of our own."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            library = ctypes.CDLL(None)
            library.prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)
            library.prctl(_SIGNAL_OF_PARENTS_DEATH, int(signal.SIGTERM), 0, 0, 0)


def _end_all(number: int, _frame: object) -> None:
    end_descendants(os.getpid())
    os._exit(128 + number)


def _become(command: tuple[str, ...], memory: str, file_size: str) -> None:
    """Replace this process by a command."""
    import resource

    # Python ignores these, and what is ignored stays so in the command.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        for kind, limit in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, file_size)):
            most = resource.getrlimit(kind)[1]
            if limit and (most == resource.RLIM_INFINITY or int(limit) < most):
                resource.setrlimit(kind, (int(limit), int(limit)))
        os.execvp(command[0], command)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", "") or error
        os.write(2, f"{command[0]}: cannot be started: {reason}\n".encode(errors="replace"))
        os._exit(_NOT_STARTED)


def _end_like(status: int) -> None:
    if os.WIFSIGNALED(status):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the command has left its own
        number = os.WTERMSIG(status)
        with contextlib.suppress(OSError):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main(*sys.argv[1:])
