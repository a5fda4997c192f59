"""What permuted treebanks say: which property of word order goes with which loss of accuracy.

Signs as in the paper: delta UAS is permuted minus original, so positive is easier to parse;
delta DLM and delta entropy are original minus permuted, so positive is shorter, and less variable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from treegauge.evaluation.accuracy_prediction import AccuracyRow, features_of
from treegauge.papers.word_order.permuted_parsing import (
    ORIGINAL,
    ParsedVersion,
    PermutedParsing,
)
from treegauge.properties import WordOrder, tree_geometry
from treegauge.significance import Correlation, correlation

_REGRESSION_RESAMPLES = 1000
_LEAST_TREEBANKS = 6
"""For intervals: resamples of fewer are often the same treebank several times."""


@dataclass(frozen=True)
class Delta:
    """What another order changes, for one treebank and one parser."""

    treebank: str
    iso: str
    order: str
    parser: str
    uas: float
    las: float
    dlm: float
    entropy: float


def deltas(parsing: PermutedParsing) -> list[Delta]:
    """Return what every order changes, in the paper's units."""
    found = []
    for version, original in _pairs(parsing):
        here = parsing.property_of(version.treebank, version.order).gm16
        there = parsing.property_of(version.treebank, ORIGINAL).gm16
        found.append(
            Delta(
                version.treebank,
                version.iso,
                version.order,
                version.parser,
                version.uas - original.uas,
                version.las - original.las,
                _known(there.dlm_ratio) - _known(here.dlm_ratio),
                _known(there.arc_direction_entropy) - _known(here.arc_direction_entropy),
            )
        )
    return found


def _known(value: float | None) -> float:
    return np.nan if value is None else value


def _pairs(parsing: PermutedParsing) -> Iterator[tuple[ParsedVersion, ParsedVersion]]:
    """Give every permuted version with the original of the same treebank and parser."""
    for version in parsing.parsed:
        original = parsing.version(version.treebank, ORIGINAL, version.parser)
        if version.order != ORIGINAL and original is not None:
            yield version, original


@dataclass(frozen=True)
class Effect:
    """A standardised coefficient of a regression, with a 95% interval over treebanks."""

    variable: str
    coefficient: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Regression:
    """Delta UAS explained by delta DLM, delta entropy and the parser."""

    effects: tuple[Effect, ...]
    r_squared: float
    n: int


def regression(changes: Sequence[Delta], *, seed: int = 0) -> Regression | None:
    """Return an ordinary least squares fit on standardised variables.

    This turns what the paper reads off its figures (entropy hurts more than length) into a
    number. Treebanks are resampled, not rows: the rows of a treebank belong together. None where
    there are fewer than three rows a coefficient.
    """
    parsers = sorted({change.parser for change in changes})
    names = ["delta DLM", "delta entropy", *(f"parser {name}" for name in parsers[1:])]
    if len(changes) < 3 * (len(names) + 1):
        return None
    x = np.array(
        [
            [change.dlm, change.entropy, *(change.parser == name for name in parsers[1:])]
            for change in changes
        ],
        np.float64,
    )
    y = np.array([change.uas for change in changes])
    x[:, :2] = _standardised(x[:, :2])
    y = _standardised(y[:, None])[:, 0]
    fit, rest = _least_squares(x, y)
    treebank = np.array([change.treebank for change in changes])
    rows = {name: np.flatnonzero(treebank == name) for name in dict.fromkeys(treebank.tolist())}
    random = np.random.default_rng(seed)
    drawn = []
    for _ in range(_REGRESSION_RESAMPLES if len(rows) >= _LEAST_TREEBANKS else 0):
        chosen = random.choice(list(rows), len(rows))
        sample = np.concatenate([rows[name] for name in chosen])
        drawn.append(_least_squares(x[sample], y[sample])[0])
    ends = np.quantile(drawn, [0.025, 0.975], axis=0) if drawn else None
    effects = tuple(
        Effect(
            name,
            float(fit[i]),
            None if ends is None else float(ends[0, i]),
            None if ends is None else float(ends[1, i]),
        )
        for i, name in enumerate(names)
    )
    return Regression(effects, 1 - float((rest**2).sum() / (y**2).sum()), len(changes))


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


# ---------------------------------------------------------------------- sentences


@dataclass(frozen=True)
class SentenceCorrelation:
    """Whether sentences that become shorter become easier, over those of a test part."""

    treebank: str
    order: str
    parser: str
    correlation: Correlation


def sentence_correlations(parsing: PermutedParsing) -> list[SentenceCorrelation]:
    """Correlate delta DLM with delta UAS over sentences; those of one word have no DLM."""
    return [
        SentenceCorrelation(
            version.treebank,
            version.order,
            version.parser,
            correlation(
                _ratios(original) - _ratios(version),
                version.by_sentence(version.right_heads)
                - original.by_sentence(original.right_heads),
                resamples=parsing.settings.resamples,
            ),
        )
        for version, original in _pairs(parsing)
    ]


def _ratios(version: ParsedVersion) -> NDArray[np.float64]:
    """Return observed by optimal length of every sentence; NaN where it has none."""
    order = WordOrder(version.test)
    observed, optimal = order.dlm_statistics.T
    ratios = np.full(version.test.n_sentences, np.nan)
    has_arcs = optimal > 0
    ratios[order.selection.sentences[has_arcs]] = observed[has_arcs] / optimal[has_arcs]
    return ratios


# ---------------------------------------------------------------------- left and right


@dataclass(frozen=True)
class BranchingDifference:
    """Left- against right-branching for one parser: the same lengths, no free directions."""

    treebank: str
    parser: str
    metric: str
    difference: float
    """Left minus right, as a mean over sentences."""
    t_test: float | None
    """p of a paired t-test over sentences."""
    sign_flips: float | None
    """p of a paired permutation test over sentences."""
    with_branching_factor: Correlation
    """Of the difference and the branching factor, over sentences."""


