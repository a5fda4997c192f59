"""Supervised parsers side by side on one small treebank: how good, and how fast."""

from __future__ import annotations

import os
import resource
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from treegauge import Treebank

TITLE = "Supervised parsers"
TREEBANK = "fr_sequoia"
TRAINING_WORDS = 10_000
TEST_WORDS = 5_000
PARSERS: dict[str, dict[str, Any]] = {
    "transition": {},
    "graph": {},
    # The search-based oracle would make this twice as slow.
    "udpipe": {"structured_interval": 0},
}
PEER = "udpipe"


@dataclass(frozen=True)
class Outcome:
    """What one parser did."""

    uas: float
    las: float
    training_seconds: float
    words_per_second: float


def _cpu_seconds() -> float:
    """Return what this process and its children have used: UDPipe learns in one of its own."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def first_words(treebank: Treebank, words: int) -> Treebank:
    """Return whole sentences of at most so many words."""
    return treebank[: int(np.searchsorted(treebank.offsets, words, "right")) - 1]


def _parts() -> tuple[str, Treebank, Treebank]:
    """Return what to learn from and what to parse; a toy language where the treebank is missing."""
    from treegauge import CatalogueError, load
    from treegauge.toys import toy_parts

    shared = Path(os.environ.get("TREEGAUGE_SHARED", "../shared")) / "treebanks"
    data = shared if shared.is_dir() else ()
    try:
        name = TREEBANK
        train, test = (load(f"{name}:{part}", data=data) for part in ("train", "test"))
    except CatalogueError:
        name = "toy:svo"
        toy = toy_parts(name, tokens=TRAINING_WORDS)
        train, test = toy["train"], toy["test"]
    return name, first_words(train, TRAINING_WORDS), first_words(test, TEST_WORDS)


def _outcome(name: str, train: Treebank, test: Treebank) -> Outcome:
    from treegauge.evaluation import evaluate
    from treegauge.systems import make_system

    def fitted(treebank: Treebank) -> Any:
        return make_system(name, PARSERS[name]).fit(treebank)

    fitted(train[:2]).annotate(test[:2])  # compiles what is to be compiled
    begin = _cpu_seconds()
    parser = fitted(train)
    training = _cpu_seconds() - begin
    begin = _cpu_seconds()
    answer = parser.annotate(test)
    parsing = _cpu_seconds() - begin
    scores = evaluate(test, answer, metrics=["uas", "las"], resamples=0).systems[0].scores
    return Outcome(scores["uas"].value, scores["las"].value, training, test.n_words / parsing)


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    from treegauge.systems import SystemsError, find_system

    name, train, test = _parts()
    found: dict[str, Outcome] = {}
    missing = []
    for parser in PARSERS:
        try:
            find_system(parser)
            found[parser] = _outcome(parser, train, test)
        except SystemsError as error:
            missing.append(f"Not measured: {str(error).splitlines()[0]}.\n")
    peer = found.get(PEER)
    lines = [
        f"`{name}`: {train.n_words:,} training words, {test.n_words:,} to parse, with gold "
        "tags and features; scored as in the CoNLL 2018 shared task. Seconds are CPU "
        "seconds; settings are the defaults, except that UDPipe's search-based oracle is off.\n",
        "| parser | UAS | LAS | training | words/s | times UDPipe: training | parsing |",
        "| :-- | --: | --: | --: | --: | --: | --: |",
    ]
    for parser, outcome in found.items():
        ratios = ["", ""]
        if peer:
            ratios = [
                f"{peer.training_seconds / outcome.training_seconds:.1f}",
                f"{outcome.words_per_second / peer.words_per_second:.1f}",
            ]
        lines.append(
            f"| {parser} | {100 * outcome.uas:.2f} | {100 * outcome.las:.2f} | "
            f"{outcome.training_seconds:.1f} s | {outcome.words_per_second:,.0f} | "
            f"{ratios[0]} | {ratios[1]} |"
        )
    return "\n".join([*lines, "", *missing])


if __name__ == "__main__":
    print(report())
