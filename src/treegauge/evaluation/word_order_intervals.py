"""How sure numbers about word order are: intervals from resampled sentences.

Sentences, not arcs, are drawn: the arcs of a sentence belong together.
"""

from __future__ import annotations

from treegauge.properties.two_way_entropy import entropies_of_sums
from treegauge.properties.word_order import WordOrder
from treegauge.significance import Interval, Resampler, interval


def word_order_intervals(
    order: WordOrder, *, resamples: int = 1000, seed: int = 0, confidence: float = 0.95
) -> dict[str, Interval | None]:
    """Return percentile intervals of the DLM ratio and of the arc direction entropy.

    Both from the same resamples. The entropy of a resample is a plug-in estimate like the entropy
    itself, and biased downwards once more, so that an interval can lie below its value for a
    treebank of a few hundred sentences.

    Returns
    -------
    dict
        Intervals of `dlm_ratio` and `arc_direction_entropy`; None where there is nothing to count.

    Examples
    --------
    >>> from treegauge import toy_treebank
    >>> order = WordOrder(toy_treebank("toy:svo", tokens=2000))
    >>> intervals = word_order_intervals(order, resamples=200)
    >>> intervals["dlm_ratio"].low < intervals["dlm_ratio"].high
    True
    """
    sentences = order.selection.report.kept
    resampler = Resampler(sentences, resamples=resamples, seed=seed)
    ratios = resampler.scores(order.dlm_statistics, lambda sums: sums[..., 0] / sums[..., 1])
    base = order.settings.base
    entropies = resampler.scores(
        order.directions.by_sentence(), lambda sums: entropies_of_sums(sums, base=base)
    )
    return {
        "dlm_ratio": interval(ratios, confidence=confidence),
        "arc_direction_entropy": interval(entropies, confidence=confidence),
    }
