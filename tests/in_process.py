"""Runs the program, or cells, inside the test's own process: the same without the start-up.

A process of its own takes most of a second to import everything, many times what a small file
takes. Tests whose subject is the process itself start a real one.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from subprocess import CompletedProcess
from unittest import mock

from treegauge.cli import console
from treegauge.cli.main import main
from treegauge.runs.job import Job, run_job
from treegauge.runs.outcome import Outcome


def run_in_process(
    arguments: Sequence[str],
    *,
    folder: Path,
    stdin: str | None = None,
    environment: Mapping[str, str] | None = None,
    joined: bool = False,
) -> CompletedProcess[str]:
    """Return what `treegauge ARGUMENTS` says in a folder; with `joined`, all on one stream."""
    output = _stream()
    errors = output if joined else _stream()
    console.manners.quiet = console.manners.debug = console.manners.json = False
    with (
        contextlib.chdir(folder),
        mock.patch.dict(os.environ, environment or {}),
        mock.patch("treegauge.cli.main.obeyed_signals"),
        mock.patch.multiple(
            sys, argv=["treegauge", *arguments], stdin=_stream(stdin), stdout=output, stderr=errors
        ),
    ):
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except Exception:
            # As the interpreter does it.
            traceback.print_exc()
            code = 1
    return CompletedProcess(
        ["treegauge", *arguments], code, _text(output), "" if joined else _text(errors)
    )


@contextlib.contextmanager
def cells_in_process() -> Iterator[None]:
    """Let experiments run their cells here, one at a time."""
    alone = threading.Lock()

    def run_here(job: Job, _given_up: object = None) -> Outcome:
        with alone:
            return run_job(job)

    with mock.patch("treegauge.runs.submission.run_isolated", run_here):
        yield


def _stream(content: str | None = None) -> io.TextIOWrapper:
    """Return a stream that nobody types into or reads from, with bytes below as real ones have."""
    return io.TextIOWrapper(
        io.BytesIO((content or "").encode()), encoding="utf-8", write_through=True
    )


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
