"""The annotations of a run beside gold, where gold can be found.

Tables of scores need nothing but the long table. Trees, confusions, tests between systems, and
strata that the run was not scored by need what systems said, which the folder of the run keeps,
and gold, to which it knows the way. A treebank whose gold is gone or has changed goes without.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from treegauge.catalogue import Catalogue, CatalogueEntry
from treegauge.errors import TreegaugeError
from treegauge.evaluation import Evaluation, evaluate
from treegauge.evaluation.evaluation import SIGNIFICANT
from treegauge.metrics import Conventions, Counts, MeanOfSentences, MetricSpec
from treegauge.reports.pages.annotations import Annotations
from treegauge.runs import Experiment, RunFolder
from treegauge.runs.gold_source import Gold, GoldSource, find_gold, gold_source
from treegauge.significance import holm
from treegauge.significance.all_pairs import all_pairs
from treegauge.treebank import Treebank


@dataclass(frozen=True)
class RunAnnotations:
    """What there is beside the table."""

    conventions: Mapping[tuple[str, str], Conventions]
    """By preset and tags; what the experiment says."""
    of_track: Mapping[str, Mapping[str, Annotations]]
    """By track and treebank."""
    problems: tuple[str, ...] = ()
    """Why something is missing."""
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


def run_annotations(
    results: pl.DataFrame, place: RunFolder, catalogue: Catalogue
) -> RunAnnotations:
    """Find gold, and read what systems said of it; of several seeds, the first."""
    try:
        experiment = Experiment.from_toml(place.path / "experiment.toml")
    except TreegaugeError as error:
        return RunAnnotations({}, {}, (f"no trees, tests and commands: {_problem(error)}",))
    conventions = {
        (scoring.conventions.preset, scoring.conventions.tags): scoring.conventions
        for scoring in experiment.scorings
    }
    problems: dict[str, None] = {}
    golds: dict[str, Gold] = {}
    for source in place.circumstances.golds or _old_sources(results, place, experiment, catalogue):
        try:
            golds[source.treebank] = find_gold(source, place.path, catalogue)
        except TreegaugeError as error:
            problems[f"{source.treebank}: no trees, tests and commands: {_problem(error)}"] = None
    keys = ["track", "treebank", "system"]
    cells = (
        results.filter(pl.col("value").is_not_nan() & pl.col("treebank").is_in(list(golds)))
        .sort("seed")
        .unique(keys, keep="first", maintain_order=True)
        .sort(keys)
    )
    systems: dict[tuple[str, str], dict[str, Treebank]] = {}
    for row in cells.iter_rows(named=True):
        try:
            annotation = place.annotation(row["cell"], row["split"])
        except TreegaugeError as error:
            problems[_problem(error)] = None
            continue
        own = systems.setdefault((row["track"], row["treebank"]), {})
        own[row["system"]] = annotation.replace(name=row["system"])
    of_track: dict[str, dict[str, Annotations]] = {}
    for (track, treebank), own in systems.items():
        of_track.setdefault(track, {})[treebank] = Annotations(
            treebank, golds[treebank].treebank, own, experiment.scorings[0].conventions
        )
    names = {name: gold.name for name, gold in golds.items() if gold.name}
    return RunAnnotations(conventions, of_track, tuple(problems), names, experiment.resamples)


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


@dataclass(frozen=True)
class Wins:
    """Who is significantly better than whom."""

    beaten: Mapping[tuple[str, str, str], Mapping[str, tuple[str, ...]]] = field(
        default_factory=dict
    )
    """By conventions and metric (`Wins.key`), track and treebank: systems, and whom they beat."""

    def of(self, key: str, track: str, treebank: str, system: str) -> tuple[str, ...]:
        """Return whom a system beats."""
        return self.beaten.get((key, track, treebank), {}).get(system, ())


def wins(
    annotations: RunAnnotations,
    wanted: Mapping[tuple[str, str, str], list[str]],
    *,
    trials: int,
    on_progress: Callable[[float], None] | None = None,
) -> Wins:
    """Test every two systems on every treebank: by permutation, with Holm's correction over pairs.

    Parameters
    ----------
    wanted : mapping
        Metrics by track, preset and tags.
    """
    beaten: dict[tuple[str, str, str], dict[str, tuple[str, ...]]] = {}
    jobs = [
        (track, preset, tags, metrics, treebank, one)
        for (track, preset, tags), metrics in wanted.items()
        for treebank, one in annotations.of_track.get(track, {}).items()
    ]
    for number, (track, preset, tags, metrics, treebank, one) in enumerate(jobs):
        if on_progress is not None:
            on_progress(number / len(jobs))
        conventions = annotations.conventions_of(preset, tags)
        if conventions is None or len(one.systems) < 2 or not trials:
            continue
        try:
            evaluation = evaluate(
                one.gold,
                *one.systems.values(),
                metrics=metrics,
                conventions=conventions,
                resamples=0,
                trials=0,
            )
        except TreegaugeError:
            # A metric that one of the systems cannot have: no letters, and the table says why.
            continue
        for spec in evaluation.specs:
            beaten[f"{preset} {tags} {spec}", track, treebank] = _beaten(evaluation, spec, trials)
    return Wins(beaten)


def _beaten(evaluation: Evaluation, spec: MetricSpec, trials: int) -> dict[str, tuple[str, ...]]:
    """Return whom every system beats under a metric."""
    statistics = [system.statistics[str(spec)] for system in evaluation.systems]
    if not all(isinstance(one, Counts | MeanOfSentences) for one in statistics):
        # Tables of two systems have different cells, so that nothing can be exchanged.
        return {}
    tests = all_pairs([one.per_sentence for one in statistics], statistics[0].score, trials=trials)
    adjusted = holm([p for _, p in tests.values()]).tolist() if tests else []
    names = [system.name for system in evaluation.systems]
    sign = 1 if spec.metric.higher_is_better else -1
    beaten: dict[str, list[str]] = {}
    for ((i, j), (difference, _)), p in zip(tests.items(), adjusted, strict=True):
        if p < SIGNIFICANT and difference:
            winner, loser = (j, i) if sign * difference > 0 else (i, j)
            beaten.setdefault(names[winner], []).append(names[loser])
    return {name: tuple(losers) for name, losers in beaten.items()}
