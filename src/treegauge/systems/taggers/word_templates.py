"""What a tagger sees of a word and its neighbours, as strings.

A feature of a word depends on its form (`of_word`), on the form of one neighbour
(`of_neighbour`), or on two forms side by side (`of_pair`): whoever tags can make each once for
every form, however often it occurs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

from treegauge.systems.taggers.word_classes import BIT_PREFIXES

BEFORE = "<s>"
"""The form of what is before a sentence; `AFTER` is what is behind it."""
AFTER = "</s>"

WINDOW = 2
"""How far neighbours are seen."""

_PAIRS = ((-1, 0), (0, 1), (-1, 1), (-2, -1), (1, 2))


def shape(form: str) -> str:
    """Return a form with its characters replaced by what they are.

    >>> shape("McDonald's"), shape("F-16")
    ("XxXxxxxx'x", 'X-99')
    """
    return "".join(map(_kind, form))


def _kind(character: str) -> str:
    if character.isdigit():
        return "9"
    if character.isalpha():
        # Scripts without case have letters only.
        return "X" if character.isupper() else "x"
    return character


def short_shape(form: str) -> str:
    """Return a shape with runs made one.

    >>> short_shape("McDonald's"), short_shape("1984")
    ("XxXx'x", '9')
    """
    return "".join(kind for kind, _ in groupby(shape(form)))


def generic(form: str) -> str:
    """Return a form in lower case with all digits the same.

    >>> generic("Boeing-747")
    'boeing-000'
    """
    return re.sub(r"\d", "0", form.lower())


@dataclass(frozen=True)
class WordTemplates:
    """What is seen of words."""

    prefixes: int = 4
    """The longest prefix."""
    suffixes: int = 4
    """The longest suffix."""
    classes: Mapping[str, str] = field(default_factory=dict)
    """Word classes that were found elsewhere: bit strings if they form a tree."""
    context: Literal["near", "wide"] = "wide"
    """What is seen of neighbours, besides classes: the forms of the two nearest; or forms of two
    on each side, endings and shapes of the nearest, and pairs."""

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The places of two neighbours that are seen together."""
        return _PAIRS if self.context == "wide" else ()

    def of_word(self, form: str, *, is_rare: bool = True) -> list[str]:
        """Return the features of a word itself; frequent ones need no affixes."""
        features = ["bias", f"w={form}", f"l={generic(form)}", f"c={short_shape(form)}"]
        if is_rare:
            features += self._affixes(form)
            features.append(f"shape={shape(form)}")
        if any(map(str.isdigit, form)):
            features.append("digit")
        if "-" in form:
            features.append("hyphen")
        if form[:1].isupper():
            features.append("upper")
            if form.isupper():
                features.append("all-upper")
        if not any(map(str.isalnum, form)):
            features.append("mark")
        return features + self._of_class(form, 0)

    def _affixes(self, form: str) -> list[str]:
        text = generic(form)
        prefixes = [f"p={text[:k]}" for k in range(1, min(self.prefixes, len(text)) + 1)]
        return prefixes + [f"s={text[-k:]}" for k in range(1, min(self.suffixes, len(text)) + 1)]

    def of_neighbour(self, form: str, offset: int) -> list[str]:
        """Return the features of the word that is `offset` words away."""
        text = generic(form)
        is_wide, is_next = self.context == "wide", abs(offset) == 1
        features = [f"{offset}:l={text}"] if is_wide or is_next else []
        features += self._of_class(form, offset)
        if is_wide and is_next:
            features += [
                f"{offset}:s={text[-3:]}",
                f"{offset}:s={text[-2:]}",
                f"{offset}:c={short_shape(form)}",
            ]
        return features

    def of_pair(self, offset: int, first: str, other: int, second: str) -> str:
        """Return the feature of two neighbours, whose forms are generic already."""
        return f"{offset}|{other}:{first}|{second}"

    def _of_class(self, form: str, offset: int) -> list[str]:
        word_class = self.classes.get(form)
        if word_class is None:
            return []
        features = [f"{offset}:class={word_class}"]
        if abs(offset) <= 1 and not set(word_class) - set("01"):
            # The whole string is there already; told twice, it would weigh twice.
            shorter = [word_class[:k] for k in BIT_PREFIXES if k < len(word_class)]
            features += [f"{offset}:bits={prefix}" for prefix in shorter]
        return features
