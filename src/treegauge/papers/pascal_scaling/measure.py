"""How inducers of word classes fare with more raw text: accuracy, time and memory.

Text is that of a toy language, of which there is as much as is wanted and gold is known, or that
of treebanks, as far as it goes. What is scored is the same for all sizes. The runner measures
time and memory of each cell, in a process of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from treegauge.metrics.conventions import preset
from treegauge.papers.derived_treebanks import write_treebanks
from treegauge.papers.paper import Measurements, Workbench
from treegauge.papers.pascal_scaling.settings import INDUCERS, ScalingSettings
from treegauge.runs.errors import ExperimentError
from treegauge.runs.experiment import Experiment, Scoring, SystemChoice
from treegauge.runs.experiment_text import with_source
from treegauge.runs.runner import Run
from treegauge.systems import systems
from treegauge.toys import toy_treebank
from treegauge.treebank import Treebank

_SAMPLERS = ("bmmm", "pyp-hmm", "hmm", "lda-classes")
_LANGUAGE = "toy:svo"
"""Where no treebanks are given."""


def measure(settings: ScalingSettings, workbench: Workbench) -> Measurements[ScalingSettings]:
    """Induce classes from texts of several sizes, and read what the runner measured.

    A text is learnt from with the part that is scored, as in the challenge.
    """
    rows: list[dict[str, Any]] = []
    failures: list[str] = []
    for name, texts in _texts(settings, workbench):
        for size, train, test in texts:
            done, inducers = _induce(
                name, size, {"train": train, "test": test}, settings, workbench
            )
            failures += [f"{failure.cell}: {failure.reason}" for failure in done.failures]
            types = len(train.form.compact().vocabulary)
            about: dict[str, Any] = {"text": name, "tokens": train.n_words, "types": types}
            rows += [{**about, "system": one, **_results(done, one)} for one in inducers]
    frame = pl.DataFrame(rows, infer_schema_length=None).sort(
        pl.col("text").rle_id(), "system", "tokens", maintain_order=True
    )
    return Measurements(settings, {"inducers": frame}, failures=tuple(failures))


_Texts = Iterator[tuple[int, Treebank, Treebank]]


def _texts(settings: ScalingSettings, workbench: Workbench) -> Iterator[tuple[str, _Texts]]:
    """Return, text by text, its sizes, each with what is learnt from and what is scored."""
    if not settings.treebanks:
        yield _LANGUAGE.replace(":", "-"), _toy_texts(settings)
    for entry in (e for text in settings.treebanks for e in workbench.catalogue.resolve(text)):
        if not {"train", "test"} <= set(entry.parts):
            raise ExperimentError(f"{entry.name}: a train and a test part are needed")
        whole = entry.read("train", findings=[])
        yield entry.name, _beginnings(whole, entry.read("test", findings=[]), settings)


def _toy_texts(settings: ScalingSettings) -> _Texts:
    test = toy_treebank(_LANGUAGE, tokens=settings.test_tokens, part="test", seed=settings.seed)
    for size in settings.all_sizes:
        yield size, toy_treebank(_LANGUAGE, tokens=size, seed=settings.seed), test


def _beginnings(train: Treebank, test: Treebank, settings: ScalingSettings) -> _Texts:
    """Return ever longer beginnings of a text, its sentences in random order."""
    shuffled = train.shuffled(seed=settings.seed)
    for size in dict.fromkeys(min(size, train.n_words) for size in settings.all_sizes):
        sentences = int(np.searchsorted(shuffled.offsets, size))
        yield size, shuffled[: max(sentences, 1)], test


def _induce(
    name: str,
    size: int,
    parts: dict[str, Treebank],
    settings: ScalingSettings,
    workbench: Workbench,
) -> tuple[Run, list[str]]:
    """Let all inducers that can be expected to end learn from a text."""
    folder = workbench.folder / name
    catalogue = write_treebanks(folder / "texts", {str(size): parts})
    with_samplers = settings.systems == "all" and size <= settings.sampler_tokens
    inducers = [
        one for one in INDUCERS if one in systems() and (one not in _SAMPLERS or with_samplers)
    ]
    choices = [
        SystemChoice(
            one, one, workbench.settings_of(one, classes=settings.classes), (settings.seed,)
        )
        for one in inducers
    ]
    experiment = Experiment(
        name=f"pascal-scaling-{size}",
        treebanks=(str(folder / "texts" / str(size)),),
        systems=tuple(choices),
        scorings=(Scoring(preset("pascal", tags="u12"), ("many_to_one", "v_measure")),),
        resamples=0,
    )
    done = workbench.run_experiment(with_source(experiment), folder / str(size), catalogue)
    return done, inducers


def _results(run: Run, system: str) -> dict[str, float | None]:
    """Return the scores of a system, and what it needed; nothing if it failed."""
    own = run.table.filter((pl.col("system") == system) & pl.col("value").is_not_nan())
    values = dict(own.select("metric", "value").iter_rows())
    costs = {name: own[name][0] if values else None for name in ("seconds", "peak_memory")}
    return {metric: values.get(metric) for metric in ("many_to_one", "v_measure")} | costs
