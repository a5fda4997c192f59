"""Gold tags made wrong on purpose: taggers of any accuracy, to test what predicts it.

With the ceiling r (the share of covered words whose gold tag the dictionary has) and the share s of
wrong tags that it accepts, a tagger of accuracy a has

    E[A_soft] = a r + (1 - a) s

so that the error a - E[A_soft] = a (1 - r) - (1 - a) s grows with a: good taggers are harder to
estimate, as Agić et al. (2017) find (Pearson 0.54), and the error is 0 at a = s / (1 - r + s).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.dictionaries.errors import DictionaryError
from treegauge.dictionaries.soft_accuracy import share
from treegauge.dictionaries.tag_sets import TAGS
from treegauge.dictionaries.texts import Codes, Text, tag_codes
from treegauge.treebank import Column, Treebank

Floats = NDArray[np.float64]

LEVELS = tuple(round(0.05 * step, 2) for step in range(1, 21))
"""Accuracies 0.05, 0.10, ... 1.00."""


def confusion_rows(gold: Codes, codes: Codes) -> Floats:
    """Return with what a tagger confuses each tag: `[12, 12]`, rows sum to 1, 0 on the diagonal.

    A tag that the tagger never mistakes is confused with any other.
    """
    rows = np.zeros((len(TAGS), len(TAGS)))
    np.add.at(rows, (gold, codes), 1)
    np.fill_diagonal(rows, 0)
    unseen = rows.sum(axis=1) == 0
    rows[unseen] = 1
    np.fill_diagonal(rows, 0)
    chances: Floats = rows / rows.sum(axis=1, keepdims=True)
    return chances


def corrupted(
    gold: Codes,
    accuracy: float,
    random: np.random.Generator,
    *,
    confusion: Floats | None = None,
) -> Codes:
    """Return gold tags of which exactly `round((1 - accuracy) n)` are replaced by others.

    Parameters
    ----------
    gold : int8 array
        Tags by their places among the 12.
    accuracy : float
        Of what is returned.
    confusion : float array, [12, 12], optional
        Chances of wrong tags as in `confusion_rows`; all others are equally likely if missing.
    """
    if not 0 <= accuracy <= 1:
        raise DictionaryError(f"an accuracy is between 0 and 1, not {accuracy}")
    tags = gold.copy()
    wrong = random.choice(len(gold), round((1 - accuracy) * len(gold)), replace=False)
    if confusion is None:
        # One of the 11 others: a step of 1 to 11 around the circle of tags.
        tags[wrong] = (gold[wrong] + random.integers(1, len(TAGS), len(wrong))) % len(TAGS)
    else:
        chances = np.cumsum(confusion, axis=1)[gold[wrong]]
        drawn = random.random(len(wrong)) * chances[:, -1]
        tags[wrong] = (chances <= drawn[:, None]).sum(axis=1)
    return tags


def corrupted_treebank(treebank: Treebank, accuracy: float, *, seed: int = 0) -> Treebank:
    """Return a treebank with the 12 tags, some of them wrong.

    >>> import treegauge as tg
    >>> gold = tg.parse("old/ADJ dogs/NOUN run/VERB ./PUNCT\\n", format="slashed")
    >>> tags = list(corrupted_treebank(gold, 0.5, seed=1).upos)
    >>> sum(a == b for a, b in zip(tags, ["ADJ", "NOUN", "VERB", "."]))
    2
    """
    tags = corrupted(tag_codes(treebank), accuracy, np.random.default_rng(seed))
    column = Column.from_strings(TAGS[code] for code in tags.tolist())
    name = f"{treebank.name or 'gold'} at {100 * accuracy:g}%"
    return treebank.replace(columns={"upos": column}, name=name)


@dataclass(frozen=True)
class CorruptionPoint:
    """What a dictionary says of taggers of one accuracy.

    Attributes
    ----------
    accuracy : float
        That was asked for.
    true : float
        A_true, which is the same but for rounding.
    soft, soft_deviation : float or None
        Mean and standard deviation of A_soft over repetitions.
    error : float or None
        Mean of |A_true - A_soft|.
    expected : float or None
        What the line a r + (1 - a) s says.
    """

    accuracy: float
    true: float
    soft: float | None
    soft_deviation: float | None
    error: float | None
    expected: float | None


@dataclass(frozen=True)
class CorruptionCurve:
    """How the error of soft accuracy depends on the true one."""

    points: tuple[CorruptionPoint, ...]
    ceiling: float | None
    """r: the share of covered words whose gold tag the dictionary has."""
    wrong_accepted: float | None
    """s: the share of wrong tags that it accepts."""
    zero_error: float | None
    """The accuracy at which A_soft is right, s / (1 - r + s)."""
    correlation: float | None
    """Pearson, of the error and A_true."""


def corruption_curve(
    text: Text,
    gold: Codes,
    *,
    levels: Sequence[float] = LEVELS,
    repetitions: int = 10,
    confusion: Floats | None = None,
    seed: int = 0,
) -> CorruptionCurve:
    """Corrupt gold tags to several accuracies, and score them by the text's dictionary."""
    covered, scored = text.is_covered, text.is_scored
    ceiling = share(text.accepted(gold).sum(), covered.sum())
    accepts = _accepted_when_wrong(text, gold, covered, confusion)
    points = []
    # A stream of random numbers for each level: adding one changes no other.
    streams = np.random.SeedSequence(seed).spawn(len(levels))
    for level, stream in zip(levels, streams, strict=True):
        random = np.random.default_rng(stream)
        pairs = [
            ((tags == gold)[scored].mean(), share(text.accepted(tags).sum(), covered.sum()))
            for tags in (
                corrupted(gold, level, random, confusion=confusion) for _ in range(repetitions)
            )
        ]
        softs = np.array([soft for _, soft in pairs if soft is not None], np.float64)
        true = float(np.mean([value for value, _ in pairs]))
        points.append(
            CorruptionPoint(
                level,
                true,
                float(softs.mean()) if len(softs) else None,
                float(softs.std(ddof=1)) if len(softs) > 1 else None,
                float(np.mean([abs(t - s) for t, s in pairs if s is not None]))
                if len(softs)
                else None,
                None
                if ceiling is None or accepts is None
                else level * ceiling + (1 - level) * accepts,
            )
        )
    crossing = None
    if ceiling is not None and accepts is not None and 1 - ceiling + accepts > 0:
        crossing = accepts / (1 - ceiling + accepts)
    return CorruptionCurve(tuple(points), ceiling, accepts, crossing, _correlation(points))


def _accepted_when_wrong(
    text: Text, gold: Codes, covered: NDArray[np.bool_], confusion: Floats | None
) -> float | None:
    """Return the chance that the wrong tag of a covered word is accepted."""
    if not covered.any():
        return None
    chances = confusion
    if chances is None:
        chances = np.full((len(TAGS), len(TAGS)), 1 / (len(TAGS) - 1))
        np.fill_diagonal(chances, 0)
    allowed = np.right_shift(text.mask[covered, None], np.arange(len(TAGS), dtype=np.uint16)) & 1
    return float((allowed * chances[gold[covered]]).sum(axis=1).mean())


def _correlation(points: Sequence[CorruptionPoint]) -> float | None:
    pairs = [(point.true, point.error) for point in points if point.error is not None]
    if len(pairs) < 2:
        return None
    true, error = np.array(pairs).T
    if true.std() == 0 or error.std() == 0:
        return None
    return float(np.corrcoef(true, error)[0, 1])
