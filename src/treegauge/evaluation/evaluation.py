"""Evaluates systems: every metric, with intervals, signatures and tests between systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from treegauge.metrics import (
    Comparison,
    Conventions,
    Counts,
    MeanOfSentences,
    Metric,
    MetricError,
    MetricSpec,
    Statistics,
    induced_column,
    parse_specs,
    total,
)
from treegauge.results import Score, Signature
from treegauge.significance import (
    Letters,
    PairedTest,
    Resampler,
    agreement,
    holm,
    interval,
    paired_bootstrap,
    paired_permutation,
    significance_letters,
)
from treegauge.treebank import EMPTY, PETROV_TAGS, UD_TAGS, Treebank

DEFAULT_METRICS = {
    "conll2018": (
        *("uas", "las", "clas", "mlas", "blex", "upos", "xpos", "feats", "lemma"),
        *("undirected", "ned", "exact_match", "root"),
    ),
    "conll2006": ("uas", "las", "label", "upos", "xpos", "exact_match", "root"),
    "pascal": ("uas", "undirected", "ned", "uas@10", "undirected@10", "ned@10"),
}
"""What is computed where nobody says what to compute, as far as the columns are there."""

SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Evaluated:
    """One system: its scores, and the statistics they and all tests come from."""

    name: str
    scores: Mapping[str, Score]
    statistics: Mapping[str, Statistics] = field(repr=False)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class SystemPair:
    """A paired test of two systems under one metric."""

    metric: str
    first: str
    second: str
    difference: float | None
    p: float | None
    adjusted_p: float | None
    """After Holm's correction over all pairs of systems under this metric."""


@dataclass(frozen=True)
class Evaluation:
    """What came out: systems, in the order given, under the same metrics."""

    gold: str
    systems: tuple[Evaluated, ...]
    specs: tuple[MetricSpec, ...]
    conventions: Conventions
    pairs: tuple[SystemPair, ...] = ()
    notes: tuple[str, ...] = ()

    def __getitem__(self, metric: str) -> Score:
        """Return a score of the first system."""
        return self.systems[0].scores[metric]

    def letters(self, metric: str) -> list[Letters]:
        """Return the letter of every system, and the letters of those it beats."""
        names = [system.name for system in self.systems]
        better = {}
        for pair in self.pairs:
            if pair.metric != metric or pair.adjusted_p is None or not pair.difference:
                continue
            gain = pair.difference if self._score(metric).higher_is_better else -pair.difference
            winner, loser = (pair.second, pair.first) if gain > 0 else (pair.first, pair.second)
            better[winner, loser] = pair.adjusted_p < SIGNIFICANT
        return significance_letters(names, lambda a, b: better.get((a, b), False))

    def agreement(self) -> list[tuple[str, str, float | None]]:
        """Return Kendall's tau-b between the rankings that every two metrics give."""
        names = [str(spec) for spec in self.specs]
        values = {
            name: [np.nan if (v := s.scores[name].value) is None else v for s in self.systems]
            for name in names
        }
        return agreement(values, {name: self._score(name).higher_is_better for name in names})

    def _score(self, metric: str) -> Score:
        return self.systems[0].scores[metric]

    def _repr_html_(self) -> str:
        from treegauge.reports import score_table

        return score_table(self).to_html()

    def to_dict(self) -> dict[str, Any]:
        """Return the evaluation as JSON has it."""
        document: dict[str, Any] = {
            "schema": 1,
            "gold": self.gold,
            "preset": self.conventions.preset,
            "deviations": self.conventions.deviations(),
            "systems": [
                {
                    "name": system.name,
                    "scores": {name: score.to_dict() for name, score in system.scores.items()},
                }
                for system in self.systems
            ],
            "warnings": [*self.notes, *(w for system in self.systems for w in system.warnings)],
        }
        if self.pairs:
            document["tests"] = [
                {
                    "metric": pair.metric,
                    "systems": [pair.first, pair.second],
                    "difference": pair.difference,
                    "p": pair.p,
                    "adjusted_p": pair.adjusted_p,
                }
                for pair in self.pairs
            ]
        return document


