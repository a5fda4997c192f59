"""Letters that mark significant wins, as in the tables of TREC and ranx."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from string import ascii_lowercase

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.significance.errors import SignificanceError
from treegauge.wording import counted


@dataclass(frozen=True)
class Letters:
    """The letter of one system, and those of the systems that it is significantly better than.

    Attributes
    ----------
    name : str
        The name of the system.
    letter : str
        Its letter.
    beats : tuple of str
        The letters of the systems that it is significantly better than.

    Examples
    --------
    >>> first, second = significance_letters(["base", "ours"], lambda one, other: one == "ours")
    >>> second.letter, second.beats
    ('b', ('a',))
    """

    name: str
    letter: str
    beats: tuple[str, ...]


def significance_letters(
    names: Sequence[str], better: Callable[[str, str], bool] | ArrayLike
) -> list[Letters]:
    """Give every system a letter, and the letters of what it is significantly better than.

    Parameters
    ----------
    names : sequence of str
        Systems in the order of the table: a, b, c, ..., z, aa, ab, ...
    better : callable, or array of bool, [systems, systems]
        `better(one, other)`, or `better[i][j]`: is the first significantly better?

    Returns
    -------
    list of Letters
        One per system, in the order given.

    Examples
    --------
    >>> scores = {"base": 60.1, "ours": 71.9, "theirs": 71.5}
    >>> for row in significance_letters(list(scores), lambda x, y: scores[x] > scores[y] + 1):
    ...     print(f"{row.letter} {row.name}: {scores[row.name]} [{''.join(row.beats)}]")
    a base: 60.1 []
    b ours: 71.9 [a]
    c theirs: 71.5 [a]
    """
    matrix = _matrix(names, better)
    letters = [_letter(i) for i in range(len(names))]
    return [
        Letters(name, letters[i], tuple(letters[j] for j in np.flatnonzero(matrix[i])))
        for i, name in enumerate(names)
    ]


def _matrix(
    names: Sequence[str], better: Callable[[str, str], bool] | ArrayLike
) -> NDArray[np.bool_]:
    n = len(names)
    if callable(better):
        matrix = np.zeros((n, n), np.bool_)
        for i, j in permutations(range(n), 2):
            matrix[i, j] = better(names[i], names[j])
    else:
        matrix = np.asarray(better, np.bool_)
    if n and matrix.shape != (n, n):
        raise SignificanceError(
            f"letters for {counted(n, 'system')} need a table of {n} x {n}; "
            f"found one of shape {matrix.shape}"
        )
    both = np.argwhere(matrix & matrix.T)
    if len(both):
        one, other = (names[i] for i in both[0])
        raise SignificanceError(f"{one!r} cannot be better than {other!r} and worse as well")
    return matrix


def _letter(index: int) -> str:
    """Return a, b, ..., z, aa, ab, ...: the columns of a spreadsheet."""
    letters = ""
    index += 1
    while index:
        index, last = divmod(index - 1, 26)
        letters = ascii_lowercase[last] + letters
    return letters
