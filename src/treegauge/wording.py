"""How messages speak: counts in words, names near a name, characters that are not seen."""

from __future__ import annotations

import difflib
import os
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


_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Characters that a terminal obeys or leaves out; tabs and line ends are part of messages."""


def visible(text: str) -> str:
    """Return a text with control characters, and bytes that are no text, as they are written.

    What a stranger's file holds can neither colour a terminal nor turn its lines around.

    >>> print(visible("\\x1b[31m"), visible("a\\u202eb"), visible("caf\\udce9"))
    \\x1b[31m a\\u202eb caf\\xe9
    """
    return _OBEYED.sub(_written, text)


def _written(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:  # Python's stand-in for a byte of a name that is no UTF-8
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def text_of_name(name: str | os.PathLike[str]) -> str:
    """Return the name of a file as a text that every file can hold, also if it is no UTF-8.

    >>> print(text_of_name("caf\\udce9.conllu"))
    caf\\xe9.conllu
    """
    return os.fsencode(name).decode(errors="backslashreplace")


def is_number(text: str) -> bool:
    """Return whether a text says a number.

    >>> is_number("-0.5"), is_number("-x")
    (True, False)
    """
    try:
        float(text)
    except ValueError:
        return False
    return True


def listed(names: str | Iterable[str]) -> list[str]:
    """Return names that stand between commas, or one by one, as a list.

    >>> listed("uas, ned,"), listed(["uas"])
    (['uas', 'ned'], ['uas'])
    """
    if isinstance(names, str):
        return [part.strip() for part in names.split(",") if part.strip()]
    return list(names)


def alternatives(names: Iterable[str]) -> str:
    """Return names of which one is to be chosen, as a sentence has them.

    >>> alternatives(["table"]), alternatives(["table", "json", "html"])
    ('table', 'table, json or html')
    """
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last


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
