"""Scores of systems against gold, the statistics they come from, and tests between systems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.evaluation.resampling import Resampling, adjusted
from treegauge.evaluation.score_intervals import NO_INTERVAL, PERCENTILE, intervals_of
from treegauge.metrics import (
    RATIOS,
    Comparison,
    Conventions,
    Counts,
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
    BesideNothing,
    ChunkedTable,
    Interval,
    PairedTest,
    paired_bootstrap,
)
from treegauge.treebank import (
    EMPTY,
    PETROV_TAGS,
    UD_TAGS,
    Repairs,
    Treebank,
    TreeFlaw,
    generator_of,
    tree_flaws,
    words_on_cycles,
)
from treegauge.wording import counted

DEFAULT_METRICS = {
    "conll2018": (
        *("uas", "las", "clas", "mlas", "blex", "upos", "xpos", "feats", "lemma"),
        *("undirected", "ned", "exact_match", "root"),
    ),
    "conll2006": ("uas", "las", "label", "upos", "xpos", "exact_match", "root"),
    "pascal": ("uas", "undirected", "ned", "uas@10", "undirected@10", "ned@10"),
}
"""What is computed where nobody says what to compute, as far as the columns are there."""

GENERATED_BY = "system"
"""The field of a signature with the versions of the tool and the model that were scored."""


@dataclass(frozen=True)
class Evaluated:
    """The scores of one system, and the statistics behind them.

    Attributes
    ----------
    name : str
        The name of the system.
    scores : mapping from str to Score
        Scores by metric, such as `uas` or `uas@10`.
    statistics : mapping from str to Statistics
        Statistics per sentence, by metric. Scores, intervals and tests are computed from them.
    warnings : tuple of str
        What is unusual about its output, such as cycles.
    repairs : Repairs or None
        What was repaired in its output; None without repair.

    Examples
    --------
    >>> import treegauge as tg
    >>> gold = tg.toy_treebank(tokens=1000)
    >>> output = tg.make_system("left-branching").annotate(gold).replace(name="left")
    >>> (system,) = tg.evaluate(gold, output, metrics="uas", resamples=0).systems
    >>> system.name, round(system.scores["uas"].value, 4)
    ('left', 0.3224)
    >>> system.statistics["uas"].per_sentence.shape[0] == gold.n_sentences
    True
    """

    name: str
    scores: Mapping[str, Score]
    statistics: Mapping[str, Statistics] = field(repr=False)
    warnings: tuple[str, ...] = ()
    repairs: Repairs | None = field(default=None, repr=False)


@dataclass(frozen=True)
class SystemPair:
    """A paired test of two systems under one metric.

    Attributes
    ----------
    metric : str
        The metric, such as `uas` or `uas@10`.
    first, second : str
        The names of the systems.
    difference : float or None
        The score of the second minus that of the first; None if one has no score.
    p : float or None
        The p-value; None if no test was made.
    adjusted_p : float or None
        The p-value after Holm's correction over all pairs of systems under this metric.

    Examples
    --------
    >>> import treegauge as tg
    >>> gold = tg.toy_treebank(tokens=1000)
    >>> names = ("left-branching", "right-branching")
    >>> outputs = [tg.make_system(name).annotate(gold).replace(name=name) for name in names]
    >>> (pair,) = tg.evaluate(gold, *outputs, metrics="uas", resamples=0, trials=100).pairs
    >>> pair.names
    ('left-branching', 'right-branching')
    >>> sorted(pair.to_dict())
    ['adjusted_p', 'difference', 'metric', 'p', 'systems']
    """

    metric: str
    first: str
    second: str
    difference: float | None
    p: float | None
    adjusted_p: float | None

    @property
    def names(self) -> tuple[str, str]:
        """The names of the first and the second system."""
        return self.first, self.second

    def to_dict(self) -> dict[str, Any]:
        """Return the test as in JSON output.

        Returns
        -------
        dict
            `metric`, `systems`, `difference`, `p` and `adjusted_p`.
        """
        return {
            "metric": self.metric,
            "systems": list(self.names),
            "difference": self.difference,
            "p": self.p,
            "adjusted_p": self.adjusted_p,
        }


def different_names(names: Sequence[str]) -> list[str]:
    """Return names of systems, with numbers if some are the same."""
    if len(set(names)) < len(names):
        return [f"{name} ({i})" for i, name in enumerate(names, start=1)]
    return list(names)


# ---------------------------------------------------------------------- which metrics


def chosen_specs(
    gold: Treebank, systems: Sequence[Treebank], metrics: Sequence[str], conventions: Conventions
) -> tuple[list[MetricSpec], list[str]]:
    """Return the metrics to score by, and what is to be said of those that are left out."""
    repaired = [s.name for s in systems if s.repairs and not s.repairs.spares_all_words]
    if metrics:
        specs = parse_specs(list(metrics))
        for spec in specs:
            if repaired and not _judges_words(spec):
                raise MetricError(
                    f"{spec} does not score single words, and words of {', '.join(repaired)} were "
                    "repaired\n  without --repair, or with metrics such as upos and uas"
                )
            for treebank in (gold, *systems):
                require_columns(spec, treebank)
        return specs, []
    specs = parse_specs(list(DEFAULT_METRICS[conventions.preset]))
    induced = [s.name for s in systems if has_induced_tags(gold, s)]
    if induced:
        tagging = ("upos", "xpos", "mlas")
        specs = [spec for spec in specs if spec.name not in tagging]
        specs += parse_specs(["induced-tags"])
    chosen = [
        spec
        for spec in specs
        if not missing_columns(spec.metric, gold)
        and not all(missing_columns(spec.metric, system) for system in systems)
    ]
    left_out = [str(spec) for spec in specs if spec not in chosen]
    undecided = [str(spec) for spec in chosen if repaired and not _judges_words(spec)]
    chosen = [spec for spec in chosen if str(spec) not in undecided]
    notes = [f"left out because columns are missing: {', '.join(left_out)}"] if left_out else []
    if undecided:
        notes.append(f"left out because words were repaired: {', '.join(undecided)}")
    notes += [note for system in systems if (note := _note_on_missing(system, chosen))]
    if induced:
        notes.append(f"{', '.join(induced)}: not gold's tag set, so scored as induced tags")
    if not chosen:
        raise MetricError("gold and system have no annotated column in common: nothing to score")
    return chosen, notes


def _judges_words(spec: MetricSpec) -> bool:
    """Return whether a repaired word can be wrong under a metric."""
    return spec.metric.outcome is not None or spec.metric.unit == "sentences"


def _note_on_missing(system: Treebank, specs: Sequence[MetricSpec]) -> str:
    """Return which metrics a system has no score for, though others have one."""
    missing = {str(spec): missing_columns(spec.metric, system) for spec in specs}
    columns = dict.fromkeys(column for own in missing.values() for column in own)
    metrics = [metric for metric, own in missing.items() if own]
    if not metrics:
        return ""
    return f"{system.name} has no {', '.join(columns)}, and no score for {', '.join(metrics)}"


def require_columns(spec: MetricSpec, treebank: Treebank) -> None:
    """Raise unless a treebank has what a metric needs."""
    if missing := missing_columns(spec.metric, treebank):
        raise MetricError(
            f"{spec} needs {', '.join(missing)}, and {treebank.name or 'gold'} has none"
        )


def missing_columns(metric: Metric, treebank: Treebank) -> list[str]:
    """Return the columns that a metric needs and a treebank lacks; none if it has no words."""
    if not treebank.n_words:
        return []
    return [need.upper() for need in metric.needs if not _has(treebank, need)]


def _has(treebank: Treebank, need: str) -> bool:
    repairs = treebank.repairs
    if repairs is not None and repairs.word.all():
        return True  # nothing could be read: all is wrong
    if need == "head":
        return treebank.has_heads or (repairs is not None and bool(repairs.head.any()))
    if need == "tags":
        return treebank.columns[induced_column(treebank)].is_annotated
    return treebank.columns[need].is_annotated


def has_induced_tags(gold: Treebank, system: Treebank) -> bool:
    """Return whether a system's tags have nothing in common with gold's, nor with UD's."""
    column = induced_column(system)
    tags, gold_tags = system.columns[column], gold.columns[column]
    if not (tags.is_annotated and gold.upos.is_annotated):
        return False
    if column == "upos" and set(tags.counts()) <= UD_TAGS | PETROV_TAGS | {EMPTY}:
        return False
    return not (set(tags.counts()) & {*gold_tags.counts(), *gold.upos.counts()} - {"_"})


