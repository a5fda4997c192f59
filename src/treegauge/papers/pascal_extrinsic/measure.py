"""What induced classes are good for: features of a tagger, and tags of a parser.

1. A conditional random field (`crf`) learns to tag from few sentences, with classes as features
   beside those of words; those of `brown` are bit strings, whose prefixes are features as well.
2. A parser learns to parse words and classes; it sees no lemma, no feature and no gold tag.

Classes are induced once from the raw text of all parts, equally many by every system, and both
tasks use the same ones. The tagger's are classes of words: of a word whose tokens differ, the most
frequent class. The parser's are those of tokens. Beside them stand no classes (for the parser, one
tag for all words), the controls of `classes.py`, and gold tags, those of tokens, for the parser.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from treegauge.catalogue import Catalogue
from treegauge.evaluation.evaluation import evaluate
from treegauge.metrics import induced_column
from treegauge.metrics.conventions import preset
from treegauge.papers.derived_treebanks import write_treebanks
from treegauge.papers.paper import Measurements, Workbench
from treegauge.papers.pascal_extrinsic.classes import (
    ambiguous,
    classes_of,
    most_frequent,
    shuffled,
    suffix_classes,
    type_classes,
)
from treegauge.papers.pascal_extrinsic.settings import ExtrinsicSettings
from treegauge.papers.pascal_extrinsic.statistics import (
    INDUCED,
    NO_CLASSES,
    Floats,
    Use,
    Uses,
    tagging_counts,
)
from treegauge.runs.errors import ExperimentError
from treegauge.runs.experiment import Experiment, FitOn, Scoring, SystemChoice
from treegauge.runs.experiment_text import with_source
from treegauge.runs.run_folder import RunFolder
from treegauge.strata.training_counts import known
from treegauge.systems import find_system
from treegauge.tables.numbers import duration
from treegauge.treebank import Column, Treebank, concatenate
from treegauge.wording import counted

RANDOM, SUFFIXES, GOLD, GOLD_TAGS = "random classes", "suffix classes", "gold classes", "gold tags"
"""The controls beside no classes, the last two told the answer."""
_TYPE_CONTROLS = (RANDOM, SUFFIXES, GOLD)
"""Controls in which every word has one class."""
_AS_TREES: Mapping[str, Mapping[str, Any]] = {"brown": {"labels": "paths"}}
"""Inducers that can say where in a tree their classes are, and what they have to be told."""
_START_UP = 2.0
"""Seconds of a cell before anything is learnt."""


def check(settings: ExtrinsicSettings) -> None:
    """Refuse what cannot be measured."""
    for name in settings.all_inducers:
        task = find_system(name).task
        if task not in ("tags", "?"):
            raise ExperimentError(f"{name} annotates {task}; an inducer of tags is needed")
    if not settings.sentences or settings.draws < 1:
        raise ExperimentError("a number of sentences and a draw are needed")
    if min(settings.sentences) < 1:
        raise ExperimentError("a tagger learns from at least one sentence")


def measure(settings: ExtrinsicSettings, workbench: Workbench) -> Measurements[ExtrinsicSettings]:
    """Induce classes, and use them as features and as tags."""
    check(settings)
    own = []
    for entry in (e for text in settings.treebanks for e in workbench.catalogue.resolve(text)):
        parts = {part: entry.read(part, findings=[]) for part in entry.parts}
        own.append(_OneTreebank(entry.name, parts, settings, workbench))
    workbench.say(
        f"{counted(len(own), 'treebank')}, {counted(sum(one.n_cells for one in own), 'cell')}, "
        f"about {duration(max(sum(one.guessed_seconds for one in own), 60))} on one core; "
        "finished cells are not run again"
    )
    rows = tuple(row for one in own for row in one.uses())
    uses = Uses(rows, settings.all_inducers, trials=settings.trials, seed=settings.seed)
    return Measurements(
        settings,
        uses.frames(),
        notes=tuple(note for one in own for note in one.notes),
        failures=tuple(failure for one in own for failure in one.failures),
    )


class _OneTreebank:
    """The experiments of one treebank."""

    def __init__(
        self,
        name: str,
        parts: Mapping[str, Treebank],
        settings: ExtrinsicSettings,
        workbench: Workbench,
    ) -> None:
        if not {"train", "test"} <= parts.keys():
            raise ExperimentError(f"{name}: a train and a test part are needed")
        self.name, self.parts, self.folder = name, parts, workbench.folder / name
        self.settings, self.workbench = settings, workbench
        self.train, self.test = parts["train"], parts["test"]
        self.sizes = [size for size in settings.sentences if size <= self.train.n_sentences]
        missing = [size for size in settings.sentences if size not in self.sizes]
        there = f"{name}: {self.train.n_sentences} sentences to learn from"
        if not self.sizes:
            raise ExperimentError(f"{there}; {min(missing)} were asked for")
        self.notes = [f"{there}, fewer than {', '.join(map(str, missing))}"] if missing else []
        self.failures: list[str] = []

    # ------------------------------------------------------------------ what it will take

    @property
    def n_cells(self) -> int:
        """How many systems are run."""
        inducers = len(self.settings.all_inducers)
        with_classes = inducers + len(_TYPE_CONTROLS)
        return (
            inducers + (with_classes + 1) * len(self.sizes) * self.settings.draws + with_classes + 2
        )

    @property
    def guessed_seconds(self) -> float:
        """How long that takes on one core, by what systems say of themselves."""

        def seconds_a_word(*names: str) -> float:
            return sum(find_system(name).load().seconds_per_word for name in names)

        inducers = self.settings.all_inducers
        with_classes = len(inducers) + len(_TYPE_CONTROLS)
        words = sum(part.n_words for part in self.parts.values())
        per_sentence = self.train.n_words / self.train.n_sentences
        labelled = sum(self.sizes) * per_sentence * self.settings.draws
        return (
            _START_UP * self.n_cells
            + seconds_a_word(*inducers) * words
            + seconds_a_word("crf") * labelled * (with_classes + 1)
            + seconds_a_word(self.settings.parser) * self.train.n_words * (with_classes + 2)
        )

    # ------------------------------------------------------------------ the runs

    def uses(self) -> list[Use]:
        """Run everything, and return what came out."""
        induced = self._induce()
        by_type = {name: type_classes(pool) for name, pool in induced.items()}
        by_type |= self._type_controls(by_type)
        tagging = self._tag(by_type)
        tags = self._tags(induced, by_type)
        parsing = self._parse(tags)
        metrics = {
            name: _metrics(self.test, column[self.train.n_words :])
            for name, column in tags.items()
            if name in by_type
        }
        return [
            Use(self.name, one, metrics.get(one, {}), tagging.get(one, {}), parsing.get(one))
            for one in tags
        ]

    def _run(
        self,
        name: str,
        home: Path,
        treebanks: Mapping[str, Mapping[str, Treebank]],
        systems: Sequence[SystemChoice],
        scoring: Scoring,
    ) -> RunFolder:
        """Write treebanks, and run systems on them."""
        catalogue: Catalogue = write_treebanks(home, treebanks)
        paths = tuple(str(home / treebank) for treebank in treebanks)
        experiment = Experiment(name, paths, tuple(systems), (scoring,), resamples=0)
        place = self.folder / name
        done = self.workbench.run_experiment(with_source(experiment), place, catalogue)
        self.failures += [f"{self.name}: {one.cell}: {one.reason}" for one in done.failures]
        return RunFolder(place)

    def _choice(
        self, system: str, label: str, fit_on: FitOn, seed: int, **values: Any
    ) -> SystemChoice:
        chosen = self.workbench.settings_of(system, **values)
        return SystemChoice(system, label, chosen, (seed,), fit_on)

    def _induce(self) -> dict[str, Treebank]:
        """Return all text, train before test, with the classes of every inducer."""
        raw = {"test": concatenate([self.train, self.test])}
        if "dev" in self.parts:
            raw["train"] = self.parts["dev"]
        values = {"classes": self.settings.classes}
        systems = [
            self._choice(one, one, "union", self.settings.seed, **values, **_AS_TREES.get(one, {}))
            for one in self.settings.all_inducers
        ]
        scoring = Scoring(preset("pascal", tags="u12"), ("v_measure",))
        place = self._run("classes", self.folder / "text", {"pool": raw}, systems, scoring)
        pools = {cell.system: pool for cell, pool in place.annotations("test")}
        return {name: pools[name] for name in self.settings.all_inducers if name in pools}

    def _type_controls(self, by_type: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
        whole = concatenate(list(self.parts.values()))
        controls = {
            RANDOM: shuffled(next(iter(by_type.values())), self.settings.seed) if by_type else {},
            SUFFIXES: suffix_classes(whole.form.vocabulary),
            GOLD: most_frequent(whole.form, whole.upos),
        }
        return {name: own for name, own in controls.items() if own}

    def _tag(self, by_type: Mapping[str, Mapping[str, str]]) -> dict[str, dict[int, Floats]]:
        """Return what the tagger gets right, by classes and labelled sentences."""
        sets = {}
        for draw in range(self.settings.draws):
            generator = np.random.default_rng([self.settings.seed, draw])
            order = generator.permutation(self.train.n_sentences)
            for size in self.sizes:
                chosen = self.train.take(np.sort(order[:size]))
                sets[f"{size}-{draw}"] = {"train": chosen, "test": self.test}
        iterations = self.settings.tagger_iterations
        base = {} if iterations is None else {"iterations": iterations}
        systems = [self._choice("crf", NO_CLASSES, "train", 0, **base)]
        systems += [
            self._choice("crf", name, "train", 0, **base, word_classes=self._class_file(name, own))
            for name, own in by_type.items()
        ]
        scoring = Scoring(preset("conll2018"), ("upos",))
        place = self._run("tagging", self.folder / "labelled", sets, systems, scoring)
        is_ambiguous = ambiguous(self.test, self.parts.values())
        counts: dict[tuple[str, int], list[Floats]] = {}
        for cell, tagged in place.annotations("test"):
            is_unknown = known(self.test, sets[cell.treebank]["train"]).codes == 1
            size = int(cell.treebank.partition("-")[0])
            counts.setdefault((cell.system, size), []).append(
                tagging_counts(self.test, tagged, is_unknown, is_ambiguous)
            )
        sums: dict[str, dict[int, Floats]] = {}
        for (name, size), draws in sorted(counts.items(), key=lambda item: item[0][1]):
            # Classes are compared on the same draws: one that is missing would not be fair.
            if len(draws) == self.settings.draws:
                sums.setdefault(name, {})[size] = np.sum(draws, axis=0)
        return sums

    def _class_file(self, name: str, classes: Mapping[str, str]) -> str:
        """Write classes as a tagger reads them, under a name that changes with them."""
        # A letter in front of numbers, because a tagger takes 10 and 11 for strings of bits.
        letter = "" if name in _AS_TREES else "C"
        text = "".join(f"{letter}{number}\t{word}\n" for word, number in classes.items())
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        path = self.folder / f"{_slug(name)}-{digest}.tsv"
        path.write_text(text, encoding="utf-8", newline="\n")
        return str(path)

    def _tags(
        self, induced: Mapping[str, Treebank], by_type: Mapping[str, Mapping[str, str]]
    ) -> dict[str, Column]:
        """Return the parser's tags of train and test, one after the other."""
        forms = Column.concatenate([self.train.form, self.test.form])
        tags = {NO_CLASSES: Column.constant("C", len(forms))}
        for name, classes in by_type.items():
            tags[name] = classes_of(forms, classes)
        for name, pool in induced.items():
            tags[name] = pool.columns[induced_column(pool)].map(lambda number: f"C{number}")
        gold = Column.concatenate([self.train.upos, self.test.upos])
        return {**tags, GOLD_TAGS: gold}

    def _parse(self, tags: Mapping[str, Column]) -> dict[str, Floats]:
        """Return what the parser gets right over the tags given."""
        treebanks = {_slug(name): self._with_tags(column) for name, column in tags.items()}
        parser, epochs = self.settings.parser, self.settings.parser_epochs
        choice = self._choice(parser, parser, "train", self.settings.seed, epochs=epochs)
        scoring = Scoring(preset("conll2018"), ("uas",))
        place = self._run("parsing", self.folder / "parsed", treebanks, [choice], scoring)
        parsed = {cell.treebank: treebank for cell, treebank in place.annotations("test")}
        return {
            name: self._attachment(parsed[_slug(name)]) for name in tags if _slug(name) in parsed
        }

    def _with_tags(self, tags: Column) -> dict[str, Treebank]:
        """Return train and test with these tags, and nothing else that tells of words."""
        parts = {}
        first = self.train.n_words
        for part, own in (("train", tags[:first]), ("test", tags[first:])):
            gold = self.parts[part]
            blank = Column.constant("_", gold.n_words)
            hidden = dict.fromkeys(("lemma", "cpos", "xpos", "feats"), blank)
            parts[part] = gold.replace(columns={**hidden, "upos": own})
        return parts

    def _attachment(self, parsed: Treebank) -> Floats:
        """Return right heads and words of every sentence; gold says what is punctuation."""
        evaluation = evaluate(
            self.test,
            parsed,
            metrics=["uas"],
            conventions=preset("conll2006"),
            resamples=0,
            trials=0,
        )
        per_sentence: Floats = evaluation.systems[0].statistics["uas"].per_sentence
        return per_sentence[:, :2]


def _slug(name: str) -> str:
    return name.replace(" ", "-")


def _metrics(test: Treebank, tags: Column) -> dict[str, float]:
    """Return the metrics of classes on the part that tagger and parser are scored on."""
    evaluation = evaluate(
        test,
        test.replace(columns={"upos": tags}),
        metrics=list(INDUCED),
        conventions=preset("pascal", tags="u12"),
        resamples=0,
        trials=0,
    )
    return {m: value for m in INDUCED if (value := evaluation[m].value) is not None}
