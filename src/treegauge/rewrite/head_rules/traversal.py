"""Ways through a tree of phrases."""

from __future__ import annotations

from collections.abc import Iterator

from treegauge.formats.brackets import Phrase


def phrases_bottom_up(root: Phrase) -> Iterator[Phrase]:
    """Give every phrase behind all phrases inside it; trees may be of any depth."""
    phrases, stack = [], [root]
    while stack:
        phrase = stack.pop()
        phrases.append(phrase)
        stack += [child for child in phrase.children if isinstance(child, Phrase)]
    return reversed(phrases)
