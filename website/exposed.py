"""Classes that the public interface gives to its users without listing them.

Functions and methods return them, and attributes hold them: `tg.evaluate(...).pairs[0]`. They are
found through annotations.
"""

from __future__ import annotations

import ast
import inspect
import sys
import types
import typing
from collections.abc import Iterator
from functools import cache, cached_property
from importlib import import_module
from typing import Any

import treegauge

PACKAGE = "treegauge"


def exposed_classes() -> dict[type, str]:
    """Return the classes that public names return or hold, by the first name that does.

    What such a class exposes in turn is not followed.

    >>> from treegauge.evaluation.scoring import SystemPair
    >>> exposed_classes()[SystemPair]
    'Evaluation'
    """
    public = {name: getattr(treegauge, name) for name in treegauge.__all__}
    listed = {id(value) for value in public.values()}
    exposed: dict[type, str] = {}
    for name, value in public.items():
        for cls in _exposed_by(value):
            if id(cls) not in listed:
                exposed.setdefault(cls, name)
    return exposed


def _exposed_by(value: Any) -> Iterator[type]:
    if not inspect.isclass(value):
        yield from _returned(value)
        return
    for base in filter(_is_ours, value.__mro__):
        for name, member in vars(base).items():
            if not name.startswith("_"):
                yield from _returned(member)
        for name, annotation in inspect.get_annotations(base).items():
            if not name.startswith("_"):
                yield from _classes_in(_resolved(annotation, base.__module__))


def _returned(value: Any) -> Iterator[type]:
    """Give the classes that a function, a method or a property returns."""
    if isinstance(value, property | cached_property):
        value = value.fget if isinstance(value, property) else value.func
    function = inspect.unwrap(getattr(value, "__func__", value))
    if inspect.isfunction(function) and "return" in function.__annotations__:
        yield from _classes_in(_resolved(function.__annotations__["return"], function.__module__))


def _resolved(annotation: Any, module: str) -> Any:
    return eval(annotation, _names_of(module)) if isinstance(annotation, str) else annotation


def _classes_in(annotation: Any) -> Iterator[type]:
    """Give our classes in an annotation such as `tuple[SystemPair, ...] | None`."""
    if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
        if _is_ours(annotation):
            yield annotation
        return
    for argument in typing.get_args(annotation):
        yield from _classes_in(argument)


def _is_ours(cls: type) -> bool:
    return cls.__module__.partition(".")[0] == PACKAGE


@cache
def _names_of(name: str) -> dict[str, Any]:
    """Return the names of a module, with those that it imports for type checkers only."""
    module = sys.modules[name]
    names = dict(vars(module))
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for line in node.body:
                names |= _imported(line)
    return names


def _imported(line: ast.stmt) -> dict[str, Any]:
    if isinstance(line, ast.ImportFrom) and line.module:
        source = import_module(line.module)
        return {alias.asname or alias.name: getattr(source, alias.name) for alias in line.names}
    if isinstance(line, ast.Import):
        return {alias.asname or alias.name: import_module(alias.name) for alias in line.names}
    return {}
