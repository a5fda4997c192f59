"""What permuted treebanks say: which property of word order goes with which loss of accuracy.

Signs as in the paper: delta UAS is permuted minus original, so positive is easier to parse;
delta DLM and delta entropy are original minus permuted, so positive is shorter, and less variable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import stats

from treegauge.papers.paper import CORRELATION, correlation_columns
from treegauge.papers.word_order.measure import ParsedVersion, PermutedParsing
from treegauge.papers.word_order.settings import ORIGINAL
from treegauge.properties import WordOrder
from treegauge.properties.tree_geometry import tree_geometry
from treegauge.significance.correlation import FEWEST_PAIRS, correlation

_REGRESSION_RESAMPLES = 1000
_LEAST_TREEBANKS = 6
"""For intervals: resamples of fewer are often the same treebank several times."""

_SENTENCES = {"treebank": str, "order": str, "parser": str, **CORRELATION}
_BRANCHING = {"treebank": str, "parser": str, "metric": str, "difference": float}
_BRANCHING |= {"t_test_p": float, "sign_flip_p": float, **CORRELATION}
_CONFUSIONS: dict[str, type] = {"treebank": str, "parser": str, "gold": str, "predicted": str}
_CONFUSIONS |= {"left": int, "right": int, "leaves": float}
_EFFECTS = {"variable": str, "coefficient": float, "coefficient_low": float}
_EFFECTS |= {"coefficient_high": float, "n": int, "r_squared": float}
_AGREEMENT = {"order": str, "parser": str, "other": str, **CORRELATION}
_LEAST_AGREEING = 3
"""Treebanks, for a correlation."""


def deltas(properties: pl.DataFrame, accuracies: pl.DataFrame) -> pl.DataFrame:
    """Return what every order changes for every treebank and parser, in the paper's units."""
    scores = accuracies.select("treebank", "order", "parser", "uas", "las")
    order = properties.select("treebank", "order", dlm="dlm_ratio", entropy="arc_direction_entropy")
    everything = scores.join(order, on=["treebank", "order"], how="left", maintain_order="left")
    original = everything.filter(order=ORIGINAL).drop("order")
    pairs = everything.filter(pl.col("order") != ORIGINAL).join(
        original, on=["treebank", "parser"], suffix="_original", maintain_order="left"
    )
    return pairs.select(
        *("treebank", "order", "parser"),
        *(
            (pl.col(name) - pl.col(f"{name}_original")).alias(f"delta_{name}")
            for name in ("uas", "las")
        ),
        *(
            (pl.col(f"{name}_original") - pl.col(name)).alias(f"delta_{name}").cast(pl.Float64)
            for name in ("dlm", "entropy")
        ),
    )


def regression(changes: pl.DataFrame, *, seed: int = 0) -> pl.DataFrame:
    """Return standardised coefficients of delta DLM, delta entropy and the parser for delta UAS.

    This turns what the paper reads off its figures (entropy hurts more than length) into a
    number. Intervals are of 95%, over treebanks that are resampled as a whole: the rows of a
    treebank belong together. There are no rows where there are fewer than three a coefficient.
    """
    parsers = sorted(changes["parser"].unique())
    names = ["delta DLM", "delta entropy", *(f"parser {name}" for name in parsers[1:])]
    if changes.height < 3 * (len(names) + 1):
        return pl.DataFrame(schema=_EFFECTS)
    of_parsers = [(changes["parser"] == name).to_numpy() for name in parsers[1:]]
    x = np.column_stack([changes["delta_dlm"], changes["delta_entropy"], *of_parsers]).astype(
        np.float64
    )
    x[:, :2] = _standardised(x[:, :2])
    y = _standardised(changes["delta_uas"].to_numpy()[:, None])[:, 0]
    fit, rest = _least_squares(x, y)
    treebank = changes["treebank"].to_numpy()
    rows = {name: np.flatnonzero(treebank == name) for name in dict.fromkeys(treebank.tolist())}
    random = np.random.default_rng(seed)
    drawn = []
    for _ in range(_REGRESSION_RESAMPLES if len(rows) >= _LEAST_TREEBANKS else 0):
        chosen = random.choice(list(rows), len(rows))
        sample = np.concatenate([rows[name] for name in chosen])
        drawn.append(_least_squares(x[sample], y[sample])[0])
    ends = np.quantile(drawn, [0.025, 0.975], axis=0).tolist() if drawn else [[None] * len(fit)] * 2
    about = {"n": len(y), "r_squared": 1 - float((rest**2).sum() / (y**2).sum())}
    effects = zip(names, fit.tolist(), *ends, strict=True)
    return pl.DataFrame(
        [dict(zip(_EFFECTS, effect, strict=False)) | about for effect in effects], schema=_EFFECTS
    )


