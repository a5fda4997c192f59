"""Packages that come with extras, imported when a system needs them."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from treegauge.systems.errors import SystemsError


def import_extra(module: str, *, extra: str, system: str) -> ModuleType:
    """Import a package that comes with an extra, or say how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise SystemsError(
            f"{system} needs {module}, which is not installed ({error})\n"
            f'  pip install "treegauge[{extra}]"'
        ) from error
