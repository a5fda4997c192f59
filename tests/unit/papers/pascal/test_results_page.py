"""What a run of the challenge measured, kept in docs/data, and the pages made from it."""

from __future__ import annotations

import gzip
import shutil
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from typer import Exit

from studies import challenge, measured as kept_tables, reproduced, results_page
from tests.in_process import cells_in_process
from treegauge.papers.paper import Measurements
from treegauge.papers.pascal.penn import PENN
from treegauge.papers.pascal.settings import PascalSettings
from treegauge.papers.pascal.tables import full_tables, tree_tables
from treegauge.reports.run_facts import run_facts
from treegauge.runs import Experiment, RunFolder, run

pytestmark = pytest.mark.long


def cells_in(folder: Path) -> pl.DataFrame:
    return challenge.cells_of(RunFolder(folder), RunFolder(folder).planned)


@pytest.fixture
def kept(measured, run_folder, tmp_path, monkeypatch) -> Measurements[PascalSettings]:
    monkeypatch.setattr(kept_tables, "FOLDER", tmp_path)
    monkeypatch.setattr(reproduced, "FOLDER", tmp_path)
    challenge.keep(measured, cells_in(run_folder))
    kept = challenge.kept()
    assert kept is not None
    return kept


def test_nothing_is_kept_where_nothing_was_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(reproduced, "FOLDER", tmp_path)
    assert challenge.kept() is None


def test_tables_of_what_is_kept_are_those_of_the_run(measured, kept):
    for one, other in zip(full_tables(kept), full_tables(measured), strict=True):
        assert one.to_text(width=120) == other.to_text(width=120)
    scores = measured.frames["scores"]
    names = scores.columns[:-1]
    assert_frame_equal(kept.frames["scores"], scores, check_row_order=False, abs_tol=1e-6)
    assert names == kept.frames["scores"].columns[:-1]


def test_costs_of_what_is_kept_are_those_of_the_run(measured, kept, run_folder):
    place = RunFolder(run_folder)
    facts = run_facts(measured.frames["results"], place.record, place.planned)
    ours, theirs = (
        {one.system: (one.cells, one.failed, one.not_run) for one in made.systems}
        for made in (challenge.facts(kept), facts)
    )
    assert ours == theirs
    seconds = challenge.facts(kept).to_dict()["seconds"]
    assert seconds == pytest.approx(facts.to_dict()["seconds"], abs=1e-4)


def test_parts_of_the_challenge_are_kept_together(measured, run_folder, tmp_path, monkeypatch):
    monkeypatch.setattr(kept_tables, "FOLDER", tmp_path)
    monkeypatch.setattr(reproduced, "FOLDER", tmp_path)
    wholes = []
    for treebank in ("svo", "sov", "svo"):  # the third time, what is there is replaced
        is_one = pl.col("treebank") == treebank
        frames = {
            name: frame.filter(is_one)
            for name, frame in measured.frames.items()
            if name not in ("scores", challenge.CELLS)
        }
        if treebank == "sov":
            frames["results"] = frames["results"].filter(pl.col("system") != "dmv (u)")
        challenge.keep(replace(measured, frames=frames), cells_in(run_folder))
        kept = challenge.kept()
        assert kept is not None
        wholes.append(challenge.is_whole(kept))
    assert wholes == [True, False, False]
    challenge.keep(measured, cells_in(run_folder))
    kept = challenge.kept()
    assert kept is not None
    assert challenge.is_whole(kept)
    for name, frame in kept.frames.items():
        if name in measured.frames:
            assert frame.height == measured.frames[name].height, name


def test_a_cell_that_was_run_stays_when_another_run_has_not_come_to_it(
    measured, kept, run_folder, tmp_path
):
    challenge.keep(
        measured, challenge.cells_of(RunFolder(tmp_path / "empty"), RunFolder(run_folder).planned)
    )
    again = challenge.kept()
    assert again is not None
    assert_frame_equal(again.frames[challenge.CELLS], kept.frames[challenge.CELLS])


