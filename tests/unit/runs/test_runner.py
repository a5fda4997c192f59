from __future__ import annotations

import errno
import json
import math
import time
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import treegauge as tg
from tests.in_process import cells_in_process
from tests.unit.runs.small_banks import write_bank
from treegauge.catalogue import Catalogue
from treegauge.formats import FormatError
from treegauge.reports.run_facts import run_facts
from treegauge.results.long_table import COLUMNS, MEASURED, read_long_table
from treegauge.runs import Experiment, ExperimentError, Run, RunFolder, look_ahead, run
from treegauge.runs.clock import Clock
from treegauge.runs.planning import make_plan
from treegauge.runs.runner import default_workers
from treegauge.runs.tasks import Task
from treegauge.systems import SystemsError, make_system
from treegauge.toys import toy_parts

CATALOGUE = Catalogue()


def experiment(*treebanks, systems=("left-branching",), **more) -> Experiment:
    document = {
        "name": "test",
        "treebanks": [str(one) for one in treebanks],
        "systems": list(systems),
        "resamples": 10,
        **more,
    }
    return Experiment.from_dict(document)


def go(made: Experiment, folder: Path, **options) -> Run:
    return run(made, folder, catalogue=CATALOGUE, **options)


def assert_same(first: pl.DataFrame, second: pl.DataFrame) -> None:
    assert_frame_equal(first.drop(MEASURED), second.drop(MEASURED), check_exact=True)


def values(table: pl.DataFrame, metric: str) -> dict[tuple, float]:
    rows = table.filter(pl.col("metric") == metric).iter_rows(named=True)
    return {(row["treebank"], row["system"], row["seed"]): row["value"] for row in rows}


ODD = {"system": "odd"}
LEFT = {**ODD, "label": "l", "settings": {"how": "left"}}
RIGHT = {**ODD, "label": "r", "settings": {"how": "right"}}


# ---------------------------------------------------------------------- the table


@pytest.mark.parametrize("seeds", [[1], pytest.param([1, 2], marks=pytest.mark.slow)])
def test_one_and_two_workers_give_the_same(banks, tmp_path, seeds):
    systems = [{"system": "random", "seeds": seeds}]
    made = experiment(*banks, systems=systems, by=["relation"])
    one = go(made, tmp_path / "one", workers=1)
    two = go(made, tmp_path / "two", workers=2)
    cells = 2 * len(seeds)
    assert (one.cells, one.run_now, one.failures) == (cells, cells, ())
    assert_same(one.table, two.table)
    assert list(one.table.columns) == list(COLUMNS)
    assert (one.table["seconds"] > 0).all()
    assert (one.table["peak_memory"] > 10).all()
    assert_frame_equal(read_long_table(tmp_path / "one" / "results.parquet"), one.table)


def test_rows_say_what_evaluation_says(bank, tmp_path, in_process):
    made = experiment(bank, metrics=["uas", "ned@10"], by=["relation"])
    table = go(made, tmp_path / "run", executor=in_process).table
    gold = tg.read(bank / "test.conllu", name="birds")
    from treegauge.systems import make_system

    system = make_system("left-branching").annotate(gold)
    expected = tg.evaluate(
        gold, system, metrics=["uas", "ned@10"], conventions=tg.preset("pascal"), resamples=10
    )
    whole = table.filter(pl.col("by") == "")
    assert whole.height == 2
    for row in whole.iter_rows(named=True):
        score = expected[row["metric"]]
        assert (row["value"], row["low"], row["high"], row["n"]) == (
            score.value,
            score.low,
            score.high,
            score.n,
        )
        assert row["signature"] == f"{score.signature}|fit_on:nothing|track:dependencies"
        assert row["reason"] == ""
    by_relation = table.filter((pl.col("by") == "relation") & (pl.col("metric") == "uas"))
    assert by_relation["n"].sum() == expected["uas"].n
    assert "nsubj" in by_relation["stratum"]
    first = table.row(0, named=True)
    assert (first["experiment"], first["track"], first["treebank"], first["split"]) == (
        "test",
        "dependencies",
        "birds",
        "test",
    )
    assert (first["system"], first["method"], first["settings"], first["supervision"]) == (
        "left-branching",
        "left-branching",
        "{}",
        "unsupervised",
    )


