"""A cluster that is lost in the middle of a run: what is finished is scored and kept."""

from __future__ import annotations

from concurrent.futures import Future

import pytest
from polars.testing import assert_frame_equal

from treegauge.catalogue import Catalogue
from treegauge.results.long_table import MEASURED, read_long_table
from treegauge.runs import Experiment, ExperimentError, RunFolder, run
from treegauge.runs.cluster import ClusterExecutor, cluster_lost
from treegauge.runs.errors import ClusterLostError
from treegauge.runs.job import run_job

SEEDS = list(range(5))


class FadingCluster(ClusterExecutor):
    """A cluster without a client that does two cells, and is then lost."""

    workers = 2  # so that a third cell is sent before anybody looks at the first two

    def __init__(self, loss: str) -> None:
        self._loss = loss
        self._submitted = 0

    def warm_up(self, systems):
        """Nothing is compiled."""

    def logs(self):
        return ""

    def require_workers(self):
        if self._loss == "workers":
            raise ClusterLostError("the cluster lost all its workers")

    def submit_with_data(self, _function, job, texts):
        self._submitted += 1
        future = Future()
        if self._submitted <= 2:
            future.set_result(run_job(job.with_texts(*texts)).to_bytes())
        elif self._loss == "submission":
            raise cluster_lost()
        elif self._loss == "futures":
            future.cancel()
            future.set_running_or_notify_cancel()
        return future


@pytest.fixture
def experiment(bank) -> Experiment:
    systems = [{"system": "random", "seeds": SEEDS}]
    return Experiment.from_dict({"treebanks": [str(bank)], "systems": systems, "resamples": 10})


@pytest.mark.parametrize("loss", ["submission", "futures", "workers"])
def test_nothing_was_scored_when_the_cluster_was_lost(experiment, tmp_path, in_process, loss):
    """Of five cells, the two that came back have scores; the same command runs the other three."""
    folder = RunFolder(tmp_path / "there")
    with pytest.raises(ExperimentError, match="lost") as caught:
        run(experiment, folder.path, catalogue=Catalogue(), executor=FadingCluster(loss))
    assert str(caught.value).endswith(f"  the scores of finished cells are in {folder.results}")
    kept = read_long_table(folder.results)
    scored = kept.filter(kept["value"].is_not_nan())
    assert scored["seed"].unique().sort().to_list() == [0, 1]
    assert set(kept.filter(kept["value"].is_nan())["reason"]) == {"not run"}
    assert len(folder.planned) == len(SEEDS)

    here = run(experiment, tmp_path / "here", catalogue=Catalogue(), executor=in_process)
    there = run(experiment, folder.path, catalogue=Catalogue(), executor=in_process)
    assert (there.run_now, there.failures, there.not_run) == (3, (), 0)
    assert_frame_equal(there.table.drop(MEASURED), here.table.drop(MEASURED), check_exact=True)
