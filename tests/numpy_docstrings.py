"""Docstrings in NumPy style: their sections, and what a public object's docstring lacks."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

_UNDERLINE = re.compile(r"-{3,}")
_NO_ERRORS_OF_USERS = {"NotImplementedError", "AssertionError"}


def sections(docstring: str) -> dict[str, list[str]]:
    """Return the lines of every section; those before the first section are the summary."""
    found: dict[str, list[str]] = {"": []}
    current = found[""]
    lines = inspect.cleandoc(docstring).split("\n")
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if _UNDERLINE.fullmatch(following) and line:
            current = found.setdefault(line, [])
        elif not _UNDERLINE.fullmatch(line):
            current.append(line)
    return found


def described_names(docstring: str) -> set[str]:
    """Return the parameters and attributes that a docstring describes."""
    parts = sections(docstring)
    names: set[str] = set()
    for title in ("Parameters", "Attributes"):
        for line in parts.get(title, []):
            if line and not line.startswith(" "):
                names |= {name.strip().lstrip("*") for name in line.split(" :")[0].split(",")}
    return names


def is_run(docstring: str) -> bool:
    """Return whether there is an example, and doctest runs at least a line of it."""
    code = [line for line in docstring.split("\n") if line.lstrip().startswith(">>>")]
    return any("+SKIP" not in line for line in code)


def _raises(function: Any) -> bool:
    """Return whether the source of a function raises something for bad input."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    return any(
        isinstance(node, ast.Raise)
        and not any(name in ast.unparse(node) for name in _NO_ERRORS_OF_USERS)
        for node in ast.walk(tree)
    )


@dataclass(frozen=True)
class PublicObject:
    """A function or a class of the interface, or a method or a property of such a class."""

    name: str
    value: Any
    of_class: type | None = None

    @cached_property
    def docstring(self) -> str:
        return inspect.getdoc(self.value) or ""

    @property
    def lacks(self) -> list[str]:
        """What the docstring lacks, one text each."""
        is_property = isinstance(self.value, property | cached_property)
        rules = self._of_property() if is_property else self._of_callable()
        return [f"{self.name}: {text}" for text in (*self._of_all(), *rules)]

    def _of_all(self) -> Iterator[str]:
        first, *others = self.docstring.split("\n")
        if not first.endswith("."):
            yield "no summary that is one sentence on one line"
        if others and others[0]:
            yield "no blank line after the summary"

    def _of_property(self) -> Iterator[str]:
        function = getattr(self.value, "fget", None) or getattr(self.value, "func", None)
        if "return" not in getattr(function, "__annotations__", {}):
            yield "a property without a type"

    def _of_callable(self) -> Iterator[str]:
        parts = sections(self.docstring)
        missing = set(self._parameters()) - described_names(self.docstring)
        if missing:
            yield f"no description of {', '.join(sorted(missing))}"
        if not inspect.isclass(self.value):
            returned = inspect.signature(self.value).return_annotation
            if returned not in (None, "None") and not {"Returns", "Yields"} & set(parts):
                yield "no section Returns"
        if any(_raises(function) for function in self._own_code()) and "Raises" not in parts:
            yield "no section Raises"
        if not self._has_example():
            yield "no example that doctest runs"

    def _parameters(self) -> list[str]:
        is_made_by_us = dataclasses.is_dataclass(self.value) or self._own_code()
        if inspect.isclass(self.value) and not is_made_by_us:
            return []
        signature = inspect.signature(self.value)
        return [name for name in signature.parameters if name not in ("self", "cls")]

    def _own_code(self) -> list[Any]:
        """Return the functions whose parameters and errors the docstring describes."""
        if not inspect.isclass(self.value):
            return [inspect.unwrap(getattr(self.value, "__func__", self.value))]
        makers = [getattr(self.value, name, None) for name in ("__init__", "__post_init__")]
        own = [maker for maker in makers if inspect.isfunction(maker) and _is_ours(maker)]
        # The source of an __init__ that `dataclass` wrote is nowhere.
        return [maker for maker in own if maker.__code__.co_filename != "<string>"]

    def _has_example(self) -> bool:
        if is_run(self.docstring):
            return True
        if self.of_class is None:
            return False
        calls = re.compile(rf"(>>>|\.\.\.).*\.{self.name.rpartition('.')[2]}\(")
        in_class = sections(inspect.getdoc(self.of_class) or "").get("Examples", [])
        return any(calls.search(line) and "+SKIP" not in line for line in in_class)


def members(name: str, value: type) -> list[PublicObject]:
    """Return the public methods and properties of a class that our own code defines."""
    found = []
    for attribute in dir(value):
        owner = next((base for base in value.__mro__ if attribute in vars(base)), None)
        if attribute.startswith("_") or owner is None or not _is_ours(owner):
            continue
        member = inspect.getattr_static(value, attribute)
        if isinstance(member, classmethod | staticmethod):
            member = getattr(value, attribute)
        if inspect.isroutine(member) or isinstance(member, property | cached_property):
            found.append(PublicObject(f"{name}.{attribute}", member, value))
    return found


def _is_ours(owner: Any) -> bool:
    return owner.__module__.partition(".")[0] in ("treegauge", "tests")
