"""How much room a text takes: in a proportional font, and in the cells of a terminal.

Nobody tells a program that writes an SVG which font will be used. So widths are those of DejaVu
Sans, the widest of the fonts that browsers fall back to: drawings in narrower fonts have a little
more air, and nothing overlaps.
"""

from __future__ import annotations

import unicodedata
from functools import cache

_GROUPS = {
    0.30: "ijlI|'",
    0.37: " .,:;-!()[]/\\fr`",
    0.42: 't"',
    0.55: "cszkvxyJL*?",
    0.64: "abdeghnopquFETPSYZ0123456789$_",
    0.75: "ABCKRVXU",
    0.80: "DGHNOQwm",
    0.92: "M#+<>=~^&",
    1.00: "Wm%@",
}
_EM = {character: width for width, group in _GROUPS.items() for character in group}
"""Widths of characters in shares of the font size."""

_OTHER_LETTER, _WIDE = 0.72, 1.05


def text_width(text: str, size: float) -> float:
    """Return how wide a text is in a proportional font of a size.

    Characters of Chinese, Japanese and Korean are a square each, and marks that combine with
    another character take no room.

    >>> text_width("ill", 10) < text_width("MMM", 10)
    True
    >>> text_width("e\\u0301", 10) == text_width("e", 10)
    True
    """
    return size * sum(_em(character) for character in text)


@cache
def _em(character: str) -> float:
    if character in _EM:
        return _EM[character]
    if _takes_no_room(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return _WIDE
    # An accented letter is as wide as the letter.
    plain = unicodedata.normalize("NFD", character)[0]
    return _EM.get(plain, _OTHER_LETTER)


def _takes_no_room(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Me", "Cf") or (
        # Vowels and finals of Korean syllables that are written in pieces.
        "\u1160" <= character <= "\u11ff"
    )


def padded(text: str, cells: int) -> str:
    """Return a text with spaces behind it, so that it fills cells of a terminal."""
    return text + " " * (cells - cell_width(text))


def cell_width(text: str) -> int:
    """Return how many cells of a terminal a text takes.

    >>> cell_width("日本"), cell_width("e\\u0301")
    (4, 1)
    """
    from rich.cells import cell_len

    return cell_len(text)


def on_one_line(text: str) -> str:
    """Return a text without characters that move the cursor or end the line.

    >>> on_one_line("a\\u2028b\\x07")
    'a\\ufffdb\\ufffd'
    """
    return "".join(
        "\ufffd" if unicodedata.category(character) in ("Cc", "Zl", "Zp", "Cs") else character
        for character in text
    )