def test_a_challenge_with_cells_to_come_is_not_whole(kept):
    cells = kept.frames[challenge.CELLS]
    waiting = cells.with_columns(pl.lit("").alias("status"))
    assert challenge.is_whole(kept)
    frames = {**kept.frames, challenge.CELLS: waiting}
    assert not challenge.is_whole(replace(kept, frames=frames))


def test_pages_show_finished_systems_and_name_the_others(measured, kept, run_folder, monkeypatch):
    frames = reproduced.kept(challenge.NAME).frames
    is_one = (pl.col("system") == "dmv (u)") & (pl.col("treebank") == "sov")
    status = pl.when(is_one).then(pl.lit("")).otherwise("status").alias("status")
    cells = frames[challenge.CELLS].with_columns(status)
    assert (cells["status"] == "").sum() == 1
    part = replace(measured, frames={**frames, challenge.CELLS: cells})
    monkeypatch.setattr(reproduced, "kept", {challenge.NAME: part}.get)
    seen = challenge.kept()
    assert seen is not None
    assert not challenge.is_whole(seen)
    systems = set(kept.frames["results"]["system"])
    assert set(seen.frames["results"]["system"]) == systems - {"dmv (u)"}
    text = results_page.challenge_texts(seen)["dependencies"]()
    assert "Not measured yet: `dmv (u)`." in text
    assert "| dmv (u) |" not in text
    whole = results_page.challenge_texts(kept)["dependencies"]()
    assert "Not measured yet" not in whole
    assert "| dmv (u) |" in whole
    waiting = cells.filter(status="").with_columns(pl.lit(PENN).alias("treebank"))
    on_penn = pl.concat([frames[challenge.CELLS], waiting])
    part = replace(part, frames={**frames, challenge.CELLS: on_penn})
    monkeypatch.setattr(reproduced, "kept", {challenge.NAME: part}.get)
    seen = challenge.kept()
    assert seen is not None
    assert not challenge.is_whole(seen)
    text = results_page.challenge_texts(seen)["dependencies"]()
    assert "Not measured yet on the Penn sample: `dmv (u)`." in text
    assert "| dmv (u) |" in text
    none = cells.with_columns(pl.lit("").alias("status"))
    nothing = replace(part, frames={**frames, challenge.CELLS: none})
    monkeypatch.setattr(reproduced, "kept", {challenge.NAME: nothing}.get)
    assert challenge.kept() is None


def test_the_penn_sample_is_kept_beside_the_other_treebanks(measured, kept, run_folder):
    penn = measured.frames["results"].filter(pl.col("treebank") == "svo")
    penn = penn.with_columns(pl.lit(PENN).alias("treebank"))
    parts = measured.frames["treebanks"].filter(pl.col("treebank") == "svo")
    frames = {**measured.frames, "penn": penn, "penn_treebank": parts}
    challenge.keep(replace(measured, frames=frames), cells_in(run_folder))
    challenge.keep(measured, cells_in(run_folder))  # a run without it leaves it
    both = challenge.kept()
    assert both is not None
    assert both.frames["penn"].height == penn.height
    assert_frame_equal(both.frames["penn_treebank"], parts)
    assert both.frames["results"].height == kept.frames["results"].height
    of_relations = both.frames["scores"].filter(table=6)
    assert set(of_relations["test_set"]) == {"en-ptb"}


def test_the_pages_have_all_numbers_of_the_challenge_and_keep_what_people_wrote(measured, kept):
    written = "we think that this is fine\n"
    texts = results_page.challenge_texts(kept)
    assert set(texts) == set(results_page.OF_CHALLENGE)
    names = [*results_page.OF_CHALLENGE, "seeds"]
    empty = "".join(f"<!-- numbers: {name} -->\n<!-- end -->\n" for name in names)
    page = results_page.with_texts(empty + written, names, texts)
    assert page.endswith(written)
    for name in names:
        text = page.partition(f"<!-- numbers: {name} -->\n")[2].partition("<!-- end -->")[0]
        assert ("|" in text and "Measured at commit `" in text) == (name != "seeds")
    value = next(row.common.value for row in tree_tables(measured, "dependencies")[0].systems)
    assert f"{100 * value:.2f}" in page
    assert results_page.with_texts(page, names, texts) == page
    assert results_page.with_texts(page, names, {}) == page  # what is not kept leaves its numbers