def test_several_scores_and_tracks_in_one_table(bank, tmp_path, in_process):
    made = experiment(
        bank,
        systems=["left-branching", "most-frequent-tag"],
        scores=[{"preset": "conll2018", "metrics": ["uas", "upos"]}, {"tags": "u12"}],
    )
    table = go(made, tmp_path / "run", executor=in_process).table
    found = {
        (row["preset"], row["tags"], row["system"], row["metric"]): row["reason"]
        for row in table.iter_rows(named=True)
    }
    assert found["conll2018", "u", "left-branching", "uas"] == ""
    assert found["conll2018", "u", "most-frequent-tag", "upos"] == ""
    # Tags that a parser was given are not its merit.
    assert found["conll2018", "u", "left-branching", "upos"] == (
        "upos does not score the dependencies track"
    )
    assert ("pascal", "u12", "left-branching", "uas@10") in found
    assert ("pascal", "u12", "most-frequent-tag", "upos") in found


def test_a_metric_that_lacks_a_column_does_not_cost_the_others(bank, tmp_path, in_process):
    table = go(experiment(bank, metrics=["las", "uas"]), tmp_path / "r", executor=in_process).table
    las, uas = table.sort("metric").iter_rows(named=True)
    assert math.isnan(las["value"])
    assert las["reason"] == "the system has no DEPREL"
    assert uas["value"] > 0


def test_strata_that_cannot_be_had_do_not_cost_the_others(bank, tmp_path, in_process):
    made = experiment(bank / "test.conllu", metrics=["uas"], by=["known", "relation"])
    table = go(made, tmp_path / "run", executor=in_process).table
    (known,) = table.filter(pl.col("by") == "known").iter_rows(named=True)
    assert math.isnan(known["value"])
    assert "training" in known["reason"]
    assert table.filter(pl.col("by") == "relation").height > 3


def test_strata_that_need_training_data_follow_it(bank, tmp_path, in_process):
    made = experiment(bank, metrics=["uas"], by=["known"])
    before = go(made, tmp_path / "run", executor=in_process).table
    (bank / "train.conllu").write_bytes((bank / "test.conllu").read_bytes())
    after = go(made, tmp_path / "run", executor=in_process)
    assert after.run_now == 0
    assert set(before.filter(pl.col("by") == "known")["stratum"]) > set(
        after.table.filter(pl.col("by") == "known")["stratum"]
    )


def test_odd_names(tmp_path, in_process):
    bank = write_bank(tmp_path / "Zürich, 2 (α)|β")
    label = 'l/r: [bold]\n"quoted" 💥'
    made = experiment(bank, systems=[{"system": "left-branching", "label": label}])
    done = go(made, tmp_path / "run", executor=in_process)
    assert done.failures == ()
    assert set(done.table["treebank"]) == {"Zürich, 2 (α)|β"}
    assert set(done.table["system"]) == {label}


def test_an_empty_part_was_run_and_never_scored(tmp_path, in_process):
    bank = write_bank(tmp_path / "bank")
    (bank / "test.conllu").write_text("")
    with pytest.raises(FormatError, match=r"test\.conllu: \[empty-file\] expected at least one"):
        go(experiment(bank, systems=["left-branching"]), tmp_path / "run", executor=in_process)


# ---------------------------------------------------------------------- going on


def test_what_is_finished_is_not_run_again(bank, tmp_path, in_process):
    made = experiment(bank, systems=["left-branching", "random"])
    first = go(made, tmp_path / "run", executor=in_process)
    again = go(made, tmp_path / "run", executor=in_process)
    assert (first.run_now, again.run_now, len(in_process.jobs)) == (2, 0, 2)
    assert_frame_equal(first.table, again.table)
    more = experiment(bank, systems=["left-branching", {"system": "random", "seeds": [0, 1]}])
    assert go(more, tmp_path / "run", executor=in_process).run_now == 1


