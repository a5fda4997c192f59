"""What SLURM and Kubernetes are asked for, word by word."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from treegauge.runs import ExperimentError, kubernetes_manifest, slurm_options

GOLDEN = Path(__file__).parents[2] / "golden" / "clusters"


def slurm() -> dict[str, Any]:
    return slurm_options(
        threads=8, queue="long", account="syntax", prologue=("source ~/treegauge/bin/activate",)
    )


def manifest() -> dict[str, Any]:
    return kubernetes_manifest("registry.example.org/treegauge:1.0", workers=10)


def test_the_options_of_slurm_are_frozen() -> None:
    assert json.loads((GOLDEN / "slurm.json").read_text()) == slurm()


def test_the_job_script_of_slurm_is_frozen(tmp_path, monkeypatch) -> None:
    """Written by dask-jobqueue, which makes the folder of logs, and a file where Dask is set up."""
    config = pytest.importorskip("dask.config")
    monkeypatch.setattr(config, "PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    jobqueue = pytest.importorskip("dask_jobqueue", reason="needs dask-jobqueue: make setup")
    scheduler = {"dashboard_address": ":0"}  # the usual port may be taken
    with jobqueue.SLURMCluster(**slurm(), scheduler_options=scheduler) as cluster:
        script = re.sub(r"tcp://[\d.]+:\d+", "tcp://HOST:PORT", cluster.job_script())
    assert script == (GOLDEN / "slurm.sh").read_text()


def test_the_manifest_of_kubernetes_is_frozen() -> None:
    assert json.loads((GOLDEN / "kubernetes.json").read_text()) == manifest()


def test_the_manifest_has_the_fields_of_the_operator() -> None:
    """Fields that dask-kubernetes itself writes, and values that its operator looks for.

    It is no part of the development environment: it brings 30 packages of 230 MB.
    """
    operator = pytest.importorskip(
        "dask_kubernetes.operator", reason="dask-kubernetes is not installed"
    )
    theirs = operator.make_cluster_spec("treegauge", image="registry.example.org/treegauge:1.0")
    ours = manifest()
    for key in ("apiVersion", "kind", "metadata"):
        assert ours[key] == theirs[key]
    assert ours["spec"].keys() <= theirs["spec"].keys()
    assert ours["spec"]["scheduler"]["service"] == theirs["spec"]["scheduler"]["service"]
    for role in ("worker", "scheduler"):
        (mine,) = ours["spec"][role]["spec"]["containers"]
        (other,) = theirs["spec"][role]["spec"]["containers"]
        assert mine["name"] == other["name"]
        assert mine.keys() <= other.keys()


def test_nothing_can_be_run_without_threads() -> None:
    with pytest.raises(ExperimentError, match="at least one thread"):
        slurm_options(threads=0)
    with pytest.raises(ExperimentError, match="at least one worker"):
        kubernetes_manifest("image", workers=0)
