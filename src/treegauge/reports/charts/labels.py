"""Where names go: beside their points, moved where others are, at the end of a line if need be.

All names are drawn, none covers another, and none leaves the drawing: a name that finds no room
around its point goes farther away, with a line that leads back, and at last into rows below. Points
that lie on each other have their names in one line.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from treegauge.reports.charts.figure import mark, number, text_at
from treegauge.reports.charts.style import SMALL_SIZE, TEXT_SIZE
from treegauge.reports.palette import Palette
from treegauge.reports.text_widths import text_width

Segment = tuple[float, float, float, float]
"""A line from a place, x and y, to another."""


@dataclass(frozen=True)
class Box:
    """A rectangle; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        """Return whether two rectangles share some area."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def contains(self, other: Box) -> bool:
        """Return whether another rectangle lies inside."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.bottom <= self.bottom
        )

    def is_crossed(self, segment: Segment) -> bool:
        """Return whether a line has some part inside (by Liang and Barsky 1984)."""
        x, y, to_x, to_y = segment
        begin, end = 0.0, 1.0
        for step, room in (
            (x - to_x, x - self.left),
            (to_x - x, self.right - x),
            (y - to_y, y - self.top),
            (to_y - y, self.bottom - y),
        ):
            if step == 0:
                if room <= 0:
                    return False
            elif step < 0:
                begin = max(begin, room / step)
            else:
                end = min(end, room / step)
        return begin < end

    def nearest(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of the rectangle that is nearest to another place."""
        return min(max(x, self.left), self.right), min(max(y, self.top), self.bottom)


@dataclass(frozen=True)
class Anchor:
    """A point that has a name, and how large it is drawn."""

    text: str
    x: float
    y: float
    radius: float = 5.0


@dataclass(frozen=True)
class PlacedLabel:
    """A name, the room it takes, and a line to its point if it is not beside it."""

    text: str
    box: Box
    leader: Segment | None = None

    def to_svg(self) -> str:
        """Return the name, and its line."""
        text = text_at(self.box.left, self.box.bottom - _DESCENT, self.text, "small name")
        if self.leader is None:
            return text
        x, y, to_x, to_y = map(number, self.leader)
        return f'<path class="axis" stroke-opacity=".7" d="M{x} {y}L{to_x} {to_y}"/>{text}'


_DESCENT = 4.0
_HEIGHT = SMALL_SIZE + 3.0
_GAP = 3.0
_SAME_PLACE = 1.5
"""Points that are nearer to each other look like one."""
_LINE_WIDTH = 200.0
_RINGS = range(14, 420, 11)
_DIRECTIONS = tuple((math.cos(math.tau * k / 20), math.sin(math.tau * k / 20)) for k in range(20))

# What is bad about a place, in the currency of distance.
_COVERS_POINT, _COVERS_LEADER, _LEADER_CROSSES = 70.0, 60.0, 50.0


def place_labels(anchors: Sequence[Anchor], bounds: Box, below: float) -> list[PlacedLabel]:
    """Return a place for the name of every point.

    Parameters
    ----------
    bounds : Box
        Where names may go; at least as wide as the widest of them.
    below : float
        Where rows begin for names that find no room inside the bounds.
    """
    points = [Box(a.x - a.radius, a.y - a.radius, a.x + a.radius, a.y + a.radius) for a in anchors]
    anchors = _together(anchors)
    labels: list[PlacedLabel] = []
    for anchor in anchors:
        taken = [label.box for label in labels]
        label = _best_place(anchor, bounds, points, labels)
        labels.append(label or _in_rows_below(anchor, bounds, taken, below))
    # Whoever came first did not know of the others; now every name may move once more.
    for i, anchor in enumerate(anchors):
        others = [*labels[:i], *labels[i + 1 :]]
        labels[i] = _best_place(anchor, bounds, points, others) or labels[i]
    return labels


def _together(anchors: Sequence[Anchor]) -> list[Anchor]:
    """Return anchors where the names of points that lie on each other share lines.

    >>> [a.text for a in _together([Anchor("det", 9, 9), Anchor("obj", 1, 1), Anchor("aux", 9, 9)])]
    ['det, aux', 'obj']
    """
    lines: list[Anchor] = []
    for anchor in anchors:
        for i, line in enumerate(lines):
            text = f"{line.text}, {anchor.text}"
            is_near = math.hypot(line.x - anchor.x, line.y - anchor.y) < _SAME_PLACE
            if is_near and text_width(text, SMALL_SIZE) < _LINE_WIDTH:
                radius = max(line.radius, anchor.radius)
                lines[i] = Anchor(text, line.x, line.y, radius)
                break
        else:
            lines.append(anchor)
    return lines


def _best_place(
    anchor: Anchor, bounds: Box, points: Sequence[Box], labels: Sequence[PlacedLabel]
) -> PlacedLabel | None:
    """Return the place near the point that covers least, and no other name."""
    best, lowest = None, math.inf
    for distance, label in _candidates(anchor):
        if distance >= lowest:
            break
        box = label.box
        if not bounds.contains(box) or any(box.overlaps(other.box) for other in labels):
            continue
        cost = distance + _COVERS_POINT * sum(box.overlaps(point) for point in points)
        for other in labels:
            if cost >= lowest:
                break
            if other.leader is not None:
                cost += _COVERS_LEADER * box.is_crossed(other.leader)
            if label.leader is not None:
                cost += _LEADER_CROSSES * other.box.is_crossed(label.leader)
                if other.leader is not None:
                    cost += _LEADER_CROSSES * _cross(label.leader, other.leader)
        if cost < lowest:
            best, lowest = label, cost
    return best


def _cross(one: Segment, other: Segment) -> bool:
    """Return whether two lines cross."""

    def side(segment: Segment, x: float, y: float) -> bool:
        left, top, right, bottom = segment
        return (right - left) * (y - top) > (bottom - top) * (x - left)

    return side(one, *other[:2]) != side(one, *other[2:]) and (
        side(other, *one[:2]) != side(other, *one[2:])
    )


def _candidates(anchor: Anchor) -> Iterator[tuple[float, PlacedLabel]]:
    """Give places beside, above and below the point, then farther and farther away."""
    wide = text_width(anchor.text, SMALL_SIZE)
    near = anchor.radius + _GAP
    diagonal = near * 0.75
    beside = (
        (near, -_HEIGHT / 2),
        (-near - wide, -_HEIGHT / 2),
        (-wide / 2, -near - _HEIGHT),
        (-wide / 2, near),
        (diagonal, -diagonal - _HEIGHT),
        (diagonal, diagonal),
        (-diagonal - wide, -diagonal - _HEIGHT),
        (-diagonal - wide, diagonal),
    )
    for rank, (left, top) in enumerate(beside):
        x, y = anchor.x + left, anchor.y + top
        yield float(rank), PlacedLabel(anchor.text, Box(x, y, x + wide, y + _HEIGHT))
    for ring in _RINGS:
        for across, down in _DIRECTIONS:
            x, y = anchor.x + across * (near + ring), anchor.y + down * (near + ring)
            left = x if across > 0.2 else x - wide if across < -0.2 else x - wide / 2
            box = Box(left, y - _HEIGHT / 2, left + wide, y + _HEIGHT / 2)
            yield float(ring), _with_leader(anchor, box)


def _with_leader(anchor: Anchor, box: Box) -> PlacedLabel:
    to_x, to_y = box.nearest(anchor.x, anchor.y)
    distance = math.hypot(to_x - anchor.x, to_y - anchor.y) or 1.0
    share = min(anchor.radius / distance, 1.0)
    start = anchor.x + (to_x - anchor.x) * share, anchor.y + (to_y - anchor.y) * share
    return PlacedLabel(anchor.text, box, (*start, to_x, to_y))


def _in_rows_below(anchor: Anchor, bounds: Box, taken: Sequence[Box], below: float) -> PlacedLabel:
    wide = text_width(anchor.text, SMALL_SIZE)
    y = below
    while True:
        in_row = [box for box in taken if box.top < y + _HEIGHT and y < box.bottom]
        left = max([bounds.left, *(box.right + 12 for box in in_row)])
        if left + wide <= bounds.right or not in_row:
            return _with_leader(anchor, Box(left, y, left + wide, y + _HEIGHT))
        y += _HEIGHT + 2


def legend(
    names: Sequence[str],
    palette: Palette,
    top: float,
    width: float,
    *,
    lines: bool = True,
    marks: bool = True,
) -> tuple[Mapping[str, str], float]:
    """Return an entry for every name, in rows that are as wide as there is room, and the bottom."""
    sample = 42.0 if lines else 22.0
    entries = {}
    x, y = 0.0, top + 14
    for name in names:
        entry = sample + text_width(name, TEXT_SIZE)
        if x and x + entry > width:
            x, y = 0.0, y + 26
        look = palette[name]
        line = f'<path class="l {look.line}" d="M{number(x)} {number(y)}h34"/>' if lines else ""
        point = mark(look, x + (17 if lines else 8), y) if marks else ""
        entries[name] = f"{line}{point}{text_at(x + sample, y + 5.5, name)}"
        x += entry + 22
    return entries, y + 12 if names else top


def legend_width(names: Iterable[str]) -> float:
    """Return how wide the widest entry of a legend is."""
    return max((text_width(name, TEXT_SIZE) for name in names), default=0.0) + 46
