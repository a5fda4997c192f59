"""Weights of arcs between universal tags, read from a table with a line for every pair."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.formats.texts import read_text
from treegauge.systems.dependency_induction.universal_rules import TAG_SPELLINGS
from treegauge.systems.errors import SystemsError
from treegauge.wording import unknown_name

TAGS = (
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN",
    "PUNCT", "SCONJ", "SYM", "VERB", "X",
)  # fmt: skip
"""The 17 universal tags of UD, in the order of their codes."""
CODE = {tag: code for code, tag in enumerate(TAGS)}
ROOT, ANY, LEFT, RIGHT, AWAY = "ROOT", "ANY", "LEFT", "RIGHT", "AWAY"
_SIDES = (LEFT, RIGHT, AWAY)
TABLE = Path(__file__).with_name("universal_weights.txt")

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

    def arrays(self) -> dict[str, Floats]:
        """Return all tables by name."""
        return {"root_weights": self.root, "pair_weights": self.pairs, "side_weights": self.sides}


def _lines(text: str, place: str) -> Any:
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
    name = TAG_SPELLINGS.get(name, (name,))[-1] if name == "CONJ" else name
    if name not in known:
        raise SystemsError(f"{here}: {unknown_name('tag', name, known)}")
    return name


def _weight(text: str, here: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not math.isfinite(weight) or abs(weight) > _MOST:
        raise SystemsError(
            f"{here}: a weight is a number from -{_MOST} to {_MOST}, not {text!r}"
        )
    return weight


_MOST = 100
"""Beyond it, products of weights are no numbers any more."""


@cache
def standard_weights() -> UniversalWeights:
    """Return the weights of the table that comes with the program."""
    return UniversalWeights.parse(TABLE.read_text(encoding="utf-8"), TABLE.name)


def read_weights(path: str) -> UniversalWeights:
    """Return the weights of a table on disk."""
    return UniversalWeights.parse(read_text(path), path)
