"""Measures learning curves of parsers, and what texts are like, for `treegauge predict-accuracy`.

    python -m studies.learning_curves [--jobs N]

On every CoNLL-U treebank of `TREEGAUGE_DATA` (or `../shared/treebanks`): parsers learn from 5,000
words of the train part and from all of it, or from 20,000, 40,000 or 80,000 words, if it is too
large for them (`GRIDS`), and parse the test part with gold tags. Sentences are drawn at random
once, so that larger samples contain smaller ones. The smallest and the largest sample are also
described, and pilot parsers are trained on them.

docs/data/learning-curves.tsv has a row for every number. What is there is measured again only if
the code has changed since.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

import treegauge as tg
from studies._sources import outdated
from studies.measured import FOLDER, current_commit
from treegauge.catalogue import Catalogue, CatalogueEntry
from treegauge.evaluation.pilot_parsers import SHARES, run_pilots, sentences_within, with_trees
from treegauge.properties import (
    PerplexitySettings,
    WordOrder,
    cross_validated_perplexity,
)
from treegauge.systems import make_system
from treegauge.temporaries import replacing
from treegauge.treebank import Treebank, tag_column

TABLE = FOLDER / "learning-curves.tsv"
SIZES = (5_000, 10_000, 20_000, 40_000, 80_000)
"""Words to learn from. A train part that is little larger than one of them counts instead."""
LITTLE = 1.18
ORIGINAL = "original"
GRIDS = (("transition", 50_000), ("transition", 100_000), ("graph", 24_000))
"""Parsers, and the most words that they learn from; the most important first."""
MACRO_LANGUAGES = {"nn": "no"}
"""Bokmål and Nynorsk are one language here: neither may tell what to expect of the other."""
METRICS = ("uas", "las")
WORD_ORDER = (
    "dlm_ratio",
    "omega",
    "mean_dependency_length",
    "arc_direction_entropy",
    "head_final_share",
    "sibling_order_entropy",
    "nonprojective_arcs",
    "branching_factor",
    "height",
)
_SCHEMA = {
    "treebank": pl.String,
    "language": pl.String,
    "order": pl.String,
    "size": pl.Int64,
    "words": pl.Int64,
    "system": pl.String,
    "metric": pl.String,
    "value": pl.Float64,
    "n": pl.Int64,
    "seconds": pl.Float64,
    "signature": pl.String,
    "commit": pl.String,
    "device": pl.String,
}


@dataclass(frozen=True)
class Sample:
    """A part of a treebank that parsers learn from."""

    entry: CatalogueEntry
    size: int

    @property
    def place(self) -> tuple[str, str, int]:
        """What tells it from others."""
        return self.entry.name, ORIGINAL, self.size

    def read(self) -> tuple[Treebank, Treebank]:
        """Return what is learnt from, and the test part."""
        train, test = (with_trees(self.entry.read(part)) for part in ("train", "test"))
        order = np.random.default_rng(0).permutation(train.n_sentences)
        chosen = order[: sentences_within(train, order, self.size)]
        return train.take(np.sort(chosen)), test


def main() -> None:
    """Measure what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    jobs = parser.parse_args().jobs
    os.environ.setdefault("TREEGAUGE_THREADS", "1")
    rows = results().rows() if TABLE.exists() else []
    fresh = {_place(row) for row in of_today(rows)}
    wanted = [one for one in dict.fromkeys(all_work()) if (*one[0].place, one[1]) not in fresh]
    commit = current_commit()
    with ProcessPoolExecutor(jobs) as pool:
        running = {pool.submit(measure, *one): one for one in wanted}
        for number, done in enumerate(as_completed(running), start=1):
            (sample, system) = running[done]
            rows = [row for row in rows if _place(row) != (*sample.place, system)]
            rows += [(*row, commit, "cpu") for row in done.result()]
            keep(rows)
            name = system or "properties"
            sys.stderr.write(f"{number}/{len(wanted)} {' '.join(map(str, sample.place))} {name}\n")


