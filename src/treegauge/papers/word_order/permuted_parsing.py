"""Parsers on permuted treebanks: the grid of Gulordava and Merlo (2016), on the runner.

Every treebank in four orders: as it is, with the shortest dependencies (OptDL), left-branching
and right-branching. Train and test are permuted alike, and restricted to the paper's sentences
(`properties.select_sentences`); a final punctuation mark stays at the end. Each parser is trained
and tested on each version. The transition parser chooses its algorithm for the first two orders
and is Covington's projective one for the branching orders, as in the paper.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.catalogue import Catalogue
from treegauge.metrics.conventions import preset
from treegauge.papers.derived_treebanks import Parts, write_treebanks
from treegauge.properties import WordOrder, WordOrderSettings, select_sentences
from treegauge.rewrite.word_orders import parse_order, permute_selection
from treegauge.runs.errors import ExperimentError
from treegauge.runs.experiment import Experiment, Scoring, SystemChoice
from treegauge.runs.run_folder import RunFolder
from treegauge.runs.runner import Run
from treegauge.treebank import Treebank, punctuation_mask, tag_column

ORIGINAL = "original"
ORDERS = (ORIGINAL, "optdl", "left", "right")
"""The paper's orders; left and right are its LB and RB."""
BRANCHING = ("left", "right")

RunIt = Callable[[Experiment, Path, Catalogue], Run]
"""Runs an experiment in a folder: `run`, or something that shows how far it is."""


@dataclass(frozen=True)
class ParserChoice:
    """A parser of the experiment: its settings for natural and for branching orders."""

    system: str
    natural: Mapping[str, Any] = field(default_factory=dict)
    branching: Mapping[str, Any] = field(default_factory=dict)

    def settings(self, order: str) -> Mapping[str, Any]:
        """Return the settings for an order."""
        return self.branching if order in BRANCHING else self.natural


PARSERS = (
    ParserChoice("transition", {"optimise": True}, {"system": "covington-projective"}),
    ParserChoice("graph"),
)


@dataclass(frozen=True)
class PermutedParsingSettings:
    """What can be chosen about the grid."""

    parsers: tuple[ParserChoice, ...] = PARSERS
    orders: tuple[str, ...] = ORDERS
    seed: int = 0
    resamples: int = 1000
    keep_all: bool = False
    """Take every sentence, also those with punctuation inside, which the paper leaves out."""


@dataclass(frozen=True)
class ParsedVersion:
    """A treebank in one order, and what one parser made of its test part."""

    treebank: str
    iso: str
    order: str
    parser: str
    train: Treebank
    test: Treebank
    parsed: Treebank

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Words of the test part that count: all but punctuation."""
        return ~punctuation_mask(self.test)

    @property
    def right_heads(self) -> NDArray[np.bool_]:
        """Words of the test part with the right head."""
        return np.asarray(self.test.head == self.parsed.head)

    @property
    def right_relations(self) -> NDArray[np.bool_]:
        """Words of the test part with the right head and the right relation."""
        pairs = zip(self.test.deprel, self.parsed.deprel, strict=True)
        same = np.fromiter((gold == found for gold, found in pairs), np.bool_, self.test.n_words)
        return np.asarray(self.right_heads & same)

    def share(self, right: NDArray[np.bool_]) -> float:
        """Return the share of the words that count."""
        return float(right[self.scored].mean())

    @property
    def uas(self) -> float:
        """Unlabelled attachment, punctuation aside."""
        return self.share(self.right_heads)

    @property
    def las(self) -> float:
        """Labelled attachment, punctuation aside, relations with their subtypes."""
        return self.share(self.right_relations)

    def by_sentence(self, right: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the share of right words of every sentence; NaN where nothing counts."""
        sentence = self.test.sentence_of_word
        counted = np.bincount(sentence[self.scored], minlength=self.test.n_sentences)
        hits = np.bincount(sentence[self.scored & right], minlength=self.test.n_sentences)
        shares = np.full(self.test.n_sentences, np.nan)
        np.divide(hits, counted, out=shares, where=counted > 0)
        return shares


@dataclass(frozen=True)
class VersionProperties:
    """Word order of the train part of a treebank in one order."""

    treebank: str
    iso: str
    order: str
    gm16: WordOrder
    """In the paper's units, for its tables."""
    standard: WordOrder
    """In ours, for everything else."""


