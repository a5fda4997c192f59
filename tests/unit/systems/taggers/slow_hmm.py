"""A hidden Markov model by enumeration: every path of tags, one by one."""

from __future__ import annotations

from itertools import product
from math import log

import numpy as np


def paths(words: list[int], emissions: np.ndarray, transitions: np.ndarray):
    """Give every path of tags with its joint probability; the last state is the boundary."""
    end = emissions.shape[1]
    for tags in product(range(end), repeat=len(words)):
        chance, before = 1.0, end
        for word, tag in zip(words, tags, strict=True):
            chance *= transitions[before, tag] * emissions[word, tag]
            before = tag
        yield tags, chance * transitions[before, end]


def expectations(sentences: list[list[int]], emissions: np.ndarray, transitions: np.ndarray):
    """Return log-likelihood, expected emissions, expected transitions and posteriors."""
    end = emissions.shape[1]
    likelihood = 0.0
    emitted, passed = np.zeros(emissions.shape), np.zeros(transitions.shape)
    posteriors = []
    for words in sentences:
        found = list(paths(words, emissions, transitions))
        total = sum(chance for _, chance in found)
        likelihood += log(total)
        table = np.zeros((len(words), end))
        for tags, chance in found:
            for place, (word, tag) in enumerate(zip(words, tags, strict=True)):
                table[place, tag] += chance / total
                emitted[word, tag] += chance / total
            for before, after in zip((end, *tags), (*tags, end), strict=True):
                passed[before, after] += chance / total
        posteriors.append(table)
    return likelihood, emitted, passed, posteriors
