from __future__ import annotations

import os
import subprocess
import sys

import pytest

import treegauge

VERBS = [
    "demo",
    "evaluate",
    "compare",
    "draw",
    "validate",
    "describe",
    "convert",
    "induce",
    "train",
    "annotate",
    "init",
    "list",
    "data list",
    "data get",
]


def test_version_is_that_of_the_package(run_program):
    assert run_program("--version").stdout == f"treegauge {treegauge.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["evaluate", "birds.conllu", "birds.conllu", "-m", "uas,las", "--json"], 0),
        pytest.param(["validate", "birds.conllu", "missing.conllu"], 1, marks=pytest.mark.slow),
        pytest.param(["evaluate", "birds.conllu", "missing.conllu"], 1, marks=pytest.mark.slow),
        pytest.param(["convert", "birds.conllu", "-", "--to", "conllx"], 0, marks=pytest.mark.slow),
        (["list", "formats", "--color"], 2),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else str(value),
)
def test_a_process_of_its_own_says_what_the_tests_hear(run, run_program, birds, arguments, code):
    """Most tests call the program from inside; this is what allows them to."""
    inside, outside = run(*arguments), run_program(*arguments)
    assert outside.returncode == inside.returncode == code
    assert outside.stdout == inside.stdout
    assert outside.stderr.replace("python -m treegauge", "treegauge") == inside.stderr


def test_cite_prints_a_bibtex_entry(run):
    assert run("--cite").stdout.startswith("@software{treegauge,")


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(run, verb):
    result = run(*verb.split(), "--help")
    assert result.returncode == 0
    assert f"Example: treegauge {verb}" in result.stdout


def test_the_help_lists_every_verb(run):
    listed = run("--help").stdout
    assert all(f"\n  {verb.split()[0]} " in listed for verb in VERBS)


def test_misuse_ends_with_exit_code_2(run):
    for arguments in (["nonsense"], ["validate"], ["list", "nonsense"], ["convert", "one"]):
        result = run(*arguments)
        assert result.returncode == 2, arguments
        assert "Traceback" not in result.stderr


def test_help_answers_in_under_half_a_second(run_program):
    def seconds() -> float:
        # Of the processor, not of the clock: other tests share the machine.
        begin = os.times()
        run_program("--help")
        end = os.times()
        return (end.children_user - begin.children_user) + (
            end.children_system - begin.children_system
        )

    assert any(seconds() < 0.5 for _ in range(3))


def test_help_imports_nothing_heavy():
    code = (
        "import sys, treegauge.cli.main\n"
        "print([m for m in ('numpy', 'numba', 'polars', 'scipy') if m in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert loaded.stdout == "[]\n"


def test_debug_shows_the_traceback_and_nothing_else_does(run, run_program):
    assert "Traceback" not in run("describe", "missing.conllu").stderr
    assert "Traceback" in run_program("--debug", "describe", "missing.conllu").stderr


def test_a_reader_that_stops_early_is_no_error(tmp_path):
    command = f"{sys.executable} -m treegauge list findings | head -1; echo ${{PIPESTATUS[0]}}"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=tmp_path)
    assert result.stdout.splitlines()[-1] == "0"
    assert "Traceback" not in result.stderr


def test_want_of_memory_is_one_message_and_no_traceback(run, birds, monkeypatch):
    def greedy(*_arguments, **_more):
        raise MemoryError("Unable to allocate 12.7 GiB")

    monkeypatch.setattr("treegauge.systems.System.annotate", greedy)
    result = run("induce", "random", "birds.conllu")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("not enough memory\n")
    assert "Traceback" not in result.stderr


def test_a_value_that_is_no_choice_is_named_without_the_kind_of_error(run):
    for arguments in (("list", "metricz"), ("list", "metrics", "--format", "xml")):
        result = run(*arguments)
        assert result.returncode == 2
        assert "is not one of" in result.stderr
        assert "Value error" not in result.stderr


def test_the_program_ends_without_a_last_search_for_garbage():
    code = (
        "import atexit, gc, sys\n"
        "from treegauge.cli.main import main\n"
        "atexit.register(lambda: print(gc.get_freeze_count() > 0))\n"
        "sys.argv = ['treegauge', '--version']\n"
        "main()\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.splitlines()[-1] == "True"
