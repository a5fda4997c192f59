"""What is said while kernels are compiled: a line that vanishes, or one line in all."""

from __future__ import annotations

import pytest

from tests.in_process import run_in_process
from tests.unit.test_compilation import uncached_kernel
from treegauge.cli import compiling_message, console
from treegauge.cli.compiling_message import SILENCE, announced_compilation

ONE_LINE = "compiling kernels for their first use; `treegauge warm-up` does it ahead of time\n"


@pytest.fixture(autouse=True)
def talking(monkeypatch):
    """Other tests are silent about it."""
    monkeypatch.delenv(SILENCE, raising=False)
    monkeypatch.setattr(console.manners, "quiet", False)


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr(compiling_message, "_is_on_terminal", lambda: True)


def compile_something() -> None:
    inner = uncached_kernel("def inner(n): return n + 1")
    outer = uncached_kernel("def outer(n): return inner(n) * 2", inner=inner)
    outer(1)
    outer(2)


def test_a_pipe_gets_one_line(capsys):
    with announced_compilation():
        compile_something()
        compile_something()
    assert capsys.readouterr().err == ONE_LINE


def test_a_command_that_another_one_types_says_nothing_itself(capsys):
    with announced_compilation():
        for _ in range(2):
            with announced_compilation():
                compile_something()
    assert capsys.readouterr().err == ONE_LINE


@pytest.mark.usefixtures("terminal")
def test_a_terminal_gets_a_line_that_vanishes(capsys):
    with announced_compilation():
        compile_something()
    _, outer, inner, last = capsys.readouterr().err.split("\r\x1b[2K")
    assert outer == "compiling outer (only the first time): 0 done, about 1 to go"
    assert inner == "compiling inner (only the first time): 0 done"
    assert last == ""


@pytest.mark.usefixtures("terminal")
def test_a_bar_shows_the_line_in_its_place(capsys, monkeypatch):
    shown: list[str] = []
    monkeypatch.setattr(console.manners, "interject", shown.append)
    with announced_compilation():
        compile_something()
    assert "compiling inner (only the first time): 0 done" in shown
    assert shown[-1] == ""
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("on_terminal", [True, False])
def test_who_wants_quiet_hears_nothing(capsys, monkeypatch, on_terminal):
    monkeypatch.setattr(compiling_message, "_is_on_terminal", lambda: on_terminal)
    monkeypatch.setattr(console.manners, "quiet", True)
    with announced_compilation():
        compile_something()
    assert capsys.readouterr().err == ""


def test_nothing_is_said_where_nothing_is_compiled(tmp_path):
    assert run_in_process(["list", "metrics"], folder=tmp_path).stderr == ""


def test_a_variable_silences_it(capsys, monkeypatch):
    monkeypatch.setenv(SILENCE, "0")
    with announced_compilation():
        compile_something()
    assert capsys.readouterr().err == ""
