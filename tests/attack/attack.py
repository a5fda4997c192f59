"""What a kind of attack is, and how its cases are run, counted and kept."""

from __future__ import annotations

import shutil
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.in_process import run_in_process

PATIENCE = 60
"""Seconds after which a case that has not come to its end counts as found."""

TEMPORARIES = ("*.part", ".*.part", ".unpacking-*", "*.tmp", ".*.tmp")


class Found(AssertionError):  # noqa: N818 (what the search is for)
    """The program broke a promise."""


@dataclass(frozen=True)
class Attack:
    """A kind of attack.

    Attributes
    ----------
    name : str
        What `--kind` takes.
    what : str
        One line for the table of docs/reliability.md.
    case : function
        Draws one case in an empty folder and tries it; gives the outcome in a word, and raises
        what the program should not have raised.
    short, long : int
        The cases of `make test` and of `make test-slow`.
    """

    name: str
    what: str
    case: Callable[[Random, Path], str]
    short: int
    long: int


@dataclass
class Tally:
    """What came of the cases of one kind."""

    attack: Attack
    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    seconds: float = 0.0


def run_cases(attack: Attack, cases: Iterable[int], seed: int, kept: Path | None = None) -> Tally:
    """Run cases of a kind; the files of those in which something was found stay in `kept`."""
    tally = Tally(attack)
    begin = time.monotonic()
    for number in cases:
        folder = Path(tempfile.mkdtemp(prefix=f"attack-{attack.name}-"))
        try:
            tally.outcomes[run_case(attack, number, seed, folder)] += 1
        except Exception as error:
            place = kept / f"{attack.name}-{seed}-{number}" if kept else None
            if place is not None:
                shutil.rmtree(place, ignore_errors=True)
                shutil.copytree(folder, place, symlinks=True)
            tally.failures.append(_described(attack, number, seed, error, place))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    tally.seconds = time.monotonic() - begin
    return tally


def run_case(attack: Attack, number: int, seed: int, folder: Path) -> str:
    """Run one case; the same numbers give the same case on every machine."""
    begin = time.monotonic()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outcome = attack.case(Random(f"{seed} {attack.name} {number}"), folder)
    if time.monotonic() - begin > PATIENCE:
        raise Found(f"took {time.monotonic() - begin:.0f} s")
    return outcome


def _described(attack: Attack, number: int, seed: int, error: Exception, place: Path | None) -> str:
    reason = str(error) if isinstance(error, Found) else traceback.format_exc()
    again = f"python -m tests.attack --kind {attack.name} --seed {seed} --first {number} --cases 1"
    return f"{attack.name} {number}: {reason}\n  again: {again}\n  files: {place or 'not kept'}"


# ---------------------------------------------------------------------- promises of every verb


def try_command(arguments: list[str], folder: Path) -> int:
    """Run the program on bad input; return its exit code if it kept its promises.

    It ends with 0, or with 1 (misuse: 2) and a message; never with a traceback, with control
    characters on the terminal, or with a temporary file.
    """
    done = run_in_process(arguments, folder=folder, environment={"COLUMNS": "200"})
    said = f"treegauge {' '.join(arguments)}\nexit {done.returncode}\n{done.stderr[-3000:]}"
    if "Traceback (most recent call last)" in done.stderr or done.returncode not in (0, 1, 2):
        raise Found(said)
    if done.returncode and not (done.stderr.strip() or done.stdout.strip()):
        raise Found(f"no message: {said}")
    if controls := sorted({c for c in done.stderr if _is_control(c)}):
        raise Found(f"control characters {controls} in: {said}")
    left = sorted(str(path) for pattern in TEMPORARIES for path in folder.rglob(pattern))
    if left:
        raise Found(f"left {left}: {said}")
    return done.returncode


def _is_control(character: str) -> bool:
    code = ord(character)
    is_bidi = 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069 or code in (0x200E, 0x200F)
    return is_bidi or (code < 32 and character not in "\n\t") or 0x7F <= code <= 0x9F
