"""The simulator of `docs/scale.md`, by hand."""

from __future__ import annotations

import pytest

from benchmarks.cluster_simulation import Cluster, Load, simulate


def test_without_any_cost_time_is_work_over_workers() -> None:
    load = Load(8, 10.0, is_spread=False)
    for workers, seconds in ((1, 80.0), (2, 40.0), (4, 20.0), (5, 20.0)):
        course = simulate(load, Cluster(workers, seconds_to_hand_out=0))
        assert course.seconds == seconds
        assert course.busy == pytest.approx(80 / (seconds * workers))


def test_two_workers_by_hand() -> None:
    """Handed out at 1 and 2, sent until 3 and 5, set up until 7 and 9, done at 17 and 19."""
    load = Load(2, 10.0, is_spread=False, bytes_once=1.0, bytes_back=1.0)
    cluster = Cluster(2, setup_seconds=4.0, bytes_per_second=1.0, seconds_to_hand_out=1.0)
    course = simulate(load, cluster)
    assert course.seconds == 19.0
    assert course.link == pytest.approx(4 / 19)
    assert course.handing_out == pytest.approx(2 / 19)


def test_failures_cost_time_and_no_task() -> None:
    load = Load(50, 3600.0)
    calm = simulate(load, Cluster(5))
    stormy = simulate(load, Cluster(5, hours_between_failures=2.0))
    assert calm.failures == 0 < stormy.failures
    assert stormy.seconds > calm.seconds


@pytest.mark.parametrize(("passes_on", "seconds", "sent"), [(False, 26.0, 4), (True, 22.0, 1)])
def test_four_workers_that_pass_on_what_is_sent_once(passes_on, seconds, sent) -> None:
    """The link takes until 4, 8, 12 and 16; passed on, the last two get theirs at 12."""
    load = Load(4, 10.0, is_spread=False, bytes_once=4.0)
    cluster = Cluster(4, bytes_per_second=1.0, seconds_to_hand_out=0.0, passes_on=passes_on)
    course = simulate(load, cluster)
    assert course.seconds == seconds
    assert course.link == pytest.approx(4 * sent / seconds)


def test_every_task_starts() -> None:
    load = Load(6, 3.0, is_spread=False, seconds_to_start=1.0)
    assert simulate(load, Cluster(2, seconds_to_hand_out=0.0)).seconds == 12.0
