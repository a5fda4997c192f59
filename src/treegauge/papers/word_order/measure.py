"""Parsers on permuted treebanks: the grid of Gulordava and Merlo (2016), on the runner.

Every treebank in four orders: as it is, with the shortest dependencies (OptDL), left-branching
and right-branching. Train and test are permuted alike, and restricted to the paper's sentences
(`properties.select_sentences`); a final punctuation mark stays at the end. Each parser is trained
and tested on each version. The transition parser chooses its algorithm for the first two orders
and is Covington's projective one for the branching orders, as in the paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from treegauge.catalogue.entry import CatalogueEntry
from treegauge.evaluation.accuracy_prediction import AccuracyRow, describe_training_text
from treegauge.evaluation.pilot_parsers import LEAST_WORDS
from treegauge.metrics.conventions import preset
from treegauge.papers.derived_treebanks import Parts, write_treebanks
from treegauge.papers.mapped_tags import with_coarse_tags
from treegauge.papers.paper import Workbench, epochs_of
from treegauge.papers.word_order.settings import ORIGINAL, WordOrderPaperSettings
from treegauge.papers.word_order.texts import texts_of
from treegauge.properties import WordOrder, WordOrderSettings, select_sentences
from treegauge.rewrite.word_orders import parse_order, permute_selection
from treegauge.runs import Experiment
from treegauge.runs.errors import ExperimentError
from treegauge.runs.experiment import Scoring, SystemChoice
from treegauge.runs.run_folder import RunFolder
from treegauge.treebank import Treebank

_BRANCHING = ("left", "right")
_KINDS = ("natural", "branching")
"""Orders that are run together: parsers have other settings for branching ones."""

_PROPERTIES: dict[str, type] = {"treebank": str, "language": str, "order": str, "sentences": int}
_PROPERTIES |= {
    "thousand_words": float,
    "mean_length": float,
    "dlm_ratio": float,
    "arc_direction_entropy": float,
}
_PROPERTIES |= {"branching_dlm_ratio": float, "nonprojective_arcs": float, "coarse_tags": bool}
_ACCURACIES: dict[str, type] = {"treebank": str, "language": str, "order": str, "parser": str}
_ACCURACIES |= {"uas": float, "las": float}


@dataclass(frozen=True)
class ParsedVersion:
    """A treebank in one order, and what one parser made of its test part."""

    treebank: str
    language: str
    order: str
    parser: str
    train: Treebank
    test: Treebank
    parsed: Treebank

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Words of the test part that count: all but punctuation, by form as in the scorer."""
        return ~preset("conll2006").punctuation_in(self.test)

    def right_words(self, metric: str) -> NDArray[np.bool_]:
        """Return the words of the test part that `uas` or `las` counts as right."""
        right = np.asarray(self.test.head == self.parsed.head)
        if metric == "uas":
            return right
        pairs = zip(self.test.deprel, self.parsed.deprel, strict=True)
        same = np.fromiter((gold == given for gold, given in pairs), np.bool_, self.test.n_words)
        return np.asarray(right & same)

    def score(self, metric: str) -> float:
        """Return attachment, punctuation aside; of `las`, relations with their subtypes."""
        return float(self.right_words(metric)[self.scored].mean())

    def by_sentence(self, metric: str) -> NDArray[np.float64]:
        """Return the share of right words of every sentence; NaN where nothing counts."""
        sentence, n = self.test.sentence_of_word, self.test.n_sentences
        counted = np.bincount(sentence[self.scored], minlength=n)
        hits = np.bincount(sentence[self.scored & self.right_words(metric)], minlength=n)
        shares = np.full(n, np.nan)
        np.divide(hits, counted, out=shares, where=counted > 0)
        return shares


@dataclass(frozen=True)
class PermutedParsing:
    """Everything that the grid gave."""

    properties: pl.DataFrame
    """Word order of the train parts, in the paper's units."""
    parsed: tuple[ParsedVersion, ...]
    failures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def version(self, treebank: str, order: str, parser: str) -> ParsedVersion | None:
        """Return what a parser made of a treebank in an order; None if it failed."""
        wanted = (treebank, order, parser)
        return next(
            (one for one in self.parsed if (one.treebank, one.order, one.parser) == wanted), None
        )

    def pairs(self, first: str = "", second: str = "") -> Iterator[tuple[ParsedVersion, ...]]:
        """Give what a parser made of a treebank in two orders, where both are there."""
        for one in self.parsed:
            if one.order == first or (not first and one.order != ORIGINAL):
                other = self.version(one.treebank, second or ORIGINAL, one.parser)
                if other is not None:
                    yield one, other

    def accuracies(self) -> pl.DataFrame:
        """Return attachment of every parser on every version."""
        rows = [
            (one.treebank, one.language, one.order, one.parser, one.score("uas"), one.score("las"))
            for one in self.parsed
        ]
        return pl.DataFrame(rows, schema=_ACCURACIES, orient="row")

    def accuracy_rows(self) -> list[AccuracyRow]:
        """Return the same with what pilot parsers reach, where there are words enough for them."""
        trains = {(one.treebank, one.order): one.train for one in self.parsed}
        known = {
            place: describe_training_text(train)
            for place, train in trains.items()
            if train.n_words >= LEAST_WORDS
        }
        return [
            AccuracyRow(**row, text=known[row["treebank"], row["order"]])
            for row in self.accuracies().iter_rows(named=True)
            if (row["treebank"], row["order"]) in known
        ]


