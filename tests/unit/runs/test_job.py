from __future__ import annotations

import contextlib
import inspect
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import treegauge as tg
from tests.unit.test_compilation import uncached_kernel
from treegauge.challenges import reading_process
from treegauge.runs import job as job_module
from treegauge.runs.job import Job, run_isolated, run_job
from treegauge.runs.outcome import shortened
from treegauge.systems import find_system
from treegauge.systems.code_version import code_version

pytestmark = pytest.mark.usefixtures("odd_systems")

SENTENCES = tg.blind(tg.toy_treebank("toy:svo", tokens=30))


def job(how: str, *, place: Path | str = "", size: int = 1, **more) -> Job:
    settings = {"how": how, "place": str(place), "size": size}
    return Job("odd", settings, 0, SENTENCES, {"test": SENTENCES}, **more)


def is_alive(pid: int) -> bool:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state not in "ZX"
    return False


def wait_until_dead(*pids: int) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if not any(map(is_alive, pids)):
            return True
        time.sleep(0.02)
    return False


# ---------------------------------------------------------------------- in this process


def test_an_outcome_has_annotations_and_what_they_cost():
    outcome = run_job(job("left"))
    assert (outcome.status, outcome.reason, outcome.error) == ("done", "", "")
    annotated = outcome.annotations["test"].on(SENTENCES)
    assert annotated.has_heads
    assert annotated.form == SENTENCES.form
    assert outcome.seconds > 0
    assert outcome.peak_memory > 10


def test_what_is_compiled_meanwhile_was_charged_to_a_system(monkeypatch):
    square = uncached_kernel("def function(n): return n * n")
    odd_system = find_system("odd").load()
    annotate = odd_system.annotate

    def compile_and_annotate(system, treebank):
        square(3)
        return annotate(system, treebank)

    monkeypatch.setattr(odd_system, "annotate", compile_and_annotate)
    first, second = run_job(job("left")), run_job(job("left"))
    assert first.compiling > 0.0
    assert second.compiling == 0.0
    assert first.seconds < first.compiling


def test_an_exception_is_kept_with_its_traceback():
    outcome = run_job(job("raises"))
    assert (outcome.status, outcome.reason) == ("failed", "ValueError: no such bird")
    assert 'raise ValueError("no such bird' in outcome.error
    assert run_job(job("raises-nothing")).reason == "RuntimeError"


def test_our_own_exceptions_speak_for_themselves():
    outcome = run_job(Job("odd", {"how": "up"}, 0, SENTENCES, {}))
    assert outcome.reason.startswith("odd: setting how: expected one of left, right")


def test_what_is_much_too_long_is_cut():
    outcome = run_job(job("raises-much"))
    assert len(outcome.reason) < 400
    assert 10_000 < len(outcome.error) < 30_000
    assert "[…]" in outcome.error
    assert shortened("x" * 100) == "x" * 100


def test_a_system_that_changes_words_fails():
    outcome = run_job(job("other-words"))
    assert outcome.reason == "odd changed the words of the text"


def test_other_code_than_that_of_the_plan_is_not_run():
    module = find_system("odd").module
    assert run_job(job("left", code=code_version(module))).status == "done"
    outcome = run_job(job("left", code="0123456789abcdef"))
    assert outcome.status == "failed"
    assert outcome.reason == "odd: its code differs from the code of the plan"


# ---------------------------------------------------------------------- in another one


def test_another_process_gives_the_same():
    here, there = run_job(job("prints-little")), run_isolated(job("prints-little"))
    assert there.status == "done"
    assert there.annotations["test"].on(SENTENCES) == here.annotations["test"].on(SENTENCES)
    assert there.output == "hello from a cell\nand its errors\n"
    assert there.elapsed > there.seconds > 0


def test_a_cell_has_its_threads_and_does_not_know_where_gold_is(tmp_path, monkeypatch):
    monkeypatch.setenv("TREEGAUGE_DATA", "/where/gold/lies")
    # A file that is called like a module does not get in the way.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "json.py").write_text("raise ImportError")
    outcome = run_isolated(job("asks", threads=2))
    assert outcome.status == "done", outcome.output
    assert "{'NUMBA_NUM_THREADS': '2', 'OMP_NUM_THREADS': '2', 'PYTHONHASHSEED': '0'" in (
        outcome.output
    )
    assert "'TREEGAUGE_DATA': None" in outcome.output
    assert str(tmp_path) in outcome.output


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        pytest.param(
            "exits",
            "the process ended with exit code 3 and no result",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "leaves",
            "the process ended with exit code 0 and no result",
            marks=pytest.mark.slow,
        ),
        ("segfaults", "the process was ended by SIGSEGV"),
    ],
)
def test_a_crash_costs_one_cell(how, reason):
    outcome = run_isolated(job(how))
    assert (outcome.status, outcome.reason) == ("failed", reason)
    if how == "segfaults":
        assert outcome.error.startswith("about to fall\n")
        assert "_misbehave" in outcome.error  # where it happened


