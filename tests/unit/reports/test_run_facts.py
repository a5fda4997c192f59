from __future__ import annotations

from types import SimpleNamespace

from tests.unit.results.made_up import results, row
from treegauge.reports import run_facts

DONE = SimpleNamespace(is_done=True, reason="")
BROKEN = SimpleNamespace(is_done=False, reason="failed: out of memory")


def facts_of(*rows, **records):
    known = {f"dependencies-{key.replace('_', '-')}-0": record for key, record in records.items()}
    return run_facts(results(*rows), known.get)


def test_cells_are_counted_once_however_many_metrics_they_have():
    rows = [
        row("a", "x", metric=metric, seconds=1.5, peak_memory=70.0) for metric in ("uas", "ned")
    ]
    rows += [row("b", "x", seconds=0.5, peak_memory=90.0)]
    table = facts_of(*rows, x_a=DONE, x_b=DONE).to_table()
    assert table.title == "made-up: 2 treebanks, 1 system"
    assert table.rows == [
        ["x", "dependencies", "unsupervised", 2, 0, 0, 2.0, 90.0],
        ["all", "", "", 2, 0, 0, 2.0, 90.0],
    ]


def test_failures_are_told_by_reason_and_differ_from_what_was_not_run():
    rows = [row(name, "x", None) for name in "abcde"]
    rows += [row("f", "x", None, reason="not run", seconds=None, peak_memory=None)]
    facts = facts_of(*rows, **{f"x_{name}": BROKEN for name in "abcde"})
    table = facts.to_table()
    assert table.rows[-1][3:6] == [6, 5, 1]
    assert table.notes[-1] == (
        "5 without result, failed: out of memory "
        "(x on a, seed 0, x on b, seed 0, x on c, seed 0 and 2 more)"
    )
    assert facts.to_dict()["failed"] == 5


def test_a_metric_that_does_not_fit_is_no_failure():
    facts = facts_of(row("a", "x", None, reason="the system has no HEAD"), x_a=DONE)
    assert facts.to_table().rows[-1][3:6] == [1, 0, 0]


def test_systems_stand_in_the_order_of_tracks_and_supervision():
    rows = [
        row("a", "rules", supervision="universal rules"),
        row("a", "z"),
        row("a", "tagger", track="tags", supervision="supervised"),
    ]
    assert [row[0] for row in facts_of(*rows).to_table().rows] == ["z", "rules", "tagger", "all"]