def settings_of_parser(
    settings: WordOrderPaperSettings, by_system: Mapping[str, Mapping[str, Any]], parser: str
) -> dict[str, dict[str, Any]]:
    """Return a parser's settings for natural and for branching orders."""
    ways: dict[str, dict[str, Any]] = {kind: {} for kind in _KINDS}
    if parser == "transition":
        ways["natural"] = {"optimise": True} if settings.optimise else {}
        ways["branching"] = {"system": "covington-projective"}
    shared = {**epochs_of(parser, settings.epochs), **by_system.get(parser, {})}
    return {kind: {**way, **shared} for kind, way in ways.items()}


def parse_permuted(settings: WordOrderPaperSettings, workbench: Workbench) -> PermutedParsing:
    """Permute treebanks, train and test parsers on every version, and collect what came out."""
    versions: dict[tuple[str, str], Parts] = {}
    languages: dict[str, str] = {}
    notes: list[str] = []
    properties: list[dict[str, Any]] = []
    entries = [one for text in settings.treebanks for one in workbench.catalogue.resolve(text)]
    for entry in entries:
        whole, has_coarse_tags = _read(entry)
        for name, gold in texts_of(entry.name, whole).items():
            languages[name] = entry.iso or entry.name
            orders, report = _versions(gold, settings)
            notes.append(f"{name}: {report}")
            workbench.say(notes[-1])
            for order, parts in orders.items():
                versions[name, order] = parts
                place = {"treebank": name, "language": languages[name], "order": order}
                measured = _measured(parts["train"])
                properties.append({**place, **measured, "coarse_tags": has_coarse_tags})
    parsed, failures = list[ParsedVersion](), list[str]()
    for kind in _KINDS:
        is_branching = kind == "branching"
        chosen = {
            place: parts
            for place, parts in versions.items()
            if (place[1] in _BRANCHING) == is_branching
        }
        if not chosen:
            continue
        names, run = _run(kind, chosen, settings, workbench)
        failures += map(str, run.failures)
        for cell, trees in RunFolder(run.folder).annotations("test"):
            name, order = names[cell.treebank]
            parts = versions[name, order]
            of = (name, languages[name], order, cell.system)
            parsed.append(ParsedVersion(*of, parts["train"], parts["test"], trees))
    frame = pl.DataFrame(properties, schema=_PROPERTIES)
    return PermutedParsing(frame, tuple(parsed), tuple(failures), tuple(notes))


def _read(entry: CatalogueEntry) -> tuple[Parts, bool]:
    """Return both parts, and whether coarse tags stand for universal ones that are missing."""
    for part in ("train", "test"):
        if part not in entry.parts:
            raise ExperimentError(f"{entry.name} has no {part} part")
    gold = {part: entry.read(part, findings=[]) for part in ("train", "test")}
    return with_coarse_tags(gold)


def _versions(gold: Parts, settings: WordOrderPaperSettings) -> tuple[dict[str, Parts], str]:
    """Return both parts in every order, and in a line what was selected of them."""
    selections = {
        part: select_sentences(treebank, final_punctuation="pin", keep_all=settings.keep_all)
        for part, treebank in gold.items()
    }
    report = "; ".join(f"{part}: {chosen.report}" for part, chosen in selections.items())
    for part, selection in selections.items():
        if not selection.report.kept:
            raise ExperimentError(f"no sentence of the {part} part can be permuted: {report}")
    versions: dict[str, Parts] = {
        order: {
            part: chosen.treebank
            if order == ORIGINAL
            else permute_selection(chosen, parse_order(order), seed=settings.seed)
            for part, chosen in selections.items()
        }
        for order in settings.orders
    }
    return versions, report


def _measured(train: Treebank) -> dict[str, Any]:
    order = WordOrder(train, WordOrderSettings.parse("gm16,punctuation=strip"))
    report = order.selection.report
    measured = ("dlm_ratio", "arc_direction_entropy", "branching_dlm_ratio", "nonprojective_arcs")
    return {
        "thousand_words": report.words_kept / 1000,
        "sentences": report.kept,
        "mean_length": report.words_kept / report.kept,
        **{name: getattr(order, name) for name in measured},
    }


def _run(
    kind: str,
    versions: Mapping[tuple[str, str], Parts],
    settings: WordOrderPaperSettings,
    workbench: Workbench,
) -> tuple[dict[str, tuple[str, str]], Any]:
    """Run all parsers on versions; return what their folders are called, and the run."""
    names = version_names(list(versions))
    by_name = {name: versions[place] for name, place in names.items()}
    catalogue = write_treebanks(workbench.folder / kind / "treebanks", by_name)
    choices = []
    for parser in settings.all_parsers:
        values = settings_of_parser(settings, workbench.system_settings, parser)[kind]
        ordered = tuple(sorted(values.items()))
        choices.append(SystemChoice(parser, parser, ordered, (settings.seed,), "train"))
    experiment = Experiment(
        name=f"word-order-{kind}",
        treebanks=tuple(names),
        systems=tuple(choices),
        scorings=(Scoring(preset("conll2006"), ("uas", "las")),),
        resamples=settings.resamples,
    )
    return names, workbench.run_experiment(experiment, workbench.folder / kind, catalogue)


def version_names(places: Sequence[tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Return names for versions of treebanks, as folders have them.

    A colon in a name would be read as that of a toy language, or of a part.
    """
    return {f"{name}-{order}".replace(":", "_"): (name, order) for name, order in places}
