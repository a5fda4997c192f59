"""The way to UDPipe 1 and back: our treebanks as its sentences, its models as our bytes.

Words go over as objects and not as text, so that every form comes through, whatever it holds.
Both of its learners are deterministic: their random numbers begin with a fixed seed that cannot
be chosen.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.systems import udpipe_trainer
from treegauge.systems.errors import SystemsError
from treegauge.systems.native_model import NativeModel, ending_in_words, program_command
from treegauge.systems.saved_state import SavedState, damaged
from treegauge.systems.system import Arrays, OnProgress
from treegauge.treebank import EMPTY, Treebank

_PORTIONS = 20
"""How often annotating says how far it is."""
_NAMES = dict(zip(udpipe_trainer.COLUMNS, ("form", "lemma", "upos", "xpos", "feats"), strict=True))


def udpipe(system: str) -> Any:
    """Import UDPipe, or say how to get it."""
    try:
        return import_module("ufal.udpipe")
    except ImportError:
        raise SystemsError(
            f'{system} needs UDPipe, which is not installed: pip install "treegauge[external]"'
        ) from None


def options(values: Mapping[str, Any]) -> str:
    """Write options as UDPipe reads them.

    >>> options({"iterations": 10, "single_root": True, "l2": 0.5})
    'iterations=10;single_root=1;l2=0.5'
    """
    return ";".join(
        f"{name}={int(value) if isinstance(value, bool) else value}"
        for name, value in values.items()
    )


# ---------------------------------------------------------------------- learning


def train(
    treebank: Treebank,
    on_progress: OnProgress,
    *,
    system: str,
    iterations: int,
    relations: list[str] | None = None,
    tagger: str = "none",
    parser: str = "none",
) -> bytes:
    """Let UDPipe learn from a treebank, in a process of its own; return its model.

    Parameters
    ----------
    iterations : int
        How many it makes, for the share that is done.
    relations : list of str, optional
        Those of all words, for a parser; heads are taught with them.
    tagger, parser : str
        Options of what is to be learnt, `none` of what is not.
    """
    udpipe(system)
    has_trees = relations is not None
    lesson = udpipe_trainer.Lesson(
        words=_words(treebank),
        offsets=treebank.offsets[_starts_of_words(treebank)].tolist(),
        heads=treebank.head.tolist() if has_trees else [0] * treebank.n_words,
        relations=relations if relations is not None else [""] * treebank.n_words,
        tagger=tagger,
        parser=parser,
    )
    command = program_command(udpipe_trainer.__file__)
    with tempfile.TemporaryFile() as sent, tempfile.TemporaryFile() as returned:
        sent.write(json.dumps(lesson).encode())
        sent.seek(0)
        process = subprocess.Popen(command, stdin=sent, stdout=returned, stderr=subprocess.PIPE)
        try:
            last_lines = _listen(process, iterations, on_progress)
            code = process.wait()
        finally:
            process.kill()
            process.wait()
            assert process.stderr is not None
            process.stderr.close()
        returned.seek(0)
        model = returned.read()
    if code == udpipe_trainer.REFUSED:
        raise SystemsError(f"{system}: UDPipe cannot learn from this: {model.decode()}")
    if code or not model:
        raise SystemsError(f"{system}: UDPipe failed: {ending_in_words(code, last_lines)}")
    return model


def _listen(process: subprocess.Popen[bytes], iterations: int, on_progress: OnProgress) -> str:
    """Pass on what UDPipe says of its iterations; return its last lines."""
    assert process.stderr is not None
    last_lines: list[str] = []
    for line in process.stderr:
        text = line.decode(errors="replace").strip()
        last_lines = [*last_lines[-9:], text]
        if match := re.match(r"Iteration (\d+): ", text):
            on_progress(min(int(match[1]) / iterations, 1.0), text)
    return "\n".join(last_lines)


# ---------------------------------------------------------------------- a model


class UdpipeModel:
    """A model of UDPipe, and the bytes that it is made of."""

    def __init__(self, content: bytes, *, system: str) -> None:
        udpipe(system)
        self._model = NativeModel(content, library="UDPipe", system=system)

    def arrays(self) -> Arrays:
        """Return the model as `save` writes it."""
        return {"model": np.frombuffer(self._model.content, np.uint8)}

    def tagged(self, treebank: Treebank, on_progress: OnProgress) -> list[str]:
        """Return a universal tag for every word, in UDPipe's sense; empty if it has none."""
        tags: list[str] = []
        for n_words, answer in self._answers(treebank, on_progress, parse=False, how=""):
            tags += answer.strings("tags", size=n_words)
        return tags

    def parsed(
        self, treebank: Treebank, on_progress: OnProgress, *, beam: int = 1
    ) -> tuple[NDArray[np.int32], list[str]]:
        """Return a head and a relation for every word."""
        how = options({"beam_search": beam}) if beam > 1 else ""
        heads: list[int] = []
        relations: list[str] = []
        for n_words, answer in self._answers(treebank, on_progress, parse=True, how=how):
            heads += answer.counts("heads", size=n_words)
            relations += answer.strings("relations", size=n_words)
        lengths = np.repeat(treebank.lengths, treebank.lengths)
        if (np.array(heads, np.int64) > lengths).any():
            raise damaged("UDPipe finds heads outside of sentences")
        return np.array(heads, np.int32), relations

    def _answers(
        self, treebank: Treebank, on_progress: OnProgress, *, parse: bool, how: str
    ) -> Iterator[tuple[int, SavedState]]:
        """Give what UDPipe says of some sentences at a time, and how many words these have."""
        columns = _words(treebank)
        starts = treebank.offsets[_starts_of_words(treebank)].tolist()
        step = max(1, len(starts) // _PORTIONS)
        with self._model.opened() as (_, ask):
            for first in range(0, len(starts) - 1, step):
                bounds = starts[first : first + step + 1]
                begin, end = bounds[0], bounds[-1]
                words = {name: values[begin:end] for name, values in columns.items()}
                places = [place - begin for place in bounds]
                question = {"parse": parse, "how": how, "words": words, "starts": places}
                yield end - begin, ask(question)
                on_progress(end / treebank.n_words, f"{end:,} words")


def _words(treebank: Treebank) -> dict[str, list[str]]:
    """Return what UDPipe is told of words; it writes what is missing as nothing."""
    columns = {ours: treebank.columns[ours] for ours in _NAMES.values()}
    return {
        theirs: list(columns[ours])
        if ours == "form"
        else list(columns[ours].map(lambda value: "" if value == EMPTY else value))
        for theirs, ours in _NAMES.items()
        if ours == "form" or columns[ours].is_annotated
    }


def _starts_of_words(treebank: Treebank) -> NDArray[np.bool_]:
    """Return a mask over offsets without sentences that have no words: UDPipe knows none."""
    return np.append(treebank.lengths > 0, True)
