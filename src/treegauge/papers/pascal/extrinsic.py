"""What induced classes are good for: features of a tagger, and tags of a parser.

The paper calls for an external evaluation with induced clusters as features of other systems,
and asks whether there is one ranking for all tasks (section 6.1). Two tasks:

1. a conditional random field (`crf`) learns to tag from few sentences, with classes as features
   beside those of words; those of `brown` are bit strings, whose prefixes are features as well;
2. a parser learns to parse words and classes; it sees no lemma, no feature and no gold tag.

Classes are induced once from the raw text of all parts, equally many by every system, and both
tasks use the same ones. The tagger's are classes of words: of a word whose tokens differ, the most
frequent class. The parser's are those of tokens. Controls are

- no classes: for the parser, one tag for all words;
- random classes, as many words in each as in those of the first inducer;
- suffix classes: the last three characters of a word, which is morphology and no induction;
- gold classes: the most frequent gold tag of a word in all parts, the best that a class for a
  word can be; and gold tags, those of tokens, for the parser. Both are told the answer.

What the numbers say is in `pascal_extrinsic_statistics.py`.

References
----------
Gelling, Cohn, Blunsom and Graça (2012), section 6.1.
Turian, Ratinov and Bengio (2010), Word representations. ACL.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.catalogue import Catalogue
from treegauge.evaluation.evaluation import evaluate
from treegauge.metrics import induced_column
from treegauge.metrics.conventions import preset
from treegauge.papers.derived_treebanks import write_treebanks
from treegauge.papers.paper import RunExperiment as RunIt
from treegauge.papers.pascal.extrinsic_statistics import (
    INDUCED,
    Floats,
    Use,
    Uses,
    tagging_counts,
)
from treegauge.runs.errors import ExperimentError
from treegauge.runs.experiment import Experiment, Scoring, SystemChoice
from treegauge.runs.experiment_text import with_source
from treegauge.runs.run_folder import RunFolder
from treegauge.strata.training_counts import known
from treegauge.systems import find_system
from treegauge.treebank import Column, Treebank, concatenate

NO_CLASSES, RANDOM, SUFFIXES = "no classes", "random classes", "suffix classes"
GOLD, GOLD_TAGS = "gold classes", "gold tags"
"""The controls, the last two told the answer."""

INDUCERS: Mapping[str, tuple[str, ...]] = {
    "fast": ("brown", "mkcls", "predictive-exchange"),
    "all": (
        *("brown", "mkcls", "predictive-exchange"),
        *("lda-classes", "bmmm", "pyp-hmm", "hmm-pr"),
    ),
}
"""By the set of systems that is asked for."""

_AS_TREES: Mapping[str, tuple[tuple[str, Any], ...]] = {"brown": (("labels", "paths"),)}
"""Inducers that can say where in a tree their classes are, and what they have to be told."""

_SUFFIX = 3
_START_UP = 2.0
"""Seconds of a cell before anything is learnt."""


@dataclass(frozen=True)
class ExtrinsicSettings:
    """What is measured; the defaults take minutes a treebank."""

    inducers: tuple[str, ...] = INDUCERS["fast"]
    classes: int = 45
    sentences: tuple[int, ...] = (100, 300, 1000)
    """How many labelled sentences the tagger has."""
    draws: int = 3
    """Random choices of these sentences, each a part of the larger ones."""
    tagger_settings: Mapping[str, Any] = field(default_factory=dict)
    parser: str = "transition"
    parser_settings: Mapping[str, Any] = field(default_factory=lambda: {"epochs": 5})
    trials: int = 5000
    """Of the tests between classes and none."""
    seed: int = 0

    @classmethod
    def of(cls, systems: Literal["fast", "all"]) -> ExtrinsicSettings:
        """Return the settings with a set of inducers."""
        return cls(inducers=INDUCERS[systems])

    @classmethod
    def small(cls) -> ExtrinsicSettings:
        """Return what takes a minute on a toy language."""
        return cls(
            inducers=("brown", "predictive-exchange"),
            classes=12,
            sentences=(20, 50),
            draws=1,
            tagger_settings={"iterations": 20},
            parser_settings={"epochs": 1},
            trials=500,
        )


@dataclass(frozen=True)
class Estimate:
    """What is going to be done, finished cells included."""

    treebanks: int
    cells: int
    seconds: float
    """On one core."""


def measure_uses(
    treebanks: Sequence[str],
    folder: str | os.PathLike[str],
    run_it: RunIt,
    *,
    catalogue: Catalogue,
    settings: ExtrinsicSettings | None = None,
    on_estimate: Callable[[Estimate], None] = lambda _: None,
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
    on_estimate : callable
        Told what is going to be done, before it is.
    """
    settings = settings or ExtrinsicSettings()
    _check(settings)
    own = []
    for entry in (e for text in treebanks for e in catalogue.resolve(text)):
        parts = {part: entry.read(part, findings=[]) for part in entry.parts}
        own.append(_OneTreebank(entry.name, parts, Path(folder) / entry.name, run_it, settings))
    on_estimate(
        Estimate(len(own), sum(one.n_cells for one in own), sum(one.guessed_seconds for one in own))
    )
    rows = [row for one in own for row in one.uses()]
    return Uses(
        rows=tuple(rows),
        inducers=settings.inducers,
        base=NO_CLASSES,
        classes=settings.classes,
        parser=settings.parser,
        trials=settings.trials,
        seed=settings.seed,
        notes=tuple(note for one in own for note in one.notes),
        failures=tuple(failure for one in own for failure in one.failures),
    )


