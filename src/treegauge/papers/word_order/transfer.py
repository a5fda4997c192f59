"""Which treebank to learn from for a language without one: the nearest, natural or permuted.

What Gulordava and Merlo (2016) suggest at the end: permuted versions of a treebank are languages
too, and one of them may be nearer to the target than any natural one. Sources are ranked by the
divergence of their tag trigrams (KLcpos3), for which the target needs tags and nothing else; a
delexicalised parser is trained on every source and tested on every target, so that the choice can
be compared with the best one.

A target's own language is never a source for it: it is what the others are compared with.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from treegauge.metrics.conventions import preset
from treegauge.papers.derived_treebanks import write_treebanks
from treegauge.papers.word_order.permuted_parsing import ORIGINAL, PermutedParsing, RunIt
from treegauge.properties.tag_trigrams import TagTrigrams
from treegauge.runs.experiment import Experiment, Scoring, SystemChoice
from treegauge.runs.run_folder import RunFolder
from treegauge.significance import kendall_tau_b
from treegauge.treebank import Treebank, concatenate, punctuation_mask

Version = tuple[str, str]
"""A treebank and an order."""


@dataclass(frozen=True)
class SourceScore:
    """A source for a target."""

    treebank: str
    order: str
    divergence: float
    uas: float

    @property
    def is_natural(self) -> bool:
        """Whether it is the treebank as it is."""
        return self.order == ORIGINAL

    @property
    def name(self) -> str:
        """The treebank, with its order if it is permuted."""
        return self.treebank if self.is_natural else f"{self.treebank} ({self.order})"


@dataclass(frozen=True)
class Transfer:
    """A target, all sources for it, and what its own train part gives."""

    target: str
    sources: tuple[SourceScore, ...]
    own: float | None
    """UAS of the delexicalised parser that was trained on the target's own train part."""

    def nearest(self, *, natural: bool) -> SourceScore | None:
        """Return the source with the least divergence, perhaps of natural ones only."""
        return min(self._among(natural), key=lambda one: one.divergence, default=None)

    def best(self, *, natural: bool) -> SourceScore | None:
        """Return the source that turned out best: nobody could have known."""
        return max(self._among(natural), key=lambda one: one.uas, default=None)

    @property
    def rank_correlation(self) -> float | None:
        """Kendall's tau-b of nearness and accuracy over all sources."""
        if len(self.sources) < 2:
            return None
        return kendall_tau_b(
            [-one.divergence for one in self.sources], [one.uas for one in self.sources]
        )

    def _among(self, natural: bool) -> list[SourceScore]:
        return [one for one in self.sources if one.is_natural or not natural]

    def to_dict(self) -> dict[str, Any]:
        """Return the target as JSON has it."""
        return {
            "target": self.target,
            "own": self.own,
            "rank_correlation": self.rank_correlation,
            "sources": [vars(source) for source in self.sources],
        }


def transfer(
    parsing: PermutedParsing,
    folder: str | os.PathLike[str],
    run_it: RunIt,
    *,
    parser: str = "transition",
    settings: Mapping[str, Any] | None = None,
    most_sentences: int = 2000,
) -> list[Transfer]:
    """Train a delexicalised parser on every version of every treebank, test it on all originals.

    Parameters
    ----------
    parsing : PermutedParsing
        Whose versions are the sources.
    most_sentences : int
        Of a source, so that none is better because it is larger.
    """
    versions = {(one.treebank, one.order): one for one in parsing.parsed}
    targets = {name: one for (name, order), one in versions.items() if order == ORIGINAL}
    # All targets are tested at once: a parser is trained once for all of them.
    together = concatenate([_universal(one.test) for one in targets.values()])
    names = {f"{name}-{order}".replace(":", "_"): (name, order) for name, order in versions}
    catalogue = write_treebanks(
        Path(folder) / "treebanks",
        {
            key: {"train": _universal(versions[place].train)[:most_sentences], "test": together}
            for key, place in names.items()
        },
    )
    experiment = Experiment(
        name="word-order-transfer",
        treebanks=tuple(names),
        systems=(
            SystemChoice(
                parser,
                parser,
                tuple(sorted({**(settings or {}), "columns": ("upos",)}.items())),
                (parsing.settings.seed,),
                "train",
            ),
        ),
        scorings=(Scoring(preset("conll2006"), ("uas",)),),
        resamples=0,
    )
    run_it(experiment, Path(folder), catalogue)
    place = RunFolder(folder)
    shares: dict[Version, Mapping[str, float]] = {}
    for cell in place.planned:
        record = place.record(cell.key)
        if record is not None and record.is_done:
            shares[names[cell.treebank]] = _shares(
                place.annotation(cell.key, "test"), {n: one.test for n, one in targets.items()}
            )
    trigrams = {key: TagTrigrams(one.train) for key, one in versions.items()}
    isos = {name: one.iso for name, one in targets.items()}
    return [
        Transfer(
            target,
            _sources(target, isos, trigrams, shares),
            shares.get((target, ORIGINAL), {}).get(target),
        )
        for target in targets
    ]


def _universal(treebank: Treebank) -> Treebank:
    """Return a treebank with what languages share: tags, trees, relations without subtypes."""
    plain = treebank.deprel.map(lambda relation: relation.partition(":")[0])
    return treebank.replace(columns={"deprel": plain})


def _sources(
    target: str,
    isos: Mapping[str, str],
    trigrams: Mapping[Version, TagTrigrams],
    shares: Mapping[Version, Mapping[str, float]],
) -> tuple[SourceScore, ...]:
    own = trigrams[target, ORIGINAL]
    found = [
        SourceScore(name, order, own.divergence_from(trigrams[name, order]), reached[target])
        for (name, order), reached in shares.items()
        if isos[name] != isos[target]
    ]
    return tuple(sorted(found, key=lambda one: one.divergence))


def _shares(parsed: Treebank, tests: Mapping[str, Treebank]) -> dict[str, float]:
    """Return the unlabelled attachment of every test part of those that were parsed together."""
    begin = 0
    found = {}
    for name, test in tests.items():
        heads = parsed.head[begin : begin + test.n_words]
        counted = ~punctuation_mask(test)
        found[name] = float(np.mean(heads[counted] == test.head[counted]))
        begin += test.n_words
    return found


def mean_accuracies(found: Sequence[Transfer]) -> dict[str, float | None]:
    """Return mean UAS over targets for every way to choose a source."""
    ways = {
        "nearest, natural or permuted": [one.nearest(natural=False) for one in found],
        "nearest natural": [one.nearest(natural=True) for one in found],
        "best natural (oracle)": [one.best(natural=True) for one in found],
        "best of all (oracle)": [one.best(natural=False) for one in found],
    }
    means: dict[str, float | None] = {}
    for name, chosen in ways.items():
        values = [one.uas for one in chosen if one is not None]
        means[name] = sum(values) / len(values) if values else None
    own = [one.own for one in found if one.own is not None]
    means["own train part, delexicalised"] = sum(own) / len(own) if own else None
    return means
