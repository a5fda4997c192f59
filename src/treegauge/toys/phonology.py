"""Invented words: stems that a language could have."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treegauge.toys.language import ToyLanguage

# The frequent are short, as in any language: one syllable for ranks below the first bound,
# two below the second.
_SHORT, _MIDDLE = 25, 400
_DRAWS = 1 << 16


class StemMaker:
    """Makes stems of a language, never the same one twice."""

    def __init__(self, language: ToyLanguage) -> None:
        self._onsets = language.onsets.split()
        self._vowels = language.vowels.split()
        self._codas = language.codas.split()
        self._chances = _chances(language.seed)
        self._taken = {form for words in language.words.values() for form in words.values()}
        self._taken |= {form for _, form in language.pronoun[0].cells}
        self._taken |= set(language.stems.values())

    def stem(self, rank: int) -> str:
        """Return a new stem, longer for rarer words."""
        while True:
            syllables = 1 if rank < _SHORT else 2 if rank < _MIDDLE else 2 + (self._chance() < 0.6)
            stem = "".join(
                self._choice(self._onsets) + self._choice(self._vowels) for _ in range(syllables)
            ) + self._choice(self._codas)
            if stem not in self._taken:
                self._taken.add(stem)
                return stem

    def _choice(self, sounds: list[str]) -> str:
        return sounds[int(self._chance() * len(sounds))]

    def _chance(self) -> float:
        return next(self._chances)


def _chances(seed: int) -> Iterator[float]:
    # Drawing one number at a time costs ten times as much.
    generator = np.random.default_rng(seed)
    while True:
        yield from generator.random(_DRAWS).tolist()