def of_today(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the rows that were measured with the code of today."""
    commit = [*_SCHEMA].index("commit")
    old = outdated(TABLE.stem, (row[commit] for row in rows))
    return [row for row in rows if row[commit] not in old]


def _place(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what tells the rows of a sample and a system from others."""
    treebank, _, order, size, _, system, *_ = row
    return treebank, order, size, system


def all_work() -> Iterator[tuple[Sample, str]]:
    """Give samples and the parsers that learn from them; properties have an empty name."""
    for system, most in GRIDS:
        for end in (0, -1):
            for all_sizes in samples():
                yield all_sizes[end], ""
                yield [sample for sample in all_sizes if sample.size <= most][end], system


def samples() -> Iterator[list[Sample]]:
    """Give the samples of every treebank, the smallest first."""
    folder = os.environ.get("TREEGAUGE_DATA", "../shared/treebanks")
    entries = [
        entry
        for entry in Catalogue.from_environment([folder]).entries
        if {"train", "test"} <= set(entry.parts) and entry.format == "conllu"
    ]
    for entry in entries:
        words = entry.read("train").n_words
        sizes = [size for size in SIZES if size * LITTLE <= words]
        whole = [words] if words < SIZES[-1] * LITTLE else []
        yield [Sample(entry, size) for size in sizes + whole]


def measure(sample: Sample, system: str) -> list[tuple[Any, ...]]:
    """Return the rows of a sample: of a parser, or of its properties."""
    warnings.simplefilter("ignore")
    train, test = sample.read()
    begin = time.process_time()
    found = accuracy(system, train, test) if system else properties(train)
    seconds = time.process_time() - begin
    iso = sample.entry.iso or sample.entry.name
    place = (sample.entry.name, MACRO_LANGUAGES.get(iso, iso), ORIGINAL, sample.size)
    return [
        (*place, train.n_words, system, metric, value, n, seconds, signature)
        for metric, (value, n, signature) in found.items()
    ]


def accuracy(
    system: str, train: Treebank, test: Treebank
) -> dict[str, tuple[float | None, int, str]]:
    """Return the scores of a parser on the test part, punctuation not counted."""
    parsed = make_system(system).fit(train).annotate(test)
    scores = tg.evaluate(
        test, parsed, metrics=METRICS, conventions=tg.preset("conll2006"), resamples=0
    )
    return {m: (scores[m].value, scores[m].n, str(scores[m].signature)) for m in METRICS}


def properties(train: Treebank) -> dict[str, tuple[float | None, int, str]]:
    """Return what a text is like, and what pilot parsers reach on it."""
    pilots = run_pilots(train)
    order = WordOrder(train)
    words = cross_validated_perplexity(train)
    tags = tag_column(train, "u").column
    tagged = train.replace(columns={"form": tags})
    shares = np.array(list(tags.counts().values())) / train.n_words
    found: Mapping[str, float | None] = {
        "pilot_words": pilots.words,
        **{
            f"pilot_{metric}{'' if share == 1 else f'_{share:g}'}": value
            for metric in METRICS
            for share, value in zip(SHARES, getattr(pilots, metric), strict=True)
        },
        "sentences": train.n_sentences,
        **{name: getattr(order, name) for name in WORD_ORDER},
        "perplexity": words.perplexity(),
        "derivation_perplexity": words.derivation_perplexity(),
        "unknown_rate": words.unknown_rate,
        "tag_entropy": -float(shares @ np.log2(shares)),
        "tag_perplexity": cross_validated_perplexity(
            tagged, PerplexitySettings(order=3)
        ).perplexity(),
        "relations": len(train.deprel.counts()),
    }
    return {name: (value, train.n_words, "") for name, value in found.items()}


def keep(rows: list[tuple[Any, ...]]) -> None:
    """Write all rows, sorted."""
    table = pl.DataFrame(rows, schema=_SCHEMA, orient="row")
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    with replacing(TABLE) as temporary:
        table.sort("treebank", "order", "size", "system", maintain_order=True).write_csv(
            temporary, separator="\t", float_precision=6
        )


def results() -> pl.DataFrame:
    """Return all rows."""
    table = pl.read_csv(TABLE, separator="\t", schema=_SCHEMA)
    return table.with_columns(pl.col(pl.String).fill_null(""))


if __name__ == "__main__":
    main()