def test_a_file_that_changed_between_two_runs_is_read_again(bank, tmp_path, in_process):
    made = experiment(bank)
    before = go(made, tmp_path / "run", executor=in_process)
    text = (bank / "test.conllu").read_text(encoding="utf-8")
    (bank / "test.conllu").write_text(text + "1\tMore\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n")
    after = go(made, tmp_path / "run", executor=in_process)
    assert after.run_now == 1
    assert after.table["n"].sum() > before.table["n"].sum()


def test_other_gold_is_scored_without_running_anything(bank, tmp_path, in_process):
    made = experiment(bank, metrics=["uas"])
    before = go(made, tmp_path / "run", executor=in_process)
    gold = tg.read(bank / "test.conllu")
    heads = gold.head.copy()
    heads[1] = 1 if heads[1] != 1 else 3
    tg.write(gold.replace(head=heads), bank / "test.conllu")
    after = go(made, tmp_path / "run", executor=in_process)
    assert after.run_now == 0
    assert before.table["signature"][0] != after.table["signature"][0]
    assert before.table["cell"][0] == after.table["cell"][0]


def test_new_metrics_need_no_rerun(bank, tmp_path, in_process):
    go(experiment(bank, metrics=["uas"]), tmp_path / "run", executor=in_process)
    more = experiment(bank, metrics=["uas", "root"])
    done = go(more, tmp_path / "run", score_only=True)
    assert (done.run_now, done.not_run) == (0, 0)
    assert set(done.table["metric"]) == {"uas", "root"}


def test_scoring_only_runs_nothing(bank, tmp_path, in_process, monkeypatch):
    with pytest.raises(ExperimentError, match="there are no finished cells to score"):
        go(experiment(bank), tmp_path / "run", score_only=True)
    assert not (tmp_path / "run").exists()
    first = go(experiment(bank), tmp_path / "run", executor=in_process)
    again = go(experiment(bank), tmp_path / "run", score_only=True)
    assert_frame_equal(first.table, again.table)
    both = go(
        experiment(bank, systems=["left-branching", "random"]), tmp_path / "run", score_only=True
    )
    assert (both.cells, both.run_now, both.not_run, both.failures) == (2, 0, 1, ())
    assert set(both.table.filter(pl.col("system") == "random")["reason"]) == {"not run"}
    # Scores are computed anew, even those that are there.
    (scores,) = (tmp_path / "run").glob(f"cells/{first.table['cell'][0]}/scores-*.json")
    scores.write_text(json.dumps([{**row, "value": 0.5} for row in json.loads(scores.read_text())]))
    assert set(go(experiment(bank), tmp_path / "run").table["value"]) == {0.5}
    assert_frame_equal(go(experiment(bank), tmp_path / "run", score_only=True).table, first.table)


def test_interrupted_while_scoring_nothing_is_lost(banks, tmp_path, in_process, monkeypatch):
    made = experiment(*banks)
    shares = []

    def interrupt(share: float) -> None:
        shares.append(share)
        if share > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        go(made, tmp_path / "run", executor=in_process, on_scored=interrupt)
    assert not (tmp_path / "run" / "results.parquet").exists()
    done = go(made, tmp_path / "run", executor=in_process)
    assert done.run_now == 0
    assert_same(done.table, go(made, tmp_path / "other", executor=in_process).table)