def branching_differences(parsing: PermutedParsing, *, seed: int = 0) -> list[BranchingDifference]:
    """Compare LB with RB sentence by sentence, for UAS and LAS."""
    found = []
    for treebank in parsing.treebanks:
        for parser in parsing.parsers:
            left = parsing.version(treebank, "left", parser)
            right = parsing.version(treebank, "right", parser)
            if left is None or right is None:
                continue
            factor = tree_geometry(left.test).branching_factor
            for metric in ("uas", "las"):
                name = "right_heads" if metric == "uas" else "right_relations"
                difference = left.by_sentence(getattr(left, name)) - right.by_sentence(
                    getattr(right, name)
                )
                there = difference[~np.isnan(difference)]
                found.append(
                    BranchingDifference(
                        treebank,
                        parser,
                        metric,
                        float(there.mean()),
                        _t_test(there),
                        _sign_flips(there, parsing.settings.resamples, seed),
                        correlation(difference, factor, resamples=parsing.settings.resamples),
                    )
                )
    return found


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


@dataclass(frozen=True)
class Confusion:
    """A relation taken for another one more often in one branching order than in the other."""

    treebank: str
    parser: str
    gold: str
    found: str
    left: int
    right: int
    leaves: float
    """The share of these words, in both orders, that have no dependents."""


def label_confusions(parsing: PermutedParsing, *, most: int = 5) -> list[Confusion]:
    """Return, for every treebank and parser, the confusions that differ most between LB and RB.

    Only words with the right head count: the question is about relations.
    """
    found = []
    for treebank in parsing.treebanks:
        for parser in parsing.parsers:
            sides = [parsing.version(treebank, order, parser) for order in ("left", "right")]
            if None in sides:
                continue
            counts: list[Counter[tuple[str, str]]] = []
            leaves: Counter[tuple[str, str]] = Counter()
            for version in sides:
                assert version is not None
                wrong = list(_wrong_relations(version))
                counts.append(Counter(pair for pair, _ in wrong))
                leaves.update(pair for pair, is_leaf in wrong if is_leaf)
            left, right = counts
            pairs = sorted(
                left.keys() | right.keys(), key=lambda pair: (-abs(left[pair] - right[pair]), pair)
            )
            found += [
                Confusion(
                    treebank,
                    parser,
                    *pair,
                    left[pair],
                    right[pair],
                    leaves[pair] / (left[pair] + right[pair]),
                )
                for pair in pairs[:most]
                if left[pair] != right[pair]
            ]
    return found


def _wrong_relations(version: ParsedVersion) -> Iterator[tuple[tuple[str, str], bool]]:
    test = version.test
    first = np.repeat(test.offsets[:-1], test.lengths)
    has_children = np.zeros(test.n_words, np.bool_)
    below = test.head > 0
    has_children[(first + test.head - 1)[below]] = True
    wrong = version.right_heads & ~version.right_relations & version.scored
    for word in np.flatnonzero(wrong).tolist():
        yield (test.deprel[word], version.parsed.deprel[word]), not has_children[word]


# ---------------------------------------------------------------------- across treebanks


def dlm_and_nonprojectivity(parsing: PermutedParsing) -> Correlation:
    """Correlate the DLM ratio with the share of non-projective arcs, over original treebanks."""
    orders = [one.gm16 for one in parsing.properties if one.order == ORIGINAL]
    return correlation(
        [_known(order.dlm_ratio) for order in orders],
        [_known(order.nonprojective_arcs) for order in orders],
        resamples=parsing.settings.resamples,
    )


def accuracy_rows(parsing: PermutedParsing) -> list[AccuracyRow]:
    """Return what every parser reached on every version, with what the version is like."""
    features = {
        (one.treebank, one.order): features_of(
            next(
                version.train
                for version in parsing.parsed
                if (version.treebank, version.order) == (one.treebank, one.order)
            )
        )
        for one in parsing.parsed
    }
    return [
        AccuracyRow(
            one.treebank,
            one.iso,
            one.order,
            one.parser,
            one.uas,
            one.las,
            features[one.treebank, one.order],
        )
        for one in parsing.parsed
    ]


def document(parsing: PermutedParsing) -> dict[str, Any]:
    """Return everything as JSON has it."""
    changes = deltas(parsing)
    fitted = regression(changes)
    return {
        "schema": 1,
        "treebanks": [
            {
                "treebank": one.treebank,
                "order": one.order,
                "gm16": one.gm16.to_dict(),
                "default": one.standard.to_dict(),
            }
            for one in parsing.properties
        ],
        "selected": dict(parsing.left_out),
        "accuracies": [
            {
                "treebank": one.treebank,
                "order": one.order,
                "parser": one.parser,
                "uas": one.uas,
                "las": one.las,
            }
            for one in parsing.parsed
        ],
        "deltas": [vars(change) for change in changes],
        "regression": None
        if fitted is None
        else {
            "n": fitted.n,
            "r_squared": fitted.r_squared,
            "effects": [vars(effect) for effect in fitted.effects],
        },
        "sentences": [
            {
                "treebank": one.treebank,
                "order": one.order,
                "parser": one.parser,
                **one.correlation.to_dict(),
            }
            for one in sentence_correlations(parsing)
        ],
        "left_and_right": [
            {**vars(one), "with_branching_factor": one.with_branching_factor.to_dict()}
            for one in branching_differences(parsing)
        ],
        "confusions": [vars(one) for one in label_confusions(parsing)],
        "dlm_and_nonprojectivity": dlm_and_nonprojectivity(parsing).to_dict(),
        "failures": list(parsing.failures),
    }
