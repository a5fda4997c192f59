"""The program in which UDPipe learns: a process of its own, with nothing in it but UDPipe.

UDPipe's trainer holds Python's lock from beginning to end and writes its progress to standard
error. In a process of its own it can be listened to and interrupted, and nobody else's standard
error is touched. It reads a `Lesson` as JSON from standard input and writes the model to standard
output, or, with the exit code `REFUSED`, what UDPipe has against it.

Imports nothing of treegauge, so that it starts at once.
"""

from __future__ import annotations

import json
import signal
import sys
from importlib import import_module
from itertools import pairwise
from typing import Any, TypedDict

REFUSED = 3
"""The exit code when UDPipe gives a reason instead of a model."""
COLUMNS = ("form", "lemma", "upostag", "xpostag", "feats")
"""What UDPipe calls what a word has."""


class Lesson(TypedDict):
    """What is learnt from, and how."""

    words: dict[str, list[str]]
    """The columns that are annotated, a string for every word; empty where there is none."""
    offsets: list[int]
    heads: list[int]
    relations: list[str]
    tagger: str
    """Options, or `none`."""
    parser: str


def sentence(udpipe: Any, words: dict[str, list[str]], begin: int, end: int) -> Any:
    """Return some words as a sentence of UDPipe, without a tree."""
    result = udpipe.Sentence()
    forms = words["form"]
    others = [(name, values) for name, values in words.items() if name != "form"]
    for place in range(begin, end):
        word = result.addWord(forms[place])
        for name, values in others:
            setattr(word, name, values[place])
    return result


def train(udpipe: Any, lesson: Lesson) -> tuple[bytes, str]:
    """Return a model, or nothing and the reason."""
    sentences = udpipe.Sentences()
    offsets = lesson["offsets"]
    for begin, end in pairwise(offsets):
        example = sentence(udpipe, lesson["words"], begin, end)
        for place in range(begin, end):
            head, relation = lesson["heads"][place], lesson["relations"][place]
            example.setHead(place - begin + 1, head, relation)
        sentences.append(example)
    error = udpipe.ProcessingError()
    model = udpipe.Trainer.train(
        "morphodita_parsito",
        sentences,
        udpipe.Sentences(),  # nothing is held out
        "none",
        lesson["tagger"],
        lesson["parser"],
        error,
    )
    if error.occurred():
        return b"", str(error.message)
    return bytes(model), ""


def main() -> None:
    """Learn what standard input says."""
    if hasattr(signal, "SIGPIPE"):
        # Whoever started this is gone when nobody listens any more.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    model, reason = train(import_module("ufal.udpipe"), json.load(sys.stdin.buffer))
    sys.stdout.buffer.write(model or reason.encode())
    sys.exit(0 if model else REFUSED)


if __name__ == "__main__":
    main()
