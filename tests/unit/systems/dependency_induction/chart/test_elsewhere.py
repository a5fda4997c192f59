"""E-steps elsewhere are those of threads, to the last bit."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tests.local_cluster import LocalCluster, until
from treegauge.runs import cluster_executor
from treegauge.systems import System, make_system
from treegauge.systems.dependency_induction.chart import (
    Expectations,
    Grammar,
    TagCorpus,
    expectations,
)
from treegauge.systems.dependency_induction.chart.elsewhere import e_steps_on
from treegauge.toys import toy_treebank


@pytest.fixture
def corpus() -> TagCorpus:
    generator = np.random.default_rng(3)
    lengths = generator.integers(1, 14, 2000)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    corpus = TagCorpus(generator.integers(0, 6, offsets[-1]), offsets, n_tags=6)
    assert len(corpus.shards) > 4
    return corpus


@pytest.fixture
def grammar() -> Grammar:
    return Grammar.random(np.random.default_rng(5), 6)


def assert_same(one: Expectations, other: Expectations) -> None:
    assert one.log_likelihood == other.log_likelihood
    for name in ("root", "stop", "go", "attach"):
        mine, theirs = getattr(one.counts, name), getattr(other.counts, name)
        assert np.asarray(mine).tobytes() == np.asarray(theirs).tobytes(), name
    for name in ("sentence_log_likelihoods", "entropies", "marginals"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


def assert_same_state(one: System, other: System) -> None:
    (arrays, facts), (others, other_facts) = one.state(), other.state()
    assert facts == other_facts
    for name in arrays:
        assert arrays[name].tobytes() == others[name].tobytes(), name


@pytest.mark.parametrize("workers", [1, 3])
def test_expectations_are_equal(corpus, grammar, workers) -> None:
    arcs = np.random.default_rng(1).random(int(corpus.arc_offsets[-1]))
    asked = {"arc_weights": arcs, "entropies": True, "marginals": True}
    here = expectations(grammar, corpus, **asked)
    with ThreadPoolExecutor(workers) as executor, e_steps_on(executor):
        there = expectations(grammar, corpus, **asked)
    assert_same(there, here)


def test_inducers_learn_the_same_and_the_place_is_left() -> None:
    text = toy_treebank("toy:svo", tokens=2000, seed=3)
    here = make_system("dmv", {"iterations": 4}).fit(text)
    steps = []

    class Counting(ThreadPoolExecutor):
        def submit(self, function, /, *args, **kwargs):
            steps.append(function.__name__)
            return super().submit(function, *args, **kwargs)

    with Counting(2) as executor:
        with e_steps_on(executor):
            there = make_system("dmv", {"iterations": 4}).fit(text)
        n_steps = len(steps)
        make_system("dmv", {"iterations": 1}).fit(text)
    assert n_steps == len(steps) > 0
    assert_same_state(there, here)


@pytest.mark.slow
def test_a_worker_killed_in_a_step_costs_the_shard_that_it_computed(
    tmp_path: Path, corpus, grammar
) -> None:
    """A worker dies in the middle of a shard of the second step; only this is computed twice."""
    pytest.importorskip("distributed")
    n_shards = len(corpus.shards)
    noted = tmp_path / "noted"
    noted.mkdir()
    here = expectations(grammar, corpus, entropies=True, marginals=True)
    cluster = LocalCluster(tmp_path)
    try:
        with cluster_executor(cluster.address, warms_up=False) as executor:
            until(lambda: executor.workers == 2)

            class Noting(type(executor)):
                """Lets workers write down what they compute."""

                n_submitted = 0

                def submit(self, function, /, *args):
                    number = self.n_submitted
                    self.n_submitted += 1
                    is_deadly = number == n_shards * 3 // 2
                    return super().submit(_noted, noted, number, is_deadly, function, *args)

            with Noting(executor._client) as noting, e_steps_on(noting):
                first = expectations(grammar, corpus, entropies=True, marginals=True)
                assert len(noting._sent) == n_shards
                second = expectations(grammar, corpus, entropies=True, marginals=True)
                assert len(noting._sent) == n_shards  # nothing was sent twice
                assert noting.n_submitted == 2 * n_shards
            assert executor.workers == 1
    finally:
        cluster.end()
    assert_same(first, here)
    assert_same(second, here)
    times = Counter(int(file.name.partition("-")[0]) for file in noted.iterdir())
    assert times == Counter(range(2 * n_shards)) + Counter([n_shards * 3 // 2])


def _noted(folder: Path, number: int, is_deadly: bool, function, *args, given_up):
    """Compute a shard on a worker, which dies over it the first time if it is deadly."""
    is_first = not list(folder.glob(f"{number}-*"))
    (folder / f"{number}-{os.getpid()}").touch()
    if is_deadly and is_first:
        time.sleep(1)  # what was computed before is home
        os.kill(os.getpid(), signal.SIGKILL)
    return function(*args, given_up=given_up)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", ["dmv", "evg", "posterior-sparse", "unambiguity", "feature-dmv"])
def test_inducers_learn_the_same_on_a_cluster(tmp_path: Path, workers, name) -> None:
    pytest.importorskip("distributed")
    text = toy_treebank("toy:svo", tokens=1000, seed=3)
    here = make_system(name, {"iterations": 3}).fit(text)
    cluster = LocalCluster(tmp_path, workers)
    try:
        with cluster_executor(cluster.address, warms_up=False) as executor:
            until(lambda: executor.workers == workers)
            with e_steps_on(executor):
                there = make_system(name, {"iterations": 3}).fit(text)
    finally:
        cluster.end()
    assert_same_state(there, here)
