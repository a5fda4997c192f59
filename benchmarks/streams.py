"""Streams of any length: memory, speed, and how time grows, for every command that reads them.

    python -m benchmarks.streams --gigabytes 0.5 1 2
    python -m benchmarks.streams --gigabytes 20 --verbs validate
    python -m benchmarks.streams --threads

Texts are generated into pipes: blocks of a
toy language, in which every sentence gets an id, a form and a lemma of its own. What was measured
is kept in `benchmarks/measured/streams.tsv`, and the section of docs/benchmarks.md is written from
that, so that sizes and commands can be measured one after the other.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import lzma
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks import corpora, many_treebanks, record
from benchmarks.many_treebanks import exponent

TITLE = "Streams"
MEGABYTES = 500
"""Private memory that we mean to need at the most, however long a stream is."""
THREADS_RATIO = 1.6
"""How many times faster we mean to read with two threads."""
FILE_MEGABYTES = 100
SIZES = (0.25, 1.0)
COMMANDS = {
    "validate": ["validate", "-"],
    "validate --level 2": ["validate", "-", "--level", "2"],
    "convert": ["convert", "-", os.devnull, "--to", "conllx"],
    "describe": ["describe", "-"],
    "evaluate": ["evaluate", "-", "SYSTEM", "--resamples", "100"],
    "permute": ["permute", "-", os.devnull, "--order", "optdl", "--to", "conllu"],
}
"""What is measured; SYSTEM is a second pipe."""


# ---------------------------------------------------------------------- texts


class EndlessText:
    """CoNLL-U of a toy language, block by block; no two sentences have the same id and form.

    Parameters
    ----------
    is_system : bool
        Whether words have other heads: those of a chain.
    """

    def __init__(self, *, is_system: bool) -> None:
        from treegauge import make_system, toy_treebank
        from treegauge.formats import to_text

        treebank = toy_treebank("toy:svo", tokens=60_000)
        if is_system:
            chain = make_system("right-branching").annotate(treebank)
            treebank = treebank.replace(head=chain.head)
        name = b"a" * _DIGITS
        text = re.sub(
            rb"(?m)^# sent_id = .*\n# text = (\S+?)(.*)\n1\t\1\t[^\t]+\t",
            rb"# sent_id = " + name + rb"\n# text = " + name + rb"\2\n1\t" + (name + rb"\t") * 2,
            to_text(treebank).encode(),
        )
        places = np.array([match.start() for match in re.finditer(name, text)])
        self.n_sentences = treebank.n_sentences
        self._bytes = np.frombuffer(text, np.uint8).copy()
        self._places = places.reshape(self.n_sentences, -1)

    def blocks(self, size: float) -> Iterator[memoryview]:
        """Give blocks of so many bytes in all, about; gold and systems have as many of them."""
        shifts = 4 * np.arange(_DIGITS)[::-1]
        numbers = np.arange(self.n_sentences)
        digits = np.arange(_DIGITS)
        for _ in range(max(round(size / (_SENTENCE_BYTES * self.n_sentences)), 1)):
            names = (numbers[:, None] >> shifts & 15).astype(np.uint8) + ord("a")
            self._bytes[self._places[:, :, None] + digits] = names[:, None, :]
            yield self._bytes.data
            numbers += self.n_sentences


_DIGITS = 8
_SENTENCE_BYTES = 960


def write_text(kind: str, gigabytes: float) -> None:
    """Write a text to standard output, as long as somebody reads it."""
    with contextlib.suppress(BrokenPipeError):
        for block in EndlessText(is_system=kind == "system").blocks(1e9 * gigabytes):
            sys.stdout.buffer.write(block)
        sys.stdout.buffer.flush()


# ---------------------------------------------------------------------- measuring


@dataclass(frozen=True)
class Measured:
    """What a command took for a stream."""

    command: str
    gigabytes: float
    seconds: float
    """Of processors, the command alone."""
    private_megabytes: float
    """Memory of the process that it shares with no other, and with no file, at the peak."""


def measure(command: str, gigabytes: float) -> Measured:
    """Run a command on a stream that another process generates."""
    generator = [sys.executable, "-m", "benchmarks.streams", "--gigabytes", str(gigabytes)]
    with tempfile.TemporaryDirectory(prefix="streams-") as folder, contextlib.ExitStack() as ends:
        arguments = list(COMMANDS[command])
        # Entering a process closes its pipes in the end.
        writers = [
            ends.enter_context(
                subprocess.Popen([*generator, "--write", "gold"], stdout=subprocess.PIPE)
            )
        ]
        if "SYSTEM" in arguments:
            pipe = Path(folder) / "system.conllu"
            os.mkfifo(pipe)
            arguments[arguments.index("SYSTEM")] = str(pipe)
            shell = f'exec "$@" > {pipe}'
            writers.append(
                subprocess.Popen(["sh", "-c", shell, "sh", *generator, "--write", "system"])
            )
        for writer in writers:
            ends.callback(writer.wait)
            ends.callback(writer.kill)
        process = ends.enter_context(
            subprocess.Popen(
                [sys.executable, "-m", "treegauge", *arguments, "--stream"],
                stdin=writers[0].stdout,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
        )
        peak, usage = _watched(process)
        if process.returncode:
            raise RuntimeError(f"{command}: {process.stderr.read().decode()}")  # type: ignore[union-attr]
    seconds = usage.ru_utime + usage.ru_stime
    return Measured(command, gigabytes, round(seconds, 1), round(peak / 1e6, 1))


def _watched(process: subprocess.Popen[bytes]) -> tuple[int, resource.struct_rusage]:
    """Wait for a process; return its private memory at the peak, and what it used."""
    peak = 0
    rollup = Path(f"/proc/{process.pid}/smaps_rollup")
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            return peak, usage
        with contextlib.suppress(OSError):
            private = re.findall(r"Private_\w+:\s+(\d+) kB", rollup.read_text("ascii"))
            peak = max(peak, 1024 * sum(map(int, private)))
        time.sleep(0.1)


@dataclass(frozen=True)
class ReadingTime:
    """How long a whole file takes with one thread and with two, by turns; medians."""

    text: str
    ending: str
    one_thread: float
    two_threads: float
    ratio: float
    processor_of_one: float
    processor_of_two: float
    """Seconds of all threads."""
    main_of_two: float
    """Those of the main thread, which reads the file and gathers what others found."""
    load: float
    """How many processes of the machine wanted a processor, in the mean."""

    @property
    def ratio_if_main_waits(self) -> float:
        """How many times faster two cores are, if nobody works while the main thread does."""
        others = self.processor_of_two - self.main_of_two
        return self.processor_of_one / (self.main_of_two + others / 2)

    @property
    def ratio_if_nobody_waits(self) -> float:
        """How many times faster two cores are, if both always have something to do."""
        return self.processor_of_one / (self.processor_of_two / 2)


def reading_times() -> Iterator[ReadingTime]:
    """Measure plain files and compressed ones."""
    packers: dict[str, Callable[[bytes], bytes]] = {
        ".gz": gzip.compress,
        ".xz": partial(lzma.compress, preset=0),
    }
    size = 1e6 * FILE_MEGABYTES
    toys = map(bytes, EndlessText(is_system=False).blocks(size))
    texts: dict[str, tuple[Iterator[bytes], dict[str, Callable[[bytes], bytes]]]] = {
        "a toy language": (toys, packers),
        "real treebanks": (corpora.real_texts(size), {}),
    }
    with tempfile.TemporaryDirectory(prefix="streams-") as folder:
        plain = Path(folder) / "text.conllu"
        for name, (blocks, packers_of_text) in texts.items():
            with plain.open("wb") as file:
                file.writelines(blocks)
            if not plain.stat().st_size:
                continue  # there are no real treebanks here
            for ending, pack in packers_of_text.items():
                plain.with_name(f"text.conllu{ending}").write_bytes(pack(plain.read_bytes()))
            for ending in ("", *packers_of_text):
                path = f"{plain}{ending}"
                yield _reading_time(name, ending or "plain", path)


def _reading_time(text: str, ending: str, path: str) -> ReadingTime:
    runs = [(_seconds_to_read(path, 1), _seconds_to_read(path, 2)) for _ in range(_ROUNDS)]
    one, two = (
        [statistics.median(own) for own in zip(*side, strict=True)]
        for side in zip(*runs, strict=True)
    )
    ratio = statistics.median(first[0] / second[0] for first, second in runs)
    seconds = (one[0], two[0], ratio, one[1], two[1], two[2])
    return ReadingTime(text, ending, *(round(x, 3) for x in seconds), round(os.getloadavg()[0], 1))


_ROUNDS = 15
_READ = """
import contextlib, os, sys, time, treegauge as tg
tg.parse("1\\tbirds\\t_\\tNOUN\\t_\\t_\\t2\\tnsubj\\t_\\t_\\n2\\tsing\\t_\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n")
with contextlib.suppress(AttributeError, OSError):  # where that is there and allowed
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
clocks = time.perf_counter, time.process_time, time.thread_time
begin = [clock() for clock in clocks]
tg.read(sys.argv[1], findings=tg.Findings())
print(*(clock() - first for clock, first in zip(clocks, begin)))
"""


def _seconds_to_read(path: str, threads: int) -> list[float]:
    """Return the seconds of a clock, of processors, and of the main thread."""
    environment = {**os.environ, "TREEGAUGE_THREADS": str(threads)}
    command = [sys.executable, "-c", _READ, path]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return [float(one) for one in done.stdout.split()]


# ---------------------------------------------------------------------- the section


_NAME = "streams"
_NAME_OF_TIMES = "reading_times"


def keep(new: Measured) -> None:
    """Keep what was measured, instead of an older measurement of the same."""
    old = record.measured(_NAME, Measured)
    same = (new.command, new.gigabytes)
    order = list(COMMANDS)
    rows = [*(one for one in old if (one.command, one.gigabytes) != same), new]
    rows.sort(key=lambda one: (order.index(one.command), one.gigabytes))
    record.keep(_NAME, rows)


def report() -> str:
    """Measure short streams, and return the section of docs/benchmarks.md."""
    measure_all(COMMANDS, SIZES)
    record.keep(_NAME_OF_TIMES, list(reading_times()))
    return section()


def measure_all(commands: Iterable[str], sizes: Iterable[float]) -> None:
    """Measure commands on streams of some sizes."""
    for command, gigabytes in product(commands, sizes):
        one = measure(command, gigabytes)
        print(one, flush=True)
        keep(one)


def section() -> str:
    """Return the section of docs/benchmarks.md, from all that was measured so far."""
    measured = record.measured(_NAME, Measured)
    lines = [
        "CoNLL-U of a toy language is generated into a pipe (two pipes for `evaluate`, the size "
        "is that of one, and it draws 100 resamples); every sentence has an id, a form and a lemma "
        "of its own. Memory is private memory at the peak. Seconds and speed are of processors, "
        "without the generator. "
        "The exponent is that of seconds against gigabytes, over all sizes, start-up included.",
        "",
        "| command | GB | memory (MB) | wanted | seconds | MB per second | exponent |",
        "| :-- | --: | --: | --: | --: | --: | --: |",
    ]
    for command in COMMANDS:
        own = [one for one in measured if one.command == command]
        for one in own:
            fitted = ""
            if one is own[-1] and len(own) > 1:
                sizes = [each.gigabytes for each in own]
                fitted = f"{exponent(sizes, [each.seconds for each in own]):.2f}"
            lines.append(
                f"| `{command}` | {one.gigabytes:g} | {one.private_megabytes:.0f} "
                f"| < {MEGABYTES} | {one.seconds:.1f} "
                f"| {1000 * one.gigabytes / one.seconds:.0f} | {fitted} |"
            )
    lines += [
        "",
        f"Reading a file of {FILE_MEGABYTES} MB as a whole with one thread and with two, by turns, "
        f"medians of {_ROUNDS}, at a priority above other programs. By CPU seconds: what they "
        "would give on two free cores if nobody worked beside the main thread, and if nobody ever "
        "waited. The load says how many processes of the machine wanted a processor: they change "
        "what is in the caches, where two threads meet. The real treebanks are concatenated.",
        "",
        "| text | file | seconds, one thread | seconds, two | times faster | wanted "
        "| CPU seconds, one | CPU seconds, two | main thread | by CPU seconds | load |",
        "| :-- | :-- | --: | --: | --: | --: | --: | --: | --: | --: | --: |",
    ]
    for times in record.measured(_NAME_OF_TIMES, ReadingTime):
        wanted = f"≥ {THREADS_RATIO}" if times.ending == "plain" else ""
        lines.append(
            f"| {times.text} | {times.ending} | {times.one_thread:.2f} | {times.two_threads:.2f} "
            f"| {times.ratio:.2f} | {wanted} | {times.processor_of_one:.2f} "
            f"| {times.processor_of_two:.2f} | {times.main_of_two:.2f} "
            f"| {times.ratio_if_main_waits:.2f} to {times.ratio_if_nobody_waits:.2f} "
            f"| {times.load:.0f} |"
        )
    return "\n".join(lines) + "\n"


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gigabytes", type=float, nargs="+", default=SIZES)
    parser.add_argument("--verbs", nargs="*", choices=COMMANDS, default=list(COMMANDS))
    parser.add_argument("--threads", action="store_true", help="only read files on two threads")
    parser.add_argument("--write", choices=("gold", "system"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.write:
        write_text(chosen.write, chosen.gigabytes[0])
        return
    if chosen.threads:
        record.keep(_NAME_OF_TIMES, list(reading_times()))
    else:
        measure_all(chosen.verbs, chosen.gigabytes)
    record.write_section(TITLE, section(), after=many_treebanks.TITLE)


if __name__ == "__main__":
    _main()