def parser_effects(changes: pl.DataFrame) -> pl.DataFrame:
    """Return the regression of each parser, which says whether length hurts one more."""
    own = [
        regression(rows).with_columns(pl.lit(parser).alias("parser"))
        for (parser,), rows in changes.group_by("parser", maintain_order=True)
    ]
    return pl.concat([pl.DataFrame(schema={**_EFFECTS, "parser": str}), *own])


def parser_agreement(accuracies: pl.DataFrame, *, resamples: int = 1000) -> pl.DataFrame:
    """Return how far pairs of parsers agree on which treebanks are hard, by order of words.

    Correlations are of UAS over treebanks; there are no rows for fewer than three treebanks.
    """
    rows: list[dict[str, Any]] = []
    for (order,), versions in accuracies.group_by("order", maintain_order=True):
        by_parser = {
            parser: dict(own.select("treebank", "uas").iter_rows())
            for (parser,), own in versions.group_by("parser", maintain_order=True)
        }
        for one, other in combinations(by_parser, 2):
            both = [name for name in by_parser[one] if name in by_parser[other]]
            if len(both) < _LEAST_AGREEING:
                continue
            x, y = ([by_parser[parser][name] for name in both] for parser in (one, other))
            measured = correlation_columns(correlation(x, y, resamples=resamples))
            rows.append({"order": order, "parser": one, "other": other, **measured})
    return pl.DataFrame(rows, schema=_AGREEMENT)


def _standardised(columns: NDArray[np.float64]) -> NDArray[np.float64]:
    spread = columns.std(axis=0)
    return np.asarray((columns - columns.mean(axis=0)) / np.where(spread > 0, spread, 1.0))


