"""A cluster of one scheduler and two workers, all on this machine, in processes of their own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from pathlib import Path

import pytest
from polars.testing import assert_frame_equal

from tests.in_process import cells_in_process
from tests.local_cluster import WAITS, LocalCluster, until
from treegauge.catalogue import Catalogue
from treegauge.results.long_table import MEASURED, read_long_table
from treegauge.runs import Experiment, ExperimentError, RunFolder, cluster_executor, run
from treegauge.runs.cluster import ClusterExecutor

pytest.importorskip("distributed")

SEEDS = list(range(8))


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[LocalCluster]:
    made = LocalCluster(tmp_path)
    yield made
    made.end()


def small(bank: Path, **more) -> Experiment:
    systems = [{"system": "random", "seeds": SEEDS}]
    document = {"treebanks": [str(bank)], "systems": systems, "resamples": 10, **more}
    return Experiment.from_dict(document)


@pytest.mark.slow
def test_a_worker_is_killed_and_the_results_are_the_same(cluster, bank, tmp_path, in_process):
    here = run(small(bank), tmp_path / "here", catalogue=Catalogue(), executor=in_process)

    def kill_one(standing) -> None:
        if standing.done == 2 and cluster.workers[0].poll() is None:
            cluster.workers[0].send_signal(signal.SIGKILL)
            cluster.workers[0].wait()

    with cluster_executor(cluster.address, warms_up=False) as executor:
        until(lambda: executor.workers == 2)
        there = run(
            small(bank),
            tmp_path / "there",
            catalogue=Catalogue(),
            executor=executor,
            on_progress=kill_one,
        )
        assert executor.workers == 1
    assert there.run_now == len(SEEDS)
    assert there.failures == ()
    assert_frame_equal(there.table.drop(MEASURED), here.table.drop(MEASURED), check_exact=True)


@pytest.mark.slow
def test_workers_that_pause_and_come_change_nothing(cluster, bank, tmp_path, in_process):
    """One worker stops for a while, another one comes; treebanks are sent once."""
    here = run(small(bank), tmp_path / "here", catalogue=Catalogue(), executor=in_process)
    seen = []

    def disturb(standing) -> None:
        if standing.done >= 1 and not seen:
            seen.append(time.monotonic())
            cluster.workers[0].send_signal(signal.SIGSTOP)
            cluster.add_worker()
        if len(seen) == 1 and time.monotonic() > seen[0] + 3:  # told every second
            seen.append(time.monotonic())
            cluster.workers[0].send_signal(signal.SIGCONT)

    with cluster_executor(cluster.address, warms_up=False) as executor:
        until(lambda: executor.workers == 2)
        there = run(
            small(bank),
            tmp_path / "there",
            catalogue=Catalogue(),
            executor=executor,
            on_progress=disturb,
        )
        assert len(executor._sent) == 1  # the same text is learnt from and annotated
    assert len(seen) == 2
    assert there.failures == ()
    assert_frame_equal(there.table.drop(MEASURED), here.table.drop(MEASURED), check_exact=True)


@pytest.mark.slow
def test_a_run_whose_scheduler_was_lost_goes_on_with_another(bank, tmp_path, in_process):
    here = run(small(bank), tmp_path / "here", catalogue=Catalogue(), executor=in_process)
    first = LocalCluster(tmp_path)

    def kill_the_scheduler(standing) -> None:
        if standing.done >= 1:
            first.scheduler.kill()

    folder = tmp_path / "there"
    try:
        with (
            pytest.raises(ExperimentError, match="the cluster was lost"),
            cluster_executor(first.address, warms_up=False) as executor,
        ):
            run(
                small(bank),
                folder,
                catalogue=Catalogue(),
                executor=executor,
                on_progress=kill_the_scheduler,
            )
    finally:
        first.end()
    n_done = len(list(folder.glob("cells/*/cell.json")))
    assert 1 <= n_done < len(SEEDS)
    kept = read_long_table(RunFolder(folder).results)
    assert kept.filter(kept["value"].is_not_nan())["seed"].n_unique() == n_done
    (tmp_path / "second").mkdir()
    second = LocalCluster(tmp_path / "second", workers=1)
    try:
        with cluster_executor(second.address, warms_up=False) as executor:
            there = run(small(bank), folder, catalogue=Catalogue(), executor=executor)
    finally:
        second.end()
    assert there.run_now == len(SEEDS) - n_done
    assert_frame_equal(there.table.drop(MEASURED), here.table.drop(MEASURED), check_exact=True)


@pytest.mark.slow
def test_every_worker_compiles_ahead_once(cluster, tmp_path):
    """A second run asks nobody again."""
    told = tmp_path / "told"
    told.mkdir()
    (tmp_path / "bin").mkdir()
    fake = tmp_path / "bin" / "python"
    fake.write_text(f'#!/bin/sh\necho "$@" > {told}/$$\n')
    fake.chmod(0o755)
    with cluster_executor(cluster.address) as executor:
        until(lambda: executor.workers == 2)
        executor._client.run(_use_program, str(fake))
        executor.warm_up(["dmv", "random"])
        assert len(list(told.iterdir())) == 2
        executor.warm_up(["dmv", "random"])
        assert len(list(told.iterdir())) == 2
        assert {file.read_text() for file in told.iterdir()} == {
            "-m treegauge warm-up dmv random --quiet\n"
        }


def _use_program(program: str) -> None:
    """Let a worker take a script for its Python."""
    from treegauge.runs import worker_setup

    worker_setup.sys.executable = program


def test_a_cell_that_gave_no_outcome_brings_the_logs_home(bank, tmp_path):
    class Deadly(ClusterExecutor):
        workers = 1

        def __init__(self):
            """Without a client."""

        def warm_up(self, systems):
            assert systems == ["left-branching"]

        def submit_with_data(self, _function, _job, _data):
            future = Future()
            future.set_exception(RuntimeError("KilledWorker: three of them"))
            return future

        def logs(self):
            return "tcp://worker:1: no more memory"

        def require_workers(self):
            """They are there."""

    experiment = Experiment.from_dict({"treebanks": [str(bank)], "systems": ["left-branching"]})
    done = run(experiment, tmp_path / "run", catalogue=Catalogue(), executor=Deadly())
    (failure,) = done.failures
    assert "three of them" in failure.reason
    assert (failure.folder / "error.txt").read_text() == "tcp://worker:1: no more memory"


@pytest.mark.slow
def test_chains_are_done_by_workers_that_share_no_folder(cluster, bank, tmp_path):
    """One of them is killed when the first chain is there."""
    chains = {"chains": 5, "iterations": 20, "max_length": 6}
    systems = [{"system": "tsg-dmv", "settings": chains, "keep_model": True}]
    with cells_in_process():
        here = run(
            small(bank, systems=systems), tmp_path / "here", catalogue=Catalogue(), workers=1
        )
    told = []

    def kill_one(standing) -> None:
        told.append((standing.pieces_done, standing.pieces))
        if standing.pieces_done == 1 and cluster.workers[0].poll() is None:
            cluster.workers[0].send_signal(signal.SIGKILL)
            cluster.workers[0].wait()

    with cluster_executor(cluster.address, warms_up=False) as executor:
        until(lambda: executor.workers == 2)
        there = run(
            small(bank, systems=systems),
            tmp_path / "there",
            catalogue=Catalogue(),
            executor=executor,
            on_progress=kill_one,
        )
    assert (there.run_now, there.failures) == (1, ())
    assert {(k, 5) for k in range(1, 6)} <= set(told)
    assert_frame_equal(there.table.drop(MEASURED), here.table.drop(MEASURED), check_exact=True)
    models = [next(folder.glob("cells/*/model")) for folder in (here.folder, there.folder)]
    assert models[0].read_bytes() == models[1].read_bytes()
    assert not (there.folder / "pieces").exists()


@pytest.mark.slow
def test_dask_warned_of_jobs_that_are_large(cluster):
    with cluster_executor(cluster.address, warms_up=False) as executor:
        future = executor.submit(lambda content, **_: len(content), b"x" * 11_000_000)
        assert future.result(WAITS) == 11_000_000


@pytest.mark.slow
def test_who_stops_leaves_no_cell_running(cluster, bank, tmp_path):
    sleepy = Experiment.from_dict(
        {
            "treebanks": [str(bank)],
            "systems": [
                {"system": "external", "settings": {"command": "sleep 1234"}, "label": "sleepy"}
            ],
        }
    )

    def sleepers() -> list[int]:
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if path.read_bytes() == b"sleep\x001234\x00":
                    found.append(int(path.parent.name))
            except OSError:
                continue
        return found

    def stop(_standing) -> None:
        if sleepers():
            raise KeyboardInterrupt

    with (
        pytest.raises(KeyboardInterrupt),
        cluster_executor(cluster.address, warms_up=False) as executor,
    ):
        run(sleepy, tmp_path / "run", catalogue=Catalogue(), executor=executor, on_progress=stop)
    until(lambda: not sleepers())


@pytest.mark.slow
@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_a_task_that_was_cancelled_ended_its_worker(cluster, tmp_path, error):
    """When a worker was lost, others were lost too, since Dask cancels what they compute anew."""
    with cluster_executor(cluster.address, warms_up=False) as executor:
        until(lambda: executor.workers == 2)
        future = executor.submit(_work_until_given_up, tmp_path, error)
        until((tmp_path / "begun").exists)
        future.cancel()
        until((tmp_path / "given up").exists)
        time.sleep(2)
        numbers = [executor.submit(_number, k).result(WAITS) for k in range(6)]
        assert numbers == list(range(6))
        assert executor.workers == 2
    assert [worker.poll() for worker in cluster.workers] == [None, None]


def _work_until_given_up(folder: Path, error: type[BaseException], given_up) -> None:
    (folder / "begun").touch()
    until(given_up.is_set)
    (folder / "given up").touch()
    raise error


def _number(number: int, given_up) -> int:
    del given_up
    return number


@pytest.mark.slow
def test_what_is_home_was_computed_again_when_its_worker_was_lost(cluster, tmp_path):
    with cluster_executor(cluster.address, warms_up=False) as executor:
        until(lambda: executor.workers == 2)
        futures = [executor.submit(_noted, tmp_path, k) for k in range(4)]
        pids = [future.result(WAITS) for future in futures]
        time.sleep(1)  # the scheduler hears that nobody needs them
        cluster.workers[0].kill()
        cluster.workers[0].wait()
        until(lambda: executor.workers == 1)
        assert executor.submit(_noted, tmp_path, 4).result(WAITS) == cluster.workers[1].pid
        assert cluster.workers[0].pid in pids
    assert len(list(tmp_path.glob("noted-*"))) == 5


def _noted(folder: Path, number: int, given_up) -> int:
    """Note that a worker has computed this, so that a second time shows."""
    del given_up
    (folder / f"noted-{number}-{os.getpid()}").touch()
    time.sleep(0.2)  # long enough for both workers to get some
    return os.getpid()


@pytest.mark.slow
def test_a_cluster_that_is_lost_is_not_taken_for_cells_that_fail(cluster, bank, tmp_path):
    def kill_all(standing) -> None:
        if standing.done == 1:
            cluster.end()

    with (
        pytest.raises(ExperimentError, match="the cluster was lost"),
        cluster_executor(cluster.address, warms_up=False) as executor,
    ):
        run(
            small(bank),
            tmp_path / "run",
            catalogue=Catalogue(),
            executor=executor,
            on_progress=kill_all,
        )
    records = [json.loads(path.read_text()) for path in tmp_path.glob("run/cells/*/cell.json")]
    assert {record["status"] for record in records} == {"done"}


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_scheduler_that_is_lost_rained_tracebacks(cluster, bank, tmp_path, number):
    experiment = tmp_path / "lost.toml"
    seeds = list(range(60))
    experiment.write_text(
        f'treebanks = ["{bank}"]\nsystems = [{{ system = "random", seeds = {seeds} }}]\n'
    )
    program = [sys.executable, "-m", "treegauge", "run", str(experiment), "--quiet"]
    program += ["--folder", str(tmp_path / "run"), "--scheduler", cluster.address]
    process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    until(lambda: len(list(tmp_path.glob("run/cells/*"))) > 1)
    cluster.scheduler.send_signal(number)
    said, _ = process.communicate(timeout=WAITS)
    assert said.decode().strip() == (
        "the connection to the cluster was lost; its running cells are lost too\n"
        "  the same command continues the run\n"
        f"  the scores of finished cells are in {tmp_path / 'run' / 'results.parquet'}"
    )
    assert process.returncode == 1


@pytest.mark.slow
def test_a_cluster_without_workers_is_given_up(cluster, bank, tmp_path, monkeypatch):
    monkeypatch.setattr("treegauge.runs.cluster._PATIENCE_WITHOUT_WORKERS", 3.0)

    def kill_the_workers(standing) -> None:
        if standing.done == 1:
            for worker in cluster.workers:
                worker.kill()
                worker.wait()

    with cluster_executor(cluster.address, warms_up=False) as executor:
        until(lambda: executor.workers == 2)
        with pytest.raises(ExperimentError, match=r"the cluster lost all its workers \d+ s ago"):
            run(
                small(bank),
                tmp_path / "run",
                catalogue=Catalogue(),
                executor=executor,
                on_progress=kill_the_workers,
            )


class FakeClient:
    """A client of a cluster whose workers come and go."""

    def __init__(self) -> None:
        self.threads: dict[str, int] = {}

    def get_executor(self, **_) -> None:
        return None

    def nthreads(self) -> dict[str, int]:
        return self.threads


def test_patience_begins_with_the_loss_of_the_last_worker(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("treegauge.runs.cluster.time.monotonic", lambda: now[0])
    client = FakeClient()
    executor = ClusterExecutor(client)
    for now[0], client.threads in [(0, {}), (9000, {}), (9100, {"w": 2}), (9200, {}), (9500, {})]:
        executor.require_workers()
    now[0] = 9501.0
    with pytest.raises(ExperimentError, match="the cluster lost all its workers 301 s ago"):
        executor.require_workers()


@pytest.mark.parametrize("loss", ["ClosedClientError", "CommClosedError", "OSError"])
def test_a_cluster_that_is_lost_before_a_job_is_sent_gave_a_traceback(loss):
    from distributed.client import ClosedClientError
    from distributed.comm.core import CommClosedError

    losses = {error.__name__: error for error in (ClosedClientError, CommClosedError, OSError)}

    class LostExecutor:
        def submit(self, *_):
            raise losses[loss]("gone")

    client = FakeClient()
    client.get_executor = lambda **_: LostExecutor()
    with pytest.raises(ExperimentError, match="the cluster was lost"):
        ClusterExecutor(client).submit(print)


def test_workers_give_back_bytes_that_are_data(bank, tmp_path):
    class Remembering(Executor):
        def __init__(self):
            self.answers = []

        def submit(self, function, job):
            self.answers.append(function(job))
            future = Future()
            future.set_result(self.answers[-1])
            return future

    executor = Remembering()
    experiment = Experiment.from_dict({"treebanks": [str(bank)], "systems": ["left-branching"]})
    done = run(experiment, tmp_path / "run", catalogue=Catalogue(), executor=executor)
    assert done.failures == ()
    (answer,) = executor.answers
    assert type(answer) is bytes
    assert json.loads(answer.partition(b"\n")[0])["status"] == "done"


def test_a_client_that_has_closed_itself_hides_no_other_error():
    from distributed.client import ClosedClientError

    class ClosedExecutor:
        def shutdown(self, **_):
            raise ClosedClientError("Client is closed.")

    client = FakeClient()
    client.get_executor = lambda **_: ClosedExecutor()
    with pytest.raises(ExperimentError, match="the first one"), ClusterExecutor(client):
        raise ExperimentError("the first one")


def test_the_runner_asks_whether_workers_are_left(bank, tmp_path):
    class Deserted(ClusterExecutor):
        workers = 1

        def __init__(self):
            """Without a client."""

        def warm_up(self, _systems):
            """Nobody is there to do so."""

        def submit_with_data(self, _function, _job, _data):
            return Future()

        def require_workers(self):
            raise ExperimentError("nobody is here")

    with pytest.raises(ExperimentError, match="nobody is here"):
        run(small(bank), tmp_path / "run", catalogue=Catalogue(), executor=Deserted())


def test_no_scheduler_is_said_in_a_line(monkeypatch):
    monkeypatch.setattr("treegauge.runs.cluster._PATIENCE", 0.5)
    address = "tcp://127.0.0.1:9"
    with (
        pytest.raises(ExperimentError, match=f"{address}: no Dask scheduler"),
        cluster_executor(address),
    ):
        pass


@pytest.mark.parametrize(
    "address", ["foo", "nonsense://x:1", "tcp://host", "tcp://host:port", "tcp://", ""]
)
def test_what_is_no_address_reaches_no_client(address, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(
            ExperimentError, match=r"this is not the address of a scheduler\n.*tcp://host:8786"
        ),
        cluster_executor(address),
    ):
        pass


def test_dask_is_an_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(ExperimentError, match=r"not installed: pip install 'treegauge\[cluster\]'"),
        cluster_executor("[::1]:8786"),
    ):
        pass
