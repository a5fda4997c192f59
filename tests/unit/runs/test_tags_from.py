"""Experiments over the tags of taggers: what rows say of them, and when results are stale."""

from __future__ import annotations

import json

import pytest

from treegauge.catalogue import Catalogue
from treegauge.runs import Experiment, cell as cell_module, run
from treegauge.runs.cell import Cell
from treegauge.runs.planning import make_plan
from treegauge.systems import find_system

pytestmark = pytest.mark.long

SETTINGS = {"tags_from": "most-frequent-tag", "inducer": "left-branching"}
OVER_TAGS = {"system": "tags-then-trees", "settings": SETTINGS}


def experiment(bank, *systems) -> Experiment:
    return Experiment.from_dict(
        {"name": "tags", "treebanks": [str(bank)], "systems": list(systems), "resamples": 0}
    )


def cell(bank, system) -> Cell:
    (found,) = make_plan(experiment(bank, system), Catalogue()).cells
    return found


def test_rows_say_where_tags_came_from(bank, tmp_path, in_process):
    made = experiment(bank, OVER_TAGS)
    done = run(made, tmp_path / "run", catalogue=Catalogue(), executor=in_process)
    assert done.failures == ()
    row = done.table.row(0, named=True)
    assert json.loads(row["settings"]) == SETTINGS
    assert (row["track"], row["supervision"]) == ("joint", "supervised")
    assert row["system"] == ("tags-then-trees(tags_from=most-frequent-tag, inducer=left-branching)")
    signatures = [text for text in done.table["signature"] if text]
    assert signatures
    assert all(text.endswith("|tags_from:most-frequent-tag") for text in signatures)
    # Gold is for learning only.
    (job,) = in_process.jobs
    assert not any(target.upos.is_annotated for target in job.targets.values())


@pytest.mark.parametrize("part", ["most-frequent-tag", "left-branching"])
def test_another_code_of_a_part_makes_results_stale(bank, monkeypatch, part):
    before, alone = cell(bank, OVER_TAGS).key, cell(bank, "random").key
    version = cell_module.code_version
    changed = find_system(part).module

    def newer(module: str) -> str:
        return "newer" if module == changed else version(module)

    monkeypatch.setattr(cell_module, "code_version", newer)
    assert cell(bank, OVER_TAGS).key != before
    assert cell(bank, "random").key == alone
