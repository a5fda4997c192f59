"""Averages over treebanks: unweighted, over what is there and over what all systems have.

A treebank's score is the mean over seeds, and an average is the mean over treebanks, each of
which counts the same. Two averages are given, since neither is enough: that over all treebanks
that a system has a score for, which cannot be compared between systems that lack different
ones; and that over the treebanks that all systems have in common.

The deviation that goes with a number is the sample standard deviation over seeds: for an average,
of the averages of single seeds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Any


@dataclass(frozen=True)
class TreebankScore:
    """What a system has on one treebank, over all its seeds.

    Attributes
    ----------
    by_seed : mapping
        The scores; seeds without one are not in it.
    missing : mapping
        Why seeds have no score: reasons and how many seeds.
    low, high : float or None
        The interval, where there is exactly one seed: it is about sentences, not about seeds.
    n : int
        What was scored.
    """

    by_seed: Mapping[int, float]
    missing: Mapping[str, int] = field(default_factory=dict)
    low: float | None = None
    high: float | None = None
    n: int = 0

    @property
    def value(self) -> float | None:
        """The mean over seeds, or None where no seed has a score."""
        return fmean(self.by_seed.values()) if self.by_seed else None

    @property
    def deviation(self) -> float | None:
        """The standard deviation over seeds, or None for fewer than two."""
        return stdev(self.by_seed.values()) if len(self.by_seed) > 1 else None


@dataclass(frozen=True)
class Average:
    """The mean over treebanks.

    Attributes
    ----------
    value : float or None
        None where there is no treebank to average over.
    deviation : float or None
        Over seeds; None where fewer than two seeds have all treebanks.
    treebanks : tuple of str
        What was averaged over.
    missing : mapping
        Reasons of seeds on treebanks that are not in it, and how often.
    """

    value: float | None
    deviation: float | None
    treebanks: tuple[str, ...]
    missing: Mapping[str, int] = field(default_factory=dict)


def treebank_score(rows: Iterable[Mapping[str, Any]]) -> TreebankScore:
    """Return the score of a system on a treebank from its rows of the long table, one per seed."""
    by_seed: dict[int, float] = {}
    missing: Counter[str] = Counter()
    bounds: list[tuple[float | None, float | None]] = []
    n = 0
    for row in rows:
        value = row["value"]
        if value is None or math.isnan(value):
            missing[row["reason"] or "no reason is known"] += 1
        elif row["seed"] in by_seed:
            raise ValueError(f"two scores of seed {row['seed']}")
        else:
            by_seed[row["seed"]] = value
            bounds.append((row["low"], row["high"]))
            n = row["n"]
    low, high = bounds[0] if len(bounds) == 1 and not missing else (None, None)
    return TreebankScore(by_seed, dict(missing), low, high, n)


def average(scores: Mapping[str, TreebankScore], over: Collection[str] | None = None) -> Average:
    """Return the average of a system.

    Parameters
    ----------
    scores : mapping
        By treebank.
    over : collection of str, optional
        Only these treebanks; all when missing.

    Examples
    --------
    >>> two = {"a": TreebankScore({0: 0.25, 1: 0.75}), "b": TreebankScore({0: 1.0})}
    >>> average(two).value, average(two, over=["a"]).value
    (0.75, 0.5)
    """
    chosen = {name: score for name, score in scores.items() if over is None or name in over}
    missing: Counter[str] = Counter()
    for score in chosen.values():
        missing.update(score.missing)
    there = {name: score for name, score in chosen.items() if score.by_seed}
    if not there:
        return Average(None, None, (), dict(missing))
    value = fmean(fmean(score.by_seed.values()) for score in there.values())
    seeds = set.intersection(*(set(score.by_seed) for score in there.values()))
    of_seeds = [fmean(score.by_seed[seed] for score in there.values()) for seed in sorted(seeds)]
    deviation = stdev(of_seeds) if len(of_seeds) > 1 else None
    return Average(value, deviation, tuple(there), dict(missing))


def common_treebanks(systems: Mapping[str, Mapping[str, TreebankScore]]) -> tuple[str, ...]:
    """Return the treebanks that all systems have a score for.

    A system without any score has nothing to compare, and takes no treebank away from others.
    """
    have = [
        [name for name, score in scores.items() if score.by_seed] for scores in systems.values()
    ]
    have = [names for names in have if names]
    if not have:
        return ()
    return tuple(name for name in have[0] if all(name in names for names in have))
