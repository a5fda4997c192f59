"""What the attacks on folders of runs found, in the smallest form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.attack.attack import try_command
from tests.attack.attack_runs import spoilt_run
from tests.in_process import cells_in_process


@pytest.mark.parametrize(
    ("key", "value"), [("cells", [{"x": 1}]), ("started_in", 0.5), ("golds", [3]), ("data", [[]])]
)
def test_run_with_a_damaged_plan_is_reported_without_a_traceback(
    tmp_path: Path, key: str, value: object
) -> None:
    plan = spoilt_run(tmp_path) / "plan.json"
    plan.write_text(json.dumps({**json.loads(plan.read_text()), key: value}))
    assert try_command(["report", "run", "-o", "report.html"], tmp_path) in (0, 1)


def test_run_with_damaged_scores_computes_them_again(tmp_path: Path) -> None:
    for scores in spoilt_run(tmp_path).rglob("scores-*.json"):
        scores.write_text(json.dumps([{"value": {"a": 1}}]))
    with cells_in_process():
        assert try_command(["run", "experiment.toml", "--folder", "run"], tmp_path) == 0


def test_run_json_that_is_no_text_is_a_run_of_another_schema(tmp_path: Path) -> None:
    (spoilt_run(tmp_path) / "run.json").write_bytes(b"\xff\xfe")
    with cells_in_process():
        assert try_command(["run", "experiment.toml", "--folder", "run"], tmp_path) == 1
