"""Estimates of A_true, calibrated on the other languages and held against the mean of these.

The mean (`treegauge.dictionaries.calibration`, `constant`) is hard to beat for supervised
taggers: they are all much the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from treegauge.dictionaries import ESTIMATORS, Record, validate
from treegauge.papers.tagger_evaluation.frames import (
    AS_TAGGERS,
    CROSS_LINGUAL,
    OWN,
    SUPERVISED,
    TRANSLATED,
    make_frame,
)

if TYPE_CHECKING:
    import polars as pl

MIXED = "all taggers"
"""Supervised, cross-lingual, and corrupted as taggers err."""
_MEAN = "constant"
_LEAST_ACCURACY = 0.2
"""Of corrupted taggers that calibration learns from: nobody uses worse ones."""
_LANGUAGES_FOR_INTERVALS = 10
"""One that is left out and the nine that an interval of 90% needs."""


def calibration_frame(records: Mapping[tuple[str, str], Sequence[Record]]) -> pl.DataFrame:
    """Estimate A_true of every language from the others, by all estimators.

    Parameters
    ----------
    records : mapping from group of taggers and dictionary to records
        All with gold.
    """
    rows = []
    for kind in (OWN, TRANSLATED):
        pools = _pools(records, kind)
        for learnt_from, tested_on in (
            (MIXED, MIXED),
            *((MIXED, group) for group in pools if group != MIXED),
            (SUPERVISED, SUPERVISED),
        ):
            pool, tested = pools[learnt_from], pools[tested_on]
            if min(len(_languages(pool)), len(_languages(tested))) < 2:
                continue
            about: dict[str, Any] = {"dictionary": kind, "learnt_from": learnt_from}
            about |= {"tested_on": tested_on, "languages": len(_languages(tested))}
            of_mean, _ = _errors(tested, left_out_estimates(tested, _MEAN))
            for estimator in ESTIMATORS:
                if estimator == _MEAN:
                    continue
                mae, bias = _errors(tested, left_out_estimates(pool, estimator))
                coverage = None
                if learnt_from == tested_on and len(_languages(pool)) >= _LANGUAGES_FOR_INTERVALS:
                    coverage = validate(pool, estimator=estimator).interval_coverage
                numbers: dict[str, Any] = {"mae": mae, "bias": bias, "mae_of_mean": of_mean}
                numbers |= {"estimator": estimator, "interval_coverage": coverage}
                rows.append({**about, **numbers})
    return make_frame("calibration", rows)


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


def _languages(records: Sequence[Record]) -> list[str]:
    return list(dict.fromkeys(record.conditions.language for record in records))


def _pools(
    records: Mapping[tuple[str, str], Sequence[Record]], kind: str
) -> dict[str, list[Record]]:
    """Return the records of each group, and of all, that can be estimated and are worth it."""
    pools: dict[str, list[Record]] = {}
    for group in (SUPERVISED, CROSS_LINGUAL, AS_TAGGERS):
        pools[group] = [
            record
            for record in records.get((group, kind), ())
            if record.soft.value is not None
            and record.gold is not None
            and record.gold.accuracy is not None
            and (group != AS_TAGGERS or _LEAST_ACCURACY <= record.gold.accuracy < 1)
        ]
    return {**pools, MIXED: [record for members in pools.values() for record in members]}


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
