"""Scores of one submission on one treebank: every metric, stratum and gold standard.

Nothing here knows files, and of a submission only what it annotated.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.challenges.challenge import Track
from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.ranking import macro_average
from treegauge.evaluation import Evaluated, Resampling, break_down
from treegauge.evaluation.scoring import described_flaws, missing_columns, score_system
from treegauge.metrics import (
    Comparison,
    Counts,
    MeanOfSentences,
    MetricError,
    MetricSpec,
    Statistics,
)
from treegauge.reports.pages.annotations import Annotations, confusion_of
from treegauge.reports.pages.tree_data import tree_bank
from treegauge.significance import Resampler, interval
from treegauge.strata import StrataError
from treegauge.treebank import Treebank

Document = dict[str, Any]
"""What JSON can hold."""

GOLD = "gold"
"""The first gold standard of every treebank."""

EXAMPLES = 10
"""Sentences that the page of a submission shows, of every treebank."""
LONGEST_EXAMPLE = 25
"""Words of such a sentence."""


@dataclass(frozen=True)
class ScoringSettings:
    """How intervals and tests are drawn; part of the scorer's id.

    Attributes
    ----------
    resamples, confidence, seed
        Of intervals.
    paired_resamples : int
        Of the bootstrap behind groups, where systems cannot exchange sentences.
    """

    resamples: int = 1000
    confidence: float = 0.95
    seed: int = 0
    paired_resamples: int = 10_000

    @property
    def resampling(self) -> Resampling:
        """What draws the intervals of scores."""
        # The same kind for all treebanks and for their average.
        kind = "percentile"
        return Resampling(self.resamples, self.confidence, trials=0, seed=self.seed, kind=kind)


@dataclass(frozen=True)
class GoldStandards:
    """What is right on one treebank, by one standard or several.

    Attributes
    ----------
    treebank : str
        Its name in the challenge.
    standards : mapping
        `gold` first; further references and styles, all of the same words.
    training : Treebank, optional
        For strata that count forms.
    """

    treebank: str
    standards: Mapping[str, Treebank]
    training: Treebank | None = None
    shows_words: bool = True
    """Whether its licence lets results quote sentences."""

    @property
    def gold(self) -> Treebank:
        """The first standard."""
        return self.standards[GOLD]


@dataclass(frozen=True)
class TreebankScores:
    """A submission on one treebank: what is written down, and what averages are made from."""

    document: Document
    evaluated: Mapping[str, Evaluated]
    """By gold standard."""


def score_treebank(
    track: Track, gold: GoldStandards, system: Treebank, settings: ScoringSettings
) -> TreebankScores:
    """Score what a submission says of one treebank.

    Parameters
    ----------
    system : Treebank
        The words of gold with the columns that the submission gives.
    """
    evaluated = {}
    standards: Document = {}
    for name, standard in gold.standards.items():
        specs = scored_metrics(track, standard)
        own = score_system(
            standard, system, specs, track.conventions, align=False, resampling=settings.resampling
        )
        evaluated[name] = own
        standards[name] = {
            "scores": {metric: score.to_dict() for metric, score in own.scores.items()},
            "strata": _strata(track, standard, system, specs, gold.training, settings),
            **(_sentence_counts(own.statistics.get(str(track.primary))) if name == GOLD else {}),
        }
    document = {
        "sentences": len(gold.gold),
        "words": gold.gold.n_words,
        "flaws": described_flaws(system),
        "standards": standards,
        **_errors(track, gold, system),
    }
    return TreebankScores(document, evaluated)


def scored_metrics(track: Track, standard: Treebank) -> list[MetricSpec]:
    """Return the metrics that a gold standard has the columns for; the primary one must be."""
    specs = [spec for spec in track.metrics if not missing_columns(spec.metric, standard)]
    if track.primary not in specs:
        missing = ", ".join(missing_columns(track.primary.metric, standard))
        raise ChallengeError(
            f"track {track.name!r}: {track.primary} needs {missing}, and gold of "
            f"{standard.name!r} has none"
        )
    return specs


def metric_of_words(track: Track, specs: Sequence[MetricSpec]) -> MetricSpec | None:
    """Return the metric that strata break down: the primary one, or the first about words."""
    ordered = [track.primary, *specs]
    return next((spec for spec in ordered if spec.metric.outcome is not None), None)


def _strata(
    track: Track,
    standard: Treebank,
    system: Treebank,
    specs: Sequence[MetricSpec],
    training: Treebank | None,
    settings: ScoringSettings,
) -> Document:
    spec = metric_of_words(track, specs)
    if spec is None or missing_columns(spec.metric, system):
        return {}
    own = track.conventions.for_family(spec.metric.family)
    comparison = Comparison(standard, system, own, cut_off=spec.cut_off)
    strata: Document = {}
    for by in track.by:
        try:
            cells = break_down(
                comparison,
                spec.metric,
                by,
                training=training,
                resamples=settings.resamples,
                confidence=settings.confidence,
                seed=settings.seed,
            )
        except (StrataError, MetricError) as error:
            strata[by] = {"metric": str(spec), "reason": str(error).partition("\n")[0]}
            continue
        strata[by] = {"metric": str(spec), "cells": [asdict(cell) for cell in cells]}
    return strata


# ---------------------------------------------------------------------- what tests need


def _sentence_counts(statistics: Statistics | None) -> Document:
    """Return what is right in every sentence and what there is, if sentences can be exchanged."""
    if isinstance(statistics, Counts):
        # Twice the right over gold's and the system's: with the same words, the plain share.
        right, in_gold, in_system = statistics.per_sentence.T
        return {"sentences": {"right": _plain(right), "whole": _plain((in_gold + in_system) / 2)}}
    if isinstance(statistics, MeanOfSentences):
        right, whole = statistics.per_sentence.T
        return {"sentences": {"right": _plain(right), "whole": _plain(whole)}}
    return {}


def _plain(values: NDArray[np.float64]) -> list[int] | list[float]:
    """Return numbers as short as JSON can have them."""
    whole = values.astype(np.int64)
    plain: list[int] | list[float] = (whole if (whole == values).all() else values).tolist()
    return plain


def average_document(
    track: Track,
    scores: Mapping[str, TreebankScores],
    treebanks: Sequence[str],
    settings: ScoringSettings,
) -> Document:
    """Return averages over stated treebanks, with intervals; none where one has no score.

    Sentences are drawn within their treebanks. A gold standard that a treebank lacks has no
    average.
    """
    missing = [name for name in treebanks if name not in scores]
    if missing:
        return {"treebanks": list(treebanks), "missing": missing, "standards": {}}
    first = scores[treebanks[0]].evaluated
    common = [name for name in first if all(name in scores[other].evaluated for other in treebanks)]
    return {
        "treebanks": list(treebanks),
        "missing": [],
        "standards": {
            name: _averages(track, {t: scores[t].evaluated[name] for t in treebanks}, settings)
            for name in common
        },
    }


def _averages(
    track: Track, evaluated: Mapping[str, Evaluated], settings: ScoringSettings
) -> Document:
    averages: Document = {}
    for spec in track.metrics:
        metric = str(spec)
        own = [one.scores.get(metric) for one in evaluated.values()]
        values = {name: one.scores[metric].value for name, one in evaluated.items() if all(own)}
        value = macro_average(values, list(evaluated))
        if value is None:
            averages[metric] = {"value": None, "low": None, "high": None}
            continue
        statistics = {name: one.statistics[metric] for name, one in evaluated.items()}
        bounds = interval(
            _resampled(statistics, settings.resamples, settings.seed),
            confidence=settings.confidence,
        )
        low, high = bounds or (None, None)
        averages[metric] = {"value": value, "low": low, "high": high}
        if spec == track.primary and not isinstance(
            next(iter(statistics.values())), Counts | MeanOfSentences
        ):
            resampled = _resampled(statistics, settings.paired_resamples, settings.seed)
            # A resample in which nothing is defined: JSON has no NaN.
            averages[metric]["resampled"] = [
                None if value != value else value for value in resampled.tolist()
            ]
    return averages


def _resampled(
    statistics: Mapping[str, Statistics], resamples: int, seed: int
) -> NDArray[np.float64]:
    """Return the average of every resample of sentences within treebanks."""
    total = np.zeros(resamples)
    for name, own in statistics.items():
        # Treebanks of one size would else be drawn alike, as if one knew of the other.
        own_seed = seed + zlib.crc32(name.encode())
        resampler = Resampler(own.per_sentence.shape[0], resamples=resamples, seed=own_seed)
        total += resampler.scores(own.per_sentence, own.score)
    return total / len(statistics)


# ---------------------------------------------------------------------- errors


def _errors(track: Track, gold: GoldStandards, system: Treebank) -> Document:
    """Return confusions, and the sentences that a reader should look at; both show gold."""
    spec = metric_of_words(track, track.metrics)
    conventions = track.conventions
    if spec is not None:
        conventions = conventions.for_family(spec.metric.family)
    comparison = Comparison(gold.gold, system, conventions)
    confused = confusion_of(comparison)
    document: Document = {"confusion": None, "examples": None}
    if confused is not None:
        counts = [[*pair, number] for pair, number in confused.counts.items()]
        document["confusion"] = {"column": confused.column, "counts": counts}
    if spec is not None and not missing_columns(spec.metric, system):
        document["examples"] = _examples(spec, comparison, gold, system)
    return document


def _examples(
    spec: MetricSpec, comparison: Comparison, gold: GoldStandards, system: Treebank
) -> Document | None:
    """Return the trees of short sentences with the most errors, as pages draw them."""
    assert spec.metric.outcome is not None
    outcome = spec.metric.outcome(comparison)
    sentences = len(comparison.gold)
    of_word = comparison.sentence_of_gold
    right = np.bincount(of_word[comparison.gold_word[outcome.correct]], minlength=sentences)
    whole = np.bincount(of_word[outcome.in_gold], minlength=sentences)
    lengths = gold.gold.lengths
    chosen = np.flatnonzero((whole > right) & (lengths <= LONGEST_EXAMPLE))
    order = np.lexsort((chosen, lengths[chosen], (right - whole)[chosen]))[:EXAMPLES]
    places = chosen[order]
    if not len(places):
        return None
    shown = {"submission": system[places]}
    bank = tree_bank(Annotations(gold.treebank, gold.gold[places], shown, comparison.conventions))
    if bank is None:
        return None
    for place, sentence in zip(places.tolist(), bank.sentences, strict=True):
        sentence[0] = f"sentence {place + 1}: {right[place]} of {whole[place]} right"
        if not gold.shows_words:
            # A licence that lets nobody pass on words lets us pass on their places.
            words = sentence[2].count("\n") + 1
            sentence[1] = 0
            sentence[2] = "\n".join(map(str, range(1, words + 1)))
    return {"names": bank.names, "sentences": bank.sentences}
