"""Parameter flips: a handful of extreme values that turn edges of a learnt grammar around.

No parameter of a grammar with valence decides alone on the direction of an edge; extreme
values of those that have a part in it do in effect (Schwartz et al. 2011, section 3). For an edge
that shall have its head a at one side of its dependent b:

- `attach`: b among the dependents of a on that side gets 0.9 (several that are raised in one
  row share it), a among the dependents of b on the other side 1e-6;
- `stop`, only where that is not enough: a's side does not stop before its first dependent
  (0.01), then b's other side does (0.99).

Nothing is learnt again. Which edges to turn is found by comparison with gold: this is an
analysis of what was learnt, no part of learning.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.papers.ned.edge_types import Direction, Edges, EdgeType, opposite
from treegauge.papers.ned.settings import MOST_SCALARS
from treegauge.papers.ned.structure_signs import DirectionCounts, direction_counts
from treegauge.systems.dependency_induction.chart import Grammar
from treegauge.systems.dependency_induction.grammar_inducer import GrammarInducer
from treegauge.systems.system import OnProgress, no_progress
from treegauge.treebank import Treebank, without_punctuation

RAISED = 0.9
LOWERED = 1e-6
GOES_ON = 0.01
STOPS = 0.99
STUBBORN = 0.05
"""The share of neighbours against the wanted direction from which stops are changed as well."""
MOST_TRIALS = 40
"""Flips that are tried before the search ends."""
LEAST_SHARE = 0.001
"""The share of words that edges of a type must concern to be worth a flip."""

_SIDE: dict[Direction, int] = {"left": 0, "right": 1}


@dataclass(frozen=True)
class Scalar:
    """One parameter of a grammar."""

    table: Literal["attach", "stop"]
    head: str
    direction: Direction
    dependent: str = ""
    """Of attachments."""
    valence: int = 0

    def __str__(self) -> str:
        """Return the parameter as the paper writes it."""
        if self.table == "stop":
            return f"stop({self.head}, {self.direction}, v={self.valence})"
        return f"attach({self.dependent} | {self.head}, {self.direction})"

    def place(self, tags: Sequence[str]) -> tuple[int, ...]:
        """Return its place in its table."""
        head, side = tags.index(self.head), _SIDE[self.direction]
        if self.table == "stop":
            return head, side, self.valence
        return head, side, self.valence, tags.index(self.dependent)


@dataclass(frozen=True)
class ParameterFlip:
    """An edge that a grammar shall build, and how much force is needed."""

    edge: EdgeType
    """As it shall be."""
    stops: tuple[Literal["head", "dependent"], ...] = ()
    """Whose stop decision is changed as well."""

    def targets(self, child_valences: int = 1) -> Iterator[tuple[Scalar, float]]:
        """Give the parameters it sets, and their values; 0.9 is that of a whole row."""
        edge, other = self.edge, opposite(self.edge.direction)
        for v in range(child_valences):
            yield Scalar("attach", edge.head, edge.direction, edge.dependent, v), RAISED
            yield Scalar("attach", edge.dependent, other, edge.head, v), LOWERED
        if "head" in self.stops:
            yield Scalar("stop", edge.head, edge.direction), GOES_ON
        if "dependent" in self.stops:
            yield Scalar("stop", edge.dependent, other), STOPS


def flip_parameters(
    grammar: Grammar, tags: Sequence[str], flips: Sequence[ParameterFlip]
) -> Grammar:
    """Return a grammar in which flips have set their parameters; rows still sum to 1.

    The rest of a row keeps its proportions. Of two flips that want different values for one
    parameter, the first has it.

    Examples
    --------
    >>> tags = ("VB", "TO", "NN")
    >>> to_heads_verb = ParameterFlip(EdgeType("TO", "VB", "right"))
    >>> flipped = flip_parameters(Grammar.uniform(3), tags, [to_heads_verb])
    >>> flipped.attach[1, 1, 0].round(2).tolist()  # the dependents of TO on its right
    [0.9, 0.05, 0.05]
    """
    stop, attach = grammar.stop.copy(), grammar.attach.copy()
    raised = np.zeros(attach.shape, np.bool_)
    lowered = np.zeros(attach.shape, np.bool_)
    for scalar, value in scalars_of(flips, grammar.child_valences).items():
        place = scalar.place(tags)
        if scalar.table == "stop":
            stop[place] = value
        else:
            (raised if value == RAISED else lowered)[place] = True
    changed = np.flatnonzero((raised | lowered).any(axis=-1).ravel())
    rows = attach.reshape(-1, attach.shape[-1])
    for row in changed.tolist():
        rows[row] = _with_extremes(
            rows[row], raised.reshape(rows.shape)[row], lowered.reshape(rows.shape)[row]
        )
    is_other = stop != grammar.stop
    go = np.where(is_other, 1 - stop, grammar.go)
    return replace(grammar, stop=stop, go=go, attach=attach)


def scalars_of(flips: Sequence[ParameterFlip], child_valences: int = 1) -> dict[Scalar, float]:
    """Return all parameters that flips set, each once, and their values."""
    values: dict[Scalar, float] = {}
    for flip in flips:
        for scalar, value in flip.targets(child_valences):
            values.setdefault(scalar, value)
    return values


def _with_extremes(
    row: NDArray[np.float64], raised: NDArray[np.bool_], lowered: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return a distribution in which some have 0.9 together and others 1e-6 each."""
    rest = ~raised & ~lowered
    mass = 1.0 - LOWERED * lowered.sum()
    new = np.where(lowered, LOWERED, 0.0)
    if raised.any():
        of_raised = RAISED if rest.any() else mass
        new[raised] = of_raised / raised.sum()
        mass -= of_raised
    if rest.any():
        proportions = row[rest] if row[rest].sum() > 0 else np.ones(int(rest.sum()))
        new[rest] = mass * proportions / proportions.sum()
    normalised: NDArray[np.float64] = new / new.sum()
    return normalised


