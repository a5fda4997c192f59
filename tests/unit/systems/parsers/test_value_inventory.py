"""Values as numbers, for the networks of parsers."""

from __future__ import annotations

import numpy as np

from tests.unit.treebank.small_trees import treebank
from treegauge.systems.parsers.value_inventory import ValueInventory
from treegauge.systems.saved_state import SavedState
from treegauge.treebank import Vocabulary

TRAIN = treebank(
    """
    1 Ab _ X _ A=1|B=2 2 dep _ _
    2 b  _ Y _ A=1     0 root _ _
    """
)
TEXT = treebank(
    """
    1 ab _ Z _ B=2|C=9 0 root _ _
    2 Zz _ X _ _       1 dep _ _
    """
)


def test_hand_worked_codes() -> None:
    # Codes: 0 padding, 1 unknown, 2 root; values from 3 on in the order in which they come.
    inventory = ValueInventory.of(TRAIN)
    assert inventory.columns == ("form", "upos")
    assert list(inventory.vocabularies["letters"]) == ["b"]  # A is in one form only
    arrays = inventory.encode(TEXT)
    assert arrays["offsets"].tolist() == [0, 3]
    assert arrays["column.form"].tolist() == [2, 3, 1]
    assert arrays["column.upos"].tolist() == [2, 1, 3]
    assert arrays["spelling"].tolist() == [0, 1, 2]
    assert arrays["letters"].tolist() == [2, 1, 3, 1, 1]
    assert arrays["letter_starts"].tolist() == [0, 1, 3, 5]
    assert arrays["feature_set"].tolist() == [0, 1, 2]
    assert arrays["features"].tolist() == [[0], [4], [0]]


def test_hand_worked_trees() -> None:
    arrays = ValueInventory.of(TRAIN).encode_trees(TRAIN)
    assert arrays["heads"].tolist() == [-1, 2, 0]
    assert arrays["relations"].tolist() == [-1, 0, 1]
    assert arrays["allowed"].tolist() == [[True, False], [False, True]]


def test_words_with_vectors_are_found_as_they_are_or_in_lower_case() -> None:
    inventory = ValueInventory.of(TRAIN, Vocabulary.from_strings(["ab", "Zz", "zz"]))
    assert inventory.encode(TRAIN)["column.vectors"].tolist() == [2, 3, 1]
    assert inventory.encode(TEXT)["column.vectors"].tolist() == [2, 3, 4]


def test_of_long_forms_both_ends_are_read() -> None:
    text = treebank(f"1 {'a' * 100}{'b' * 100} _ X _ _ 0 root _ _\n2 ab _ X _ _ 1 dep _ _")
    letters = ValueInventory.of(text).encode(text)["letters"]
    assert letters.tolist() == [2, *[3] * 12, *[4] * 12, 3, 4]


def test_inventory_survives_saving() -> None:
    inventory = ValueInventory.of(TRAIN, Vocabulary.from_strings(["ab"]))
    again = ValueInventory.restored(SavedState(inventory.to_arrays(), {}))
    one, other = inventory.encode(TEXT), again.encode(TEXT)
    assert one.keys() == other.keys()
    assert all(np.array_equal(one[name], other[name]) for name in one)
