"""Everything that can be reached from an object, for tests that try to peek."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MethodDescriptorType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

import numpy as np

# What belongs to the program and not to the data.
_PROGRAM = (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MethodDescriptorType,
    ModuleType,
    WrapperDescriptorType,
    property,
    type,
)


def reachable(start: object) -> list[Any]:
    """Return every object that can be reached from one, classes and functions left out."""
    seen: dict[int, Any] = {}
    waiting = [start]
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, _PROGRAM):
            continue
        seen[id(thing)] = thing  # keeps it alive, so that no id is used twice
        waiting.extend(_neighbours(thing))
    return list(seen.values())


def reachable_arrays(start: object) -> list[np.ndarray]:
    """Return every NumPy array that can be reached from an object."""
    return [thing for thing in reachable(start) if isinstance(thing, np.ndarray)]


def _neighbours(thing: Any) -> Iterator[Any]:
    yield from gc.get_referents(thing)
    yield from getattr(thing, "__dict__", {}).values()
    for ancestor in type(thing).__mro__:
        slots = vars(ancestor).get("__slots__", ())
        for slot in [slots] if isinstance(slots, str) else slots:
            if hasattr(thing, slot):
                yield getattr(thing, slot)
    # The garbage collector does not look at keys that are strings, nor into arrays and views
    # of memory.
    if isinstance(thing, dict):
        yield from thing.keys()
    if isinstance(thing, np.ndarray):
        yield thing.base
        if thing.dtype.hasobject:
            yield thing.tolist()
    if isinstance(thing, memoryview):
        yield thing.obj
