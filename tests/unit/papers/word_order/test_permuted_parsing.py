"""Parsers on permuted treebanks, with systems that need no training."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from treegauge.catalogue import Catalogue
from treegauge.papers.word_order.effects import accuracy_rows, deltas, document
from treegauge.papers.word_order.permuted_parsing import (
    ORDERS,
    ORIGINAL,
    ParserChoice,
    PermutedParsingSettings,
    parse_permuted,
)
from treegauge.papers.word_order.tables import delta_figure, word_order_tables
from treegauge.runs.errors import ExperimentError
from treegauge.runs.runner import run

pytestmark = pytest.mark.long

BRANCHING = PermutedParsingSettings(
    parsers=(ParserChoice("left-branching"), ParserChoice("right-branching")), resamples=20
)


def _run_it(executor):
    def run_it(experiment, folder, catalogue):
        return run(experiment, folder, catalogue=catalogue, executor=executor)

    return run_it


@pytest.fixture
def parsing(banks, tmp_path, in_process):
    return parse_permuted(
        list(map(str, banks)),
        tmp_path / "run",
        _run_it(in_process),
        catalogue=Catalogue(),
        settings=BRANCHING,
    )


def test_every_version_is_parsed_by_every_parser(parsing):
    assert parsing.treebanks == ("birds", "fish")
    assert len(parsing.parsed) == 2 * len(ORDERS) * 2
    for one in parsing.parsed:
        assert list(one.parsed.form) == list(one.test.form)
        assert sorted(one.test.form) == sorted(
            parsing.version(one.treebank, ORIGINAL, one.parser).test.form
        )


def test_mirrored_orders_and_mirrored_parsers_score_the_same(parsing):
    """Left-branching trees in the left-branching order are the mirror image of right ones."""
    for treebank in parsing.treebanks:
        left = parsing.version(treebank, "left", "left-branching")
        right = parsing.version(treebank, "right", "right-branching")
        # The final mark stays at the end, so chains differ in the arc that touches it.
        assert left.uas == pytest.approx(right.uas, abs=0.12)
        assert left.uas > parsing.version(treebank, "right", "left-branching").uas


def test_deltas_have_the_signs_of_the_paper(parsing):
    for delta in deltas(parsing):
        here = parsing.property_of(delta.treebank, delta.order).gm16
        there = parsing.property_of(delta.treebank, ORIGINAL).gm16
        assert delta.dlm == pytest.approx(there.dlm_ratio - here.dlm_ratio)
        if delta.order == "optdl":
            assert delta.dlm > 0
        if delta.order in ("left", "right"):
            assert delta.entropy == pytest.approx(there.arc_direction_entropy)


def test_tables_and_json_hold_all_of_it(parsing):
    titles = [table.title for table in word_order_tables(parsing)]
    assert titles[0].startswith("Table 1")
    assert "left-branching" in titles
    made = document(parsing)
    assert len(made["accuracies"]) == len(parsing.parsed)
    assert made["failures"] == []
    assert len(accuracy_rows(parsing)) == len(parsing.parsed)
    assert len(delta_figure(parsing, "optdl", "left-branching").to_dict()["layer"]) == 2


def test_a_run_goes_on_where_it_was_left(banks, tmp_path, in_process):
    again = functools.partial(
        parse_permuted,
        [str(banks[0])],
        tmp_path / "run",
        _run_it(in_process),
        catalogue=Catalogue(),
        settings=BRANCHING,
    )
    first = again()
    jobs = len(in_process.jobs)
    second = again()
    assert len(in_process.jobs) == jobs == 8
    for one, other in zip(first.parsed, second.parsed, strict=True):
        assert np.array_equal(one.parsed.head, other.parsed.head)


def test_a_treebank_without_train_is_refused(bank, tmp_path, in_process):
    (bank / "train.conllu").unlink()
    with pytest.raises(ExperimentError, match="birds has no train part"):
        parse_permuted([str(bank)], tmp_path / "run", _run_it(in_process), catalogue=Catalogue())
