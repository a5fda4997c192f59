"""Kernels that look whether a sentence without some of its words is a sentence of the text too."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel

LONGEST = 3
"""Words of the longest n-gram that is left out."""
BASE = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@kernel
def mixed(value):
    """Return 64 bits that all depend on all bits of a value (the finaliser of splitmix64)."""
    value = np.uint64(value)
    value = (value ^ (value >> np.uint64(30))) * FIRST
    value = (value ^ (value >> np.uint64(27))) * SECOND
    return value ^ (value >> np.uint64(31))


@kernel
def hash_strings(data, starts, hashes):
    """Hash every string of a vocabulary, so that texts read in pieces agree on their words."""
    for i in range(len(starts) - 1):
        value = np.uint64(starts[i + 1] - starts[i])
        for k in range(starts[i], starts[i + 1]):
            value = (value ^ np.uint64(data[k])) * FIRST
            value ^= value >> np.uint64(29)
        hashes[i] = mixed(value)


@kernel
def key_of(value, length):
    """Return the key of a sentence: its polynomial and its length; never 0, which is no key."""
    key = mixed(value + np.uint64(length) * SECOND)
    return key if key != np.uint64(0) else np.uint64(1)


@kernel
def insert(slots, key):
    """Put a key into the table, if it is not there."""
    last = np.uint64(len(slots) - 1)
    place = key & last
    while slots[place] != np.uint64(0) and slots[place] != key:
        place = (place + np.uint64(1)) & last
    slots[place] = key


@kernel
def is_in(slots, key):
    """Return whether a key is in the table."""
    last = np.uint64(len(slots) - 1)
    place = key & last
    while slots[place] != np.uint64(0) and slots[place] != key:
        place = (place + np.uint64(1)) & last
    return slots[place] == key


@kernel
def find_reducible(words, offsets, slots, reducible):
    """Mark the n-grams that can be left out: `reducible[n - 1, i]` for the one that begins at i.

    `words` are hashes; `slots` is an empty table of a power of two of keys, at least twice as
    many as sentences. The polynomial of a sentence without some words is that of what comes
    before them, shifted, and of what comes behind: each deletion takes constant time.
    """
    longest = 0
    for s in range(len(offsets) - 1):
        begin, end = offsets[s], offsets[s + 1]
        longest = max(longest, end - begin)
        value = np.uint64(0)
        for i in range(begin, end):
            value = value * BASE + words[i]
        insert(slots, key_of(value, end - begin))
    powers = np.ones(longest + 1, np.uint64)
    for k in range(longest):
        powers[k + 1] = powers[k] * BASE
    before = np.zeros(longest + 1, np.uint64)
    for s in range(len(offsets) - 1):
        begin = offsets[s]
        n = offsets[s + 1] - begin
        for i in range(n):
            before[i + 1] = before[i] * BASE + words[begin + i]
        for size in range(1, min(LONGEST, n - 1) + 1):
            for i in range(n - size + 1):
                rest = powers[n - i - size]
                value = before[i] * rest + (before[n] - before[i + size] * rest)
                if is_in(slots, key_of(value, n - size)):
                    reducible[size - 1, begin + i] = 1


@kernel
def window_value(symbols, begin, end, before, behind, width):
    """Return the polynomial of so many symbols up to a place and as many from another one on.

    Beyond the ends of the sentence stand 1s before it and 2s behind it.
    """
    value = np.uint64(0)
    for k in range(before - width, before):
        value = value * BASE + (symbols[k] if k >= begin else np.uint64(1))
    for k in range(behind, behind + width):
        value = value * BASE + (symbols[k] if k < end else np.uint64(2))
    return value


@kernel
def find_reducible_in_context(symbols, offsets, width, slots, reducible):
    """Mark the n-grams whose neighbours, so many on either side, occur without anything between.

    Other parameters are those of `find_reducible`, but `slots` has room for twice as many keys as
    there are words and sentences.
    """
    for s in range(len(offsets) - 1):
        begin, end = offsets[s], offsets[s + 1]
        for i in range(begin, end + 1):
            if begin < end:
                insert(slots, key_of(window_value(symbols, begin, end, i, i, width), 0))
    for s in range(len(offsets) - 1):
        begin, end = offsets[s], offsets[s + 1]
        for size in range(1, min(LONGEST, end - begin - 1) + 1):
            for i in range(begin, end - size + 1):
                value = window_value(symbols, begin, end, i, i + size, width)
                if is_in(slots, key_of(value, 0)):
                    reducible[size - 1, i] = 1
