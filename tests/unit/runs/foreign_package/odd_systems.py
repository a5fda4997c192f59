"""Systems of another package: some that misbehave, and one that looks for gold everywhere."""

from __future__ import annotations

import gc
import gzip
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from treegauge.systems import DependencyInducer, Settings, System, SystemsError, setting
from treegauge.treebank import Column, Treebank


@dataclass(frozen=True)
class OddSettings(Settings):
    how: Literal[
        "left",
        "right",
        "raises",
        "raises-much",
        "raises-nothing",
        "exits",
        "leaves",
        "segfaults",
        "sleeps",
        "starts-others",
        "eats",
        "prints",
        "prints-little",
        "asks",
        "other-words",
        "forges",
        "daemon",
    ] = setting("left", "what it does")
    place: str = setting("", "where it leaves notes")
    size: int = setting(1, "how much of it")


@dataclass(frozen=True)
class _Bomb:
    place: str

    def __reduce__(self):
        return Path(self.place).write_text, ("somebody unpickled this",)


class Odd(DependencyInducer):
    """Does what it is told.

    And more.
    """

    name = "odd"
    settings_type = OddSettings

    def _fit(self, treebank: Treebank, _on_progress) -> None:
        with Path(self.settings.place or os.devnull).open("a") as notes:
            notes.write(f"{self.seed} {self.settings.how} {treebank.has_heads}\n")

    def annotate(self, treebank: Treebank, **kwargs) -> Treebank:
        if self.settings.how == "other-words":
            return treebank.replace(columns={"form": Column.constant("x", treebank.n_words)})
        return super().annotate(treebank, **kwargs)

    def _heads(self, words: Treebank, _on_progress):
        self._misbehave(self.settings.how)
        first = np.repeat(words.offsets[:-1], words.lengths)
        position = np.asarray(np.arange(words.n_words) - first + 1, np.int32)
        if self.settings.how == "right":
            return position - 1
        heads = position + 1
        heads[words.offsets[1:][words.lengths > 0] - 1] = 0
        return heads

    def _misbehave(self, how: str) -> None:
        if how == "raises":
            raise ValueError("no such bird\nand more about it")
        if how == "raises-much":
            raise ValueError("x" * 1_000_000)
        if how == "raises-nothing":
            raise RuntimeError
        if how == "exits":
            os._exit(3)
        if how == "leaves":
            sys.exit(0)
        if how == "segfaults":
            print("about to fall", flush=True)
            os.kill(os.getpid(), signal.SIGSEGV)
        if how == "sleeps":
            time.sleep(60)
        if how == "starts-others":
            # In a group of its own, as the system `external` does it, and in ours.
            others = [
                subprocess.Popen(["sleep", "1000"], start_new_session=own) for own in (True, False)
            ]
            pids = Path(f"{self.settings.place}.pids")
            pids.with_suffix(".new").write_text(" ".join(str(other.pid) for other in others))
            pids.with_suffix(".new").rename(pids)
            time.sleep(60)
        if how == "forges":
            # Instead of an outcome, what runs code where it is unpickled.
            bomb = pickle.dumps(_Bomb(self.settings.place))
            os.write(int(sys.argv[3]), bomb)
            os._exit(0)
        if how == "daemon" and not os.fork():
            # Forks, opens a session, forks again: nobody is its parent any more.
            os.setsid()
            if not os.fork():
                Path(self.settings.place).write_text(str(os.getpid()))
                time.sleep(60)
            os._exit(0)
        if how == "eats":
            self._eaten = np.ones(self.settings.size << 17)  # this many MiB
        if how == "prints":
            for number in range(self.settings.size):
                print(f"line {number} " + "." * 1000)
            raise ValueError("said enough")
        if how == "prints-little":
            print("hello from a cell")
            print("and its errors", file=sys.stderr)
        if how == "asks":
            names = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "PYTHONHASHSEED", "TREEGAUGE_DATA")
            print({name: os.environ.get(name) for name in names}, Path.cwd())


@dataclass(frozen=True)
class PiecewiseSettings(Settings):
    pieces: int = setting(3, "pieces of its work")
    place: str = setting("", "where it leaves notes, and finds out which pieces go wrong")


