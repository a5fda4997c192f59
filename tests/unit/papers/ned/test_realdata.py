"""The paper's directions on the sample of the Wall Street Journal, for the quick algorithms."""

from __future__ import annotations

from pathlib import Path

import pytest

from treegauge.catalogue import Catalogue
from treegauge.papers.ned.measure import measure
from treegauge.papers.ned.settings import NedSettings
from treegauge.papers.paper import Frames, Workbench
from treegauge.runs import run

pytestmark = pytest.mark.realdata


@pytest.fixture(scope="module")
def frames(shared: Path, tmp_path_factory) -> Frames:
    settings = NedSettings(
        treebanks=("en_wsj_sample",),
        tags="p",
        algorithms=("km04", "saj10a"),
        systems=("right-branching",),
        resamples=200,
    )
    workbench = Workbench(
        Catalogue([shared / "treebanks"]),
        tmp_path_factory.mktemp("ned"),
        lambda experiment, place, catalogue: run(experiment, place, catalogue=catalogue),
        {"leapfrog": {"strides": (15,)}},
    )
    return measure(settings, workbench).frames


def changes(frames: Frames, metric: str) -> list[dict[str, float]]:
    return frames["changes"].filter(length="all", metric=metric).to_dicts()


def test_a_few_flips_raise_attachment_by_about_ten_points(frames):
    assert max(frames["algorithms"]["parameters"]) <= 18
    assert len(changes(frames, "uas")) == 2
    for one in changes(frames, "uas"):
        assert 0.08 < one["change"] < 0.16
        assert one["change_low"] > 0


def test_undirected_accuracy_changes_less_and_ned_falls(frames):
    # Published for all lengths: undirected +1.3 and +3.5, NED -3.6 and -1.0.
    assert all(abs(one["change"]) < 0.05 for one in changes(frames, "undirected"))
    assert all(one["change_high"] < 0 for one in changes(frames, "ned"))


def test_the_flipped_structures_are_the_papers(frames):
    for _, flips in frames["flips"].group_by("algorithm"):
        assert {"prepositional phrase", "proper-noun sequence"} <= set(flips["structure"])
