"""What dictionaries say about taggers, over treebanks: the numbers of the paper, and calibration.

Numbers of the paper are computed in its way; what is behind ± is 1.96 standard errors, over
taggers in a row of the table and over treebanks in its last row. Estimates are calibrated on the
other languages (`treegauge.dictionaries.calibration`) and held against the mean of these, which is
hard to beat for supervised taggers: they are all much the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from treegauge.dictionaries import (
    ESTIMATORS,
    DictionaryError,
    Record,
    pooled_test,
    precision_at_1,
    regret,
    required_sentences,
    validate,
)
from treegauge.dictionaries.published import PublishedRow, published_table
from treegauge.dictionaries.quality import harmonic_mean
from treegauge.dictionaries.ranking import top
from treegauge.papers.tagger_evaluation.experiment import (
    ANY_TAG,
    AS_TAGGERS,
    CROSS_LINGUAL,
    GOLD,
    GOLD_TRANS,
    GROUPS,
    SUPERVISED,
    TRANS,
    D,
    TaggedTreebank,
    TaggerEvaluation,
)
from treegauge.significance import Correlation, correlation, kendall_tau_b

_LEAST_ACCURACY = 0.2
"""Of corrupted taggers that calibration learns from: nobody uses worse ones."""
_LANGUAGES_FOR_INTERVALS = 10
"""One that is left out and the nine that an interval of 90% needs."""
_TRIALS_OF_MANY = 1000
"""Of permutation tests with twenty corrupted taggers a treebank."""

DEVELOPMENT = frozenset(row.code for row in published_table() if row.dev)
"""The paper's development languages."""


def published_row(iso: str) -> PublishedRow | None:
    """Return the row of a language in the paper's Table 1."""
    return next((row for row in published_table() if row.code == iso), None)


def mean_of(values: Sequence[float]) -> tuple[float, float | None]:
    """Return a mean and 1.96 standard errors, None of a single value.

    >>> mean_of([1.0, 2.0, 3.0])
    (2.0, 1.1316065276116665)
    """
    spread = None
    if len(values) > 1:
        spread = float(1.96 * np.std(values, ddof=1) / math.sqrt(len(values)))
    return float(np.mean(values)), spread


# ---------------------------------------------------------------------- scores and Table 1


@dataclass(frozen=True)
class Scores:
    """Of the taggers of one group on a treebank, by gold and by a dictionary."""

    taggers: tuple[str, ...]
    true: tuple[float, ...]
    soft: tuple[float, ...]

    @property
    def error(self) -> float:
        """|A_true - A_soft|, both means over taggers."""
        return abs(float(np.mean(self.true) - np.mean(self.soft)))

    @property
    def precision_at_1(self) -> float:
        """Whether the dictionary finds the best tagger."""
        return precision_at_1(self.true, self.soft)

    @property
    def tau(self) -> float | None:
        """Kendall's tau-b of both orders."""
        return kendall_tau_b(self.true, self.soft)


def scores_of(one: TaggedTreebank, group: str, kind: str) -> Scores | None:
    """Return the scores of a group by a dictionary; None where nobody is or nothing is covered."""
    records = one.records.get((group, kind), ())
    pairs = [
        (record.tagger, record.gold.accuracy, record.soft.value)
        for record in records
        if record.gold is not None
    ]
    if not pairs or any(true is None or soft is None for _, true, soft in pairs):
        return None
    taggers, true, soft = zip(*pairs, strict=True)
    return Scores(taggers, true, soft)


@dataclass(frozen=True)
class DictionaryRow:
    """What one dictionary says of the supervised taggers of a treebank."""

    forms: int
    precision: float | None
    recall: float | None
    f1: float | None
    coverage: float | None
    ceiling: float | None
    score: float
    score_ci: float | None
    difference: float
    """Of means over taggers: the dictionary's score less A_true."""
    precision_at_1: float
    tau: float | None


@dataclass(frozen=True)
class TableRow:
    """A treebank in our Table 1."""

    treebank: str
    iso: str
    taggers: int
    a_true: float
    a_true_ci: float | None
    by: Mapping[str, DictionaryRow]
    """By dictionary: D, and D_trans and G where they cover something."""


