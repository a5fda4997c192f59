"""How inducers fare with more text."""

from __future__ import annotations

import json

import pytest

from tests.in_process import cells_in_process
from tests.unit.runs.small_banks import write_bank
from treegauge.catalogue import Catalogue
from treegauge.papers.pascal.scaling import INDUCERS, ScalingSettings, measure_scaling
from treegauge.papers.pascal.scaling_tables import scaling_tables
from treegauge.runs import ExperimentError, run

pytestmark = pytest.mark.long

FAST = {"brown", "mkcls", "predictive-exchange"}


def run_it(experiment, folder, catalogue):
    with cells_in_process():
        return run(experiment, folder, catalogue=catalogue)


def test_scaling_measures_accuracy_time_and_memory(tmp_path):
    found = measure_scaling(tmp_path, run_it, ScalingSettings((300, 900), 5, test_tokens=100))
    assert not found.failures
    sizes = sorted({(row.tokens, row.types) for row in found.rows})
    assert [300 <= sizes[0][0] < 350, 900 <= sizes[1][0] < 950] == [True, True]
    assert sizes[0][1] < sizes[1][1]
    assert {row.system for row in found.rows} == FAST
    assert all(row.v_measure is not None and row.seconds is not None for row in found.rows)
    json.dumps(found.to_dict())
    (table,) = scaling_tables(found)
    assert len(table.rows) == 6


def test_samplers_take_part_up_to_a_size(tmp_path):
    settings = ScalingSettings((100, 200), 3, largest_for_samplers=100, test_tokens=50)
    found = measure_scaling(tmp_path, run_it, settings)
    by_size = [
        {row.system for row in found.rows if (row.tokens < 200) == is_short}
        for is_short in (True, False)
    ]
    assert by_size == [set(INDUCERS), FAST]


def test_treebanks_have_sizes_up_to_their_own(tmp_path):
    bank = write_bank(tmp_path / "svo", "toy:svo")
    own = Catalogue().resolve(str(bank))[0].read("train").n_words
    settings = ScalingSettings((60, 10**6, 10**7), 3)
    found = measure_scaling(
        tmp_path / "run", run_it, settings, treebanks=[str(bank)], catalogue=Catalogue()
    )
    sizes = sorted({row.tokens for row in found.rows})
    assert len(sizes) == 2
    assert 60 <= sizes[0] < 160
    assert sizes[1] == own
    assert {row.text for row in found.rows} == {"svo"}


def test_a_treebank_without_a_test_part_is_refused(tmp_path):
    bank = write_bank(tmp_path / "svo", "toy:svo")
    (bank / "test.conllu").unlink()
    with pytest.raises(ExperimentError, match="a train and a test part are needed"):
        measure_scaling(tmp_path / "run", run_it, treebanks=[str(bank)], catalogue=Catalogue())
