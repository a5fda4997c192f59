"""What is measured as a whole, on a toy language."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import treegauge as tg
from treegauge.catalogue import Catalogue
from treegauge.evaluation import evaluate
from treegauge.metrics import preset
from treegauge.papers.ned.annotation_schemes import LENIENT_METRICS, STYLES, score_leniently
from treegauge.papers.ned.measure import LENGTHS, measure
from treegauge.papers.ned.paper import NeutralEdgeDirection
from treegauge.papers.ned.settings import (
    ALGORITHMS,
    INDUCERS,
    MOST_SCALARS,
    NedSettings,
    all_inducers,
)
from treegauge.papers.paper import Workbench
from treegauge.rewrite import to_style
from treegauge.runs import ExperimentError, RunFolder, run
from treegauge.systems import systems
from treegauge.toys import toy_parts
from treegauge.treebank import Column, Treebank

pytestmark = pytest.mark.long

PAPER = NeutralEdgeDirection()
QUICK = NedSettings(
    treebanks=("toy:svo",),
    tags="u",
    algorithms=("km04", "viterbi-dmv"),
    systems=("klein-manning-dmv", "right-branching", "harmonic"),
    sentences_looked_at=150,
    resamples=50,
)
Parts = dict[str, Treebank]


def bench(folder: Path, parts: Parts, **system_settings: Any) -> Workbench:
    """Return a workbench on which one treebank is at hand."""
    return Workbench(
        Catalogue(treebanks={"toy:svo": parts}),
        folder,
        lambda experiment, place, catalogue: run(experiment, place, catalogue=catalogue),
        system_settings,
    )


@pytest.fixture(scope="module")
def toy() -> Parts:
    return toy_parts("toy:svo", tokens=4000)


@pytest.fixture(scope="module")
def workbench(toy, tmp_path_factory) -> Workbench:
    return bench(tmp_path_factory.mktemp("ned"), toy, **{"klein-manning-dmv": {"iterations": 10}})


@pytest.fixture(scope="module")
def measured(workbench):
    return measure(QUICK, workbench)


def one(frame: pl.DataFrame, **where: Any) -> dict[str, Any]:
    return frame.filter(**where).row(0, named=True)


def test_every_name_is_a_system():
    assert {*ALGORITHMS.values(), *INDUCERS} <= set(systems())
    assert set(INDUCERS) <= set(all_inducers())
    assert "most-frequent-tag" not in all_inducers()


def test_flips_raise_attachment_within_the_number_allowed(measured):
    frames = measured.frames
    for algorithm in frames["algorithms"].iter_rows(named=True):
        name = algorithm["algorithm"]
        change = one(frames["changes"], algorithm=name, length="all", metric="uas")
        curve = frames["curve"].filter(algorithm=name, length="all")
        assert 0 < algorithm["parameters"] <= MOST_SCALARS
        assert change["after"] > change["before"]
        assert curve["flip"].to_list() == list(
            range(frames["flips"].filter(algorithm=name)["flip"].max() + 1)
        )
        assert curve["uas"][0] == change["before"]
        assert curve["uas"][-1] == change["after"]
        assert curve["parameters"][-1] == algorithm["parameters"]
        assert change["change"] == pytest.approx(change["after"] - change["before"])


def test_an_algorithm_keeps_its_settings_and_is_ranked_once(measured):
    frames = measured.frames
    settings = json.loads(one(frames["algorithms"], algorithm="km04")["settings"])
    assert (settings["iterations"], settings["tags"]) == (10, "u")
    inducers = frames["inducers"].filter(length="all")
    dmvs = ["klein-manning-dmv", "viterbi-dmv"]
    assert inducers["system"].to_list() == [*dmvs, "right-branching", "harmonic"]
    assert set(inducers["supervision"]) == {"unsupervised"}
    before = one(frames["changes"], algorithm="km04", length="all", metric="ned")["before"]
    assert one(inducers, system="klein-manning-dmv")["ned"] == before


def test_ranks_go_from_best_to_worst(measured):
    inducers = measured.frames["inducers"].filter(length="all")
    assert inducers.sort("uas", descending=True)["uas_rank"].to_list() == [1, 2, 3, 4]


def test_inducers_are_scored_by_lenient_metrics_too(measured, toy):
    for row in measured.frames["inducers"].iter_rows(named=True):
        assert row["debatable_uas"] >= row["uas"]
        assert row["tedeval_low"] <= row["tedeval"] <= row["tedeval_high"]
        assert {row["debatable_uas_rank"], row["tedeval_rank"]} <= {1, 2, 3, 4}
    (itself,) = score_leniently(toy["test"], [toy["test"]], "u", [""], resamples=0)
    assert {name: score.value for name, score in itself.scores.items()} == dict.fromkeys(
        LENIENT_METRICS, 1
    )


def test_a_head_that_other_schemes_choose_costs_less(toy):
    gold = toy["test"]
    flipped = to_style(gold, STYLES["adpositions head (case)"])
    (scored,) = score_leniently(gold, [flipped], "u", [""], resamples=0)
    alone = evaluate(
        gold,
        flipped,
        metrics=["uas", "tedeval"],
        conventions=preset("pascal"),
        resamples=0,
    )
    assert scored.scores["debatable_uas"].value == 1 > alone["uas"].value
    assert scored.scores["tedeval"].value > alone["tedeval"].value


def test_signs_are_compared_reading_by_reading(measured):
    learnability = measured.frames["learnability"]
    for algorithm, rows in learnability.group_by("algorithm"):
        readings = set(rows.select("scope", "edges").iter_rows())
        assert {("all flips", "any"), ("all flips", "≤ 2")} <= readings
        for row in rows.iter_rows(named=True):
            assert row["gold_better_by"] == pytest.approx(row["uas_gold"] - row["uas_as_induced"])
            same = row["ned_change"] * row["gold_better_by"] > 0
            assert row["same_sign"] in (None, same)
        change = one(measured.frames["changes"], algorithm=algorithm[0], length="all", metric="ned")
        assert one(rows, scope="all flips")["ned_change"] == pytest.approx(change["change"])


def test_progress_is_told(workbench):
    told: list[str] = []

    class Shown:
        def __enter__(self):
            return lambda _, line: told.append(line)

        def __exit__(self, *_):
            pass

    tasks: list[str] = []

    def progress(task: str) -> Shown:
        tasks.append(task)
        return Shown()

    measure(QUICK, replace(workbench, progress=progress))
    assert "toy:svo: km04, flips" in tasks
    assert any("flips, UAS" in line for line in told)


def test_everything_is_in_the_document(measured, toy):
    document = json.loads(json.dumps(PAPER.to_dict(measured)))
    assert (document["schema"], document["paper"]) == (2, "ned")
    theirs = {(r["algorithm"], r["metric"]): r["change"] for r in document["published"]["changes"]}
    assert (theirs["km04", "undirected"], theirs["km04", "ned"]) == (0.013, -0.036)
    frames = document["frames"]
    for algorithm in frames["algorithms"]:
        name = algorithm["algorithm"]
        flips = [row for row in frames["flips"] if row["algorithm"] == name]
        assert len(flips) == algorithm["parameters"] <= 18
        changes = [row for row in frames["changes"] if row["algorithm"] == name]
        assert {row["length"] for row in changes} == set(LENGTHS)
        assert len(changes) == 6
        for flip in flips:
            assert flip["structure"]
            assert 0 < flip["token_share"] <= algorithm["token_share"] <= 1
    assert [row["annotation"] for row in frames["schemes"]][-1] == "all of these"
    assert len(frames["agreement"]) == 20  # pairs of five metrics, for two lengths
    for algorithm in frames["algorithms"]:
        own = [r for r in frames["structures"] if r["algorithm"] == algorithm["algorithm"]]
        accepted = {r["flip"] for r in frames["flips"] if r["algorithm"] == algorithm["algorithm"]}
        assert sum(row["flips"] for row in own) == len(accepted)
        assert sum(row["token_share"] for row in own) <= 1
    sizes = frames["treebanks"][0]
    assert (sizes["train_words"], sizes["test_words"]) == (
        toy["train"].n_words,
        toy["test"].n_words,
    )


def test_tables_have_the_published_figures_beside_ours(measured):
    tables = PAPER.tables(measured)
    assert len(tables) == 10
    changes = tables[0]
    shown = [changes.cell_text(row.cells[-1], 6) for row in changes.rows]
    assert shown[:6] == ["+9.3 to +15.1", "–", "–", "+9.3 to +15.1", "+1.3", "-3.6"]
    # What is no algorithm of the paper has no figure in it.
    assert set(shown[6:]) == {"–"}
    assert len(tables[2].rows) == measured.frames["algorithms"]["parameters"].sum()
    assert all(table.title.startswith("toy:svo: ") for table in tables)
    for table in tables:
        assert table.to_polars()["treebank"].unique().to_list() == ["toy:svo"]


def test_cells_are_kept_and_give_the_same(measured, workbench):
    folder = RunFolder(workbench.folder / "toy-svo")
    before = {cell.key: folder.record(cell.key) for cell in folder.planned}
    again = measure(QUICK, workbench)
    assert {cell.key: folder.record(cell.key) for cell in folder.planned} == before
    for name, frame in measured.frames.items():
        assert_frame_equal(again.frames[name], frame)


@pytest.fixture(scope="module")
def without_universal_tags(toy) -> Parts:
    return {
        part: toy[part].replace(columns={"upos": Column.constant("_", toy[part].n_words)})
        for part in ("train", "test")
    }


def test_what_cannot_be_ranked_is_named_and_the_rest_goes_on(without_universal_tags, tmp_path):
    settings = NedSettings(
        treebanks=("toy:svo",),
        tags="p",
        algorithms=(),
        systems=("slndmv", "right-branching"),
        resamples=0,
    )
    workbench = bench(tmp_path, without_universal_tags, slndmv={"ties": "verbs"})
    measured = measure(settings, workbench)
    assert set(measured.frames["inducers"]["system"]) == {"right-branching"}
    start = "toy:svo: slndmv is not ranked: slndmv: ties go by coarse groups"
    assert measured.notes[0].startswith(start)
    assert measured.failures == ()
    assert "changes" not in measured.frames
    tables = PAPER.tables(measured)
    assert len(tables) == 4
    assert measured.notes[0] in tables[0].notes


def test_systems_may_learn_from_other_treebanks_of_the_catalogue(toy, tmp_path):
    settings = NedSettings(
        treebanks=("toy:svo",), tags="u", algorithms=(), systems=("transfer-dmv",), resamples=0
    )
    workbench = bench(tmp_path / "runs", toy, **{"transfer-dmv": {"sources": ("source",)}})
    tg.write(toy_parts("toy:sov", tokens=500)["train"], tmp_path / "source.conllu")
    catalogue = Catalogue([tmp_path / "source.conllu"], treebanks={"toy:svo": toy})
    measured = measure(settings, replace(workbench, catalogue=catalogue))
    assert measured.notes == ()
    assert set(measured.frames["inducers"]["system"]) == {"transfer-dmv"}


def test_without_structures_there_is_no_other_annotation(toy, tmp_path):
    # Tags that are no Penn tags, and relations that are not those of Universal Dependencies.
    def foreign(part: Treebank) -> Treebank:
        tags = Column.from_strings([f"t{tag}" for tag in part.upos])
        relations = Column.constant("x", part.n_words)
        return part.replace(columns={"upos": tags, "xpos": tags, "deprel": relations})

    parts = {part: foreign(toy[part]) for part in ("train", "test")}
    settings = replace(QUICK, tags="p", algorithms=("km04",), systems=("right-branching",))
    measured = measure(settings, bench(tmp_path, parts, **{"klein-manning-dmv": {"iterations": 2}}))
    assert "schemes" not in measured.frames
    assert not any("other annotations" in table.title for table in PAPER.tables(measured))
    assert measured.frames["structures"]["structure"].to_list() == ["others"]


def test_an_algorithm_that_fails_is_a_failure(without_universal_tags, tmp_path):
    settings = replace(QUICK, tags="p", algorithms=("cs09",), systems=("right-branching",))
    workbench = bench(tmp_path, without_universal_tags, slndmv={"ties": "verbs"})
    measured = measure(settings, workbench)
    assert measured.failures[0].startswith("toy:svo: slndmv: failed: slndmv: ties go by")
    with pytest.raises(ExperimentError, match=r"no system gave a result\nslndmv: failed"):
        measure(replace(settings, systems=()), workbench)


def test_without_universal_tags_cs09_has_no_ties(without_universal_tags, tmp_path):
    settings = NedSettings(
        treebanks=("toy:svo",),
        tags="p",
        algorithms=("cs09",),
        systems=(),
        sentences_looked_at=50,
        resamples=0,
    )
    quick = {"iterations": 1, "sweeps": 1, "max_length": 4}
    measured = measure(settings, bench(tmp_path, without_universal_tags, slndmv=quick))
    assert json.loads(measured.frames["algorithms"]["settings"][0])["ties"] == "none"
    assert "no ties between tags" in measured.notes[0]


def test_treebanks_without_trees_are_refused(toy, tmp_path):
    blind = {**toy, "test": toy["test"].blind()}
    with pytest.raises(ExperimentError, match="no trees in the test part"):
        measure(QUICK, bench(tmp_path, blind))