def table_rows(found: TaggerEvaluation) -> list[TableRow]:
    """Return Table 1 for our data: shares, means over supervised taggers."""
    rows = []
    for one in found.treebanks:
        by = {
            kind: row
            for kind in (D, TRANS, GOLD)
            if (row := _dictionary_row(one, kind)) is not None
        }
        true = [record.gold.accuracy for record in one.records[SUPERVISED, D] if record.gold]
        mean, spread = mean_of([value for value in true if value is not None])
        rows.append(TableRow(one.name, one.iso, len(true), mean, spread, by))
    return rows


def _dictionary_row(one: TaggedTreebank, kind: str) -> DictionaryRow | None:
    scores = scores_of(one, SUPERVISED, kind)
    if scores is None:
        return None
    record = one.records[SUPERVISED, kind][0]
    quality = one.quality.get(kind)
    score, spread = mean_of(scores.soft)
    return DictionaryRow(
        record.conditions.forms,
        quality.precision if quality else None,
        quality.recall if quality else None,
        quality.f1 if quality else None,
        record.soft.coverage,
        record.gold.ceiling if record.gold else None,
        score,
        spread,
        score - float(np.mean(scores.true)),
        scores.precision_at_1,
        scores.tau,
    )


# ---------------------------------------------------------------------- prediction of scores


@dataclass(frozen=True)
class ErrorCorrelation:
    """What the error of a dictionary's score goes with, over treebanks."""

    treebanks: str
    """All, or those of the paper's development languages."""
    dictionary: str
    variable: str
    correlation: Correlation


def error_correlations(found: TaggerEvaluation) -> list[ErrorCorrelation]:
    """Correlate |A_true - A_soft| with the F1 and the coverage of dictionaries."""
    rows = table_rows(found)
    groups = {"all": rows, "development languages": [r for r in rows if r.iso in DEVELOPMENT]}
    variables: Mapping[str, Callable[[DictionaryRow], float | None]] = {
        "F1": lambda row: row.f1,
        "coverage": lambda row: row.coverage,
    }
    made = []
    for name, members in groups.items():
        if name != "all" and (len(members) < 3 or len(members) == len(rows)):
            continue
        for kind in (D, TRANS):
            chosen = [row.by[kind] for row in members if kind in row.by]
            for variable, value in variables.items():
                x = np.array([value(row) for row in chosen], np.float64)
                errors = [abs(row.difference) for row in chosen]
                made.append(
                    ErrorCorrelation(
                        name,
                        kind,
                        variable,
                        correlation(x, errors, resamples=found.settings.resamples),
                    )
                )
    return made


@dataclass(frozen=True)
class Direction:
    """Whether a dictionary finds taggers worse or better than they are."""

    dictionary: str
    treebanks: int
    under: int
    over: int
    difference: float
    """Mean of the dictionary's score less A_true."""


def directions(found: TaggerEvaluation) -> list[Direction]:
    """Count where D, D_trans and G under- and overestimate the mean of the taggers."""
    made = []
    for kind in (D, TRANS, GOLD):
        values = [row.by[kind].difference for row in table_rows(found) if kind in row.by]
        if values:
            under, over = sum(value < 0 for value in values), sum(value > 0 for value in values)
            made.append(Direction(kind, len(values), under, over, float(np.mean(values))))
    return made


def closer_translated(found: TaggerEvaluation) -> tuple[list[str], int]:
    """Return the treebanks in which A_trans is nearer to A_true than A_soft, and of how many."""
    both = [row for row in table_rows(found) if D in row.by and TRANS in row.by]
    nearer = [
        row.treebank for row in both if abs(row.by[TRANS].difference) < abs(row.by[D].difference)
    ]
    return nearer, len(both)


@dataclass(frozen=True)
class TranslatedQuality:
    """How good translated dictionaries are, over treebanks that have both kinds."""

    dictionary: str
    treebanks: int
    precision: float
    recall: float
    f1_of_means: float | None
    """Of mean precision and mean recall, as in the paper."""
    mean_f1: float


