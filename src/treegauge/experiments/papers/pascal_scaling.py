"""How inducers of word classes fare with more raw text: accuracy, time and memory.

The paper asks (section 6.1) how methods scale on really large corpora, in accuracy and in the
resources they need. Text is generated, so that there is as much of it as is wanted and gold is
known: a chain of hidden tags, each with words of its own by Zipf's law, the number of types
growing by Heaps' law; some types belong to two tags. The runner measures time and memory of
each cell, in a process of its own.

References
----------
Gelling, Cohn, Blunsom and Graça (2012), section 6.1.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from treegauge.experiments.experiment import Experiment, Scoring, SystemChoice
from treegauge.experiments.experiment_text import with_source
from treegauge.experiments.papers.derived_treebanks import write_treebanks
from treegauge.experiments.papers.permuted_parsing import RunIt
from treegauge.metrics.conventions import preset
from treegauge.systems import systems
from treegauge.treebank import Column, Treebank, Vocabulary

INDUCERS = ("brown", "mkcls", "predictive-exchange", "bmmm", "pyp-hmm", "hmm", "lda-classes")
"""Those that are in the registry take part, samplers up to a size."""
_SAMPLERS = ("bmmm", "pyp-hmm", "hmm", "lda-classes")

TAGS = tuple(f"T{number}" for number in range(12))
_WORDS_IN_SENTENCE = 20
_FOLLOWERS = 3
"""Tags that may follow a tag."""
_AMBIGUOUS = 0.05
"""The share of types that belong to a second tag as well."""


@dataclass(frozen=True)
class ScalingSettings:
    """What is measured."""

    sizes: tuple[int, ...] = (10_000, 100_000, 1_000_000)
    classes: int = 45
    largest_for_samplers: int = 30_000
    test_tokens: int = 5000
    seed: int = 0

    @classmethod
    def small(cls) -> ScalingSettings:
        """Return what takes seconds."""
        return cls((2000, 10_000), classes=12, largest_for_samplers=0, test_tokens=1000)

    @classmethod
    def up_to(cls, tokens: int) -> ScalingSettings:
        """Return sizes from 10,000 tokens on, each ten times the one before, up to a number.

        >>> ScalingSettings.up_to(500_000).sizes
        (10000, 100000, 500000)
        """
        sizes = [10_000]
        while sizes[-1] * 10 <= tokens:
            sizes.append(sizes[-1] * 10)
        return cls(tuple(dict.fromkeys((*sizes, tokens))))


@dataclass(frozen=True)
class Grown:
    """What a system needed for a text, and what it got right."""

    system: str
    tokens: int
    many_to_one: float | None
    v_measure: float | None
    seconds: float | None
    peak_memory: float | None


@dataclass(frozen=True)
class Scaling:
    """All measurements."""

    settings: ScalingSettings
    rows: tuple[Grown, ...]
    types: dict[int, int]
    """Word types by tokens."""
    failures: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the measurements as JSON has them."""
        return {
            "schema": 1,
            "classes": self.settings.classes,
            "types": {str(size): n for size, n in self.types.items()},
            "rows": [vars(row) for row in self.rows],
            "failures": list(self.failures),
        }


