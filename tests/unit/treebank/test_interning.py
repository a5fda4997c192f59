from __future__ import annotations

import random

import numpy as np
import pytest

from treegauge.treebank import Interner, Vocabulary
from treegauge.treebank._interning_numba import _OFFSET, _PRIME, _hash_slice

GROWTH = 4096
"""A size at which the interner's tables, which double, are full."""


class DictInterner:
    """The slow twin: a dict from strings to numbers."""

    def __init__(self) -> None:
        self.codes: dict[str, int] = {}

    def add_strings(self, strings: list[str]) -> list[int]:
        return [self.codes.setdefault(string, len(self.codes)) for string in strings]


def assert_same(interner: Interner, twin: DictInterner) -> None:
    assert len(interner) == len(twin.codes)
    assert list(interner.vocabulary()) == list(twin.codes)


def test_first_sight_decides_the_number() -> None:
    interner = Interner()
    assert interner.add_strings(["the", "cat", "the", "", "cat"]).tolist() == [0, 1, 0, 2, 1]
    assert interner.add_strings(["", "dog", "the"]).tolist() == [2, 3, 0]
    assert list(interner.vocabulary()) == ["the", "cat", "", "dog"]


def test_nothing() -> None:
    interner = Interner()
    codes = interner.add_strings([])
    assert codes.tolist() == []
    assert codes.dtype == np.int32
    assert len(interner) == 0
    assert list(interner.vocabulary()) == []


def test_slices_of_a_block_may_overlap() -> None:
    block = np.frombuffer(b"abcabc", np.uint8)
    codes = Interner().add(block, np.array([0, 3, 1, 4, 0]), np.array([3, 6, 3, 6, 6]))
    assert codes.tolist() == [0, 0, 1, 1, 2]


def test_strings_that_are_nearly_equal() -> None:
    # Lengths around the eight bytes that the hash takes at a time; NUL bytes at either end,
    # so that a word of the hash is the same number for several strings.
    strings = ["a" * n for n in range(20)]
    strings += ["\0" * n for n in range(1, 20)]
    strings += ["\0" + "a" * n for n in range(1, 20)] + ["a" * n + "\0" for n in range(1, 20)]
    strings += ["a" * n + "b" for n in range(1, 20)]
    interner = Interner()
    assert interner.add_strings(strings).tolist() == DictInterner().add_strings(strings)
    assert list(interner.vocabulary()) == list(dict.fromkeys(strings))


def test_single_bytes_have_their_own_table() -> None:
    characters = [chr(i) for i in range(128)]
    interner = Interner()
    assert interner.add_strings(characters).tolist() == list(range(128))
    assert interner.add_strings(characters[::-1]).tolist() == list(range(128))[::-1]
    # é is two bytes, neither of which is a string of its own.
    assert interner.add_strings(["é", "é", "a"]).tolist() == [128, 128, 97]


def test_long_strings() -> None:
    long = "x" * 1_000_000
    interner = Interner()
    assert interner.add_strings([long, "犬" * 5000, long, long + "y", "犬" * 5000]).tolist() == [
        0, 1, 0, 2, 1,
    ]  # fmt: skip
    assert interner.vocabulary()[2] == long + "y"


@pytest.mark.parametrize("seed", range(5))
def test_random_strings_like_the_twin(seed: int) -> None:
    dice = random.Random(seed)
    alphabet = ["ab", "aé犬🙂", "_\0 \t", "abcdefghijklmnopqrstuvwxyz"][seed % 4]
    interner, twin = Interner(), DictInterner()
    for _ in range(20):
        longest = dice.choice([1, 3, 9, 40])
        strings = [
            "".join(dice.choices(alphabet, k=dice.randrange(longest + 1)))
            for _ in range(dice.randrange(600))
        ]
        assert interner.add_strings(strings).tolist() == twin.add_strings(strings)
    assert_same(interner, twin)


def test_tables_grow_in_the_middle() -> None:
    # All new, so that tables grow several times; then all known.
    strings = [f"{i:x}" for i in range(3 * GROWTH + 17)]
    interner, twin = Interner(), DictInterner()
    assert interner.add_strings(strings).tolist() == list(range(len(strings)))
    assert interner.add_strings(strings[::-1]).tolist() == list(range(len(strings)))[::-1]
    twin.add_strings(strings)
    assert_same(interner, twin)


