"""The runs of the paper, and what is measured on them: frames, one row a measurement.

1. Supervised taggers are trained and tested on treebanks that have a dictionary, all with the 12
   tags that dictionaries have.
2. Cross-lingual taggers learn from the train parts of other languages (their setting `sources`),
   of each alone and of all together, and see raw text of the target.
3. Corrupted gold stands for taggers of any accuracy.

Each tagger is scored by gold (A_true), by the dictionary D (A_soft), by an English dictionary that
was translated (A_trans), and by the dictionary G of the training set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treegauge.catalogue import CatalogueEntry
from treegauge.dictionaries import (
    DictionaryError,
    Record,
    TagDictionary,
    Tagged,
    Text,
    confusion_rows,
    corrupted,
    corruption_curve,
    evaluate_taggers,
    form_frequencies,
    from_treebank,
    held_out_curve,
    indistinguishable,
    refuse_training_dictionary,
    sub_dictionary_curve,
    tag_codes,
    translate,
)
from treegauge.dictionaries.corruption import LEVELS
from treegauge.dictionaries.quality import quality
from treegauge.dictionaries.texts import Codes
from treegauge.metrics.conventions import preset
from treegauge.papers.derived_treebanks import write_treebanks
from treegauge.papers.paper import Workbench
from treegauge.papers.tagger_evaluation.dictionary_sources import DictionarySources
from treegauge.papers.tagger_evaluation.frames import (
    ANY_TAG,
    AS_TAGGERS,
    CROSS_LINGUAL,
    OWN,
    SUPERVISED,
    TRAINING,
    TRANSLATED,
    TRANSLATED_TRAINING,
    make_frame,
)
from treegauge.papers.tagger_evaluation.settings import TaggerEvaluationSettings
from treegauge.runs.errors import ExperimentError
from treegauge.runs.experiment import Experiment, Scoring, SystemChoice
from treegauge.runs.run_folder import RunFolder
from treegauge.treebank import Treebank, TreebankError, tag_column

if TYPE_CHECKING:
    import polars as pl

FIGURE_TAGGER = "tnt"
"""The paper's Figure 1 is of one tagger; the first where it is not there."""
MOST_SOURCES = 3
"""Languages that a cross-lingual tagger learns from, each alone and all together."""
ALL_SOURCES = "all"
MAY_BE_EMPTY = ("sizes", "costly", "held_out")
"""Frames that are there also where nothing was measured."""

Floats = NDArray[np.float64]
Outputs = dict[str, dict[str, Treebank]]
"""By group and tagger: the test part with its tags."""


@dataclass(frozen=True)
class Bank:
    """A treebank with the 12 tags."""

    entry: CatalogueEntry
    train: Treebank
    test: Treebank

    @property
    def name(self) -> str:
        """What the catalogue calls it."""
        return self.entry.name

    @property
    def iso(self) -> str:
        """Its language."""
        return self.entry.iso or self.name

    @property
    def key(self) -> str:
        """The name of its folder: a colon would be read as that of a part."""
        return self.name.replace(":", "_")


