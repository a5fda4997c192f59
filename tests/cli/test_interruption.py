"""Signals, while a kernel runs that takes longer than anybody wants to wait."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from treegauge.cli import main as program

_PROGRAM = """\
import hashlib, subprocess
from concurrent.futures import ThreadPoolExecutor
import typer
from treegauge.cli import main as program

program.app = app = typer.Typer(pretty_exceptions_enable=False)

def kernel(steps):
    # As a kernel does, it lets other threads run and does not look up before it is done.
    hashlib.pbkdf2_hmac("sha256", b"", b"", steps)

def say_that_it_runs():
    print("it runs", flush=True)

@app.command("write")
def write():
    from treegauge.formats import write_chunks
    import treegauge.systems

    def chunks():
        yield b"half"
        nothing = subprocess.DEVNULL
        sleep = ["sleep", "20"]
        child = subprocess.Popen(sleep, start_new_session=True, stdout=nothing, stderr=nothing)
        print(child.pid, flush=True)
        kernel(10**9)
    write_chunks("output.txt", chunks())

@app.command("threads")
def threads():
    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(kernel, 10**9) for _ in range(2)]
        say_that_it_runs()
        for future in futures:
            future.result()

@app.command("again")
def again():
    try:
        say_that_it_runs()
        while True:
            pass
    finally:
        kernel(10**9)

@app.command("short")
def short():
    say_that_it_runs()
    kernel(2 * 10**6)
    print("done")

program.main()
"""


def _interrupted(
    verb: str, number: signal.Signals, folder: Path, *, before: str = ""
) -> tuple[int, float, str, str]:
    """Return the exit code, the seconds since the signal, what was printed, and complaints."""
    process = subprocess.Popen(
        [sys.executable, "-c", before + _PROGRAM, verb],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # `nohup`, and a shell without job control, make signals ignored for all that they start.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    try:
        first = process.stdout.readline()
        time.sleep(0.1)
        begin = time.monotonic()
        process.send_signal(number)
        code = process.wait(10)
        seconds = time.monotonic() - begin
    finally:
        process.kill()
        rest, complaints = process.communicate()
    return code, seconds, first + rest, complaints


def _is_running(child: int) -> bool:
    try:
        return Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_file_is_left_half_written_by_a_signal_while_a_kernel_runs(number, tmp_path):
    (tmp_path / "output.txt").write_text("what was there before")
    code, seconds, child, complaints = _interrupted("write", number, tmp_path)
    assert code == 128 + number
    assert seconds < 2
    assert complaints == ""
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [
        ("output.txt", "what was there before")
    ]
    assert not _is_running(int(child))


@pytest.mark.parametrize(("verb", "number"), [("threads", signal.SIGINT), ("again", signal.SIGHUP)])
def test_signal_is_ignored_while_a_kernel_runs_elsewhere(verb, number, tmp_path):
    """In threads that the main one waits for, and in what is done at the end."""
    code, seconds, _, complaints = _interrupted(verb, number, tmp_path)
    assert code == 128 + number
    assert seconds < 2
    assert complaints == ""


def test_signal_that_nohup_ignores_ends_the_program(tmp_path):
    before = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
    code, _, printed, _ = _interrupted("short", signal.SIGHUP, tmp_path, before=before)
    assert (code, printed) == (0, "it runs\ndone\n")


def test_ctrl_c_at_the_very_end_has_its_exit_code(monkeypatch):
    """The work is done, and signals are not ignored yet."""

    @contextmanager
    def interrupted_at_the_end():
        yield
        raise KeyboardInterrupt

    for name in ("_collect_garbage_rarely", "_prepare_streams", "_run"):
        monkeypatch.setattr(program, name, lambda: None)
    monkeypatch.setattr(program, "obeyed_signals", interrupted_at_the_end)
    with pytest.raises(SystemExit) as ended:
        program.main()
    assert ended.value.code == 130