# ---------------------------------------------------------------------- scores


def score_system(
    gold: Treebank,
    system: Treebank,
    specs: Sequence[MetricSpec],
    conventions: Conventions,
    align: bool,
    resampling: Resampling,
    references: Sequence[Treebank] = (),
) -> Evaluated:
    """Score one system by all metrics; one that it lacks the columns for has no value."""
    statistics: dict[str, Statistics] = {}
    scores: dict[str, Score] = {}
    groups = in_groups(specs, conventions)
    data = _fingerprinted(gold)
    for (cut_off, own), chosen in groups.items():
        comparison = Comparison(
            gold, system, own, cut_off=cut_off, by_characters=align, references=references
        )
        own_statistics = {
            str(spec): spec.metric.statistics(comparison)
            for spec in chosen
            if not missing_columns(spec.metric, system)
        }
        intervals = intervals_of(own_statistics, comparison.gold.n_sentences, resampling)
        for spec in chosen:
            name = str(spec)
            found = intervals.get(name, NO_INTERVAL)
            signature = signature_of(
                spec, comparison, align, generator_of(system), data, interval=found.kind
            )
            scores[name] = score_of(spec, own_statistics.get(name), found.ends, signature)
        statistics.update(own_statistics)
    ordered = {str(spec): scores[str(spec)] for spec in specs}
    flaws = flaws_of_trees(system) if system.repairs is None else repairs_in_words(system)
    return Evaluated(system.name, ordered, statistics, flaws, system.repairs)


