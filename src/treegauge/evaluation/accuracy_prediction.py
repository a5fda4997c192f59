"""How accurate a parser will be on a treebank, before anybody has trained it.

The open question of Gulordava and Merlo (2016): a function from properties of a treebank to
accuracy. Rows are treebanks, natural or permuted, with the accuracy that a parser reached and
properties of what it was trained on; the model is a ridge regression of the logit of accuracy.
It is judged leaving one language out: all treebanks and all orders of a language leave together,
and the strength of the penalty is chosen in the same way among the others. What it must beat is
the mean of the other languages, and a regression on size alone.

References
----------
Ravi, Knight and Soricut (2008), Automatic prediction of parser accuracy. EMNLP.
"""

from __future__ import annotations

import csv
import io
import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.evaluation.errors import EvaluationError
from treegauge.formats import read_text
from treegauge.properties import WordOrder, cross_validated_perplexity
from treegauge.properties.derivation_perplexity import finite
from treegauge.properties.errors import SmallCorpusWarning
from treegauge.significance.ridge import Ridge
from treegauge.temporaries import replacing
from treegauge.treebank import Treebank, TreeFlaw, tree_flaws
from treegauge.wording import counted, did_you_mean

FEATURES = (
    "log10_words",
    "mean_length",
    "dlm_ratio",
    "arc_direction_entropy",
    "sibling_order_entropy",
    "nonprojective_arcs",
    "branching_factor",
    "derivation_perplexity",
)
"""What accuracy is predicted from; a feature that any row lacks is not used."""
PENALTIES = (0.01, 0.1, 1.0, 10.0, 100.0, 1e3, 1e4)
"""Of the ridge; the strongest leave little but the mean."""
_KEYS = ("treebank", "language", "order", "parser", "uas", "las")
_LEAST_LANGUAGES = 3


@dataclass(frozen=True)
class AccuracyRow:
    """A parser's accuracy on a treebank, and what the train part is like."""

    treebank: str
    language: str
    order: str
    parser: str
    uas: float
    las: float
    features: tuple[float | None, ...]
    """In the order of `FEATURES`; None for what was not measured."""


def features_of(train: Treebank) -> tuple[float | None, ...]:
    """Return the features of what a parser would be trained on.

    Derivation perplexity is that of the treebank itself, cross-validated: nobody who asks what a
    parser will reach has parsed anything yet.
    """
    order = WordOrder(train)
    report = order.selection.report
    if not report.kept:
        raise EvaluationError(
            "no prediction for this treebank: no sentence has a tree that word order "
            f"can be measured on ({report})"
        )
    values = {
        "log10_words": float(np.log10(train.n_words)),
        "mean_length": train.n_words / train.n_sentences,
        "derivation_perplexity": _derivation_perplexity(train),
    }
    return tuple(values[name] if name in values else getattr(order, name) for name in FEATURES)


def _derivation_perplexity(train: Treebank) -> float | None:
    """Return the perplexity of the trees that can be derived; None where there are too few."""
    trees = train.take(np.flatnonzero((tree_flaws(train) & ~TreeFlaw.SEVERAL_ROOTS) == 0))
    if trees.n_sentences < 2:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallCorpusWarning)
        return finite(cross_validated_perplexity(trees).derivation_perplexity())


# ---------------------------------------------------------------------- files of rows


