from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time

import polars as pl
import pytest

from tests.in_process import cells_in_process
from tests.unit.runs.foreign_package.installing import installed
from tests.unit.runs.small_banks import write_bank

EXPERIMENT = """\
treebanks = ["birds"]
resamples = 10
systems = ["left-branching", { system = "random", seeds = [1, 2] }]
"""


@pytest.fixture
def look(tmp_path):
    """An experiment in the folder where programs run."""
    write_bank(tmp_path / "birds")
    path = tmp_path / "look.toml"
    path.write_text(EXPERIMENT)
    return path


def test_an_experiment_is_run_from_plan_to_table(run, look, tmp_path):
    with cells_in_process():
        result = run("run", "look.toml")
    assert result.returncode == 0, result.stderr
    said = result.stderr
    assert "treebank   train words   dev words   test words" in said
    assert "random           dependencies   unsupervised   defaults       2" in said
    assert "3 cells, 0 finished already; about " in said
    assert "all results: runs/look/results.parquet" in said
    assert "`treegauge report runs/look` shows them in full" in said
    assert "dependencies, pascal: averages over treebanks" in result.stdout
    assert (tmp_path / "runs" / "look" / "experiment.toml").read_text() == EXPERIMENT
    again = run("run", "look.toml", "--json")
    assert "3 cells, 3 finished already\n" in again.stderr
    document = json.loads(again.stdout)
    assert (document["schema"], document["cells"], document["run_now"]) == (1, 3, 0)
    assert document["failures"] == []
    (uas,) = [
        row
        for row in document["averages"]
        if (row["metric"], row["system"]) == ("uas", "left-branching")
    ]
    assert 0 < uas["available"] == uas["common"] < 1
    assert uas["available_treebanks"] == ["birds"]
    quiet = run("run", "look.toml", "--quiet", "--score-only", "--format", "tsv")
    assert (quiet.returncode, quiet.stderr) == (0, "")
    assert quiet.stdout.startswith("system\tsupervision\ttreebanks\tuas\t")


def test_a_plan_alone_does_nothing(run, look, tmp_path):
    result = run("run", "look.toml", "--dry-run", "--workers", "3", "--folder", "there")
    assert result.returncode == 0
    assert "with 3 workers of 1 thread" in result.stdout
    assert not (tmp_path / "there").exists()
    document = json.loads(run("run", "look.toml", "--dry-run", "--json").stdout)
    assert [cell["finished"] for cell in document["cells"]] == [False] * 3
    assert document["treebanks"][0]["words"].keys() == {"train", "dev", "test"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"left-branching"', '"left-brnching"', "unknown system 'left-brnching'; did you mean lef"),
        ('"birds"', '"birdss"', "unknown treebank 'birdss'"),
        ("resamples", "resampels", "unknown setting 'resampels'; did you mean resamples?"),
        ("resamples = 10", "metrics = ['usa']", "unknown metric 'usa'; did you mean uas"),
        ("seeds = [1, 2]", "settings = { x = 1 }", "random: unknown setting 'x'"),
        ("resamples", "resamples = [", "this is not TOML"),
    ],
)
def test_what_is_wrong_is_said_before_any_work(run, look, tmp_path, old, new, message):
    look.write_text(EXPERIMENT.replace(old, new))
    result = run("run", "look.toml")
    assert (result.returncode, result.stdout) == (1, "")
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "runs").exists()


def test_options_are_checked(run, look):
    assert run("run", "look.toml", "--workers", "0").returncode == 2
    assert run("run", "look.toml", "--memory", "0").returncode == 2
    result = run("run", "look.toml", "--timeout", "soon")
    assert result.returncode == 2
    assert "--timeout: expected a time such as 90s, 10min or 2h, found 'soon'" in result.stderr
    result = run("run", "look.toml", "--folder", "look.toml")
    assert result.returncode == 1
    assert "look.toml: cannot be written: is a file, not a folder" in result.stderr
    result = run("run", "look.toml", "--score-only")
    assert result.returncode == 1
    assert "there are no finished cells to score" in result.stderr