@dataclass
class Measured:
    """Rows of frames by name, and the records that calibration learns from."""

    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    records: dict[tuple[str, str], list[Record]] = field(default_factory=dict)
    """By group of taggers and dictionary."""

    def add(self, frame: str, rows: Iterable[Mapping[str, Any]], **about: Any) -> None:
        """Add rows to a frame, each with what it is about."""
        self.rows.setdefault(frame, []).extend({**about, **row} for row in rows)

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the frames."""
        names = dict.fromkeys((*self.rows, *MAY_BE_EMPTY))
        return {name: make_frame(name, self.rows.get(name, ())) for name in names}


def read_banks(
    treebanks: Sequence[str],
    workbench: Workbench,
    dictionaries: DictionarySources,
    settings: TaggerEvaluationSettings,
) -> tuple[list[Bank], dict[str, str]]:
    """Return treebanks that can be used, and why others cannot.

    One without train or test part, universal tags or a dictionary is left out.

    Raises
    ------
    ExperimentError
        If no treebank is left.
    """
    banks: dict[str, Bank] = {}
    left_out: dict[str, str] = {}
    for text in treebanks:
        for entry in workbench.catalogue.resolve(text):
            try:
                banks[entry.name] = _bank(entry, dictionaries, settings)
            except (ExperimentError, TreebankError) as error:
                reason = str(error).partition("\n")[0]
                left_out[entry.name] = reason.removeprefix(f"{entry.name} ")
    if not banks:
        reasons = "\n".join(f"  {name}: {reason}" for name, reason in left_out.items())
        advice = "" if settings.tag_map else "\n  --tag-map FILE gives universal tags"
        raise ExperimentError(f"no treebank can be used\n{reasons}{advice}")
    return list(banks.values()), left_out


def _bank(
    entry: CatalogueEntry, dictionaries: DictionarySources, settings: TaggerEvaluationSettings
) -> Bank:
    for part in ("train", "test"):
        if part not in entry.parts:
            raise ExperimentError(f"no {part} part")
    if not dictionaries.has_dictionary(entry.name, entry.iso):
        raise ExperimentError(f"no dictionary of {entry.iso or entry.name}")
    train, test = (_with_12_tags(entry.read(part, findings=[])) for part in ("train", "test"))
    return Bank(entry, train[: settings.sentences], test.replace(name=entry.name))


def _with_12_tags(treebank: Treebank) -> Treebank:
    return treebank.replace(columns={"upos": tag_column(treebank, "u12").column})


# ---------------------------------------------------------------------- runs


def run_taggers(
    banks: Sequence[Bank], workbench: Workbench, settings: TaggerEvaluationSettings
) -> tuple[dict[str, Outputs], list[str]]:
    """Return what taggers made of each treebank, and what failed."""
    written = write_treebanks(
        workbench.folder / "treebanks",
        {bank.key: {"train": bank.train, "test": bank.test} for bank in banks},
    )
    bench = replace(workbench, catalogue=written)
    names = {bank.key: bank.name for bank in banks}
    outputs: dict[str, Outputs] = {bank.name: {} for bank in banks}
    failures = []
    for group, inner, experiment in _experiments(banks, workbench, settings):
        run = bench.run(experiment, inner)
        failures += [f"{failure.cell}: {failure.reason}" for failure in run.failures]
        kept = RunFolder(bench.folder / inner)
        for cell in kept.planned:
            record = kept.record(cell.key)
            if record is not None and record.is_done:
                output = kept.annotation(cell.key, "test").replace(name=cell.system)
                outputs[names[cell.treebank]].setdefault(group, {})[cell.system] = output
    return outputs, failures


def _experiments(
    banks: Sequence[Bank], workbench: Workbench, settings: TaggerEvaluationSettings
) -> Iterator[tuple[str, str, Experiment]]:
    """Give the group, folder and plan of the supervised taggers, then of each target's others."""

    def choice(system: str, label: str, **values: Any) -> SystemChoice:
        values = {**workbench.system_settings.get(system, {}), **values}
        # What learns without gold is shown all raw text of the target.
        return SystemChoice(system, label, tuple(sorted(values.items())), (settings.seed,), "union")

    def plan(group: str, targets: Sequence[Bank], choices: Sequence[SystemChoice]) -> Experiment:
        return Experiment(
            name=f"tagger-evaluation-{group}",
            treebanks=tuple(bank.key for bank in targets),
            systems=tuple(choices),
            scorings=(Scoring(preset("conll2018"), ("upos",)),),
            resamples=0,
        )

    chosen = [choice(name, name) for name in settings.taggers]
    yield SUPERVISED, SUPERVISED, plan(SUPERVISED, banks, chosen)
    for target in banks if settings.cross_lingual else ():
        sources = _sources(target, banks, workbench)
        chosen = [
            choice(system, f"{system} from {label}", sources=paths)
            for system in settings.cross_lingual
            for label, paths in sources.items()
        ]
        if chosen:
            inner = f"{CROSS_LINGUAL}/{target.key}"
            yield CROSS_LINGUAL, inner, plan(CROSS_LINGUAL, [target], chosen)


