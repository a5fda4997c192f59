"""How inducers fare with more text."""

from __future__ import annotations

import json

import polars as pl
import pytest

from tests.in_process import cells_in_process
from tests.unit.runs.small_banks import write_bank
from treegauge.catalogue import Catalogue
from treegauge.papers.paper import Workbench
from treegauge.papers.pascal_scaling.measure import measure
from treegauge.papers.pascal_scaling.paper import Scaling
from treegauge.papers.pascal_scaling.settings import INDUCERS, ScalingSettings
from treegauge.runs import ExperimentError, run

pytestmark = pytest.mark.long

FAST = {"brown", "mkcls", "predictive-exchange"}


def workbench(folder, **system_settings):
    def run_it(experiment, place, catalogue):
        with cells_in_process():
            return run(experiment, place, catalogue=catalogue)

    return Workbench(Catalogue(), folder, run_it, system_settings)


def test_scaling_measures_accuracy_time_and_memory(tmp_path):
    settings = ScalingSettings(sizes=(300, 900), classes=5, test_tokens=100)
    measured = measure(settings, workbench(tmp_path))
    assert not measured.failures
    rows = measured.frames["inducers"].to_dicts()
    sizes = sorted({(row["tokens"], row["types"]) for row in rows})
    assert [300 <= sizes[0][0] < 350, 900 <= sizes[1][0] < 950] == [True, True]
    assert sizes[0][1] < sizes[1][1]
    assert {row["system"] for row in rows} == FAST
    assert all(row["v_measure"] is not None and row["seconds"] is not None for row in rows)
    json.dumps(Scaling().to_dict(measured))
    (table,) = Scaling().tables(measured)
    assert len(table.rows) == 6
    assert [cell.value for cell in table.rows[0].cells[:2]] == ["brown", sizes[0][0]]


def test_samplers_take_part_up_to_a_size(tmp_path):
    settings = ScalingSettings(
        systems="all", sizes=(100, 200), classes=3, sampler_tokens=100, test_tokens=50
    )
    rows = measure(settings, workbench(tmp_path)).frames["inducers"].to_dicts()
    by_size = [
        {row["system"] for row in rows if (row["tokens"] < 200) == is_short}
        for is_short in (True, False)
    ]
    assert by_size == [set(INDUCERS), FAST]


def test_treebanks_have_sizes_up_to_their_own(tmp_path):
    bank = write_bank(tmp_path / "svo", "toy:svo")
    own = Catalogue().resolve(str(bank))[0].read("train").n_words
    settings = ScalingSettings(treebanks=(str(bank),), sizes=(60, 10**6, 10**7), classes=3)
    rows = measure(settings, workbench(tmp_path / "run")).frames["inducers"]
    sizes = sorted(set(rows["tokens"]))
    assert len(sizes) == 2
    assert 60 <= sizes[0] < 160
    assert sizes[1] == own
    assert set(rows["text"]) == {"svo"}


def test_settings_of_an_inducer_reach_it(tmp_path):
    settings = ScalingSettings(sizes=(200,), classes=5, test_tokens=100)
    plain, fewer = (
        measure(settings, workbench(tmp_path / name, **told)).frames["inducers"]
        for name, told in (("plain", {}), ("fewer", {"brown": {"classes": "2"}}))
    )
    of_brown = [
        frame.filter(pl.col("system") == "brown").select("many_to_one", "v_measure").rows()
        for frame in (plain, fewer)
    ]
    assert of_brown[0] != of_brown[1]


def test_a_treebank_without_a_test_part_is_refused(tmp_path):
    bank = write_bank(tmp_path / "svo", "toy:svo")
    (bank / "test.conllu").unlink()
    settings = ScalingSettings(treebanks=(str(bank),))
    with pytest.raises(ExperimentError, match="a train and a test part are needed"):
        measure(settings, workbench(tmp_path / "run"))
