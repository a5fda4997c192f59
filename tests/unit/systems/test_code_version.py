"""The version of a system's code: what changes it, and what does not."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import treegauge.systems
from treegauge.systems.code_version import without_texts

SOURCE = '''"""Counts größer things."""
epochs: int = setting(5, "how öften")
"""More of it."""

def f(x):
    """Returns.

    Two lines.
    """
    return g("not a text", x)
'''


@pytest.mark.parametrize(
    ("old", "new"),
    [("größer", "larger"), ("how öften", "number of epochs"), ("More of it.", "x"), ("Two", "2")],
)
def test_a_better_wording_is_no_new_version(old, new):
    assert without_texts(SOURCE.encode()) == without_texts(SOURCE.replace(old, new).encode())


@pytest.mark.parametrize(
    ("old", "new"), [("5", "6"), ("not a text", "a text"), ("return g", "return h")]
)
def test_everything_else_is(old, new):
    assert without_texts(SOURCE.encode()) != without_texts(SOURCE.replace(old, new).encode())


def test_only_texts_go_from_the_sources_of_systems():
    files = sorted(Path(treegauge.systems.__file__).parent.rglob("*.py"))
    assert len(files) > 100
    for file in files:
        source = file.read_bytes()
        shorter = without_texts(source)
        texts = [
            node
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ]
        assert len(shorter) < len(source) or not texts, file
        assert shorter.count(b"return") >= sum(
            isinstance(node, ast.Return) for node in ast.walk(ast.parse(source))
        ), file
