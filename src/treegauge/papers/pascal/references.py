"""Several references for the same sentences, and what systems score against each.

Section 6.4 of the challenge's paper scores trees against five conversions of the Penn Treebank:
a system that is consistent finds a reference that it agrees with. Where there are brackets, head
rules make the references; where relations are those of Universal Dependencies, styles do.

References
----------
Gelling, Cohn, Blunsom and Graça (2012), section 6.4 and Table 5.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from treegauge.evaluation.evaluation import evaluate
from treegauge.formats import read_brackets
from treegauge.metrics.conventions import preset
from treegauge.rewrite import BUNDLES, RewriteError, to_style
from treegauge.rewrite.head_rules import choose_heads
from treegauge.runs.errors import ExperimentError
from treegauge.treebank import Treebank

PENN_OPTIONS = ("conll2007", "functional", "lexical", "oldLTH", "standard")
"""The paper's conversions, in its order."""


@dataclass(frozen=True)
class References:
    """Directed accuracy against several references."""

    treebank: str
    how: str
    """What made the references: head rules or styles."""
    scores: Mapping[str, Mapping[str, float]]
    """By reference and system."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in one order."""
        return tuple(dict.fromkeys(name for own in self.scores.values() for name in own))

    def best(self, system: str) -> float | None:
        """Return the best score of a system over all references."""
        return max((own[system] for own in self.scores.values() if system in own), default=None)

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as JSON has them."""
        return {
            "treebank": self.treebank,
            "how": self.how,
            "references": {name: dict(own) for name, own in self.scores.items()},
            "best": {name: self.best(name) for name in self.systems},
        }


def references_of(gold: Treebank, folder: Path | None = None) -> dict[str, Treebank]:
    """Return the references of gold's sentences by name, gold's own annotation aside.

    Empty where there are neither brackets nor relations of Universal Dependencies.
    """
    brackets = sorted(folder.glob("*.mrg*")) if folder is not None else []
    if brackets:
        trees = read_brackets(brackets[0])
        made = {name: choose_heads(trees, "lth", name) for name in PENN_OPTIONS}
        places = sentences_in(made[PENN_OPTIONS[0]], gold)
        return {name: one.take(places) for name, one in made.items()}
    try:
        # One style may have two names.
        styles = list(BUNDLES.values())
        return {
            name: to_style(gold, style)
            for place, (name, style) in enumerate(BUNDLES.items())
            if style not in styles[:place]
        }
    except RewriteError:
        return {}


def sentences_in(whole: Treebank, part: Treebank) -> np.ndarray[Any, np.dtype[np.intp]]:
    """Return where the sentences of a part are in the whole: the first not yet taken.

    Raises
    ------
    ExperimentError
        If a sentence is not there.
    """
    places: dict[tuple[str, ...], deque[int]] = {}
    for number, words in enumerate(_sentences(whole)):
        places.setdefault(words, deque()).append(number)
    found = []
    for words in _sentences(part):
        if not places.get(words):
            raise ExperimentError(f"{part.name}: not among the brackets: {' '.join(words)[:60]}")
        found.append(places[words].popleft())
    return np.array(found, np.intp)


def _sentences(treebank: Treebank) -> list[tuple[str, ...]]:
    forms = list(treebank.form)
    bounds = treebank.offsets.tolist()
    return [tuple(forms[a:b]) for a, b in pairwise(bounds)]


def scored(
    name: str, references: Mapping[str, Treebank], systems: Mapping[str, Treebank]
) -> References:
    """Return the directed accuracy of every system against every reference."""
    found: dict[str, dict[str, float]] = {}
    for reference, gold in references.items():
        made = evaluate(
            gold,
            *(system.replace(name=label) for label, system in systems.items()),
            metrics=["uas"],
            conventions=preset("pascal"),
            resamples=0,
            trials=0,
        )
        values = {one.name: one.scores["uas"].value for one in made.systems}
        found[reference] = {key: value for key, value in values.items() if value is not None}
    is_penn = set(references) == set(PENN_OPTIONS)
    how = "head rules with options" if is_penn else "annotation styles"
    return References(name, how, found)
