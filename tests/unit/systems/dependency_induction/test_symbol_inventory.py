"""Symbols of a lexicalised grammar: which words are told apart, and what becomes of the others."""

from __future__ import annotations

import numpy as np
import pytest

import treegauge as tg
from treegauge.systems import SystemsError
from treegauge.systems.dependency_induction.symbol_inventory import SymbolInventory
from treegauge.systems.dependency_induction.tag_inventory import TagInventory
from treegauge.systems.saved_state import SavedState


def text(*lines: str):
    return tg.parse("\n".join(lines) + "\n", format="slashed")


TEXT = text("The/D cat/N saw/V the/D dog/N", "saw/N the/D cat/N")


def test_without_words_it_is_the_inventory_of_tags() -> None:
    symbols, tags = SymbolInventory.lexicalised(TEXT, "p", None), TagInventory.of(TEXT, "p")
    assert (symbols.tags, symbols.shares) == (tags.tags, tags.shares)
    np.testing.assert_array_equal(symbols.encode(TEXT).tags, tags.encode(TEXT).tags)


def test_frequent_words_are_told_apart_by_tag() -> None:
    symbols = SymbolInventory.lexicalised(TEXT, "p", 2)
    assert symbols.tags == ("N", "D", "V", "N cat", "D the")
    assert symbols.tag_of.tolist() == [0, 1, 2, 0, 1]
    assert symbols.encode(TEXT).tags.tolist() == [4, 3, 2, 4, 0, 0, 4, 3]
    np.testing.assert_allclose(symbols.shares, [2 / 8, 0, 1 / 8, 2 / 8, 3 / 8], atol=1e-15)


def test_other_words_have_their_tag_and_other_tags_one_code() -> None:
    symbols = SymbolInventory.lexicalised(TEXT, "p", 2)
    corpus = symbols.encode(text("a/D cat/V cat/N cat/X"))
    assert corpus.tags.tolist() == [1, 2, 3, 5]
    assert corpus.n_tags == 6


def test_it_comes_back_from_json() -> None:
    symbols = SymbolInventory.lexicalised(TEXT, "p", 2)
    assert SymbolInventory.restored(SavedState({}, symbols.to_dict())) == symbols


@pytest.mark.parametrize(
    "words",
    [[[3, "x"]], [[-1, "x"]], [[True, "x"]], ["x"], [[0, 1]], [[0, "\ud800"]], [[0, "x"]] * 9],
)
def test_forged_words_are_refused(words) -> None:
    saved = {**SymbolInventory.lexicalised(TEXT, "p", None).to_dict(), "words": words}
    with pytest.raises(SystemsError, match="damaged"):
        SymbolInventory.restored(SavedState({}, saved))
