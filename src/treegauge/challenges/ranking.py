"""Ranks, averages and groups of the systems of a challenge.

Conventions
-----------
An average covers one stated set of treebanks. A system that lacks a score for one of them is
incomplete: it has neither average nor rank, and stands below those that have. Averages that differ
by rounding alone are a tie, and ties share a rank (1, 2, 2, 4). A score of 0 is a score.

A line is drawn between two places if every system above is significantly better than every
system below; systems between two lines form a group. Unlike "tied with the leader", this
never puts one system in two groups.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

DECIMALS = 12
"""Averages that agree in so many decimals differ by rounding alone."""


@dataclass(frozen=True)
class Standing:
    """Where a system stands.

    Attributes
    ----------
    system : str
        Its name or id.
    rank : int or None
        From 1; None for a system that is not complete.
    average : float or None
        Over the stated treebanks; None for a system that is not complete.
    missing : tuple of str
        The treebanks that it has no score for.
    """

    system: str
    rank: int | None
    average: float | None
    missing: tuple[str, ...] = ()


def macro_average(scores: Mapping[str, float | None], treebanks: Sequence[str]) -> float | None:
    """Return the mean over stated treebanks; None where one of them has no score.

    >>> macro_average({"a": 0.5, "b": 0.0}, ["a", "b"]), macro_average({"a": 0.5}, ["a", "b"])
    (0.25, None)
    """
    values = [scores.get(treebank) for treebank in treebanks]
    known = [value for value in values if value is not None and math.isfinite(value)]
    if not known or len(known) < len(values):
        return None
    # `fsum` rounds once, so that the order of treebanks does not show.
    return math.fsum(known) / len(known)


def standings(
    scores: Mapping[str, Mapping[str, float | None]],
    treebanks: Sequence[str],
    *,
    higher_is_better: bool = True,
) -> list[Standing]:
    """Rank systems by their average over stated treebanks.

    Parameters
    ----------
    scores : mapping
        By system and treebank; None, NaN or nothing where a system has no score.
    treebanks : sequence of str
        What averages cover.
    higher_is_better : bool
        False for distances.

    Returns
    -------
    list of Standing
        The best first; systems of one rank by name, and incomplete ones below, by name.

    Examples
    --------
    >>> rows = standings({"a": {"x": 0.5}, "b": {}, "c": {"x": 0.7}, "d": {"x": 0.5}}, ["x"])
    >>> [(row.system, row.rank) for row in rows]
    [('c', 1), ('a', 2), ('d', 2), ('b', None)]
    """
    averages = {name: macro_average(own, treebanks) for name, own in scores.items()}
    keys = {
        name: round(-value if higher_is_better else value, DECIMALS)
        for name, value in averages.items()
        if value is not None
    }
    ranked = sorted(keys, key=lambda name: (keys[name], name))
    first_place: dict[float, int] = {}
    for place, name in enumerate(ranked, start=1):
        first_place.setdefault(keys[name], place)
    complete = [Standing(name, first_place[keys[name]], averages[name]) for name in ranked]
    incomplete = [
        Standing(name, None, None, _missing(scores[name], treebanks))
        for name in sorted(set(scores) - set(keys))
    ]
    return complete + incomplete


def _missing(scores: Mapping[str, float | None], treebanks: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in treebanks if macro_average(scores, [name]) is None)


def lines_between(order: Sequence[str], better: Collection[tuple[str, str]]) -> list[int]:
    """Return after how many systems, counted from the top, lines are drawn.

    Parameters
    ----------
    order : sequence of str
        Systems, the best first.
    better : collection of pairs
        `(one, other)` where the first is significantly better than the second.

    Examples
    --------
    `b` is not better than `c`, so that only the line below both is left:

    >>> pairs = {("a", "b"), ("a", "c"), ("a", "d"), ("b", "d"), ("c", "d")}
    >>> lines_between("abcd", pairs)
    [1, 3]
    """
    lines = []
    reach = 0
    for place, name in enumerate(order[:-1]):
        below = range(len(order) - 1, place, -1)
        # The lowest system that this one does not beat: no line stands between the two.
        unbeaten = next((i for i in below if (name, order[i]) not in better), place)
        reach = max(reach, unbeaten)
        if reach <= place:
            lines.append(place + 1)
    return lines


def groups(order: Sequence[str], better: Collection[tuple[str, str]]) -> list[list[str]]:
    """Return the systems between lines, the best group first.

    >>> groups("abc", {("a", "b"), ("a", "c")})
    [['a'], ['b', 'c']]
    """
    if not order:
        return []
    ends = [*lines_between(order, better), len(order)]
    return [list(order[a:b]) for a, b in zip([0, *ends], ends, strict=False)]
