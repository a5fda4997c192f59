"""What perplexities say about accuracy, over treebanks and over parsers.

The paper averages correlations of four points over seven treebanks, and its p-values come out with
a one-sided t-test of fourteen points, for which there is no reason (`published_p`). Beside these
stand an average of Fisher's z, the correlation within treebanks (each centred, so that hard
treebanks do not count as such), and a permutation test that exchanges parsers within treebanks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from scipy import stats

from treegauge.papers.paper import CORRELATION, correlation_columns
from treegauge.papers.perplexity.measure import TRANSITION_SYSTEMS
from treegauge.properties.derivation_perplexity import mean_increase
from treegauge.significance import partial_correlation
from treegauge.significance.correlation import correlation, row_correlations

SIGNIFICANT = 0.05
_SMALL = 200_000
"""Tokens below which the paper puts treebanks into its last group (section 4.1)."""

_SIZE = pl.col("train_tokens")
VARIABLES = {
    "size": _SIZE,
    "size / string perplexity": _SIZE / pl.col("string"),
    "size / derivation perplexity": _SIZE / pl.col("derivation"),
    "log size": _SIZE.log(),
    "string perplexity": pl.col("string"),
    "derivation perplexity": pl.col("derivation"),
    "unknown words": pl.col("unknown_rate"),
}
"""What accuracy is correlated with: the paper's three variables, and what they are made of."""

MORPHOLOGY = {
    "type/token ratio": pl.col("type_token_ratio"),
    "features a lemma": pl.col("features_a_lemma"),
}
HELD_FIXED = ("log size", "derivation perplexity")
"""Whether morphology matters is asked again given these."""

ACCURACIES = {
    f"{kind} {m.upper()}": f"{kind}_{m}" for m in ("uas", "las") for kind in ("best", "mean")
}
"""Of parsers on a treebank, and their columns."""

METRIC_PAIRS = (("perplexity", "uas"), ("perplexity", "exact_match"), ("uas", "exact_match"))
_PUBLISHED_POINTS = 14
"""What the printed p-values come out with, in a one-sided t-test: neither 4, nor 7, nor 28."""

_CORRELATIONS = {"group": str, "variable": str, "accuracy": str, "given": str, **CORRELATION}
_INCREASES = {"group": str, "string": float, "derivation": float}
_INCREASES |= {"ratio_of_means": float, "mean_of_ratios": float}


