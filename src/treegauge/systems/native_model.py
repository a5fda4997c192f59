"""A model in the format of a library in C++, which reads and uses it in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any, Literal

from treegauge.systems import native_reader
from treegauge.systems.errors import SystemsError
from treegauge.systems.process_endings import is_out_of_memory, signal_name
from treegauge.systems.saved_state import SavedState
from treegauge.temporaries import temporary_folder

# The path is that of this process; the folder we are in has no business there.
_PROGRAM = """\
import json, runpy, sys
sys.path[:] = json.loads(sys.argv[1])
runpy.run_path(sys.argv[2], run_name="__main__")
"""
Ask = Callable[[dict[str, Any]], SavedState]
"""Asks a library something; what comes back is checked like what a file holds."""


def program_command(program: str, *arguments: str) -> list[str]:
    """Return the command line that runs a file of ours as a program, in this installation."""
    path = json.dumps([os.path.abspath(place) for place in sys.path])  # noqa: PTH100
    return [sys.executable, "-P", "-c", _PROGRAM, path, program, *arguments]


def ending_in_words(code: int, last_lines: str) -> str:
    """Say in a line how a process ended."""
    if is_out_of_memory(last_lines):
        return "it ran out of memory"
    how = f"ended by {signal_name(-code)}" if code < 0 else f"exit code {code}"
    last = last_lines.rpartition("\n")[2]
    return f"{how}: {last}" if last else how


class NativeModel:
    """The bytes of a model, which a library can read.

    Parameters
    ----------
    advice : str
        What to do about a model that cannot be used.

    Raises
    ------
    SystemsError
        If it cannot, or comes to grief over them.
    """

    def __init__(
        self,
        content: bytes,
        *,
        library: Literal["UDPipe", "CRFsuite"],
        system: str,
        advice: str = "train and save it anew",
    ) -> None:
        self.content = content
        self._advice = advice
        self._library = library
        self._system = system
        with self.opened() as (about, _):
            self.about = about

    @contextmanager
    def opened(self) -> Iterator[tuple[SavedState, Ask]]:
        """Let the library read the model; give what it says of it, and a way to ask."""
        with temporary_folder() as folder, tempfile.TemporaryFile() as complaints:
            path = folder / "model"
            path.write_bytes(self.content)
            process = subprocess.Popen(
                program_command(native_reader.__file__, self._library, str(path)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
            )
            assert process.stdin is not None
            assert process.stdout is not None
            pipe, answers = process.stdin, process.stdout

            def ask(question: dict[str, Any]) -> SavedState:
                try:
                    pipe.write(json.dumps(question).encode() + b"\n")
                    pipe.flush()
                except BrokenPipeError:
                    pass  # it is dead, and says below of what
                return self._answer(process, answers, complaints)

            try:
                yield self._answer(process, answers, complaints), ask
            finally:
                process.kill()
                process.communicate()

    def _answer(
        self, process: subprocess.Popen[bytes], answers: IO[bytes], complaints: IO[bytes]
    ) -> SavedState:
        line = answers.readline()
        if not line.endswith(b"\n"):
            code = process.wait()
            complaints.seek(0)
            last_lines = complaints.read().decode(errors="replace").strip()
            raise SystemsError(
                f"{self._system}: {self._library} failed on this model: "
                f"{ending_in_words(code, last_lines)}\n  {self._advice}"
            )
        answer = json.loads(line)
        if "error" in answer:
            raise SystemsError(
                f"{self._system}: {self._library} cannot read the model inside this file, or "
                f"annotate with it: {answer['error']}\n  {self._advice}"
            )
        return SavedState({}, answer)
