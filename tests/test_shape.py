"""The shape of the source: short functions, short files, and tests where their modules are."""

from __future__ import annotations

import ast
from pathlib import Path

import treegauge

SOURCE = Path(treegauge.__file__).parent
UNIT_TESTS = Path(__file__).parent / "unit"
LONGEST_FUNCTION = 80
"""Lines of a function without its docstring, which may be as long as it needs to be."""
LONGEST_FILE = 450
"""Lines of a file without the docstrings of its functions and classes."""

MODULES = {
    path.relative_to(SOURCE).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(SOURCE.rglob("*.py"))
    if not path.name.endswith("_numba.py")  # kernels are as long as their loops
}


def _lines_of(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def function_lengths(source: str) -> dict[str, int]:
    """Return the lines of every function, without its docstring."""
    lengths = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node) is not None
            lengths[node.name] = _lines_of(node) - docstring * _lines_of(node.body[0])
    return lengths


def file_length(source: str) -> int:
    """Return the lines of a file, without the docstrings of functions and classes.

    They are the reference manual, which may be as long as it needs to be.
    """
    documented = [
        node.body[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and ast.get_docstring(node) is not None
    ]
    return source.count("\n") - sum(map(_lines_of, documented))


def test_no_function_is_long() -> None:
    too_long = {
        f"{path}: {name}": lines
        for path, source in MODULES.items()
        for name, lines in function_lengths(source).items()
        if lines > LONGEST_FUNCTION
    }
    assert too_long == {}


def test_lengths_of_functions_are_counted() -> None:
    body = "    x = 1\n" * 80
    assert function_lengths(f'def f():\n    """Say.\n\n    More.\n    """\n{body}') == {"f": 81}


def test_lengths_of_files_are_counted() -> None:
    text = '"""A module."""\n\n\nclass A:\n    """Say.\n\n    More.\n    """\n\n    x = 1\n'
    assert file_length(text) == 6


def test_no_file_is_long() -> None:
    lengths = {path: file_length(source) for path, source in MODULES.items()}
    assert {path: n for path, n in lengths.items() if n > LONGEST_FILE} == {}


def test_unit_tests_stand_where_their_modules_do() -> None:
    folders = {path.parent.relative_to(UNIT_TESTS) for path in UNIT_TESTS.rglob("test_*.py")}
    assert [str(folder) for folder in sorted(folders) if not (SOURCE / folder).is_dir()] == []


def test_every_room_has_unit_tests() -> None:
    rooms = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()}
    tested = {path.parent.name for path in UNIT_TESTS.glob("*/__init__.py")}
    # The program is tested from outside, in tests/cli.
    assert rooms - tested == {"cli"}