def groups(treebanks: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return groups of at least three treebanks; one that is all of them is there once."""
    different: dict[str, pl.DataFrame] = {}
    for name, members in (
        ("all", treebanks),
        ("genuine dependencies", treebanks.filter("is_genuine")),
        ("under 200k tokens", treebanks.filter(pl.col("train_tokens") < _SMALL)),
    ):
        if members.height > 2 and not any(members.equals(other) for other in different.values()):
            different[name] = members
    return different


def increases(treebanks: pl.DataFrame) -> pl.DataFrame:
    """Return both readings of the increase from string to derivation perplexity, by group."""
    rows = [
        (
            group,
            members["string"].mean(),
            members["derivation"].mean(),
            *mean_increase(_numbers(members["string"]), _numbers(members["derivation"])),
        )
        for group, members in groups(treebanks).items()
    ]
    return pl.DataFrame(rows, schema=_INCREASES, orient="row")


def _numbers(column: pl.Series) -> list[float]:
    """Return a column with NaN in place of what is missing."""
    return column.cast(pl.Float64).fill_null(math.nan).to_list()


def accuracy_correlations(treebanks: pl.DataFrame, *, resamples: int) -> pl.DataFrame:
    """Correlate the paper's variables, and morphology, with accuracies in every group.

    Morphology is correlated alone, and given size and derivation perplexity.
    """
    rows: list[dict[str, Any]] = []
    for group, members in groups(treebanks).items():
        fixed = [_numbers(members.select(VARIABLES[name]).to_series()) for name in HELD_FIXED]
        for variable, expression in (VARIABLES | MORPHOLOGY).items():
            x = _numbers(members.select(expression).to_series())
            for accuracy, column in ACCURACIES.items():
                if variable in MORPHOLOGY and not accuracy.endswith("LAS"):
                    continue
                y = _numbers(members[column])
                of = {"group": group, "variable": variable, "accuracy": accuracy}
                alone = correlation(x, y, resamples=resamples)
                rows.append({**of, "given": "", **correlation_columns(alone)})
                if variable in MORPHOLOGY:
                    partial = partial_correlation(x, y, fixed, resamples=resamples)
                    rows.append(
                        {**of, "given": ", ".join(HELD_FIXED), **correlation_columns(partial)}
                    )
    return pl.DataFrame(rows, schema=_CORRELATIONS)


# ---------------------------------------------------------------------- metrics of parsers


def published_p(rho: float) -> float:
    """Return the p-value as the paper's come out: one-sided, as if there were 14 points.

    >>> round(published_p(-0.5670), 4)
    0.0172
    """
    freedom = _PUBLISHED_POINTS - 2
    t = abs(rho) * math.sqrt(freedom / (1 - rho * rho))
    return float(stats.t.sf(t, freedom))


def metric_correlations(
    parsers: pl.DataFrame, *, permutations: int = 10_000, seed: int = 0
) -> pl.DataFrame:
    """Correlate perplexity, attachment and exact match over the four transition parsers.

    `order` is that of derivations: canonical, or each parser's own.
    """
    rows = []
    for order, perplexity in (("canonical", "perplexity"), ("own", "own_perplexity")):
        scores = _scores_of_four(parsers, perplexity)
        for first, second in METRIC_PAIRS if scores else ():
            if order == "canonical" or first == "perplexity":
                pairs = {name: (one[first], one[second]) for name, one in scores.items()}
                within = correlate_within(pairs, permutations=permutations, seed=seed)
                rows.append({"variable": f"{first} / {second}", "order": order, **within})
    return pl.DataFrame(rows, infer_schema_length=None)


def _scores_of_four(
    parsers: pl.DataFrame, perplexity: str
) -> dict[str, dict[str, Sequence[float]]]:
    """Return, by treebank and metric, scores of the parsers in the same order.

    Treebanks are left out on which a parser has no perplexity.
    """
    scores = {(row[0], row[1], row[2]): row[3] for row in parsers.iter_rows()}
    by_treebank: dict[str, dict[str, Sequence[float]]] = {}
    for name in parsers["treebank"].unique(maintain_order=True):
        of_metrics: dict[str, Any] = {
            metric: [scores.get((name, system, column)) for system in TRANSITION_SYSTEMS]
            for metric, column in (
                ("perplexity", perplexity),
                *((metric, metric) for metric in ("uas", "exact_match")),
            )
        }
        if None not in of_metrics["perplexity"]:
            by_treebank[name] = of_metrics
    return by_treebank


def correlate_within(
    pairs: Mapping[str, tuple[Sequence[float], Sequence[float]]], *, permutations: int, seed: int
) -> dict[str, Any]:
    """Return how two metrics of the same parsers go together within treebanks.

    `rhos` has Pearson's coefficient of every treebank, and `mean` is their average, as in the
    paper, with its `p`; `within` is over all parsers, every treebank centred, with a two-sided p
    of n - treebanks - 1 degrees of freedom; `p_permuted` is of the mean, two-sided, parsers
    exchanged within treebanks.
    """
    x, y = (np.array([pair[side] for pair in pairs.values()], np.float64) for side in (0, 1))
    x, y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    rhos = row_correlations(x, y)
    by_treebank = [
        {"treebank": name, "rho": None if np.isnan(rho) else float(rho)}
        for name, rho in zip(pairs, rhos, strict=True)
    ]
    there = ~np.isnan(rhos)
    if not there.any():
        names = ("mean", "p", "fisher_mean", "within", "p_within", "p_permuted")
        return {**dict.fromkeys(names), "rhos": by_treebank}
    mean = float(rhos[there].mean())
    within = float(row_correlations(x.reshape(1, -1), y.reshape(1, -1))[0])
    random = np.random.default_rng(seed)
    trials = np.empty(permutations)
    for trial in range(permutations):
        shuffled = random.permuted(x, axis=1)
        trials[trial] = np.nanmean(row_correlations(shuffled, y)[there])
    as_far = int((np.abs(trials) >= abs(mean) - 1e-12).sum())
    return {
        "mean": mean,
        "p": published_p(mean) if abs(mean) < 1 else 0.0,
        # A coefficient of one has no z; it counts as nearly one.
        "fisher_mean": float(np.tanh(np.arctanh(np.clip(rhos[there], -0.999, 0.999)).mean())),
        "within": within,
        "p_within": _within_p(within, x.size, len(pairs)),
        "p_permuted": (as_far + 1) / (permutations + 1) if permutations else None,
        "rhos": by_treebank,
    }


def _within_p(rho: float, n: int, treebanks: int) -> float | None:
    freedom = n - treebanks - 1
    if freedom < 1 or math.isnan(rho) or abs(rho) >= 1:
        return None
    return float(2 * stats.t.sf(abs(rho) * math.sqrt(freedom / (1 - rho * rho)), freedom))


def separations(tests: pl.DataFrame) -> pl.DataFrame:
    """Count the pairs of transition parsers that each metric separates at 0.05.

    The paper's argument for derivation perplexity is that it is as fine-grained as attachment
    and as global as exact match (section 1). The second count is after Holm's correction over
    the pairs of a treebank.
    """
    counted = tests.group_by("metric").agg(
        pl.len().alias("pairs"),
        (pl.col("p") < SIGNIFICANT).sum().alias("separated"),
        (pl.col("adjusted_p") < SIGNIFICANT).sum().alias("separated_adjusted"),
    )
    return counted.sort(
        pl.col("metric").replace_strict({"uas": 0, "exact_match": 1, "perplexity": 2})
    )