def _sources(
    target: Bank, banks: Sequence[Bank], workbench: Workbench
) -> dict[str, tuple[str, ...]]:
    """Write train parts of other languages, and return their paths: each alone, then all."""
    folder = workbench.folder / "sources"
    others: dict[str, Bank] = {}
    for bank in banks:
        if bank.iso != target.iso:
            others.setdefault(bank.iso, bank)
    paths: dict[str, tuple[str, ...]] = {}
    for bank in list(others.values())[:MOST_SOURCES]:
        # A result depends on the path, as a setting: other content has another one.
        key = f"{bank.key}-{bank.train.fingerprint[:8]}"
        place = folder / key / "train.conllu"
        if not place.exists():
            write_treebanks(folder, {key: {"train": bank.train}})
        paths[bank.name] = (str(place.resolve()),)
    if len(paths) > 1:
        paths[ALL_SOURCES] = tuple(path for own in paths.values() for path in own)
    return paths


# ---------------------------------------------------------------------- what is measured


def measure_bank(
    measured: Measured,
    bank: Bank,
    outputs: Outputs,
    dictionaries: DictionarySources,
    english_training: TagDictionary | None,
    settings: TaggerEvaluationSettings,
    frequencies: Mapping[str, int],
) -> list[str]:
    """Add what the dictionaries say of a treebank's taggers; return what went wrong.

    A treebank without a supervised tagger that can be scored adds nothing.
    """
    trusted = from_treebank(bank.train)
    used = {OWN: dictionaries.dictionary(bank.name, bank.entry.iso), TRAINING: trusted}
    pairs, english = dictionaries.word_list(bank.name, bank.entry.iso), dictionaries.english
    word_pairs = None
    if pairs is not None and english is not None:
        translation = translate(english, pairs, name=f"{english.name} translated")
        word_pairs = translation.pairs
        if len(translation.dictionary):
            used[TRANSLATED] = translation.dictionary
    texts = {kind: Text(bank.test, dictionary) for kind, dictionary in used.items()}
    failures: list[str] = []
    tagged = {
        group: [
            Tagged(name, texts[OWN].codes(output))
            for name, output in of_group.items()
            if not _learnt_by_heart(bank.name, output, used.values(), failures)
        ]
        for group, of_group in outputs.items()
    }
    if not tagged.get(SUPERVISED):
        return failures
    measured.add("treebanks", [_description(bank, used[OWN], english, word_pairs)])
    assessed = {kind: used[kind] for kind in (OWN, TRANSLATED) if kind in used}
    if pairs is not None and english_training is not None:
        assessed[TRANSLATED_TRAINING] = translate(english_training, pairs).dictionary
    for kind, dictionary in assessed.items():
        about = {"treebank": bank.name, "dictionary": kind}
        measured.add("qualities", [quality(dictionary, trusted).to_dict()], **about)
    _measure_taggers(measured, bank, texts, tagged, settings, frequencies)
    return failures


def frequencies_of(
    bank: Bank, files: Mapping[str, Sequence[Path]], workbench: Workbench
) -> Mapping[str, int]:
    """Return how often forms occur in raw text of the language, or in the train part."""
    chosen = files.get(bank.name) or files.get(bank.iso)
    if not chosen:
        return form_frequencies(bank.train)
    counts: Counter[str] = Counter()
    for file in chosen:
        counts.update(form_frequencies(workbench.read(str(file))))
    return counts


