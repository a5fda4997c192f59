"""Clusters as people have them: what SLURM and Kubernetes are asked for.

A recipe is the options of dask-jobqueue's `SLURMCluster`, or a manifest for the operator of
dask-kubernetes; neither has to be installed here. Workers that come up are made ready by the run
itself (`worker_setup.py`), whoever started them.
"""

from __future__ import annotations

from typing import Any

from treegauge.runs.errors import ExperimentError

_SCHEDULER_PORT = 8786
_DASHBOARD_PORT = 8787


def slurm_options(
    *,
    threads: int = 8,
    memory: str = "32GiB",
    walltime: str = "04:00:00",
    queue: str | None = None,
    account: str | None = None,
    prologue: tuple[str, ...] = (),
    logs: str = "logs",
) -> dict[str, Any]:
    """Return the options of dask-jobqueue's `SLURMCluster`: a worker a job.

    Parameters
    ----------
    threads : int
        Cores of a job; as many cells run on it at once.
    memory : str
        Of a job, for all its cells.
    walltime : str
        Hours, minutes and seconds of a job; cells that it cuts off are run by another.
    queue, account : str, optional
        The partition, and who pays.
    prologue : tuple of str
        Commands before the worker, such as one that activates an environment.
    logs : str
        Where SLURM writes what workers print; on a disk that all see.

    Examples
    --------
    >>> slurm_options(threads=4, queue="long")["cores"]
    4
    """
    if threads < 1:
        raise ExperimentError(f"a worker needs at least one thread; found {threads}")
    return {
        "job_name": "treegauge",
        "cores": threads,
        # One process: a cell has its own, and what a worker was sent is there once.
        "processes": 1,
        "memory": memory,
        "walltime": walltime,
        "queue": queue,
        "account": account,
        "python": "python",
        "job_script_prologue": list(prologue),
        "log_directory": logs,
        # A worker whose scheduler is gone must not hold its node.
        "death_timeout": 300,
        "worker_extra_args": ["--no-dashboard"],
    }


def kubernetes_manifest(
    image: str,
    *,
    workers: int = 4,
    threads: int = 2,
    memory: str = "8Gi",
    name: str = "treegauge",
) -> dict[str, Any]:
    """Return a `DaskCluster` for the operator of dask-kubernetes; `kubectl apply` takes it as JSON.

    Parameters
    ----------
    image : str
        A container image with treegauge and its extra `cluster`; the same version as here.
    workers, threads : int
        Pods, and cells that run in each at once.
    memory : str
        Of a pod; asked for and not exceeded.
    """
    if workers < 1 or threads < 1:
        raise ExperimentError("there must be at least one worker, and one thread for it")
    resources = {"cpu": str(threads), "memory": memory}
    container = {
        "name": "worker",
        "image": image,
        "args": [
            *("dask", "worker", "--name", "$(DASK_WORKER_NAME)"),
            *("--nthreads", str(threads), "--no-dashboard", "--death-timeout", "300"),
        ],
        "resources": {"requests": resources, "limits": resources},
    }
    ports = {"tcp-comm": _SCHEDULER_PORT, "http-dashboard": _DASHBOARD_PORT}
    health = {"httpGet": {"port": "http-dashboard", "path": "/health"}}
    scheduler = {
        "name": "scheduler",
        "image": image,
        "args": ["dask", "scheduler", "--host", "0.0.0.0"],
        "ports": [{"name": key, "containerPort": port} for key, port in ports.items()],
        "readinessProbe": health | {"periodSeconds": 5},
        "livenessProbe": health | {"initialDelaySeconds": 15, "periodSeconds": 20},
    }
    labels = {"dask.org/cluster-name": name, "dask.org/component": "scheduler"}
    service = {
        "type": "ClusterIP",
        "selector": labels,
        "ports": [
            {"name": key, "protocol": "TCP", "port": port, "targetPort": key}
            for key, port in ports.items()
        ],
    }
    return {
        "apiVersion": "kubernetes.dask.org/v1",
        "kind": "DaskCluster",
        "metadata": {"name": name},
        "spec": {
            "worker": {"replicas": workers, "spec": {"containers": [container]}},
            "scheduler": {"spec": {"containers": [scheduler]}, "service": service},
        },
    }