def translated_qualities(found: TaggerEvaluation) -> list[TranslatedQuality]:
    """Compare D_trans with G_trans, the translated dictionary of an English training set."""
    made = []
    for kind in (TRANS, GOLD_TRANS):
        known = [
            (q.precision, q.recall, q.f1)
            for one in found.treebanks
            if (q := one.quality.get(kind)) is not None
            and q.precision is not None
            and q.recall is not None
            and q.f1 is not None
        ]
        if known:
            precision, recall, f1 = (float(np.mean(column)) for column in zip(*known, strict=True))
            made.append(
                TranslatedQuality(
                    kind, len(known), precision, recall, harmonic_mean(precision, recall), f1
                )
            )
    return made


# ---------------------------------------------------------------------- rankings


@dataclass(frozen=True)
class GroupRanking:
    """How a dictionary ranks the taggers of a group, over treebanks."""

    group: str
    dictionary: str
    treebanks: int
    taggers: float
    """A treebank, on average."""
    accuracy: float
    """Mean A_true."""
    found: float
    """Treebanks in which the best tagger was found; ties count in part."""
    found_in_best_group: float | None
    """The same with every tagger right that gold cannot tell from the best; supervised only."""
    regret: float
    """Mean accuracy that is lost by believing the dictionary."""
    tau: float | None
    """Mean tau-b of the treebanks that have one."""
    p: float | None
    """Of the mean tau, orders permuted within treebanks."""


def group_rankings(found: TaggerEvaluation) -> list[GroupRanking]:
    """Rank supervised, cross-lingual and corrupted taggers by D and by D_trans."""
    made = []
    for group in GROUPS:
        for kind in (D, TRANS):
            scores = {
                one.name: of
                for one in found.treebanks
                if (of := scores_of(one, group, kind)) is not None and len(of.taggers) > 1
            }
            if scores:
                made.append(_group_ranking(found, group, kind, scores))
    return made


def _group_ranking(
    found: TaggerEvaluation, group: str, kind: str, scores: Mapping[str, Scores]
) -> GroupRanking:
    in_group = None
    if group == SUPERVISED:
        in_group = sum(
            _share_in(of, one.best_taggers)
            for one in found.treebanks
            if (of := scores.get(one.name)) is not None
        )
    trials = found.settings.trials
    if group in (ANY_TAG, AS_TAGGERS):
        trials = min(trials, _TRIALS_OF_MANY)
    tau = p = None
    try:
        pooled = pooled_test(
            {name: (of.true, of.soft) for name, of in scores.items()},
            trials=trials,
            seed=found.settings.seed,
        )
        tau, p = pooled.mean_tau, pooled.p
    except DictionaryError:
        pass  # all taggers are tied everywhere: there is no tau
    return GroupRanking(
        group,
        kind,
        len(scores),
        float(np.mean([len(of.taggers) for of in scores.values()])),
        float(np.mean([np.mean(of.true) for of in scores.values()])),
        sum(of.precision_at_1 for of in scores.values()),
        in_group,
        float(np.mean([regret(of.true, of.soft) for of in scores.values()])),
        tau,
        p,
    )


def _share_in(scores: Scores, best: Sequence[str]) -> float:
    """Return the share of the predicted best, usually one, that are among the truly best."""
    first = top(scores.soft)
    among = [name in best for name, is_first in zip(scores.taggers, first, strict=True) if is_first]
    return sum(among) / len(among)


# ---------------------------------------------------------------------- corruption


@dataclass(frozen=True)
class CorruptionCorrelation:
    """Whether better taggers are harder to estimate."""

    group: str
    treebanks: int
    pooled: Correlation
    """Of |A_true - A_soft| and A_true over all treebanks and levels; levels of one treebank hang
    together, so that interval and p are too sure."""
    mean: float | None
    """Of the treebanks' own coefficients."""
    low: float | None
    high: float | None
    """The least and the greatest of these."""


