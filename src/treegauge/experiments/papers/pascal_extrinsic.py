"""What induced classes are good for: features of a tagger, and tags of a parser.

The paper calls for an external evaluation with induced clusters as features of other systems,
and asks whether there is one ranking for all tasks (section 6.1). Two tasks:

1. a conditional random field (`crf`) learns to tag from few sentences, with classes as features
   beside those of words;
2. a parser learns to parse with induced tags in place of gold ones (`tags_from`).

Classes are induced once from the raw text of all parts, equally many by every system. Controls
are a tagger without classes, and classes drawn at random with the sizes of one system's.
Kendall's tau-b compares the rankings of tasks with those of the metrics of tags.

References
----------
Gelling, Cohn, Blunsom and Graça (2012), section 6.1.
Turian, Ratinov and Bengio (2010), Word representations. ACL.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import polars as pl

from treegauge.catalogue import Catalogue
from treegauge.experiments.errors import ExperimentError
from treegauge.experiments.evaluation import evaluate
from treegauge.experiments.experiment import Experiment, Scoring, SystemChoice
from treegauge.experiments.experiment_text import with_source
from treegauge.experiments.papers.derived_treebanks import write_treebanks
from treegauge.experiments.papers.permuted_parsing import RunIt
from treegauge.experiments.run_folder import RunFolder
from treegauge.metrics import MetricSpec, induced_column
from treegauge.metrics.conventions import preset
from treegauge.significance.agreement import kendall_tau_b
from treegauge.systems import systems
from treegauge.treebank import Treebank, concatenate

INDUCED = ("many_to_one", "one_to_one", "v_measure", "vi")
NO_CLASSES, RANDOM = "no classes", "random classes"
"""The controls."""


@dataclass(frozen=True)
class ExtrinsicSettings:
    """What is measured; the defaults take minutes."""

    inducers: tuple[str, ...] = ("brown", "mkcls", "predictive-exchange")
    classes: int = 45
    sentences: tuple[int, ...] = (100, 300, 1000)
    """How many labelled sentences the tagger has."""
    draws: int = 2
    """Random choices of these sentences, each a part of the larger ones."""
    tagger_settings: Mapping[str, Any] = field(default_factory=dict)
    parser: str = "transition"
    parser_settings: Mapping[str, Any] = field(default_factory=lambda: {"epochs": 5})
    seed: int = 0

    @classmethod
    def small(cls) -> ExtrinsicSettings:
        """Return what takes seconds on a toy language."""
        return cls(
            inducers=("brown", "predictive-exchange"),
            classes=12,
            sentences=(50,),
            draws=1,
            tagger_settings={"iterations": 20},
            parser_settings={"epochs": 1},
        )


@dataclass(frozen=True)
class Use:
    """What classes of one system are worth on a treebank."""

    treebank: str
    inducer: str
    """Or a control."""
    metrics: Mapping[str, float]
    """Of the classes themselves, against universal tags; none of controls."""
    tagging: Mapping[int, float]
    """Accuracy of the tagger by labelled sentences, the mean over draws."""
    parsing: float | None
    """UAS of the parser over these classes."""


@dataclass(frozen=True)
class Uses:
    """All measurements."""

    settings: ExtrinsicSettings
    rows: tuple[Use, ...]
    failures: tuple[str, ...] = ()

    def tasks(self) -> dict[str, dict[str, float]]:
        """Return the mean of every task over treebanks, by inducer."""
        found: dict[str, dict[str, float]] = {}
        for inducer in dict.fromkeys(row.inducer for row in self.rows):
            own = [row for row in self.rows if row.inducer == inducer]
            for size in self.settings.sentences:
                values = [row.tagging[size] for row in own if size in row.tagging]
                if values:
                    found.setdefault(f"tagging, {size} sentences", {})[inducer] = fmean(values)
            parsed = [row.parsing for row in own if row.parsing is not None]
            if parsed:
                found.setdefault("parsing", {})[inducer] = fmean(parsed)
        return found

    def agreement(self) -> list[tuple[str, str, float | None]]:
        """Return tau-b between tasks and metrics, 1 where they rank inducers alike."""
        found = []
        means = {
            inducer: {
                m: fmean(r.metrics[m] for r in self.rows if r.inducer == inducer) for m in INDUCED
            }
            for inducer in self.settings.inducers
            if any(row.inducer == inducer for row in self.rows)
        }
        for task, values in self.tasks().items():
            names = [name for name in means if name in values]
            for metric in INDUCED:
                sign = 1 if MetricSpec.parse(metric).metric.higher_is_better else -1
                tau = kendall_tau_b(
                    [values[name] for name in names], [sign * means[name][metric] for name in names]
                )
                found.append((task, metric, tau))
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return the measurements as JSON has them."""
        return {
            "schema": 1,
            "classes": self.settings.classes,
            "rows": [
                {**vars(row), "tagging": {str(n): v for n, v in row.tagging.items()}}
                for row in self.rows
            ],
            "agreement": [
                {"task": task, "metric": metric, "tau_b": tau}
                for task, metric, tau in self.agreement()
            ],
            "failures": list(self.failures),
        }


