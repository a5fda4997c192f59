"""What comes of a job, and the bytes in which it comes back.

A line of JSON, then an array of 32-bit numbers for the heads and for every column of every part,
then the model. Nothing in them can be run, and nothing is believed: whoever reads outcomes
holds gold, and a system can write whatever it likes. How long the arrays are is known from what
was sent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from treegauge.treebank import NOT_ANNOTATED, Column, Treebank, Vocabulary

Status = Literal["done", "failed", "timeout", "memory"]

LONGEST_TEXT = 20_000
"""Characters of tracebacks and of what systems print that are kept."""
LONGEST_REASON = 300

_COLUMNS = ("lemma", "upos", "xpos", "feats", "deprel", "misc")
"""What systems write; blind copies have no MISC: what stands there, the system wrote."""
_NUMBER = np.dtype("<i4")
_FACTS = (
    *("status", "seconds", "compiling", "elapsed", "peak_memory"),
    *("reason", "error", "output", "parts"),
)
_ROOM = 1 << 20
_ROOM_FOR_A_WORD = 1000
"""Bytes of JSON that an outcome may have, and so many more for every word."""
_LARGEST_MODEL = 2 << 30
_LARGEST_NUMBER = 1e12
"""Of seconds, or MiB."""


@dataclass(frozen=True)
class Annotation:
    """What a system added to a treebank."""

    head: NDArray[np.int32]
    columns: dict[str, Column]

    @classmethod
    def of(cls, treebank: Treebank) -> Annotation:
        """Return the columns that systems write."""
        return cls(treebank.head, {name: treebank.columns[name].compact() for name in _COLUMNS})

    def on(self, treebank: Treebank) -> Treebank:
        """Return a treebank with this annotation."""
        return treebank.replace(head=self.head, columns=self.columns)


@dataclass(frozen=True)
class Outcome:
    """What came of a job."""

    status: Status
    annotations: dict[str, Annotation] = field(default_factory=dict)
    model: bytes = b""
    """What was learnt, as `System.save` writes it, where the job asks for it; or a piece of it."""
    seconds: float | None = None
    """For learning and annotating; unknown where the process was lost."""
    compiling: float | None = None
    """What numba compiled meanwhile, which is not in `seconds`."""
    elapsed: float = 0.0
    """The same with the start of the process."""
    peak_memory: float | None = None
    """MiB; unknown where the process could not say it any more."""
    reason: str = ""
    """Why there are no annotations, in a line."""
    error: str = ""
    """The traceback, where there is one."""
    output: str = ""
    """What was printed."""

    @property
    def is_done(self) -> bool:
        """Whether there is what was wanted."""
        return self.status == "done"

    def with_costs_of(self, pieces: Sequence[Outcome]) -> Outcome:
        """Return the outcome of a cell whose pieces were jobs of their own.

        Seconds are the sum of those of its pieces and its own, as if one process had done all;
        memory is that of the process that used most. What is unknown of one is unknown of all.
        """
        jobs = (*pieces, self)
        return replace(
            self,
            seconds=_known(sum, [job.seconds for job in jobs]),
            compiling=_known(sum, [job.compiling for job in jobs]),
            elapsed=sum(job.elapsed for job in jobs),
            peak_memory=_known(max, [job.peak_memory for job in jobs]),
            # They share their first steps, and warn of the same.
            output=shortened("".join(dict.fromkeys(job.output for job in jobs))),
        )

    def to_bytes(self) -> bytes:
        """Return what `read_outcome` reads."""
        facts = {name: getattr(self, name) for name in _FACTS if name != "parts"}
        facts["parts"] = {
            part: {name: list(annotation.columns[name].vocabulary) for name in _COLUMNS}
            for part, annotation in self.annotations.items()
        }
        arrays = [
            array.astype(_NUMBER).tobytes()
            for annotation in self.annotations.values()
            for array in (annotation.head, *(annotation.columns[one].codes for one in _COLUMNS))
        ]
        return b"".join([json.dumps(facts).encode(), b"\n", *arrays, self.model])


def _known(together: Callable[[list[float]], float], costs: Sequence[float | None]) -> float | None:
    known = [cost for cost in costs if cost is not None]
    return together(known) if len(known) == len(costs) else None


def shortened(text: str, longest: int = LONGEST_TEXT) -> str:
    """Return a text without its middle if it is too long.

    >>> shortened("a" * 30 + "b" * 30, 20)
    'aaaaaaaaaa\\n[…]\\nbbbbbbbbbb'
    """
    half = longest // 2
    return text if len(text) <= longest else f"{text[:half]}\n[…]\n{text[-half:]}"


# ---------------------------------------------------------------------- reading


class _MalformedError(Exception):
    """Says what is wrong with bytes that should be an outcome."""


def most_bytes(targets: Mapping[str, Treebank], *, keep_model: bool) -> int:
    """Return how large the outcome of a job may be."""
    words = sum(target.n_words for target in targets.values())
    return _room(targets) + words * _bytes_of_a_word() + (_LARGEST_MODEL if keep_model else 0)


def _room(targets: Mapping[str, Treebank]) -> int:
    return _ROOM + _ROOM_FOR_A_WORD * sum(target.n_words for target in targets.values())


def _bytes_of_a_word() -> int:
    return (1 + len(_COLUMNS)) * _NUMBER.itemsize


def read_outcome(content: bytes, targets: Mapping[str, Treebank], *, keep_model: bool) -> Outcome:
    """Return the outcome of a job; a failure where bytes are not what they should be.

    Parameters
    ----------
    targets : mapping of str to Treebank
        What was to be annotated.
    keep_model : bool
        Whether what was learnt was to come back too.
    """
    try:
        return _read(content, targets, keep_model)
    except _MalformedError as error:
        return Outcome("failed", reason=f"the result of its process cannot be used: {error}")


def _read(content: bytes, targets: Mapping[str, Treebank], keep_model: bool) -> Outcome:
    if len(content) > most_bytes(targets, keep_model=keep_model):
        raise _MalformedError("it is too large")
    facts, begin = _facts(content, _room(targets))
    status: Status = _one_of(get_args(Status), facts["status"])
    parts = _table(facts["parts"], tuple(targets) if status == "done" else (), "parts")
    annotations = {}
    for part, strings in parts.items():
        target = targets[part]
        end = begin + target.n_words * _bytes_of_a_word()
        if len(content) < end:
            raise _MalformedError("its arrays are cut off")
        numbers = np.frombuffer(content[begin:end], _NUMBER).astype(np.int32)
        annotations[part] = _annotation(
            numbers.reshape(1 + len(_COLUMNS), -1), _table(strings, _COLUMNS, part), target
        )
        begin = end
    model = content[begin:]
    if model and not (keep_model and status == "done"):
        raise _MalformedError("there are bytes after its end")
    return Outcome(
        status,
        annotations,
        model,
        seconds=_number(facts, "seconds"),
        compiling=_number(facts, "compiling"),
        elapsed=_number(facts, "elapsed") or 0.0,
        peak_memory=_number(facts, "peak_memory"),
        reason=" ".join(_text(facts, "reason", LONGEST_REASON).split()),
        error=_text(facts, "error", LONGEST_TEXT),
        output=_text(facts, "output", LONGEST_TEXT),
    )


def _facts(content: bytes, room: int) -> tuple[dict[str, Any], int]:
    """Return what the line of JSON says, and where it ends."""
    end = content.find(b"\n", 0, room)
    try:
        document = json.loads(content[: max(end, 0)].decode())
    except (ValueError, RecursionError):
        raise _MalformedError("it does not begin with a line of JSON") from None
    return _table(document, _FACTS, "it"), end + 1


def _table(value: object, names: tuple[str, ...], what: str) -> dict[str, Any]:
    """Return a table that has these entries and no others, in this order."""
    if not isinstance(value, dict) or set(value) != set(names):
        raise _MalformedError(f"{what}: expected {', '.join(names) or 'nothing'}")
    return {name: value[name] for name in names}


def _one_of(known: tuple[Any, ...], value: object) -> Any:
    if value not in known:
        raise _MalformedError(f"status: expected one of {', '.join(known)}")
    return value


def _number(facts: dict[str, Any], name: str) -> float | None:
    value = facts[name]
    if value is None:
        return None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not (is_number and 0 <= value <= _LARGEST_NUMBER):
        raise _MalformedError(f"{name}: expected a number from 0")
    return float(value)


def _text(facts: dict[str, Any], name: str, longest: int) -> str:
    value = facts[name]
    if not isinstance(value, str):
        raise _MalformedError(f"{name}: expected a text")
    # JSON can hold halves of characters, which no file can.
    return shortened(value, longest).encode(errors="replace").decode()


def _annotation(
    numbers: NDArray[np.int32], strings: dict[str, Any], target: Treebank
) -> Annotation:
    head, *codes = numbers
    lengths = np.repeat(target.lengths, target.lengths)
    if ((head < NOT_ANNOTATED) | (head > lengths)).any():
        raise _MalformedError("a head is outside its sentence")
    columns = {
        name: _column(one.copy(), strings[name], name)
        for name, one in zip(_COLUMNS, codes, strict=True)
    }
    return Annotation(head.copy(), columns)


def _column(codes: NDArray[np.int32], strings: object, name: str) -> Column:
    if not isinstance(strings, list) or not all(isinstance(one, str) for one in strings):
        raise _MalformedError(f"{name}: expected a list of texts")
    if len(set(strings)) != len(strings):
        raise _MalformedError(f"{name}: a text is there twice")
    # A tab or a new line would be the end of a field in the file that is kept.
    if any(character < " " for one in strings for character in one):
        raise _MalformedError(f"{name}: a control character")
    if codes.size and not 0 <= codes.min() <= codes.max() < len(strings):
        raise _MalformedError(f"{name}: a number that stands for no text")
    try:
        return Column(codes, Vocabulary.from_strings(strings))
    except UnicodeEncodeError:
        raise _MalformedError(f"{name}: half of a character") from None