def with_flips(system: GrammarInducer, flips: Sequence[ParameterFlip]) -> GrammarInducer:
    """Return a system with flipped parameters; the one given stays as it was."""
    flipped = copy.copy(system)
    flipped.grammar = flip_parameters(system.grammar, system.inventory.tags, flips)
    return flipped


@dataclass(frozen=True)
class AcceptedFlip:
    """A flip that helped, and what it is about."""

    flip: ParameterFlip
    turned: int
    """Neighbours whose edge stood the wrong way round when the flip was proposed."""
    token_share: float
    """The share of gold words whose edge is of this type, in either direction."""
    uas: float
    """On what was looked at, with this flip and all before it."""


@dataclass(frozen=True)
class FlipSearch:
    """What a search for flips found."""

    accepted: tuple[AcceptedFlip, ...]
    rejected: tuple[EdgeType, ...]
    """Proposals that lowered attachment, in the order tried."""
    uas_before: float
    token_share: float
    """The share of gold words that take part in any accepted flip."""
    scalars: int
    directions: tuple[DirectionCounts, ...] = ()
    """Of the edges that the system built before any flip, by structure."""

    @property
    def flips(self) -> tuple[ParameterFlip, ...]:
        """The flips that helped, in the order found."""
        return tuple(accepted.flip for accepted in self.accepted)


def find_flips(
    system: GrammarInducer,
    gold: Treebank,
    *,
    most_scalars: int = MOST_SCALARS,
    only_problematic: bool = False,
    on_progress: OnProgress = no_progress,
) -> FlipSearch:
    """Find edges that a system builds the wrong way round, and flip them as long as it helps.

    Greedy: of the edges between neighbours that are right but for their direction, the most
    frequent type is turned next. A flip stays if attachment on `gold` rises.

    Parameters
    ----------
    system : GrammarInducer
        Fitted; it is not changed.
    gold : Treebank
        What is looked at: best not the treebank that is scored later.
    most_scalars : int
        How many parameters may be changed in all.
    only_problematic : bool
        Turn only edges of structures whose head people disagree about.
    """
    words = without_punctuation(gold)
    tags = system.settings.tags
    of_gold = Edges(words, tags)
    valences = system.grammar.child_valences

    def parsed(flips: Sequence[ParameterFlip]) -> tuple[Edges, float]:
        induced = Edges(with_flips(system, flips).annotate(words), tags)
        return induced, float((induced.head == of_gold.head).mean())

    def size(flips: Sequence[ParameterFlip]) -> int:
        return len(scalars_of(flips, valences))

    induced, uas = parsed([])
    directions = tuple(direction_counts(of_gold, induced))
    before, accepted, rejected = uas, list[AcceptedFlip](), list[EdgeType]()
    for trial in range(MOST_TRIALS):
        on_progress(trial / MOST_TRIALS, f"{len(accepted)} flips, UAS {100 * uas:.1f}")
        chosen = [one.flip for one in accepted]
        settled = {*rejected, *(flip.edge for flip in chosen)}
        settled |= {flip.edge.turned for flip in chosen}
        proposal = next(
            (
                (edge, n)
                for edge, n in of_gold.turned_in(induced)
                if edge not in settled
                and n >= LEAST_SHARE * words.n_words
                and (edge.is_problematic or not only_problematic)
                and _knows(system, edge)
            ),
            None,
        )
        if proposal is None or size([*chosen, ParameterFlip(proposal[0])]) > most_scalars:
            break
        edge, turned = proposal
        flip = ParameterFlip(edge)
        tried, tried_uas = parsed([*chosen, flip])
        stops: tuple[Literal["head", "dependent"], ...] = ("head", "dependent")
        for stop in stops:
            forced = replace(flip, stops=(*flip.stops, stop))
            if tried.share_against(edge) <= STUBBORN or size([*chosen, forced]) > most_scalars:
                break
            flip = forced
            tried, tried_uas = parsed([*chosen, flip])
        if tried_uas > uas:
            induced, uas = tried, tried_uas
            accepted.append(AcceptedFlip(flip, turned, of_gold.share(edge), uas))
        else:
            rejected.append(edge)
    flips = tuple(one.flip for one in accepted)
    share = of_gold.share(*(flip.edge for flip in flips))
    on_progress(1.0, f"{len(flips)} flips, UAS {100 * uas:.1f}")
    return FlipSearch(tuple(accepted), tuple(rejected), before, share, size(flips), directions)


def _knows(system: GrammarInducer, edge: EdgeType) -> bool:
    return {edge.head, edge.dependent} <= set(system.inventory.tags)


def described_scalars(system: GrammarInducer, flips: Sequence[ParameterFlip]) -> list[list[Any]]:
    """Return for each flip its parameters, with their values before and after all flips.

    A parameter that an earlier flip has set is listed there.
    """
    tags, before = system.inventory.tags, system.grammar
    after = flip_parameters(before, tags, flips)
    listed: set[Scalar] = set()
    descriptions = []
    for flip in flips:
        of_flip = []
        for scalar, _ in flip.targets(before.child_valences):
            if scalar in listed:
                continue
            listed.add(scalar)
            place = scalar.place(tags)
            of_flip.append(
                {
                    "parameter": str(scalar),
                    "table": scalar.table,
                    "head": scalar.head,
                    "direction": scalar.direction,
                    "dependent": scalar.dependent or None,
                    "valence": scalar.valence,
                    "before": float(getattr(before, scalar.table)[place]),
                    "after": float(getattr(after, scalar.table)[place]),
                }
            )
        descriptions.append(of_flip)
    return descriptions
