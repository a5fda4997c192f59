"""Holds outputs against golden files: text as text, JSON by structure, TSV by cells."""

from __future__ import annotations

import difflib
import itertools
import json
import math
from collections.abc import Mapping
from typing import Any

TOLERANCE = 1e-9
"""Relative, of floating-point numbers in JSON and TSV."""
MOST_PATHS = 10


def differences(golden: Mapping[str, str], made: Mapping[str, str]) -> list[str]:
    """Return what differs between two sets of named files, a message for each file."""
    found = []
    for name in sorted({*golden, *made}):
        if name not in golden:
            found.append(f"{name}: there is no golden file")
        elif name not in made:
            found.append(f"{name}: this golden file is not made any more")
        elif message := difference(name, golden[name], made[name]):
            found.append(message)
    return found


def difference(name: str, golden: str, made: str) -> str:
    """Return what differs between two versions of a file; nothing where they agree."""
    if golden == made:
        return ""
    if name.endswith(".json"):
        paths = differing_paths(json.loads(golden), json.loads(made))
        more = f"\n  and {len(paths) - MOST_PATHS} more" if len(paths) > MOST_PATHS else ""
        listed = "".join(f"\n  {path}" for path in paths[:MOST_PATHS])
        return f"{name}: differs at{listed}{more}" if paths else ""
    if name.endswith(".tsv") and _have_the_same_cells(golden, made):
        return ""
    return unified(name, golden, made)


def _have_the_same_cells(golden: str, made: str) -> bool:
    """Say whether two tables differ in nothing but the last digits of numbers."""
    tables = [[line.split("\t") for line in text.split("\n")] for text in (golden, made)]
    if [*map(len, tables[0])] != [*map(len, tables[1])]:
        return False
    pairs = zip(*(itertools.chain.from_iterable(table) for table in tables), strict=True)
    return all(one == other or _is_close(one, other) for one, other in pairs)


def _is_close(golden: str, made: str) -> bool:
    try:
        return math.isclose(float(golden), float(made), rel_tol=TOLERANCE, abs_tol=0.0)
    except ValueError:
        return False


def unified(name: str, golden: str, made: str) -> str:
    """Return a unified diff."""
    lines = difflib.unified_diff(
        golden.splitlines(), made.splitlines(), f"golden {name}", f"made {name}", lineterm=""
    )
    return "\n".join(lines) or f"{name}: line ends differ"


def differing_paths(golden: Any, made: Any, path: str = "$") -> list[str]:
    """Return the paths of members that differ, with both values."""
    if isinstance(golden, dict) and isinstance(made, dict):
        found = []
        for key in [*golden, *(key for key in made if key not in golden)]:
            inner = f"{path}.{key}"
            if key not in made:
                found.append(f"{inner}: is missing")
            elif key not in golden:
                found.append(f"{inner}: is new")
            else:
                found += differing_paths(golden[key], made[key], inner)
        if not found and list(golden) != list(made):
            found.append(f"{path}: the order of members differs")
        return found
    if isinstance(golden, list) and isinstance(made, list):
        if len(golden) != len(made):
            return [f"{path}: {len(golden)} members before, {len(made)} now"]
        return [
            message
            for index, (one, other) in enumerate(zip(golden, made, strict=True))
            for message in differing_paths(one, other, f"{path}[{index}]")
        ]
    if type(golden) is float and type(made) is float:
        both_nan = math.isnan(golden) and math.isnan(made)
        equal = both_nan or math.isclose(golden, made, rel_tol=TOLERANCE, abs_tol=0.0)
    else:
        equal = type(golden) is type(made) and golden == made
    return [] if equal else [f"{path}: {golden!r} before, {made!r} now"]
