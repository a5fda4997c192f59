"""The paper on evaluating taggers without test data, done again: the runs and what is measured.

1. Supervised taggers are trained and tested on treebanks that have a dictionary, all with the 12
   tags that dictionaries have.
2. Cross-lingual taggers learn from the train parts of other languages (their setting `sources`),
   of each alone and of all together, and see raw text of the target.
3. Corrupted gold stands for taggers of any accuracy.

Each tagger is scored by gold (A_true), by the dictionary D (A_soft), by an English dictionary that
was translated (A_trans), and by the dictionary G of the training set.

References
----------
Agić, Plank and Søgaard (2017), Cross-lingual tagger evaluation without test data. EACL.
https://aclanthology.org/E17-2040
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.catalogue import Catalogue, CatalogueEntry
from treegauge.dictionaries import (
    CorruptionCurve,
    CurvePoint,
    DictionaryError,
    HeldOutPoint,
    Quality,
    Record,
    TagDictionary,
    Tagged,
    Text,
    Translation,
    confusion_rows,
    corrupted,
    corruption_curve,
    evaluate_taggers,
    form_frequencies,
    from_treebank,
    held_out_curve,
    indistinguishable,
    quality,
    refuse_training_dictionary,
    sub_dictionary_curve,
    tag_codes,
    translate,
)
from treegauge.dictionaries.corruption import LEVELS
from treegauge.dictionaries.texts import Codes
from treegauge.metrics.conventions import preset
from treegauge.papers.derived_treebanks import write_treebanks
from treegauge.papers.tagger_evaluation.dictionary_sources import DictionarySources
from treegauge.papers.word_order.permuted_parsing import RunIt
from treegauge.runs.errors import ExperimentError
from treegauge.runs.experiment import Experiment, Scoring, SystemChoice
from treegauge.runs.run_folder import RunFolder
from treegauge.treebank import Treebank, TreebankError, tag_column

SUPERVISED = "supervised"
CROSS_LINGUAL = "cross-lingual"
ANY_TAG = "corrupted, any wrong tag"
AS_TAGGERS = "corrupted, as taggers err"
GROUPS = (SUPERVISED, CROSS_LINGUAL, ANY_TAG, AS_TAGGERS)
"""Kinds of taggers, which are ranked separately."""

D, TRANS, GOLD = "D", "D_trans", "G"
"""Dictionaries: of the language, translated from English, of the training set."""
GOLD_TRANS = "G_trans"
"""The dictionary of an English training set, translated: its quality only."""

TAGGERS = ("tnt", "tree", "perceptron", "most-frequent-tag")
TRANSFER = "transfer"
"""The system that is made for other languages' training data."""
ALL_SOURCES = "all"

Floats = NDArray[np.float64]
Outputs = dict[str, dict[str, Treebank]]
"""By group and tagger: the test part with its tags."""


@dataclass(frozen=True)
class TaggerEvaluationSettings:
    """What can be chosen about the experiments."""

    taggers: tuple[str, ...] = TAGGERS
    cross_lingual: tuple[str, ...] = ()
    """Taggers that learn from other languages."""
    system_settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By system."""
    english_treebank: str = ""
    """Whose train part is the dictionary of G_trans; none if it is empty."""
    most_sentences: int | None = None
    """Of every train part; all if missing."""
    most_sources: int = 3
    """Languages that a cross-lingual tagger learns from, each alone and all together."""
    figure_tagger: str = "tnt"
    """The paper's Figure 1 is of one tagger; the first where it is not there."""
    seed: int = 0
    resamples: int = 1000
    trials: int = 10_000
    draws: int = 100
    """Random dictionaries of each size."""
    repetitions: int = 10
    """Of each level of corruption."""


