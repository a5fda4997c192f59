from __future__ import annotations

from dataclasses import replace

from tests.unit.results.made_up import results, row
from treegauge.reports.run_facts import run_facts
from treegauge.runs.run_folder import CellRecord, PlannedCell


def record(status="done", seconds=1.0, peak_memory=None, message="", compiling=0.5):
    return CellRecord(status, seconds, 2.0, peak_memory, message, {}, compiling)


DONE = record()
TURNING = replace(DONE, flaws="cycles of 2 words in 1 sentence of test")
BROKEN = record("failed", message="out of memory")


def facts_of(*rows, **records):
    known = {f"dependencies-{key.replace('_', '-')}-0": record for key, record in records.items()}
    return run_facts(results(*rows), known.get)


def values(facts):
    return [[cell.value for cell in one.cells] for one in facts.to_table().rows]


def test_cells_are_counted_once_however_many_metrics_they_have():
    rows = [
        row("a", "x", metric=metric, seconds=1.5, peak_memory=70.0) for metric in ("uas", "ned")
    ]
    rows += [row("b", "x", seconds=0.5, peak_memory=90.0)]
    facts = facts_of(*rows, x_a=DONE, x_b=DONE)
    assert facts.to_table().title == "made-up: 2 treebanks, 1 system"
    assert [one.total for one in facts.to_table().rows] == [False, True]
    assert values(facts) == [
        ["x", "dependencies", "unsupervised", 2, 0, 0, 2.0, 90.0],
        ["all", "", "", 2, 0, 0, 2.0, 90.0],
    ]


def test_failures_are_told_by_reason_and_differ_from_what_was_not_run():
    rows = [row(name, "x", None) for name in "abcde"]
    rows += [row("f", "x", None, reason="not run", seconds=None, peak_memory=None)]
    facts = facts_of(*rows, **{f"x_{name}": BROKEN for name in "abcde"})
    table = facts.to_table()
    assert values(facts)[-1][3:6] == [6, 5, 1]
    assert table.notes[-1] == (
        "5 without result, failed: out of memory "
        "(x on a, seed 0, x on b, seed 0, x on c, seed 0 and 2 more)"
    )
    assert facts.to_dict()["failed"] == 5


def test_cycles_in_an_annotation_stand_in_the_footer():
    facts = facts_of(row("a", "x"), row("b", "x"), x_a=TURNING, x_b=DONE)
    assert facts.to_table().notes[-1] == (
        "x on a, seed 0: cycles of 2 words in 1 sentence of test: counted as wrong"
    )
    assert [*facts.to_dict()["flaws"]] == ["x on a, seed 0"]


def test_what_is_not_known_is_not_zero():
    timeout = row("a", "x", None, seconds=5.0, peak_memory=None)
    not_run = row("a", "y", None, reason="not run", seconds=None, peak_memory=None)
    facts = facts_of(timeout, not_run, x_a=BROKEN)
    assert [cells[-2:] for cells in values(facts)] == [
        *([5.0, None], [None, None], [5.0, None]),
    ]
    document = facts.to_dict()
    assert (document["seconds"], document["peak_memory"]) == (5.0, None)
    assert [(one["seconds"], one["peak_memory"]) for one in document["systems"]] == [
        *((5.0, None), (None, None)),
    ]


def test_all_points_of_a_grid_count_each_once():
    """Of two, the first was chosen under both seeds; the other failed under one."""
    rows = [row("a", "x", seed=seed, cell="first", seconds=1.5) for seed in (1, 2)]
    planned = [
        PlannedCell(key, "dependencies", "x", "dev-tuned", "a", seed, point)
        for seed, other in ((1, "second"), (2, "third"))
        for key, point in (("first", "k=1"), (other, "k=2"))
    ]
    known = {
        "first": DONE,
        "second": record(seconds=4.0, peak_memory=200.0),
        "third": record("failed", 2.0, message="bad"),
    }
    facts = run_facts(results(*rows), known.get, planned)
    assert values(facts)[0] == ["x", "dependencies", "dev-tuned", 3, 1, 0, 7.5, 200.0]
    assert facts.failures == {"failed: bad": ["x (k=2) on a, seed 2"]}


def test_a_metric_that_does_not_fit_is_no_failure():
    facts = facts_of(row("a", "x", None, reason="the system has no HEAD"), x_a=DONE)
    assert values(facts)[-1][3:6] == [1, 0, 0]


def test_systems_stand_in_the_order_of_tracks_and_supervision():
    rows = [
        row("a", "rules", supervision="universal rules"),
        row("a", "z"),
        row("a", "tagger", track="tags", supervision="supervised"),
    ]
    assert [row[0] for row in values(facts_of(*rows))] == ["z", "rules", "tagger", "all"]


def test_seconds_of_older_cells_say_that_they_include_compilation():
    rows = [row(system="x", treebank="a"), row(system="x", treebank="b")]
    cells = sorted(set(results(*rows)["cell"]))
    known = {cells[0]: record(compiling=None), cells[1]: record()}
    facts = run_facts(results(*rows), known.get)
    assert facts.systems[0].with_compilation == 1
    assert "the seconds of 1 older cell include compilation" in facts.to_table().notes
    known[cells[0]] = record()
    assert len(run_facts(results(*rows), known.get).to_table().notes) == 1
