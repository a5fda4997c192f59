"""The answer in words: which tagger to take, how sure that is, how good it will be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.dictionaries.calibration import Calibrator, Estimate
from treegauge.dictionaries.errors import DictionaryError
from treegauge.dictionaries.ranking import top
from treegauge.dictionaries.records import Record
from treegauge.dictionaries.soft_accuracy import ratio_of_sums
from treegauge.dictionaries.texts import Tagged, Text
from treegauge.significance import Resampler

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Verdict:
    """Which tagger is best.

    Attributes
    ----------
    best : str
        The tagger with the highest chance.
    probability : mapping from tagger to float
        Chances of being best; they sum to 1.
    estimates : mapping from tagger to Estimate, or None
        Accuracies, where there was something to calibrate with.
    confidence : float or None
        Of the estimates' intervals.
    """

    best: str
    probability: dict[str, float]
    estimates: dict[str, Estimate] | None
    confidence: float | None

    def __str__(self) -> str:
        chance = self.probability[self.best]
        if self.estimates is None:
            return (
                f"{self.best} is best with probability {chance:.2f}, as far as the dictionary "
                f"can tell; estimating its accuracy needs calibration with other languages"
            )
        estimate = self.estimates[self.best]
        if estimate.low <= 0 and estimate.high >= 1:
            return (
                f"{self.best} is best with probability {chance:.2f}; expected accuracy "
                f"{100 * estimate.value:.0f}, from too few languages for an interval"
            )
        return (
            f"{self.best} is best with probability {chance:.2f}; expected accuracy "
            f"{100 * estimate.low:.0f} to {100 * estimate.high:.0f}"
        )


def verdict(
    text: Text,
    tagged: Sequence[Tagged],
    records: Sequence[Record] | None = None,
    calibrator: Calibrator | None = None,
    *,
    resamples: int = 2000,
    seed: int = 0,
) -> Verdict:
    """Say which tagger is best.

    Sentences are resampled, the same ones for all taggers, and the tagger with the highest A_soft
    of each resample counted; ties are shared. With a calibrator, each resampled score is moved by
    an error that some tagger of another language had, less the mean error of that language, which
    all taggers share: so the chance also says how often a dictionary ranks wrongly.

    Parameters
    ----------
    records : sequence of Record, optional
        Those of the taggers, in the same order; needed with a calibrator.
    calibrator : Calibrator, optional
        Learnt from other languages.
    """
    if not tagged:
        raise DictionaryError("a verdict needs at least one tagger")
    covered = text.is_covered
    if not covered.any():
        raise DictionaryError("no word of the text is in the dictionary: there is no verdict")
    resampler = Resampler(text.treebank.n_sentences, resamples=resamples, seed=seed)
    accepted = [text.accepted(one.codes) for one in tagged]
    sums = resampler.sums(text.by_sentence(*accepted, covered))
    hits, whole = sums[:, :-1], sums[:, -1]
    scores = np.stack([ratio_of_sums(np.stack([of, whole], axis=1)) for of in hits.T], axis=1)
    scores = scores[~np.isnan(scores).any(axis=1)]
    estimates = None
    if calibrator is not None:
        if records is None or len(records) != len(tagged):
            raise DictionaryError("a calibrated verdict needs the record of every tagger")
        tagger_estimates = [calibrator.estimate(record) for record in records]
        estimates = {one.tagger: one for one in tagger_estimates}
        # Resampled around what calibration says instead of around A_soft.
        observed = np.array([record.soft.value for record in records], np.float64)
        centre = np.array([one.value for one in tagger_estimates])
        noise = np.random.default_rng(seed).choice(calibrator.deviations, scores.shape)
        scores = centre + (scores - observed) + noise
    best = top(scores)
    chances = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
    probability = {one.name: float(c) for one, c in zip(tagged, chances, strict=True)}
    return Verdict(
        max(probability, key=lambda name: probability[name]),
        probability,
        estimates,
        calibrator.confidence if calibrator is not None else None,
    )
