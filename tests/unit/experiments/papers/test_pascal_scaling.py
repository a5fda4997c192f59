"""Uses of induced classes, and how inducers fare with more text."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.in_process import cells_in_process
from tests.unit.experiments.small_banks import write_bank
from treegauge.catalogue import Catalogue
from treegauge.experiments import ExperimentError, run
from treegauge.experiments.papers.pascal_extrinsic import (
    ExtrinsicSettings,
    Use,
    Uses,
    measure_uses,
    shuffled,
)
from treegauge.experiments.papers.pascal_scaling import (
    TAGS,
    ScalingSettings,
    generated_text,
    measure_scaling,
)
from treegauge.reports.pascal_side_experiments import extrinsic_tables, scaling_tables

pytestmark = pytest.mark.long


def run_it(experiment, folder, catalogue):
    with cells_in_process():
        return run(experiment, folder, catalogue=catalogue)


# ---------------------------------------------------------------------- scaling


def test_generated_text_is_the_same_for_the_same_seed():
    assert generated_text(500).fingerprint == generated_text(500).fingerprint
    assert generated_text(500).fingerprint != generated_text(500, seed=1).fingerprint


@pytest.mark.parametrize("tokens", [1, 19, 20, 21, 3000])
def test_generated_text_has_as_many_words_as_asked_for(tokens):
    text = generated_text(tokens)
    assert text.n_words == tokens
    assert text.lengths.max() <= 20
    assert set(text.upos) <= set(TAGS)


def test_longer_texts_have_more_types_and_the_same_language():
    short, long = generated_text(2000), generated_text(20_000)
    assert len(short.form.vocabulary) < len(long.form.vocabulary)
    known = {}
    for form, tag in zip(long.form, long.upos, strict=True):
        known.setdefault(form, set()).add(tag)
    both = [(f, t) for f, t in zip(short.form, short.upos, strict=True) if f in known]
    assert np.mean([tag in known[form] for form, tag in both]) > 0.99
    assert any(len(tags) == 2 for tags in known.values())
    assert max(len(tags) for tags in known.values()) == 2


def test_scaling_measures_accuracy_time_and_memory(tmp_path):
    sizes = ScalingSettings((300, 900), 5, largest_for_samplers=0, test_tokens=100)
    found = measure_scaling(tmp_path, run_it, sizes)
    assert not found.failures
    assert {row.tokens for row in found.rows} == {300, 900}
    assert {row.system for row in found.rows} == {"brown", "mkcls", "predictive-exchange"}
    assert all(row.v_measure is not None and row.seconds is not None for row in found.rows)
    json.dumps(found.to_dict())
    (table,) = scaling_tables(found)
    assert len(table.rows) == 6


# ---------------------------------------------------------------------- uses


@given(st.dictionaries(st.text(max_size=3), st.sampled_from("abc"), max_size=20), st.integers(0, 9))
@examples(40)
def test_shuffled_classes_have_the_same_sizes(classes, seed):
    found = shuffled(classes, seed)
    assert found.keys() == classes.keys()
    assert Counter(found.values()) == Counter(classes.values())


def test_agreement_of_tasks_and_metrics_worked_by_hand():
    def use(inducer, m1, vi, tagging):
        metrics = {"many_to_one": m1, "one_to_one": 0.5, "v_measure": m1, "vi": vi}
        return Use("birds", inducer, metrics, {100: tagging}, None)

    settings = ExtrinsicSettings(inducers=("a", "b", "c"), sentences=(100,))
    rows = (use("a", 0.1, 3.0, 0.7), use("b", 0.2, 2.0, 0.8), use("c", 0.3, 1.0, 0.9))
    found = {(task, metric): tau for task, metric, tau in Uses(settings, rows).agreement()}
    # A distance that falls goes with accuracy that rises; a constant goes with nothing.
    assert found == {
        ("tagging, 100 sentences", "many_to_one"): 1.0,
        ("tagging, 100 sentences", "one_to_one"): None,
        ("tagging, 100 sentences", "v_measure"): 1.0,
        ("tagging, 100 sentences", "vi"): 1.0,
    }


def test_unknown_inducers_are_an_error(tmp_path, bank):
    settings = ExtrinsicSettings(inducers=("bronw",))
    with pytest.raises(ExperimentError, match="no inducer 'bronw'"):
        measure_uses([str(bank)], tmp_path, run_it, catalogue=Catalogue(), settings=settings)


def test_classes_are_used_as_features_and_as_tags(tmp_path):
    pytest.importorskip("pycrfsuite")
    bank = write_bank(tmp_path / "birds")
    settings = ExtrinsicSettings(
        inducers=("brown",),
        classes=5,
        sentences=(3,),
        draws=1,
        tagger_settings={"iterations": 5},
        parser_settings={"epochs": 1},
    )
    found = measure_uses(
        [str(bank)], tmp_path / "run", run_it, catalogue=Catalogue(), settings=settings
    )
    assert not found.failures
    rows = {row.inducer: row for row in found.rows}
    assert list(rows) == ["no classes", "brown", "random classes"]
    assert all(3 in row.tagging for row in rows.values())
    assert rows["brown"].parsing is not None
    assert set(rows["brown"].metrics) == {"many_to_one", "one_to_one", "v_measure", "vi"}
    json.dumps(found.to_dict())
    values, agreement = extrinsic_tables(found)
    assert len(values.rows) == 3
    assert agreement.rows
