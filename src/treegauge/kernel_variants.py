"""Kernels that are written once, and compiled for what they are used with.

A kernel that can do one thing or another calls a kernel that chooses among others, and all of
them are compiled with it. Whoever knows beforehand which one it will be puts that one in the
place of the choice, and saves the time that it takes to compile the rest.
"""

# mypy: ignore-errors
from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType

from treegauge.kernels import kernel


def with_choices(model: kernel, choices: Mapping[kernel, kernel], name: str) -> kernel:
    """Return a kernel like another, in which some kernels stand in the place of others.

    Parameters
    ----------
    choices
        For kernels that `model` calls, and those that they call in their turn, which kernel to
        call instead; it takes the same arguments.
    name : str
        Tells the kernel from others like it, also in numba's cache.
    """
    return _like(model, choices, name, {})


def _like(model, choices, name, made):
    if model in choices:
        model = choices[model]
    if model not in made:
        function = model.py_func
        names = function.__globals__
        calls = {
            n: names[n] for n in function.__code__.co_names if isinstance(names.get(n), kernel)
        }
        instead = {n: _like(called, choices, name, made) for n, called in calls.items()}
        if instead == calls:
            made[model] = model
        else:
            like = FunctionType(function.__code__, {**names, **instead}, function.__name__)
            like.__doc__ = function.__doc__
            like.__qualname__ = f"{function.__qualname__}_{name}"
            made[model] = kernel(like)
    return made[model]