class Piecewise(DependencyInducer):
    """Adds numbers up, each drawn in a piece of its own; all words hang on one, by the sum.

    A file `PLACE.NAME` says what happens in the piece of that name: `raises`, `dies` or `waits`.
    """

    name = "piecewise"
    settings_type = PiecewiseSettings
    is_deterministic = False
    keeps_pieces = True

    def __init__(self, settings=None, *, seed=0) -> None:
        super().__init__(settings, seed=seed)
        self.piece_names = tuple(f"draw{k}" for k in range(self.settings.pieces))

    def _fit(self, treebank: Treebank, _on_progress) -> None:
        for number, name in enumerate(self.piece_names):
            if self.partial_work.piece(name) is None:
                self._fit_piece(treebank, number)
        drawn = [self._drawn(number, treebank) for number in range(self.settings.pieces)]
        pieces = map(self.partial_work.piece, self.piece_names)
        kept = [int(piece[0]["drawn"]) for piece in pieces if piece is not None]
        assert kept in (drawn, [])
        self.total = sum(drawn)
        self._note("whole")

    def _fit_piece(self, treebank: Treebank, number: int) -> None:
        name = self.piece_names[number]
        print("a piece, as all of them")
        how = Path(f"{self.settings.place}.{name}")
        what = how.read_text() if how.exists() else ""
        if what == "raises":
            raise ValueError(f"{name} went wrong")
        if what == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        if what == "waits":
            time.sleep(60)
        drawn = np.array(self._drawn(number, treebank))
        self.partial_work.keep(name, {"drawn": drawn}, {})
        self._note(name)

    def _drawn(self, number: int, treebank: Treebank) -> int:
        return int(np.random.default_rng([self.seed, number]).integers(treebank.n_words))

    def _note(self, what: str) -> None:
        with Path(self.settings.place or os.devnull).open("a") as notes:
            notes.write(f"{what}\n")

    def _heads(self, words: Treebank, _on_progress):
        lengths = np.repeat(words.lengths, words.lengths)
        position = np.arange(words.n_words) - np.repeat(words.offsets[:-1], words.lengths) + 1
        chosen = self.total % np.maximum(lengths, 1) + 1
        return np.where(position == chosen, 0, chosen).astype(np.int32)

    def _state(self):
        return {}, {"total": self.total}

    def _restore(self, _arrays, facts) -> None:
        self.total = facts["total"]


@dataclass(frozen=True)
class PeekingSettings(Settings):
    task: Literal["tags", "dependencies"] = setting("dependencies", "what it pretends to do")
    supervised: bool = setting(False, "whether it is shown gold")


# Written so that the patterns themselves are not what is found.
HIDDEN = {
    "dependencies": {
        "relation": rb"g[o]ldrel",
        "comment": rb"g[o]ldcomment",
        "misc": rb"g[o]ldmisc",
        "heads": b"".join(bytes([91, head, 93, 0, 0, 0]) for head in (9, 8, 1, 3, 4, 5, 6, 7, 0)),
    },
}
HIDDEN["tags"] = {
    **HIDDEN["dependencies"],
    "tag": rb"g[o]ldtag",
    "lemma": rb"g[o]ldlemma",
    "feature": rb"G[o]ldfeature",
}


class Peeking(System):
    """Looks for gold wherever a process can look, and fails when it finds some."""

    name = "peeking"
    task = "dependencies"
    settings_type = PeekingSettings

    def __init__(self, settings=None, *, seed=0) -> None:
        super().__init__(settings, seed=seed)
        self.task = self.settings.task
        self.is_supervised = self.settings.supervised

    def _fit(self, treebank: Treebank, _on_progress) -> None:
        self._seen = treebank

    def _annotate(self, treebank: Treebank, _on_progress) -> Treebank:
        evidence = [
            *(["a treebank with heads"] if _treebanks_with_heads() else []),
            *self._search("memory", _memory()),
            *self._search("files", _files()),
        ]
        if evidence:
            raise SystemsError(f"gold was found: {', '.join(sorted(set(evidence)))}")
        if not any(re.search(rb"v[i]sible", block) for block in _memory()):
            raise SystemsError("even what is shown cannot be found: this proves nothing")
        n = treebank.n_words
        return treebank.replace(
            head=np.zeros(n, np.int32), columns={"upos": Column.constant("X", n)}
        )

    def _search(self, where: str, blocks: Iterator[bytes]) -> list[str]:
        patterns = HIDDEN[self.task]
        return [
            f"{what} in {where}"
            for block in blocks
            for what, pattern in patterns.items()
            if re.search(pattern, block, re.DOTALL)
        ]


def _treebanks_with_heads() -> list[Treebank]:
    frames = []
    for frame in sys._current_frames().values():
        while frame is not None:
            frames += frame.f_locals.values()
            frame = frame.f_back
    return [
        thing
        for thing in (*gc.get_objects(), *frames)
        if isinstance(thing, Treebank) and thing.has_heads
    ]


def _memory() -> Iterator[bytes]:
    """Give all memory that was written to, block by block."""
    regions = Path("/proc/self/maps").read_text().splitlines()
    with Path("/proc/self/mem").open("rb", buffering=0) as memory:
        for region in regions:
            addresses, rights, *_ = region.split()
            if not rights.startswith("rw") or "[v" in region:
                continue
            begin, end = (int(address, 16) for address in addresses.split("-"))
            try:
                memory.seek(begin)
                yield memory.read(end - begin)
            except (OSError, OverflowError):
                continue


def _files() -> Iterator[bytes]:
    """Give what can be found from open files, the environment and the way we were called."""
    yield Path("/proc/self/environ").read_bytes()
    yield Path("/proc/self/cmdline").read_bytes()
    folders = {
        Path(value) for value in os.environ.values() if "/" in value and os.pathsep not in value
    }
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            target = str(descriptor.readlink())
            if not target.startswith("/") or target.startswith("/dev"):
                continue
            yield descriptor.read_bytes()
        except OSError:
            continue
        # Beside an open file there may be others: the folder of the run, for example.
        folders |= {Path(target).parent, Path(target).parent.parent}
    for folder in folders:
        if folder.is_dir() and len(folder.parts) > 3:
            for path in sorted(folder.rglob("*"))[:1000]:
                if path.is_file() and path.stat().st_size < 1 << 22:
                    content = path.read_bytes()
                    yield gzip.decompress(content) if path.suffix == ".gz" else content
