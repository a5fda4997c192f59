"""Everything that learns from counts learns the same on the workers of a cluster."""

from __future__ import annotations

import signal
import warnings
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.local_cluster import LocalCluster, until
from tests.unit.shards.sharded_texts import (
    INDUCERS,
    assert_same_model,
    assert_same_state,
    model_in_memory,
    system_in_memory,
    toy_text,
    written,
)
from treegauge.dictionaries import from_shards, from_treebank
from treegauge.formats import FormatError, write
from treegauge.properties.language_model import train_on_shards
from treegauge.runs import cluster_executor
from treegauge.runs.cluster import ClusterExecutor
from treegauge.shards import passes_on
from treegauge.systems import make_system
from treegauge.toys import toy_treebank

pytest.importorskip("distributed")

pytestmark = pytest.mark.slow

SENTENCES = toy_text(2000)
CHUNK = 1500
REDUCIBLE = (
    ("reducibility", {"passes": 2, "chains": 2}),
    ("reducibility-stop", {"iterations": 2}),
)


@pytest.fixture(scope="module", params=[1, 2])
def executor(request, tmp_path_factory) -> Iterator[ClusterExecutor]:
    cluster = LocalCluster(tmp_path_factory.mktemp("cluster"), workers=request.param)
    try:
        with cluster_executor(cluster.address) as made:
            until(lambda: made.workers == request.param)
            yield made
    finally:
        cluster.end()


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    return written(SENTENCES, tmp_path / "text", 5)


@pytest.fixture
def tagged_files(tmp_path: Path) -> list[Path]:
    """A tagged text in three files."""
    text = toy_treebank("toy:svo", tokens=3000, seed=4)
    files = []
    for first, last in pairwise(np.linspace(0, len(text), 4).astype(int).tolist()):
        files.append(tmp_path / f"{first}.conllu")
        write(text[first:last], files[-1])
    return files


@pytest.mark.parametrize("order", [2, 3, 5])
@pytest.mark.parametrize("minimum", [1, 2])
def test_language_models(executor, files, tmp_path, order, minimum) -> None:
    with warnings.catch_warnings(action="ignore"):
        there = train_on_shards(
            files,
            format="tokens",
            order=order,
            minimum_word_count=minimum,
            chunk=CHUNK,
            executor=executor,
            work_in=tmp_path,
        )
        assert_same_model(there, model_in_memory(SENTENCES, order, minimum))


@pytest.mark.parametrize(("name", "options"), INDUCERS)
def test_inducers(executor, files, tmp_path, name, options) -> None:
    there = make_system(name, options).fit_shards(
        files, format="tokens", chunk=CHUNK, executor=executor, work_in=tmp_path
    )
    assert_same_state(there, system_in_memory(name, options, SENTENCES))


def test_dictionaries(executor, tagged_files) -> None:
    there = from_shards(tagged_files, executor=executor)
    here = from_treebank(toy_treebank("toy:svo", tokens=3000, seed=4))
    assert there == here
    assert list(there.items()) == list(here.items())


@pytest.mark.parametrize(("name", "options"), REDUCIBLE)
def test_reducibility_of_raw_texts(
    executor, tagged_files, tmp_path, monkeypatch, name, options
) -> None:
    """Paths that are relative here mean something else to workers."""
    monkeypatch.chdir(tmp_path)
    text = toy_treebank("toy:svo", tokens=800, seed=9)
    settings = {**options, "raw": [file.name for file in tagged_files]}
    here = make_system(name, settings).fit(text)
    with passes_on(executor):
        there = make_system(name, settings).fit(text)
    assert_same_state(there, here)


def test_a_raw_text_that_cannot_be_read_is_named(executor, tmp_path) -> None:
    (tmp_path / "bare.txt").write_text("a b\n")
    text = toy_treebank("toy:svo", tokens=300, seed=9)
    raw = [str(tmp_path / "bare.txt")]
    with passes_on(executor), pytest.raises(FormatError, match=r"bare\.txt: unknown format"):
        make_system("reducibility", {"raw": raw}).fit(text)


def test_a_worker_that_is_lost_changes_nothing(files, tmp_path: Path) -> None:
    cluster = LocalCluster(tmp_path)
    try:
        with cluster_executor(cluster.address) as executor:
            until(lambda: executor.workers == 2)

            def kill_one(share: float) -> None:
                if share > 0.05 and cluster.workers[0].poll() is None:
                    cluster.workers[0].send_signal(signal.SIGKILL)
                    cluster.workers[0].wait()

            with warnings.catch_warnings(action="ignore"):
                model = train_on_shards(
                    files,
                    format="tokens",
                    chunk=CHUNK,
                    executor=executor,
                    work_in=tmp_path,
                    on_progress=kill_one,
                )
            assert executor.workers == 1
    finally:
        cluster.end()
    assert_same_model(model, model_in_memory(SENTENCES, 3))