def measure_uses(
    treebanks: Sequence[str],
    folder: str | os.PathLike[str],
    run_it: RunIt,
    *,
    catalogue: Catalogue,
    settings: ExtrinsicSettings | None = None,
) -> Uses:
    """Induce classes, and use them as features and as tags.

    Parameters
    ----------
    treebanks : sequence of str
        As the catalogue reads them; each needs a train and a test part.
    folder : path
        Where everything is kept; what was stopped goes on there.
    run_it : callable
        Runs an experiment in a folder.
    """
    settings = settings or ExtrinsicSettings()
    for name in settings.inducers:
        if name not in systems():
            raise ExperimentError(f"there is no inducer {name!r}")
    rows: list[Use] = []
    failures: list[str] = []
    for entry in (e for text in treebanks for e in catalogue.resolve(text)):
        parts = {part: entry.read(part, findings=[]) for part in entry.parts}
        if not {"train", "test"} <= parts.keys():
            raise ExperimentError(f"{entry.name}: a train and a test part are needed")
        made = _OneTreebank(entry.name, parts, Path(folder) / entry.name, run_it, settings)
        rows += made.uses()
        failures += made.failures
    return Uses(settings, tuple(rows), tuple(failures))


class _OneTreebank:
    """The experiments of one treebank."""

    def __init__(
        self,
        name: str,
        parts: Mapping[str, Treebank],
        folder: Path,
        run_it: RunIt,
        settings: ExtrinsicSettings,
    ) -> None:
        self.name, self.parts, self.folder = name, parts, folder
        self.run_it, self.settings = run_it, settings
        self.failures: list[str] = []

    def uses(self) -> list[Use]:
        annotated = self._induced()
        classes = {name: type_classes(pool) for name, pool in annotated.items()}
        if classes:
            classes[RANDOM] = shuffled(next(iter(classes.values())), self.settings.seed)
        tagging = self._tagging(classes)
        parsing = self._parsing(list(annotated))
        test = self.parts["test"]
        metrics = {name: _metrics(test, pool) for name, pool in annotated.items()}
        return [
            Use(self.name, one, metrics.get(one, {}), tagging.get(one, {}), parsing.get(one))
            for one in (NO_CLASSES, *classes)
        ]

    def _run(self, name: str, experiment: Experiment, catalogue: Catalogue) -> pl.DataFrame:
        done = self.run_it(with_source(experiment), self.folder / name, catalogue)
        self.failures += [f"{failure.cell}: {failure.reason}" for failure in done.failures]
        return done.table

    def _induced(self) -> dict[str, Treebank]:
        """Return all text, train before test, with the classes of every inducer."""
        whole = concatenate([self.parts["train"], self.parts["test"]])
        raw = {"test": whole}
        if "dev" in self.parts:
            raw["train"] = self.parts["dev"]
        home = self.folder / "text"
        catalogue = write_treebanks(home, {"pool": raw})
        told = (("classes", self.settings.classes),)
        experiment = Experiment(
            name="classes",
            treebanks=(str(home / "pool"),),
            systems=tuple(
                SystemChoice(one, one, told, (self.settings.seed,))
                for one in self.settings.inducers
            ),
            scorings=(Scoring(preset("pascal", tags="u12"), ("v_measure",)),),
            resamples=0,
        )
        self._run("classes", experiment, catalogue)
        place = RunFolder(self.folder / "classes")
        found = {}
        for cell in place.planned:
            record = place.record(cell.key)
            if record is not None and record.is_done:
                found[cell.system] = place.annotation(cell.key, "test")
        return found

    def _tagging(self, classes: Mapping[str, Mapping[str, str]]) -> dict[str, dict[int, float]]:
        """Return the tagger's accuracy by classes and labelled sentences."""
        home = self.folder / "labelled"
        sets = {}
        train = self.parts["train"]
        for draw in range(self.settings.draws):
            generator = np.random.default_rng([self.settings.seed, draw])
            order = generator.permutation(train.n_sentences)
            for size in self.settings.sentences:
                chosen = train.take(np.sort(order[:size]))
                sets[f"{size}-{draw}"] = {"train": chosen, "test": self.parts["test"]}
        catalogue = write_treebanks(home, sets)
        files = {name: self._class_file(name, own) for name, own in classes.items()}
        base = dict(self.settings.tagger_settings)
        told = {NO_CLASSES: base} | {
            name: {**base, "word_classes": str(path)} for name, path in files.items()
        }
        experiment = Experiment(
            name="tagging",
            treebanks=tuple(str(home / name) for name in sets),
            systems=tuple(
                SystemChoice("crf", name, tuple(sorted(own.items())), (0,), "train")
                for name, own in told.items()
            ),
            scorings=(Scoring(preset("conll2018"), ("upos",)),),
            resamples=0,
        )
        table = self._run("tagging", experiment, catalogue).filter(pl.col("value").is_not_nan())
        found: dict[str, dict[int, list[float]]] = {}
        for system, treebank, value in table.select("system", "treebank", "value").iter_rows():
            size = int(treebank.partition("-")[0])
            found.setdefault(system, {}).setdefault(size, []).append(value)
        return {
            system: {size: fmean(values) for size, values in own.items()}
            for system, own in found.items()
        }

    def _class_file(self, name: str, classes: Mapping[str, str]) -> Path:
        """Write classes as a tagger reads them, under a name that changes with them."""
        text = "".join(f"{number}\t{word}\n" for word, number in classes.items())
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        path = self.folder / f"{name.replace(' ', '-')}-{digest}.tsv"
        path.write_text(text, encoding="utf-8", newline="\n")
        return path

    def _parsing(self, inducers: Sequence[str]) -> dict[str, float]:
        """Return the parser's UAS over the classes of every inducer."""
        home = self.folder / "parsed"
        parts = {"train": self.parts["train"], "test": self.parts["test"]}
        catalogue = write_treebanks(home, {"trees": parts})
        base = dict(self.settings.parser_settings)
        experiment = Experiment(
            name="parsing",
            treebanks=(str(home / "trees"),),
            systems=tuple(
                SystemChoice(
                    self.settings.parser,
                    one,
                    tuple(sorted({**base, "tags_from": f"{one}:{self.settings.classes}"}.items())),
                    (self.settings.seed,),
                    "train",
                )
                for one in inducers
            ),
            scorings=(Scoring(preset("conll2006"), ("uas",)),),
            resamples=0,
        )
        table = self._run("parsing", experiment, catalogue).filter(pl.col("value").is_not_nan())
        return dict(table.select("system", "value").iter_rows())


