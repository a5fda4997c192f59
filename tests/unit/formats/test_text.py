"""Kernels over raw text against Python's own words on it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.test_compilation import uncached_kernel
from treegauge.formats._text_numba import WINDOW, count_line_ends, is_utf8, separators

EDGES = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0]
EDGES += [0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF]
"""The first and the last byte of every range that the definition of UTF-8 tells apart."""


separators_at = uncached_kernel(
    "def function(text, at): return separators(text, at)", separators=separators
)


def array(text: bytes) -> np.ndarray:
    return np.frombuffer(text, np.uint8)


def python_reads(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


@pytest.mark.parametrize("length", range(4))
def test_short_texts_at_the_edges_of_ranges(length: int) -> None:
    for text in map(bytes, itertools.product(EDGES, repeat=length)):
        assert is_utf8(array(text)) == python_reads(text), text.hex()


def test_every_text_of_edges_inside_a_window() -> None:
    # Far from the beginning and the end, so that the kernel sees all four bytes at once; one
    # piece that is no UTF-8 decides for the whole text, so pieces are tried one by one.
    before, behind = b"a" * WINDOW, b"b" * 2 * WINDOW
    for piece in map(bytes, itertools.product(EDGES, repeat=3)):
        assert is_utf8(array(before + piece + behind)) == python_reads(piece), piece.hex()


@pytest.mark.parametrize("lead", [0xE0, 0xED, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5])
def test_four_bytes_inside_a_window(lead: int) -> None:
    before, behind = b"a" * WINDOW, b"b" * 2 * WINDOW
    for rest in map(bytes, itertools.product(EDGES[2:12], repeat=3)):
        piece = bytes([lead]) + rest
        assert is_utf8(array(before + piece + behind)) == python_reads(piece), piece.hex()


@pytest.mark.parametrize("character", ["é", "犬", "🙂"])
def test_characters_across_windows(character: str) -> None:
    for shift in range(2 * WINDOW + 4):
        text = b"a" * shift + character.encode() + b"b" * WINDOW
        assert is_utf8(array(text))
        assert is_utf8(array(text[: shift + len(character.encode())]))
        cut = text[: shift + len(character.encode()) - 1]
        assert not is_utf8(array(cut))
        assert not is_utf8(array(cut + b"b" * WINDOW))


def test_every_character() -> None:
    characters = [chr(i) for i in range(0x110000) if not 0xD800 <= i < 0xE000]
    assert is_utf8(array("".join(characters).encode()))


@pytest.mark.parametrize("number", range(0xD800, 0xE000, 0x55))
def test_halves_of_surrogate_pairs(number: int) -> None:
    half = chr(number).encode(errors="surrogatepass")
    assert not is_utf8(array(half))
    assert not is_utf8(array(b"a" * WINDOW + half + b"a" * WINDOW))


@examples()
@given(st.text(max_size=300), st.integers(0, 300), st.binary(max_size=4))
def test_damaged_texts(text: str, place: int, damage: bytes) -> None:
    encoded = text.encode()
    damaged = encoded[:place] + damage + encoded[place + len(damage) :]
    assert is_utf8(array(damaged)) == python_reads(damaged)


@examples()
@given(st.text("a\t\n\v\bé", max_size=300))
def test_separators_and_line_ends(text: str) -> None:
    encoded = text.encode()
    assert count_line_ends(array(encoded)) == encoded.count(b"\n")
    for at in range(len(encoded) - WINDOW + 1):
        window = encoded[at : at + WINDOW]
        expected = sum(1 << i for i, byte in enumerate(window) if byte in b"\t\n")
        assert int(separators_at(array(encoded), at)) == expected
