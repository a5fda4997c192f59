"""From soft accuracy to accuracy: an estimate with an interval, without gold in the language.

What soft accuracy gets wrong is much the same from language to language, and can be learnt where
there is gold. Records with gold, of other languages, are the training set; whatever belongs to the
language that is estimated is left out together.

`raw`        A_soft as it stands
`constant`   the mean accuracy of the other languages
`error`      the error model: with the ceiling r and the share s of wrong tags that are accepted,
             A_cov = (A_soft - s) / (r - s), and words outside the dictionary are worse by a drop;
             r, s and the drop are medians over the other languages
`ridge`      ridge regression of logit(A_true) on a few features, its penalty chosen by leaving
             languages out

Intervals are conformal: quantiles of the errors on languages that were left out, every language
with the same weight, and the new one counted with them (the n + 1 of conformal prediction; Dunn et
al. 2022). With fewer than nine languages no interval of 90% can be had that way, and it is [0, 1].

References
----------
Dunn, Wasserman and Ramdas (2022), Distribution-free prediction sets for two-layer hierarchical
models. doi:10.1080/01621459.2022.2060112
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from treegauge.dictionaries.errors import DictionaryError
from treegauge.dictionaries.ranking import precision_at_1
from treegauge.dictionaries.records import Record
from treegauge.significance import Interval, kendall_tau_b, ridge

Floats = NDArray[np.float64]

_EDGE = 1e-3
"""Shares are kept this far from 0 and 1 before their logarithm is taken."""

PENALTIES = (0.01, 0.1, 1.0, 10.0, 100.0)
"""What the ridge regression chooses from."""


def _logit(value: float) -> float:
    inside = min(max(value, _EDGE), 1 - _EDGE)
    return float(np.log(inside / (1 - inside)))


def _known(value: float | None, otherwise: float) -> float:
    return otherwise if value is None else value


FEATURES: dict[str, Callable[[Record], float]] = {
    "logit A_soft": lambda record: _logit(_soft(record)),
    "coverage": lambda record: _known(record.soft.coverage, 0.0),
    "log10 forms": lambda record: float(np.log10(max(record.conditions.forms, 1))),
    "permissiveness": lambda record: _known(record.soft.permissiveness, 0.0),
    "logit A_soft of singletons": lambda record: _logit(
        _known(record.soft.on_singletons, _soft(record))
    ),
    "logit type-macro": lambda record: _logit(_known(record.soft.type_macro, _soft(record))),
}
"""What the regression sees of a record. Six, because there are few languages, and none needs gold
of the language itself: the dictionary's F1 would."""


def _soft(record: Record) -> float:
    if record.soft.value is None:
        raise DictionaryError(
            f"{record.tagger} on {record.conditions.treebank or 'the text'} has no soft accuracy: "
            "no word is in the dictionary"
        )
    return record.soft.value


def _true(record: Record) -> float:
    if record.gold is None or record.gold.accuracy is None:
        raise DictionaryError(
            f"{record.tagger} on {record.conditions.treebank or 'the text'} has no gold: "
            "calibration learns from records with gold"
        )
    return record.gold.accuracy


class Estimator(ABC):
    """Something that estimates A_true from a record without gold."""

    name = ""

    @abstractmethod
    def fit(self, records: Sequence[Record]) -> Self:
        """Learn from records with gold, of other languages."""

    @abstractmethod
    def estimate(self, record: Record) -> float:
        """Return A_true, between 0 and 1."""


class Raw(Estimator):
    """A_soft as it stands."""

    name = "raw"

    def fit(self, records: Sequence[Record]) -> Self:
        """Learn nothing."""
        del records
        return self

    def estimate(self, record: Record) -> float:
        """Return A_soft."""
        return _soft(record)


class Constant(Estimator):
    """The mean accuracy of the other languages, each with the same weight."""

    name = "constant"

    def fit(self, records: Sequence[Record]) -> Self:
        """Take the mean of the languages' means."""
        truths = np.array([_true(record) for record in records])
        self.mean = float(np.average(truths, weights=_language_weights(records)))
        return self

    def estimate(self, record: Record) -> float:
        """Return the mean, whatever the record."""
        del record
        return self.mean


