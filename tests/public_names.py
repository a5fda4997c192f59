"""The public interface as its stub lists it."""

from __future__ import annotations

import ast
from pathlib import Path

import treegauge


def public_names() -> dict[str, str]:
    """Return the room of every public name."""
    stub = Path(treegauge.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    return {
        alias.asname or alias.name: node.module or ""
        for node in ast.parse(stub).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
