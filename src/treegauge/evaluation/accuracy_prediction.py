"""How accurate a parser will be on a treebank, before anybody has trained it.

Gulordava and Merlo (2016) ask for a function from properties of a treebank to accuracy. Properties
of word order say little about a new language (docs/reproductions.md). A parser that learns from a
small sample says more. The model is a ridge regression of the logit of accuracy on that of pilot
parsers (`pilot_parsers`), and on how much larger than their sample the training data are. It is
judged leaving one language out: all treebanks, sizes and orders of a language leave together, and
every language counts the same. It must beat the mean of other languages, and a regression on size
alone, which is the mean of other languages at the same size.

References
----------
Ravi, Knight and Soricut (2008), Automatic prediction of parser accuracy. EMNLP.
Kolachina, Cancedda, Dymetman and Venkatapathy (2012), Prediction of learning curves in machine
    translation. ACL.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treegauge.evaluation.errors import EvaluationError
from treegauge.evaluation.pilot_parsers import run_pilots
from treegauge.formats import read_text
from treegauge.significance.ridge import Ridge
from treegauge.temporaries import replacing
from treegauge.treebank import Treebank
from treegauge.wording import counted, did_you_mean

LEVEL = 0.9
"""Of intervals."""
PENALTY = 1.0
"""Of the ridge; weak, as it has two inputs."""
_LEAST_LANGUAGES = 3
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TrainingText:
    """What is known of training data before a parser has learnt from them."""

    words: float
    """How many words the parser learns from."""
    pilot_words: float
    """How many words the pilot parsers learnt from."""
    pilot_uas: float
    pilot_las: float


FEATURES = tuple(field.name for field in fields(TrainingText))


@dataclass(frozen=True)
class AccuracyRow:
    """A parser's accuracy on a treebank, and what is known of the training data."""

    treebank: str
    language: str
    order: str
    parser: str
    uas: float
    las: float
    text: TrainingText


_KEYS = tuple(field.name for field in fields(AccuracyRow) if field.name != "text")


def describe_training_text(train: Treebank, words: int | None = None) -> TrainingText:
    """Return what pilot parsers reach on what a parser would be trained on.

    Parameters
    ----------
    train : Treebank
        The training data, or a part of them.
    words : int, optional
        How many words the training data will have. Default: those of `train`.
    """
    pilots = run_pilots(train)
    return TrainingText(words or train.n_words, pilots.words, pilots.uas[0], pilots.las[0])


# ---------------------------------------------------------------------- files of rows