def test_cut_files_are_made_again(bank, tmp_path, in_process):
    """As a power failure may leave them: the run itself never does."""
    first = go(experiment(bank), tmp_path / "run", executor=in_process)
    cell = tmp_path / "run" / "cells" / first.table["cell"][0]
    (scores,) = cell.glob("scores-*.json")
    scores.write_text(scores.read_text()[:20])
    assert_frame_equal(go(experiment(bank), tmp_path / "run").table, first.table)
    content = (cell / "test.conllu.gz").read_bytes()
    (cell / "test.conllu.gz").write_bytes(content[: len(content) // 2])
    with pytest.raises(ExperimentError, match=r"remove .* and run again"):
        go(experiment(bank), tmp_path / "run", score_only=True)
    (cell / "cell.json").write_text("{")
    assert go(experiment(bank), tmp_path / "run", executor=in_process).run_now == 1


def test_a_cell_goes_on_with_the_chains_that_are_done(bank, tmp_path, monkeypatch):
    from treegauge.systems.dependency_induction.reducibility import ReducibilityInducer

    sampled = ReducibilityInducer._sampled_chain
    numbers = []

    def interrupted(self, text, number, watch):
        if number == 1 and not numbers.count(1):
            numbers.append(number)
            raise OSError("the power is gone")
        numbers.append(number)
        return sampled(self, text, number, watch)

    chains = {"system": "reducibility", "settings": {"chains": 3, "passes": 4}}
    made = experiment(bank, systems=[chains])
    with cells_in_process():
        whole = go(made, tmp_path / "whole", workers=1).table
        monkeypatch.setattr(ReducibilityInducer, "_sampled_chain", interrupted)
        assert go(made, tmp_path / "run", workers=1).failures
        (pieces,) = (tmp_path / "run" / "pieces").iterdir()
        done_before = {path.stem for path in pieces.iterdir()}
        assert done_before == {"chain0"}
        numbers[:] = [1]
        done = go(made, tmp_path / "run", workers=1)
    assert {f"chain{number}" for number in numbers[1:]}.isdisjoint(done_before)
    assert 1 in numbers[1:]
    assert_same(done.table, whole)
    assert not pieces.exists()


# ---------------------------------------------------------------------- failing


@pytest.mark.usefixtures("odd_systems")
def test_a_cell_that_fails_is_recorded_and_the_rest_goes_on(bank, tmp_path, in_process):
    bad = {**ODD, "label": "bad", "settings": {"how": "raises"}}
    made = experiment(bank, systems=[bad, LEFT], metrics=["uas", "ned"])
    done = go(made, tmp_path / "run", executor=in_process)
    (failure,) = done.failures
    assert (failure.cell, failure.reason) == ("birds: bad", "failed: ValueError: no such bird")
    assert 'raise ValueError("no such bird' in (failure.folder / "error.txt").read_text()
    rows = done.table.filter(pl.col("system") == "bad")
    assert set(rows["metric"]) == {"uas", "ned"}
    assert rows["value"].is_nan().all()
    assert set(rows["reason"]) == {"failed: ValueError: no such bird"}
    assert done.table.filter(pl.col("system") == "l")["value"].is_not_nan().all()
    # Tried again, unless somebody does not want to.
    assert go(made, tmp_path / "run", executor=in_process, keep_failed=True).run_now == 0
    again = go(made, tmp_path / "run", executor=in_process)
    assert (again.run_now, len(again.failures)) == (1, 1)


@pytest.mark.slow
@pytest.mark.usefixtures("odd_systems")
def test_limits_hold_for_every_cell(bank, tmp_path):
    slow = {**ODD, "label": "slow", "settings": {"how": "sleeps"}}
    made = experiment(bank, systems=[slow], cell_timeout=2)
    (failure,) = go(made, tmp_path / "run").failures
    assert failure.reason == "timeout: more than 2 seconds were needed"
    hungry = {**ODD, "label": "hungry", "settings": {"how": "eats", "size": 300}}
    made = experiment(bank, systems=[hungry], cell_memory=100)
    (failure,) = go(made, tmp_path / "run").failures
    assert failure.reason == "memory: it needed more than the memory limit of 100 MiB"


def test_an_executor_that_loses_its_workers_fails_or_stops(bank, tmp_path, in_process, monkeypatch):
    from concurrent.futures import Future

    def broken(error):
        def submit(_function, _job):
            future = Future()
            future.set_exception(error)
            return future

        return submit

    monkeypatch.setattr(in_process, "submit", broken(RuntimeError("lost three times")))
    (failure,) = go(experiment(bank), tmp_path / "run", executor=in_process).failures
    assert failure.reason == "failed: RuntimeError: lost three times"
    monkeypatch.setattr(in_process, "submit", broken(OSError(errno.ENOSPC, "No space left")))
    with pytest.raises(ExperimentError, match="a cell cannot be started: no space left"):
        go(experiment(bank), tmp_path / "run", executor=in_process)


# ---------------------------------------------------------------------- tuning


def tuned(**more) -> dict:
    grid = {"how": ["left", "right"]}
    return {**ODD, "label": "tuned", "tune_on_dev": {"grid": grid, **more}}


@pytest.mark.usefixtures("odd_systems")
@pytest.mark.parametrize("chosen", ["left", "right"])
def test_settings_are_chosen_on_dev_and_only_there(bank, tmp_path, in_process, chosen):
    """Dev and test may want different settings."""
    heads = {"left": (2, 3, 0), "right": (0, 1, 2)}[chosen]
    lines = [f"{i}\tx\t_\tNOUN\t_\t_\t{head}\tdep\t_\t_\n" for i, head in enumerate(heads, 1)]
    (bank / "dev.conllu").write_text("".join(lines) + "\n")
    made = experiment(bank, systems=[LEFT, RIGHT, tuned(metric="uas")], metrics=["uas"])
    done = go(made, tmp_path / "run", executor=in_process)
    on_test = values(done.table, "uas")
    assert on_test["birds", "l", 0] > on_test["birds", "r", 0]
    assert on_test["birds", "tuned", 0] == on_test["birds", chosen[0], 0]
    (row,) = done.table.filter(pl.col("system") == "tuned").iter_rows(named=True)
    assert row["supervision"] == "dev-tuned"
    assert json.loads(row["settings"])["how"] == chosen
    assert set(done.table.filter(pl.col("system") == "l")["supervision"]) == {"unsupervised"}


@pytest.mark.usefixtures("odd_systems")
def test_what_was_tried_and_not_chosen_is_part_of_the_cost(bank, tmp_path, in_process):
    done = go(experiment(bank, systems=[LEFT, tuned()]), tmp_path / "run", executor=in_process)
    place = RunFolder(done.folder)
    assert [(cell.system, cell.point) for cell in place.planned] == [
        *(("l", ""), ("tuned", "how=left"), ("tuned", "how=right")),
    ]
    records = [place.record(cell.key) for cell in place.planned]
    facts = {one.system: one for one in run_facts(done.table, place.record, place.planned).systems}
    assert (facts["l"].cells, facts["tuned"].cells) == (1, 2)
    assert facts["tuned"].seconds == pytest.approx(sum(one.seconds for one in records[1:]))
    # Another experiment has another table, and another plan.
    go(experiment(bank, systems=[LEFT], name="other"), tmp_path / "run", executor=in_process)
    assert (place.experiment, len(place.planned)) == ("other", 1)
    place.results.unlink()
    assert (place.experiment, place.planned) == ("", [])


@pytest.mark.usefixtures("odd_systems")
def test_no_system_sees_dev_gold(bank, tmp_path, in_process):
    notes = tmp_path / "notes"
    system = {**tuned(), "settings": {"place": str(notes)}}
    go(experiment(bank, systems=[system]), tmp_path / "run", executor=in_process)
    assert notes.read_text().splitlines() == ["0 left False", "0 right False"]
    assert [sorted(job.targets) for job in in_process.jobs] == [["dev", "test"]] * 2
    for job in in_process.jobs:
        for treebank in (job.fit, *job.targets.values()):
            assert not treebank.has_heads
            assert not treebank.deprel.is_annotated


@pytest.mark.usefixtures("odd_systems")
def test_points_that_fail_are_not_chosen(bank, tmp_path, in_process):
    grid = {"how": ["raises", "left"]}
    system = {**ODD, "label": "tuned", "tune_on_dev": {"grid": grid}}
    done = go(experiment(bank, systems=[system]), tmp_path / "run", executor=in_process)
    assert [failure.cell for failure in done.failures] == ["birds: tuned (how=raises)"]
    assert done.table["value"].is_not_nan().all()
    grid = {"how": ["raises", "raises-nothing"]}
    system = {**ODD, "label": "tuned", "tune_on_dev": {"grid": grid}}
    done = go(experiment(bank, systems=[system]), tmp_path / "run", executor=in_process)
    assert len(done.failures) == 2
    assert set(done.table["reason"]) == {"failed: ValueError: no such bird"}


@pytest.mark.usefixtures("odd_systems")
def test_a_metric_that_cannot_choose_is_said_to(bank, tmp_path, in_process):
    made = experiment(bank, systems=[tuned(metric="las")])
    with pytest.raises(ExperimentError, match=r"cannot be chosen by las on dev: the system has no"):
        go(made, tmp_path / "run", executor=in_process)


# ---------------------------------------------------------------------- blindness

SECRETS = """\
# goldcomment
1	visible	goldlemma	NOUN	goldtag	Goldfeature=Yes	9	goldrel	_	goldmisc
2	b	_	NOUN	goldtag	_	8	goldrel	_	_
3	c	_	NOUN	goldtag	_	1	goldrel	_	_
4	d	_	NOUN	goldtag	_	3	goldrel	_	_
5	e	_	NOUN	goldtag	_	4	goldrel	_	_
6	f	_	NOUN	goldtag	_	5	goldrel	_	_
7	g	_	NOUN	goldtag	_	6	goldrel	_	_
8	h	_	NOUN	goldtag	_	7	goldrel	_	_
9	i	_	NOUN	goldtag	_	0	root	_	_

"""


@pytest.mark.usefixtures("odd_systems")
def test_a_system_that_peeks_finds_nothing(tmp_path, monkeypatch):
    """Not in its treebank, its memory, its files, its environment, nor beside them."""
    bank = tmp_path / "data" / "secrets"
    bank.mkdir(parents=True)
    for part in ("train", "dev", "test"):
        (bank / f"{part}.conllu").write_text(SECRETS)
    monkeypatch.setenv("TREEGAUGE_DATA", str(bank.parent))
    peeking = [
        {"system": "peeking", "label": task, "settings": {"task": task}}
        for task in ("dependencies", "tags")
    ]
    shown = {"task": "tags", "supervised": True}
    peeking.append({"system": "peeking", "label": "shown", "settings": shown})
    made = experiment("secrets", systems=peeking)
    done = run(made, tmp_path / "run")
    failure, *others = reversed(done.failures)
    assert others == []
    # It finds what there is to be found: the test can fail.
    assert failure.cell == "secrets: shown"
    assert failure.reason.startswith("failed: gold was found: a treebank with heads, comment in m")
    for what in ("relation", "misc", "heads", "tag", "lemma", "feature"):
        assert f"{what} in memory" in failure.reason


# ---------------------------------------------------------------------- the folder


def test_a_second_run_of_a_folder_says_so(bank, tmp_path, in_process):
    with (
        RunFolder(tmp_path / "run").locked(),
        pytest.raises(ExperimentError, match="run: another run is using this folder"),
    ):
        go(experiment(bank), tmp_path / "run", executor=in_process)
    assert go(experiment(bank), tmp_path / "run", executor=in_process).run_now == 1


def test_a_folder_of_another_schema_is_left_alone(bank, tmp_path, in_process):
    go(experiment(bank), tmp_path / "run", executor=in_process)
    for text in ('{"schema": 99}', "[]", "nonsense"):
        (tmp_path / "run" / "run.json").write_text(text)
        with pytest.raises(ExperimentError, match=r"a run of schema (99|unknown); this version"):
            go(experiment(bank), tmp_path / "run", executor=in_process)
    assert (tmp_path / "run" / "run.json").read_text() == "nonsense"


def test_a_cell_of_another_schema_is_run_again(bank, tmp_path, in_process):
    done = go(experiment(bank), tmp_path / "run", executor=in_process)
    path = tmp_path / "run" / "cells" / done.table["cell"][0] / "cell.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "schema": 0}))
    assert go(experiment(bank), tmp_path / "run", executor=in_process).run_now == 1


@pytest.mark.parametrize(
    "damage", [{"elapsed": "long"}, {"status": 1}, {"about": None}, {"more": 1}, {"seconds": [1]}]
)
def test_a_damaged_record_of_a_cell_gave_a_traceback(bank, tmp_path, in_process, damage):
    done = go(experiment(bank), tmp_path / "run", executor=in_process)
    folder = tmp_path / "run" / "cells" / done.table["cell"][0]
    path = folder / "cell.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **damage}))
    for scores in folder.glob("scores-*.json"):
        scores.write_text('{"no": "table"}')
    again = go(experiment(bank), tmp_path / "run", executor=in_process)
    assert again.run_now == 1
    assert_same(again.table, done.table)


def test_damaged_scores_of_a_cell_gave_a_traceback(bank, tmp_path, in_process):
    done = go(experiment(bank), tmp_path / "run", executor=in_process)
    for scores in tmp_path.glob("run/cells/*/scores-*.json"):
        scores.write_text("[1, 2]")
    again = go(experiment(bank), tmp_path / "run", executor=in_process)
    assert again.run_now == 0
    assert_same(again.table, done.table)


def test_a_folder_that_cannot_be_written_is_named(bank, tmp_path, in_process, monkeypatch):
    (tmp_path / "file").touch()
    with pytest.raises(
        ExperimentError,
        match=r"file: cannot be written: (is a file|file exists).*\n  name another folder",
    ):
        go(experiment(bank), tmp_path / "file", executor=in_process)

    def full(*_args, **_kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("treegauge.runs.run_folder.write", full)
    with pytest.raises(ExperimentError, match="written: no space left on device\n  finished cells"):
        go(experiment(bank), tmp_path / "run", executor=in_process)
    assert list((tmp_path / "run" / "cells").iterdir()) == []


def test_the_experiment_is_kept_as_it_was_given(bank, tmp_path, in_process):
    path = tmp_path / "mine.toml"
    path.write_text(f'# why\ntreebanks = ["{bank}"]\nsystems = ["left-branching"]\n')
    go(Experiment.from_toml(path), tmp_path / "run", executor=in_process)
    assert (tmp_path / "run" / "experiment.toml").read_text() == path.read_text()


@pytest.mark.usefixtures("odd_systems")
def test_what_is_in_a_folder_of_a_cell(bank, tmp_path):
    system = {**ODD, "settings": {"how": "prints-little"}}
    done = go(experiment(bank, systems=[system]), tmp_path / "run")
    cell = tmp_path / "run" / "cells" / done.table["cell"][0]
    assert sorted(path.name.partition("-")[0] for path in cell.iterdir()) == [
        "cell.json",
        "output.txt",
        "scores",
        "test.conllu.gz",
    ]
    assert (cell / "output.txt").read_text() == "hello from a cell\nand its errors\n"
    annotated = tg.read(cell / "test.conllu.gz")
    assert annotated.form == tg.read(bank / "test.conllu").form
    assert json.loads((cell / "cell.json").read_text())["about"]["settings"]["size"] == 1
    left = {path.name for path in (tmp_path / "run").iterdir()}
    assert left - {".lock"} == {"run.json", "results.parquet", "plan.json", "cells"}


# ---------------------------------------------------------------------- time


def test_a_plan_can_be_seen_without_doing_anything(bank, tmp_path):
    outlook = look_ahead(experiment(bank), tmp_path / "run", catalogue=CATALOGUE, workers=3)
    assert [str(cell) for cell in outlook.waiting] == ["birds: left-branching"]
    assert (outlook.workers, outlook.threads) == (3, 1)
    assert 0 < outlook.seconds < 10
    assert not (tmp_path / "run").exists()
    for options in ({"workers": 0}, {"threads": 0}):
        for function in (look_ahead, run):
            with pytest.raises(ExperimentError, match="at least one worker"):
                function(experiment(bank), tmp_path / "run", catalogue=CATALOGUE, **options)


def test_cores_are_shared_by_threads():
    assert default_workers(1) >= default_workers(2) >= default_workers(10_000) == 1


def test_progress_is_told(banks, tmp_path, in_process):
    told = []
    go(experiment(*banks), tmp_path / "run", executor=in_process, on_progress=told.append)
    assert [(one.done, one.failed, one.total) for one in told if one.last] == [
        (1, 0, 2),
        (2, 0, 2),
    ]
    assert [one.last for one in told if one.last] == [
        "birds: left-branching",
        "fish: left-branching",
    ]
    assert told[0].running == ("birds: left-branching",)
    assert told[-1].seconds_left == 0


class Pretended:
    """A run whose cells take a known time, on a machine that is much slower than guessed."""

    def __init__(self, cells, workers: int, speed: float) -> None:
        self.clock, self.cells, self.workers, self.speed = Clock(workers), cells, workers, speed

    def seconds(self, cell) -> float:
        # Not what the guess says: there is a part that does not depend on the words.
        return self.speed * (0.4 + cell.guessed_seconds**1.1)

    def truly(self, cells) -> float:
        free = [0.0] * self.workers
        for cell in cells:
            free.sort()
            free[0] += self.seconds(cell)
        return max(free)


@pytest.fixture(scope="module")
def many_cells(tmp_path_factory):
    folder = tmp_path_factory.mktemp("banks")
    banks = [write_bank(folder / name, f"toy:{name}") for name in ("svo", "sov")]
    systems = [{"system": "random", "seeds": list(range(20))}, "most-frequent-tag", "udp"]
    plan = make_plan(experiment(*banks, "toy:svo", systems=systems), CATALOGUE)
    return [Task(cell) for cell in plan.cells]


@pytest.mark.parametrize("workers", [1, 2, 8])
@pytest.mark.parametrize("speed", [0.05, 1, 20])
def test_the_time_is_estimated_within_a_factor_of_three_after_the_first_cells(
    many_cells, workers, speed
):
    cells = many_cells
    pretended = Pretended(cells, workers, speed)
    for number, cell in enumerate(cells[:-workers]):
        pretended.clock.learn(cell, pretended.seconds(cell))
        if number >= 2:
            left = cells[number + 1 :]
            ratio = pretended.clock.estimate(left) / pretended.truly(left)
            assert 1 / 3 < ratio < 3


def test_a_run_that_goes_on_knows_how_long_cells_take(bank, tmp_path, in_process):
    made = experiment(bank, systems=[{"system": "random", "seeds": [1]}])
    done = go(made, tmp_path / "run", executor=in_process)
    path = tmp_path / "run" / "cells" / done.table["cell"][0] / "cell.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "elapsed": 1000.0}))
    more = experiment(bank, systems=[{"system": "random", "seeds": [1, 2, 3]}])
    outlook = look_ahead(more, tmp_path / "run", catalogue=CATALOGUE, workers=1)
    assert outlook.seconds == pytest.approx(2000)


@pytest.mark.slow
def test_real_cells_take_about_what_was_estimated(bank, tmp_path):
    told = []
    made = experiment(bank, systems=[{"system": "random", "seeds": list(range(6))}])
    begin = time.monotonic()
    go(made, tmp_path / "run", on_progress=lambda one: told.append((time.monotonic(), one)))
    end = time.monotonic()
    after_two = next((at, one) for at, one in told if one.done >= 2)
    really, estimated = end - after_two[0], after_two[1].seconds_left
    assert estimated / 3 < really < estimated * 3, (begin, told)


def test_a_plan_is_not_told_before_all_is_known_to_be_in_order(bank, tmp_path):
    told = []
    bad = replace(experiment(bank), treebanks=(str(bank), "nothing"))
    with pytest.raises(tg.CatalogueError, match="unknown treebank 'nothing'"):
        go(bad, tmp_path / "run", on_plan=told.append)
    assert told == []
    assert not (tmp_path / "run").exists()


# ---------------------------------------------------------------------- models


def test_a_model_is_kept_where_the_experiment_says_so(tmp_path):
    parts = toy_parts("toy:svo", tokens=800)
    catalogue = Catalogue(treebanks={"toy:svo": parts})
    dmv = {"system": "dmv", "settings": {"iterations": 3}, "fit_on": "train"}
    plain = experiment("toy:svo", systems=[dmv])
    keeping = experiment("toy:svo", systems=[{**dmv, "keep_model": True}])
    assert run(plain, tmp_path, catalogue=catalogue).run_now == 1
    # The cell is there, but not what it has learnt.
    assert run(keeping, tmp_path, catalogue=catalogue).run_now == 1
    assert run(keeping, tmp_path, catalogue=catalogue).run_now == 0

    folder = RunFolder(tmp_path)
    (cell,) = folder.planned
    system = folder.fitted_system(cell.key)
    fitted = make_system("dmv", {"iterations": 3}).fit(parts["train"])
    assert (system.grammar.attach == fitted.grammar.attach).all()
    said = folder.annotation(cell.key, "test")
    assert said.head.tolist() == system.annotate(parts["test"]).head.tolist()
    (without,) = make_plan(plain, catalogue).cells
    with pytest.raises(SystemsError, match="cannot be read: no such file"):
        folder.fitted_system(without.key)
