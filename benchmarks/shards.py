"""Texts in shards that need not fit in memory: a trigram model and predictive-exchange.

Not part of the other benchmarks, since it takes an hour and ten gigabytes of disk. The case that
is wanted in under 60 minutes each, on two cores with under 4 GB:

    python -m benchmarks.shards --words 200000000

Figures are kept in `docs/data/scale-shards.tsv`, for `docs/scale.md`. Where the time goes is
measured on a smaller text, and kept in `docs/data/scale-parts.tsv`:

    python -m benchmarks.shards --words 20000000 --parts

Text is generated as streamed shards of five million words: words by Zipf's law, most of which
call for one of four words after them, so that n-grams come again about as often as in real text.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from bisect import bisect_left
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

SHARD = 5_000_000
"""Words of a shard."""
_BLOCK = 20_000
"""Sentences that are drawn at once."""
_LENGTH = 20
_SHIFT = 2.7
"""Zipf's law as Mandelbrot corrects it: frequency is inverse to rank + shift."""
_FOLLOWS = 0.85
"""The share of words that the word before calls for, and among how many it chooses."""
_CHOICES = 4
TASKS = ("trigrams", "predictive-exchange")
PARTS = ("reading", "counting", "merging", "model")
_ENDS = {"trigrams": (0.4, 0.68, 0.8), "predictive-exchange": (0.2, 0.34, 0.4)}
"""How far a task is, by its own account, when a part of it ends."""


def n_types(words: int) -> int:
    """Return how many types there are to draw from; two thirds of them or more will be there."""
    return int(40 * words**0.6)


def sentences(words: int, shard: int, types: int) -> Iterator[NDArray[np.int64]]:
    """Give the sentences of a shard, blocks of rows of ranks; each shard has its own seed."""
    generator = np.random.default_rng([1, shard])
    for first in range(0, words, _BLOCK * _LENGTH):
        n = -(-min(words - first, _BLOCK * _LENGTH) // _LENGTH)
        block = np.empty((n, _LENGTH), np.int64)
        for k in range(_LENGTH):
            u = generator.random(n)
            if k:
                choice = block[:, k - 1] * _CHOICES + generator.integers(0, _CHOICES, n)
                called = (choice.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(11)
                u = np.where(generator.random(n) < _FOLLOWS, called / 2.0**53, u)
            block[:, k] = _SHIFT * (types / _SHIFT + 1) ** u - _SHIFT
        yield block


def generate(folder: Path, words: int) -> None:
    """Write shards of a text."""
    types = n_types(words)
    names = [f"w{rank}" for rank in range(types + 1)]
    for number, first in enumerate(range(0, words, SHARD)):
        with (folder / f"part-{number:04d}.txt").open("w", encoding="utf-8") as stream:
            for block in sentences(min(SHARD, words - first), number, types):
                stream.writelines(
                    " ".join([names[rank] for rank in row]) + "\n" for row in block.tolist()
                )


class Watch:
    """What the parts of a task take: on shards, which other threads read, and beside them."""

    def __init__(self, task: str, folder: Path) -> None:
        self._ends = _ENDS[task]
        self._folder = folder
        self._before = self._spent()
        self.rows = [
            {"part": part, "on shards": 0.0, "in one process": 0.0, "disk megabytes": 0.0}
            for part in PARTS
        ]

    def __call__(self, share: float, *_: object) -> None:
        """Take note of what has been spent since the last call."""
        row = self.rows[bisect_left(self._ends, share - 1e-9)]
        now = self._spent()
        row["on shards"] += now[0] - self._before[0]
        row["in one process"] += now[1] - self._before[1]
        sizes = [file.stat().st_size for file in self._folder.rglob("*") if file.is_file()]
        row["disk megabytes"] = max(row["disk megabytes"], sum(sizes) / 1e6)
        self._before = self._spent()

    @staticmethod
    def _spent() -> tuple[float, float]:
        own = time.thread_time()
        return time.process_time() - own, own


def parts(task: str, folder: Path, work_in: Path) -> list[dict[str, Any]]:
    """Return what the parts of a task take, without imports and loading of kernels.

    The disk is what the task keeps beside the text.
    """
    with tempfile.TemporaryDirectory(dir=work_in) as scratch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a text for kernels alone is too small for a model
        Path(scratch, "text").write_text("birds sing and birds fly\n" * 100)
        train(task, Path(scratch, "text"), Path(scratch))
    with tempfile.TemporaryDirectory(dir=work_in) as scratch:
        watch = Watch(task, Path(scratch))
        train(task, folder, Path(scratch), watch)
        watch(1.0)
    return [{"task": task, **row} for row in watch.rows]


def train(
    task: str,
    folder: Path,
    work_in: Path,
    on_progress: Callable[..., None] = lambda *_: None,
) -> dict[str, Any]:
    """Learn from shards on threads of this process; return what it took."""
    begin = time.perf_counter()
    # Everything is imported here, so that its memory and time count.
    if task == "trigrams":
        from treegauge.properties.language_model import train_on_shards

        model = train_on_shards([folder], format="tokens", work_in=work_in, on_progress=on_progress)
        what = {"types": len(model.vocabulary) - 3, "n-grams": sum(model.trie.sizes)}
    else:
        from treegauge.systems.tag_induction.predictive_exchange import PredictiveExchange

        inducer = PredictiveExchange().fit_shards(
            [folder], format="tokens", work_in=work_in, on_progress=on_progress
        )
        what = {"types": len(inducer.forms), "sweeps": len(inducer.history) - 1}
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "task": task,
        "seconds": round(time.perf_counter() - begin, 1),
        "processor seconds": round(usage.ru_utime + usage.ru_stime, 1),
        "peak megabytes": round(usage.ru_maxrss / 1024),
        **what,
    }


def main() -> None:
    """Generate a text, and learn from it in a process for each task."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=200_000_000)
    parser.add_argument("--folder", type=Path, help="where text and counts are kept meanwhile")
    parser.add_argument("--task", choices=TASKS, help="only this; both if missing")
    parser.add_argument("--parts", action="store_true", help="measure where the time goes")
    parser.add_argument("--shards", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.shards:
        measure = parts if arguments.parts else train
        print(json.dumps(measure(arguments.task, arguments.shards, arguments.folder)))
        return
    # Not at the top: their memory would count where a task is measured.
    import polars as pl

    from benchmarks.kept_figures import keep

    with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
        folder = Path(scratch, "text")
        folder.mkdir()
        begin = time.perf_counter()
        generate(folder, arguments.words)
        print(f"{arguments.words:,} words generated in {time.perf_counter() - begin:.0f} s")
        for task in [arguments.task] if arguments.task else TASKS:
            program = [sys.executable, "-m", "benchmarks.shards", "--task", task]
            program += ["--shards", str(folder), "--folder", scratch]
            program += ["--parts"] * arguments.parts
            said = subprocess.run(program, check=True, stdout=subprocess.PIPE, text=True).stdout
            print(said, end="", flush=True)
            figures = pl.DataFrame(json.loads(said)).select(
                pl.lit(arguments.words).alias("words"), pl.all()
            )
            if arguments.parts:
                keep("scale-parts", figures, ["task", "words", "part"])
            else:
                keep("scale-shards", figures, ["task", "words"])


if __name__ == "__main__":
    main()