def write_rows(rows: Sequence[AccuracyRow], path: str | os.PathLike[str]) -> None:
    """Write rows as a table, tabs between columns."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow([*_KEYS, *FEATURES])
    for row in rows:
        numbers = [f"{row.uas:.6f}", f"{row.las:.6f}"]
        features = ["" if value is None else f"{value:.6g}" for value in row.features]
        writer.writerow([row.treebank, row.language, row.order, row.parser, *numbers, *features])
    path = Path(path)
    with replacing(path) as temporary:
        temporary.write_text(text.getvalue(), encoding="utf-8")


def read_rows(path: str | os.PathLike[str] | None = None) -> list[AccuracyRow]:
    """Read a table of rows; those that come with the program when no file is named."""
    if path is None:
        text = (files("treegauge.evaluation") / "data" / "parser_accuracies.tsv").read_text(
            encoding="utf-8"
        )
    else:
        text = read_text(path, what="a table of accuracies", error=EvaluationError)
    name = path or "parser_accuracies.tsv"
    reader = csv.DictReader(text.splitlines(), delimiter="\t")
    missing = [key for key in (*_KEYS, *FEATURES) if key not in (reader.fieldnames or ())]
    if missing:
        raise EvaluationError(
            f"{name}: no table of accuracies: it has no column {', '.join(missing)}\n"
            "  `treegauge reproduce word-order` writes accuracies.tsv"
        )
    rows = []
    for number, row in enumerate(reader, start=2):
        try:
            features = tuple(float(row[key]) if row[key] else None for key in FEATURES)
            uas, las = float(row["uas"]), float(row["las"])
        except (TypeError, ValueError):
            raise EvaluationError(f"{name}, line {number}: expected numbers") from None
        rows.append(
            AccuracyRow(
                row["treebank"],
                row["language"],
                row["order"],
                row["parser"],
                uas,
                las,
                features,
            )
        )
    return rows


# ---------------------------------------------------------------------- the model


@dataclass(frozen=True)
class Judgement:
    """How well something predicts languages that it has not seen."""

    name: str
    mean_error: float
    """Mean absolute error, as a share."""
    r_squared: float
    spearman: float | None


@dataclass(frozen=True)
class Prediction:
    """What a parser is expected to reach, with a 90% interval."""

    parser: str
    metric: str
    value: float
    low: float
    high: float


class AccuracyModel:
    """Predicts the accuracy of one parser, and knows how wrong it is.

    Parameters
    ----------
    rows : sequence of AccuracyRow
        Those of other parsers are left aside.
    parser, metric : str
        Whose accuracy, and which: `uas` or `las`.
    """

    def __init__(self, rows: Sequence[AccuracyRow], parser: str, metric: str = "uas") -> None:
        self.parser, self.metric = parser, metric
        measured = dict.fromkeys(row.parser for row in rows)
        rows = [row for row in rows if row.parser == parser]
        if not rows:
            raise EvaluationError(
                f"there are no accuracies of {parser!r}{did_you_mean(parser, measured)}\n"
                f"  there are {', '.join(measured) or 'no accuracies'}"
            )
        self.languages = np.array([row.language for row in rows])
        n = len(_different(self.languages))
        if n < _LEAST_LANGUAGES:
            raise EvaluationError(
                f"{parser}: accuracies in {counted(n, 'language')} are too "
                f"few to predict that in another one; {_LEAST_LANGUAGES} are needed\n"
                "  `treegauge reproduce word-order` on more treebanks writes a table with more"
            )
        matrix = np.array([row.features for row in rows], np.float64)
        self._used: list[int] = np.flatnonzero(~np.isnan(matrix).any(axis=0)).tolist()
        self._x = matrix[:, self._used]
        self.accuracy = np.array([getattr(row, metric) for row in rows])
        self._y = _logit(self.accuracy)
        self._penalty = self._best_penalty(np.ones(len(rows), np.bool_), self._x)
        self._model = Ridge.fit(self._x, self._y, self._penalty)
        self.held_out = self._left_out(self._x)

    @property
    def features(self) -> tuple[str, ...]:
        """The features in use."""
        return tuple(FEATURES[i] for i in self._used)

    @property
    def weights(self) -> dict[str, float]:
        """What a standard deviation of a feature does to the logit of accuracy."""
        return dict(zip(self.features, self._model.weights.tolist(), strict=True))

    def judgements(self) -> list[Judgement]:
        """Return how well the model and the baselines predict languages left out."""
        size = [self.features.index("log10_words")]
        means = np.empty(len(self.accuracy))
        for language in _different(self.languages):
            out = self.languages == language
            means[out] = self.accuracy[~out].mean()
        return [
            self._judged("all properties", self.held_out),
            self._judged("size alone", self._left_out(self._x[:, size])),
            self._judged("mean of the others", means, is_ranking=False),
        ]

    def predict(self, features: Sequence[float | None]) -> Prediction:
        """Return the accuracy to be expected; the interval is that of languages left out.

        Conformal over languages: the radius is a quantile of the median absolute errors of
        languages that were left out, with the correction for their number.
        """
        used = [features[i] for i in self._used]
        if any(value is None for value in used):
            lacking = [FEATURES[i] for i in self._used if features[i] is None]
            raise EvaluationError(f"{', '.join(lacking)} of this treebank cannot be measured")
        value = float(_share(self._model.predict(np.array([used], np.float64)))[0])
        errors = np.abs(self.held_out - self.accuracy)
        typical = sorted(
            float(np.median(errors[self.languages == language]))
            for language in _different(self.languages)
        )
        place = min(int(np.ceil(0.9 * (len(typical) + 1))), len(typical)) - 1
        radius = typical[place]
        return Prediction(
            self.parser, self.metric, value, max(value - radius, 0.0), min(value + radius, 1.0)
        )

    def _judged(
        self, name: str, predicted: NDArray[np.float64], *, is_ranking: bool = True
    ) -> Judgement:
        """Judge predictions; a mean that leaves a language out ranks it upside down, by itself."""
        errors = predicted - self.accuracy
        spread = ((self.accuracy - self.accuracy.mean()) ** 2).sum()
        ranked = None
        if is_ranking and np.ptp(predicted) and np.ptp(self.accuracy):
            from scipy.stats import spearmanr  # slow to import: half a second

            ranked = float(spearmanr(predicted, self.accuracy).statistic)
        return Judgement(
            name,
            float(np.abs(errors).mean()),
            1 - float((errors**2).sum() / spread) if spread else 0.0,
            ranked,
        )

    def _left_out(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return predictions for every row by models that have not seen its language."""
        predictions = np.empty(len(x))
        for language in _different(self.languages):
            out = self.languages == language
            penalty = self._best_penalty(~out, x)
            predictions[out] = Ridge.fit(x[~out], self._y[~out], penalty).predict(x[out])
        return _share(predictions)

    def _best_penalty(self, rows: NDArray[np.bool_], x: NDArray[np.float64]) -> float:
        """Return the penalty that predicts languages best that are left out of some rows."""
        errors = []
        for penalty in PENALTIES:
            total = 0.0
            for language in _different(self.languages[rows]):
                out = rows & (self.languages == language)
                rest = rows & ~out
                if not rest.any():
                    return penalty
                predicted = Ridge.fit(x[rest], self._y[rest], penalty).predict(x[out])
                total += float(((predicted - self._y[out]) ** 2).sum())
            errors.append(total)
        return PENALTIES[int(np.argmin(errors))]


def _different(names: NDArray[Any]) -> list[str]:
    return list(dict.fromkeys(names.tolist()))


def _logit(share: NDArray[np.float64]) -> NDArray[np.float64]:
    inside = np.clip(share, 1e-3, 1 - 1e-3)
    return np.asarray(np.log(inside / (1 - inside)))


def _share(logit: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-logit)))