def test_pages_of_results_show_what_was_measured() -> None:
    for path, page in results_page.pages_from_data().items():
        assert path.read_text("utf-8") == page, f"{path}: run python -m studies.results_page"


@pytest.fixture
def experiments(run_folder, tmp_path, monkeypatch) -> list[Experiment]:
    """Let the small challenge be measured from what was run of it; return what is run."""
    small = {"systems": "small", "treebanks": ("svo", "sov"), "resamples": 0}
    reproductions = {challenge.NAME: reproduced.Reproduction("pascal", small)}
    monkeypatch.setattr(reproduced, "REPRODUCTIONS", reproductions)
    monkeypatch.setattr(reproduced, "FOLDER", tmp_path)
    monkeypatch.setattr(kept_tables, "FOLDER", tmp_path)
    monkeypatch.setattr(kept_tables, "RUNS", tmp_path)
    monkeypatch.setenv("TREEGAUGE_DATA", str(run_folder.parent))
    shutil.copytree(run_folder, tmp_path / challenge.NAME)
    done: list[Experiment] = []

    def run_experiment(experiment, folder, catalogue, options):
        done.append(experiment)
        with cells_in_process():
            return run(experiment, folder, catalogue=catalogue, score_only=options.score_only)

    monkeypatch.setattr(challenge, "run_experiment", run_experiment)
    return done


def places(experiment: Experiment) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return experiment.treebanks, tuple(one.label for one in experiment.systems)


def test_only_what_is_not_kept_is_measured(experiments, tmp_path):
    challenge.measure(["dmv (?)"])
    challenge.measure()
    named, rest = experiments
    assert places(named) == (("svo", "sov"), ("dmv (u)",))
    assert rest.treebanks == ("svo", "sov")
    assert "dmv (u)" not in places(rest)[1]
    experiments.clear()
    measured = challenge.kept()
    assert measured is not None
    assert challenge.is_whole(measured)
    challenge.measure()
    assert experiments == []
    table = kept_tables.results_of(challenge.NAME)
    lost = pl.col("system").is_in(["dmv (u)", "random"]) & (pl.col("treebank") == "sov")
    lost |= pl.col("system") == "harmonic"
    with gzip.open(tmp_path / f"{challenge.NAME}.tsv.gz", "wb") as file:
        table.filter(~lost).write_csv(file, separator="\t")
    challenge.measure()
    assert {places(one) for one in experiments} == {
        (("sov",), ("random", "dmv (u)")),
        (("svo", "sov"), ("harmonic",)),
    }
    again = kept_tables.results_of(challenge.NAME)
    changing = ("commit", "seconds", "peak_memory")
    assert_frame_equal(again.drop(changing), table.drop(changing), check_row_order=False)


def test_what_is_finished_is_kept_when_measuring_is_interrupted(experiments, monkeypatch):
    whole_run = challenge.run_experiment

    def interrupted(experiment, folder, catalogue, options):
        if not options.score_only:
            one_system = replace(experiment, systems=experiment.systems[:1])
            shutil.rmtree(Path(folder) / "cells")
            whole_run(one_system, folder, catalogue, options)
            raise Exit(130)
        return whole_run(experiment, folder, catalogue, options)

    monkeypatch.setattr(challenge, "run_experiment", interrupted)
    monkeypatch.setattr("sys.argv", ["challenge", "--measure"])
    with pytest.raises(SystemExit, match="130"):
        challenge.main()
    table = kept_tables.results_of(challenge.NAME)
    first = experiments[0].systems[0].label
    assert set(table["system"]) == {first}
    measured = challenge.kept()
    assert measured is not None
    assert not challenge.is_whole(measured)
    monkeypatch.setattr(challenge, "run_experiment", whole_run)
    challenge.measure()
    assert first not in places(experiments[-1])[1]
    measured = challenge.kept()
    assert measured is not None
    assert challenge.is_whole(measured)


def test_a_challenge_that_is_not_there_is_refused(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("sys.argv", ["challenge", str(tmp_path)])
    with pytest.raises(SystemExit, match="no run of the challenge"):
        challenge.main()
