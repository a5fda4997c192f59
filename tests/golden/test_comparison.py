"""The comparison with golden files can fail."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.golden.comparison import difference, differences, differing_paths
from tests.golden.masks import mask_document, mask_text


def test_equal_files_do_not_differ():
    files = {"a.txt": "one\n", "b.json": '{"x": 1}'}
    assert differences(files, files) == []


def test_missing_and_superfluous_files_are_named():
    assert differences({"a.txt": ""}, {"b.txt": ""}) == [
        "a.txt: this golden file is not made any more",
        "b.txt: there is no golden file",
    ]


def test_texts_are_compared_line_by_line():
    message = difference("a.txt", "one\ntwo\n", "one\n2\n")
    assert "-two" in message
    assert "+2" in message
    assert difference("a.txt", "one\n", "one")


@pytest.mark.parametrize(
    ("golden", "made", "message"),
    [
        ({"a": [1, {"b": 0.5}]}, {"a": [1, {"b": 0.51}]}, "$.a[1].b: 0.5 before, 0.51 now"),
        ({"a": 1}, {"a": 1.0}, "$.a: 1 before, 1.0 now"),
        ({"a": 1}, {"a": True}, "$.a: 1 before, True now"),
        ({"a": 1}, {}, "$.a: is missing"),
        ({}, {"a": 1}, "$.a: is new"),
        ({"a": [1]}, {"a": [1, 2]}, "$.a: 1 members before, 2 now"),
        ({"a": "x"}, {"a": None}, "$.a: 'x' before, None now"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "$: the order of members differs"),
        ({"a": 0.0}, {"a": 1e-12}, "$.a: 0.0 before, 1e-12 now"),
    ],
)
def test_documents_are_compared_by_structure(golden, made, message):
    assert differing_paths(golden, made) == [message]
    assert message in difference("a.json", json.dumps(golden), json.dumps(made))


def test_the_last_digits_of_numbers_may_differ():
    assert difference("a.json", '{"a": 0.1234567890123}', '{"a": 0.1234567890124}') == ""
    assert difference("a.json", '{"a": 0.1234567}', '{"a": 0.1234568}')
    assert difference("a.tsv", "a\t0.1234567890123\n", "a\t0.1234567890124\n") == ""
    assert difference("a.tsv", "a\t0.1234567\n", "a\t0.1234568\n")
    assert difference("a.tsv", "a\t0.5\n", "a\t0.5\t\n")
    assert difference("a.tsv", "a\t0.5\n", "b\t0.5\n")


def test_masks_leave_scores_alone():
    folder = Path("/somewhere/else")
    assert mask_text("fit_seconds   0.012\nUAS   28.13\n", folder) == (
        "fit_seconds <seconds>\nUAS   28.13\n"
    )
    assert mask_text("12 of 20 cells; 1 running, 3 min left\nLAS 1\n", folder) == "LAS 1\n"
    assert mask_text("wrote /somewhere/else/x", folder) == "wrote <folder>/x"
    assert mask_document({"fit_seconds": 3, "value": [0.5]}, folder) == {
        "fit_seconds": "<seconds>",
        "value": [0.5],
    }