@pytest.mark.slow
def test_however_much_is_printed_little_is_kept():
    outcome = run_isolated(job("prints", size=20_000))
    assert outcome.reason == "ValueError: said enough"
    assert outcome.output.startswith("line 0 ")
    assert "line 19999 " in outcome.output
    assert len(outcome.output) < 30_000


def test_when_time_is_over_all_processes_are_ended(tmp_path):
    outcome = run_isolated(job("starts-others", place=tmp_path / "notes", timeout=6.0))
    assert (outcome.status, outcome.reason) == ("timeout", "more than 6 seconds were needed")
    assert 6 <= outcome.seconds < 12
    assert outcome.peak_memory is None  # nobody could say it any more
    assert wait_until_dead(*map(int, (tmp_path / "notes.pids").read_text().split()))


def test_memory_is_limited():
    """What is allowed is allowed beside the program itself, which is far from small."""
    assert run_isolated(job("eats", size=100, memory=200)).status == "done"
    outcome = run_isolated(job("eats", size=300, memory=200))
    assert outcome.status == "memory"
    assert outcome.reason == "it needed more than the memory limit of 200 MiB"
    assert "np.ones" in outcome.error


def test_memory_that_was_not_limited_can_run_out_too(monkeypatch):
    def make_system(*_args, **_kwargs):
        raise MemoryError

    monkeypatch.setattr("treegauge.systems.make_system", make_system)
    outcome = run_job(job("left"))
    assert (outcome.status, outcome.reason) == ("memory", "it ran out of memory")


def test_a_job_that_nobody_waits_for_is_ended():
    given_up = threading.Event()
    threading.Timer(0.5, given_up.set).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_isolated(job("sleeps"), given_up)
    assert time.monotonic() - begin < 10


def test_an_outcome_that_is_unpickled_runs_code_of_the_system(tmp_path):
    outcome = run_isolated(job("forges", place=tmp_path / "harm"))
    assert "unpickled" not in (tmp_path / "harm").read_text()  # its notes are there
    assert (outcome.status, outcome.reason) == (
        "failed",
        "the result of its process cannot be used: it does not begin with a line of JSON",
    )


def test_only_processes_that_we_start_unpickle_and_only_what_we_send():
    """A process that runs a system, and one that reads a submission; nobody reads theirs."""
    sources = {path: path.read_text() for path in Path(tg.__file__).parent.rglob("*.py")}
    users = {path.name for path, text in sources.items() if re.search(r"import .*pickle", text)}
    assert users == {"job.py", "reading_process.py"}
    for module in (job_module, reading_process):
        calls = re.findall(r"pickle\.(\w+)\(", sources[Path(module.__file__)])
        assert calls == ["dump", "load"]
        assert "pickle.load(file" in inspect.getsource(module.main)  # in the other process


def test_a_daemon_of_a_system_outlived_its_cell(tmp_path):
    outcome = run_isolated(job("daemon", place=tmp_path / "pid", timeout=30))
    assert outcome.status == "done"
    assert wait_until_dead(int((tmp_path / "pid").read_text() or 0))


ORPHAN = """\
import sys
from treegauge.runs import job as job_module
from treegauge.runs.job import Job, run_isolated
import treegauge as tg
from tests.unit.test_compilation import uncached_kernel
sentences = tg.blind(tg.toy_treebank("toy:svo", tokens=30))
settings = {"how": "starts-others", "place": sys.argv[1]}
run_isolated(Job("odd", settings, 0, sentences, {"test": sentences}))
"""


def test_a_cell_dies_with_the_run_that_started_it(tmp_path, odd_systems):
    pids = tmp_path / "notes.pids"
    parent = subprocess.Popen(
        [sys.executable, "-c", ORPHAN, str(tmp_path / "notes")],
        env={**os.environ, "PYTHONPATH": str(odd_systems.parent)},
    )
    try:
        deadline = time.monotonic() + 30
        while not pids.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        others = [int(pid) for pid in pids.read_text().split()]
        (cell,) = {
            int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
            for pid in others
        }
        assert all(map(is_alive, (cell, *others)))
    finally:
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    assert wait_until_dead(cell, *others)
