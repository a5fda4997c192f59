"""Measures what `treegauge induce best` reaches, so that it can say what to expect.

    python -m studies.expected_accuracy [--jobs N]

For every treebank of `TREEGAUGE_DATA` (or `../shared/treebanks`) with universal tags, a train and a
dev part: the inducer for each kind of tags learns from sentences drawn from train and annotates at
most as many of dev, since what is reached varies more in few sentences. It sees what a user's file
would have; other tags are universal ones as symbols, and fine tags.

Writes numbers, and no text, to `src/treegauge/systems/data`, and a summary of them to
docs/data/expected-accuracy.tsv, of which `studies.pages` makes a table in docs/systems.md. Minutes;
the same every time.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import treegauge as tg
from studies.learning_curves import MACRO_LANGUAGES
from studies.measured import FOLDER, keep_table, measured_at
from treegauge.catalogue import Catalogue, CatalogueEntry
from treegauge.reports.run_tables import common_signature
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
TABLE = FOLDER / "expected-accuracy.tsv"
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
    seconds: Counter[tuple[KindOfTags, int]]
    """Of a processor, by kind of tags and number of sentences."""
    signature: str


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
    seconds = sum((one.seconds for one in measured), Counter())
    (signature,) = {one.signature for one in measured}
    rows = (row | {"signature": signature} for row in summary(seconds))
    keep_table(pl.DataFrame(list(rows)), TABLE)


def measure(entry: CatalogueEntry) -> Measured | None:
    """Return what inducers reach on the dev part; none where tags are not universal."""
    warnings.simplefilter("ignore")
    train, dev = entry.read("train"), entry.read("dev")
    if choose_inducer(train, dev).kind != "universal":
        return None
    trigrams = profile_of(train, choose_inducer(train)).trigrams
    assert trigrams is not None
    rows = []
    seconds: Counter[tuple[KindOfTags, int]] = Counter()
    for tags, learnt, gold in _kinds_of_files(train, dev):
        chosen = choose_inducer(learnt, gold)
        for sentences, draws in DRAWS.items():
            for draw in range(draws):
                started = time.process_time()
                text = _drawn(learnt, sentences, draw)
                scored, parsed = (
                    _drawn(one, min(sentences, MOST_OF_DEV), draw) for one in (dev, gold)
                )
                profile = profile_of(text, chosen)
                inducer = chosen.make().fit(chosen.prepared(text))
                answer = inducer.annotate(chosen.prepared(parsed))
                uas, uas_10, signature = _scores(scored, answer)
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
                seconds[chosen.kind, sentences] += time.process_time() - started
    return Measured(entry.name, rows, trigrams, seconds, signature)


KINDS: Mapping[KindOfTags, str] = {
    "universal": "universal tags",
    "other": "other tags",
    "none": "words only",
}
"""What texts have, in words."""


def summary(seconds: Mapping[tuple[KindOfTags, int], float]) -> Iterator[dict[str, Any]]:
    """Give what is reached with each kind of tags and number of sentences, and how well predicted.

    Parameters
    ----------
    seconds : mapping
        What measuring took, by kind of tags and number of sentences.
    """
    for kind in KINDS:
        for sentences in DRAWS:
            table = measured_accuracies(kind, sentences)
            _, uas, said, mean = zip(*table.left_out(), strict=True)
            yield {
                "kind": kind,
                "inducer": best_inducer.SYSTEMS[kind],
                "sentences": sentences,
                "uas": np.mean(uas),
                "uas_10": np.nanmean(table.short_uas),  # a few draws have no short sentence
                "error": np.abs(np.subtract(uas, said)).mean(),
                "error_of_mean": np.abs(np.subtract(uas, mean)).mean(),
                "level": LEVELS[sentences],
                "radius": table.radius(),
                "inside": table.coverage(),
                "seconds": round(seconds[kind, sentences], 2),
            }


def page_table() -> str | None:
    """Return the table of docs/systems.md; None where nothing was kept."""
    if not TABLE.exists():
        return None
    rows = pl.read_csv(TABLE, separator="\t")
    lines = [
        f"{measured_at(rows)}\n",
        "| text | inducer | sentences | UAS | UAS@10 | error, nearest | error, mean of all "
        "| interval | inside |",
        "| :-- | :-- | --: | --: | --: | --: | --: | --: | --: |",
    ]
    for row in rows.iter_rows(named=True):
        names = ("uas", "uas_10", "error", "error_of_mean")
        cells = " | ".join(f"{100 * row[name]:.1f}" for name in names)
        lines.append(
            f"| {KINDS[row['kind']]} | `{row['inducer']}` | {row['sentences']:,} | {cells} "
            f"| {100 * row['level']:.0f}%: ± {100 * row['radius']:.0f} "
            f"| {100 * row['inside']:.0f}% |"
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


def _scores(gold: Treebank, answer: Treebank) -> tuple[float, float, str]:
    """Return UAS of all sentences and of those up to ten words, by gold's punctuation, and how."""
    answer = Treebank(
        {"form": gold.form}, answer.head, offsets=gold.offsets, punctuation=punctuation_mask(gold)
    )
    scores = tg.evaluate(
        gold, answer, metrics=["uas", "uas@10"], conventions=tg.preset("pascal"), resamples=0
    )
    # None where no sentence is short.
    uas, short = (scores[metric].value for metric in ("uas", "uas@10"))
    signature = common_signature([str(scores["uas"].signature)])
    return uas or 0.0, float("nan") if short is None else short, signature


if __name__ == "__main__":
    main()
