"""An averaged perceptron in plain Python, feature by feature, to compare the fast one with."""

from __future__ import annotations

import re

import numpy as np

from treegauge.systems.taggers.perceptron import word_shape

_MASK = 2**64 - 1
_FACTOR = -7046029254386353131 & _MASK
_LOW = 2**32 - 1


def mixed(a: int, b: int) -> int:
    value = ((a ^ (b + 1)) & _MASK) * _FACTOR & _MASK
    value ^= value >> 32 & _LOW
    value = value * _FACTOR & _MASK
    return value ^ (value >> 29 & _LOW)


def hashed(characters: str) -> int:
    value = len(characters)
    for character in characters:
        value = mixed(value, ord(character))
    return value


class Word:
    """What is known of a word by itself; None is the boundary of a sentence."""

    def __init__(self, form: str | None) -> None:
        self.plain = re.sub(r"\d", "0", form.lower()) if form is not None else ""
        self.whole = hashed(form) if form is not None else -1
        self.plain_whole = hashed(self.plain) if form is not None else -1
        self.shape = word_shape(form) if form is not None else -1


def features(words: list[Word], i: int, tag1: int, tag2: int, n_tags: int) -> list[tuple[int, int]]:
    """Return all features of a word as template and value."""

    def at(place: int) -> Word:
        return words[place] if 0 <= place < len(words) else Word(None)

    here, before, after = at(i), at(i - 1), at(i + 1)
    two = tag2 * (n_tags + 1) + tag1
    found = [(0, 0), (1, here.whole), (2, here.plain_whole), (3, here.shape)]
    found += [(10 + k, hashed(here.plain[-k - 1 :])) for k in range(5)]
    found += [(20 + k, hashed(here.plain[: k + 1])) for k in range(4)]
    for template, neighbour in ((30, before), (40, after)):
        found += [
            (template, neighbour.plain_whole),
            (template + 1, hashed(neighbour.plain[-3:])),
            (template + 2, neighbour.shape),
        ]
    found += [(50, at(i - 2).plain_whole), (51, at(i + 2).plain_whole)]
    found += [(60, tag1), (61, tag2), (62, two)]
    found += [
        (63, mixed(here.plain_whole, tag1)),
        (64, mixed(after.plain_whole, tag1)),
        (65, mixed(before.plain_whole, here.plain_whole)),
        (66, mixed(here.plain_whole, after.plain_whole)),
        (67, mixed(here.plain_whole, two)),
    ]
    return found


class SlowPerceptron:
    """Learns as the fast one does, with the same places for weights."""

    def __init__(self, n_tags: int, bits: int) -> None:
        self.n_tags, self.mask = n_tags, 2**bits - 1
        self.weights: dict[int, float] = {}
        self.sums: dict[int, float] = {}
        self.clock = 0

    def places(self, words: list[Word], i: int, tag1: int, tag2: int) -> list[int]:
        found = features(words, i, tag1, tag2, self.n_tags)
        return [mixed(mixed(template, value), 77) & self.mask for template, value in found]

    def best(self, places: list[int]) -> int:
        scores = [
            sum(float(self.weights.get(place + tag, 0.0)) for place in places)
            for tag in range(self.n_tags)
        ]
        return scores.index(max(scores))

    def tag(self, forms: list[str], gold: list[int] | None = None) -> list[int]:
        """Tag a sentence; learn from it if there are gold tags."""
        words = [Word(form) for form in forms]
        tag1 = tag2 = self.n_tags
        found = []
        for i in range(len(words)):
            places = self.places(words, i, tag1, tag2)
            answer = self.best(places)
            if gold is not None:
                self.clock += 1
                if answer != gold[i]:
                    for place in places:
                        for tag, change in ((gold[i], 1), (answer, -1)):
                            at = place + tag
                            self.weights[at] = self.weights.get(at, 0.0) + change
                            self.sums[at] = self.sums.get(at, 0.0) + change * self.clock
            found.append(answer)
            tag2, tag1 = tag1, answer
        return found

    def average(self) -> None:
        self.weights = {
            place: float(np.float32(weight - self.sums[place] / self.clock))
            for place, weight in self.weights.items()
        }
