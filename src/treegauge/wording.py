"""How messages speak: counts in words, and which names are near a name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable


def counted(number: int, noun: str) -> str:
    """Return a number and what it counts, in the singular for one.

    Examples
    --------
    >>> counted(1, "sentence"), counted(25094, "word"), counted(0, "file")
    ('1 sentence', '25,094 words', '0 files')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"


def listed(names: str | Iterable[str]) -> list[str]:
    """Return names that stand between commas, or one by one, as a list.

    >>> listed("uas, ned,"), listed(["uas"])
    (['uas', 'ned'], ['uas'])
    """
    if isinstance(names, str):
        return [part.strip() for part in names.split(",") if part.strip()]
    return list(names)


def nearest(name: str, known: Iterable[str], *, most: int = 3, cutoff: float = 0.6) -> list[str]:
    """Return the known names that look most like a name, best first.

    >>> nearest("en_ewtt", ["en_ewt", "et_ewt", "zh_gsd"])
    ['en_ewt', 'et_ewt']
    """
    spelling = {_spelling(other): other for other in known}
    return [
        spelling[key]
        for key in difflib.get_close_matches(_spelling(name), spelling, n=most, cutoff=cutoff)
    ]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the question to put into a message, or nothing if no name is near."""
    near = nearest(name, known)
    return f"; did you mean {', '.join(near)}?" if near else ""


def unknown_name(noun: str, name: str, known: Iterable[str], *, advice: str = "") -> str:
    """Return the message about a name that there is not: what is near, and what there is.

    The advice, where there is one, takes the place of all names.

    >>> print(unknown_name("track", "tag", ["tags", "dependencies"]))
    unknown track 'tag'; did you mean tags?
      there are tags, dependencies
    """
    known = list(known)
    advice = advice or f"there are {', '.join(known)}"
    return f"unknown {noun} {name!r}{did_you_mean(name, known)}\n  {advice}"


def _spelling(name: str) -> str:
    """Return what two spellings of one name have in common."""
    return re.sub(r"[-\s]", "_", name.casefold())