def corruption_correlations(found: TaggerEvaluation) -> list[CorruptionCorrelation]:
    """Correlate error and accuracy over corrupted taggers."""
    made = []
    for group in (ANY_TAG, AS_TAGGERS):
        curves = [one.corruption[group] for one in found.treebanks]
        points = [point for curve in curves for point in curve.points if point.error is not None]
        own = [curve.correlation for curve in curves if curve.correlation is not None]
        made.append(
            CorruptionCorrelation(
                group,
                len(curves),
                correlation(
                    [point.true for point in points],
                    np.array([point.error for point in points], np.float64),
                    resamples=found.settings.resamples,
                ),
                float(np.mean(own)) if own else None,
                min(own, default=None),
                max(own, default=None),
            )
        )
    return made


# ---------------------------------------------------------------------- held-out sentences


@dataclass(frozen=True)
class HeldOutSize:
    """How many annotated sentences rank the supervised taggers as well as a dictionary."""

    dictionary: str
    measure: str
    """P@1: as often as the dictionary over all treebanks; tau: as well as it does here."""
    sentences: Mapping[str, int | None]
    """By treebank; None where even the largest sample is worse."""
    mean: float | None
    deviation: float | None
    """Standard deviation over treebanks."""
    correlation: Correlation
    """Of the number of sentences and the mean A_true."""


def held_out_sizes(found: TaggerEvaluation) -> list[HeldOutSize]:
    """Return the sentences that are needed, by both readings, for A_soft and A_trans."""
    made = []
    for kind in (D, TRANS):
        scores = {
            one.name: (one, of)
            for one in found.treebanks
            if (of := scores_of(one, SUPERVISED, kind)) is not None and len(of.taggers) > 1
        }
        if not scores:
            continue
        reached = float(np.mean([of.precision_at_1 for _, of in scores.values()]))
        by_precision = {
            name: required_sentences(one.held_out, precision_at_1=reached)
            for name, (one, _) in scores.items()
        }
        by_tau = {
            name: required_sentences(one.held_out, tau=of.tau)
            for name, (one, of) in scores.items()
            if of.tau is not None
        }
        for measure, sentences in (("P@1", by_precision), ("tau", by_tau)):
            known = [size for size in sentences.values() if size is not None]
            true = [float(np.mean(scores[name][1].true)) for name in sentences]
            made.append(
                HeldOutSize(
                    kind,
                    measure,
                    sentences,
                    float(np.mean(known)) if known else None,
                    float(np.std(known, ddof=1)) if len(known) > 1 else None,
                    correlation(
                        np.array(list(sentences.values()), np.float64),
                        true,
                        resamples=found.settings.resamples,
                    ),
                )
            )
    return made


# ---------------------------------------------------------------------- calibration


@dataclass(frozen=True)
class Calibrated:
    """How far estimates are from A_true in languages that were left out."""

    dictionary: str
    learnt_from: str
    tested_on: str
    estimator: str
    languages: int
    mae: float
    """Mean absolute error; languages weigh alike."""
    bias: float
    """Estimate less truth."""
    mae_of_mean: float
    """Of predicting the mean A_true that such taggers have in the other languages."""
    interval_coverage: float | None
    """Of 90% intervals, where there are languages enough for one."""


MIXED = "all taggers"
"""Supervised, cross-lingual, and corrupted as taggers err."""
_MEAN = "constant"


def calibrations(found: TaggerEvaluation) -> list[Calibrated]:
    """Estimate A_true of every language from the others, by all estimators."""
    made: list[Calibrated] = []
    for kind in (D, TRANS):
        groups = _pools(found, kind)
        for learnt_from, tested_on in (
            (MIXED, MIXED),
            *((MIXED, group) for group in groups if group != MIXED),
            (SUPERVISED, SUPERVISED),
        ):
            pool, records = groups.get(learnt_from, []), groups.get(tested_on, [])
            if min(len(_languages(pool)), len(_languages(records))) < 2:
                continue
            of_mean, _ = _errors(records, left_out_estimates(records, _MEAN))
            for estimator in ESTIMATORS:
                if estimator == _MEAN:
                    continue
                mae, bias = _errors(records, left_out_estimates(pool, estimator))
                coverage = None
                if learnt_from == tested_on and len(_languages(pool)) >= _LANGUAGES_FOR_INTERVALS:
                    coverage = validate(pool, estimator=estimator).interval_coverage
                made.append(
                    Calibrated(
                        kind,
                        learnt_from,
                        tested_on,
                        estimator,
                        len(_languages(records)),
                        mae,
                        bias,
                        of_mean,
                        coverage,
                    )
                )
    return made