def test_failed_cells_are_listed_with_the_way_to_their_traceback(run, look, tmp_path):
    look.write_text(
        'treebanks = ["birds"]\nresamples = 0\nmetrics = "uas"\n'
        'systems = ["left-branching", { system = "odd", settings = { how = "raises" } }]\n'
    )
    with installed(tmp_path / "site"), cells_in_process():
        result = run("run", "look.toml", "--timeout", "60s", "--memory", "2000")
        kept = run("run", "look.toml", "--keep-failed", "--json")
    assert result.returncode == 1
    assert "1 cell of 2 failed:\n  birds: odd(how=raises): failed: ValueError: no such bird\n" in (
        result.stderr
    )
    assert "tracebacks are in error.txt there; the same command tries them again" in result.stderr
    assert kept.returncode == 1
    assert "there; without --keep-failed the same command tries them again" in kept.stderr
    (failure,) = json.loads(kept.stdout)["failures"]
    assert failure["reason"] == "failed: ValueError: no such bird"


def test_tracebacks_are_named_where_there_are_any(run, look):
    look.write_text(
        'treebanks = ["birds"]\nresamples = 0\nmetrics = "uas"\n'
        'systems = [{ system = "external", settings = { command = "sleep 9" } }]\n'
    )
    result = run("run", "look.toml", "--timeout", "0.1s")
    assert "timeout: more than 0.1 seconds were needed" in result.stderr
    assert "error.txt" not in result.stderr
    assert "\nthe same command tries them again\n" in result.stderr


def test_a_table_of_another_experiment_is_not_replaced_in_silence(run, look, tmp_path):
    other = look.with_name("other.toml")
    other.write_text(EXPERIMENT)
    with cells_in_process():
        assert "replaced" not in run("run", "look.toml", "--folder", "there").stderr
        assert "replaced" not in run("run", "look.toml", "--folder", "there").stderr
        result = run("run", "other.toml", "--folder", "there")
    assert (
        "there: the results of the experiment 'look' are replaced by those of 'other'; its cells "
        "are kept\n"
    ) in result.stderr


def test_a_cluster_that_is_not_there(run, look, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("treegauge.runs.cluster._PATIENCE", 0.5)
    result = run("run", "look.toml", "--scheduler", "tcp://127.0.0.1:9")
    assert result.returncode == 1
    assert "tcp://127.0.0.1:9: no Dask scheduler answers" in result.stderr


@pytest.mark.slow
def test_interrupted_it_says_how_to_go_on(look, tmp_path):
    """On a terminal, with everything that is shown there."""
    look.write_text(
        'treebanks = ["birds"]\nsystems = ["left-branching", '
        '{ system = "external", settings = { command = "sleep 1000" } }]\n'
    )
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "treegauge", "run", "look.toml", "--workers", "1"],
        cwd=tmp_path,
        stdout=child,
        stderr=child,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(child)
    shown = ""
    interrupted = False
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if not select.select([parent], [], [], 0.2)[0]:
            continue
        try:
            shown += os.read(parent, 1 << 16).decode(errors="replace")
        except OSError:  # the other end is closed
            break
        if not interrupted and "1/2" in shown:
            process.send_signal(signal.SIGINT)
            interrupted = True
    os.close(parent)
    assert process.wait(10) == 130, shown
    assert "1 running" in shown
    assert "stopped; finished cells are kept in runs/look" in shown.replace("\r\n", "\n")
    assert "Traceback" not in shown
    assert len(list(tmp_path.glob("runs/look/cells/*"))) == 1


@pytest.mark.filterwarnings("ignore::treegauge.systems.errors.SystemsWarning")
def test_sentences_that_are_not_parsed_whole_are_named_and_in_the_signature(run, look, tmp_path):
    look.write_text(
        'treebanks = ["birds"]\nresamples = 0\n'
        'systems = [{ system = "udp", settings = { longest_whole = 2 } }, "left-branching"]\n'
    )
    with cells_in_process():
        result = run("run", "look.toml")
    assert result.returncode == 0, result.stderr
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("birds: udp")]
    assert "of more than 2 words" in line
    assert "not parsed whole (longest_whole): sentence" in line
    table = pl.read_parquet(tmp_path / "runs" / "look" / "results.parquet")
    for system, is_there in (("udp", True), ("left-branching", False)):
        rows = table.filter(pl.col("method") == system)["signature"].to_list()
        assert {text.endswith("|longest_whole:2") for text in rows if text} == {is_there}
