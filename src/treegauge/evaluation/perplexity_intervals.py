"""How sure perplexities of a treebank are: intervals from resampled sentences of its test part.

The language models stay what they are; what an interval says is how much other sentences of the
same kind would change the number.
"""

from __future__ import annotations

import numpy as np

from treegauge.metrics.derivation_perplexity import PerplexityStatistics
from treegauge.properties.derivation_perplexity import TreebankPerplexity
from treegauge.properties.language_model import Convention
from treegauge.significance import Interval, Resampler, interval


def perplexity_intervals(
    measurement: TreebankPerplexity,
    convention: Convention | None = None,
    *,
    resamples: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
) -> dict[str, Interval | None]:
    """Return percentile intervals of the perplexities of a treebank and of their increase.

    All from the same resamples, so that the increase is one of the same sentences.

    Returns
    -------
    dict
        Intervals of `perplexity`, `derivation_perplexity` and `increase`; None for what the
        treebank has not.

    Examples
    --------
    >>> from treegauge import toy_treebank, treebank_perplexity
    >>> train, test = (toy_treebank(part=part, tokens=20_000) for part in ("train", "test"))
    >>> measurement = treebank_perplexity(train, test)
    >>> low, high = perplexity_intervals(measurement, resamples=200)["perplexity"]
    >>> low < measurement.perplexity() < high
    True
    """
    chosen = convention or measurement.settings.convention
    resampler = Resampler(len(measurement.string.end_log10), resamples=resamples, seed=seed)
    string = PerplexityStatistics.of(measurement.string, chosen)
    strings = resampler.scores(string.per_sentence, string.score)
    intervals: dict[str, Interval | None] = {
        "perplexity": interval(strings, confidence=confidence),
        "derivation_perplexity": None,
        "increase": None,
    }
    if measurement.derivation is not None:
        derivation = PerplexityStatistics.of(measurement.derivation, chosen)
        derivations = resampler.scores(derivation.per_sentence, derivation.score)
        with np.errstate(invalid="ignore"):
            increases = derivations / strings - 1
        intervals["derivation_perplexity"] = interval(derivations, confidence=confidence)
        intervals["increase"] = interval(increases, confidence=confidence)
    return intervals