def _check(settings: ExtrinsicSettings) -> None:
    for name in settings.inducers:
        entry = find_system(name)
        if entry.task not in ("tags", "?"):
            raise ExperimentError(f"{name} annotates {entry.task}; an inducer of tags is needed")
    if not settings.inducers or not settings.sentences or settings.draws < 1:
        raise ExperimentError("an inducer, a number of sentences and a draw are needed")
    if min(settings.sentences) < 1:
        raise ExperimentError("a tagger learns from at least one sentence")


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
        if not {"train", "test"} <= parts.keys():
            raise ExperimentError(f"{name}: a train and a test part are needed")
        self.name, self.parts, self.folder = name, parts, folder
        self.run_it, self.settings = run_it, settings
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
        with_classes = len(self.settings.inducers) + len(_TYPE_CONTROLS)
        tagged = (with_classes + 1) * len(self.sizes) * self.settings.draws
        return len(self.settings.inducers) + tagged + with_classes + 2

    @property
    def guessed_seconds(self) -> float:
        """How long that takes on one core, by what systems say of themselves."""
        words = sum(part.n_words for part in self.parts.values())
        chosen = self.settings.inducers
        with_classes = len(chosen) + len(_TYPE_CONTROLS)
        inducing = sum(_seconds_per_word(name) for name in chosen) * words
        per_sentence = self.train.n_words / self.train.n_sentences
        labelled = sum(self.sizes) * per_sentence * self.settings.draws
        tagging = _seconds_per_word("crf") * labelled * (with_classes + 1)
        parsed = self.train.n_words * (with_classes + 2)
        parsing = _seconds_per_word(self.settings.parser) * parsed
        return _START_UP * self.n_cells + inducing + tagging + parsing

    # ------------------------------------------------------------------ the runs

    def uses(self) -> list[Use]:
        """Run everything, and return what came out."""
        induced = self._induced()
        by_type = {name: type_classes(pool) for name, pool in induced.items()}
        by_type |= self._type_controls(by_type)
        tagging = self._tagging(by_type)
        tags = self._tags(induced, by_type)
        parsing = self._parsing(tags)
        metrics = {
            name: _metrics(self.test, column[self.train.n_words :])
            for name, column in tags.items()
            if name in by_type
        }
        return [
            Use(self.name, one, metrics.get(one, {}), tagging.get(one, {}), parsing.get(one))
            for one in tags
        ]

    def _run(self, name: str, experiment: Experiment, catalogue: Catalogue) -> RunFolder:
        place = self.folder / name
        done = self.run_it(with_source(experiment), place, catalogue)
        self.failures += [
            f"{self.name}: {failure.cell}: {failure.reason}" for failure in done.failures
        ]
        return RunFolder(place)

    def _induced(self) -> dict[str, Treebank]:
        """Return all text, train before test, with the classes of every inducer."""
        raw = {"test": concatenate([self.train, self.test])}
        if "dev" in self.parts:
            raw["train"] = self.parts["dev"]
        home = self.folder / "text"
        catalogue = write_treebanks(home, {"pool": raw})
        told = (("classes", self.settings.classes),)
        experiment = Experiment(
            name="classes",
            treebanks=(str(home / "pool"),),
            systems=tuple(
                SystemChoice(one, one, told + _AS_TREES.get(one, ()), (self.settings.seed,))
                for one in self.settings.inducers
            ),
            scorings=(Scoring(preset("pascal", tags="u12"), ("v_measure",)),),
            resamples=0,
        )
        found = {
            system: pool
            for system, _, pool in _annotations(self._run("classes", experiment, catalogue))
        }
        return {name: found[name] for name in self.settings.inducers if name in found}

    def _type_controls(self, by_type: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
        whole = concatenate(list(self.parts.values()))
        made = {
            RANDOM: shuffled(next(iter(by_type.values())), self.settings.seed) if by_type else {},
            SUFFIXES: suffix_classes(whole.form.vocabulary),
            GOLD: most_frequent(whole.form, whole.upos),
        }
        return {name: own for name, own in made.items() if own}

    def _tagging(self, by_type: Mapping[str, Mapping[str, str]]) -> dict[str, dict[int, Floats]]:
        """Return what the tagger gets right, by classes and labelled sentences."""
        sets = {}
        for draw in range(self.settings.draws):
            generator = np.random.default_rng([self.settings.seed, draw])
            order = generator.permutation(self.train.n_sentences)
            for size in self.sizes:
                chosen = self.train.take(np.sort(order[:size]))
                sets[f"{size}-{draw}"] = {"train": chosen, "test": self.test}
        home = self.folder / "labelled"
        catalogue = write_treebanks(home, sets)
        base = dict(self.settings.tagger_settings)
        told = {NO_CLASSES: base} | {
            name: {**base, "word_classes": str(self._class_file(name, own))}
            for name, own in by_type.items()
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
        is_ambiguous = ambiguous(self.test, self.parts.values())
        counts: dict[tuple[str, int], list[Floats]] = {}
        for name, labelled, tagged in _annotations(self._run("tagging", experiment, catalogue)):
            is_unknown = known(self.test, sets[labelled]["train"]).codes == 1
            size = int(labelled.partition("-")[0])
            counts.setdefault((name, size), []).append(
                tagging_counts(self.test, tagged, is_unknown, is_ambiguous)
            )
        found: dict[str, dict[int, Floats]] = {}
        for (name, size), draws in sorted(counts.items(), key=lambda item: item[0][1]):
            # Classes are compared on the same draws: one that is missing would not be fair.
            if len(draws) == self.settings.draws:
                found.setdefault(name, {})[size] = np.sum(draws, axis=0)
        return found

    def _class_file(self, name: str, classes: Mapping[str, str]) -> Path:
        """Write classes as a tagger reads them, under a name that changes with them."""
        # A letter in front of numbers, because a tagger takes 10 and 11 for strings of bits.
        letter = "" if name in _AS_TREES else "C"
        text = "".join(f"{letter}{number}\t{word}\n" for word, number in classes.items())
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        path = self.folder / f"{_slug(name)}-{digest}.tsv"
        path.write_text(text, encoding="utf-8", newline="\n")
        return path

    def _tags(
        self, induced: Mapping[str, Treebank], by_type: Mapping[str, Mapping[str, str]]
    ) -> dict[str, Column]:
        """Return the parser's tags of train and test, one after the other."""
        forms = Column.concatenate([self.train.form, self.test.form])
        tags = {NO_CLASSES: Column.constant("C", len(forms))}
        for name, classes in by_type.items():
            tags[name] = _classes_of(forms, classes)
        for name, pool in induced.items():
            tags[name] = pool.columns[induced_column(pool)].map(lambda number: f"C{number}")
        gold = Column.concatenate([self.train.upos, self.test.upos])
        return {**tags, GOLD_TAGS: gold}

    def _parsing(self, tags: Mapping[str, Column]) -> dict[str, Floats]:
        """Return what the parser gets right over the tags given."""
        home = self.folder / "parsed"
        made = {_slug(name): self._with_tags(column) for name, column in tags.items()}
        catalogue = write_treebanks(home, made)
        experiment = Experiment(
            name="parsing",
            treebanks=tuple(str(home / name) for name in made),
            systems=(
                SystemChoice(
                    self.settings.parser,
                    self.settings.parser,
                    tuple(sorted(self.settings.parser_settings.items())),
                    (self.settings.seed,),
                    "train",
                ),
            ),
            scorings=(Scoring(preset("conll2018"), ("uas",)),),
            resamples=0,
        )
        place = self._run("parsing", experiment, catalogue)
        parsed = {slug: treebank for _, slug, treebank in _annotations(place)}
        return {
            name: self._attachment(parsed[_slug(name)]) for name in tags if _slug(name) in parsed
        }

    def _with_tags(self, tags: Column) -> dict[str, Treebank]:
        """Return train and test with these tags, and nothing else that tells of words."""
        made = {}
        for part, own in (
            ("train", tags[: self.train.n_words]),
            ("test", tags[self.train.n_words :]),
        ):
            gold = self.parts[part]
            blank = Column.constant("_", gold.n_words)
            hidden = dict.fromkeys(("lemma", "cpos", "xpos", "feats"), blank)
            made[part] = gold.replace(columns={**hidden, "upos": own})
        return made

    def _attachment(self, parsed: Treebank) -> Floats:
        """Return right heads and words of every sentence; gold says what is punctuation."""
        made = evaluate(
            self.test,
            parsed,
            metrics=["uas"],
            conventions=preset("conll2006"),
            resamples=0,
            trials=0,
        )
        per_sentence: Floats = made.systems[0].statistics["uas"].per_sentence
        return per_sentence[:, :2]


def _annotations(place: RunFolder) -> Iterable[tuple[str, str, Treebank]]:
    """Give what systems said in a run, each with the label of the system and the treebank."""
    for cell in place.planned:
        record = place.record(cell.key)
        if record is not None and record.is_done:
            yield cell.system, cell.treebank, place.annotation(cell.key, "test")


def _slug(name: str) -> str:
    return name.replace(" ", "-")


def _seconds_per_word(name: str) -> float:
    return find_system(name).load().seconds_per_word


_TYPE_CONTROLS = (RANDOM, SUFFIXES, GOLD)
"""Controls in which every word has one class."""


# ---------------------------------------------------------------------- classes of words


def type_classes(text: Treebank) -> dict[str, str]:
    """Return the class of every word, of tokens that differ the most frequent; the first of equals.

    >>> import treegauge as tg
    >>> type_classes(tg.parse("a/3 b/1 a/2 a/2\\n", format="slashed"))
    {'a': '2', 'b': '1'}
    """
    return most_frequent(text.form, text.columns[induced_column(text)])


def most_frequent(forms: Iterable[str], tags: Iterable[str]) -> dict[str, str]:
    """Return the most frequent tag of every form, the first of equals.

    >>> most_frequent(["a", "b", "a", "a"], ["X", "Y", "Z", "Z"])
    {'a': 'Z', 'b': 'Y'}
    """
    counts: dict[str, Counter[str]] = {}
    for form, tag in zip(forms, tags, strict=True):
        counts.setdefault(form, Counter())[tag] += 1
    return {form: own.most_common(1)[0][0] for form, own in counts.items() if _can_be_read(form)}


def suffix_classes(forms: Iterable[str]) -> dict[str, str]:
    """Return a class for every three last characters, numbered as they come.

    >>> suffix_classes(["walking", "talking", "to", "walked"])
    {'walking': '0', 'talking': '0', 'to': '1', 'walked': '2'}
    """
    numbers: dict[str, int] = {}
    return {
        form: str(numbers.setdefault(form[-_SUFFIX:], len(numbers)))
        for form in forms
        if _can_be_read(form)
    }


def shuffled(classes: Mapping[str, str], seed: int) -> dict[str, str]:
    """Return the same classes with the same numbers of types, their words exchanged."""
    order = np.random.default_rng(seed).permutation(len(classes))
    numbers = list(classes.values())
    return {form: numbers[place] for form, place in zip(classes, order.tolist(), strict=True)}


def _classes_of(forms: Column, classes: Mapping[str, str]) -> Column:
    """Return the class of every word, an empty one where it has none."""
    return forms.map(lambda form: f"C{classes.get(form, '')}")


def _can_be_read(form: str) -> bool:
    """Return whether a word can stand in a file of classes: lines and tabs end a field."""
    return bool(form) and not any(mark in form for mark in "\t\r\n")


def ambiguous(test: Treebank, parts: Iterable[Treebank]) -> NDArray[np.bool_]:
    """Return which words of a text have a form with several gold tags in all parts together.

    >>> import treegauge as tg
    >>> text = tg.parse("run/VERB a/DET run/NOUN\\n", format="slashed")
    >>> ambiguous(text, [text]).tolist()
    [True, False, True]
    """
    tags: dict[str, set[str]] = {}
    for part in parts:
        for form, tag in zip(part.form, part.upos, strict=True):
            tags.setdefault(form, set()).add(tag)
    return np.fromiter((len(tags.get(form, ())) > 1 for form in test.form), np.bool_, test.n_words)


def _metrics(test: Treebank, tags: Column) -> dict[str, float]:
    """Return the metrics of classes on the part that tagger and parser are scored on."""
    made = evaluate(
        test,
        test.replace(columns={"upos": tags}),
        metrics=list(INDUCED),
        conventions=preset("pascal", tags="u12"),
        resamples=0,
        trials=0,
    )
    return {m: value for m in INDUCED if (value := made[m].value) is not None}