def _description(
    bank: Bank, dictionary: TagDictionary, english: TagDictionary | None, word_pairs: int | None
) -> dict[str, Any]:
    return {
        "treebank": bank.name,
        "language": bank.iso,
        "release": bank.entry.release,
        "train_sentences": bank.train.n_sentences,
        "train_tokens": bank.train.n_words,
        "test_sentences": bank.test.n_sentences,
        "test_tokens": bank.test.n_words,
        "dictionary": dictionary.name,
        "english": english.name if english is not None else None,
        "word_pairs": word_pairs,
    }


def _measure_taggers(
    measured: Measured,
    bank: Bank,
    texts: Mapping[str, Text],
    tagged: dict[str, list[Tagged]],
    settings: TaggerEvaluationSettings,
    frequencies: Mapping[str, int],
) -> None:
    """Add scores by every dictionary, by parts of them, and by a few gold sentences."""
    text, gold, seed = texts[OWN], tag_codes(bank.test), settings.seed
    supervised = tagged[SUPERVISED]
    rights = [one.codes == gold for one in supervised]
    modes: dict[str, Floats | None] = {
        ANY_TAG: None,
        AS_TAGGERS: confusion_rows(
            np.tile(gold, len(supervised)), np.concatenate([one.codes for one in supervised])
        ),
    }
    for group, chances in modes.items():
        tagged[group] = _corrupted(gold, chances, seed)
        curve = corruption_curve(
            text, gold, repetitions=settings.repetitions, confusion=chances, seed=seed
        )
        about = {"treebank": bank.name, "group": group}
        summary = asdict(curve)
        measured.add("corruption", summary.pop("points"), **about)
        measured.add("corruption_curves", [summary], **about)
    best = indistinguishable(
        text, supervised, rights, text.is_scored, trials=settings.trials, seed=seed
    ).best
    for group, of_group in tagged.items():
        for kind in texts if of_group else ():
            records = evaluate_taggers(
                texts[kind],
                of_group,
                gold=bank.test,
                language=bank.iso,
                resamples=settings.resamples if group == SUPERVISED else 0,
                seed=seed,
                listed=3 if group == SUPERVISED else 0,
            )
            measured.records.setdefault((group, kind), []).extend(records)
            about = {"treebank": bank.name, "group": group, "dictionary": kind}
            among = best if group == SUPERVISED else None
            measured.add("scores", [score_row(record, among) for record in records], **about)
            about.pop("group")
            for record in records:
                costly = [{**asdict(e), "tags": " ".join(e.tags)} for e in record.soft.costly]
                measured.add("costly", costly, **about, tagger=record.tagger)
    figure = [one for one in supervised if one.name == FIGURE_TAGGER] or supervised[:1]
    for kind in (OWN, TRAINING):
        points = sub_dictionary_curve(
            texts[kind], figure, frequencies, draws=settings.draws, seed=seed
        )
        measured.add("sizes", map(asdict, points), treebank=bank.name, dictionary=kind)
    counts = text.by_sentence(*rights, text.is_scored)
    held_out = held_out_curve(counts[:, :-1], counts[:, -1], seed=seed)
    measured.add("held_out", map(asdict, held_out), treebank=bank.name)


def score_row(record: Record, best: Sequence[str] | None = None) -> dict[str, Any]:
    """Return a tagger's scores by gold and by a dictionary as a row of the frame `scores`."""
    soft, gold, conditions = asdict(record.soft), record.gold, record.conditions
    row = {
        "language": conditions.language,
        "tagger": record.tagger,
        "a_true": gold.accuracy if gold else None,
        "a_true_low": gold.low if gold else None,
        "a_true_high": gold.high if gold else None,
        "score": soft.pop("value"),
        "score_low": soft.pop("low"),
        "score_high": soft.pop("high"),
        "among_best": None if best is None else record.tagger in best,
        "forms": conditions.forms,
    }
    soft.pop("costly")
    row |= soft
    for name in ("ceiling", "wrong_accepted", "on_covered", "on_others"):
        row[name] = getattr(gold, name) if gold else None
    return {**row, "signature": str(conditions.signature)}


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
