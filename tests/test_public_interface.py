from __future__ import annotations

import inspect
import subprocess
import sys
import time
from importlib import import_module

import pytest

import treegauge as tg
from tests.public_names import public_names

HOME = public_names()
NAMES = [name for name in tg.__all__ if name != "__version__"]


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_is_there_and_explained(name: str) -> None:
    value = getattr(tg, name)
    assert getattr(import_module(f"treegauge.{HOME[name]}"), name) is value
    assert inspect.getdoc(value), f"{name} has no docstring"
    if not inspect.ismodule(value):
        first_line = (value.__doc__ or "").split("\n")[0]
        assert first_line, f"the docstring of {name} does not begin in its first line"


@pytest.mark.parametrize("name", NAMES)
def test_public_methods_are_explained(name: str) -> None:
    value = getattr(tg, name)
    if not inspect.isclass(value):
        return
    bare = [
        attribute
        for attribute, member in vars(value).items()
        if not attribute.startswith("_")
        and (inspect.isroutine(member) or isinstance(member, (property, classmethod)))
        and not inspect.getdoc(member)
    ]
    assert bare == []


def test_the_room_exports_what_the_package_exports() -> None:
    for name in NAMES:
        room = import_module(f"treegauge.{HOME[name]}")
        assert name in getattr(room, "__all__", [name])


def test_version() -> None:
    assert isinstance(tg.__version__, str)
    assert tg.__version__[0].isdigit()


def test_the_stub_lists_all_names_once() -> None:
    assert set(tg.__all__) == {*HOME, "__version__"}
    assert len(tg.__all__) == len(set(tg.__all__))


def test_unknown_names() -> None:
    with pytest.raises(AttributeError, match="No treegauge attribute spam"):
        tg.spam  # noqa: B018


def test_importing_is_light() -> None:
    program = "import sys, treegauge; print(*sys.modules)"
    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    loaded = set(finished.stdout.split())
    assert "treegauge" in loaded
    heavy = {"numpy", "numba", "typer", "scipy", "polars", "rich", "jinja2", "torch"}
    assert loaded & heavy == set()
    assert {name for name in loaded if name.startswith("treegauge.")} == set()


def test_importing_is_quick() -> None:
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import treegauge"], check=True)
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 0.5
