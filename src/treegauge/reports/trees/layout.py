"""Where everything goes: words in a row, arcs in levels above (or below) them, labels on arcs.

An arc leaves a word through a port of its own, rises to its level, runs flat, and comes down.
An arc that has others below it is on a higher level; arcs on one level have no place in common.
Ports of a word are ordered so that only arcs that cross in the tree cross in the drawing. What
stands on the root is a stub: a line straight up, its label above all arcs.

Labels lie on the flat part of their arc, in the middle or, where something comes down there,
beside it; those of very long arcs near the dependent, where they are looked for. They never
overlap: words move apart until every label fits on its arc, and levels are as far apart as labels
are high. If that makes a drawing too high, levels move together as long as all labels still find
a free place.

Lengths are in pixels; heights count from the words outwards, on both sides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from treegauge.reports.text_widths import text_width
from treegauge.reports.trees.drawing import Arc, Drawing

FORM_SIZE, TAG_SIZE, LABEL_SIZE = 15.0, 10.5, 10.5
"""Font sizes."""

LEVEL = 19.0
"""Between two levels, where there is room for that."""

LABEL_HEIGHT = 13.0
"""Of a label, with the air around it."""

ABOVE_LINE = 2.0
"""Between an arc and the label on it."""

HIGHEST = 360.0
"""How high arcs should not rise; drawings of many levels are pressed together."""

_GAP = 16.0
"""Between words, at least."""

_CORNER = 5.0
"""What a label leaves free at both ends of its arc."""

_PORT, _PORTS_SHARE = 7.0, 0.9
"""Between two ports of a word; and the share of the word's width that ports may take."""

_CLOSEST_PORTS = 2.5
"""Nearer ports cannot be told apart: arcs to one side then leave the word as one line."""

_NEAR = 240.0
"""How far a label may be from its dependent."""

_CLEAR = 3.0
"""Between a label and a line that comes down beside it."""

_HAIR = 0.01
"""Between a label and what it lies beside, so that rounding never makes them overlap."""

_NARROWEST = 22.0
"""A word's column, however short the word."""

_MARGIN = 14.0


@dataclass(frozen=True)
class PlacedWord:
    """A word: the middle of its column, and how wide form and tag are."""

    x: float
    width: float
    form: str
    tag: str


