"""Gives parameters that share a description their own types and defaults in the reference."""

from __future__ import annotations

import re
from typing import Any

from griffe import DocstringSectionKind, Extension, Function

_SHARED = re.compile(r"^\s*\w+(?:, \w+)+(?: :|$)", re.MULTILINE)
"""A line of a docstring that describes several parameters at once."""


class OwnTypes(Extension):
    """Where a docstring says `low, high` and no type, Griffe gives both the type of the first."""

    def on_function(self, *, func: Function, **_: Any) -> None:
        """Take each parameter's type and default from the function itself."""
        if func.docstring is None or not _SHARED.search(func.docstring.value):
            return
        own = {parameter.name.lstrip("*"): parameter for parameter in func.parameters}
        taken = {id(parameter.annotation) for parameter in own.values()}
        for section in func.docstring.parsed:
            if section.kind is not DocstringSectionKind.parameters:
                continue
            for described in section.value:
                if described.name in own:
                    described.value = own[described.name].default
                    # A type that the docstring itself names says more than the annotation.
                    if id(described.annotation) in taken:
                        described.annotation = own[described.name].annotation