def evaluate(
    gold: Treebank,
    *systems: Treebank,
    metrics: Sequence[str] = (),
    conventions: Conventions | None = None,
    align: bool = False,
    resamples: int = 1000,
    confidence: float = 0.95,
    test: str = "permutation",
    trials: int = 10_000,
    seed: int = 0,
) -> Evaluation:
    """Score systems against gold.

    Parameters
    ----------
    gold, systems : Treebank
        Gold first. Systems need different names if there are several.
    metrics : sequence of str
        Names with cut-offs (`las@10`), or families (`induced-tags`); when missing, everything
        the preset has that the columns allow.
    conventions : Conventions, optional
        The preset conll2018 when missing.
    align : bool
        Align different tokenisations by characters.
    resamples : int
        Bootstrap resamples of sentences for the intervals; 0 for none.
    test : "permutation" or "bootstrap"
        The paired test between every two systems.
    trials : int
        For the tests; 0 for none.

    Raises
    ------
    AlignmentError
        If gold and a system are not about the same words (or text).
    MetricError
        If a metric that was asked for lacks a column.
    """
    if not systems:
        raise MetricError("there is no system to evaluate")
    if test not in ("permutation", "bootstrap"):
        raise MetricError(f"unknown test {test!r}; there are permutation, bootstrap")
    conventions = conventions or Conventions()
    named = _with_different_names(systems)
    specs, notes = _chosen_specs(gold, named, metrics, conventions)
    evaluated = [
        _evaluated(gold, system, specs, conventions, align, resamples, confidence, seed)
        for system in named
    ]
    pairs: list[SystemPair] = []
    if trials and len(evaluated) > 1:
        pairs = [pair for spec in specs for pair in _tests(evaluated, spec, test, trials, seed)]
    return Evaluation(
        gold.name or "gold", tuple(evaluated), tuple(specs), conventions, tuple(pairs), tuple(notes)
    )


def _with_different_names(systems: Sequence[Treebank]) -> list[Treebank]:
    names = [system.name or "system" for system in systems]
    if len(set(names)) < len(names):
        names = [f"{name} ({i})" for i, name in enumerate(names, start=1)]
    return [system.replace(name=name) for system, name in zip(systems, names, strict=True)]


# ---------------------------------------------------------------------- which metrics


def _chosen_specs(
    gold: Treebank, systems: Sequence[Treebank], metrics: Sequence[str], conventions: Conventions
) -> tuple[list[MetricSpec], list[str]]:
    if metrics:
        specs = parse_specs(list(metrics))
        for spec in specs:
            for treebank in (gold, *systems):
                missing = missing_columns(spec.metric, treebank)
                if missing:
                    raise MetricError(
                        f"{spec} needs {', '.join(missing)}, and {treebank.name or 'gold'} has none"
                    )
        return specs, []
    specs = parse_specs(list(DEFAULT_METRICS[conventions.preset]))
    induced = [s.name for s in systems if _has_induced_tags(gold, s)]
    if induced:
        tagging = ("upos", "xpos", "mlas")
        specs = [spec for spec in specs if spec.name not in tagging]
        specs += parse_specs(["induced-tags"])
    chosen = [
        spec
        for spec in specs
        if not any(missing_columns(spec.metric, treebank) for treebank in (gold, *systems))
    ]
    left_out = [str(spec) for spec in specs if spec not in chosen]
    notes = [f"left out for want of columns: {', '.join(left_out)}"] if left_out else []
    if induced:
        notes.append(f"tags of {', '.join(induced)} are not gold's: scored as induced tags")
    if not chosen:
        raise MetricError("gold and system have no annotated column in common: nothing to score")
    return chosen, notes


def missing_columns(metric: Metric, treebank: Treebank) -> list[str]:
    """Return the columns that a metric needs and a treebank lacks; none if it has no words."""
    if not treebank.n_words:
        return []
    return [need.upper() for need in metric.needs if not _has(treebank, need)]


def _has(treebank: Treebank, need: str) -> bool:
    if need == "head":
        return treebank.has_heads
    if need == "tags":
        return treebank.columns[induced_column(treebank)].is_annotated
    return treebank.columns[need].is_annotated


def _has_induced_tags(gold: Treebank, system: Treebank) -> bool:
    """Return whether a system's tags have nothing in common with gold's, nor with UD's."""
    column = induced_column(system)
    tags, gold_tags = system.columns[column], gold.columns[column]
    if not (tags.is_annotated and gold.upos.is_annotated):
        return False
    if column == "upos" and set(tags.counts()) <= UD_TAGS | PETROV_TAGS | {EMPTY}:
        return False
    return not (set(tags.counts()) & {*gold_tags.counts(), *gold.upos.counts()} - {"_"})


# ---------------------------------------------------------------------- scores


def _evaluated(
    gold: Treebank,
    system: Treebank,
    specs: Sequence[MetricSpec],
    conventions: Conventions,
    align: bool,
    resamples: int,
    confidence: float,
    seed: int,
) -> Evaluated:
    statistics: dict[str, Statistics] = {}
    scores: dict[str, Score] = {}
    # Metrics that look at the same words in the same way share one comparison.
    groups: dict[tuple[str, Conventions], list[MetricSpec]] = {}
    for spec in specs:
        own = conventions.for_family(spec.metric.family)
        groups.setdefault((spec.cut_off, own), []).append(spec)
    for (cut_off, own), chosen in groups.items():
        comparison = Comparison(gold, system, own, cut_off=cut_off, by_characters=align)
        found = {str(spec): spec.metric.statistics(comparison) for spec in chosen}
        resampled = _resampled(found, comparison.gold.n_sentences, resamples, seed)
        for spec in chosen:
            name = str(spec)
            signature = _signature(spec, gold, comparison, align)
            scores[name] = _score(spec, found[name], resampled.get(name), signature, confidence)
        statistics.update(found)
    ordered = {str(spec): scores[str(spec)] for spec in specs}
    return Evaluated(system.name, ordered, statistics)


