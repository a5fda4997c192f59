"""Which heavy modules a verb may import: each costs everybody who calls it a share of a second."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import treegauge as tg

HEAVY = ("numba", "scipy", "polars", "jinja2", "altair", "dask", "torch", "pydantic")
"""Packages; of SciPy its parts, since the package alone is light and numba imports it."""

NOTHING: set[str] = set()
KERNELS = {"numba"}

CODE = """
import json, sys
sys.argv = ["treegauge", *json.loads(sys.argv[1])]
from treegauge.cli.main import main
try:
    main()
finally:
    sys.stderr.write("\\n" + json.dumps(sorted(sys.modules)))
"""


def heavy_modules(folder, *arguments: str) -> set[str]:
    """Return the heavy modules that a command imports."""
    result = subprocess.run(
        [sys.executable, "-c", CODE, json.dumps(arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    modules = json.loads(result.stderr.splitlines()[-1])
    return {name for name in HEAVY if _is_loaded(name, modules)}


def _is_loaded(package: str, modules: list[str]) -> bool:
    if package != "scipy":
        return package in modules
    return any(m.startswith("scipy.") and m.split(".")[1] in SCIPY_PARTS for m in modules)


SCIPY_PARTS = ("linalg", "optimize", "sparse", "special", "stats")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("treebanks")
    tg.write(tg.toy_treebank("toy:svo", tokens=100), folder / "gold.conllu")
    return folder


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        ("--help", NOTHING),
        ("list metrics", NOTHING),
        ("list systems", NOTHING),
        ("list strata", NOTHING),
        ("evaluate gold.conllu", NOTHING),  # a misuse
        ("evaluate gold.conllu gold.conllu", KERNELS),
        ("validate gold.conllu", KERNELS),
        ("describe gold.conllu", KERNELS),
        ("convert gold.conllu out.conllx", KERNELS),
        ("compare gold.conllu gold.conllu gold.conllu", KERNELS),
        ("draw gold.conllu", KERNELS),
        ("permute gold.conllu out.conllu --order random", KERNELS),
        ("induce right-branching gold.conllu -o out.conllu", KERNELS),
    ],
)
def test_a_verb_imports_no_heavy_module_that_it_can_do_without(folder, arguments, allowed):
    assert heavy_modules(folder, *arguments.split()) == allowed


def test_reading_a_file_needs_neither_scipy_nor_polars_nor_typer(folder):
    code = "import sys, treegauge; treegauge.read('gold.conllu'); print(sorted(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True
    )
    modules = json.loads(result.stdout.replace("'", '"'))
    assert not {"polars", "typer", "rich"} & set(modules)
    assert not _is_loaded("scipy", modules)
    assert "numba" in modules  # or this test reads nothing
