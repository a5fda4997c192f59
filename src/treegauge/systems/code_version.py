"""The version of a system's code: changes when any source file it is made of changes.

Nobody has to remember to raise a number. The sources are the system's own module and every
module of the same package that it imports, directly or not, up to the rooms that all systems
share. Docstrings and help texts do not count: a better wording must not cost a day of runs.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from treegauge.systems.errors import SystemsError

_SHARED = (
    "treegauge.systems.code_version",
    "treegauge.systems.registry",
    "treegauge.settings",
)
"""Part of every system's imports, and without influence on what one computes."""


@cache
def code_version(module: str) -> str:
    """Return a hash over the sources of a module and of what it imports from its own package.

    Of treegauge's systems only `treegauge.systems` counts: the rooms below it are covered by
    the version of the package.
    """
    sources = source_files(module)
    if module not in sources:
        raise SystemsError(f"{module}: its source cannot be found, so its version is unknown")
    digest = hashlib.sha256()
    for name in sorted(sources):
        source = without_texts(sources[name].read_bytes())
        digest.update(name.encode() + b"\0" + source + b"\0")
    return digest.hexdigest()[:16]


def source_files(module: str) -> dict[str, Path]:
    """Return the files of a module and of what it imports from its own package, by module."""
    package = "treegauge.systems" if module.startswith("treegauge.") else module.partition(".")[0]
    files: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in files or name in _SHARED or not _is_inside(name, package):
            continue
        path = _source(name)
        if path is None:
            continue
        files[name] = path
        is_package = path.name == "__init__.py"
        waiting += _imports(path.read_bytes(), name if is_package else name.rpartition(".")[0])
    return files


def without_texts(source: bytes) -> bytes:
    """Return a source without docstrings and without the help texts of settings.

    >>> without_texts(b'def f():\\n    "Says something."\\n    return 1').split()
    [b'def', b'f():', b'return', b'1']
    >>> without_texts(b'epochs: int = setting(5, "number of epochs", minimum=1)')
    b'epochs: int = setting(5, , minimum=1)'
    """
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    texts = [node for tree in ast.walk(ast.parse(source)) for node in _texts(tree)]
    for node in sorted(texts, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        source = source[:begin] + source[end:]
    return source


def _texts(node: ast.AST) -> Iterator[ast.expr]:
    """Give what a node says to readers only."""
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            yield node.value
        case ast.Call(func=ast.Name(id="setting"), args=[_, help_text, *_]):
            yield help_text


def _is_inside(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def _source(name: str) -> Path | None:
    try:
        spec = find_spec(name)
    except (ImportError, AttributeError, ValueError):
        return None  # an attribute of a module, not a module
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        return None
    return Path(spec.origin)


def _imports(source: bytes, package: str) -> list[str]:
    """Return the names of modules that a source may import; attributes among them do no harm."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, base] if base else parents)
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return names
