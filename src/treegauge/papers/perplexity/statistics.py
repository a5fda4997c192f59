"""What perplexities say about accuracy, over treebanks and over parsers.

The paper averages correlations of four points over seven treebanks, and its p-values come out with
a one-sided t-test of fourteen points, for which there is no reason (`published_p`). Beside these
stand an average of Fisher's z, the correlation within treebanks (each centred, so that hard
treebanks do not count as such), and a permutation test that exchanges parsers within treebanks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from treegauge.papers.perplexity.experiment import (
    SMALL,
    TRANSITION_SYSTEMS,
    DerivationPerplexities,
    MeasuredTreebank,
)
from treegauge.papers.perplexity.published import METRICS, PUBLISHED_POINTS
from treegauge.properties.derivation_perplexity import Increase, mean_increase
from treegauge.significance import Correlation, correlation, partial_correlation
from treegauge.significance.correlation import row_correlations

SIGNIFICANT = 0.05


def _deriv(one: MeasuredTreebank) -> float:
    value = one.perplexity.derivation_perplexity()
    return math.nan if value is None else value


VARIABLES: Mapping[str, Callable[[MeasuredTreebank], float]] = {
    "size": lambda one: one.train_tokens,
    "size / string perplexity": lambda one: one.train_tokens / one.perplexity.perplexity(),
    "size / derivation perplexity": lambda one: one.train_tokens / _deriv(one),
    "log size": lambda one: math.log(one.train_tokens),
    "string perplexity": lambda one: one.perplexity.perplexity(),
    "derivation perplexity": _deriv,
    "unknown words": lambda one: one.perplexity.unknown_rate,
}
"""What accuracy is correlated with: the paper's three variables, and what they are made of."""

MORPHOLOGY: Mapping[str, Callable[[MeasuredTreebank], float | None]] = {
    "type/token ratio": lambda one: one.type_token_ratio,
    "features a lemma": lambda one: one.features_a_lemma,
}

GROUPS: Mapping[str, Callable[[MeasuredTreebank], bool]] = {
    "all": lambda _: True,
    "genuine dependencies": lambda one: one.is_genuine,
    "under 200k tokens": lambda one: one.train_tokens < SMALL,
}

ACCURACIES = ("best UAS", "mean UAS", "best LAS", "mean LAS")
"""Of parsers on a treebank."""


def accuracy_of(one: MeasuredTreebank, which: str) -> float:
    """Return the best or the mean accuracy of all parsers on a treebank."""
    kind, metric = which.split()
    values = list(one.accuracies(metric.lower()).values())
    return max(values) if kind == "best" else sum(values) / len(values)


@dataclass(frozen=True)
class TreebankCorrelation:
    """A variable and an accuracy over a group of treebanks."""

    group: str
    variable: str
    accuracy: str
    correlation: Correlation
    given: tuple[str, ...] = ()
    """What is held fixed."""


def treebank_correlations(found: DerivationPerplexities) -> list[TreebankCorrelation]:
    """Correlate the paper's variables with accuracies, in every group of three or more."""
    resamples = found.settings.resamples
    return [
        TreebankCorrelation(
            group,
            variable,
            accuracy,
            correlation(
                [value(one) for one in members],
                [accuracy_of(one, accuracy) for one in members],
                resamples=resamples,
            ),
        )
        for group, members in _groups(found)
        for variable, value in VARIABLES.items()
        for accuracy in ACCURACIES
    ]


def morphology_correlations(found: DerivationPerplexities) -> list[TreebankCorrelation]:
    """Correlate morphological complexity with accuracy, alone and given size and perplexity."""
    resamples = found.settings.resamples
    made = []
    given = ("log size", "derivation perplexity")
    for group, members in _groups(found):
        fixed = [[VARIABLES[name](one) for one in members] for name in given]
        for variable, value in MORPHOLOGY.items():
            x = np.array([value(one) for one in members], np.float64)
            for accuracy in ("best LAS", "mean LAS"):
                y = [accuracy_of(one, accuracy) for one in members]
                alone = correlation(x, y, resamples=resamples)
                made.append(TreebankCorrelation(group, variable, accuracy, alone))
                partial = partial_correlation(x, y, fixed, resamples=resamples)
                made.append(TreebankCorrelation(group, variable, accuracy, partial, given))
    return made


