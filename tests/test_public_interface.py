from __future__ import annotations

import builtins
import inspect
import subprocess
import sys
import time
from importlib import import_module
from typing import Any

import pytest

import treegauge as tg
from tests.numpy_docstrings import PublicObject, is_run, members, sections
from tests.public_names import public_names
from website.exposed import exposed_classes

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


def objects_of(name: str, value: Any) -> list[PublicObject]:
    things = [PublicObject(name, value)]
    return things + members(name, value) if inspect.isclass(value) else things


@pytest.mark.parametrize("name", NAMES)
def test_help_is_enough_to_use_it(name: str) -> None:
    assert [text for thing in objects_of(name, getattr(tg, name)) for text in thing.lacks] == []


EXPOSED = exposed_classes()


@pytest.mark.parametrize("exposed", EXPOSED, ids=lambda exposed: exposed.__name__)
def test_help_is_enough_for_what_public_names_return(exposed: type) -> None:
    things = objects_of(exposed.__name__, exposed)
    assert [text for thing in things for text in thing.lacks] == []


def test_returned_and_held_classes_are_found() -> None:
    found = {exposed.__name__: by for exposed, by in EXPOSED.items()}
    # A method returns it, an attribute holds it in a tuple, a property returns it.
    assert found["Scores"] == "Evaluation"
    assert found["Failure"] == "Run"
    assert found["DirectionCounts"] == "WordOrder"
    assert all(exposed is not getattr(tg, name) for exposed in EXPOSED for name in NAMES)


def test_documented_errors_can_be_caught_by_their_public_names() -> None:
    named = [(name, getattr(tg, name)) for name in NAMES]
    named += [(exposed.__name__, exposed) for exposed in EXPOSED]
    documented = {
        error.strip()
        for name, value in named
        for thing in objects_of(name, value)
        for line in sections(thing.docstring).get("Raises", [])
        if line and not line.startswith(" ")
        for error in line.split(",")
    }
    assert "AlignmentError" in documented
    assert {error for error in documented if not hasattr(tg, error)} <= set(dir(builtins))


def _documented(number: int, *, seed: int = 0) -> int:
    """Return a number.

    Parameters
    ----------
    number, seed : int
        Numbers.

    Returns
    -------
    int
        The number.

    Raises
    ------
    ValueError
        If it is odd.

    Examples
    --------
    >>> 1 + 1
    2
    """
    if number % 2:
        raise ValueError(number)
    return number + seed


@pytest.mark.parametrize(
    ("section", "complaint"),
    [
        ("Parameters", "no description of number, seed"),
        ("Returns", "no section Returns"),
        ("Raises", "no section Raises"),
        ("Examples", "no example that doctest runs"),
    ],
)
def test_a_missing_section_is_noticed(section: str, complaint: str) -> None:
    assert PublicObject("f", _documented).lacks == []
    kept = [
        "\n".join([title, "-" * len(title), *lines] if title else lines)
        for title, lines in sections(_documented.__doc__ or "").items()
        if title != section
    ]

    def lacking(number: int, *, seed: int = 0) -> int:
        if number % 2:
            raise ValueError(number)
        return number + seed

    lacking.__doc__ = "\n".join(kept)
    assert PublicObject("f", lacking).lacks == [f"f: {complaint}"]


def test_what_classes_lack_is_noticed() -> None:
    class Thing:
        """A thing."""

        def turn(self) -> None:
            """Turn it."""

        @property
        def size(self):  # type: ignore[no-untyped-def]
            """Its size"""
            return 1

    lacks = [text for member in members("Thing", Thing) for text in member.lacks]
    assert lacks == [
        "Thing.size: no summary that is one sentence on one line",
        "Thing.size: a property without a type",
        "Thing.turn: no example that doctest runs",
    ]
    Thing.__doc__ = "A thing.\n\nExamples\n--------\n>>> Thing().turn()"
    assert [text for member in members("Thing", Thing) for text in member.lacks] == lacks[:2]
    assert not is_run(">>> Thing()  # doctest: +SKIP")


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
