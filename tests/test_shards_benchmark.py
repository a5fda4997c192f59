"""The parts of counting on shards, as the benchmark tells them apart."""

from __future__ import annotations

import pytest

from benchmarks.shards import PARTS, TASKS, generate, parts


@pytest.mark.parametrize("task", TASKS)
def test_every_part_of_a_task_is_found(tmp_path, task) -> None:
    """By the progress that tasks report; were it divided in another way, a part would be empty."""
    text = tmp_path / "text"
    text.mkdir()
    generate(text, 30_000)
    rows = parts(task, text, tmp_path)
    assert [row["part"] for row in rows] == list(PARTS)
    reading, counting, merging, model = rows
    assert all(row["on shards"] > 0 for row in (reading, counting, merging))
    assert model["in one process"] > model["on shards"]
    assert reading["on shards"] > reading["in one process"]
    assert 0 < reading["disk megabytes"] < counting["disk megabytes"] < merging["disk megabytes"]