def _resampled(
    statistics: Mapping[str, Statistics], sentences: int, resamples: int, seed: int
) -> dict[str, np.ndarray[Any, Any]]:
    """Return the scores of every resample under every metric."""
    if not resamples or not sentences:
        return {}
    resampler = Resampler(sentences, resamples=resamples, seed=seed)
    counts = {name: s for name, s in statistics.items() if isinstance(s, Counts)}
    scores = {}
    if counts:
        # All tables side by side: the resamples are drawn once.
        sums = resampler.sums(np.hstack([s.per_sentence for s in counts.values()]))
        for i, (name, statistic) in enumerate(counts.items()):
            scores[name] = statistic.score(sums[:, 3 * i : 3 * i + 3])
    for name, other in statistics.items():
        if name not in counts:
            scores[name] = resampler.scores(other.per_sentence, other.score)
    return scores


def _score(
    spec: MetricSpec,
    statistics: Statistics,
    resampled: np.ndarray[Any, Any] | None,
    signature: Signature,
    confidence: float,
) -> Score:
    sums = total(statistics.per_sentence)
    value = float(statistics.score(sums))
    bounds = None if resampled is None else interval(resampled, confidence=confidence)
    details: dict[str, float | None] = {}
    if isinstance(statistics, Counts):
        correct, in_gold, in_system = (float(x) for x in sums)
        if in_gold != in_system:
            details = {
                "precision": correct / in_system if in_system else None,
                "recall": correct / in_gold if in_gold else None,
            }
    undefined = np.isnan(value)
    return Score(
        str(spec),
        None if undefined else value,
        None if bounds is None or undefined else bounds.low,
        None if bounds is None or undefined else bounds.high,
        statistics.size(sums),
        signature,
        is_share=spec.metric.is_share,
        higher_is_better=spec.metric.higher_is_better,
        details=details,
    )


def _signature(spec: MetricSpec, gold: Treebank, comparison: Comparison, align: bool) -> Signature:
    from treegauge import __version__

    fields = comparison.conventions.described()
    if spec.metric.outcome is None:
        # What is not about words is never averaged over sentences.
        fields = [(key, "micro" if key == "average" else value) for key, value in fields]
    fields.append(("len", spec.cut_off.removeprefix("@") or "all"))
    if spec.metric.family == "induced-tags":
        fields.append(("tags", comparison.conventions.tags))
        fields.append(("induced", induced_column(comparison.system)))
    if spec.name == "verb_arguments" and not comparison.system.deprel.is_annotated:
        # Without relations, less is asked: that is another number.
        fields.append(("arguments", "pairs"))
    if align:
        fields.append(("align", "characters"))
    fields.append(("data", f"{gold.name or 'gold'}#{gold.fingerprint[:8]}"))
    fields.append(("v", __version__))
    return Signature(spec.name, tuple(fields))


# ---------------------------------------------------------------------- tests


def _tests(
    systems: Sequence[Evaluated], spec: MetricSpec, test: str, trials: int, seed: int
) -> list[SystemPair]:
    name = str(spec)
    found = []
    for first, second in combinations(systems, 2):
        a, b = first.statistics[name], second.statistics[name]
        if not isinstance(a, (Counts, MeanOfSentences)):
            # Tables of two systems have different cells, so that nothing can be swapped.
            result = _bootstrap_of_different_tables(a, b, trials, seed)
        elif test == "bootstrap":
            result = paired_bootstrap(
                a.per_sentence, b.per_sentence, a.score, resamples=trials, seed=seed
            )
        else:
            result = paired_permutation(
                a.per_sentence, b.per_sentence, a.score, trials=trials, seed=seed
            )
        found.append((first.name, second.name, result))
    tested = [result.p for _, _, result in found if result.p is not None]
    adjusted = iter(holm(tested).tolist() if tested else [])
    return [
        SystemPair(
            name,
            first,
            second,
            result.difference,
            result.p,
            next(adjusted) if result.p is not None else None,
        )
        for first, second, result in found
    ]


def _bootstrap_of_different_tables(
    a: Statistics, b: Statistics, trials: int, seed: int
) -> PairedTest:
    """Test two systems whose statistics have different columns, side by side in one table."""
    first = sparse.csr_array(a.per_sentence)
    second = sparse.csr_array(b.per_sentence)
    width = first.shape[1]

    def score(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        mine, theirs = sums[..., :width], sums[..., width:]
        is_first = theirs.sum(axis=-1) == 0
        return np.where(is_first, a.score(mine), b.score(theirs))

    nothing_a = sparse.csr_array(first.shape)
    nothing_b = sparse.csr_array(second.shape)
    return paired_bootstrap(
        sparse.hstack([first, nothing_b], format="csr"),
        sparse.hstack([nothing_a, second], format="csr"),
        score,
        resamples=trials,
        seed=seed,
    )
