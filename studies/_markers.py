"""Markers of pages, between which scripts write numbers.

A table stands between `<!-- numbers: NAME -->` and `<!-- end -->`. Text is written by hand, numbers
are not. Every script has `MARKERS`: the markers that it writes, by page, each with the names of the
tables in docs/data that its numbers come from (`studies._writers`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

Markers = Mapping[Path, Mapping[str, tuple[str, ...]]]
"""By page and name, the names of the tables that numbers come from."""


class UnknownMarkerError(LookupError):
    """A marker that a page does not have, or that no script knows."""


def markers_of(page: str) -> list[str]:
    """Return the names of the markers of a page.

    >>> markers_of("<!-- numbers: one -->\\n<!-- end -->\\n<!-- numbers: two/a -->\\n<!-- end -->")
    ['one', 'two/a']
    """
    return re.findall(r"^<!-- numbers: (.+?) -->$", page, re.MULTILINE)


def filled(page: str, name: str, text: str) -> str:
    """Return a page with a text between its markers of a name; all else is left alone.

    >>> filled("a\\n<!-- numbers: wsj -->\\nold\\n<!-- end -->\\nb\\n", "wsj", "new\\n")
    'a\\n<!-- numbers: wsj -->\\nnew\\n<!-- end -->\\nb\\n'

    Raises
    ------
    UnknownMarkerError
        If the page has no such marker: its numbers would be nowhere.
    """
    pattern = rf"(<!-- numbers: {re.escape(name)} -->\n).*?(<!-- end -->)"
    page, n = re.subn(pattern, lambda found: f"{found[1]}{text}{found[2]}", page, flags=re.DOTALL)
    if not n:
        raise UnknownMarkerError(f"no page has a marker for the numbers of {name!r}")
    return page
