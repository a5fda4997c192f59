"""The annotations of a run beside gold, where gold can be found.

Tables of scores need nothing but the long table. Trees, confusions, tests between systems, and
strata that the run was not scored by need what systems said, which the folder of the run keeps,
and gold, to which it knows the way. A treebank whose gold is gone or has changed goes without.
Treebanks are read one after the other: however many there are, one is in memory.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from treegauge.catalogue import Catalogue, CatalogueEntry
from treegauge.errors import TreegaugeError
from treegauge.metrics import Conventions
from treegauge.reports.pages.annotations import Annotations
from treegauge.runs import Experiment, RunFolder
from treegauge.runs.gold_source import GoldSource, find_gold, gold_source
from treegauge.treebank import Treebank


@dataclass(frozen=True)
class RunAnnotations:
    """What there is beside the table."""

    conventions: Mapping[tuple[str, str], Conventions]
    """By preset and tags; what the experiment says."""
    of_track: Mapping[str, Mapping[str, Annotations]] = field(default_factory=dict)
    """By track and treebank: those that are in memory."""
    problems: Sequence[str] = ()
    """Why something is missing; of a run's folder, known when `each` has come to its end."""
    golds: Mapping[str, str] = field(default_factory=dict)
    """What to type for the gold of a treebank, in any folder, where it is still there."""
    resamples: int = Experiment.resamples
    """Behind the intervals of the run."""

    def conventions_of(self, preset: str, tags: str) -> Conventions | None:
        """Return the conventions of a table; tags are empty if they do not matter."""
        for (name, own), conventions in self.conventions.items():
            if name == preset and (not tags or tags == own):
                return conventions
        return None

    def __len__(self) -> int:
        return sum(map(len, self.of_track.values()))

    def each(self) -> Iterator[tuple[str, Annotations]]:
        """Give a track, and the annotations of a treebank in it, one after the other."""
        for track, own in self.of_track.items():
            for one in own.values():
                yield track, one


@dataclass(frozen=True)
class KeptAnnotations(RunAnnotations):
    """What the folder of a run keeps, read treebank by treebank."""

    place: RunFolder = field(default_factory=lambda: RunFolder(""))
    catalogue: Catalogue = field(default_factory=Catalogue)
    sources: Mapping[str, GoldSource] = field(default_factory=dict)
    """By treebank."""
    cells: Mapping[str, Mapping[str, list[dict[str, Any]]]] = field(default_factory=dict)
    """By treebank and track: a row for every system."""
    shown_by: Conventions = field(default_factory=Conventions)
    """Under which trees are shown and strata scored."""
    problems: list[str] = field(default_factory=list)
    golds: dict[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(map(len, self.cells.values()))

    def each(self) -> Iterator[tuple[str, Annotations]]:
        """Read gold and what systems said of it, one treebank after the other."""
        for treebank, source in self.sources.items():
            try:
                gold = find_gold(source, self.place.path, self.catalogue)
            except TreegaugeError as error:
                self._note(f"{treebank}: no trees, tests and commands: {_problem(error)}")
                continue
            if gold.name:
                self.golds[treebank] = gold.name
            for track, rows in self.cells.get(treebank, {}).items():
                systems = self._systems(rows)
                if systems:
                    yield track, Annotations(treebank, gold.treebank, systems, self.shown_by)

    def _systems(self, rows: list[dict[str, Any]]) -> dict[str, Treebank]:
        systems = {}
        for row in rows:
            try:
                annotation = self.place.annotation(row["cell"], row["split"])
            except TreegaugeError as error:
                self._note(_problem(error))
                continue
            systems[row["system"]] = annotation.replace(name=row["system"])
        return systems

    def _note(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)


def run_annotations(
    results: pl.DataFrame, place: RunFolder, catalogue: Catalogue
) -> RunAnnotations:
    """Find out what there is of gold and of what systems said; of several seeds, the first."""
    try:
        experiment = Experiment.from_toml(place.path / "experiment.toml")
    except TreegaugeError as error:
        return RunAnnotations({}, {}, (f"no trees, tests and commands: {_problem(error)}",))
    conventions = {
        (scoring.conventions.preset, scoring.conventions.tags): scoring.conventions
        for scoring in experiment.scorings
    }
    sources = place.circumstances.golds or _old_sources(results, place, experiment, catalogue)
    keys = ["track", "treebank", "system"]
    rows = (
        results.filter(pl.col("value").is_not_nan())
        .sort("seed")
        .unique(keys, keep="first", maintain_order=True)
        .sort(keys)
    )
    cells: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for row in rows.select(*keys, "cell", "split").iter_rows(named=True):
        cells.setdefault(row["treebank"], {}).setdefault(row["track"], []).append(row)
    return KeptAnnotations(
        conventions,
        resamples=experiment.resamples,
        place=place,
        catalogue=catalogue,
        sources={source.treebank: source for source in sorted(sources, key=_name)},
        cells=cells,
        shown_by=experiment.scorings[0].conventions,
    )


def _name(source: GoldSource) -> str:
    return source.treebank


def _old_sources(
    results: pl.DataFrame, place: RunFolder, experiment: Experiment, catalogue: Catalogue
) -> list[GoldSource]:
    """Return where gold may be of a run that did not write it down: as the experiment says."""
    entries = {}
    for text in experiment.treebanks:
        with contextlib.suppress(TreegaugeError):
            entries.update({(one.name, one.part): one.entry for one in catalogue.parts(text)})
    sources = []
    rows = results.filter(pl.col("signature") != "").unique("treebank", maintain_order=True)
    for row in rows.iter_rows(named=True):
        fields = dict(part.partition(":")[::2] for part in row["signature"].split("|"))
        name, split = row["treebank"], row["split"]
        fingerprint = fields.get("data", "").rpartition("#")[2]
        entry = entries.get((name, split), CatalogueEntry(name, Path(), {split: ()}))
        sources.append(gold_source(entry, split, fingerprint, "", place.path))
    return sources


def _problem(error: TreegaugeError) -> str:
    return str(error).partition("\n")[0]
