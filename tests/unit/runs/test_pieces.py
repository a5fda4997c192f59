"""Cells whose pieces are jobs of their own: the same result, whoever does them, and when."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

import pytest
from polars.testing import assert_frame_equal

import treegauge as tg
from tests.in_process import cells_in_process
from treegauge.catalogue import Catalogue
from treegauge.results.long_table import MEASURED, read_long_table
from treegauge.runs import Experiment, Run, RunFolder, Standing, look_ahead, run
from treegauge.runs.job import run_job
from treegauge.runs.outcome import Outcome
from treegauge.runs.planning import make_plan
from treegauge.runs.tasks import Task, TaskQueue
from treegauge.systems import SystemsError, make_system

CATALOGUE = Catalogue()
NAMES = ["draw0", "draw1", "draw2"]


def experiment(bank, *, pieces: int = 3, place: Path | str = "", seeds=(0,), **more) -> Experiment:
    system = {
        "system": "piecewise",
        "label": "piecewise",
        "settings": {"pieces": pieces, "place": str(place)},
        "seeds": list(seeds),
        "keep_model": True,
    }
    document = {"treebanks": [str(bank)], "systems": [system], "resamples": 10, **more}
    return Experiment.from_dict(document)


def go(made: Experiment, folder: Path, **options) -> Run:
    return run(made, folder, catalogue=CATALOGUE, **options)


def contents(folder: Path) -> dict[str, bytes]:
    """What systems said and learnt, by file."""
    files = [*folder.glob("cells/*/*.gz"), *folder.glob("cells/*/model")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(files)}


def assert_same(first: Run, second: Run) -> None:
    assert_frame_equal(first.table.drop(MEASURED), second.table.drop(MEASURED), check_exact=True)
    assert contents(first.folder) == contents(second.folder) != {}


def notes(place: Path) -> list[str]:
    return place.read_text().split() if place.exists() else []


def pieces_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("pieces/*/*"))


# ---------------------------------------------------------------------- the queue


@dataclass(frozen=True)
class PaperCell:
    """A cell that a queue can order."""

    key: str
    piece_names: tuple[str, ...] = ()


DONE, FAILED = Outcome("done"), Outcome("failed", reason="no such bird")
PLAIN, THREE = PaperCell("plain"), PaperCell("three", ("a", "b", "c"))


def paper_queue(*cells: PaperCell, kept: tuple[str, ...] = ()) -> TaskQueue:
    return TaskQueue(cells, lambda _key, name: name in kept)


def taken(queue: TaskQueue) -> list[tuple[str, str]]:
    tasks = []
    while queue:
        task = queue.take()
        tasks.append((task.cell.key, task.piece))
    return tasks


def test_a_cell_comes_after_its_pieces_and_before_other_cells():
    queue = paper_queue(THREE, PLAIN)
    tasks = [queue.take() for _ in range(3)]
    assert [task.piece for task in tasks] == ["a", "b", "c"]
    assert [queue.end(task, DONE) for task in reversed(tasks)] == [None] * 3
    assert queue.pieces_done(THREE) == 3
    assert taken(queue) == [("three", ""), ("plain", "")]
    assert queue.end(Task(THREE), DONE) == DONE


def test_whoever_is_free_goes_on_with_the_next_cell():
    queue = paper_queue(THREE, PLAIN)
    assert taken(queue) == [("three", "a"), ("three", "b"), ("three", "c"), ("plain", "")]
    assert [task.cell.key for task in queue.left] == ["three"]  # which is not ready
    assert queue.end(Task(PLAIN), DONE) == DONE


def test_pieces_that_are_there_are_not_done_again():
    assert taken(paper_queue(THREE, kept=("a", "c"))) == [("three", "b")]
    assert taken(paper_queue(THREE, kept=("a", "b", "c"))) == [("three", "")]
    assert paper_queue(THREE, kept=("a",)).pieces_done(THREE) == 1
    assert len(paper_queue(THREE, PLAIN, kept=("a",)).left) == 4


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_first_failure_counts_whoever_was_faster(order):
    queue = paper_queue(THREE, PLAIN)
    tasks = [queue.take(), queue.take()]
    failures = [replace(FAILED, reason=name) for name in "ab"]
    first, second = (queue.end(tasks[k], failures[k]) for k in order)
    assert first is None
    assert second == failures[0]
    assert taken(queue) == [("plain", "")]  # "c" is not begun


def test_a_piece_that_ends_after_a_failure_is_waited_for():
    queue = paper_queue(THREE)
    tasks = [queue.take(), queue.take()]
    assert queue.end(tasks[1], FAILED) is None
    assert not queue
    assert queue.end(tasks[0], DONE) == FAILED
    assert queue.left == []


# ---------------------------------------------------------------------- the same result


@pytest.mark.usefixtures("odd_systems")
def test_workers_and_threads_change_nothing_and_one_job_gives_the_same(bank, tmp_path):
    made = experiment(bank, seeds=[0, 1])
    with cells_in_process():
        one = go(made, tmp_path / "one", workers=1)
        for number, options in enumerate([{"workers": 3}, {"workers": 2, "threads": 2}]):
            assert_same(go(made, tmp_path / str(number), **options), one)
    assert (one.cells, one.run_now, one.failures) == (2, 2, ())
    assert not (one.folder / "pieces").exists()
    kept = RunFolder(one.folder)
    for cell in make_plan(made, CATALOGUE).cells:
        job = cell.job(threads=1, memory=None, timeout=None)
        alone = run_job(job)
        said = alone.annotations["test"].on(job.targets["test"])
        assert said.head.tolist() == kept.annotation(cell.key, "test").head.tolist()
        assert alone.model == (kept.cell(cell.key) / "model").read_bytes()


@pytest.mark.usefixtures("odd_systems")
def test_each_piece_is_done_once_and_the_cell_finds_them(bank, tmp_path):
    place = tmp_path / "notes"
    done = go(experiment(bank, place=place), tmp_path / "run", workers=2)
    assert done.failures == ()
    assert sorted(notes(place)) == [*NAMES, "whole"]
    assert notes(place)[-1] == "whole"
    # What all of them print is there once.
    (output,) = done.folder.glob("cells/*/output.txt")
    assert output.read_text() == "a piece, as all of them\n"


@pytest.mark.usefixtures("odd_systems")
def test_a_single_piece_is_no_job_of_its_own(bank, tmp_path, in_process):
    go(experiment(bank, pieces=1), tmp_path / "run", executor=in_process)
    assert [job.piece for job in in_process.jobs] == [""]


@pytest.mark.usefixtures("odd_systems")
def test_pieces_travel_where_no_folder_is_shared(bank, tmp_path, in_process):
    with cells_in_process():
        here = go(experiment(bank), tmp_path / "here", workers=1)
    there = go(experiment(bank), tmp_path / "there", executor=in_process)
    assert_same(here, there)
    *pieces, whole = in_process.jobs
    assert [job.piece for job in pieces] == NAMES
    assert all(job.targets == {} and job.threads == 1 for job in pieces)
    assert not any(job.fit.has_heads for job in in_process.jobs)
    assert (whole.piece, list(whole.pieces)) == ("", NAMES)
    assert [job.keep_in for job in in_process.jobs] == [None] * 4


@pytest.mark.usefixtures("odd_systems")
def test_a_worker_with_threads_does_as_many_pieces_at_once(bank, tmp_path):
    together = threading.Barrier(2, timeout=30)
    alone = threading.Lock()

    def run_here(job, _given_up=None):
        if job.piece:
            together.wait()  # nobody gets on before there are two
        with alone:
            return run_job(job)

    with mock.patch("treegauge.runs.submission.run_isolated", run_here):
        done = go(experiment(bank, pieces=4), tmp_path / "run", workers=1, threads=2)
    assert done.failures == ()


def test_chains_of_fragments_are_jobs_and_give_what_one_fit_gives(tmp_path):
    settings = {"iterations": 3, "max_length": 5, "chains": 3}
    parts = {part: tg.toy_treebank("toy:svo", part=part)[:40] for part in ("train", "test")}
    catalogue = Catalogue(treebanks={"toy:svo": parts})
    system = {"system": "tsg-dmv", "settings": settings, "fit_on": "train", "keep_model": True}
    made = Experiment.from_dict({"treebanks": ["toy:svo"], "systems": [system], "resamples": 10})
    with cells_in_process():
        done = run(made, tmp_path / "run", catalogue=catalogue, workers=2)
    assert done.failures == ()
    whole = make_system("tsg-dmv", settings).fit(parts["train"])
    whole.save(tmp_path / "model")
    (cell,) = (tmp_path / "run" / "cells").iterdir()
    assert (cell / "model").read_bytes() == (tmp_path / "model").read_bytes()
    said = RunFolder(tmp_path / "run").annotation(cell.name, "test")
    assert said.head.tolist() == whole.annotate(parts["test"]).head.tolist()


# ---------------------------------------------------------------------- going on


@pytest.mark.usefixtures("odd_systems")
def test_an_interrupted_run_goes_on_with_the_pieces_that_are_there(bank, tmp_path):
    place = tmp_path / "notes"
    made = experiment(bank, place=place)

    def stop(standing: Standing) -> None:
        if standing.pieces_done == 2:
            raise KeyboardInterrupt

    with cells_in_process():
        with pytest.raises(KeyboardInterrupt):
            go(made, tmp_path / "run", workers=1, on_progress=stop)
        kept = [name.partition(".")[0] for name in pieces_in(tmp_path / "run")]
        assert kept == NAMES[:2]
        done_before = notes(place)
        done = go(made, tmp_path / "run", workers=1)
        assert not set(notes(place)[len(done_before) :]) & set(kept)
        assert_same(done, go(made, tmp_path / "other", workers=1))
    assert not (tmp_path / "run" / "pieces").exists()


@pytest.mark.slow
def test_a_run_that_is_killed_goes_on_with_the_pieces_that_are_there(bank, tmp_path, odd_systems):
    place = tmp_path / "notes"
    (tmp_path / "notes.draw2").write_text("waits")
    toml = tmp_path / "killed.toml"
    toml.write_text(
        f'treebanks = ["{bank}"]\nresamples = 10\n[[systems]]\nsystem = "piecewise"\n'
        f'settings = {{ pieces = 4, place = "{place}" }}\nkeep_model = true\n'
    )
    program = [sys.executable, "-m", "treegauge", "run", str(toml), "--workers", "2"]
    paths = os.pathsep.join([str(odd_systems.parent), *filter(None, sys.path)])
    process = subprocess.Popen(
        [*program, "--folder", str(tmp_path / "run")],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": paths},
    )
    deadline = time.monotonic() + 60
    while len(pieces_in(tmp_path / "run")) < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert pieces_in(tmp_path / "run") == ["draw0.outcome", "draw1.outcome", "draw3.outcome"]
    (tmp_path / "notes.draw2").unlink()
    made = Experiment.from_toml(toml)
    done = go(made, tmp_path / "run", workers=2)
    assert sorted(notes(place)) == ["draw0", "draw1", "draw2", "draw3", "whole"]
    assert_same(done, go(made, tmp_path / "other", workers=1))
    table = read_long_table(tmp_path / "run" / "results.parquet")
    assert set(table["reason"]) == {""}


@pytest.mark.usefixtures("odd_systems")
def test_a_damaged_piece_is_done_by_the_cell(bank, tmp_path):
    place = tmp_path / "notes"
    made = experiment(bank, place=place)

    def damage(standing: Standing) -> None:
        if standing.pieces_done == 2:
            (path,) = (tmp_path / "run" / "pieces").glob("*/draw1.outcome")
            path.write_bytes(path.read_bytes()[:20])

    with cells_in_process():
        done = go(made, tmp_path / "run", workers=1, on_progress=damage)
        assert notes(place) == [*NAMES, "draw1", "whole"]
        assert_same(done, go(made, tmp_path / "other", workers=1))


# ---------------------------------------------------------------------- failing


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("raises", "failed: ValueError: draw1 went wrong"),
        pytest.param(
            "dies",
            "failed: the process was ended by SIGKILL (out of memory?)",
            marks=pytest.mark.slow,
        ),
        pytest.param("waits", "timeout: more than 15 seconds were needed", marks=pytest.mark.slow),
    ],
)
@pytest.mark.usefixtures("odd_systems")
def test_a_failed_piece_fails_its_cell_and_the_others_are_kept(bank, tmp_path, what, reason):
    place = tmp_path / "notes"
    (tmp_path / "notes.draw1").write_text(what)
    made = experiment(bank, place=place, cell_timeout=15 if what == "waits" else None)
    failed = go(made, tmp_path / "run", workers=1)
    (failure,) = failed.failures
    assert failure.reason == reason
    if what == "raises":
        assert (
            'raise ValueError(f"{name} went wrong")' in (failure.folder / "error.txt").read_text()
        )
    assert (failure.folder / "output.txt").read_text() == "a piece, as all of them\n"
    assert notes(place) == ["draw0"]  # and the last was not begun
    assert set(failed.table["reason"]) == {reason}
    (tmp_path / "notes.draw1").unlink()
    with cells_in_process():
        done = go(made, tmp_path / "run", workers=1)
    assert done.failures == ()
    assert notes(place) == [*NAMES, "whole"]


@pytest.mark.usefixtures("odd_systems")
def test_a_failure_costs_no_other_cell(bank, tmp_path):
    (tmp_path / "notes.draw0").write_text("raises")
    document = {
        "treebanks": [str(bank)],
        "systems": [
            {"system": "piecewise", "label": "bad", "settings": {"place": str(tmp_path / "notes")}},
            {"system": "piecewise", "label": "well"},
            "left-branching",
        ],
        "resamples": 10,
    }
    made = Experiment.from_dict(document)
    told: list[Standing] = []
    with cells_in_process():
        done = go(made, tmp_path / "run", workers=2, on_progress=told.append)
    assert [failure.cell for failure in done.failures] == ["birds: bad, seed 0"]
    assert (told[-1].total, told[-1].done, told[-1].failed) == (3, 2, 1)


# ---------------------------------------------------------------------- what people see


@pytest.mark.usefixtures("odd_systems")
def test_cells_stay_cells_and_pieces_are_counted(bank, tmp_path):
    from treegauge.cli.running import _described

    told: list[Standing] = []
    with cells_in_process():
        go(experiment(bank), tmp_path / "run", workers=1, on_progress=told.append)
    assert {one.total for one in told} == {1}
    assert [one.last for one in told if one.last] == ["birds: piecewise, seed 0"]
    assert {one.running for one in told} == {(), ("birds: piecewise, seed 0",)}
    counts = [(one.pieces_done, one.pieces) for one in told if one.running]
    assert counts == sorted(counts)
    assert set(counts) == {(k, 3) for k in range(4)}
    assert told[-1].seconds_left == 0
    assert _described(Standing(9, 1, 0, ("a", "b"), 60.0, pieces=20, pieces_done=3)) == (
        "2 running, 3 of their 20 pieces done, 1 min left"
    )


@pytest.mark.usefixtures("odd_systems")
def test_a_cell_costs_what_its_jobs_cost(bank, tmp_path):
    costs: list[Outcome] = []

    def run_here(job, _given_up=None):
        number = len(costs) + 1
        cost = {"seconds": number, "elapsed": 10 * number, "peak_memory": 50 - number}
        costs.append(replace(run_job(job), **cost, compiling=0.5))
        return costs[-1]

    made = experiment(bank)
    with mock.patch("treegauge.runs.submission.run_isolated", run_here):
        done = go(made, tmp_path / "run", workers=1)
    record = RunFolder(done.folder).record(done.table["cell"][0])
    assert len(costs) == 4
    assert (record.seconds, record.elapsed, record.compiling) == (10, 100, 2)
    assert record.peak_memory == 49
    assert set(done.table["seconds"]) == {10}


@pytest.mark.usefixtures("odd_systems")
def test_pieces_shorten_the_time_that_is_expected(bank, tmp_path):
    made = experiment(bank, pieces=3)

    def seconds(**options) -> float:
        return look_ahead(made, tmp_path / "run", catalogue=CATALOGUE, **options).seconds

    assert seconds(workers=1) == pytest.approx(2 * seconds(workers=2))
    # Three pieces on two threads, then the cell itself.
    assert seconds(workers=1) == pytest.approx(4 / 2.5 * seconds(workers=1, threads=2))


# ---------------------------------------------------------------------- systems


@pytest.mark.parametrize("name", ["tsg-dmv", "reducibility"])
def test_chains_are_pieces_that_are_kept(name):
    system = make_system(name, {"chains": 5})
    assert system.piece_names == ("chain0", "chain1", "chain2", "chain3", "chain4")
    assert system.keeps_pieces
    assert make_system("dmv").piece_names == ()


def test_other_pieces_are_refused(tmp_path):
    text = tg.toy_treebank("toy:svo", tokens=30)
    for name in ("tsg-dmv", "dmv"):
        with pytest.raises(SystemsError, match=f"{name} does not learn in pieces .* 'chain99'"):
            make_system(name).fit_piece(text, "chain99", keep_in=tmp_path)


def test_trees_over_the_tags_of_a_tagger_are_one_job():
    """The tagger would be fitted for every chain."""
    over = make_system("tags-then-trees", {"tags_from": "brown:4", "inducer": "tsg-dmv"})
    assert over.keeps_pieces
    assert over.piece_names == ()
