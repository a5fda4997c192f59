"""Word classes that were induced elsewhere, read from a file.

The format is that of wcluster's `paths`: a class, a tab, a word, a tab, a count; the class is a
string of bits where classes form a tree, and any name where they do not.
"""

from __future__ import annotations

import os

from treegauge.formats import read_text
from treegauge.systems.errors import SystemsError

BIT_PREFIXES = (4, 6, 10, 20)
"""The lengths of bit strings that are classes of their own (Turian et al. 2010)."""


def read_word_classes(path: str | os.PathLike[str]) -> dict[str, str]:
    """Return the class of every word in a file; the count may be missing.

    Raises
    ------
    SystemsError
        If it cannot be read, or a line is not a class and a word.
    """
    text = read_text(path, what="word classes", error=SystemsError)
    classes: dict[str, str] = {}
    # Not splitlines: words may have any space but tabs and line ends in them.
    for number, line in enumerate(text.split("\n"), 1):
        fields = line.rstrip("\r").split("\t")
        if fields == [""]:
            continue
        if len(fields) not in (2, 3) or not fields[0] or not fields[1]:
            raise SystemsError(
                f"{path}:{number}: expected a class, a tab, a word, a tab, a count; found {line!r}"
            )
        classes[fields[1]] = fields[0]
    if not classes:
        raise SystemsError(f"{path}: there are no word classes in it")
    return classes