@pytest.mark.parametrize("size", [GROWTH - 1, GROWTH, GROWTH + 1, GROWTH + 2, GROWTH + 3])
def test_full_tables(size: int) -> None:
    strings = [str(i % (size - 2)) for i in range(size)]
    assert Interner().add_strings(strings).tolist() == DictInterner().add_strings(strings)


def test_crowded_table() -> None:
    # A hundred thousand distinct strings share at most 2**18 places, so that thousands of
    # them must look further than the first.
    strings = [f"{i * 7919 % 100_003}-{i % 13}" for i in range(100_000)]
    interner = Interner()
    codes = interner.add_strings(strings)
    assert codes.tolist() == list(range(100_000))
    assert interner.vocabulary()[99_999] == strings[-1]


def unsigned(number: int) -> int:
    return number & (2**64 - 1)


def state_after(word: int, *, length: int) -> int:
    """What the hash has made of the first eight bytes of a string of some length."""
    value = unsigned((int(_OFFSET) ^ length ^ word) * int(_PRIME))
    value -= 2**64 * (value >= 2**63)
    return value ^ (value >> 32)


def colliding(count: int) -> list[bytes]:
    """Return different strings of 16 bytes that have the same hash.

    The hash mixes in one word of eight bytes after the other; whatever the first word has
    done to the state, a fitting second word undoes.
    """
    strings = []
    for first in range(count):
        second = unsigned(state_after(first, length=16) ^ state_after(0, length=16))
        strings.append(first.to_bytes(8, "little") + second.to_bytes(8, "little"))
    return strings


def test_equal_hashes_do_not_make_strings_equal() -> None:
    strings = colliding(50)
    block = np.frombuffer(b"".join(strings), np.uint8)
    first = np.arange(0, len(block), 16)
    hashes = {int(_hash_slice(block, begin, begin + 16)) for begin in first}
    assert len(set(strings)) == 50
    assert len(hashes) == 1  # or this test tests nothing

    interner = Interner()
    twice = np.concatenate([first, first])
    assert interner.add(block, twice, twice + 16).tolist() == [*range(50), *range(50)]
    assert interner.vocabulary().data.tobytes() == b"".join(strings)


def test_a_string_with_the_hash_of_its_beginning() -> None:
    # The second word brings the state to where the first word alone would have found it.
    word = int.from_bytes(b"whatever", "little")
    second = unsigned(state_after(word, length=16) ^ int(_OFFSET) ^ 8 ^ word)
    block = np.frombuffer(b"whatever" + second.to_bytes(8, "little"), np.uint8)
    assert _hash_slice(block, 0, 16) == _hash_slice(block, 0, 8)  # or this test tests nothing
    assert Interner().add(block, np.array([0, 0]), np.array([16, 8])).tolist() == [0, 1]
    assert Interner().add(block, np.array([0, 0]), np.array([8, 16])).tolist() == [0, 1]


def test_short_strings_at_the_end_of_a_block() -> None:
    # Eight bytes can be loaded at once before the end, and not behind it; both ways must agree.
    block = np.frombuffer("añb犬 añb犬".encode(), np.uint8)
    half = len(block) // 2
    for length in range(9):
        for first in range(half - length + 1):
            places = np.array([first, first + half + 1])
            codes = Interner().add(block, places, places + length)
            assert codes.tolist() == [0, 0]


def test_hashes_of_short_strings_are_one_to_one() -> None:
    # The interner does not compare strings below eight bytes: their hash tells them apart.
    words = np.random.default_rng(0).integers(0, 1 << 56, 20_000).astype("<i8")
    words[:1000] = np.arange(1000)  # differ in the lowest bits alone
    words[1000:2000] = np.arange(1000) << 46  # in the highest
    block = words.view(np.uint8)
    hashes = [int(_hash_slice(block, 8 * i, 8 * i + 7)) for i in range(len(words))]
    assert len(set(hashes)) == len(set(words.tolist()))


def test_add_vocabulary_maps_old_codes_to_new() -> None:
    interner = Interner()
    interner.add_strings(["the", "cat"])
    new_code = interner.add_vocabulary(Vocabulary.from_strings(["dog", "cat", "", "the"]))
    assert new_code.tolist() == [2, 1, 3, 0]
    assert list(interner.vocabulary()) == ["the", "cat", "dog", ""]
    assert interner.add_vocabulary(Vocabulary.from_strings([])).tolist() == []


def test_a_vocabulary_does_not_grow_with_its_interner() -> None:
    interner = Interner()
    interner.add_strings(["the"])
    before = interner.vocabulary()
    interner.add_strings([str(i) for i in range(1000)])
    assert list(before) == ["the"]