def write_rows(rows: Sequence[AccuracyRow], path: str | os.PathLike[str]) -> None:
    """Write rows as a table, tabs between columns."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow([*_KEYS, *FEATURES])
    for row in rows:
        numbers = [row.uas, row.las, *vars(row.text).values()]
        names = [row.treebank, row.language, row.order, row.parser]
        writer.writerow([*names, *(f"{number:.6g}" for number in numbers)])
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
            known = TrainingText(*(float(row[key]) for key in FEATURES))
            uas, las = float(row["uas"]), float(row["las"])
        except (TypeError, ValueError):
            raise EvaluationError(f"{name}, line {number}: expected numbers") from None
        names = (row["treebank"], row["language"], row["order"], row["parser"])
        rows.append(AccuracyRow(*names, uas, las, known))
    return rows


# ---------------------------------------------------------------------- the model


@dataclass(frozen=True)
class Judgement:
    """How well something predicts languages that it has not seen."""

    name: str
    mean_error: float
    """Mean absolute error, as a share; the mean over languages."""
    coverage: float | None
    """The share of accuracies inside their interval, where there are intervals."""


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
        self._names: list[str] = list(dict.fromkeys(self.languages.tolist()))
        n = len(self._names)
        if n < _LEAST_LANGUAGES:
            raise EvaluationError(
                f"{parser}: accuracies in {counted(n, 'language')} are too "
                f"few to predict that in another one; {_LEAST_LANGUAGES} are needed\n"
                "  `treegauge reproduce word-order` on more treebanks writes a table with more"
            )
        self.accuracy = np.array([getattr(row, metric) for row in rows])
        self._weights = 1 / np.array([(self.languages == name).sum() for name in self.languages])
        self._sizes = np.array([[np.log10(row.text.words)] for row in rows])
        self._x = np.array([self._inputs(row.text) for row in rows])
        self._y = _logit(self.accuracy)
        self._model = self._fit(np.ones(len(rows), np.bool_), self._x)

    @property
    def sizes(self) -> tuple[float, float]:
        """The least and the most words that parsers have learnt from."""
        least, most = 10 ** self._sizes.min(), 10 ** self._sizes.max()
        return float(least), float(most)

    @cached_property
    def held_out(self) -> Floats:
        """The logit of accuracy as models predict it that have not seen the language."""
        return self._left_out(self._x)

    def judgements(self) -> list[Judgement]:
        """Return how well the model and the baselines predict languages left out."""
        means = np.empty(len(self.accuracy))
        for name in self._names:
            out = self.languages == name
            means[out] = np.average(self.accuracy[~out], weights=self._weights[~out])
        return [
            self._judged("pilot parsers", _share(self.held_out), self._coverage()),
            self._judged("size alone", _share(self._left_out(self._sizes))),
            self._judged("mean of the others", means),
        ]

    def predict(self, text: TrainingText) -> Prediction:
        """Return the accuracy to be expected, with the interval of languages left out."""
        logit = float(self._model.predict(np.array([self._inputs(text)]))[0])
        radius = self._radius(np.ones(len(self.accuracy), np.bool_))
        value, low, high = _share(np.array([logit, logit - radius, logit + radius])).tolist()
        return Prediction(self.parser, self.metric, value, low, high)

    def _inputs(self, text: TrainingText) -> list[float]:
        """Return what the regression reads: the growth of the text, and the pilots' accuracy."""
        reached = text.pilot_uas if self.metric == "uas" else text.pilot_las
        return [np.log10(text.words / text.pilot_words), float(_logit(np.array(reached)))]

    def _fit(self, rows: NDArray[np.bool_], x: Floats) -> Ridge:
        return Ridge.fit(x[rows], self._y[rows], PENALTY, row_weights=self._weights[rows])

    def _left_out(self, x: Floats) -> Floats:
        """Return predictions for every row by models that have not seen its language."""
        predictions = np.empty(len(x))
        for name in self._names:
            out = self.languages == name
            predictions[out] = self._fit(~out, x).predict(x[out])
        return predictions

    def _radius(self, rows: NDArray[np.bool_]) -> float:
        """Return how far from a prediction the accuracy of another language is, in logits.

        Conformal over languages: the quantile of errors in languages left out, as if the new one
        had been there with an error larger than all.
        """
        errors = np.abs(self.held_out - self._y)[rows]
        order = np.argsort(errors)
        weights = self._weights[rows][order]
        reached = np.cumsum(weights) / (weights.sum() + 1)
        place = min(int(np.searchsorted(reached, LEVEL)), len(errors) - 1)
        return float(errors[order][place])

    def _coverage(self) -> float:
        """Return the share of accuracies inside intervals that other languages give."""
        inside = np.empty(len(self.accuracy))
        for name in self._names:
            out = self.languages == name
            inside[out] = np.abs(self.held_out - self._y)[out] <= self._radius(~out)
        return float(np.average(inside, weights=self._weights))

    def _judged(self, name: str, predicted: Floats, coverage: float | None = None) -> Judgement:
        errors = np.abs(predicted - self.accuracy)
        return Judgement(name, float(np.average(errors, weights=self._weights)), coverage)


def _logit(share: Floats) -> Floats:
    inside = np.clip(share, 1e-3, 1 - 1e-3)
    return np.asarray(np.log(inside / (1 - inside)))


def _share(logit: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-logit)))
