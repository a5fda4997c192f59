"""What parsers can be expected to reach on a treebank, and how wrong such forecasts are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from treegauge.evaluation.accuracy_prediction import (
    AccuracyModel,
    AccuracyRow,
    Prediction,
    TrainingText,
    describe_training_text,
    read_rows,
)
from treegauge.tables import PERCENT, PERCENT_1, Cell, Column, Table
from treegauge.treebank import Treebank
from treegauge.wording import counted


@dataclass(frozen=True)
class AccuracyForecast:
    """Predictions for one treebank, by every model."""

    treebank: str
    text: TrainingText
    models: Sequence[AccuracyModel]

    @cached_property
    def predictions(self) -> list[Prediction]:
        """What is predicted, by every model."""
        return [model.predict(self.text) for model in self.models]

    def tables(self) -> list[Table]:
        """Return what is predicted, and how wrong predictions have been."""
        expected = Table(
            ["parser", "metric", Column("expected", format=PERCENT_1)],
            [
                [one.parser, one.metric.upper(), Cell(one.value, one.low, one.high)]
                for one in self.predictions
            ],
            title=f"{self.treebank}: expected accuracy of parsers",
            notes=[
                f"trained on {self.text.words:,.0f} words, with gold tags, punctuation not "
                "counted; 90% intervals",
                f"pilot parsers, trained on {self.text.pilot_words:,.0f} words, reach UAS "
                f"{100 * self.text.pilot_uas:.1f}, LAS {100 * self.text.pilot_las:.1f}",
                *self._warnings(),
            ],
        )
        errors = Table(
            [
                *("parser", "metric", "predicted by"),
                Column("mean error", format=PERCENT),
                Column("in interval", format=PERCENT_1),
            ],
            [
                [
                    *(model.parser, model.metric.upper(), judged.name),
                    *(judged.mean_error, judged.coverage),
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

    def _warnings(self) -> list[str]:
        """Say where a model has not seen parsers that learnt from so little or so much."""
        beyond = [
            f"{low:,.0f} to {high:,.0f} ({parser})"
            for parser, (low, high) in {one.parser: one.sizes for one in self.models}.items()
            if not low <= self.text.words <= high
        ]
        return [f"measured on training data of {', '.join(beyond)} words"] if beyond else []

    def _verdict(self) -> str:
        """Say whether the model is worth more than the mean."""
        judged = [model.judgements() for model in self.models]
        better = sum(
            ours.mean_error < min(other.mean_error for other in others) for ours, *others in judged
        )
        return (
            f"pilot parsers predict better than size and the mean of the others in {better} of "
            f"{counted(len(self.models), 'case')}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            "schema": 1,
            "treebank": self.treebank,
            "features": vars(self.text),
            "predictions": [
                {
                    **vars(prediction),
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
    treebank: Treebank, models: Sequence[AccuracyModel], *, words: int | None = None, name: str = ""
) -> AccuracyForecast:
    """Predict what parsers will reach when they have learnt from a treebank.

    Parameters
    ----------
    treebank : Treebank
        What would be learnt from, or a part of it.
    models : sequence of AccuracyModel
        As `models_of` gives them.
    words : int, optional
        How many words would be learnt from. Default: those of the treebank.
    name : str
        What tables call the treebank; its own name if it is empty.
    """
    text = describe_training_text(treebank, words)
    return AccuracyForecast(name or treebank.name, text, models)
