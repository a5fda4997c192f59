"""The rooms of the house: who may import from whom.

Imports are read from the source with `ast`, so that those inside functions and under
`TYPE_CHECKING` count as well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

import pytest

import treegauge
from tests.public_names import public_names

ROOMS = (
    "treebank",
    "formats",
    "shards",
    "toys",
    "catalogue",
    "results",
    "tables",
    "transitions",
    "properties",
    "rewrite",
    "metrics",
    "significance",
    "strata",
    "dictionaries",
    "systems",
    "evaluation",
    "runs",
    "reports",
    "papers",
    "challenges",
    "challenge_server",
    "cli",
)
"""A room imports only from itself and from rooms before it."""

FOR_ALL = (
    "errors",
    "compilation",
    "lean_compiler",
    "kernel_cache",
    "kernels",
    "kernel_variants",
    "lazy_machine_code",
    "wording",
    "settings",
    "spilling",
    "temporaries",
)
"""Modules that belong to no room and that every room may import; they import each other only."""

OUTSIDE_ROOMS = {"__init__.py", "__main__.py", *(f"{name}.py" for name in FOR_ALL)}
"""Modules that belong to no room."""

NO_NAMES = {"utils", "util", "helpers", "helper", "common", "core"}
"""Names that say nothing about what is inside."""

SOURCE = Path(treegauge.__file__).parent
HOME = public_names()


def violations(sources: Mapping[str, str]) -> list[str]:
    """Return what is wrong with modules, given as path inside the package and source text."""
    found = []
    for path, source in sources.items():
        parts = PurePosixPath(path).with_suffix("").parts
        found += [f"{path}: {p!r} says nothing" for p in parts if p.strip("_") in NO_NAMES]
        if len(parts) == 1 and path not in OUTSIDE_ROOMS:
            found.append(f"{path}: a module outside all rooms")
        elif len(parts) > 1 and parts[0] not in ROOMS:
            found.append(f"{path}: {parts[0]!r} is no room")
        elif len(parts) > 1 or parts[0] in FOR_ALL:
            for target, reaches_for_reports in _imports(path, ast.parse(source)):
                complaint = _complaint(parts[0], target, reaches_for_reports)
                if complaint:
                    found.append(f"{path}: imports {target}, {complaint}")
    return found


def _complaint(room: str, target: str, reaches_for_reports: bool) -> str:
    """Return why somebody in a room may not import a dotted name, or nothing."""
    package, *names = target.split(".")
    if package != "treegauge":
        return ""
    if not names:
        return "" if room == ROOMS[-1] else "which leads to every room"
    first = names[0]
    if first == "__version__" or first in FOR_ALL:
        return ""
    other = first if first in ROOMS else HOME.get(first, "")
    if other not in ROOMS:
        return "which is in no room"
    if other == room:
        return ""
    if any(name.startswith("_") and not name.endswith("__") for name in names):
        return "which is private"
    if reaches_for_reports and other == "reports":
        return ""
    below = ROOMS.index(other) > (ROOMS.index(room) if room in ROOMS else -1)
    return "which is further down" if below else ""


def _imports(path: str, tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Give every imported name in full, and whether it is imported in a `_repr_html_`."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, in_repr = waiting.pop()
        in_repr = in_repr or (isinstance(node, ast.FunctionDef) and node.name == "_repr_html_")
        waiting += [(child, in_repr) for child in ast.iter_child_nodes(node)]
        if isinstance(node, ast.Import):
            yield from ((alias.name, in_repr) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(path, node.module or "", node.level)
            yield from ((f"{base}.{alias.name}", in_repr) for alias in node.names)
        elif isinstance(node, ast.Call) and node.args:
            function, argument = node.func, node.args[0]
            name = getattr(function, "attr", getattr(function, "id", ""))
            if name in ("import_module", "__import__") and isinstance(argument, ast.Constant):
                yield str(argument.value), in_repr


def _absolute(path: str, module: str, level: int) -> str:
    if not level:
        return module
    folders = ("treegauge", *PurePosixPath(path).parts[:-1])
    return ".".join([*folders[: len(folders) - level + 1], *([module] if module else [])])


# ---------------------------------------------------------------------- the house itself


def test_the_house_is_in_order() -> None:
    sources = {
        path.relative_to(SOURCE).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(SOURCE.rglob("*.py"))
    }
    assert "treebank/treebank.py" in sources  # or this test tests nothing
    assert violations(sources) == []


def test_every_public_name_lives_in_a_room() -> None:
    assert set(HOME.values()) <= {*ROOMS, "errors"}


# ---------------------------------------------------------------------- the checker can fail


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("treebank/a.py", "from treegauge.errors import TreegaugeError"),
        ("treebank/a.py", "from treegauge.treebank import _trees_numba as kernels"),
        ("treebank/a.py", "from treegauge.treebank._trees_numba import tree_flaws"),
        ("treebank/a.py", "import numpy as np\nfrom pathlib import Path"),
        ("treebank/a.py", "import treegaugette\nfrom treegaugette.cli import main"),
        ("formats/a.py", "from treegauge.treebank import Treebank"),
        ("formats/a.py", "from treegauge.treebank.treebank import Treebank"),
        ("formats/a.py", "from ..treebank import Treebank"),
        ("metrics/a.py", "from treegauge import Treebank, __version__"),
        ("metrics/__init__.py", "from .attachment import uas"),
        ("metrics/a.py", "from . import _attachment_numba"),
        ("systems/parsers/a.py", "from treegauge.systems.parsers._eisner_numba import chart"),
        ("systems/parsers/a.py", "from .._charts import chart\nfrom ...metrics import uas"),
        ("results/a.py", "class A:\n def _repr_html_(self):\n  from treegauge.reports import html"),
        ("cli/a.py", "import treegauge as tg\nfrom treegauge.reports import Table"),
        ("__main__.py", "from treegauge.cli.main import main"),
        ("__init__.py", "from treegauge.treebank import Treebank"),
    ],
)
def test_what_is_allowed(path: str, source: str) -> None:
    assert violations({path: source}) == []


@pytest.mark.parametrize(
    ("path", "source", "complaint"),
    [
        ("treebank/a.py", "from treegauge.formats import read", "further down"),
        ("treebank/a.py", "import treegauge.formats", "further down"),
        ("treebank/a.py", "import numpy, treegauge.formats.reading as r", "further down"),
        ("treebank/a.py", "from treegauge import formats", "further down"),
        ("treebank/a.py", "from treegauge import read", "further down"),
        ("treebank/a.py", "from ..formats import read", "further down"),
        ("treebank/a.py", "from .. import formats", "further down"),
        ("systems/parsers/a.py", "from ...cli import main", "further down"),
        ("metrics/a.py", "from treegauge.significance import bootstrap", "further down"),
        ("metrics/a.py", "def f():\n    from treegauge.cli import main", "further down"),
        ("metrics/a.py", "if TYPE_CHECKING:\n    from treegauge.cli import main", "further down"),
        ("metrics/a.py", "try:\n    import treegauge.cli\nexcept E: pass", "further down"),
        ("metrics/a.py", "import_module('treegauge.reports')", "further down"),
        ("metrics/a.py", "importlib.import_module('treegauge.reports')", "further down"),
        (
            "results/a.py",
            "class A:\n def _repr_html_(self):\n  from treegauge.cli import main",
            "further down",
        ),
        (
            "results/a.py",
            "class A:\n def _repr_svg_(self):\n  from treegauge.reports import html",
            "further down",
        ),
        ("metrics/a.py", "import treegauge as tg", "leads to every room"),
        ("metrics/a.py", "from treegauge import spam", "in no room"),
        ("metrics/a.py", "from treegauge.treebank import _trees_numba", "private"),
        ("metrics/a.py", "from treegauge.treebank._trees_numba import tree_flaws", "private"),
        ("metrics/a.py", "import treegauge.treebank._trees_numba as kernels", "private"),
        ("metrics/a.py", "from treegauge.treebank.column import _secret", "private"),
        ("cli/a.py", "from ..treebank._trees_numba import tree_flaws", "private"),
        ("errors.py", "from treegauge.treebank import Treebank", "further down"),
        ("attic/a.py", "", "'attic' is no room"),
        ("a.py", "", "outside all rooms"),
        ("metrics/utils.py", "", "'utils' says nothing"),
        ("metrics/_helpers.py", "", "'_helpers' says nothing"),
        ("metrics/common/a.py", "", "'common' says nothing"),
        ("core/a.py", "", "'core' says nothing"),
    ],
)
def test_what_is_not(path: str, source: str, complaint: str) -> None:
    found = violations({path: source})
    assert found
    assert complaint in found[0]
    assert found[0].startswith(path)