class ErrorModel(Estimator):
    """Undoes what dictionaries do to accuracy: reject right tags, accept wrong ones.

    Attributes
    ----------
    ceiling : float
        r, the share of covered words whose gold tag is in the dictionary.
    wrong_accepted : float
        s, the share of wrong tags that are accepted.
    drop : float
        Accuracy of covered words less that of the others.
    """

    name = "error"

    def fit(self, records: Sequence[Record]) -> Self:
        """Take medians over languages of the languages' medians."""
        golds = [(record.conditions.language, record.gold) for record in records]
        self.ceiling = _median_of_languages(
            [(language, gold.ceiling) for language, gold in golds if gold is not None]
        )
        self.wrong_accepted = _median_of_languages(
            [(language, gold.wrong_accepted) for language, gold in golds if gold is not None],
            otherwise=0.0,
        )
        self.drop = _median_of_languages(
            [
                (language, gold.on_covered - gold.on_others)
                for language, gold in golds
                if gold is not None and gold.on_covered is not None and gold.on_others is not None
            ],
            otherwise=0.0,
        )
        return self

    def estimate(self, record: Record) -> float:
        """Return `cov A_cov + (1 - cov) (A_cov - drop)`."""
        soft, coverage = _soft(record), _known(record.soft.coverage, 1.0)
        room = self.ceiling - self.wrong_accepted
        if room <= 0:
            return soft
        covered = float(np.clip((soft - self.wrong_accepted) / room, 0, 1))
        others = float(np.clip(covered - self.drop, 0, 1))
        return coverage * covered + (1 - coverage) * others


class Ridge(Estimator):
    """Ridge regression of logit(A_true) on the features, standardised; languages weigh alike.

    Attributes
    ----------
    penalty : float
        One of `PENALTIES`: the one with the least error on languages that were left out.
    model : treegauge.significance.ridge.Ridge
        The regression itself.
    """

    name = "ridge"

    def __init__(self, features: Sequence[str] = tuple(FEATURES)) -> None:
        unknown = [name for name in features if name not in FEATURES]
        if unknown:
            raise DictionaryError(f"unknown feature {unknown[0]!r}; there are {list(FEATURES)}")
        self.features = tuple(features)

    def fit(self, records: Sequence[Record]) -> Self:
        """Choose the penalty, then fit all records."""
        table, targets = self._table(records), np.array([_logit(_true(r)) for r in records])
        weights = _language_weights(records)
        languages = np.array([record.conditions.language for record in records])
        self.penalty = PENALTIES[-1]
        if len(set(languages)) > 2:
            errors = [
                self._left_out_error(table, targets, weights, languages, penalty)
                for penalty in PENALTIES
            ]
            self.penalty = PENALTIES[int(np.argmin(errors))]
        self.model = ridge.Ridge.fit(table, targets, self.penalty, row_weights=weights)
        return self

    def estimate(self, record: Record) -> float:
        """Return what the regression says, between 0 and 1."""
        return float(_share(self.model.predict(self._table([record])))[0])

    def _table(self, records: Sequence[Record]) -> Floats:
        return np.array([[FEATURES[name](r) for name in self.features] for r in records])

    def _left_out_error(
        self,
        table: Floats,
        targets: Floats,
        weights: Floats,
        languages: NDArray[np.str_],
        penalty: float,
    ) -> float:
        error = 0.0
        for language in sorted(set(languages.tolist())):
            out = languages == language
            model = ridge.Ridge.fit(table[~out], targets[~out], penalty, row_weights=weights[~out])
            predicted = _share(model.predict(table[out]))
            error += float(np.mean(np.abs(predicted - _share(targets[out]))))
        return error


def _share(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-logits)))


ESTIMATORS: dict[str, Callable[[], Estimator]] = {
    "raw": Raw,
    "constant": Constant,
    "error": ErrorModel,
    "ridge": Ridge,
}
"""The estimators by name; the first three are baselines."""


@dataclass(frozen=True)
class Estimate:
    """An estimated accuracy with its interval."""

    tagger: str
    value: float
    low: float
    high: float


class Calibrator:
    """An estimator and its errors on languages that were left out.

    Parameters
    ----------
    records : sequence of Record
        With gold. Rows of a language are always left out together.
    estimator : str
        One of `ESTIMATORS`.
    confidence : float
        Of the intervals.
    """

    def __init__(
        self, records: Sequence[Record], *, estimator: str = "ridge", confidence: float = 0.9
    ) -> None:
        if estimator not in ESTIMATORS:
            raise DictionaryError(
                f"unknown estimator {estimator!r}; there are {', '.join(ESTIMATORS)}"
            )
        self.records = [record for record in records if record.soft.value is not None]
        self.languages = sorted({record.conditions.language for record in self.records})
        if len(self.languages) < 2:
            raise DictionaryError(
                "calibration needs records with gold of at least two languages; "
                f"found {len(self.languages)}"
            )
        self.name, self.confidence = estimator, confidence
        self.fitted = ESTIMATORS[estimator]().fit(self.records)
        self.residuals: dict[str, Floats] = {}
        """By language that was left out: A_true less the estimate."""
        for language in self.languages:
            out = [r for r in self.records if r.conditions.language == language]
            rest = [r for r in self.records if r.conditions.language != language]
            model = ESTIMATORS[estimator]().fit(rest)
            self.residuals[language] = np.array([_true(r) - model.estimate(r) for r in out])

    @property
    def half_width(self) -> float:
        """Half of the width of intervals, before they are cut at 0 and 1; infinite if need be."""
        return conformal_half_width(list(self.residuals.values()), self.confidence)

    def estimate(self, record: Record) -> Estimate:
        """Estimate A_true of a record of a language that is not among the others."""
        if record.conditions.language in self.languages:
            raise DictionaryError(
                f"{record.conditions.language} is among the languages that calibration learnt "
                "from: leave its records out"
            )
        value = self.fitted.estimate(record)
        ends = self.interval(value)
        return Estimate(record.tagger, value, ends.low, ends.high)

    def interval(self, value: float) -> Interval:
        """Return the interval of an estimate."""
        width = self.half_width
        return Interval(max(0.0, value - width), min(1.0, value + width))

    @property
    def deviations(self) -> Floats:
        """Errors less the mean error of their language: what can change the order of taggers."""
        return np.concatenate([r - r.mean() for r in self.residuals.values()])