@dataclass(frozen=True)
class TaggedTreebank:
    """A treebank, its dictionaries, and what they say of taggers."""

    name: str
    iso: str
    release: str
    train_sentences: int
    train_tokens: int
    test_sentences: int
    test_tokens: int
    dictionary: str
    """The name of D."""
    english: str | None
    """The name of the English dictionary that was translated."""
    translation: Translation | None
    quality: Mapping[str, Quality]
    """Of D, D_trans and G_trans, each held against G."""
    records: Mapping[tuple[str, str], tuple[Record, ...]]
    """By group of taggers and dictionary."""
    best_taggers: tuple[str, ...]
    """Supervised taggers that gold cannot tell from the best one."""
    curves: Mapping[str, tuple[CurvePoint, ...]]
    """By dictionary (D and G): scores of one tagger by parts of it."""
    corruption: Mapping[str, CorruptionCurve]
    """By group: how the error of A_soft depends on A_true."""
    held_out: tuple[HeldOutPoint, ...]
    """How well a few annotated sentences rank the supervised taggers."""

    @property
    def curve_accuracy(self) -> float | None:
        """A_true of the tagger that the curves are of."""
        tagger = next((point.tagger for point in self.curves[D]), None)
        return next(
            (
                record.gold.accuracy
                for record in self.records[SUPERVISED, D]
                if record.tagger == tagger and record.gold is not None
            ),
            None,
        )


