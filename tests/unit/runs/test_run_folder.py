"""What is kept of a cell."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from tests.unit.runs.birds import gold
from treegauge.runs.outcome import Annotation, Outcome
from treegauge.runs.run_folder import RunFolder


def test_cycles_in_an_annotation_are_part_of_the_record(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    turning = gold().replace(head=np.r_[2, 1, gold().head[2:]])
    with folder.locked():
        for key, answer in (("turning", turning), ("right", gold())):
            outcome = Outcome("done", {"test": Annotation.of(answer)})
            folder.store(key, outcome, {"test": gold()}, {})
    records = {key: folder.record(key) for key in ("turning", "right")}
    assert {key: one.flaws for key, one in records.items() if one} == {
        "turning": "cycles of 2 words in 1 sentence of test",
        "right": "",
    }
    # A cell of an older version says nothing of flaws.
    path = folder.cell("turning") / "cell.json"
    older = json.loads(path.read_text(encoding="utf-8"))
    del older["flaws"]
    path.write_text(json.dumps(older), encoding="utf-8")
    record = folder.record("turning")
    assert record is not None
    assert record.flaws == ""
