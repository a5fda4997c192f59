"""What S2 and UDP reach on the ten treebanks that stand for the PASCAL challenge's."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import treegauge as tg
from treegauge.catalogue import Catalogue
from treegauge.formats import FormatWarning
from treegauge.systems import make_system

pytestmark = pytest.mark.realdata

METRICS = ["uas", "uas@10"]


def averages(name: str, shared: Path) -> list[float]:
    """Return the average over treebanks, test parts and gold tags, in per cent."""
    rows = []
    for entry in Catalogue([shared / "treebanks"]).resolve("pascal10"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FormatWarning)  # some trees have several roots
            gold = entry.read("test")
        evaluation = tg.evaluate(
            gold,
            make_system(name).annotate(gold),
            conventions=tg.preset("pascal"),
            metrics=METRICS,
            resamples=0,
            trials=0,
        )
        rows.append([100 * evaluation[metric].value for metric in METRICS])
    return np.mean(rows, axis=0).tolist()


def test_udp(shared):
    # Our measurements are 60.5 and 69.4; below these bars a step was read wrongly.
    everything, short = averages("udp", shared)
    assert everything >= 58.5
    assert short >= 68


def test_s2_is_ten_points_above_a_plain_dmv(shared):
    # The DMV over universal tags has 29.3 in the challenge (Gelling et al. 2012, table 3).
    everything, _ = averages("soegaard-rules", shared)
    assert everything > 29.3 + 10
