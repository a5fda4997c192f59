"""The settings of a system as its source has them, for a shell that waits for them.

Importing a system takes up to a second, with SciPy where it needs it; reading its source does not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec


@dataclass(frozen=True)
class KnownSetting:
    """A setting: its name, values that it may have (its default is the first), and what it does."""

    name: str
    values: tuple[str, ...]
    help: str


@dataclass(frozen=True)
class _Class:
    """A class in a source, and where the source is."""

    module: str
    tree: ast.ClassDef

    @property
    def bases(self) -> Iterator[_Class]:
        """The classes that it is made from, as far as their sources are ours."""
        for base in self.tree.bases:
            found = _find_class(self.module, ast.unparse(base))
            if found is not None:
                yield found

    def settings(self) -> _Class | None:
        """Return what `settings_type` is, here or in a class above."""
        for line in self.tree.body:
            match line:
                case (
                    ast.Assign(targets=[ast.Name("settings_type")], value=ast.Name(name))
                    | ast.AnnAssign(target=ast.Name("settings_type"), value=ast.Name(name))
                ):
                    return _find_class(self.module, name)
        return next(filter(None, (base.settings() for base in self.bases)), None)

    def fields(self) -> dict[str, KnownSetting]:
        """Return the fields of settings, those of classes above first, as a dataclass has them."""
        known: dict[str, KnownSetting] = {}
        for base in reversed(list(self.bases)):
            known |= base.fields()
        for line in self.tree.body:
            match line:
                case ast.AnnAssign(ast.Name(name)):
                    known[name] = _known_setting(name, line)
        return known


def settings_in_source(module: str, name: str) -> list[KnownSetting]:
    """Return the settings of the system that is a class of a module."""
    system = _find_class(module, name)
    settings = None if system is None else system.settings()
    return [] if settings is None else list(settings.fields().values())


@cache
def _parsed(module: str) -> ast.Module:
    spec = find_spec(module)
    loader = None if spec is None else spec.loader
    read = getattr(loader, "get_source", None)
    return ast.parse((read(module) if read else None) or "")


def _find_class(module: str, name: str) -> _Class | None:
    """Return a class that a module defines or imports from one of the same package."""
    package = module.partition(".")[0]
    for line in _parsed(module).body:
        match line:
            case ast.ClassDef() if line.name == name:
                return _Class(module, line)
            case ast.ImportFrom(module=str(other), level=0) if other.startswith(f"{package}."):
                for imported in line.names:
                    if name == (imported.asname or imported.name):
                        return _find_class(other, imported.name)
    return None


def _known_setting(name: str, line: ast.AnnAssign) -> KnownSetting:
    """Return a setting; a default or a help that is computed stays unknown."""
    match line.value:
        case ast.Call(ast.Name("setting"), [default, about, *_]):
            values = dict.fromkeys([_text(default), *_choices(line.annotation)])
            return KnownSetting(name, tuple(filter(None, values)), _text(about))
    return KnownSetting(name, (), "")


def _text(value: ast.expr) -> str:
    """Return a value as it is typed."""
    match value:
        case ast.Constant(bool(truth)):
            return str(truth).lower()
        case ast.Constant(None):
            return "none"
        case ast.Constant(plain):
            return str(plain)
    return ""


def _choices(annotation: ast.expr) -> list[str]:
    """Return the values that a type allows, where they are few."""
    match annotation:
        case ast.Name("bool"):
            return ["false", "true"]
        case ast.Subscript(value=ast.Name("Literal"), slice=ast.Tuple(choices)):
            return [_text(choice) for choice in choices]
    return []