@dataclass(frozen=True)
class PlacedArc:
    """An arc: from where to where, how high, and the middle of its label.

    A stub begins where it ends.
    """

    arc: Arc
    head_x: float
    dependent_x: float
    height: float
    label: str
    label_x: float
    label_width: float

    @property
    def left(self) -> float:
        """Where its flat part begins."""
        return min(self.head_x, self.dependent_x)

    @property
    def right(self) -> float:
        """Where its flat part ends."""
        return max(self.head_x, self.dependent_x)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Where its label is: left, right, lowest and highest."""
        bottom = self.height + ABOVE_LINE
        half = self.label_width / 2
        return self.label_x - half, self.label_x + half, bottom, bottom + LABEL_HEIGHT


@dataclass(frozen=True)
class Side:
    """The arcs on one side of the words, and how much room they and their labels take."""

    arcs: tuple[PlacedArc, ...]
    height: float


@dataclass(frozen=True)
class Layout:
    """A drawing with a place for everything."""

    width: float
    words: tuple[PlacedWord, ...]
    sides: tuple[Side, ...]
    """Above the words, and below them if there are two trees."""


def arc_levels(spans: Sequence[tuple[int, int]]) -> list[int]:
    """Return the level of every arc, from 1: above all arcs inside it, beside none it crosses.

    Examples
    --------
    >>> arc_levels([(1, 2), (2, 3), (1, 3)])
    [1, 1, 2]
    >>> arc_levels([(1, 3), (2, 4)])
    [1, 2]
    """
    levels = [0] * len(spans)
    order = sorted(range(len(spans)), key=lambda i: (spans[i][1] - spans[i][0], spans[i]))
    for place, i in enumerate(order):
        left, right = spans[i]
        lowest, taken = 1, set()
        for j in order[:place]:
            begin, end = spans[j]
            if left <= begin and end <= right:
                lowest = max(lowest, levels[j] + 1)
            elif begin < right and left < end:
                taken.add(levels[j])
        while lowest in taken:
            lowest += 1
        levels[i] = lowest
    return levels


def laid_out(drawing: Drawing) -> Layout:
    """Find a place for everything in a drawing of one tree or two."""
    trees = [tree.arcs for tree in drawing.trees]
    widths = [
        max(text_width(form, FORM_SIZE), text_width(tag, TAG_SIZE), _NARROWEST)
        for form, tag in zip(drawing.forms, drawing.tags, strict=True)
    ]
    ports = [_ports(arcs, widths) for arcs in trees]
    middles = _middles(trees, ports, widths)
    sides = [_side(arcs, offsets, middles) for arcs, offsets in zip(trees, ports, strict=True)]
    words = [
        PlacedWord(x, width, form, tag)
        for x, width, form, tag in zip(middles, widths, drawing.forms, drawing.tags, strict=True)
    ]
    width = max((w.x + w.width / 2 for w in words), default=0.0)
    for side in sides:
        width = max([width, *(arc.box[1] for arc in side.arcs)])
    layout = Layout(width + _MARGIN, tuple(words), tuple(sides))
    return _mirrored(layout) if drawing.right_to_left else layout


def label_of(arc: Arc) -> str:
    """Return what is written on an arc; a word that hangs on itself is marked."""
    return f"{arc.label} ↻".strip() if arc.head == arc.dependent else arc.label


def _label_width(arc: Arc) -> float:
    return text_width(label_of(arc), LABEL_SIZE)


# ---------------------------------------------------------------------- across


def _ports(arcs: Sequence[Arc], widths: Sequence[float]) -> dict[tuple[int, Arc], float]:
    """Return how far from the middle of a word an arc leaves it, by word and arc.

    From left to right: arcs to the left, the shortest first; stubs; arcs to the right, the
    longest first. So the lines of shorter arcs stay below longer ones.
    """
    at_word: dict[int, list[Arc]] = defaultdict(list)
    for arc in arcs:
        for word in {arc.head, arc.dependent} - {0}:
            at_word[word].append(arc)
    offsets = {}
    for word, ends in at_word.items():
        # Of two arcs between the same words, the one that comes second lies above the other.
        numbered = sorted(enumerate(ends), key=lambda end: _port_order(word, *end))
        width = widths[word - 1] * _PORTS_SHARE
        between = min(_PORT, width / max(len(ends) - 1, 1))
        places = [float(place) for place in range(len(ends))]
        if between < _CLOSEST_PORTS:
            between = _PORT
            places = [_port_order(word, *end)[0] + 1.0 for end in numbered]
        first = -between * (places[0] + places[-1]) / 2
        for place, (_, arc) in zip(places, numbered, strict=True):
            offsets[word, arc] = first + between * place
    return offsets


def _port_order(word: int, number: int, arc: Arc) -> tuple[int, int, int]:
    if arc.is_stub:
        return 0, 0, number
    left, right = arc.span
    length = right - left
    return (-1, length, number) if word == right else (1, -length, -number)


def _middles(
    trees: Sequence[Sequence[Arc]],
    ports: Sequence[dict[tuple[int, Arc], float]],
    widths: Sequence[float],
) -> list[float]:
    """Return the middle of every word, so far apart that labels fit on their arcs."""
    columns = list(widths)
    for arcs in trees:
        for arc in arcs:
            if arc.is_stub:
                place = arc.dependent - 1
                columns[place] = max(columns[place], _label_width(arc))
    gaps = [_GAP] * len(columns)
    needs = []
    for arcs, offsets in zip(trees, ports, strict=True):
        for arc in arcs:
            if not arc.is_stub:
                left, right = arc.span
                need = _label_width(arc) + 2 * _CORNER
                inwards = offsets[right, arc] - offsets[left, arc]
                needs.append((right - left, left - 1, right - 1, need - inwards))
    # Short arcs first: what they push apart is often enough for the long ones.
    for _, left, right, need in sorted(needs):
        inside = sum(columns[left + 1 : right]) + (columns[left] + columns[right]) / 2
        missing = need - inside - sum(gaps[left:right])
        if missing > 0:
            for place in range(left, right):
                gaps[place] += missing / (right - left)
    begins = accumulate(
        (column + gap for column, gap in zip(columns, gaps, strict=True)), initial=_MARGIN
    )
    return [begin + column / 2 for begin, column in zip(begins, columns, strict=False)]


# ---------------------------------------------------------------------- upwards


def _side(
    arcs: Sequence[Arc], offsets: dict[tuple[int, Arc], float], middles: Sequence[float]
) -> Side:
    """Place the arcs of one tree, as high as they like or as they must."""
    spanning = [arc for arc in arcs if not arc.is_stub]
    stubs = [arc for arc in arcs if arc.is_stub]
    levels = arc_levels([arc.span for arc in spanning])
    most = max(levels, default=0)
    level = min(LEVEL, HIGHEST / max(most, 1))

    def x(word: int, arc: Arc) -> float:
        return middles[word - 1] + offsets[word, arc]

    while True:
        # Where levels are close to each other, labels beside their dependents are clearer.
        near = _NEAR if level == LEVEL else 0.0
        top = most * level + LEVEL
        bare = [
            PlacedArc(
                arc,
                x(arc.head, arc),
                x(arc.dependent, arc),
                number * level,
                label_of(arc),
                (x(arc.head, arc) + x(arc.dependent, arc)) / 2,
                _label_width(arc),
            )
            for arc, number in zip(spanning, levels, strict=True)
        ]
        legs = [(end, arc.height) for arc in bare for end in (arc.left, arc.right)]
        legs += [(x(arc.dependent, arc), top) for arc in stubs]
        labelled = _with_labels(bare, legs, near)
        if labelled is not None or level == LEVEL:
            # At full height every label has a place in the middle of its arc.
            placed = bare if labelled is None else labelled
            break
        level = min(LEVEL, level * 1.2)
    placed += [
        PlacedArc(
            arc,
            x(arc.dependent, arc),
            x(arc.dependent, arc),
            top,
            label_of(arc),
            middles[arc.dependent - 1],
            _label_width(arc),
        )
        for arc in stubs
    ]
    highest = max((arc.box[3] for arc in placed), default=0.0)
    return Side(tuple(placed), highest)


def _with_labels(
    arcs: Sequence[PlacedArc], legs: Sequence[tuple[float, float]], near_dependent: float
) -> list[PlacedArc] | None:
    """Place labels from the lowest arc to the highest; None if one has no free place."""
    done: list[PlacedArc] = []
    for arc in sorted(arcs, key=lambda arc: (arc.height, arc.left)):
        _, _, bottom, top = arc.box
        near = [o.box for o in done if o.label and o.box[2] < top and bottom < o.box[3]]
        labels = [(left, right) for left, right, _, _ in near]
        lines = [(x - _CLEAR, x + _CLEAR) for x, height in legs if height > bottom]
        # A line through a label can be borne, two labels in one place cannot.
        x = _free_place(arc, labels + lines, near_dependent)
        if x is None:
            x = _free_place(arc, labels, near_dependent)
        if x is None:
            return None
        done.append(replace(arc, label_x=x))
    return done


def _free_place(
    arc: PlacedArc, taken: Sequence[tuple[float, float]], near_dependent: float
) -> float | None:
    """Return the middle of a label that overlaps nothing, nearest to where it is looked for."""
    half = arc.label_width / 2
    middle = (arc.left + arc.right) / 2
    # Not closer to the ends than corners allow, if the arc is long enough for that.
    low = min(arc.left + _CORNER + half, middle)
    high = max(arc.right - _CORNER - half, middle)
    nearest, farthest = arc.dependent_x - near_dependent, arc.dependent_x + near_dependent
    wanted = min(max(min(max(middle, nearest), farthest), low), high)
    candidates = [wanted]
    for left, right in taken:
        candidates += [left - half - _HAIR, right + half + _HAIR]
    free = [
        x
        for x in candidates
        if low <= x <= high
        and not any(left < x + half and x - half < right for left, right in taken)
    ]
    return min(free, key=lambda x: abs(x - wanted), default=None)


def _mirrored(layout: Layout) -> Layout:
    """Return the same from right to left."""
    width = layout.width
    return Layout(
        width,
        tuple(replace(word, x=width - word.x) for word in layout.words),
        tuple(
            Side(
                tuple(
                    replace(
                        arc,
                        head_x=width - arc.head_x,
                        dependent_x=width - arc.dependent_x,
                        label_x=width - arc.label_x,
                    )
                    for arc in side.arcs
                ),
                side.height,
            )
            for side in layout.sides
        ),
    )
