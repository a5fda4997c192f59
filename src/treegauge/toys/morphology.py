"""Inflection by suffixes: tables of endings, and the paradigms made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

FEATURES = {
    "VerbForm": ("Fin", "Imp", "Inf", "Part"),
    "Tense": ("Pres", "Past"),
    "Polarity": ("Pos", "Neg"),
    "Person": ("1", "2", "3"),
    "Gender": ("Masc", "Fem", "Neut"),
    "Number": ("Sing", "Plur"),
    "Case": ("Nom", "Acc", "Dat", "Gen", "Loc"),
}
"""What the toy languages inflect for, in the terms of UD; `Imp` is finite, of another mood."""

SHAPE = tuple(len(values) for values in FEATURES.values())

ANY = "*"
"""In a table: whatever the value is; it does not show."""

NO_ENDING = "-"
"""In a table: the bare stem."""


def feature_index(feature: str) -> int:
    """Return the column of a feature in an array of feature values."""
    return list(FEATURES).index(feature)


def value_index(feature: str, value: str) -> int:
    """Return the number of a value of a feature."""
    return FEATURES[feature].index(value)


def bundles(values: NDArray[np.int8]) -> NDArray[np.intp]:
    """Return one number for every row of feature values, an index into `Paradigm.cell_of`."""
    numbers: NDArray[np.intp] = np.ravel_multi_index(tuple(values.T.astype(np.intp)), SHAPE)
    return numbers


@dataclass(frozen=True)
class Endings:
    """A table of endings.

    Rows are labelled with values of the features in `rows`, columns with values of the
    feature `column`. `*` is any value that has no row or column of its own, and leaves the
    feature out of FEATS; a row with one ending serves for all columns.

    Examples
    --------
    >>> table = Endings("VerbForm", "Number", '''
    ...           Sing  Plur
    ...     Fin   -     en
    ...     Inf   er
    ... ''')
    >>> for features, ending in table.cells:
    ...     print(features, ending)
    {'VerbForm': 'Fin', 'Number': 'Sing'} -
    {'VerbForm': 'Fin', 'Number': 'Plur'} en
    {'VerbForm': 'Inf', 'Number': '*'} er
    """

    rows: str
    column: str
    table: str

    @cached_property
    def cells(self) -> list[tuple[dict[str, str], str]]:
        """Features (in the table's own words) and ending of every cell, row by row."""
        header, *lines = (line.split() for line in self.table.strip().splitlines())
        features = self.rows.split()
        cells = []
        for line in lines:
            row = dict(zip(features, line, strict=False))
            endings = line[len(features) :]
            columns = header if len(endings) > 1 else [ANY]
            cells += [
                (row | {self.column: value}, ending)
                for value, ending in zip(columns, endings, strict=True)
            ]
        return cells

    @cached_property
    def cell_of(self) -> NDArray[np.intp]:
        """The number of the cell for every bundle of features, -1 where there is none."""
        cell_numbers = np.full(SHAPE, -1, np.intp)
        # Cells with more `*` first, so that those with a value of their own overwrite them.
        order = sorted(
            range(len(self.cells)),
            key=lambda cell: -list(self.cells[cell][0].values()).count(ANY),
        )
        for cell in order:
            features = self.cells[cell][0]
            cell_numbers[tuple(_indices(name, features.get(name, ANY)) for name in FEATURES)] = cell
        return cell_numbers.ravel()


@dataclass(frozen=True)
class Paradigm:
    """All forms of a word: what is added to the stem, and what it says.

    Attributes
    ----------
    suffixes : tuple of str
        What every cell adds to the stem.
    features : tuple of dict
        What every cell says.
    cell_of : int array over bundles of features
        The cell that expresses a bundle, -1 where none can.
    """

    suffixes: tuple[str, ...]
    features: tuple[dict[str, str], ...]
    cell_of: NDArray[np.intp]


def paradigm(tables: Sequence[Endings], fixed: Mapping[str, str] | None = None) -> Paradigm:
    """Put the endings of several tables one behind the other.

    `fixed` are features of which the word has only some values, such as the gender of a
    noun: only cells that agree with them are kept. Several values are divided by a slash.

    >>> number = Endings("", "Number", "Sing Plur\\n - ler")
    >>> case = Endings("", "Case", "Nom Acc\\n - i")
    >>> paradigm([number, case]).suffixes
    ('', 'i', 'ler', 'leri')
    """
    possible = np.ones(SHAPE, np.bool_)
    for name, values in (fixed or {}).items():
        if values != ANY:
            numbers = [value_index(name, value) for value in values.split("/")]
            possible &= np.isin(np.indices(SHAPE)[feature_index(name)], numbers)
    combined = np.zeros(possible.size, np.intp)
    valid = possible.ravel()
    for table in tables:
        valid = valid & (table.cell_of >= 0)
        combined = combined * len(table.cells) + table.cell_of
    combinations, cells = np.unique(combined[valid], return_inverse=True)
    cell_of = np.full(possible.size, -1, np.intp)
    cell_of[valid] = cells
    suffixes, features = [], []
    choices = list(product(*(table.cells for table in tables)))
    for number in combinations:
        bundle: dict[str, str] = {}
        for part, _ in choices[number]:
            bundle |= {name: value for name, value in part.items() if name and value != ANY}
        endings = [ending for _, ending in choices[number]]
        suffixes.append("".join("" if ending == NO_ENDING else ending for ending in endings))
        features.append(bundle)
    return Paradigm(tuple(suffixes), tuple(features), cell_of)


def _indices(feature: str, value: str) -> slice | int:
    return slice(None) if value == ANY else value_index(feature, value)
