"""Measures what `treegauge induce best` reaches, so that it can say what to expect.

    python -m studies.expected_accuracy [--jobs N]

For every treebank of `TREEGAUGE_DATA` (or `../shared/treebanks`) with universal tags, a train and a
dev part: the inducer for each kind of tags learns from sentences drawn from train and annotates at
most as many of dev, since what is reached varies more in few sentences. It sees what a user's file
would have; other tags are universal ones as symbols, and fine tags.

Writes numbers, and no text, to `src/treegauge/systems/data`, and a summary of them to
docs/systems.md. Minutes; the same every time.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import treegauge as tg
from studies.learning_curves import MACRO_LANGUAGES
from studies.pages import EXPECTED, SYSTEMS, filled
from treegauge.catalogue import Catalogue, CatalogueEntry
from treegauge.systems import best_inducer
from treegauge.systems.best_inducer import KindOfTags, choose_inducer
from treegauge.systems.expected_accuracy import (
    DRAWS,
    LEVELS,
    ROWS_FILE,
    TRIGRAMS_FILE,
    MeasuredRow,
    measured_accuracies,
    write_rows,
    write_trigrams,
)
from treegauge.systems.text_profile import profile_of
from treegauge.treebank import Column, Treebank, punctuation_mask

DATA = Path("src/treegauge/systems/data")
N_TRIGRAMS = 200
"""Those that are the most frequent over treebanks are kept; the rest counts as one."""
MOST_OF_DEV = 400
"""Sentences of a dev part that are scored, or as many as were learnt from, if these are fewer."""


@dataclass(frozen=True)
class Measured:
    """What was measured on one treebank."""

    name: str
    rows: list[MeasuredRow]
    trigrams: Mapping[str, float]


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    jobs = parser.parse_args().jobs
    os.environ.setdefault("TREEGAUGE_THREADS", "1")
    folder = os.environ.get("TREEGAUGE_DATA", "../shared/treebanks")
    entries = [
        entry
        for entry in Catalogue.from_environment([folder]).entries
        if {"train", "dev"} <= set(entry.parts)
    ]
    measured = []
    with ProcessPoolExecutor(jobs) as pool:
        for one in pool.map(measure, entries):
            if one is not None:
                measured.append(one)
                best = max(row.uas for row in one.rows)
                sys.stderr.write(f"{one.name}: {len(one.rows)} rows, at best {100 * best:.1f}\n")
    DATA.mkdir(exist_ok=True)
    write_rows([row for one in measured for row in one.rows], DATA / ROWS_FILE)
    write_trigrams({one.name: one.trigrams for one in measured}, N_TRIGRAMS, DATA / TRIGRAMS_FILE)
    page = SYSTEMS.read_text(encoding="utf-8")
    SYSTEMS.write_text(filled(page, EXPECTED, summary()), encoding="utf-8")


def measure(entry: CatalogueEntry) -> Measured | None:
    """Return what inducers reach on the dev part; none where tags are not universal."""
    warnings.simplefilter("ignore")
    train, dev = entry.read("train"), entry.read("dev")
    if choose_inducer(train, dev).kind != "universal":
        return None
    trigrams = profile_of(train, choose_inducer(train)).trigrams
    assert trigrams is not None
    rows = []
    for tags, learnt, gold in _kinds_of_files(train, dev):
        chosen = choose_inducer(learnt, gold)
        for sentences, draws in DRAWS.items():
            for draw in range(draws):
                text = _drawn(learnt, sentences, draw)
                scored, parsed = (
                    _drawn(one, min(sentences, MOST_OF_DEV), draw) for one in (dev, gold)
                )
                profile = profile_of(text, chosen)
                inducer = chosen.make().fit(chosen.prepared(text))
                answer = inducer.annotate(chosen.prepared(parsed))
                uas, uas_10 = _scores(scored, answer)
                rows.append(
                    MeasuredRow(
                        treebank=entry.name,
                        language=entry.language.partition(" (")[0],
                        group=MACRO_LANGUAGES.get(entry.iso, entry.iso),
                        kind=chosen.kind,
                        tags=tags,
                        sentences=sentences,
                        draw=draw,
                        function_words=profile.function_words,
                        side=profile.side,
                        n_tags=profile.n_tags,
                        uas=uas,
                        uas_10=uas_10,
                    )
                )
    return Measured(entry.name, rows, trigrams)


KINDS: Mapping[KindOfTags, str] = {
    "universal": "universal tags",
    "other": "other tags",
    "none": "words only",
}
"""What texts have, in words."""


def summary() -> str:
    """Return the table of docs/systems.md: what is reached, and how well that is predicted."""
    lines = [
        "| text | inducer | sentences | UAS | UAS@10 | error, nearest | error, mean of all "
        "| interval | inside |",
        "| :-- | :-- | --: | --: | --: | --: | --: | --: | --: |",
    ]
    for kind, text in KINDS.items():
        for sentences in DRAWS:
            table = measured_accuracies(kind, sentences)
            _, uas, said, mean = zip(*table.left_out(), strict=True)
            numbers = [
                np.mean(uas),
                np.nanmean(table.short_uas),  # a few draws have no short sentence
                np.abs(np.subtract(uas, said)).mean(),
                np.abs(np.subtract(uas, mean)).mean(),
            ]
            cells = " | ".join(f"{100 * number:.1f}" for number in numbers)
            lines.append(
                f"| {text} | `{best_inducer.SYSTEMS[kind]}` | {sentences:,} | {cells} "
                f"| {100 * LEVELS[sentences]:.0f}%: ± {100 * table.radius():.0f} "
                f"| {100 * table.coverage():.0f}% |"
            )
    return "\n".join(lines) + "\n\n"


def _kinds_of_files(train: Treebank, dev: Treebank) -> Iterator[tuple[str, Treebank, Treebank]]:
    """Give texts as files have them that lack something: the name of their tags, train and dev."""
    yield "u", _with(train, upos=train.upos), _with(dev, upos=dev.upos)
    names = sorted({*train.upos.counts(), *dev.upos.counts()})
    symbol = {tag: f"T{number}" for number, tag in enumerate(names)}
    yield (
        "symbols",
        _with(train, xpos=train.upos.map(symbol.__getitem__)),
        _with(dev, xpos=dev.upos.map(symbol.__getitem__)),
    )
    fine = _with(train, xpos=train.xpos), _with(dev, xpos=dev.xpos)
    if choose_inducer(*fine).kind == "other":
        yield "p", *fine
    yield "none", _with(train), _with(dev)


def _with(treebank: Treebank, **columns: Column) -> Treebank:
    """Return a treebank of words, trees and some tags."""
    return Treebank({"form": treebank.form, **columns}, treebank.head, offsets=treebank.offsets)


def _drawn(treebank: Treebank, sentences: int, draw: int) -> Treebank:
    """Return sentences at random, in the order of the text."""
    order = np.random.default_rng([sentences, draw]).permutation(treebank.n_sentences)
    return treebank.take(np.sort(order[:sentences]))


def _scores(gold: Treebank, answer: Treebank) -> tuple[float, float]:
    """Return UAS of all sentences, and of those up to ten words, by gold's punctuation."""
    answer = Treebank(
        {"form": gold.form}, answer.head, offsets=gold.offsets, punctuation=punctuation_mask(gold)
    )
    scores = tg.evaluate(
        gold, answer, metrics=["uas", "uas@10"], conventions=tg.preset("pascal"), resamples=0
    )
    # None where no sentence is short.
    uas, short = (scores[metric].value for metric in ("uas", "uas@10"))
    return uas or 0.0, float("nan") if short is None else short


if __name__ == "__main__":
    main()
