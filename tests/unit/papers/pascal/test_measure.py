"""The challenge: which systems run how, and what is read from a run."""

from __future__ import annotations

import json
from dataclasses import replace

import polars as pl
import pytest

import treegauge as tg
from treegauge.catalogue import Catalogue
from treegauge.papers.paper import MisuseError, Workbench
from treegauge.papers.pascal.measure import (
    challenge,
    plan,
    trees_of,
    without_fine_tags,
    without_missing_tags,
)
from treegauge.papers.pascal.paper import Pascal
from treegauge.papers.pascal.scores import INDUCED, TREES
from treegauge.papers.pascal.settings import PascalSettings
from treegauge.papers.pascal.tables import tag_tables, tree_tables
from treegauge.results.long_table import read_long_table
from treegauge.results.published import counterparts
from treegauge.runs import ExperimentError, run
from treegauge.runs.run_folder import RunFolder
from treegauge.systems import make_system

pytestmark = pytest.mark.long


def choices(which, **others):
    settings = PascalSettings(treebanks=("toy:svo",), systems=which, **others)
    return {choice.label: choice for choice in challenge(settings).systems}


# ---------------------------------------------------------------------- which systems


def test_sets_grow():
    small, fast, everything = (set(choices(which)) for which in ("small", "fast", "all"))
    assert small < fast < everything


def test_variants_are_those_of_the_paper():
    told = {label: dict(choice.settings) for label, choice in choices("fast").items()}
    assert told["dmv (u)"] == {"tags": "u12"}
    assert [told[f"brown ({letter})"]["classes"] for letter in "cpu"] == ["{c}", "{p}", "12"]
    assert told["dmv over brown (p)"] == {"tags_from": "brown:{p}", "inducer": "klein-manning-dmv"}


def test_the_entry_of_reducibility_has_its_three_rows():
    told = {label: choice for label, choice in choices("all").items() if "reducibility (" in label}
    columns = {
        label: counterparts("dependencies", choice.system, dict(choice.settings))
        for label, choice in told.items()
    }
    assert columns == {f"reducibility ({letter})": (f"MZ{letter}",) for letter in "cpu"}
    assert "reducibility (u)" in choices("fast")
    assert "reducibility-stop" in choices("fast")


def test_no_slow_sampler_is_fast():
    samplers = {"bmmm", "pyp-hmm", "hmm", "hmm-pr", "lda-classes", "joint", "lndmv", "slndmv"}
    samplers |= {"tsg-dmv"}
    assert not samplers & {choice.system for choice in choices("fast").values()}


def tuned_points():
    """Return the points of Tu's grid, with the settings that they share."""
    choice = choices("all")["unambiguity, tuned"]
    return [{**dict(choice.settings), **dict(point)} for point in choice.tuning.grid]


def test_what_the_paper_tuned_on_dev_is_tuned_and_says_so():
    tuned = {c.system: c for c in choices("all").values() if c.tuning}
    assert set(tuned) == {"unambiguity", "lda-classes"}
    assert (tuned["unambiguity"].tuning.metric, len(tuned_points())) == ("uas", 12)
    assert tuned["lda-classes"].tuning.metric == "v_measure"
    depths = [dict(point)["depth"] for point in tuned["lda-classes"].tuning.grid]
    assert depths == [4, 5, 6, 8, 10]
    assert all(choice.label.endswith("tuned") for choice in tuned.values())


def test_points_of_the_grid_are_settings_of_the_system():
    points = tuned_points()
    for point in points:
        make_system("unambiguity", point)
    assert len({str(point) for point in points}) == len(points) <= 12


def test_the_grid_has_what_tu_chose_between():
    """Section 5.2: Dirichlet priors, posterior regularisation, and low ambiguity."""
    points = tuned_points()
    assert all(point["alpha"] < 1 for point in points)
    regularised = {(point["strength"] > 0, point["sigma"][0] > 0) for point in points}
    assert regularised == {(False, False), (False, True), (True, False), (True, True)}
    assert {point["penalty"] for point in points} == {"symmetric"}
    assert {point["backoff"] for point in points} == {0.0, 1 / 3}


@pytest.mark.parametrize("fit_on", ["union", "train"])
def test_systems_learn_from_what_was_asked_for(fit_on):
    assert {choice.fit_on for choice in choices("all", fit_on=fit_on).values()} == {fit_on}


def test_seeds_are_counted_from_the_first():
    assert {choice.seeds for choice in choices("small", seeds=2, seed=3).values()} == {(3, 4)}


def test_systems_can_be_left_out_by_their_labels():
    chosen = choices("fast", skip=("mkcls *", "udp"))
    assert set(chosen) == {
        label for label in choices("fast") if label != "udp" and not label.startswith("mkcls")
    }


def test_only_systems_of_the_set_can_be_left_out(tmp_path, bank):
    workbench = Workbench(Catalogue(), tmp_path / "run", run)
    settings = PascalSettings(treebanks=(str(bank),), skip=("mkclss *",))
    with pytest.raises(ExperimentError, match=r"no system of this set is called 'mkclss \*'"):
        Pascal().check(settings, workbench)
    # It is one of the Penn part.
    Pascal().check(replace(settings, skip=("viterbi-dmv (p)",)), workbench)


def test_no_system_of_bare_text_stands_without_the_chain_of_content_words(tmp_path, bank):
    workbench = Workbench(Catalogue(), tmp_path / "run", run)
    settings = PascalSettings(treebanks=(str(bank),), systems="small", skip=("content-chain",))
    with pytest.raises(ExperimentError, match="leave out these as well: dmv over brown"):
        Pascal().check(settings, workbench)
    Pascal().check(replace(settings, skip=("content-chain", "dmv over *")), workbench)
    for which in ("small", "fast", "all"):
        assert "content-chain" in choices(which)