@dataclass(frozen=True)
class PermutedParsing:
    """Everything that the grid gave."""

    settings: PermutedParsingSettings
    properties: tuple[VersionProperties, ...]
    parsed: tuple[ParsedVersion, ...]
    failures: tuple[str, ...] = ()
    """Cells that gave nothing, with the reason."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """What was selected of each treebank, in a line."""
    coarse_tags: tuple[str, ...] = ()
    """Treebanks whose coarse tags stand for universal ones, for want of these."""

    @property
    def treebanks(self) -> tuple[str, ...]:
        """Their names, in the order given."""
        return tuple(dict.fromkeys(one.treebank for one in self.properties))

    @property
    def parsers(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(parser.system for parser in self.settings.parsers)

    def property_of(self, treebank: str, order: str) -> VersionProperties:
        """Return the word order of a treebank in an order."""
        return next(
            one for one in self.properties if (one.treebank, one.order) == (treebank, order)
        )

    def version(self, treebank: str, order: str, parser: str) -> ParsedVersion | None:
        """Return what a parser made of a treebank in an order; None if it failed."""
        wanted = (treebank, order, parser)
        return next(
            (one for one in self.parsed if (one.treebank, one.order, one.parser) == wanted), None
        )


def parse_permuted(
    treebanks: Sequence[str],
    folder: str | os.PathLike[str],
    run_it: RunIt,
    *,
    catalogue: Catalogue,
    settings: PermutedParsingSettings | None = None,
) -> PermutedParsing:
    """Permute treebanks, train and test parsers on every version, and collect what came out.

    Parameters
    ----------
    treebanks : sequence of str
        As the catalogue reads them; each needs a train and a test part.
    folder : path
        Where versions and runs are kept; a run that was stopped goes on there.
    run_it : callable
        Runs an experiment in a folder.
    """
    settings = settings or PermutedParsingSettings()
    folder = Path(folder)
    versions: dict[tuple[str, str], Parts] = {}
    isos: dict[str, str] = {}
    left_out: dict[str, str] = {}
    coarse: list[str] = []
    for text in treebanks:
        for entry in catalogue.resolve(text):
            for part in ("train", "test"):
                if part not in entry.parts:
                    raise ExperimentError(f"{entry.name} has no {part} part")
            isos[entry.name] = entry.iso or entry.name
            gold = {part: entry.read(part, findings=[]) for part in ("train", "test")}
            if not gold["train"].upos.is_annotated:
                coarse.append(entry.name)
                gold = {part: _with_coarse_tags(treebank) for part, treebank in gold.items()}
            for order, parts, report in _versions(gold, settings):
                versions[entry.name, order] = parts
                left_out[entry.name] = report
    properties = tuple(
        VersionProperties(
            name,
            isos[name],
            order,
            *(
                WordOrder(parts["train"], WordOrderSettings.parse(f"{preset},punctuation=strip"))
                for preset in ("gm16", "default")
            ),
        )
        for (name, order), parts in versions.items()
    )
    parsed, failures = [], []
    for kind, orders in (("natural", (ORIGINAL, "optdl")), ("branching", BRANCHING)):
        chosen = {key: parts for key, parts in versions.items() if key[1] in orders}
        if not chosen:
            continue
        # A colon in a name would be read as that of a toy language, or of a part.
        names = {f"{name}-{order}".replace(":", "_"): (name, order) for name, order in chosen}
        made = write_treebanks(
            folder / kind / "treebanks", {key: versions[place] for key, place in names.items()}
        )
        experiment = _experiment(kind, names, settings)
        run = run_it(experiment, folder / kind, made)
        failures += [f"{failure.cell}: {failure.reason}" for failure in run.failures]
        place = RunFolder(folder / kind)
        for cell in place.planned:
            record = place.record(cell.key)
            if record is not None and record.is_done:
                name, order = names[cell.treebank]
                parts = versions[name, order]
                parsed.append(
                    ParsedVersion(
                        name,
                        isos[name],
                        order,
                        cell.system,
                        parts["train"],
                        parts["test"],
                        place.annotation(cell.key, "test"),
                    )
                )
    return PermutedParsing(
        settings, properties, tuple(parsed), tuple(failures), left_out, tuple(coarse)
    )


def _with_coarse_tags(treebank: Treebank) -> Treebank:
    """Return a treebank without universal tags with coarse ones in their place."""
    return treebank.replace(columns={"upos": tag_column(treebank, "c").column})


def _versions(gold: Parts, settings: PermutedParsingSettings) -> Iterator[tuple[str, Parts, str]]:
    selections = {
        part: select_sentences(treebank, final_punctuation="pin", keep_all=settings.keep_all)
        for part, treebank in gold.items()
    }
    report = "; ".join(f"{part}: {chosen.report}" for part, chosen in selections.items())
    for part, selection in selections.items():
        if not selection.report.kept:
            raise ExperimentError(f"no sentence of the {part} part can be permuted: {report}")
    for order in settings.orders:
        if order == ORIGINAL:
            yield order, {part: chosen.treebank for part, chosen in selections.items()}, report
            continue
        name = parse_order(order)
        parts = {
            part: permute_selection(selection, name, seed=settings.seed)
            for part, selection in selections.items()
        }
        yield order, parts, report


def _experiment(
    kind: str, treebanks: Mapping[str, tuple[str, str]], settings: PermutedParsingSettings
) -> Experiment:
    order = "left" if kind == "branching" else ORIGINAL
    return Experiment(
        name=f"word-order-{kind}",
        treebanks=tuple(treebanks),
        systems=tuple(
            SystemChoice(
                parser.system,
                parser.system,
                tuple(sorted(parser.settings(order).items())),
                (settings.seed,),
                "train",
            )
            for parser in settings.parsers
        ),
        scorings=(Scoring(preset("conll2006"), ("uas", "las")),),
        resamples=settings.resamples,
    )