def _groups(found: DerivationPerplexities) -> list[tuple[str, list[MeasuredTreebank]]]:
    """Return groups of at least three treebanks; one that is all of them is there once."""
    groups: dict[str, list[MeasuredTreebank]] = {}
    for name, belongs in GROUPS.items():
        members = [one for one in found.treebanks if belongs(one)]
        if len(members) > 2 and members not in groups.values():
            groups[name] = members
    return list(groups.items())


def increases(found: DerivationPerplexities) -> dict[str, Increase]:
    """Return both readings of the increase from string to derivation perplexity, by group."""
    return {
        group: mean_increase(
            [one.perplexity.perplexity() for one in members], list(map(_deriv, members))
        )
        for group, members in _groups(found)
    }


# ---------------------------------------------------------------------- metrics of parsers


def published_p(rho: float) -> float:
    """Return the p-value as the paper's come out: one-sided, as if there were 14 points.

    >>> round(published_p(-0.5670), 4)
    0.0172
    """
    freedom = PUBLISHED_POINTS - 2
    t = abs(rho) * math.sqrt(freedom / (1 - rho * rho))
    return float(stats.t.sf(t, freedom))


@dataclass(frozen=True)
class MetricCorrelation:
    """How two metrics go together over parsers, within treebanks."""

    first: str
    second: str
    mode: str
    """The order of derivations: canonical, or each parser's own."""
    by_treebank: Mapping[str, float | None]
    """Pearson's coefficient over the four parsers."""
    mean: float | None
    """As in the paper."""
    p_as_published: float | None
    fisher_mean: float | None
    within: float | None
    """Over all parsers, every treebank centred."""
    within_p: float | None
    """Two-sided, n - treebanks - 1 degrees of freedom."""
    permutation_p: float | None
    """Of the mean, two-sided, parsers exchanged within treebanks."""


def metric_correlations(
    found: DerivationPerplexities, *, permutations: int = 10_000, seed: int = 0
) -> list[MetricCorrelation]:
    """Correlate perplexity, attachment and exact match over the four transition parsers."""
    made = []
    for mode in ("canonical", "own"):
        tables = {one.name: _metrics(one, mode) for one in found.treebanks}
        tables = {name: table for name, table in tables.items() if table is not None}
        for first, second in METRICS:
            if tables and (mode == "canonical" or "perplexity" in (first, second)):
                pairs = {
                    name: (table[first], table[second])
                    for name, table in tables.items()
                    if table is not None
                }
                made.append(_correlated(first, second, mode, pairs, permutations, seed))
    return made


def _metrics(one: MeasuredTreebank, mode: str) -> dict[str, list[float]] | None:
    """Return the metrics of the four parsers, in the same order."""
    scores = {
        system: one.canonical.systems[system].value
        if mode == "canonical"
        else one.own[system].systems[system].value
        for system in TRANSITION_SYSTEMS
        if mode == "canonical" or system in one.own
    }
    if len(scores) < len(TRANSITION_SYSTEMS) or None in scores.values():
        return None
    uas, exact = one.accuracies("uas"), one.accuracies("exact_match")
    return {
        "perplexity": [float(scores[system] or math.nan) for system in TRANSITION_SYSTEMS],
        "uas": [uas[system] for system in TRANSITION_SYSTEMS],
        "exact_match": [exact[system] for system in TRANSITION_SYSTEMS],
    }


