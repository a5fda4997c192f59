"""Experiments made in Python, as files."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from treegauge.metrics.conventions import preset
from treegauge.runs import Experiment, ExperimentError
from treegauge.runs.experiment import Scoring, SystemChoice, Tuning
from treegauge.runs.experiment_text import to_toml, with_source

NAMES = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=8)


@given(
    name=NAMES.filter(lambda text: text.strip() and not set(text) & set("/\\") and text != "."),
    treebanks=st.lists(NAMES, min_size=1, max_size=3),
    label=NAMES,
    smoothing=st.floats(0.001, 10),
    seeds=st.lists(st.integers(0, 9), min_size=1, max_size=3, unique=True),
    tags=st.sampled_from(["u", "p", "u12"]),
    tunes=st.booleans(),
)
@examples(40)
def test_a_file_reads_as_the_experiment(name, treebanks, label, smoothing, seeds, tags, tunes):
    grid = tuple((("max_length", a), ("tags", b)) for a in (5, 10) for b in ("u", "{p}"[1]))
    settings = () if tunes else (("smoothing", smoothing),)
    choice = SystemChoice(
        *("dmv", label, settings, tuple(seeds), "train"),
        tuning=Tuning(grid, "uas") if tunes else None,
        keep_model=not tunes,
    )
    if name in (".", ".."):
        return
    made = Experiment(
        name=name,
        treebanks=tuple(treebanks),
        systems=(choice,),
        scorings=(Scoring(preset("pascal", tags=tags), ("uas", "ned@10"), ("edge_length",)),),
        resamples=7,
        cell_timeout=2.5,
        cell_memory=100,
        tracks=("dependencies",),
    )
    assert Experiment.from_dict(tomllib.loads(to_toml(made))) == made
    assert with_source(made).source == to_toml(made)


def test_what_a_file_cannot_say_is_an_error():
    system = SystemChoice("dmv", "dmv")
    made = Experiment("a", ("toy:svo",), (system,))
    other = Scoring(preset("pascal", punctuation="counted"))
    with pytest.raises(ExperimentError, match="its conventions are not a preset"):
        to_toml(replace(made, scorings=(other,)))
    grid = ((("max_length", 5), ("tags", "u")), (("max_length", 10), ("tags", "p")))
    tuned = replace(system, tuning=Tuning(grid, "uas"))
    with pytest.raises(ExperimentError, match="dmv: a file cannot say a grid"):
        to_toml(replace(made, systems=(tuned,)))
