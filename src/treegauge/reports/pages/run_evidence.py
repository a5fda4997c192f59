"""What the page of a run finds out from annotations, in one pass over its treebanks.

Gold and annotations of hundreds of treebanks do not fit into memory together. So
everything that needs them (tests between systems, strata, confusions, trees) is found out of one
treebank at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from treegauge.errors import TreegaugeError
from treegauge.evaluation import Confusion, Evaluation, evaluate
from treegauge.evaluation.evaluation import SIGNIFICANT
from treegauge.metrics import Counts, MeanOfSentences, MetricSpec
from treegauge.reports.pages.annotations import LENGTHS, Annotations, ConfusionSum
from treegauge.reports.pages.run_annotations import RunAnnotations
from treegauge.reports.pages.run_lengths import ByTreebank, kept_strata, own_strata
from treegauge.reports.pages.tree_data import BESIDE_PAGE, TreeBank, tree_bank
from treegauge.reports.run_tables import RunTable
from treegauge.significance import holm
from treegauge.significance.all_pairs import all_pairs


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


@dataclass
class Evidence:
    """What annotations say, by track."""

    beaten: dict[tuple[str, str, str], Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    strata: dict[str, dict[str, ByTreebank]] = field(default_factory=dict)
    """Scores by length: by track and stratum."""
    confusions: dict[str, dict[str, ConfusionSum]] = field(default_factory=dict)
    """Summed over treebanks, by track and system."""
    trees: dict[str, list[TreeBank]] = field(default_factory=dict)
    treebanks: set[str] = field(default_factory=set)
    """Those whose gold is there."""

    @property
    def wins(self) -> Wins:
        """Who is significantly better than whom."""
        return Wins(self.beaten)

    def confusion(self, track: str, system: str) -> Confusion | None:
        """Return what a system takes for what, if it annotates the same in all treebanks."""
        known = self.confusions.get(track, {}).get(system)
        return known.total if known is not None else None


def gather(
    results: pl.DataFrame,
    tables: Sequence[RunTable],
    annotations: RunAnnotations,
    *,
    trials: int,
    on_progress: Callable[[float], None] | None = None,
) -> Evidence:
    """Look at the annotations of every treebank once.

    Parameters
    ----------
    results : DataFrame
        The long table: strata that the run was scored by are taken from there.
    tables : sequence of RunTable
        Those of the page; systems are tested under their metrics.
    trials : int
        Of the tests between systems; none are made if it is 0.
    """
    evidence = Evidence()
    word_tables = {
        track: table
        for table in reversed(tables)
        if table.spec.metric.outcome
        for track in (table.track,)
    }
    kept = {
        (track, by): kept_strata(results, table, by)
        for track, table in word_tables.items()
        for by in LENGTHS
    }
    share_of_trees = BESIDE_PAGE // max(len(annotations), 1)
    for number, (track, one) in enumerate(annotations.each()):
        if on_progress is not None:
            on_progress(number / len(annotations))
        evidence.treebanks.add(one.name)
        if trials and len(one.systems) > 1:
            evidence.beaten |= _tested(track, one, tables, annotations, trials)
        for by in LENGTHS:
            table = word_tables.get(track)
            strata = None if table is None or kept[track, by] else own_strata(one, table, by)
            if strata is not None:
                evidence.strata.setdefault(track, {}).setdefault(by, {})[one.name] = strata
        sums = evidence.confusions.setdefault(track, {})
        for system in one.systems:
            confusion = one.confusion(system)
            if confusion is not None:
                sums.setdefault(system, ConfusionSum()).add(confusion)
        trees = tree_bank(one, most=share_of_trees)
        if trees is not None:
            evidence.trees.setdefault(track, []).append(trees)
    for (track, by), own in kept.items():
        if own:
            evidence.strata.setdefault(track, {})[by] = own
    return evidence


def _tested(
    track: str,
    one: Annotations,
    tables: Sequence[RunTable],
    annotations: RunAnnotations,
    trials: int,
) -> dict[tuple[str, str, str], Mapping[str, tuple[str, ...]]]:
    """Test every two systems: by permutation, with Holm's correction over pairs."""
    wanted: dict[tuple[str, str], list[str]] = {}
    for table in tables:
        if table.track == track:
            wanted.setdefault((table.preset, table.tags), []).append(str(table.spec))
    beaten: dict[tuple[str, str, str], Mapping[str, tuple[str, ...]]] = {}
    for (preset, tags), metrics in wanted.items():
        conventions = annotations.conventions_of(preset, tags)
        if conventions is None:
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
            beaten[f"{preset} {tags} {spec}", track, one.name] = _beaten(evaluation, spec, trials)
    return beaten


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
