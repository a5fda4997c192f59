"""E-steps elsewhere are those of threads, to the last bit."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tests.local_cluster import LocalCluster, until
from treegauge.runs import cluster_executor
from treegauge.systems import make_system
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
    (arrays, facts), (others, other_facts) = here.state(), there.state()
    assert facts == other_facts
    for name in arrays:
        assert arrays[name].tobytes() == others[name].tobytes(), name


@pytest.mark.slow
def test_a_worker_killed_in_a_step_changes_nothing(tmp_path: Path, corpus, grammar) -> None:
    pytest.importorskip("distributed")
    here = expectations(grammar, corpus, entropies=True, marginals=True)
    cluster = LocalCluster(tmp_path)
    try:
        with cluster_executor(cluster.address, warms_up=False) as executor:
            until(lambda: executor.workers == 2)
            submitted = []

            class Killing(type(executor)):
                """Kills a worker when half of the second step's shards are on their way."""

                def submit(self, function, /, *args, **kwargs):
                    submitted.append(function)
                    if len(submitted) == len(corpus.shards) * 3 // 2:
                        cluster.workers[0].send_signal(signal.SIGKILL)
                        cluster.workers[0].wait()
                    return super().submit(function, *args, **kwargs)

            with Killing(executor._client) as killing, e_steps_on(killing):
                first = expectations(grammar, corpus, entropies=True, marginals=True)
                assert len(killing._sent) == len(corpus.shards)
                second = expectations(grammar, corpus, entropies=True, marginals=True)
                assert len(killing._sent) == len(corpus.shards)  # nothing was sent twice
            assert executor.workers == 1
    finally:
        cluster.end()
    assert_same(first, here)
    assert_same(second, here)