def _fingerprinted(gold: Treebank) -> str:
    return f"{gold.name or 'gold'}#{gold.fingerprint[:8]}"


def in_groups(
    specs: Sequence[MetricSpec], conventions: Conventions
) -> dict[tuple[str, Conventions], list[MetricSpec]]:
    """Return the metrics that look at the same words in the same way, and share a comparison."""
    groups: dict[tuple[str, Conventions], list[MetricSpec]] = {}
    for spec in specs:
        own = conventions.for_family(spec.metric.family)
        groups.setdefault((spec.cut_off, own), []).append(spec)
    return groups


def flaws_of_trees(system: Treebank) -> tuple[str, ...]:
    """Return what is no tree in a system's output and costs it points, in one line or none."""
    flaws = described_flaws(system)
    return (f"{system.name}: {flaws}: counted as wrong",) if flaws else ()


def repairs_in_words(system: Treebank) -> tuple[str, ...]:
    """Return what was repaired in a system's output, in one line."""
    repairs = system.repairs
    if repairs is None:
        return ()
    if not repairs.counts:
        return (f"{system.name}: nothing to repair",)
    kinds = ", ".join(
        f"{kind.removeprefix('repaired-')} {number:,}" for kind, number in repairs.counts
    )
    surplus = int(repairs.surplus.sum())
    more = f" and {counted(surplus, 'surplus word')}" if surplus else ""
    wrong = f"{counted(repairs.n_words, 'word')}{more} wrong for it"
    return (f"{system.name}: repaired {kinds}; {wrong}",)


def described_flaws(system: Treebank) -> str:
    """Return what is no tree in a system's output, in words; empty where all are trees.

    >>> from treegauge import toy_treebank
    >>> described_flaws(toy_treebank(tokens=100))
    ''
    """
    flaws = FlawCounts()
    flaws.add(system)
    return str(flaws)


class FlawCounts:
    """How many sentences are no trees, and why; `str` says it in words."""

    def __init__(self) -> None:
        self.words_on_cycles = 0
        self.sentences: Counter[TreeFlaw] = Counter()

    def add(self, system: Treebank) -> None:
        """Count the flaws of a treebank, or of a part of it."""
        if not system.has_heads:
            return
        flaws = tree_flaws(system)
        self.words_on_cycles += int(words_on_cycles(system).sum())
        for flaw in (TreeFlaw.CYCLE, TreeFlaw.OUTSIDE, TreeFlaw.PARTLY_ANNOTATED):
            self.sentences[flaw] += int(np.count_nonzero(flaws & flaw))

    def __str__(self) -> str:
        kinds = {
            f"cycles of {counted(self.words_on_cycles, 'word')}": TreeFlaw.CYCLE,
            "heads outside the sentence": TreeFlaw.OUTSIDE,
            "words without a head": TreeFlaw.PARTLY_ANNOTATED,
        }
        return ", ".join(
            f"{kind} in {counted(self.sentences[flaw], 'sentence')}"
            for kind, flaw in kinds.items()
            if self.sentences[flaw]
        )


