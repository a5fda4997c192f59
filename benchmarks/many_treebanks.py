"""A folder of many treebanks: every verb on all of them, time against words, memory at the peak.

Run as `python -m benchmarks.many_treebanks FOLDER --treebanks 250 --words 30000000` it only makes
the folder: real treebanks, where they are at hand, and toy languages, again and again with other
forms. With `--broken`, one of them cannot be read.

`TREEGAUGE_BENCH_TREEBANKS` names other numbers of treebanks to measure with. Measurements are kept
in `benchmarks/measured/many_treebanks.tsv`.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import record, report_opening

if TYPE_CHECKING:
    from treegauge import Treebank

TITLE = "Many treebanks"
TREEBANKS = (25, 80, 250)
WORDS_EACH = 120_000
"""30 million words in 250 treebanks."""
WEIGHTS = (0.1, 0.3, 0.6, 1.0, 3.0)
"""Treebanks are of different sizes; every five of them have the same mean."""
SHARES = {"train": 0.8, "dev": 0.1, "test": 0.1}
EXPONENT = 1.05
GIGABYTES = 2.0
SYSTEMS = ("left-branching", "right-branching", "harmonic", "soegaard-rules")
_OF_TOYS = ("fo", "yo", "ka", "th", "am", "kk", "te", "ru", "hy", "mt", "wo", "tl", "ug")
"""Toy languages are given names of languages for which there is no real treebank here."""


@dataclass(frozen=True)
class Source:
    """What copies are made of."""

    code: str
    treebank: Treebank


def sources() -> Iterator[Source]:
    """Give real treebanks and toy languages in turn, three of the first to one of the second."""
    from treegauge import toy_treebank
    from treegauge.catalogue import Catalogue
    from treegauge.toys.names import TOY_LANGUAGES
    from treegauge.treebank import concatenate

    toys = {name: toy_treebank(name, tokens=60_000) for name in TOY_LANGUAGES}
    generated = cycle(Source(code, toys[name]) for code, name in zip(_OF_TOYS, cycle(toys)))
    entries = [one for one in Catalogue.from_environment().entries if one.format == "conllu"]
    for number, entry in enumerate(cycle(entries)):
        parts = [entry.read(part, findings=[]) for part in entry.parts]
        yield Source(entry.iso, concatenate(parts))
        if number % 3 == 2:
            yield next(generated)
    yield from generated  # where there are no real ones


def make_folder(folder: Path, treebanks: int, words: int, *, broken: bool = False) -> int:
    """Write treebanks of so many words in all; return how many words there are.

    The last treebank is broken, if one is: a line of its dev part has too few columns.
    """
    from treegauge import write

    total = 0
    weights = list(islice(cycle(WEIGHTS), treebanks))
    for number, (weight, source) in enumerate(zip(weights, sources(), strict=False)):
        wanted = round(words * weight / sum(weights))
        copy = _copy(source.treebank, wanted, number)
        name = f"{source.code}_copy{number:03}"
        home = folder / name
        home.mkdir(parents=True)
        begin = 0
        for part, share in SHARES.items():
            is_last = part == "test"
            end = len(copy) if is_last else begin + max(round(share * len(copy)), 1)
            write(copy[begin:end], home / f"{name}-ud-{part}.conllu")
            begin = end
        total += copy.n_words
        if broken and number == treebanks - 1:
            with (home / f"{name}-ud-dev.conllu").open("a", encoding="utf-8") as file:
                file.write("1\tlost\n\n")
    return total


def _copy(treebank: Treebank, words: int, number: int) -> Treebank:
    """Return about so many words of a treebank, repeated with other forms where it is too small."""
    import numpy as np

    from treegauge.treebank import concatenate

    pieces: list[Treebank] = []
    left = words
    while left > 0:
        n = int(np.searchsorted(treebank.offsets, left, side="left"))
        piece = treebank[: max(min(n, len(treebank)), 10)]
        pieces.append(_with_other_forms(piece, f"{number:x}{len(pieces) or ''}"))
        left -= piece.n_words
    return pieces[0] if len(pieces) == 1 else concatenate(pieces)


def _with_other_forms(treebank: Treebank, mark: str) -> Treebank:
    """Return a treebank in which every word has a mark behind it, and punctuation stays."""

    def changed(text: str) -> str:
        return f"{text}{mark}" if any(map(str.isalpha, text)) else text

    columns = {name: treebank.columns[name].map(changed) for name in ("form", "lemma")}
    return treebank.replace(columns=columns)


# ---------------------------------------------------------------------- measuring


@dataclass(frozen=True)
class Costs:
    """What a command took, with all processes that it started."""

    seconds: float
    """Of processors."""
    peak_memory: int
    """Bytes, of the largest process."""
    code: int


def costs(command: Sequence[str], folder: Path, log: Path) -> Costs:
    """Run a command and measure it; what it says goes to a file."""
    others = {name: value for name, value in os.environ.items() if name != "TREEGAUGE_DATA"}
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=out, env=others)
        # This process is small, so that nobody inherits a peak from it.
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Costs(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, process.returncode)


def exponent(words: Sequence[float], seconds: Sequence[float]) -> float:
    """Return the slope of log seconds against log words, by least squares."""
    x, y = [math.log(one) for one in words], [math.log(one) for one in seconds]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    covariance = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return covariance / sum((a - mean_x) ** 2 for a in x)


def _verbs(data: Path) -> dict[str, list[str]]:
    """Return the command lines, in the order in which they have to run."""
    every = ["*_copy*", "--data", str(data)]
    return {
        "data list": ["data", "list", "--data", str(data)],
        "validate": ["validate", *every],
        "describe": ["describe", *every],
        "run": ["run", "four.toml", "--data", str(data), "--folder", "run"],
        "run, again": ["run", "four.toml", "--data", str(data), "--folder", "run"],
        "report": ["report", "run", "-o", "report.html", "--trials", "1000", "--data", str(data)],
    }


_EXPERIMENT = f"""name = "four"
treebanks = ["*_copy*"]
systems = {list(SYSTEMS)}
metrics = ["uas", "ned", "uas@10"]
resamples = 100
"""


@dataclass(frozen=True)
class Measured:
    """What a command took for a folder."""

    command: str
    treebanks: int
    words: int
    seconds: float
    """Of processors."""
    peak_megabytes: float
    """Of the largest process."""


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    given = os.environ.get("TREEGAUGE_BENCH_TREEBANKS", "")
    numbers = [int(one) for one in given.split(",")] if given else list(TREEBANKS)
    with tempfile.TemporaryDirectory(prefix="many-treebanks-") as place:
        for number in numbers:
            home = Path(place) / str(number)
            home.mkdir()
            data = home / "data"
            maker = [sys.executable, "-m", "benchmarks.many_treebanks", str(data)]
            options = ["--treebanks", str(number), "--broken"]
            made = subprocess.run([*maker, *options], check=True, capture_output=True, text=True)
            words = int(made.stdout.split()[2].replace(",", ""))
            (home / "four.toml").write_text(_EXPERIMENT, encoding="utf-8")
            for verb, arguments in _verbs(data).items():
                command = [sys.executable, "-m", "treegauge", *arguments]
                cost = costs(command, home, home / "log.txt")
                # The broken treebank is reported; what needs no sentences does not see it.
                expected = 0 if verb in ("data list", "report") else 1
                if cost.code != expected:
                    raise RuntimeError(f"{verb}: {(home / 'log.txt').read_text('utf-8')[-2000:]}")
                megabytes = round(cost.peak_memory / 1e6)
                one = Measured(verb, number, words, round(cost.seconds, 1), megabytes)
                print(one, flush=True)
                _keep(one)
    report_opening.keep()
    return section_of_record()


_NAME = "many_treebanks"


def _keep(new: Measured) -> None:
    """Keep a measurement, instead of an older one of the same."""
    old = record.measured(_NAME, Measured)
    same = (new.command, new.treebanks)
    rows = [one for one in old if (one.command, one.treebanks) != same]
    record.keep(_NAME, sorted([*rows, new], key=lambda one: (one.treebanks, one.command)))


def section_of_record() -> str:
    """Return the section of docs/benchmarks.md, from all that was measured so far."""
    return f"{section(record.measured(_NAME, Measured))}\n{report_opening.table()}"


def section(measured: Sequence[Measured]) -> str:
    """Return what commands took."""
    by_command = {
        command: {one.treebanks: one for one in measured if one.command == command}
        for command in _verbs(Path())
    }
    sizes = sorted({(one.treebanks, one.words) for one in measured})
    heads = [f"{n} treebanks, {words / 1e6:.1f} M words" for n, words in sizes]
    lines = [
        f"A folder of real treebanks and toy languages with other forms, {WORDS_EACH:,} words each "
        f"in the mean, one of them broken; {len(SYSTEMS)} fast systems ({', '.join(SYSTEMS)}). "
        "Processor seconds of all processes of a command, and the largest process of any; the "
        "exponent is that of time against words, start-up included, which hides growth where "
        "commands are short. A dash: not measured.",
        "",
        f"| what | {' | '.join(heads)} | exponent | wanted | peak memory (GB) | wanted |",
        f"| :-- | {'--: | ' * len(heads)}--: | --: | --: | --: |",
    ]
    for command, own in by_command.items():
        seconds = " | ".join(f"{own[n].seconds:.1f}" if n in own else "–" for n, _ in sizes)
        peak = max(one.peak_megabytes for one in own.values()) / 1000
        words = [one.words for one in own.values()]
        fitted = exponent(words, [one.seconds for one in own.values()])
        lines.append(
            f"| {command} | {seconds} | {fitted:.2f} | ≤ {EXPONENT} "
            f"| {peak:.2f} | < {GIGABYTES:.0f} |"
        )
    return "\n".join(lines) + "\n"


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--treebanks", type=int, default=250)
    parser.add_argument("--words", type=int, default=None)
    parser.add_argument("--broken", action="store_true")
    chosen = parser.parse_args()
    words = chosen.words or WORDS_EACH * chosen.treebanks
    total = make_folder(chosen.folder, chosen.treebanks, words, broken=chosen.broken)
    print(f"{chosen.treebanks} treebanks, {total:,} words in {chosen.folder}")


if __name__ == "__main__":
    _main()