def _correlated(
    first: str,
    second: str,
    mode: str,
    pairs: Mapping[str, tuple[list[float], list[float]]],
    permutations: int,
    seed: int,
) -> MetricCorrelation:
    x, y = (np.array([pair[side] for pair in pairs.values()], np.float64) for side in (0, 1))
    x, y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    rhos = row_correlations(x, y)
    by_treebank = {
        name: None if np.isnan(rho) else float(rho) for name, rho in zip(pairs, rhos, strict=True)
    }
    there = ~np.isnan(rhos)
    if not there.any():
        return MetricCorrelation(
            first, second, mode, by_treebank, None, None, None, None, None, None
        )
    mean = float(rhos[there].mean())
    within = float(row_correlations(x.reshape(1, -1), y.reshape(1, -1))[0])
    random = np.random.default_rng(seed)
    trials = np.empty(permutations)
    for trial in range(permutations):
        shuffled = random.permuted(x, axis=1)
        trials[trial] = np.nanmean(row_correlations(shuffled, y)[there])
    as_far = int((np.abs(trials) >= abs(mean) - 1e-12).sum())
    return MetricCorrelation(
        first,
        second,
        mode,
        by_treebank,
        mean,
        published_p(mean) if abs(mean) < 1 else 0.0,
        # A coefficient of one has no z; it counts as nearly one.
        float(np.tanh(np.arctanh(np.clip(rhos[there], -0.999, 0.999)).mean())),
        within,
        _within_p(within, x.size, len(pairs)),
        (as_far + 1) / (permutations + 1) if permutations else None,
    )


def _within_p(rho: float, n: int, treebanks: int) -> float | None:
    freedom = n - treebanks - 1
    if freedom < 1 or math.isnan(rho) or abs(rho) >= 1:
        return None
    return float(2 * stats.t.sf(abs(rho) * math.sqrt(freedom / (1 - rho * rho)), freedom))


@dataclass(frozen=True)
class Separation:
    """How many pairs of parsers a metric tells apart."""

    metric: str
    separated: int
    separated_adjusted: int
    """After Holm's correction over the pairs of a treebank."""
    pairs: int


def separations(found: DerivationPerplexities) -> list[Separation]:
    """Count the pairs of transition parsers that each metric separates at 0.05.

    The paper's argument for derivation perplexity is that it is as fine-grained as attachment
    and as global as exact match.
    """
    return [
        Separation(
            metric,
            sum(pair.p is not None and pair.p < SIGNIFICANT for pair in pairs),
            sum(pair.adjusted_p is not None and pair.adjusted_p < SIGNIFICANT for pair in pairs),
            len(pairs),
        )
        for metric in ("uas", "exact_match", "perplexity")
        if (pairs := [pair for one in found.treebanks for pair in one.pairs[metric]])
    ]


def document(found: DerivationPerplexities) -> dict[str, Any]:
    """Return everything as JSON has it."""
    return {
        "schema": 1,
        "treebanks": [
            {
                "treebank": one.name,
                "train_tokens": one.train_tokens,
                "genuine": one.is_genuine,
                "type_token_ratio": one.type_token_ratio,
                "features_a_lemma": one.features_a_lemma,
                "perplexity": one.perplexity.to_dict(),
                "comparable": one.comparable.to_dict(),
                "accuracies": {
                    metric: one.accuracies(metric) for metric in ("uas", "las", "exact_match")
                },
                "parsers": one.canonical.to_dict(),
                "own": {system: own.to_dict() for system, own in one.own.items()},
            }
            for one in found.treebanks
        ],
        "increases": {group: one._asdict() for group, one in increases(found).items()},
        "correlations": _correlation_rows(treebank_correlations(found)),
        "morphology": _correlation_rows(morphology_correlations(found)),
        "metrics": [vars(one) for one in metric_correlations(found)],
        "separations": [vars(one) for one in separations(found)],
        "failures": list(found.failures),
    }


def _correlation_rows(rows: Sequence[TreebankCorrelation]) -> list[dict[str, Any]]:
    return [
        {**vars(row), "given": list(row.given), "correlation": row.correlation.to_dict()}
        for row in rows
    ]