def type_classes(text: Treebank) -> dict[str, str]:
    """Return the class of every word, of tokens that differ the most frequent; the first of equals.

    >>> import treegauge as tg
    >>> type_classes(tg.parse("a/3 b/1 a/2 a/2\\n", format="slashed"))
    {'a': '2', 'b': '1'}
    """
    counts: dict[str, Counter[str]] = {}
    column = text.columns[induced_column(text)]
    for form, number in zip(text.form, column, strict=True):
        counts.setdefault(form, Counter())[number] += 1
    return {form: own.most_common(1)[0][0] for form, own in counts.items() if _can_be_read(form)}


def _can_be_read(form: str) -> bool:
    """Return whether a word can stand in a file of classes: lines and tabs end a field."""
    return bool(form) and not any(mark in form for mark in "\t\r\n")


def shuffled(classes: Mapping[str, str], seed: int) -> dict[str, str]:
    """Return the same classes with the same numbers of types, their words exchanged."""
    order = np.random.default_rng(seed).permutation(len(classes))
    numbers = list(classes.values())
    return {form: numbers[place] for form, place in zip(classes, order.tolist(), strict=True)}


def _metrics(test: Treebank, pool: Treebank) -> dict[str, float]:
    """Return the metrics of classes on the part that tagger and parser are scored on."""
    own = pool[pool.n_sentences - test.n_sentences :]
    made = evaluate(
        test,
        own,
        metrics=list(INDUCED),
        conventions=preset("pascal", tags="u12"),
        resamples=0,
        trials=0,
    )
    return {m: value for m in INDUCED if (value := made[m].value) is not None}
