"""Colours, dashes and marks: one palette for charts, trees and pages.

The first colours are those of Okabe and Ito (2008), which people with any kind of colour vision can
tell apart, without their yellow, which is too pale for a line; five more were chosen to be as far
from these and from each other as can be, in simulations of all kinds of colour vision. Dashes and
marks say the same again, for print in grey. Colours are names in a style sheet, so that a page can
have others in the dark; a figure that stands alone carries the light ones.

A name has one colour everywhere, because its colour comes from the name: `Palette` begins with a
checksum of it. Where two names of a palette would share a colour, the later one takes the next
that is free. So a page makes one palette of all its systems and gives it to every figure; figures
without one make it from the names they show.

References
----------
Okabe and Ito (2008), Color Universal Design.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

LIGHT = {
    "ink": "#1d2530",
    "paper": "#ffffff",
    "line": "#dedad0",
    "soft": "#655f53",
    "accent": "#2d6a4f",
    "heat": "#c2410c",
    "c0": "#0072b2",
    "c1": "#d55e00",
    "c2": "#009e73",
    "c3": "#cc79a7",
    "c4": "#b87800",
    "c5": "#3a96c8",
    "c6": "#5a5a5a",
    "c7": "#9608f4",
    "c8": "#6b0211",
    "c9": "#4c0d5c",
    "c10": "#030b9a",
    "c11": "#8e78ff",
    "tg-right": "#0a8a66",
    "tg-flipped": "#9467d8",
    "tg-wrong": "#d9480f",
}
"""What the colours are called, and what they are where nobody says anything else."""

DARK = {
    "ink": "#e9e6de",
    "paper": "#1b1f24",
    "line": "#373d45",
    "soft": "#a8a397",
    "accent": "#7ccfa4",
    "heat": "#ff8a4c",
    "c0": "#5eb6ee",
    "c1": "#f58b45",
    "c2": "#35c79c",
    "c3": "#e29ac4",
    "c4": "#e9b14a",
    "c5": "#93d2f5",
    "c6": "#bdbdbd",
    "c7": "#a64dff",
    "c8": "#e8305a",
    "c9": "#c13887",
    "c10": "#6765c0",
    "c11": "#d3ccff",
    "tg-right": "#2fc796",
    "tg-flipped": "#b794f4",
    "tg-wrong": "#ff7a45",
}
"""The same in the dark."""

N_COLOURS = 12
DASHES = ("", "8 5", "2 4", "11 4 2 4", "5 3")
MARKS = (
    "M{x} {y}m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0",
    "M{x} {y}m-4.5-4.5h9v9h-9z",
    "M{x} {y}m0-5.8l5.6 9.8h-11.2z",
    "M{x} {y}m0-6.2l5.5 6.2l-5.5 6.2l-5.5-6.2z",
    "M{x} {y}m0 5.8l5.6-9.8h-11.2z",
)
"""Circle, square, triangle, diamond, triangle upside down: paths around a place."""


@dataclass(frozen=True)
class Look:
    """How a name is drawn: numbers of a colour, of a dash and of a mark."""

    colour: int
    dash: int
    mark: int

    @property
    def line(self) -> str:
        """The classes of its lines."""
        return f"c{self.colour} d{self.dash}"

    @property
    def fill(self) -> str:
        """The class of its areas and marks."""
        return f"c{self.colour}"


class Palette:
    """Gives every name a look; all names of a palette look different, up to sixty.

    Parameters
    ----------
    names : iterable of str
        In an order that matters only where checksums clash: the first keeps its colour.

    Examples
    --------
    >>> palette = Palette(["dmv", "evg"])
    >>> palette["dmv"] == palette["dmv"] != palette["evg"]
    True
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._looks: dict[str, Look] = {}
        self._members: list[list[str]] = [[] for _ in range(N_COLOURS)]
        for name in names:
            self[name]

    def __getitem__(self, name: str) -> Look:
        """Return the look of a name, which joins the palette if it is new."""
        if name not in self._looks:
            first = zlib.crc32(name.encode()) % N_COLOURS
            fewest = min(len(members) for members in self._members)
            colour = next(
                candidate % N_COLOURS
                for candidate in range(first, first + N_COLOURS)
                if len(self._members[candidate % N_COLOURS]) == fewest
            )
            # Names of one colour have different dashes; neighbours of a round, different marks.
            repeated = len(self._members[colour])
            variant = (colour + repeated) % len(DASHES)
            self._members[colour].append(name)
            self._looks[name] = Look(colour, variant, variant)
        return self._looks[name]

    @classmethod
    def in_order(cls, names: Iterable[str]) -> Palette:
        """Return a palette that gives colours in order: for kinds of things, not for systems."""
        palette = cls()
        for i, name in enumerate(dict.fromkeys(names)):
            variant = (i + i // N_COLOURS) % len(DASHES)
            palette._looks[name] = Look(i % N_COLOURS, variant, variant)
            palette._members[i % N_COLOURS].append(name)
        return palette


def page_style() -> str:
    """Return the colours as names in a style sheet: dark where a reader wants a page dark."""
    light = "".join(f"--{name}:{colour};" for name, colour in LIGHT.items())
    both = "".join(f"--{name}:light-dark({LIGHT[name]},{DARK[name]});" for name in LIGHT)
    return f":root{{{light}}}@supports (color:light-dark(red,blue)){{:root{{{both}}}}}"
