"""How large a dictionary must be: scores by parts of it, frequent words or random ones.

`+freq`         the m most frequent forms *that the dictionary has*
`+freq-strict`  the m most frequent forms, as far as the dictionary has them
`-freq`         m forms drawn at random, a hundred times

Frequencies come from raw text. Only entries that occur in the scored text matter: a part of the
dictionary is a mask over these, and the scores of all draws and taggers are one matrix product.

The m first entries of a random order are a uniform sample of m. So a draw is one random order,
and its samples of all sizes are nested; for each size the draws are what independent ones would
be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.dictionaries.errors import DictionaryError
from treegauge.dictionaries.soft_accuracy import ratio_of_sums
from treegauge.dictionaries.tag_dictionary import normalised
from treegauge.dictionaries.texts import Tagged, Text
from treegauge.significance import interval
from treegauge.treebank import Treebank

Floats = NDArray[np.float64]

FREQUENT, STRICT, RANDOM = "+freq", "+freq-strict", "-freq"

_LARGEST = 10_000


def curve_sizes(largest: int) -> list[int]:
    """Return the sizes of a curve: 100, 200, ... 1000, 1500, ... 10,000, and at most `largest`.

    >>> curve_sizes(1234)
    [100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1234]
    """
    steps = [*range(100, 1000, 100), *range(1000, _LARGEST + 1, 500)]
    sizes = [size for size in steps if size < largest]
    return [*sizes, largest] if 0 < largest <= _LARGEST else sizes


def form_frequencies(treebank: Treebank) -> dict[str, int]:
    """Return how often each form occurs in a text; tags are not looked at."""
    counts: dict[str, int] = {}
    for form, count in treebank.form.counts().items():
        form = normalised(form)
        counts[form] = counts.get(form, 0) + count
    return counts


@dataclass(frozen=True)
class CurvePoint:
    """The score of a tagger by a part of the dictionary.

    Attributes
    ----------
    tagger, variant : str
        The variant is `+freq`, `+freq-strict` or `-freq`.
    size : int
        Forms of the part; for `+freq-strict`, those of which it has what the dictionary has.
    value : float or None
        A_soft; for `-freq` the mean of the draws.
    low, high : float or None
        For `-freq`: the percentile interval of the draws, which shows how wrong one bad
        dictionary can be.
    mean_low, mean_high : float or None
        For `-freq`: the interval of the mean.
    coverage : float
        The share of words that are covered, a mean for `-freq`.
    undefined : int
        Draws that cover nothing, which have no score.
    """

    tagger: str
    variant: str
    size: int
    value: float | None
    low: float | None
    high: float | None
    mean_low: float | None
    mean_high: float | None
    coverage: float
    undefined: int


def sub_dictionary_curve(
    text: Text,
    tagged: Sequence[Tagged],
    frequencies: Mapping[str, int] | None = None,
    *,
    sizes: Sequence[int] | None = None,
    draws: int = 100,
    confidence: float = 0.95,
    seed: int = 0,
) -> list[CurvePoint]:
    """Score taggers by parts of the text's dictionary, of growing size.

    Parameters
    ----------
    frequencies : mapping from form to int, optional
        Of a raw corpus. Without it there are only random parts.
    sizes : sequence of int, optional
        `curve_sizes` of the dictionary if missing.
    draws : int
        Random parts of each size; 0 for none.

    Returns
    -------
    list of CurvePoint
        By variant, tagger and size.
    """
    size_of = len(text.dictionary)
    chosen = [size for size in (curve_sizes(size_of) if sizes is None else sizes) if size > 0]
    counts = entry_counts(text, tagged)
    n = int(text.is_scored.sum())
    points: list[CurvePoint] = []
    if frequencies is not None:
        own, strict = _ranks(text, frequencies, counts.entries)
        in_corpus = int(_in_corpus(text, frequencies).sum())
        for variant, ranks in ((FREQUENT, own), (STRICT, strict)):
            ends = [min(size, in_corpus) for size in chosen] if variant == FREQUENT else chosen
            points += _points(variant, ranks[None], list(dict.fromkeys(ends)), counts, n, 0.0)
    if draws:
        orders = draw_ranks(size_of, counts.entries, draws, seed)
        ends = list(dict.fromkeys(min(size, size_of) for size in chosen))
        points += _points(RANDOM, orders, ends, counts, n, confidence)
    return points


@dataclass(frozen=True)
class EntryCounts:
    """What the entries that occur in a text do.

    Attributes
    ----------
    entries : int array, [k]
        Their places in the dictionary; one behind the last stands for numbers.
    counts : float array, [k, 1 + taggers]
        Words of the text, and how many of them each tagger has right by the entry.
    taggers : tuple of str
        Their names.
    """

    entries: NDArray[np.int64]
    counts: Floats
    taggers: tuple[str, ...]


def entry_counts(text: Text, tagged: Sequence[Tagged]) -> EntryCounts:
    """Count the words of every entry that occurs, and the hits of every tagger."""
    masks = [text.is_covered, *(text.accepted(one.codes) for one in tagged)]
    length = len(text.dictionary) + 1
    table = np.stack([np.bincount(text.entry[mask], minlength=length) for mask in masks], axis=1)
    entries = np.flatnonzero(table[:, 0])
    return EntryCounts(
        entries, table[entries].astype(np.float64), tuple(one.name for one in tagged)
    )


def draw_ranks(size: int, entries: NDArray[np.int64], draws: int, seed: int) -> NDArray[np.int64]:
    """Return the places of some entries in random orders of a dictionary: `[draws, entries]`.

    An entry behind the last, that of numbers, is a rule and no entry: it comes first always.
    """
    random = np.random.default_rng(seed)
    real = entries < size
    ranks = np.full((draws, len(entries)), -1, np.int64)
    for row in ranks:
        row[real] = random.choice(size, int(real.sum()), replace=False)
    return ranks


def _points(
    variant: str,
    ranks: NDArray[np.int64],
    sizes: Sequence[int],
    counts: EntryCounts,
    n: int,
    confidence: float,
) -> list[CurvePoint]:
    """Return the points of one variant; more than one row of ranks are draws."""
    points: dict[tuple[str, int], CurvePoint] = {}
    for size in sizes:
        chosen = (ranks < size).astype(np.float64)
        sums = chosen @ counts.counts
        coverage = float(sums[:, 0].mean() / n) if n else 0.0
        for i, tagger in enumerate(counts.taggers, start=1):
            scores = ratio_of_sums(sums[:, [i, 0]])
            known = scores[~np.isnan(scores)]
            value = float(known.mean()) if len(known) else None
            ends = mean_ends = None
            if variant == RANDOM and value is not None:
                ends = interval(known, confidence=confidence)
                mean_ends = _mean_interval(known, confidence)
            points[tagger, size] = CurvePoint(
                tagger,
                variant,
                size,
                value,
                ends.low if ends else None,
                ends.high if ends else None,
                mean_ends[0] if mean_ends else None,
                mean_ends[1] if mean_ends else None,
                coverage,
                len(scores) - len(known),
            )
    return [points[tagger, size] for tagger in counts.taggers for size in sizes]


def _mean_interval(values: Floats, confidence: float) -> tuple[float, float] | None:
    """Return the normal interval of a mean, None for a single value."""
    if len(values) < 2:
        return None
    from statistics import NormalDist

    width = NormalDist().inv_cdf((1 + confidence) / 2) * values.std(ddof=1) / np.sqrt(len(values))
    return float(values.mean() - width), float(values.mean() + width)


def _counts_of_entries(text: Text, frequencies: Mapping[str, int]) -> dict[str, int]:
    """Return frequencies of forms as the dictionary writes them."""
    if text.matching.casing != "lower":
        return dict(frequencies)
    lower: dict[str, int] = {}
    for form, count in frequencies.items():
        lower[form.lower()] = lower.get(form.lower(), 0) + count
    return lower


def _in_corpus(text: Text, frequencies: Mapping[str, int]) -> NDArray[np.bool_]:
    counts = _counts_of_entries(text, frequencies)
    return np.array([counts.get(form, 0) > 0 for form in text.dictionary.forms], np.bool_)


def _ranks(
    text: Text, frequencies: Mapping[str, int], entries: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ranks of entries among the dictionary's forms, and among all forms.

    What does not occur in the corpus is behind everything, and in no part of the dictionary.
    """
    counts = {form: n for form, n in _counts_of_entries(text, frequencies).items() if n > 0}
    if not counts:
        raise DictionaryError("frequencies without words: `+freq` needs raw text of the language")
    never = np.iinfo(np.int64).max
    own = np.full(len(text.dictionary), never)
    strict = np.full(len(text.dictionary), never)
    ordered = sorted(counts, key=lambda form: (-counts[form], form))
    places = text.dictionary.codes(ordered)
    has = np.flatnonzero(places >= 0)
    own[places[has]] = np.arange(len(has))
    strict[places[has]] = has
    # The rule for numbers is in force in every part.
    return np.append(own, -1)[entries], np.append(strict, -1)[entries]