def _languages(records: Sequence[Record]) -> list[str]:
    return list(dict.fromkeys(record.conditions.language for record in records))


def left_out_estimates(records: Sequence[Record], estimator: str) -> dict[Record, float]:
    """Return for every record the A_true that is learnt from the other languages."""
    estimates = {}
    for language in _languages(records):
        rest = [record for record in records if record.conditions.language != language]
        model = ESTIMATORS[estimator]().fit(rest)
        for record in records:
            if record.conditions.language == language:
                estimates[record] = model.estimate(record)
    return estimates


def _pools(found: TaggerEvaluation, kind: str) -> dict[str, list[Record]]:
    """Return the records of each group, and of all, that can be estimated and are worth it."""
    pools: dict[str, list[Record]] = {}
    for group in (SUPERVISED, CROSS_LINGUAL, AS_TAGGERS):
        pools[group] = [
            record
            for one in found.treebanks
            for record in one.records.get((group, kind), ())
            if record.soft.value is not None
            and record.gold is not None
            and record.gold.accuracy is not None
            and (group != AS_TAGGERS or _LEAST_ACCURACY <= record.gold.accuracy < 1)
        ]
    return {**pools, MIXED: [record for records in pools.values() for record in records]}


def _errors(records: Sequence[Record], estimates: Mapping[Record, float]) -> tuple[float, float]:
    """Return the mean absolute and the mean error, every language with the same weight."""
    by_language: dict[str, list[float]] = {}
    for record in records:
        if record.gold is not None and record.gold.accuracy is not None:
            errors = by_language.setdefault(record.conditions.language, [])
            errors.append(estimates[record] - record.gold.accuracy)
    return (
        float(np.mean([np.abs(errors).mean() for errors in by_language.values()])),
        float(np.mean([np.mean(errors) for errors in by_language.values()])),
    )


# ---------------------------------------------------------------------- all of it


def document(found: TaggerEvaluation) -> dict[str, Any]:
    """Return everything as JSON has it."""
    nearer, of = closer_translated(found)
    return {
        "schema": 1,
        "treebanks": [
            {
                "treebank": one.name,
                "language": one.iso,
                "release": one.release,
                "train_sentences": one.train_sentences,
                "train_tokens": one.train_tokens,
                "test_sentences": one.test_sentences,
                "test_tokens": one.test_tokens,
                "dictionary": one.dictionary,
                "english": one.english,
                "quality": {kind: q.to_dict() for kind, q in one.quality.items()},
                "best_taggers": list(one.best_taggers),
                "records": [
                    {"group": group, "by": kind, **record.to_dict()}
                    for (group, kind), records in one.records.items()
                    for record in records
                ],
                "curves": {
                    kind: [asdict(point) for point in points] for kind, points in one.curves.items()
                },
                "corruption": {group: asdict(curve) for group, curve in one.corruption.items()},
                "held_out": [asdict(point) for point in one.held_out],
            }
            for one in found.treebanks
        ],
        "table": [asdict(row) for row in table_rows(found)],
        "error_correlations": [_with_correlation(row) for row in error_correlations(found)],
        "directions": [asdict(row) for row in directions(found)],
        "closer_translated": {"treebanks": nearer, "of": of},
        "translated": [asdict(row) for row in translated_qualities(found)],
        "rankings": [asdict(row) for row in group_rankings(found)],
        "corruption": [asdict(row) for row in corruption_correlations(found)],
        "held_out": [_with_correlation(row) for row in held_out_sizes(found)],
        "calibration": [asdict(row) for row in calibrations(found)],
        "left_out": dict(found.left_out),
        "failures": list(found.failures),
    }


def _with_correlation(row: ErrorCorrelation | HeldOutSize) -> dict[str, Any]:
    return {**vars(row), "correlation": row.correlation.to_dict()}
