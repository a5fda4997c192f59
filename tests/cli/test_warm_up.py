"""`treegauge warm-up`: after it, nothing is left to compile."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import treegauge as tg
from tests.in_process import run_in_process
from treegauge.cli.compiling_ahead import _Agenda, _Worker
from treegauge.cli.first_calls import Piece

PROGRAM = "from treegauge.cli.main import main; main()"

COUNTING = """
import sys
from treegauge.cli.main import main
from treegauge.compilation import watched_compilation
compiled = []
try:
    with watched_compilation(lambda *told: compiled.append(told), lambda: None):
        main()
finally:
    sys.stderr.write(f"\\n{len(compiled)}")
"""


def run(
    *arguments: str, cache: Path, program: str = PROGRAM, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the program with a cache of its own."""
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=cache.parent,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache), **environment},
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def cache(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("warm") / "cache"


@pytest.fixture(scope="module")
def first(cache) -> subprocess.CompletedProcess[str]:
    """The first warm-up of a machine."""
    names = ("validate", "left-branching")
    return run("warm-up", *names, "--json", cache=cache, TREEGAUGE_THREADS="2")


@pytest.mark.long
def test_a_first_warm_up_says_what_it_has_compiled_and_where_that_is_kept(first, cache):
    assert first.returncode == 0, first.stderr
    document = json.loads(first.stdout)
    assert document["folder"] == str(cache)
    compiled = [name for names in document["compiled"].values() for name in names]
    assert document["kernels"] == len(compiled) > 10
    *pieces, last = first.stderr.splitlines()
    assert {line.partition(":")[0] for line in pieces} == {"validate", "left-branching"}
    assert last.startswith(f"{len(compiled)} kernels compiled in ")
    assert last.endswith(f" s; it is kept in {cache}")


@pytest.mark.long
def test_two_processes_that_need_the_same_kernels_compile_each_once(first, cache):
    kept = list(cache.rglob("*.nbc"))  # a file for each version of a kernel
    assert json.loads(first.stdout)["kernels"] == len(kept)


@pytest.mark.long
@pytest.mark.usefixtures("first")
def test_a_second_warm_up_finds_everything_there(cache):
    again = run("warm-up", "validate", cache=cache)
    told = f"everything was compiled already; it is kept in {cache}"
    assert again.stderr.splitlines() == ["validate: all there", told]
    assert run("warm-up", "validate", "--quiet", cache=cache).stderr == ""


def n_compiled(*arguments: str, cache: Path) -> int:
    """Return how many kernels a command compiles."""
    treebank = tg.toy_treebank("toy:sov", tokens=300)
    for name in ("gold", "ours"):
        tg.write(treebank, cache.parent / f"{name}.conllu")
    result = run(*arguments, cache=cache, program=COUNTING)
    assert result.stdout, result.stderr
    return int(result.stderr.splitlines()[-1])


@pytest.mark.long
@pytest.mark.usefixtures("first")
def test_a_command_compiles_nothing_after_a_warm_up(cache):
    assert n_compiled("validate", "gold.conllu", cache=cache) == 0
    assert n_compiled("evaluate", "gold.conllu", "ours.conllu", cache=cache) > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    ["evaluate gold.conllu ours.conllu", "describe gold.conllu", "induce dmv gold.conllu"],
)
def test_no_verb_compiles_anything_after_a_warm_up(command, cache):
    verb, system, *_ = command.split()
    name = system if verb == "induce" else verb
    assert run("warm-up", name, cache=cache).returncode == 0
    assert n_compiled(*command.split(), cache=cache) == 0


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_was_compiled_before_an_interruption_is_kept(tmp_path, number):
    cache = tmp_path / "cache"
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "warm-up", "validate"],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while not list(cache.rglob("*.nbc")):
        time.sleep(0.1)
        assert process.poll() is None
    process.send_signal(number)
    _, told = process.communicate()
    assert process.returncode == 128 + number
    assert told == f"interrupted; what is compiled is kept in {cache}\n"
    assert list(cache.rglob("*.nbc"))


def test_an_ended_worker_takes_no_piece_and_starts_no_process(tmp_path):
    worker = _Worker(tmp_path, 0)
    worker.end()
    with worker._process as process:
        worker._start()
        assert worker._process is process
        agenda = _Agenda([Piece("validate", ["validate --help"])])
        worker.follow(agenda, queue.Queue())
        assert agenda.take(backwards=False) is not None


def test_where_nothing_can_be_written_it_says_so(tmp_path):
    result = run(
        "warm-up",
        cache=tmp_path / "cache",
        NUMBA_CACHE_LOCATOR_CLASSES="ZipCacheLocator",
    )
    assert result.returncode == 1
    assert result.stderr.startswith("compiled code cannot be stored: ")
    assert "NUMBA_CACHE_DIR" in result.stderr


def test_an_unknown_name_gets_the_nearest(tmp_path):
    result = run_in_process(["warm-up", "evaluat"], folder=tmp_path)
    assert result.returncode == 1
    assert result.stderr.startswith("unknown command or system 'evaluat'; did you mean evaluate")