def score_of(
    spec: MetricSpec, statistics: Statistics | None, bounds: Interval | None, signature: Signature
) -> Score:
    """Return the score of statistics with its interval; without a value if there are none."""
    nothing = Score(
        str(spec),
        None,
        None,
        None,
        0,
        signature,
        is_share=spec.metric.is_share,
        higher_is_better=spec.metric.higher_is_better,
    )
    if statistics is None:
        return nothing
    sums = total(statistics.per_sentence)
    value = float(statistics.score(sums))
    details: dict[str, float | None] = {}
    if isinstance(statistics, Counts):
        correct, in_gold, in_system = (float(x) for x in sums)
        if in_gold != in_system:
            details = {
                "precision": correct / in_system if in_system else None,
                "recall": correct / in_gold if in_gold else None,
            }
    size = statistics.size(sums)
    if np.isnan(value):
        return replace(nothing, n=size, details=details)
    low, high = bounds or (None, None)
    return replace(nothing, value=value, low=low, high=high, n=size, details=details)


def signature_of(
    spec: MetricSpec,
    comparison: Comparison,
    align: bool,
    generator: str,
    data: str,
    *,
    interval: str = PERCENTILE,
) -> Signature:
    """Return how a score was made, of which data."""
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
    if spec.metric.uses_references and comparison.given_references:
        others = "+".join(map(_fingerprinted, comparison.given_references))
        fields.append(("references", others.replace("|", "/")))
    if comparison.system.repairs is not None:
        fields.append(("repair", "yes"))
    if interval != PERCENTILE:
        fields.append(("interval", interval))
    if generator:
        # A bar would divide fields.
        fields.append((GENERATED_BY, generator.replace("|", "/")))
    fields.append(("data", data))
    fields.append(("v", __version__))
    return Signature(spec.name, tuple(fields))


# ---------------------------------------------------------------------- tests


def tests_of_pairs(
    systems: Sequence[Evaluated], spec: MetricSpec, resampling: Resampling
) -> list[SystemPair]:
    """Test every two systems under one metric."""
    name = str(spec)
    tested = [one for one in systems if name in one.statistics and not one.scores[name].given]
    pairs = list(combinations(tested, 2))
    results = []
    for first, second in pairs:
        a, b = first.statistics[name], second.statistics[name]
        if isinstance(a, RATIOS):
            results.append(resampling.paired_test(a.per_sentence, b.per_sentence, a.score))
        else:
            # Tables of two systems have different cells, so that nothing can be swapped.
            results.append(_bootstrap_of_different_tables(a, b, resampling.trials, resampling.seed))
    corrected = adjusted([result.p for result in results])
    return [
        SystemPair(name, first.name, second.name, result.difference, result.p, adjusted_p)
        for (first, second), result, adjusted_p in zip(pairs, results, corrected, strict=True)
    ]


def _bootstrap_of_different_tables(
    a: Statistics, b: Statistics, trials: int, seed: int
) -> PairedTest:
    """Test two systems whose statistics have different columns, side by side in one table."""
    first, second = _in_other_columns(a.per_sentence, b.per_sentence)
    width = a.per_sentence.shape[1]

    def score(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        mine, theirs = sums[..., :width], sums[..., width:]
        is_first = theirs.sum(axis=-1) == 0
        return np.where(is_first, a.score(mine), b.score(theirs))

    return paired_bootstrap(first, second, score, resamples=trials, seed=seed)


def _in_other_columns(a: Any, b: Any) -> tuple[Any, Any]:
    """Return two tables of one width, which have nothing in the same column."""
    if isinstance(a, ChunkedTable):
        behind, before = b.shape[1], a.shape[1]
        return BesideNothing(a, behind=behind), BesideNothing(b, before=before)
    from scipy import sparse

    first, second = sparse.csr_array(a), sparse.csr_array(b)
    nothing_a, nothing_b = sparse.csr_array(first.shape), sparse.csr_array(second.shape)
    return (
        sparse.hstack([first, nothing_b], format="csr"),
        sparse.hstack([nothing_a, second], format="csr"),
    )