def conformal_half_width(residuals: Sequence[Floats], confidence: float) -> float:
    """Return the weighted quantile of absolute errors, one language more counted as infinite.

    >>> errors = [np.array([0.01 * i]) for i in range(1, 10)]
    >>> conformal_half_width(errors, 0.9), conformal_half_width(errors[:8], 0.9)
    (0.09, inf)
    """
    if not residuals:
        return float("inf")
    errors = np.concatenate([np.abs(of) for of in residuals])
    weights = np.concatenate([np.full(len(of), 1 / len(of)) for of in residuals])
    order = np.argsort(errors, kind="stable")
    below = np.cumsum(weights[order]) / (len(residuals) + 1)
    reached = np.flatnonzero(below >= confidence - 1e-12)
    return float(errors[order][reached[0]]) if len(reached) else float("inf")


@dataclass(frozen=True)
class Validation:
    """How good an estimator is on languages that were left out.

    Attributes
    ----------
    mae, rmse, bias : float
        Mean absolute and root mean squared error, and estimate less truth; languages weigh alike.
    interval_coverage : float or None
        The share of languages' records inside their intervals, whose errors come from the other
        languages alone; None with fewer than three languages.
    precision_at_1, tau : float or None
        Means over languages of the order of the estimates.
    """

    estimator: str
    languages: int
    mae: float
    rmse: float
    bias: float
    interval_coverage: float | None
    precision_at_1: float
    tau: float | None


def validate(
    records: Sequence[Record], *, estimator: str = "ridge", confidence: float = 0.9
) -> Validation:
    """Leave each language out in turn, all of its records together."""
    languages = sorted({record.conditions.language for record in records})
    if len(languages) < 2:
        raise DictionaryError("validation needs records of at least two languages")
    errors: list[Floats] = []
    inside: list[float] = []
    firsts, taus = [], []
    for language in languages:
        out = [r for r in records if r.conditions.language == language]
        rest = [r for r in records if r.conditions.language != language]
        truths = np.array([_true(r) for r in out])
        if len(languages) > 2:
            calibrator = Calibrator(rest, estimator=estimator, confidence=confidence)
            model, width = calibrator.fitted, calibrator.half_width
        else:
            model, width = ESTIMATORS[estimator]().fit(rest), float("nan")
        estimates = np.array([model.estimate(r) for r in out])
        errors.append(estimates - truths)
        inside.append(float(np.mean(np.abs(estimates - truths) <= width)))
        firsts.append(precision_at_1(truths.tolist(), estimates.tolist()))
        tau = kendall_tau_b(truths.tolist(), estimates.tolist())
        taus += [] if tau is None else [tau]
    return Validation(
        estimator,
        len(languages),
        float(np.mean([np.abs(of).mean() for of in errors])),
        float(np.sqrt(np.mean([(of**2).mean() for of in errors]))),
        float(np.mean([of.mean() for of in errors])),
        float(np.mean(inside)) if len(languages) > 2 else None,
        float(np.mean(firsts)),
        float(np.mean(taus)) if taus else None,
    )


def _language_weights(records: Sequence[Record]) -> Floats:
    languages = [record.conditions.language for record in records]
    return np.array([1 / languages.count(language) for language in languages])


def _median_of_languages(
    values: Sequence[tuple[str, float | None]], otherwise: float = 1.0
) -> float:
    by_language: dict[str, list[float]] = {}
    for language, value in values:
        if value is not None:
            by_language.setdefault(language, []).append(value)
    medians = [float(np.median(of)) for of in by_language.values()]
    return float(np.median(medians)) if medians else otherwise
