"""What parsers can be expected to reach on a treebank, and how wrong such forecasts are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from treegauge.evaluation.accuracy_prediction import (
    FEATURES,
    AccuracyModel,
    AccuracyRow,
    Prediction,
    features_of,
    read_rows,
)
from treegauge.tables import NUMBER, PERCENT, PERCENT_1, Cell, Column, Table
from treegauge.treebank import Treebank
from treegauge.wording import counted


@dataclass(frozen=True)
class AccuracyForecast:
    """Predictions for one treebank, by every model."""

    treebank: str
    features: Sequence[float | None]
    models: Sequence[AccuracyModel]

    @cached_property
    def predictions(self) -> list[Prediction]:
        """What is predicted, by every model."""
        return [model.predict(self.features) for model in self.models]

    def tables(self) -> list[Table]:
        """Return what is predicted, and how wrong predictions have been."""
        expected = Table(
            ["parser", "metric", Column("expected", format=PERCENT_1)],
            [
                [one.parser, one.metric.upper(), Cell(one.value, one.low, one.high)]
                for one in self.predictions
            ],
            title=f"{self.treebank}: expected accuracy of parsers",
            notes=["with gold tags, punctuation not counted; 90% intervals"],
        )
        errors = Table(
            [
                *("parser", "metric", "predicted by"),
                Column("mean error", format=PERCENT),
                Column("R²", "r_squared", NUMBER),
                "Spearman",
            ],
            [
                [
                    *(model.parser, model.metric.upper(), judged.name),
                    *(judged.mean_error, judged.r_squared, judged.spearman),
                ]
                for model in self.models
                for judged in model.judgements()
            ],
            title=f"Prediction error for a held-out language, of {self._languages}",
            notes=[self._verdict()],
        )
        return [expected, errors]

    @property
    def _languages(self) -> int:
        return len(set(self.models[0].languages.tolist()))

    def _verdict(self) -> str:
        """Say whether the model is worth more than the mean."""
        judged = [model.judgements() for model in self.models]
        better = sum(one[0].mean_error < one[-1].mean_error for one in judged)
        return (
            f"all properties predict better than the mean of the others in {better} of "
            f"{counted(len(self.models), 'case')}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            "schema": 1,
            "treebank": self.treebank,
            "features": dict(zip(FEATURES, self.features, strict=True)),
            "predictions": [
                {
                    **vars(prediction),
                    "weights": model.weights,
                    "leave_one_language_out": [vars(judged) for judged in model.judgements()],
                }
                for model, prediction in zip(self.models, self.predictions, strict=True)
            ],
        }


def models_of(rows: str = "", parser: str = "") -> list[AccuracyModel]:
    """Return a model for every parser and metric, learnt from a file of accuracies or from ours."""
    known: list[AccuracyRow] = read_rows(rows or None)
    parsers = [parser] if parser else list(dict.fromkeys(row.parser for row in known))
    return [AccuracyModel(known, name, metric) for name in parsers for metric in ("uas", "las")]


def predict_accuracy(
    treebank: Treebank, models: Sequence[AccuracyModel], *, name: str = ""
) -> AccuracyForecast:
    """Predict what parsers will reach when they have learnt from a treebank.

    Parameters
    ----------
    treebank : Treebank
        What would be learnt from.
    models : sequence of AccuracyModel
        As `models_of` gives them.
    name : str
        What tables call the treebank; its own name if it is empty.
    """
    return AccuracyForecast(name or treebank.name, features_of(treebank), models)
