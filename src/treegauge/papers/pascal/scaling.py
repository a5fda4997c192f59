"""How inducers of word classes fare with more raw text: accuracy, time and memory.

The paper asks (section 6.1) how methods scale on really large corpora, in accuracy and in the
resources they need. Text is that of a toy language, of which there is as much as is wanted and
gold is known, or that of treebanks, as far as it goes. What is scored is the same for all sizes.
The runner measures time and memory of each cell, in a process of its own.

References
----------
Gelling, Cohn, Blunsom and Graça (2012), section 6.1.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from treegauge.catalogue import Catalogue
from treegauge.metrics.conventions import preset
from treegauge.papers.derived_treebanks import write_treebanks
from treegauge.papers.paper import RunExperiment as RunIt
from treegauge.runs.errors import ExperimentError
from treegauge.runs.experiment import Experiment, Scoring, SystemChoice
from treegauge.runs.experiment_text import with_source
from treegauge.runs.runner import Run
from treegauge.systems import systems
from treegauge.toys import toy_treebank
from treegauge.treebank import Treebank

INDUCERS = ("brown", "mkcls", "predictive-exchange", "bmmm", "pyp-hmm", "hmm", "lda-classes")
"""Those that are in the registry take part, samplers up to a size."""
_SAMPLERS = ("bmmm", "pyp-hmm", "hmm", "lda-classes")


@dataclass(frozen=True)
class ScalingSettings:
    """What is measured."""

    sizes: tuple[int, ...] = (10_000, 100_000, 1_000_000)
    classes: int = 45
    largest_for_samplers: int = 0
    """No sampler learns from a longer text."""
    language: str = "toy:svo"
    """Where no treebanks are given."""
    test_tokens: int = 20_000
    seed: int = 0

    @classmethod
    def small(cls) -> ScalingSettings:
        """Return what takes seconds."""
        return cls((2000, 10_000), classes=12, test_tokens=1000)

    @classmethod
    def up_to(cls, tokens: int, largest_for_samplers: int = 0) -> ScalingSettings:
        """Return sizes from 10,000 tokens on, each ten times the one before, up to a number.

        >>> ScalingSettings.up_to(500_000).sizes
        (10000, 100000, 500000)
        """
        sizes = [10_000]
        while sizes[-1] * 10 <= tokens:
            sizes.append(sizes[-1] * 10)
        return cls(tuple(dict.fromkeys((*sizes, tokens))), 45, largest_for_samplers)


@dataclass(frozen=True)
class Grown:
    """What a system needed for a text, and what it got right."""

    text: str
    """The treebank or the toy language."""
    system: str
    tokens: int
    types: int
    many_to_one: float | None
    v_measure: float | None
    seconds: float | None
    peak_memory: float | None


@dataclass(frozen=True)
class Scaling:
    """All measurements."""

    settings: ScalingSettings
    rows: tuple[Grown, ...]
    failures: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the measurements as JSON has them."""
        return {
            "schema": 1,
            "classes": self.settings.classes,
            "rows": [vars(row) for row in self.rows],
            "failures": list(self.failures),
        }


def measure_scaling(
    folder: str | os.PathLike[str],
    run_it: RunIt,
    settings: ScalingSettings | None = None,
    *,
    treebanks: Sequence[str] = (),
    catalogue: Catalogue | None = None,
) -> Scaling:
    """Induce classes from texts of several sizes, and read what the runner measured.

    A text is learnt from with the part that is scored, as in the challenge.

    Parameters
    ----------
    folder : path
        Where everything is kept; what was stopped goes on there.
    run_it : callable
        Runs an experiment in a folder.
    treebanks : sequence of str
        As the catalogue reads them, each with a train and a test part; if there are none, the toy
        language. Sizes beyond that of a treebank are its own.
    """
    settings = settings or ScalingSettings()
    folder = Path(folder)
    rows: list[Grown] = []
    failures: list[str] = []
    for name, texts in _texts(treebanks, catalogue, settings):
        for size, (train, test) in texts:
            done, inducers = _induced(folder / name, size, train, test, run_it, settings)
            failures += [f"{failure.cell}: {failure.reason}" for failure in done.failures]
            types = len(train.form.compact().vocabulary)
            rows += [_grown(done.table, name, one, train.n_words, types) for one in inducers]
    return Scaling(settings, tuple(rows), tuple(failures))


_Texts = Iterator[tuple[int, tuple[Treebank, Treebank]]]


def _texts(
    treebanks: Sequence[str], catalogue: Catalogue | None, settings: ScalingSettings
) -> Iterator[tuple[str, _Texts]]:
    """Return, text by text, its sizes, each with what is learnt from and what is scored."""
    if not treebanks:
        yield settings.language.replace(":", "-"), _toy_texts(settings)
    for entry in (e for text in treebanks for e in (catalogue or Catalogue()).resolve(text)):
        if not {"train", "test"} <= set(entry.parts):
            raise ExperimentError(f"{entry.name}: a train and a test part are needed")
        whole = entry.read("train", findings=[])
        yield entry.name, _beginnings(whole, entry.read("test", findings=[]), settings)


def _toy_texts(settings: ScalingSettings) -> _Texts:
    test = toy_treebank(
        settings.language, tokens=settings.test_tokens, part="test", seed=settings.seed
    )
    for size in settings.sizes:
        yield size, (toy_treebank(settings.language, tokens=size, seed=settings.seed), test)


def _beginnings(train: Treebank, test: Treebank, settings: ScalingSettings) -> _Texts:
    """Return ever longer beginnings of a text, its sentences in random order."""
    shuffled = train.shuffled(seed=settings.seed)
    for size in dict.fromkeys(min(size, train.n_words) for size in settings.sizes):
        sentences = int(np.searchsorted(shuffled.offsets, size))
        yield size, (shuffled[: max(sentences, 1)], test)


def _induced(
    folder: Path,
    size: int,
    train: Treebank,
    test: Treebank,
    run_it: RunIt,
    settings: ScalingSettings,
) -> tuple[Run, list[str]]:
    """Let all inducers that can be expected to end learn from a text."""
    catalogue = write_treebanks(folder / "texts", {str(size): {"train": train, "test": test}})
    inducers = [
        one
        for one in INDUCERS
        if one in systems() and (one not in _SAMPLERS or size <= settings.largest_for_samplers)
    ]
    told = (("classes", settings.classes),)
    experiment = Experiment(
        name=f"pascal-scaling-{size}",
        treebanks=(str(folder / "texts" / str(size)),),
        systems=tuple(SystemChoice(one, one, told, (settings.seed,)) for one in inducers),
        scorings=(Scoring(preset("pascal", tags="u12"), ("many_to_one", "v_measure")),),
        resamples=0,
    )
    return run_it(with_source(experiment), folder / str(size), catalogue), inducers


def _grown(table: pl.DataFrame, text: str, system: str, tokens: int, types: int) -> Grown:
    own = table.filter((pl.col("system") == system) & pl.col("value").is_not_nan())
    values = dict(own.select("metric", "value").iter_rows())
    if not values:
        return Grown(text, system, tokens, types, None, None, None, None)
    return Grown(
        *(text, system, tokens, types, values["many_to_one"], values["v_measure"]),
        *(own["seconds"][0], own["peak_memory"][0]),
    )
