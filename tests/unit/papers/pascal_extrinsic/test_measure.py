"""Induced classes as features of a tagger, and as tags of a parser."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import treegauge as tg
from tests.in_process import cells_in_process
from tests.unit.runs.small_banks import write_bank
from treegauge.catalogue import Catalogue
from treegauge.formats import Findings
from treegauge.papers.paper import Workbench
from treegauge.papers.pascal_extrinsic.measure import measure
from treegauge.papers.pascal_extrinsic.paper import Extrinsic
from treegauge.papers.pascal_extrinsic.settings import ExtrinsicSettings
from treegauge.papers.pascal_extrinsic.statistics import CURVE, PARSING, tagging_task
from treegauge.runs import ExperimentError, run
from treegauge.runs.run_folder import RunFolder
from treegauge.systems import SystemsError

SMALL = ExtrinsicSettings(
    inducers=("brown",),
    classes=5,
    sentences=(2, 4),
    draws=2,
    tagger_iterations=5,
    parser_epochs=1,
    trials=50,
)


def workbench(folder, say=str):
    def run_it(experiment, place, catalogue):
        with cells_in_process():
            return run(experiment, place, catalogue=catalogue)

    return Workbench(Catalogue(), folder, run_it, say=say)


def task_row(measured, **about):
    """Return the row of a task."""
    chosen = {"words": "all", **about}
    (row,) = (
        measured.frames["tasks"]
        .filter(*(pl.col(name) == value for name, value in chosen.items()))
        .to_dicts()
    )
    return row


# ---------------------------------------------------------------------- what cannot be asked


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"inducers": ("bronw",)}, SystemsError, "bronw"),
        ({"inducers": ("dmv",)}, ExperimentError, "dmv annotates dependencies"),
        ({"sentences": ()}, ExperimentError, "a number of sentences"),
        ({"draws": 0}, ExperimentError, "a draw"),
        ({"sentences": (0,)}, ExperimentError, "at least one sentence"),
        ({"sentences": (10_000,)}, ExperimentError, "10000 were asked for"),
    ],
)
def test_what_cannot_be_measured(tmp_path, settings, error, message):
    bank = write_bank(tmp_path / "birds")
    with pytest.raises(error, match=message):
        measure(ExtrinsicSettings(treebanks=(str(bank),), **settings), workbench(tmp_path / "run"))


def test_a_test_part_is_needed(tmp_path):
    bank = write_bank(tmp_path / "birds")
    (bank / "test.conllu").unlink()
    with pytest.raises(ExperimentError, match="birds: a train and a test part"):
        measure(ExtrinsicSettings(treebanks=(str(bank),)), workbench(tmp_path / "run"))


# ---------------------------------------------------------------------- the runs


@pytest.fixture(scope="module")
def run_of_two(tmp_path_factory):
    pytest.importorskip("pycrfsuite")
    folder = tmp_path_factory.mktemp("extrinsic")
    banks = [write_bank(folder / name, f"toy:{name}") for name in ("svo", "sov")]
    lines = []
    settings = replace(SMALL, treebanks=tuple(map(str, banks)))
    measured = measure(settings, workbench(folder / "run", lines.append))
    return folder / "run", measured, lines


CONTROLS = ["random classes", "suffix classes", "gold classes"]
KINDS = ["no classes", "brown", *CONTROLS, "gold tags"]


@pytest.mark.long
def test_classes_are_used_as_features_and_as_tags(run_of_two):
    _, measured, _ = run_of_two
    assert not measured.failures
    tasks, metrics = measured.frames["tasks"], measured.frames["metrics"]
    for treebank in ("svo", "sov"):
        own = tasks.filter((pl.col("treebank") == treebank) & (pl.col("words") == "all"))
        assert own["classes"].unique(maintain_order=True).to_list() == KINDS
        assert set(own.filter(~pl.col("is_control"))["classes"]) == {"brown"}
        for kind in KINDS:
            # Everybody parses; who tags with gold tags has nothing to do.
            tagging = {tagging_task(2), tagging_task(4), CURVE}
            expected = {PARSING, *(tagging if kind != "gold tags" else ())}
            assert set(own.filter(pl.col("classes") == kind)["task"]) == expected
        measured_kinds = metrics.filter(pl.col("treebank") == treebank)["classes"]
        assert set(measured_kinds) == {"brown", *CONTROLS}
    json.dumps(Extrinsic().to_dict(measured))


@pytest.mark.long
def test_counts_are_those_that_the_runner_scored(run_of_two):
    place, measured, _ = run_of_two
    table = run_scores(place / "svo" / "tagging")
    for (classes, size), values in table.items():
        row = task_row(measured, treebank="svo", task=tagging_task(size), classes=classes)
        assert len(values) == SMALL.draws
        assert row["value"] == pytest.approx(np.mean(values))
    assert len(table) == 5 * 2


def run_scores(place):
    scores = {}
    table = pl.read_parquet(RunFolder(place).results)
    for system, treebank, value in table.select("system", "treebank", "value").iter_rows():
        scores.setdefault((system, int(treebank.partition("-")[0])), []).append(value)
    return scores


@pytest.mark.long
def test_the_parser_sees_words_and_classes_only(run_of_two):
    place, _, _ = run_of_two
    gold = tg.read(place.parent / "svo" / "test.conllu")
    for name in ("no-classes", "brown", "suffix-classes", "gold-classes", "gold-tags"):
        seen = tg.read(place / "svo" / "parsed" / name / "test.conllu", findings=Findings())
        assert list(seen.form) == list(gold.form)
        assert not any(seen.columns[c].is_annotated for c in ("lemma", "xpos", "feats"))
        assert (list(seen.upos) == list(gold.upos)) == (name == "gold-tags")
        if name == "no-classes":
            assert len(set(seen.upos)) == 1


@pytest.mark.long
def test_only_classes_of_a_tree_are_bit_strings(run_of_two):
    place, _, _ = run_of_two
    classes = {
        name: {line.split("\t")[0] for line in path.read_text(encoding="utf-8").splitlines()}
        for name in ("brown", "random-classes", "suffix-classes", "gold-classes")
        for path in (place / "svo").glob(f"{name}-*.tsv")
    }
    are_bits = {name: all(not set(one) - set("01") for one in own) for name, own in classes.items()}
    assert [name for name, are in are_bits.items() if are] == ["brown"]
    assert len(are_bits) == 4


@pytest.mark.long
def test_labelled_sentences_are_nested(run_of_two):
    place, _, _ = run_of_two
    for draw in range(SMALL.draws):
        few, many = (
            tg.read(place / "svo" / "labelled" / f"{size}-{draw}" / "train.conllu").sentence_ids
            for size in SMALL.sentences
        )
        assert (len(few), len(many)) == (2, 4)
        assert set(few) <= set(many)


@pytest.mark.long
def test_the_estimate_counts_all_cells(run_of_two):
    place, _, lines = run_of_two
    (line,) = lines
    cells = list(place.glob("*/*/cells/*/cell.json"))
    # Cells that depend on the same things are one: what differs is in the plan.
    planned = sum(len(RunFolder(p.parent).planned) for p in place.glob("*/*/plan.json"))
    assert line.startswith(f"2 treebanks, {planned} cells, about ")
    assert "min on one core" in line
    assert 0 < len(cells) <= planned


@pytest.mark.long
def test_tables_of_uses(run_of_two):
    _, measured, _ = run_of_two
    values, kinds_of_words, agreement = Extrinsic().tables(measured)
    assert [group for group, _ in values.grouped()] == ["svo", "sov", "average"]
    assert len(values.rows) == 3 * len(KINDS)
    assert len(kinds_of_words.rows) == len(KINDS) - 1
    assert "too few" in agreement.notes[-1]
    row = task_row(measured, treebank="average", task=PARSING, classes="brown")
    cell = next(one for one in reversed(values.rows) if one.cells[0].value == "brown").cells[-1]
    star = " *" if row["adjusted_p"] < 0.05 else ""
    shown = values.cell_text(cell, len(values.columns) - 1)
    assert shown == f"{100 * row['value']:.1f} ({100 * row['gain']:+.1f}){star}"
    assert task_row(measured, treebank="average", task=CURVE, classes="brown")["p"] <= 1


@pytest.mark.long
def test_sizes_that_a_treebank_does_not_have_are_left_out(tmp_path):
    pytest.importorskip("pycrfsuite")
    bank = write_bank(tmp_path / "birds")
    settings = ExtrinsicSettings(
        treebanks=(str(bank),),
        inducers=("brown",),
        classes=3,
        sentences=(2, 9999),
        draws=1,
        tagger_iterations=1,
        parser_epochs=1,
        trials=10,
    )
    measured = measure(settings, workbench(tmp_path / "run"))
    assert set(measured.frames["tasks"]["task"]) == {tagging_task(2), CURVE, PARSING}
    assert "fewer than 9999" in measured.notes[0]
