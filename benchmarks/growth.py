"""How time grows with words: reading, scoring with intervals, describing, and the bootstrap alone.

    python -m benchmarks.growth describe    measures this again

Treebanks are in memory as a whole. Counting on shards is in docs/scale.md.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks import record
from benchmarks.many_treebanks import EXPONENT, exponent
from benchmarks.measurement import measure
from benchmarks.streams import EndlessText

TITLE = "Growth"
BLOCKS = (2, 7, 25, 84)
"""How many blocks of `EndlessText` the texts have: 60,000 words each."""
RESAMPLES = 1000
TOKENS = (100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
WORDS_IN_SENTENCE = 20
BOOTSTRAP = "bootstrap"
_ENDLESS = 1e15


def reading(gold: str, _system: str) -> Callable[[], Any]:
    import treegauge as tg

    _warm_up()
    return partial(tg.read, gold)


def scoring(gold: str, system: str) -> Callable[[], Any]:
    import treegauge as tg

    _warm_up()
    return partial(tg.evaluate, tg.read(gold), tg.read(system), resamples=RESAMPLES)


def describing(gold: str, _system: str) -> Callable[[], Any]:
    import treegauge as tg

    _warm_up()
    return partial(tg.statistics, tg.read(gold))


def _warm_up() -> None:
    """Load or compile kernels."""
    import treegauge as tg

    treebank = tg.toy_treebank("toy:svo", tokens=2000)
    tiny = tg.parse(tg.to_text(treebank))
    tg.evaluate(tiny, tiny, resamples=40)
    tg.statistics(tiny)


def resampling(tokens: str) -> Callable[[], Any]:
    """Resample the counts of one metric: right words, words of the system, words of gold."""
    import numpy as np

    from treegauge.significance import Resampler

    generator = np.random.default_rng(0)
    sentences = int(tokens) // WORDS_IN_SENTENCE
    words = generator.poisson(WORDS_IN_SENTENCE, sentences)
    table = np.stack([generator.binomial(words, 0.8), words, words], axis=1)
    Resampler(100).sums(table[:100])
    return partial(Resampler(sentences, resamples=RESAMPLES).sums, table)


@dataclass(frozen=True)
class Measured:
    """What a text took."""

    what: str
    words: int
    seconds: float
    """Of the processor."""


_NAME = "growth"
_FUNCTIONS = {"read": "reading", "evaluate": "scoring", "describe": "describing"}


def report(chosen: Collection[str] = (*_FUNCTIONS, BOOTSTRAP)) -> str:
    """Measure, and return the section of docs/benchmarks.md; what is not chosen stays."""
    new = []
    for one in _measured(chosen):
        print(f"  {one}", flush=True)
        new.append(one)
    order = [*_FUNCTIONS, BOOTSTRAP]
    rows = [*(one for one in record.measured(_NAME, Measured) if one.what not in chosen), *new]
    record.keep(_NAME, sorted(rows, key=lambda one: (order.index(one.what), one.words)))
    return section()


def _measured(chosen: Collection[str]) -> Iterator[Measured]:
    import treegauge as tg

    functions = {what: name for what, name in _FUNCTIONS.items() if what in chosen}
    with tempfile.TemporaryDirectory(prefix="growth-") as folder:
        paths = {kind: Path(folder, f"{kind}.conllu") for kind in ("gold", "system")}
        for n in BLOCKS if functions else ():
            for kind, path in paths.items():
                text = EndlessText(is_system=kind == "system")
                with path.open("wb") as file:
                    for block in islice(text.blocks(_ENDLESS), n):
                        file.write(block)
            words = tg.read(paths["gold"]).n_words
            for what, function in functions.items():
                arguments = map(str, paths.values())
                one = measure(f"benchmarks.growth:{function}", *arguments, repeats=2)
                yield Measured(what, words, round(one.seconds, 3))
    for n in TOKENS if BOOTSTRAP in chosen else ():
        one = measure("benchmarks.growth:resampling", str(n), repeats=2)
        yield Measured(BOOTSTRAP, n, round(one.seconds, 3))


def section() -> str:
    """Return the section of docs/benchmarks.md, from what was measured."""
    rows = record.measured(_NAME, Measured)
    alone = [one for one in rows if one.what == BOOTSTRAP]
    return (
        "CPU seconds on one core, the faster of two runs, treebanks as a whole in memory. The "
        "exponent is the slope of log seconds against log words, by least squares: 1 where time "
        "is linear. Every sentence of this toy language has an id, a form and a lemma of its own; "
        f"`evaluate` draws {RESAMPLES:,} resamples, and its files are already read.\n\n"
        f"{_table([one for one in rows if one.what != BOOTSTRAP])}\n"
        f"The bootstrap alone, {RESAMPLES:,} resamples of the counts of one metric in sentences of "
        f"{WORDS_IN_SENTENCE} words in the mean:\n\n{_table(alone)}"
    )


def _table(rows: Sequence[Measured]) -> str:
    sizes = sorted({one.words for one in rows})
    heads = " | ".join(f"{size / 1e6:.1f} M words" for size in sizes)
    lines = [
        f"| what | {heads} | exponent | wanted |",
        f"| :-- | {'--: | ' * len(sizes)}--: | --: |",
    ]
    for what in dict.fromkeys(one.what for one in rows):
        seconds = [one.seconds for one in rows if one.what == what]
        shown = " | ".join(f"{one:.2f}" for one in seconds)
        lines.append(f"| {what} | {shown} | {exponent(sizes, seconds):.2f} | ≤ {EXPONENT} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    record.write_section(TITLE, report(sys.argv[1:]), after="Scoring")
