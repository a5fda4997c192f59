"""Weights of arcs between universal tags, read from a table with a line for every pair."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treegauge.formats.texts import read_text
from treegauge.systems.dependency_induction.arc_scores import MOST_WEIGHT
from treegauge.systems.errors import SystemsError
from treegauge.systems.saved_state import SavedState
from treegauge.wording import unknown_name

TAGS = (
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN",
    "PUNCT", "SCONJ", "SYM", "VERB", "X",
)  # fmt: skip
"""The 17 universal tags of UD, in the order of their codes."""
CODE = {tag: code for code, tag in enumerate(TAGS)}
OTHER_SPELLINGS = {"CONJ": "CCONJ", "PRT": "PART", ".": "PUNCT"}
"""What UD version 1 and the 12 universal tags call the same."""
ROOT, ANY, LEFT, RIGHT, AWAY = "ROOT", "ANY", "LEFT", "RIGHT", "AWAY"
_SIDES = (LEFT, RIGHT, AWAY)
_HERE = Path(__file__).parent
_SHIPPED = {"content-heads": _HERE / "universal_weights.txt"}
"""Tables that come with the program."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class UniversalWeights:
    """Logarithms of weights by universal tags."""

    root: Floats
    """[17]: of being the root."""
    pairs: Floats
    """[17, 17]: of head and dependent."""
    sides: Floats
    """[3, 17]: of a head on the left, on the right, on the side that adpositions do not like."""

    @classmethod
    def parse(cls, text: str, place: str) -> UniversalWeights:
        """Read a table; `place` is named in errors.

        >>> table = UniversalWeights.parse("ANY ANY -6\\nVERB NOUN 0  # objects\\n", "table")
        >>> table.pairs[CODE["VERB"], CODE["NOUN"]].item(), table.root[0].item()
        (0.0, -6.0)
        """
        weights = dict(_lines(text, place))
        usual = weights.pop((ANY, ANY), None)
        if usual is None:
            raise SystemsError(
                f"{place}: no weight for pairs that are not listed\n"
                f"  add a line such as {ANY} {ANY} -6"
            )
        root, pairs = np.full(len(TAGS), usual), np.full((len(TAGS), len(TAGS)), usual)
        sides = np.zeros((len(_SIDES), len(TAGS)))
        for (head, dependent), weight in weights.items():
            if head in _SIDES:
                sides[_SIDES.index(head), CODE[dependent]] = weight
            elif head == ROOT:
                root[CODE[dependent]] = weight
            else:
                pairs[CODE[head], CODE[dependent]] = weight
        return cls(root, pairs, sides)

    def by_side(self, adpositions_right: bool) -> Floats:
        """Return [17, 2]: weights of dependents by where the head stands, left and right."""
        left, right, away = self.sides
        table = np.stack([left, right], axis=1)
        table[:, 0 if adpositions_right else 1] += away
        return table

    @classmethod
    def restored(cls, saved: SavedState) -> UniversalWeights:
        """Return what `arrays` gave, checked."""
        n = len(TAGS)
        shapes = {"root_weights": (n,), "pair_weights": (n, n), "side_weights": (len(_SIDES), n)}
        return cls(
            *(
                saved.numbers(name, shape, least=-MOST_WEIGHT, most=MOST_WEIGHT)
                for name, shape in shapes.items()
            )
        )

    def arrays(self) -> dict[str, Floats]:
        """Return all tables by name."""
        return {"root_weights": self.root, "pair_weights": self.pairs, "side_weights": self.sides}


def _lines(text: str, place: str) -> Iterator[tuple[tuple[str, str], float]]:
    """Give pairs of head and dependent with their weight."""
    seen: dict[tuple[str, str], int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        fields = line.partition("#")[0].split()
        if not fields:
            continue
        here = f"{place}:{number}"
        if len(fields) != 3:
            raise SystemsError(f"{here}: expected HEAD DEPENDENT WEIGHT, found {line.strip()!r}")
        pair = (_checked(fields[0], (*TAGS, ROOT, *_SIDES, ANY), here),
                _checked(fields[1], (*TAGS, ANY), here))  # fmt: skip
        if ANY in pair and pair != (ANY, ANY):
            raise SystemsError(f"{here}: {ANY} stands for all pairs; expected {ANY} {ANY}")
        if pair in seen:
            raise SystemsError(f"{here}: {' '.join(pair)} stands on line {seen[pair]} already")
        seen[pair] = number
        yield pair, _weight(fields[2], here)


def _checked(name: str, known: tuple[str, ...], here: str) -> str:
    name = OTHER_SPELLINGS.get(name, name)
    if name not in known:
        raise SystemsError(f"{here}: {unknown_name('tag', name, known)}")
    return name


def _weight(text: str, here: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not abs(weight) <= MOST_WEIGHT:  # nor is it NaN
        raise SystemsError(
            f"{here}: a weight is a number from -{MOST_WEIGHT:g} to {MOST_WEIGHT:g}, not {text!r}"
        )
    return weight


@cache
def _shipped_weights(name: str) -> UniversalWeights:
    table = _SHIPPED[name]
    return UniversalWeights.parse(table.read_text(encoding="utf-8"), table.name)


def find_weights(name: str) -> UniversalWeights:
    """Return the weights of a table that comes with the program, or of a file."""
    return _shipped_weights(name) if name in _SHIPPED else read_weights(name)


def read_weights(path: str | Path) -> UniversalWeights:
    """Return the weights of a table in a file.

    Raises
    ------
    TreegaugeError
        If a line is no weight; the message has file and line.
    """
    return UniversalWeights.parse(read_text(path), str(path))
