"""The paper on neutral edge direction: what it refuses, what it publishes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from treegauge.catalogue import Catalogue
from treegauge.papers.ned.paper import NeutralEdgeDirection
from treegauge.papers.ned.settings import INDUCERS, NedSettings
from treegauge.papers.paper import MisuseError, Workbench
from treegauge.runs import ExperimentError, run

PAPER = NeutralEdgeDirection()
WORKBENCH = Workbench(Catalogue(), Path(), lambda e, f, c: run(e, f, catalogue=c))
SETTINGS = NedSettings(treebanks=("toy:svo",))


def test_a_small_run_keeps_what_was_chosen():
    small = PAPER.small(SETTINGS)
    assert (small.tags, small.systems[-1], small.resamples) == ("u", "viterbi-dmv", 200)
    chosen = PAPER.small(replace(SETTINGS, tags="p", systems=("harmonic",), resamples=50))
    assert (chosen.tags, chosen.systems, chosen.resamples) == ("p", ("harmonic",), 50)
    assert SETTINGS.systems == INDUCERS
    with pytest.raises(MisuseError, match="--small has its own treebank"):
        PAPER.small(replace(SETTINGS, tag_map="some.map"))


def test_what_makes_sense_is_not_refused():
    PAPER.check(SETTINGS, WORKBENCH)
    PAPER.check(replace(SETTINGS, systems=("all",)), WORKBENCH)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"train": "x", "treebanks": ("a", "b")}, "--train belongs to one --treebank"),
        ({"train": "x", "treebanks": ("en_wsj_sample",)}, "--train belongs to one --treebank"),
        ({"other": "x", "treebanks": ("a", "b")}, "--other belongs to one --treebank"),
        ({"treebanks": (__file__,)}, "is one file: give its train part with --train"),
        ({"most_parameters": 19}, "at most 18 parameters; found 19"),
    ],
)
def test_misuse(changes, message):
    with pytest.raises(MisuseError, match=message):
        PAPER.check(replace(SETTINGS, **changes), WORKBENCH)


def test_systems_that_cannot_be_flipped_or_found():
    with pytest.raises(ExperimentError, match="right-branching has no grammar"):
        PAPER.check(replace(SETTINGS, algorithms=("right-branching",)), WORKBENCH)
    with pytest.raises(ExperimentError, match="nothing to do"):
        PAPER.check(replace(SETTINGS, algorithms=(), systems=()), WORKBENCH)
    with pytest.raises(ExperimentError, match="unknown system dvm"):
        PAPER.check(SETTINGS, replace(WORKBENCH, system_settings={"dvm": {}}))


def test_published_figures_are_frames_of_what_is_known():
    frames = PAPER.published()
    assert set(frames) == {"changes", "algorithms", "learnability", "schemes"}
    gains = frames["changes"].filter(metric="uas")
    assert set(gains.select("change", "change_low", "change_high").iter_rows()) == {
        (None, 0.093, 0.151)
    }
    ned = frames["changes"].filter(metric="ned")
    assert dict(ned.select("algorithm", "change").iter_rows()) == {
        "km04": -0.036,
        "cs09": 0.042,
        "saj10a": -0.01,
    }
    assert frames["schemes"].select("uas", "undirected", "ned").row(0) == (0.856, 0.903, 0.953)
    assert frames["algorithms"].select("parameters", "token_share").row(0) == (18, 0.429)
