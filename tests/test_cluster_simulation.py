"""The simulator of `docs/scale.md`, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import large_text
from benchmarks.cluster_simulation import READS, Cluster, Load, main, simulate, simulate_text
from benchmarks.large_text import Part
from benchmarks.shards import PARTS, TASKS

SCALE = Path(__file__).parents[1] / "docs" / "scale.md"


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


def test_the_command_gives_the_row_of_the_page(capsys) -> None:
    main(["--cells", "10000", "--workers", "500", "--network", "10", "--failures", "10"])
    said = capsys.readouterr().out.splitlines()
    hours, busy, link, handing_out, failures = said[2].split()[1:]
    row = f"| 500 | 10 Gbit/s | {failures} | {hours} | {busy} | {link} | {handing_out} | "
    assert int(failures) > 0
    assert row in SCALE.read_text("utf-8")
    assert said[-1].endswith(" are work")


@pytest.mark.parametrize("task", TASKS)
def test_the_command_learns_from_a_text(capsys, task) -> None:
    main(["--words", "1e9", "--workers", "16", "--task", task, "--disk", "0"])
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"1,000,000,000 words, {task}, on 16 workers"
    assert [line.split("  ")[0].strip() for line in said[2:-1]] == [
        *("reading", "counting", "merging"),
        *("in one process", "in all"),
    ]


def test_the_command_has_help(capsys) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    said = capsys.readouterr().out
    for option in ("--cells", "--words", "--workers", "--network", "--failures"):
        assert option in said


@pytest.mark.parametrize(
    ("option", "value"),
    [("--workers", "0"), ("--network", "-1"), ("--failures", "nan"), ("--disk", "-1")],
)
def test_the_command_refuses_what_cannot_be(capsys, option, value) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([option, value])
    assert "expected" in capsys.readouterr().err


def test_a_text_by_hand(monkeypatch) -> None:
    """Eight words in four shards, two tasks of every pass for each worker; half a second a read.

    A range is looked up in four runs.
    """
    parts = {"reading": (40, 1), "counting": (20, 2), "merging": (4, 0), "model": (0, 7)}
    own = {name: Part(*seconds) for name, seconds in parts.items()}
    monkeypatch.setattr("benchmarks.large_text.parts", lambda *_: own)
    monkeypatch.setattr("benchmarks.large_text.grown", lambda *_: 0.0)
    costs = {"handing out a task": 0.0}
    monkeypatch.setattr("benchmarks.cluster_simulation.measured_costs", lambda: costs)
    cluster = Cluster(2, bytes_per_second=1e30)
    text = simulate_text("trigrams", 8, cluster, chunk=2, seconds_of_a_read=0.5)
    seconds = [course.seconds for course in text.passes.values()]
    assert seconds == pytest.approx([20.0, 10.0, 2 * (1 + 4 * READS * 0.5)])
    assert (text.on_shards, text.in_one_process) == (64.0, 10.0)
    assert text.seconds == pytest.approx(sum(seconds) + 10)


@pytest.mark.parametrize("task", TASKS)
def test_parts_of_a_measured_text_are_what_was_measured(task) -> None:
    last = large_text.measured(task).row(-1, named=True)
    parts = large_text.parts(task, last["words"])
    assert list(parts) == list(PARTS)
    seconds = sum(part.on_shards + part.in_one_process for part in parts.values())
    assert seconds == pytest.approx(last["processor seconds"])
    assert large_text.grown(task, "types", last["words"]) == pytest.approx(last["types"])