def _least_squares(
    x: NDArray[np.float64], y: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return coefficients without the intercept, and what is left."""
    with_one = np.column_stack([x, np.ones(len(x))])
    fit = np.asarray(np.linalg.lstsq(with_one, y, rcond=None)[0], np.float64)
    return fit[:-1], y - with_one @ fit


def dlm_and_entropy(properties: pl.DataFrame) -> pl.DataFrame:
    """Return how DLM ratio and entropy of original orders go together: Spearman's coefficient."""
    from scipy.stats import spearmanr

    rows = properties.filter(order=ORIGINAL).drop_nulls(["dlm_ratio", "arc_direction_entropy"])
    dlm, entropy = rows["dlm_ratio"], rows["arc_direction_entropy"]
    spearman = p = None
    if rows.height >= FEWEST_PAIRS and min(dlm.n_unique(), entropy.n_unique()) > 1:
        result = spearmanr(dlm, entropy)
        spearman, p = float(result.statistic), float(result.pvalue)
    types = {"n": pl.Int64, "spearman": pl.Float64, "p": pl.Float64}
    return pl.DataFrame([(rows.height, spearman, p)], types, orient="row")


def dlm_and_nonprojectivity(properties: pl.DataFrame, *, resamples: int) -> pl.DataFrame:
    """Correlate the DLM ratio with the share of non-projective arcs, over original treebanks."""
    original = properties.filter(order=ORIGINAL)
    columns = (original[name].to_numpy() for name in ("dlm_ratio", "nonprojective_arcs"))
    both = correlation(*columns, resamples=resamples)
    return pl.DataFrame([correlation_columns(both)], schema=CORRELATION)


# ---------------------------------------------------------------------- sentences


def sentence_correlations(parsing: PermutedParsing, *, resamples: int) -> pl.DataFrame:
    """Correlate delta DLM with delta UAS over sentences; those of one word have no DLM."""
    rows = []
    for version, original in parsing.pairs():
        shorter = _ratios(original) - _ratios(version)
        easier = version.by_sentence("uas") - original.by_sentence("uas")
        of = {"treebank": version.treebank, "order": version.order, "parser": version.parser}
        both = correlation(shorter, easier, resamples=resamples)
        rows.append({**of, **correlation_columns(both)})
    return pl.DataFrame(rows, schema=_SENTENCES)


def _ratios(version: ParsedVersion) -> NDArray[np.float64]:
    """Return observed by optimal length of every sentence; NaN where it has none."""
    order = WordOrder(version.test)
    observed, optimal = order.dlm_statistics.T
    ratios = np.full(version.test.n_sentences, np.nan)
    has_arcs = optimal > 0
    ratios[order.selection.sentences[has_arcs]] = observed[has_arcs] / optimal[has_arcs]
    return ratios


def branching_differences(
    parsing: PermutedParsing, *, resamples: int, seed: int = 0
) -> pl.DataFrame:
    """Compare LB with RB sentence by sentence: the same lengths, no free directions.

    `difference` is left minus right, as a mean over sentences, with the p of a paired t-test and
    of a paired permutation test; the correlation is that of the difference and the branching
    factor.
    """
    rows: list[dict[str, Any]] = []
    for left, right in parsing.pairs("left", "right"):
        factor = tree_geometry(left.test).branching_factor
        for metric in ("uas", "las"):
            difference = left.by_sentence(metric) - right.by_sentence(metric)
            there = difference[~np.isnan(difference)]
            with_factor = correlation(difference, factor, resamples=resamples)
            rows.append(
                {
                    "treebank": left.treebank,
                    "parser": left.parser,
                    "metric": metric,
                    "difference": float(there.mean()),
                    "t_test_p": _t_test(there),
                    "sign_flip_p": _sign_flips(there, resamples, seed),
                    **correlation_columns(with_factor),
                }
            )
    return pl.DataFrame(rows, schema=_BRANCHING)


def _t_test(differences: NDArray[np.float64]) -> float | None:
    if len(differences) < 2 or not np.ptp(differences):
        return None
    return float(stats.ttest_1samp(differences, 0.0).pvalue)


def _sign_flips(differences: NDArray[np.float64], trials: int, seed: int) -> float | None:
    if not trials or not differences.any():
        return None
    signs = np.random.default_rng(seed).choice((-1.0, 1.0), (trials, len(differences)))
    means = np.abs(signs @ differences)
    return float((1 + (means >= abs(differences.sum()) - 1e-12).sum()) / (1 + trials))


# ---------------------------------------------------------------------- relations


def label_confusions(parsing: PermutedParsing, *, most: int = 5) -> pl.DataFrame:
    """Return, for every treebank and parser, the confusions that differ most between LB and RB.

    Only words with the right head count: the question is about relations. `leaves` is the share
    of these words, in both orders, that have no dependents.
    """
    rows = []
    for sides in parsing.pairs("left", "right"):
        wrong = [list(_wrong_relations(version)) for version in sides]
        left, right = (Counter(pair for pair, _ in side) for side in wrong)
        leaves = Counter(pair for side in wrong for pair, is_leaf in side if is_leaf)
        pairs = sorted(
            left.keys() | right.keys(), key=lambda pair: (-abs(left[pair] - right[pair]), pair)
        )
        rows += [
            (
                *(sides[0].treebank, sides[0].parser, *pair, left[pair], right[pair]),
                leaves[pair] / (left[pair] + right[pair]),
            )
            for pair in pairs[:most]
            if left[pair] != right[pair]
        ]
    return pl.DataFrame(rows, schema=_CONFUSIONS, orient="row")


def _wrong_relations(version: ParsedVersion) -> Iterator[tuple[tuple[str, str], bool]]:
    test = version.test
    first = np.repeat(test.offsets[:-1], test.lengths)
    has_children = np.zeros(test.n_words, np.bool_)
    below = test.head > 0
    has_children[(first + test.head - 1)[below]] = True
    wrong = version.right_words("uas") & ~version.right_words("las") & version.scored
    for word in np.flatnonzero(wrong).tolist():
        yield (test.deprel[word], version.parsed.deprel[word]), not has_children[word]