def test_settings_of_a_system_are_those_of_all_its_variants():
    made = plan(PascalSettings(), system_settings={"klein-manning-dmv": {"iterations": "3"}})
    told = {choice.label: dict(choice.settings) for choice in made.systems}
    assert told["dmv (c)"] == {"iterations": "3", "tags": "c"}
    assert "iterations" not in told["harmonic"]


# ---------------------------------------------------------------------- what comes of a run


def test_every_system_is_scored_in_its_track(measured):
    assert not measured.failures
    scores = measured.frames["results"].filter((pl.col("by") == "") & pl.col("value").is_not_nan())
    by_track = {
        track: set(scores.filter(pl.col("track") == track)["metric"])
        for track in ("tags", "dependencies", "joint")
    }
    assert by_track == {
        "tags": set(INDUCED),
        "dependencies": set(TREES),
        "joint": {*INDUCED, *TREES},
    }


def test_tags_are_compared_with_punctuation_and_trees_without(measured):
    signed = measured.frames["results"].filter(pl.col("signature") != "")
    tags = signed.filter(pl.col("metric").is_in(list(INDUCED)))
    trees = signed.filter(pl.col("metric").is_in(list(TREES)))
    assert tags["signature"].str.contains("punct:yes").all()
    assert trees["signature"].str.contains("punct:removed").all()


def test_classes_are_as_many_as_the_train_part_has_tags(measured):
    settings = measured.frames["results"].filter(pl.col("system") == "brown (c)")
    train = measured.frames["treebanks"].filter(pl.col("part") == "train")
    counted = dict(train.select("treebank", "coarse_tags").iter_rows())
    for treebank, text in settings.select("treebank", "settings").unique().iter_rows():
        told = json.loads(text)
        assert (told["classes"], told["classes_of"]) == (counted[treebank], "c")


def without_fine(measured, treebank):
    """Return the treebanks of a run as if one had no fine tags."""
    is_poor = pl.col("treebank") == treebank
    fine = pl.when(is_poor).then(0).otherwise(pl.col("fine_tags")).alias("fine_tags")
    return measured.frames["treebanks"].with_columns(fine)


def test_a_treebank_without_fine_tags_is_not_compared_with_them(measured):
    assert without_fine_tags(measured.frames["treebanks"]) == []
    treebanks = without_fine(measured, "svo")
    assert without_fine_tags(treebanks) == ["svo"]
    poor = changed(measured, without_missing_tags(measured.frames["results"], treebanks))
    for table in (one for made in tag_tables(poor).values() for one in made):
        assert ("svo" in table.treebanks) == (table.tags == "u12")


def changed(measured, results):
    return replace(measured, frames={**measured.frames, "results": results})


def test_trees_over_fine_tags_that_are_not_there_have_no_score(measured):
    over_fine = measured.frames["results"].with_columns(
        pl.when(pl.col("system") == "dmv (u)")
        .then(pl.col("settings").str.replace('"tags": "u12"', '"tags": "p"', literal=True))
        .otherwise(pl.col("settings"))
        .alias("settings")
    )
    results = without_missing_tags(over_fine, without_fine(measured, "svo"))
    for table in tree_tables(changed(measured, results), "dependencies"):
        rows = {row.system: row.scores for row in table.systems}
        assert rows["dmv (u)"]["svo"].value is None
        assert "too few fine tags" in rows["dmv (u)"]["svo"].missing
        assert rows["dmv (u)"]["sov"].value is not None
        assert rows["harmonic"]["svo"].value is not None


def test_a_run_keeps_the_file_of_its_experiment(measured, run_folder):
    kept = tg.Experiment.from_toml(run_folder / "experiment.toml")
    assert [choice.label for choice in kept.systems] == [
        choice.label for choice in challenge(measured.settings).systems
    ]


def test_trees_of_a_run_are_those_that_were_scored(measured, run_folder):
    outputs = trees_of(run_folder, "svo")
    rows = measured.frames["results"].filter(
        (pl.col("treebank") == "svo") & (pl.col("metric") == "uas") & (pl.col("by") == "")
    )
    gold = tg.read(run_folder.parent / "svo" / "test.conllu")
    for name, (system,) in outputs.items():
        value = tg.evaluate(
            gold, system, metrics=["uas"], conventions=tg.metrics.preset("pascal"), resamples=0
        )["uas"].value
        (expected,) = rows.filter(
            (pl.col("system") == name) & (pl.col("tags") == "u") & pl.col("value").is_not_nan()
        )["value"]
        assert value == expected


def test_json_has_the_references_and_not_the_long_table(measured, run_folder):
    made = json.loads(json.dumps(Pascal().to_dict(measured)))
    assert made["paper"] == "pascal"
    best = {one["system"] for one in made["frames"]["references"] if one["reference"] == "best"}
    assert best == set(trees_of(run_folder, "svo"))
    assert set(made["frames"]) == {"treebanks", "references", "generalised", "scores"}
    assert read_long_table(RunFolder(run_folder).results).height > 100


def test_only_a_treebank_and_systems_of_the_run_can_be_chosen(tmp_path, bank):
    settings = PascalSettings(treebanks=(str(bank),), systems="small", show="nobody")
    workbench = Workbench(Catalogue(), tmp_path / "run", run)
    with pytest.raises(ExperimentError, match="nobody is not a treebank of this run: birds"):
        Pascal().check(settings, workbench)
    workbench = Workbench(Catalogue(), tmp_path / "run", run, {"bmmm": {"iterations": "1"}})
    with pytest.raises(MisuseError, match="bmmm is not a system of this experiment"):
        Pascal().check(PascalSettings(treebanks=(str(bank),), systems="small"), workbench)