@dataclass(frozen=True)
class TaggerEvaluation:
    """Everything that was measured."""

    settings: TaggerEvaluationSettings
    treebanks: tuple[TaggedTreebank, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Treebanks that were not taken, with the reason."""
    failures: tuple[str, ...] = ()
    """Cells that gave nothing, with the reason."""


@dataclass(frozen=True)
class _Bank:
    """A treebank with the 12 tags."""

    entry: CatalogueEntry
    train: Treebank
    test: Treebank

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def iso(self) -> str:
        return self.entry.iso or self.name

    @property
    def key(self) -> str:
        """The name of its folder: a colon would be read as that of a part."""
        return self.name.replace(":", "_")


def measure_taggers(
    treebanks: Sequence[str],
    folder: str | os.PathLike[str],
    run_it: RunIt,
    *,
    catalogue: Catalogue,
    dictionaries: DictionarySources,
    settings: TaggerEvaluationSettings | None = None,
) -> TaggerEvaluation:
    """Train and run the taggers, and score them in every way.

    Parameters
    ----------
    treebanks : sequence of str
        As the catalogue reads them. One without train or test part, universal tags or a
        dictionary is left out.
    folder : path
        Where treebanks and runs are kept; a run that was stopped goes on there.
    run_it : callable
        Runs an experiment in a folder.
    dictionaries : DictionarySources
        Where dictionaries and lists of translations come from.

    Raises
    ------
    ExperimentError
        If no treebank is left.
    """
    settings = settings or TaggerEvaluationSettings()
    left_out: dict[str, str] = {}
    banks: dict[str, _Bank] = {}
    for text in treebanks:
        for entry in catalogue.resolve(text):
            try:
                banks[entry.name] = _bank(entry, dictionaries, settings)
            except (ExperimentError, TreebankError) as error:
                left_out[entry.name] = str(error).partition("\n")[0]
    if not banks:
        reasons = "\n".join(f"  {name}: {reason}" for name, reason in left_out.items())
        raise ExperimentError(f"no treebank can be used\n{reasons}")
    outputs, failures = _run_all(tuple(banks.values()), Path(folder), run_it, settings)
    english = None
    if settings.english_treebank:
        (entry,) = catalogue.resolve(settings.english_treebank)
        english = from_treebank(entry.read("train"))
    measured = []
    for name, bank in banks.items():
        found = _measured(bank, outputs[name], dictionaries, english, settings, failures)
        if found is not None:
            measured.append(found)
    if not measured:
        raise ExperimentError("no treebank was tagged\n  " + "\n  ".join(failures))
    return TaggerEvaluation(settings, tuple(measured), left_out, tuple(failures))


def _bank(
    entry: CatalogueEntry, dictionaries: DictionarySources, settings: TaggerEvaluationSettings
) -> _Bank:
    for part in ("train", "test"):
        if part not in entry.parts:
            raise ExperimentError(f"no {part} part")
    if not dictionaries.has_dictionary(entry.name, entry.iso):
        raise ExperimentError(f"no dictionary of {entry.iso or entry.name}")
    train, test = (_with_12_tags(entry.read(part)) for part in ("train", "test"))
    if settings.most_sentences is not None:
        train = train[: settings.most_sentences]
    return _Bank(entry, train, test.replace(name=entry.name))


def _with_12_tags(treebank: Treebank) -> Treebank:
    return treebank.replace(columns={"upos": tag_column(treebank, "u12").column})


# ---------------------------------------------------------------------- runs


@dataclass(frozen=True)
class _Part:
    """Some taggers on some treebanks: what one folder of the runner holds."""

    group: str
    folder: Path
    banks: tuple[_Bank, ...]
    choices: tuple[SystemChoice, ...]

    @property
    def experiment(self) -> Experiment:
        return Experiment(
            name=f"tagger-evaluation-{self.group}",
            treebanks=tuple(bank.key for bank in self.banks),
            systems=self.choices,
            scorings=(Scoring(preset("conll2018"), ("upos",)),),
            resamples=0,
        )


def _run_all(
    banks: tuple[_Bank, ...], folder: Path, run_it: RunIt, settings: TaggerEvaluationSettings
) -> tuple[dict[str, Outputs], list[str]]:
    """Return what taggers made of each treebank, and what failed."""
    written = write_treebanks(
        folder / "treebanks",
        {bank.key: {"train": bank.train, "test": bank.test} for bank in banks},
    )
    names = {bank.key: bank.name for bank in banks}
    outputs: dict[str, Outputs] = {bank.name: {} for bank in banks}
    failures = []
    for part in _parts(banks, folder, settings):
        run = run_it(part.experiment, part.folder, written)
        failures += [f"{failure.cell}: {failure.reason}" for failure in run.failures]
        kept = RunFolder(part.folder)
        for cell in kept.planned:
            record = kept.record(cell.key)
            if record is not None and record.is_done:
                found = kept.annotation(cell.key, "test").replace(name=cell.system)
                outputs[names[cell.treebank]].setdefault(part.group, {})[cell.system] = found
    return outputs, failures


def _parts(
    banks: tuple[_Bank, ...], folder: Path, settings: TaggerEvaluationSettings
) -> Iterator[_Part]:
    """Give the supervised taggers, then the cross-lingual ones of each target."""
    chosen = tuple(_choice(name, name, settings) for name in settings.taggers)
    yield _Part(SUPERVISED, folder / SUPERVISED, banks, chosen)
    for target in banks:
        sources = _sources(target, banks, folder / "sources", settings)
        chosen = tuple(
            _choice(system, f"{system} from {label}", settings, sources=paths)
            for system in settings.cross_lingual
            for label, paths in sources.items()
        )
        if chosen:
            yield _Part(CROSS_LINGUAL, folder / CROSS_LINGUAL / target.key, (target,), chosen)


def _choice(
    system: str, label: str, settings: TaggerEvaluationSettings, **values: Any
) -> SystemChoice:
    values = {**settings.system_settings.get(system, {}), **values}
    # What learns without gold is shown all raw text of the target.
    return SystemChoice(system, label, tuple(sorted(values.items())), (settings.seed,), "union")


def _sources(
    target: _Bank, banks: Sequence[_Bank], folder: Path, settings: TaggerEvaluationSettings
) -> dict[str, tuple[str, ...]]:
    """Write train parts of other languages, and return their paths: each alone, then all."""
    others: dict[str, _Bank] = {}
    for bank in banks:
        if bank.iso != target.iso:
            others.setdefault(bank.iso, bank)
    paths: dict[str, tuple[str, ...]] = {}
    for bank in list(others.values())[: settings.most_sources]:
        # A result depends on the path, as a setting: other content has another one.
        key = f"{bank.key}-{bank.train.fingerprint[:8]}"
        place = folder / key / "train.conllu"
        if settings.cross_lingual and not place.exists():
            write_treebanks(folder, {key: {"train": bank.train}})
        paths[bank.name] = (str(place.resolve()),)
    if len(paths) > 1:
        paths[ALL_SOURCES] = tuple(path for own in paths.values() for path in own)
    return paths


# ---------------------------------------------------------------------- what is measured


def _measured(
    bank: _Bank,
    outputs: Outputs,
    dictionaries: DictionarySources,
    english_gold: TagDictionary | None,
    settings: TaggerEvaluationSettings,
    failures: list[str],
) -> TaggedTreebank | None:
    """Return what the dictionaries say; None where no supervised tagger can be scored."""
    trusted = from_treebank(bank.train)
    used = {D: dictionaries.dictionary(bank.name, bank.entry.iso), GOLD: trusted}
    pairs, english = dictionaries.word_list(bank.name, bank.entry.iso), dictionaries.english
    translation = None
    if pairs is not None and english is not None:
        translation = translate(english, pairs, name=f"{english.name} translated")
        if len(translation.dictionary):
            used[TRANS] = translation.dictionary
    qualities = {kind: quality(used[kind], trusted) for kind in (D, TRANS) if kind in used}
    if pairs is not None and english_gold is not None:
        qualities[GOLD_TRANS] = quality(translate(english_gold, pairs).dictionary, trusted)
    texts = {kind: Text(bank.test, dictionary) for kind, dictionary in used.items()}
    text, gold = texts[D], tag_codes(bank.test)
    tagged = {
        group: [
            Tagged(name, text.codes(output))
            for name, output in of_group.items()
            if not _learnt_by_heart(bank.name, output, used.values(), failures)
        ]
        for group, of_group in outputs.items()
    }
    supervised = tagged.get(SUPERVISED, [])
    if not supervised:
        return None
    confusion = confusion_rows(
        np.tile(gold, len(supervised)), np.concatenate([one.codes for one in supervised])
    )
    modes: dict[str, Floats | None] = {ANY_TAG: None, AS_TAGGERS: confusion}
    for group, chances in modes.items():
        tagged[group] = _corrupted(gold, chances, settings.seed)
    figure = [one for one in supervised if one.name == settings.figure_tagger] or supervised[:1]
    frequencies = form_frequencies(bank.train)
    rights = [one.codes == gold for one in supervised]
    counts = text.by_sentence(*rights, text.is_scored)
    return TaggedTreebank(
        name=bank.name,
        iso=bank.iso,
        release=bank.entry.release,
        train_sentences=bank.train.n_sentences,
        train_tokens=bank.train.n_words,
        test_sentences=bank.test.n_sentences,
        test_tokens=bank.test.n_words,
        dictionary=used[D].name,
        english=english.name if english is not None else None,
        translation=translation,
        quality=qualities,
        records={
            (group, kind): tuple(
                evaluate_taggers(
                    texts[kind],
                    of_group,
                    gold=bank.test,
                    language=bank.iso,
                    resamples=settings.resamples if group == SUPERVISED else 0,
                    seed=settings.seed,
                    listed=3 if group == SUPERVISED else 0,
                )
            )
            for group, of_group in tagged.items()
            for kind in texts
            if of_group
        },
        best_taggers=indistinguishable(
            text, supervised, rights, text.is_scored, trials=settings.trials, seed=settings.seed
        ).best,
        curves={
            kind: tuple(
                sub_dictionary_curve(
                    texts[kind], figure, frequencies, draws=settings.draws, seed=settings.seed
                )
            )
            for kind in (D, GOLD)
        },
        corruption={
            group: corruption_curve(
                text,
                gold,
                repetitions=settings.repetitions,
                confusion=chances,
                seed=settings.seed,
            )
            for group, chances in modes.items()
        },
        held_out=tuple(held_out_curve(counts[:, :-1], counts[:, -1], seed=settings.seed)),
    )


def _learnt_by_heart(
    treebank: str, output: Treebank, used: Iterable[TagDictionary], failures: list[str]
) -> bool:
    """Return whether a tagger was trained with a dictionary that is to score it."""
    try:
        for dictionary in used:
            refuse_training_dictionary(dictionary, treebank=output)
    except DictionaryError as error:
        failures.append(f"{treebank}: {error}".partition("\n")[0])
        return True
    return False


def _corrupted(gold: Codes, confusion: Floats | None, seed: int) -> list[Tagged]:
    """Return a tagger of every accuracy from 5% to 100%."""
    streams = np.random.SeedSequence(seed).spawn(len(LEVELS))
    return [
        Tagged(
            f"gold at {100 * level:.0f}%",
            corrupted(gold, level, np.random.default_rng(stream), confusion=confusion),
        )
        for level, stream in zip(LEVELS, streams, strict=True)
    ]
