"""The seven words of the worked example, and slow twins that follow the definitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import treegauge as tg
from treegauge.dictionaries import TagDictionary

GOLD = "the/DET old/ADJ dog/NOUN barks/VERB ./. xyz/NOUN run/VERB\n"
SYSTEM = "the/DET old/NOUN dog/NOUN barks/NOUN ./. xyz/NOUN run/NOUN\n"
ENTRIES = {
    "the": ["DET"],
    "old": ["ADJ"],
    "dog": ["NOUN", "VERB"],
    "barks": ["NOUN"],
    ".": ["."],
    "run": ["NOUN", "VERB"],
}


def treebank(text: str, name: str = "") -> tg.Treebank:
    return tg.parse(text, format="slashed", name=name)


def dictionary() -> TagDictionary:
    return TagDictionary.from_mapping(ENTRIES, name="example")


def slow_soft_accuracy(
    words: Iterable[tuple[str, str]], entries: Mapping[str, Sequence[str]]
) -> tuple[int, int, int]:
    """Hits, covered words and words, word by word."""
    hits = covered = n = 0
    for form, tag in words:
        n += 1
        if form in entries:
            covered += 1
            hits += tag in entries[form]
    return hits, covered, n
