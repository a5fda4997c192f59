"""Parsers on permuted treebanks, with systems that need no training."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from treegauge.catalogue import Catalogue
from treegauge.evaluation.accuracy_prediction import describe_training_text
from treegauge.papers.paper import MisuseError, Workbench
from treegauge.papers.word_order.effects import deltas
from treegauge.papers.word_order.measure import parse_permuted, settings_of_parser
from treegauge.papers.word_order.paper import WordOrderPaper
from treegauge.papers.word_order.settings import ORDERS, ORIGINAL, WordOrderPaperSettings
from treegauge.runs.errors import ExperimentError
from treegauge.runs.runner import run
from treegauge.treebank import concatenate

BRANCHING = WordOrderPaperSettings(parsers=("left-branching", "right-branching"), resamples=20)


@pytest.fixture
def workbench(tmp_path, in_process):
    def run_experiment(experiment, folder, catalogue):
        return run(experiment, folder, catalogue=catalogue, executor=in_process)

    return Workbench(Catalogue(), tmp_path / "run", run_experiment)


@pytest.fixture
def settings(banks):
    return replace(BRANCHING, treebanks=tuple(map(str, banks)))


@pytest.fixture
def parsing(settings, workbench):
    return parse_permuted(settings, workbench)


@pytest.mark.long
def test_every_version_is_parsed_by_every_parser(parsing):
    assert parsing.properties["treebank"].unique(maintain_order=True).to_list() == ["birds", "fish"]
    assert len(parsing.parsed) == 2 * len(ORDERS) * 2
    for one in parsing.parsed:
        assert list(one.parsed.form) == list(one.test.form)
        assert sorted(one.test.form) == sorted(
            parsing.version(one.treebank, ORIGINAL, one.parser).test.form
        )
    assert parsing.accuracy_rows() == []  # the treebanks are too small for pilot parsers


@pytest.mark.long
def test_accuracies_stand_beside_what_pilot_parsers_reach(parsing):
    large = concatenate([parsing.parsed[0].train] * 10)
    one = replace(parsing.parsed[0], train=large)
    (row,) = replace(parsing, parsed=(one,)).accuracy_rows()
    assert (row.treebank, row.order, row.parser) == (one.treebank, one.order, one.parser)
    assert row.uas == one.score("uas")
    assert row.text == describe_training_text(large)


@pytest.mark.long
def test_mirrored_orders_and_mirrored_parsers_score_the_same(parsing):
    """Left-branching trees in the left-branching order are the mirror image of right ones."""
    for treebank in ("birds", "fish"):
        left = parsing.version(treebank, "left", "left-branching").score("uas")
        right = parsing.version(treebank, "right", "right-branching").score("uas")
        # The final mark stays at the end, so chains differ in the arc that touches it.
        assert left == pytest.approx(right, abs=0.12)
        assert left > parsing.version(treebank, "right", "left-branching").score("uas")


@pytest.mark.long
def test_deltas_have_the_signs_of_the_paper(parsing):
    by_order = {
        (row["treebank"], row["order"]): row for row in parsing.properties.iter_rows(named=True)
    }
    for delta in deltas(parsing.properties, parsing.accuracies()).iter_rows(named=True):
        here = by_order[delta["treebank"], delta["order"]]
        there = by_order[delta["treebank"], ORIGINAL]
        assert delta["delta_dlm"] == pytest.approx(there["dlm_ratio"] - here["dlm_ratio"])
        if delta["order"] == "optdl":
            assert delta["delta_dlm"] > 0
        if delta["order"] in ("left", "right"):
            assert delta["delta_entropy"] == pytest.approx(there["arc_direction_entropy"])


@pytest.mark.long
def test_tables_and_json_hold_all_of_it(settings, workbench):
    paper = WordOrderPaper()
    # The original is there without being named.
    orders = ("optdl", "random", "left", "right")
    measured = paper.measure(replace(settings, orders=orders), workbench)
    titles = [table.title for table in paper.tables(measured)]
    assert titles[0].startswith("Table 1")
    assert "left-branching" in titles
    document = paper.to_dict(measured)
    assert len(document["frames"]["accuracies"]) == 2 * 5 * 2
    assert document["failures"] == []
    assert "train: " in document["notes"][0]
    assert (workbench.folder / "accuracies.tsv").exists()
    assert [figure.name for figure in paper.figures(measured)] == [
        f"figure-{number}-{side}-branching" for number in (1, 2) for side in ("left", "right")
    ]


@pytest.mark.long
def test_a_run_goes_on_where_it_was_left(bank, workbench, in_process):
    settings = replace(BRANCHING, treebanks=(str(bank),))
    first = parse_permuted(settings, workbench)
    jobs = len(in_process.jobs)
    second = parse_permuted(settings, workbench)
    assert len(in_process.jobs) == jobs == 8
    for one, other in zip(first.parsed, second.parsed, strict=True):
        assert np.array_equal(one.parsed.head, other.parsed.head)


def test_a_treebank_without_train_is_refused(bank, workbench):
    (bank / "train.conllu").unlink()
    with pytest.raises(ExperimentError, match="birds has no train part"):
        parse_permuted(replace(BRANCHING, treebanks=(str(bank),)), workbench)


def test_settings_of_parsers_that_are_not_there_are_refused(workbench):
    other = replace(workbench, system_settings={"tnt": {"beam": "3"}})
    with pytest.raises(MisuseError, match="tnt is not a parser of this experiment"):
        WordOrderPaper().check(BRANCHING, other)


def test_the_transition_parser_is_covingtons_for_branching_orders():
    usual = settings_of_parser(WordOrderPaperSettings(), {}, "transition")
    assert usual == {
        "natural": {"optimise": True},
        "branching": {"system": "covington-projective"},
    }
    small = WordOrderPaper().small(WordOrderPaperSettings())
    chosen = settings_of_parser(small, {"transition": {"seed": "1"}}, "transition")
    assert chosen["natural"] == {"epochs": 2, "seed": "1"}
    assert settings_of_parser(small, {}, "left-branching") == {"natural": {}, "branching": {}}
