"""What a model holds is checked before a kernel sees it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from treegauge.systems import SystemsError
from treegauge.systems.saved_state import SavedState, vocabulary_arrays
from treegauge.treebank import Vocabulary


def saved(array: Any = None, fact: Any = None) -> SavedState:
    return SavedState({"x": np.asarray(array)}, {"x": fact})


@pytest.mark.parametrize(
    ("array", "message"),
    [
        ([[1]], "x should be 2 whole numbers"),
        ([1, 2, 3], "x should be 2 whole numbers"),
        ([1.0, 2.0], "x should be 2 whole numbers"),
        (["a", "b"], "x should be 2 whole numbers"),
        ([True, False], "x should be 2 whole numbers"),
        ([0, 3], "x has numbers outside 1 to 3"),
        ([1, 4], "x has numbers outside 1 to 3"),
        (np.array([1, 2**64 - 1], np.uint64), "x has numbers outside 1 to 3"),
    ],
)
def test_codes_that_would_lead_a_kernel_astray_are_refused(array, message) -> None:
    with pytest.raises(SystemsError, match=message):
        saved(array).integers("x", shape=(2,), least=1, below=4)


def test_numbers_come_in_the_type_and_order_that_kernels_want() -> None:
    codes = saved(np.array([[1, 2]], ">i2").T).integers("x", shape=(None, 1), dtype=np.int32)
    assert codes.tolist() == [[1], [2]]
    assert (codes.dtype, codes.flags.c_contiguous) == (np.dtype("=i4"), True)
    table = saved(np.asfortranarray(np.eye(3, dtype=np.float16))).numbers("x", (3, 3))
    assert (table.dtype, table.flags.c_contiguous) == (np.float64, True)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, -1.0, 2.0, 1e308])
def test_numbers_that_would_spread_are_refused(number: float) -> None:
    with pytest.raises(SystemsError, match="x should be finite numbers from 0 to 1"):
        saved([0.5, number]).numbers("x", (2,), dtype=np.float32, least=0, most=1)


@pytest.mark.parametrize(
    ("places", "values"),
    [([0, 0], [1.0, 1.0]), ([2, 1], [1.0, 1.0]), ([-1], [1.0]), ([4], [1.0]), ([1], [1.0, 2.0])],
)
def test_weights_without_a_place_are_refused(places, values) -> None:
    state = SavedState({"p": np.array(places), "v": np.array(values)}, {})
    with pytest.raises(SystemsError, match="this model is damaged"):
        state.weights("p", "v", 4)


@pytest.mark.parametrize(
    "change",
    [
        {"x": np.array([0xFF, 0x61], np.uint8)},
        {"x": np.array([0x61, 0x61], np.uint8)},
        {"x_starts": np.array([0, 1])},
        {"x_starts": np.array([1, 2])},
        {"x_starts": np.array([0, 3, 2])},
        {"x_starts": np.array([], np.int64)},
        {"x_starts": np.array([0.0, 1.0, 2.0])},
    ],
)
def test_vocabulary_that_is_none_is_refused(change) -> None:
    arrays = vocabulary_arrays(Vocabulary.from_strings(["a", "b"]), "x")
    assert list(SavedState(arrays, {}).vocabulary("x")) == ["a", "b"]
    with pytest.raises(SystemsError, match="this model is damaged: x"):
        SavedState(arrays | change, {}).vocabulary("x")


@pytest.mark.parametrize(
    ("method", "fact", "more"),
    [
        ("text", 1, {}),
        ("text", "\ud800", {}),
        ("text", "c", {"choices": ["a", "b"]}),
        ("number", True, {}),
        ("number", "1", {}),
        ("whole_number", 1.0, {}),
        ("whole_number", 5, {"below": 5}),
        ("counts", [1, -1], {"size": 2}),
        ("truth", 1, {}),
        ("series", [1, None], {}),
        ("series", {"a": 1}, {}),
        ("strings", ["a", 1], {}),
        ("strings", "ab", {}),
        ("strings", ["a"], {"size": 2}),
        ("names", ["a", "a"], {}),
        ("names", [], {}),
        ("tag_column", "form", {}),
        ("table", [], {}),
    ],
)
def test_fact_of_another_type_is_refused(method: str, fact: Any, more: dict[str, Any]) -> None:
    with pytest.raises(SystemsError, match="this model is damaged: its "):
        getattr(saved(fact=fact), method)("x", **more)


def test_what_is_missing_is_named() -> None:
    with pytest.raises(SystemsError, match="it has no weights\n  train and save it anew"):
        saved().numbers("weights", (1,))
    with pytest.raises(SystemsError, match="it has no tags"):
        saved().names("tags")
