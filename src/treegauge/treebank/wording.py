"""How messages speak of numbers."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return a number and what it counts, in the singular for one.

    Examples
    --------
    >>> counted(1, "sentence"), counted(25094, "word"), counted(0, "file")
    ('1 sentence', '25,094 words', '0 files')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"
