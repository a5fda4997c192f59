"""Reads submissions in a process of its own, which never had gold in it.

What goes there is a path and blind text. What comes back is a line of JSON, 32-bit numbers and
the canonical zip: nothing in them can be run, and nothing is believed, since whoever reads them
holds gold and a stranger's file may have got the better of the process that read it.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.packs import zip_bytes
from treegauge.challenges.submission import Submission, read_submission
from treegauge.challenges.task import Task
from treegauge.errors import TreegaugeError
from treegauge.treebank import NOT_ANNOTATED, Column, Treebank, Vocabulary
from treegauge.wording import text_of_name

SECONDS = 600
"""How long a submission may be read, by the clock."""
MEMORY = 8 << 30
"""Bytes of memory that reading may take."""
LARGEST = 4 << 30
"""Bytes that the process may write, to hand a submission on."""

_NUMBER = np.dtype("<i4")
_LONGEST_FACTS = 200_000_000


@dataclass(frozen=True)
class ReadSubmission:
    """A submission as the process that scores gets it.

    Attributes
    ----------
    content : str
        The SHA-256 of the canonical files.
    about : mapping
        What `system.toml` says.
    treebanks : mapping
        Heads and columns that were submitted, on the words of the task.
    zip : bytes
        The canonical zip.
    findings : str
        What is worth saying of it; no errors.
    """

    content: str
    about: Mapping[str, Any]
    treebanks: Mapping[str, Treebank]
    zip: bytes
    findings: str = ""


class RefusedSubmissionError(ChallengeError):
    """A submission with errors; the text has all of its findings."""


def read_apart(
    source: str | Path, task: Task, *, seconds: float = SECONDS, memory: int = MEMORY
) -> ReadSubmission:
    """Read and check a submission in another process.

    Parameters
    ----------
    task : Task
        Blind text of the track; there is no gold in it.
    seconds : float
        How long it may take, by the clock.
    memory : int
        Bytes that it may take.

    Raises
    ------
    RefusedSubmissionError
        If it has errors, or cannot be read in the time and memory there is.
    """
    shown = text_of_name(source)
    with tempfile.TemporaryFile() as sent, tempfile.TemporaryFile() as returned:
        pickle.dump((os.fspath(source), task, memory), sent, pickle.HIGHEST_PROTOCOL)
        sent.seek(0)
        command = [sys.executable, "-c", _PROGRAM, json.dumps(sys.path)]
        try:
            ended = subprocess.run(
                [*command, str(sent.fileno()), str(returned.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(sent.fileno(), returned.fileno()),
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise RefusedSubmissionError(
                f"{shown}: reading took more than {seconds:g} seconds; check the file"
            ) from None
        size = os.fstat(returned.fileno()).st_size
        if ended.returncode or not size:
            raise RefusedSubmissionError(
                f"{shown}: the process that read it crashed; `treegauge challenge check` on the "
                f"participant's machine says more"
            )
        returned.seek(0)
        return decoded_submission(returned.read(), task, shown)


_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from treegauge.challenges.reading_process import main; "
    "main(int(sys.argv[2]), int(sys.argv[3]))"
)


# ---------------------------------------------------------------------- in the other process


def main(sent: int, returned: int) -> None:
    """Read the submission that one open file names, and write it to another."""
    with os.fdopen(sent, "rb") as file:
        source, task, memory = pickle.load(file)
    _limit_resources(memory)
    with os.fdopen(returned, "wb") as file:
        file.write(encoded_submission(source, task))


def _limit_resources(memory: int) -> None:
    import resource

    limits = (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_DATA, memory),
        (resource.RLIMIT_FSIZE, LARGEST),
    )
    for kind, most in limits:
        with contextlib.suppress(ValueError, OSError):  # a lower limit is there already
            resource.setrlimit(kind, (most, most))


def encoded_submission(source: str, task: Task) -> bytes:
    """Read a submission, and return it as bytes that can be checked."""
    try:
        submission = read_submission(source, task)
        if submission.system is None or not submission.findings.is_acceptable:
            return json.dumps({"refused": _said(submission)}).encode() + b"\n"
        members = submission.canonical_files()
        content = submission.content
    except TreegaugeError as error:
        return json.dumps({"refused": str(error)}).encode() + b"\n"
    except MemoryError:
        return json.dumps({"refused": f"{source}: it needs too much memory"}).encode() + b"\n"
    names = [name for name in task.columns if name != "head"]
    compact = {
        treebank: {name: own.columns[name].compact() for name in names}
        for treebank, own in submission.treebanks.items()
    }
    facts = {
        "content": content,
        "about": submission.system.to_dict(),
        "findings": _said(submission),
        "treebanks": {
            treebank: {name: list(column.vocabulary) for name, column in columns.items()}
            for treebank, columns in compact.items()
        },
    }
    arrays = [
        array.astype(_NUMBER).tobytes()
        for treebank, columns in compact.items()
        for array in (
            submission.treebanks[treebank].head,
            *(column.codes for column in columns.values()),
        )
    ]
    return b"".join([json.dumps(facts).encode(), b"\n", *arrays, zip_bytes(members)])


def _said(submission: Submission) -> str:
    return "\n".join(line for line, _ in submission.findings.lines())


# ---------------------------------------------------------------------- back in ours


def decoded_submission(content: bytes, task: Task, shown: str) -> ReadSubmission:
    """Return the submission that bytes hold; refuse bytes that are not what they should be."""
    broken = RefusedSubmissionError(f"{shown}: what its reader returned cannot be used")
    end = content.find(b"\n", 0, _LONGEST_FACTS)
    try:
        facts = json.loads(content[: max(end, 0)])
    except (ValueError, RecursionError):
        raise broken from None
    if not isinstance(facts, dict):
        raise broken
    if "refused" in facts:
        raise RefusedSubmissionError(str(facts["refused"]))
    treebanks = {}
    begin = end + 1
    names = [name for name in task.columns if name != "head"]
    try:
        for treebank, strings in facts["treebanks"].items():
            words = task.treebanks[treebank]
            stop = begin + words.n_words * _NUMBER.itemsize * (1 + len(names))
            numbers = np.frombuffer(content[begin:stop], _NUMBER).astype(np.int32)
            head, *codes = numbers.reshape(1 + len(names), words.n_words)
            columns = {
                name: _column(own, strings[name]) for name, own in zip(names, codes, strict=True)
            }
            treebanks[treebank] = words.replace(columns=columns, head=_heads(head, words))
            begin = stop
        about = {str(key): value for key, value in facts["about"].items()}
        return ReadSubmission(
            str(facts["content"]), about, treebanks, content[begin:], str(facts["findings"])
        )
    except (KeyError, ValueError, TypeError, AttributeError, TreegaugeError):
        raise broken from None


def _heads(head: NDArray[np.int32], words: Treebank) -> NDArray[np.int32]:
    """Refuse numbers that stand for no head; kernels would look there."""
    if (head < NOT_ANNOTATED).any():
        raise ValueError("a head below -1")
    assert len(head) == words.n_words
    return head.copy()


def _column(codes: NDArray[np.int32], strings: object) -> Column:
    if not isinstance(strings, list) or not all(isinstance(one, str) for one in strings):
        raise ValueError("no list of texts")
    if codes.size and not 0 <= codes.min() <= codes.max() < len(strings):
        raise ValueError("a number that stands for no text")
    return Column(codes.copy(), Vocabulary.from_strings(strings))