def generated_text(tokens: int, seed: int = 0) -> Treebank:
    """Return a text with gold tags: a chain of tags, words by Zipf's law within each.

    The language is the same for every seed and size; a longer text has more of its types.
    """
    language = np.random.default_rng(0)
    follows = np.array([language.permutation(len(TAGS))[:_FOLLOWERS] for _ in TAGS])
    chances = np.cumsum(language.dirichlet(np.ones(_FOLLOWERS), len(TAGS)), axis=1)
    share = language.dirichlet(np.full(len(TAGS), 2.0))
    generator = np.random.default_rng([seed, tokens])
    n_sentences = -(-tokens // _WORDS_IN_SENTENCE)
    tags = np.empty((n_sentences, _WORDS_IN_SENTENCE), np.int64)
    tags[:, 0] = generator.integers(len(TAGS), size=n_sentences)
    for place in range(1, _WORDS_IN_SENTENCE):
        before = tags[:, place - 1]
        drawn = (generator.random(n_sentences)[:, None] > chances[before]).sum(axis=1)
        tags[:, place] = follows[before, np.minimum(drawn, _FOLLOWERS - 1)]
    flat = tags.ravel()[:tokens]
    words = _words(flat, share, generator)
    offsets = np.append(np.arange(0, tokens, _WORDS_IN_SENTENCE), tokens)
    return Treebank(
        {
            "form": words,
            "upos": Column(flat.astype(np.int32), Vocabulary.from_strings(TAGS)).compact(),
        },
        None,
        offsets=offsets,
        name=f"text-{tokens}",
    )


def _words(
    tags: NDArray[np.int64], share: NDArray[np.float64], generator: np.random.Generator
) -> Column:
    """Draw a word for every tag."""
    n_types = int(30 * len(tags) ** 0.6)  # Heaps' law
    ranks = np.empty(len(tags), np.int64)
    for tag in range(len(TAGS)):
        chosen = tags == tag
        own = max(int(n_types * share[tag]), 1)
        cumulative = np.cumsum(1 / (np.arange(own) + 2.7))
        ranks[chosen] = np.searchsorted(
            cumulative, generator.random(int(chosen.sum())) * cumulative[-1]
        )
    # Every so many ranks, a word of one tag is spelt as its neighbour's of the next tag.
    every = round(1 / _AMBIGUOUS)
    is_shared = ranks % every == every - 1
    owner = np.where(is_shared, (tags + 1) % len(TAGS), tags)
    ranks = ranks - is_shared
    keys, codes = np.unique(ranks * len(TAGS) + owner, return_inverse=True)
    spelling = Vocabulary.from_strings(
        f"{_SYLLABLES[key % len(TAGS)]}{key // len(TAGS)}" for key in keys.tolist()
    )
    return Column(codes.astype(np.int32), spelling).compact()


_SYLLABLES = ("ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se")


def measure_scaling(
    folder: str | os.PathLike[str], run_it: RunIt, settings: ScalingSettings | None = None
) -> Scaling:
    """Induce classes from texts of several sizes, and read what the runner measured.

    A text is learnt from with the part that is scored, as in the challenge.
    """
    settings = settings or ScalingSettings()
    folder = Path(folder)
    rows: list[Grown] = []
    failures: list[str] = []
    types = {}
    for size in settings.sizes:
        name = f"text-{size}"
        train = generated_text(size, settings.seed)
        test = generated_text(settings.test_tokens, settings.seed + 1)
        types[size] = len(train.form.vocabulary)
        catalogue = write_treebanks(folder / "texts", {name: {"train": train, "test": test}})
        chosen = [
            one
            for one in INDUCERS
            if one in systems() and (one not in _SAMPLERS or size <= settings.largest_for_samplers)
        ]
        told = (("classes", settings.classes),)
        experiment = Experiment(
            name=f"pascal-scaling-{size}",
            treebanks=(str(folder / "texts" / name),),
            systems=tuple(SystemChoice(one, one, told, (settings.seed,)) for one in chosen),
            scorings=(Scoring(preset("pascal", tags="u"), ("many_to_one", "v_measure")),),
            resamples=0,
        )
        done = run_it(with_source(experiment), folder / name, catalogue)
        failures += [f"{failure.cell}: {failure.reason}" for failure in done.failures]
        rows += [_grown(done.table, one, size) for one in chosen]
    return Scaling(settings, tuple(rows), types, tuple(failures))


def _grown(table: pl.DataFrame, system: str, size: int) -> Grown:
    own = table.filter((pl.col("system") == system) & pl.col("value").is_not_nan())
    values = dict(own.select("metric", "value").iter_rows())
    if not values:
        return Grown(system, size, None, None, None, None)
    return Grown(
        system,
        size,
        values["many_to_one"],
        values["v_measure"],
        own["seconds"][0],
        own["peak_memory"][0],
    )
